"""Polynomials in place of paths: lengths and moment arms of muscles, fitted in Euler angles or quaternions."""

from .fitting import EulerAnglesWarning, PathJumpWarning, SpanlessMuscleError, SpanlessMuscleWarning, fit_paths
from .result import PathFits
from .stored import load_fits

__all__ = [
    "EulerAnglesWarning",
    "PathFits",
    "PathJumpWarning",
    "SpanlessMuscleError",
    "SpanlessMuscleWarning",
    "fit_paths",
    "load_fits",
]
