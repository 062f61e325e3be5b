"""The array type of the package: NumPy arrays of doubles."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: An array of doubles; docstrings say its shape and units.
Array = NDArray[np.float64]

#: Multiplications up to which BLAS libraries compute a product on one thread. On several, products of so few rows take
#: more of all processors' time than they save.
ON_ONE_THREAD = 2**18


class ReadOnly:
    """An object whose arrays cannot be written."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        ReadOnly.__post_init__(self)  # pickle and deepcopy forget that arrays are read-only


def product(left: Array, right: Array) -> Array:
    """Return the product (m, n) of few rows (m, k) and many columns (k, n), computed on one thread."""
    step = max(1, ON_ONE_THREAD // max(1, left.size))
    if step >= right.shape[1]:
        return np.asarray(left @ right)
    values = np.empty((left.shape[0], right.shape[1]))
    for start in range(0, right.shape[1], step):
        np.matmul(left, right[:, start : start + step], out=values[:, start : start + step])
    return values
