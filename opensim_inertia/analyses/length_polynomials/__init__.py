"""Polynomials for muscles' lengths and moment arms as functions of Euler angles or quaternions."""

from .fitting import fit_length_polynomials
from .polynomial_set import FittedCurve, LengthPolynomials, load_length_polynomials

__all__ = ["FittedCurve", "LengthPolynomials", "fit_length_polynomials", "load_length_polynomials"]
