"""Jumps of paths on ways between poses, found by bisection: smooth changes shrink with a way, jumps do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array

#: What still changes by more than this [m] over what remains of a way jumps.
JUMP = 1e-3


#: Each pose is compared with this many of its nearest.
NEAREST = 3
#: So many pairs of a muscle are looked at closely: those whose lengths fit their derivatives worst.
MOST_PAIRS = 12
#: Halvings of the way between them: 0.3 m of moment arm times 4 rad are 0.1 mm over what remains.
HALVINGS = 14


@dataclass(frozen=True)
class PathJump:
    """A jump of a path between two poses that lie next to each other."""

    size: float  # how far a place on the path jumps, or by how much its length does [m]
    pose: Mapping[str, float]  # values there of coordinates that move the path [rad or m], by name


class BisectedWays(NamedTuple):
    """The intervals that remain of ways between poses after bisection."""

    changes: Array  # by how much the path changes over what remains of each, (ways,) [m]; 0 where there is no path
    poses: Array  # one end of what remains, (ways, nu) [rad or m]

    @property
    def jumps(self) -> NDArray[np.bool_]:
        """Whether the path jumps on each way, (ways,)."""
        return self.changes > JUMP


def bisect_jumps(
    values_at: Callable[[Array], Array], low: Array, high: Array, first: Array, last: Array, halvings: int
) -> BisectedWays:
    """Halve ways between poses (ways, nu), each time keeping the half over which a path changes more.

    ``values_at`` gives lengths (ways,) or places (ways, points, 3) [m] at poses; ``first``, ``last`` are at the ends.
    """
    for _ in range(halvings):
        middle = 0.5 * (low + high)
        between = values_at(middle)
        lower = _distances(between, first) > _distances(last, between)
        low, high = np.where(lower[:, None], low, middle), np.where(lower[:, None], middle, high)
        mask = lower.reshape(-1, *[1] * (first.ndim - 1))
        first, last = (np.where(mask, first, between), np.where(mask, between, last))
    return BisectedWays(np.nan_to_num(_distances(last, first)), low)


def _distances(a: Array, b: Array) -> Array:
    """Return how far lengths (ways,), or the places (ways, points, 3) that are furthest apart, differ, (ways,)."""
    if a.ndim == 1:
        return np.abs(a - b)
    return np.asarray(np.linalg.norm(a - b, axis=2).max(axis=1))


def find_jump(
    lengths_at: Callable[[Array], Array],
    coordinate_names: Sequence[str],
    q: Array,
    x: Array,
    lengths: Array,
    slopes: Array,
) -> PathJump | None:
    """Return the largest jump of lengths (P,) [m] between neighbours among poses q (P, nu), or None.

    ``slopes`` (P, n) are derivatives with respect to variables x (P, n), in which poses are close or far.
    """
    half = (x.max(axis=0) - x.min(axis=0)) / 2
    scaled = x / np.where(half > 0, half, 1.0)
    first, second = _neighbours(scaled).T
    expected = np.einsum("pn,pn->p", (slopes[first] + slopes[second]) / 2, x[second] - x[first])
    misses = np.abs(lengths[second] - lengths[first] - expected)
    suspicious = np.argsort(-misses)[:MOST_PAIRS]
    suspicious = suspicious[misses[suspicious] > JUMP]
    if not len(suspicious):
        return None
    a, b = first[suspicious], second[suspicious]
    ways = bisect_jumps(lengths_at, q[a], q[b], lengths[a], lengths[b], HALVINGS)
    largest = int(np.argmax(ways.changes))
    if not ways.jumps[largest]:
        return None
    return PathJump(
        float(ways.changes[largest]), dict(zip(coordinate_names, ways.poses[largest].tolist(), strict=True))
    )


def _neighbours(z: Array) -> NDArray[np.intp]:
    """Return the pairs of rows of z (poses, n), sorted, of which one is among the nearest of the other."""
    from scipy.spatial import KDTree  # only now: few models ask for jumps

    _, near = KDTree(z).query(z, k=min(1 + NEAREST, len(z)))
    near = np.reshape(near, (len(z), -1))
    pairs = np.stack([np.repeat(np.arange(len(z)), near.shape[1]), near.ravel()], axis=1)
    pairs = np.unique(np.sort(pairs, axis=1), axis=0)
    return np.asarray(pairs[pairs[:, 0] != pairs[:, 1]])
