"""Muscle masses, and their strain along the path."""
