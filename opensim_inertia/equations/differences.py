"""What differences are made of."""

from __future__ import annotations

from ..arrays import Array


def moved(x: Array, i: int, by: float) -> Array:
    """A copy of x (n,) with one entry moved."""
    result = x.copy()
    result[i] += by
    return result
