"""Numerics that know nothing of muscles: rotations and polynomials."""
