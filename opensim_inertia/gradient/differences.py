"""What differences are made of."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def moved(x: Array, i: int, by: float) -> Array:
    """A copy of x (n,) with one entry moved."""
    result = x.copy()
    result[i] += by
    return result
