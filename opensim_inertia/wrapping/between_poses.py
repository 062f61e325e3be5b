"""Whether something jumps between poses: which of them lie next to each other, and the way between two, halved."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree

from ..arrays import Array


def neighbours(z: Array, count: int) -> NDArray[np.intp]:
    """Return the pairs of rows of z (poses, n), sorted, of which one is among the ``count`` nearest of the other."""
    _, near = KDTree(z).query(z, k=min(1 + count, len(z)))
    near = np.reshape(near, (len(z), -1))
    pairs = np.stack([np.repeat(np.arange(len(z)), near.shape[1]), near.ravel()], axis=1)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])


def halved(
    values_at: Callable[[Array], Array],
    apart: Callable[[Array, Array], Array],
    low: Array,
    high: Array,
    first: Array,
    last: Array,
    halvings: int,
) -> tuple[Array, Array]:
    """Halve ways between poses again and again, and return how far values are apart over what remains of each.

    The half in which they change more is kept. What still changes over the last of them jumps.

    Args:
        values_at: returns the values (ways, ...) at poses (ways, nu).
        apart: returns how far two such arrays are apart, (ways,).
        low, high: the ends of the ways, (ways, nu) [rad or m].
        first, last: the values there, (ways, ...).
        halvings: how often each way is halved.

    Returns:
        how far values are apart (ways,), and one end of what remains (ways, nu).
    """
    for _ in range(halvings):
        middle = 0.5 * (low + high)
        between = values_at(middle)
        left = apart(between, first) > apart(last, between)
        low, high = np.where(left[:, None], low, middle), np.where(left[:, None], middle, high)
        of_values = left.reshape(-1, *[1] * (first.ndim - 1))
        first, last = np.where(of_values, first, between), np.where(of_values, between, last)
    return apart(last, first), low
