"""Sudden jumps of measured loads from row to row.

A jump is told from the beginning and the end of contact. A load is a force, the point where it acts, and a torque. Its
*size* is the 95th percentile of the force while it acts, and everything is measured by that: a change of the force as a
share of it; a displacement of the point by how much of the force it moves over a metre; a torque by that force at a
metre's distance. A load without force is measured by its torque likewise. A jump is either of

* a *spike*: one row from which both neighbours differ;
* a *step*: two rows that differ, and the load acts, by a tenth of its size, in these and in those on both sides;

by more than a tenth of the size (:data:`LEAST`) and by more than five times (:data:`ABRUPT`) what the rows around
change. Heel strike is neither: its rise goes on over rows, or begins where no load acts. Public ground reactions of
walking and running (Rajagopal at 1000 Hz, gait2392 and gait10dof18musc at 588 Hz, Hamner at 59 Hz), thinned to as
little as 29 rows a second, reach 2.3 times. Where contacts last for few rows (:data:`BRIEF`), a spike with no load
around it is none unless it exceeds the size twice (:data:`ALONE`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._core.arrays import Array

__all__ = ["LoadJump", "load_jumps"]

LEAST = 0.1
"""Jumps are larger than this share of a load's size."""
ABRUPT = 5.0
"""They are larger than what the rows around change, by this factor."""
BRIEF = 5.0
"""Contacts of fewer rows, in the mean, may as well last for one."""
ALONE = 2.0
"""A spike that may be such a contact is larger than the load's size by this factor."""
ACTS = 0.1
"""A load acts where it is more than this share of its size."""
USUAL = 95
"""The percentile that is a load's size: a twentieth of the rows may be damaged."""
LARGEST = 1e100
"""Larger numbers count as this, so that their squares are numbers."""


@dataclass(frozen=True)
class LoadJump:
    """A jump of a load.

    Attributes:
        row: the row (from 0) that the row before it does not let expect.
        column: among the load's nine columns (force, point, torque) the one that changes most.
        size: the change, relative to the load's size.
    """

    row: int
    column: int
    size: float


def load_jumps(values: Array) -> list[LoadJump]:
    """Return the jumps of one load, the largest first.

    Args:
        values: (rows, 9), finite: force [N], point [m] and torque [N m]; zero where there is none.
    """
    values = np.clip(values, -LARGEST, LARGEST)
    force, torque = (np.linalg.norm(values[:, columns], axis=1) for columns in (slice(0, 3), slice(6, 9)))
    amount = force if force.any() else torque
    if not amount.any() or len(values) < 3:
        return []
    size = np.percentile(amount[amount > 0], USUAL, method="lower")  # no part of a single large row
    acts = amount > ACTS * size
    contacts = 1 + np.count_nonzero(np.diff(acts.astype(int)) > 0)
    lone_limit = LEAST if np.count_nonzero(acts) >= BRIEF * contacts else ALONE
    acts = np.concatenate([[True], acts, [True]])  # beyond the ends nothing is known
    change, across = (_changes(values, force, lag) / size for lag in (1, 2))
    padded = np.pad(change, ((1, 1), (0, 0)))
    spike = np.minimum(change[:-1], change[1:])  # of rows 1, 2, ...
    around = np.maximum(across, np.maximum(padded[:-3], padded[3:]))
    least = np.where(acts[1:-3] | acts[3:-1], LEAST, lone_limit)[:, None]
    spikes = np.argwhere((spike > least) & (spike > ABRUPT * around))
    around = np.maximum(padded[:-2], padded[2:])
    loaded = (acts[:-3] & acts[1:-2] & acts[2:-1] & acts[3:])[:, None]
    steps = np.argwhere(loaded & (change > LEAST) & (change > ABRUPT * around))  # from rows 0, 1, ... to the next
    jumps: list[LoadJump] = []
    for before, quantity in np.concatenate([spikes, steps]).tolist():
        column = 3 * quantity + int(
            np.argmax(np.abs(np.diff(values[before : before + 2], axis=0)[0, 3 * quantity :][:3]))
        )
        jumps.append(LoadJump(before + 1, column, float(change[before, quantity])))
    return sorted(jumps, key=lambda jump: -jump.size)


def _changes(values: Array, force: Array, lag: int) -> Array:
    """Return how much force, point and torque (rows - lag, 3) change over some rows, the point times the force."""
    changes = np.linalg.norm((values[lag:] - values[:-lag]).reshape(-1, 3, 3), axis=2)
    changes[:, 1] *= np.minimum(force[lag:], force[:-lag])
    return changes
