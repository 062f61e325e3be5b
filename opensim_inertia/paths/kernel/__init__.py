"""The kernel: input and evaluation."""
