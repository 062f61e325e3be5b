"""Length polynomials: lengths and moment arms of muscles, fitted in Euler angles or quaternions, without places."""

from .fitting import (
    EulerAnglesWarning,
    PathJumpWarning,
    SpanlessMuscleError,
    SpanlessMuscleWarning,
    fit_length_polynomials,
)
from .polynomial_set import LengthPolynomials
from .stored import load_length_polynomials

__all__ = [
    "EulerAnglesWarning",
    "LengthPolynomials",
    "PathJumpWarning",
    "SpanlessMuscleError",
    "SpanlessMuscleWarning",
    "fit_length_polynomials",
    "load_length_polynomials",
]
