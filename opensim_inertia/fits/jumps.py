"""Jumps of path lengths between poses that are close to each other: what no polynomial can follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..arrays import Array
from ..inertial.wrap_jumps import JUMP, jump_sizes
from ..wrapping import neighbours

__all__ = ["Jump", "find_jumps"]

#: Each pose is compared with this many of its nearest.
NEAREST = 3
#: So many pairs of a muscle are looked at closely: those whose lengths fit their derivatives worst.
MOST_PAIRS = 12
#: Halvings of the way between them: 0.3 m of moment arm times 4 rad are 0.1 mm over what remains.
HALVINGS = 14


@dataclass(frozen=True, eq=False)
class Jump:
    """Where a path jumps between poses.

    Attributes:
        size: change of the length [m].
        pairs: share of the pairs looked at between which it jumps.
        q: coordinate values (nu,) next to the largest jump [rad or m].
    """

    size: float
    pairs: float
    q: Array


def find_jumps(lengths_at: Callable[[Array], Array], q: Array, x: Array, lengths: Array, slopes: Array) -> Jump | None:
    """Return the largest jump of a path's length that was found between neighbouring poses, or None.

    Args:
        lengths_at: returns the length (n,) [m] at poses (n, nu).
        q: the poses (P, nu) [rad or m].
        x: the variables that matter, in which poses are close or far, (P, n).
        lengths: (P,) [m].
        slopes: the length's derivatives with respect to x, (P, n).
    """
    half = (x.max(axis=0) - x.min(axis=0)) / 2
    scaled = x / np.where(half > 0, half, 1.0)
    one, other = neighbours(scaled, NEAREST).T
    expected = np.einsum("pn,pn->p", (slopes[one] + slopes[other]) / 2, x[other] - x[one])
    off = lengths[other] - lengths[one] - expected
    worst = np.argsort(-np.abs(off))[:MOST_PAIRS]
    worst = worst[np.abs(off[worst]) > JUMP]
    if not len(worst):
        return None
    a, b = one[worst], other[worst]
    sizes, ends = jump_sizes(lengths_at, q[a], q[b], lengths[a], lengths[b], HALVINGS)
    most = int(np.argmax(sizes))
    if sizes[most] <= JUMP:
        return None
    return Jump(float(sizes[most]), float(np.mean(sizes > JUMP)), ends[most])
