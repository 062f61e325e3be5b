"""Numerics without any model: rotations and polynomials."""
