"""Models and states as arrays."""
