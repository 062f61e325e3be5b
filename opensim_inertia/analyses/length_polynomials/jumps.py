"""Jumps of path lengths between poses that are close to each other: what no polynomial can follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..._core.arrays import Array
from ...paths.wrapping import JUMP, PathJump, bisect_jumps, most_suspicious, neighbours

__all__ = ["find_jump"]

#: Each pose is compared with this many of its nearest.
NEAREST = 3
#: So many pairs of a muscle are looked at closely: those whose lengths fit their derivatives worst.
MOST_PAIRS = 12
#: Halvings of the way between them: 0.3 m of moment arm times 4 rad are 0.1 mm over what remains.
HALVINGS = 14


def find_jump(
    lengths_at: Callable[[Array], Array],
    coordinate_names: Sequence[str],
    q: Array,
    x: Array,
    lengths: Array,
    slopes: Array,
) -> PathJump | None:
    """Return the largest jump of a path's length that was found between neighbouring poses, or None.

    Args:
        lengths_at: returns the length (n,) [m] at poses (n, nu).
        coordinate_names: names along the axis of coordinates, (nu,).
        q: the poses (P, nu) [rad or m].
        x: the variables that matter, in which poses are close or far, (P, n).
        lengths: (P,) [m].
        slopes: the length's derivatives with respect to x, (P, n).
    """
    half = (x.max(axis=0) - x.min(axis=0)) / 2
    scaled = x / np.where(half > 0, half, 1.0)
    first, second = neighbours(scaled, NEAREST).T
    expected = np.einsum("pn,pn->p", (slopes[first] + slopes[second]) / 2, x[second] - x[first])
    suspicious = most_suspicious(np.abs(lengths[second] - lengths[first] - expected), MOST_PAIRS, JUMP)
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
