"""Tests of what is found wrong with inputs, and defects planted into good ones."""
