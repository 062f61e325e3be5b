"""Arrays of doubles, plot decimation and splines."""

from __future__ import annotations

import math
import mmap
import shutil
import tempfile
import weakref
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

#: An array of doubles; docstrings state its shape and units.
Array = NDArray[np.float64]

#: Largest number of multiplications that is split into products of one thread: BLAS threads cost more than they save.
ON_ONE_THREAD = 2**18
#: Arrays with more bytes are stored in files.
IN_MEMORY = 2**26
#: Rows at which splines are evaluated at once, and numbers that are fitted at once.
AT_ONCE, FITTED = 2**12, 2**19
#: Disk space that stays free [bytes].
SPARED = 2**30
MOST_DRAWN = 4000
"""Largest number of plotted rows, at least one per pixel of saved pictures."""


class ReadOnly:
    """Base class that makes arrays in attributes read-only."""

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        ReadOnly.__post_init__(self)  # pickle and deepcopy forget that arrays are read-only


def product(left: Array, right: Array) -> Array:
    """Return ``left`` (m, k) times ``right`` (k, n), computed on one thread; ``left`` should have few rows m."""
    step = max(1, ON_ONE_THREAD // max(1, left.size))
    if step >= right.shape[1]:
        return np.asarray(left @ right)
    values = np.empty((left.shape[0], right.shape[1]), np.result_type(left, right))
    for start in range(0, right.shape[1], step):
        np.matmul(left, right[:, start : start + step], out=values[:, start : start + step])
    return values


def has_room(size: int) -> bool:
    """Return whether an array of ``size`` bytes is below the limit for memory, or fits on the disk."""
    return size <= IN_MEMORY or size + SPARED <= shutil.disk_usage(tempfile.gettempdir()).free


def large_zeros(shape: tuple[int, ...]) -> Array:
    """Return an array of zeros, stored in an unnamed file if the array is large; check :func:`has_room` first."""
    size = 8 * math.prod(shape)
    if size <= IN_MEMORY:
        return np.zeros(shape)
    file = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the array)
    file.truncate(size)
    mapped = _MappedFile(file.fileno(), size)
    mapped.file = file
    weakref.finalize(mapped, file.close)
    return np.ndarray(shape, np.float64, mapped)


class _MappedFile(mmap.mmap):
    """Memory map of a file that stays open for :func:`write_rows`."""

    file: IO[bytes]


def write_rows(array: Array, rows: slice, values: Array) -> None:
    """Write ``values`` to consecutive ``rows`` of a :func:`large_zeros` array; to a file without mapping its memory."""
    if isinstance(array.base, _MappedFile) and hasattr(array.base, "madvise"):  # on Windows, a map may miss the change
        array.base.file.seek(rows.start * array.strides[0])
        array.base.file.write(np.ascontiguousarray(values))
        array.base.file.flush()
    else:
        array[rows] = values


def release(array: Array) -> None:
    """Free the memory of an array that :func:`large_zeros` stores in a file; the file keeps the array."""
    if isinstance(array.base, mmap.mmap) and hasattr(array.base, "madvise"):
        array.base.madvise(mmap.MADV_DONTNEED)


def drawn_rows(curves: Sequence[Array], most: int = MOST_DRAWN) -> NDArray[np.intp]:
    """Return indices of at most ``most`` samples of ``curves`` (T,) to plot, with peaks, troughs and gaps (NaN)."""
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


#: Coefficients of powers of t in [0, 1], from the first, by the rise from 0 to 1 and derivatives at 0, then at 1.
PIECES: dict[int, Array] = {
    3: np.array([[0, 1, 0], [3, -2, -1], [-2, 1, 1]], dtype=float),
    5: np.array(
        [[0, 1, 0, 0, 0], [0, 0, 0.5, 0, 0], [10, -6, -1.5, -4, 0.5], [-15, 8, 1.5, 7, -1], [6, -3, -0.5, -3, 0.5]]
    ),
}
#: Half the gradient of the integral of the highest free derivative squared over these derivatives.
GRADIENTS: dict[int, Array] = {
    3: np.array([[-6, 4, 2], [-6, 2, 4]], dtype=float),
    5: np.array(
        [[-360, 192, 36, 168, -24], [-60, 36, 9, 24, -3], [-360, 168, 24, 192, -36], [60, -24, -3, -36, 9]], dtype=float
    ),
}


class NaturalSpline:
    """Natural spline of degree 3 or 5 through values (T, n) at times (T,)."""

    def __init__(self, times: Array, values: Array, degree: int) -> None:
        self._times, self._values, self._degree, self._orders = times, values, degree, np.arange(1, degree // 2 + 1)
        few = max(FITTED // len(times), 1)
        columns = (values[:, first : first + few] for first in range(0, max(values.shape[1], 1), few))
        #: First, or first and second, derivatives at the times, (T, orders, n).
        self.rates = np.concatenate([self._fitted(each) for each in columns], axis=2)

    def _fitted(self, values: Array) -> Array:
        """Return derivatives (T, orders, n) at the spline's times: order 1 for degree 3, orders 1, 2 for degree 5."""
        times, degree = self._times, self._degree
        steps, scale, k = np.diff(times), (times[-1] - times[0]) / (len(times) - 1), degree // 2
        powers = (steps[:, None] / scale) ** np.tile(self._orders, 2)
        gradients = GRADIENTS[degree] * (powers * (steps[:, None] / scale) ** -degree)[:, :, None]
        matrices, pulls = gradients[:, :, 1:] * powers[:, None], gradients[:, :, :1] * np.diff(values, axis=0)[:, None]
        diagonal, right = np.zeros((len(times), k, k)), np.zeros((len(times), k, values.shape[1]))
        for rows, own in ((slice(-1), slice(k)), (slice(1, None), slice(k, None))):
            diagonal[rows] += matrices[:, own, own]
            right[rows] -= pulls[:, own]
        return _solved(diagonal, matrices[:, :k, k:], right) / scale ** self._orders[:, None]

    def __call__(self, times: Array, order: int = 0) -> Array:
        """Return the spline's derivatives (times, n) of order ``order`` at ``times``; order 0 gives the values."""
        return np.concatenate([self._at(times[i : i + AT_ONCE], order) for i in range(0, len(times) or 1, AT_ONCE)])

    def _at(self, times: Array, order: int) -> Array:
        rows = np.clip(np.searchsorted(self._times, times, side="right") - 1, 0, len(self._times) - 2)
        steps = (self._times[rows + 1] - self._times[rows])[:, None]
        shares, start = (times[:, None] - self._times[rows, None]) / steps, self._values[rows]
        powers = steps[:, None] ** self._orders[:, None]
        ends = [(self._values[rows + 1] - start)[:, None], self.rates[rows] * powers, self.rates[rows + 1] * powers]
        pieces = np.concatenate([start[:, None], PIECES[self._degree] @ np.concatenate(ends, axis=1)], axis=1)
        found = np.zeros(start.shape)
        for power in range(self._degree, order - 1, -1):
            found = found * shares + pieces[:, power] * math.perm(power, order)
        return np.asarray(found / steps**order)


def _solved(diagonal: Array, after: Array, right: Array) -> Array:
    """Return the solution (T, k, n) of a symmetric block tridiagonal system; ``after``: blocks above the diagonal."""
    if len(right) == 1:
        return np.asarray(np.linalg.solve(diagonal, right))
    before, odd, pairs = after.transpose(0, 2, 1), len(right) // 2, (len(right) - 1) // 2
    inverse, diagonal, x = np.linalg.inv(diagonal[1::2]), diagonal[::2].copy(), right.copy()
    of_former, of_next, alone = inverse @ before[::2], inverse[:pairs] @ after[1::2], inverse @ right[1::2]
    diagonal[:odd] -= after[::2] @ of_former
    diagonal[1:] -= before[1::2] @ of_next
    x[: 2 * odd : 2] -= after[::2] @ alone
    x[2::2] -= before[1::2] @ alone[:pairs]
    x[::2] = _solved(diagonal, -after[::2][:pairs] @ of_next, x[::2])
    x[1::2] = alone - of_former @ x[: 2 * odd : 2]
    x[1:-1:2] -= of_next @ x[2::2]
    return x
