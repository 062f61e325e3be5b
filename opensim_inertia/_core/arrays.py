"""Arrays of doubles: their type, products on one thread, large ones in files, and the rows of curves to draw."""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: An array of doubles; docstrings say its shape and units.
Array = NDArray[np.float64]

#: Multiplications up to which BLAS libraries compute a product on one thread. On several, products of so few rows take
#: more of all processors' time than they save.
ON_ONE_THREAD = 2**18
#: Arrays of more bytes lie in files.
IN_MEMORY = 2**26
#: What is left free on a disk [bytes].
SPARED = 2**30
MOST_DRAWN = 4000
"""Rows of a plot, at most: the spans of two or three curves are no wider than a pixel of the pictures that we save."""


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


def has_room(size: int) -> bool:
    """Return whether arrays of so many bytes in all can be made by :func:`large_zeros`."""
    return size <= IN_MEMORY or size + SPARED <= shutil.disk_usage(tempfile.gettempdir()).free


def large_zeros(shape: tuple[int, ...]) -> Array:
    """Return zeros, in an unnamed file if they are many; a full disk ends the program: see :func:`has_room`."""
    if 8 * math.prod(shape) <= IN_MEMORY:
        return np.zeros(shape)
    with tempfile.TemporaryFile() as file:
        return np.asarray(np.memmap(file, np.float64, "w+", shape=shape))


def drawn_rows(curves: Sequence[Array], most: int = MOST_DRAWN) -> NDArray[np.intp]:
    """Return at most ``most`` rows, ascending, that show curves (T,): the ends, and each span's extremes and gaps."""
    rows = len(curves[0])
    if rows <= most:
        return np.arange(rows)
    width = -(-rows // max(1, (most - 2) // (2 * len(curves) + 1)))

    def in_spans(values: NDArray[Any], fill: float) -> NDArray[Any]:
        return np.pad(values, (0, -rows % width), constant_values=fill).reshape(-1, width)

    starts, unknown = np.arange(0, rows, width), np.isnan(np.asarray(curves))
    gaps = in_spans(np.asarray(unknown.any(axis=0)), False)
    chosen = [np.array([0, rows - 1]), (starts + gaps.argmax(axis=1))[gaps.any(axis=1)]]
    for curve, missing in zip(curves, unknown, strict=True):
        for side in (curve, -curve):
            chosen.append(starts + in_spans(np.where(missing, -np.inf, side), -np.inf).argmax(axis=1))
    return np.unique(np.concatenate(chosen))
