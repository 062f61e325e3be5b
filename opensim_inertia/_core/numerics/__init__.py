"""Numerics without any model: rotations, polynomials and the thinning of curves."""
