"""Sudden jumps of recorded tables from row to row: of motions, and of measured loads.

Of a *motion* each cell is held against what the rows around it let expect: the cubic through the two rows before and
the two after, which follows all that is sampled finely enough. Where a cell is off by more than a change of speed of
10 rad/s or 1 m/s from row to row (:data:`SPEEDS`) and by more than five times (:data:`ABRUPT`) what cells at some
distance are off, or by less of the one and by more of the other, it jumps. Beyond that change of speed, calm rows
before or after are enough, so that both ends of a longer excursion are found. Public motions of walking and running at
60 to 1000 Hz, thinned to as little as 30 rows a second, do not jump.

Of *loads* a jump is told from the beginning and the end of contact. A load is a force, the point
where it acts, and a torque. Its *size* is the 95th percentile of the force while it acts, and everything is measured by
that: a change of the force as a share of it; a displacement of the point by how much of
the force it moves over a metre; a torque by that force at a metre's distance. A load without force is measured by its
torque likewise. A jump is either of

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
from numpy.typing import NDArray

from .._core.arrays import Array

__all__ = ["CoordinateJump", "LoadJump", "coordinate_jumps", "gaps", "load_jumps"]

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


SPEEDS = (10.0, 1.0)
"""Cells of a motion jump where they change a speed by so much from row to row, of angles [rad/s] and lengths [m/s]."""
LEAST_CHANGE = 0.2
"""They also jump where it is more than this share of that, if the rows around are that much calmer."""
CALM = 10.0
"""How much calmer: by this factor, divided by the share."""
ONE_JUMP = 20
"""Steps that are fewer rows apart belong to one jump, as of a marker that is lost for some rows."""
NEAR, FAR = 4, 9
"""Rows at these distances tell how well the motion can be expected from its neighbours."""
GAP = 5.0
"""A step of time longer than the median, and than those around it, by more than this factor is a gap."""


@dataclass(frozen=True, eq=False)
class CoordinateJump:
    """A jump of a coordinate, there and back where it comes back soon.

    Attributes:
        column: the coordinate's.
        rows: the rows (n,) from 0 that it moves away from the row before.
        steps: by how much (n,) [rad or m].
        share: how far a cell is off, at most, as a share of a sudden change of speed, see :data:`SPEEDS`.
    """

    column: int
    rows: NDArray[np.intp]
    steps: Array
    share: float

    @property
    def row(self) -> int:
        """The first row with about the largest step."""
        return int(self.rows[np.argmax(np.abs(self.steps) > 0.8 * self.size)])

    @property
    def size(self) -> float:
        """The largest step [rad or m]."""
        return float(np.abs(self.steps).max())


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


def gaps(times: Array) -> list[int]:
    """Return the rows (from 0) after which times go on too late, as where rows are missing, the longest gap first.

    Steps that grow little by little, as those of integrators, are none.

    Args:
        times: (rows,), increasing [s].
    """
    steps = np.diff(times)
    if len(steps) < 4:
        return []
    padded = np.pad(steps, 2)
    beside = np.max([padded[:-4], padded[1:-3], padded[3:-1], padded[4:]], axis=0)
    rows = np.flatnonzero(steps > GAP * np.maximum(beside, np.median(steps)))
    return [int(row) for row in rows[np.argsort(-steps[rows], kind="stable")]]


def coordinate_jumps(times: Array, values: Array, angles: NDArray[np.bool_]) -> list[CoordinateJump]:
    """Return the jumps of a motion, the most sudden first.

    Beside a jump the rates between rows are those that the rates around let expect; the rest is the jump's.

    Args:
        times: (rows,), increasing [s].
        values: (rows, columns), finite [rad or m].
        angles: (columns,), whether a column is an angle.
    """
    from scipy.interpolate import PchipInterpolator  # only now: most motions have no jumps

    cells, share = _jumping(times, values, angles)
    durations, middles, jumps = np.diff(times), 0.5 * (times[1:] + times[:-1]), list[CoordinateJump]()
    for column in np.flatnonzero(cells.any(axis=0)).tolist():
        beside = cells[1:, column] | cells[:-1, column]
        if np.count_nonzero(~beside) < 2:
            continue
        rates, known = np.diff(values[:, column]) / durations, middles[~beside]
        expected = PchipInterpolator(known, rates[~beside])(np.clip(middles[beside], known[0], known[-1]))
        steps, rows = (rates[beside] - expected) * durations[beside], np.flatnonzero(beside) + 1
        for one in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(rows) > ONE_JUMP) + 1):
            largest = share[rows[one[0]] - 1 : rows[one[-1]] + 1, column].max()
            jumps.append(CoordinateJump(column, rows[one], steps[one], float(largest)))
    return sorted(jumps, key=lambda jump: -jump.share)


def _jumping(times: Array, values: Array, angles: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Array]:
    """Return which cells jump, and how far each is off as a share of a sudden change of speed (rows, columns)."""
    rows = len(times)
    if rows < 2 * NEAR or not values.shape[1]:
        return np.zeros(values.shape, dtype=bool), np.zeros(values.shape)
    deviations = _unexpected(times, np.clip(values, -LARGEST, LARGEST))
    padded = np.pad(deviations, ((FAR, FAR), (0, 0)))
    before, after = (
        np.max([padded[FAR + place : FAR + place + rows] for place in places], axis=0)
        for places in (range(-FAR, 1 - NEAR), range(NEAR, FAR + 1))
    )
    steps = np.diff(times)
    step = np.minimum(np.append(steps, steps[-1]), np.insert(steps, 0, steps[0]))[:, None]
    share = deviations / (step * np.where(angles, *SPEEDS))
    calm = deviations / np.maximum(np.maximum(before, after), np.finfo(float).tiny)
    either = deviations > ABRUPT * np.where(after > 0, np.where(before > 0, np.minimum(before, after), after), before)
    jumps = (calm > ABRUPT) & (share > LEAST_CHANGE) & ((share > 1) | (share * calm > CALM))
    return jumps | (either & (share > 1)), share


def _unexpected(times: Array, values: Array) -> Array:
    """Return how far each cell is from the value that its neighbours predict, (rows, columns) [rad or m].

    The prediction is the cubic through the two rows before and the two after; at either end it is the parabola through
    the three nearest rows. Where a gap in time lies among these rows nothing is predicted, and the distance is zero.
    """
    rows = len(times)
    deviations = np.zeros(values.shape)
    within = np.ones(rows, dtype=bool)
    for row in gaps(times):
        within[max(row - 2, 0) : row + 4] = False
    inner = np.arange(2, rows - 2)
    cases = [(inner, [inner - 2, inner - 1, inner + 1, inner + 2])]
    ends = {
        0: (1, 2, 3),
        1: (0, 2, 3),
        rows - 1: (rows - 2, rows - 3, rows - 4),
        rows - 2: (rows - 1, rows - 3, rows - 4),
    }
    cases += [
        (np.array([row]), [np.array([neighbour]) for neighbour in neighbours]) for row, neighbours in ends.items()
    ]
    for at, neighbours in cases:
        expected = np.zeros((len(at), values.shape[1]))
        for k, neighbour in enumerate(neighbours):
            remaining_times = [times[third] for j, third in enumerate(neighbours) if j != k]
            weight = np.prod([(times[at] - t) / (times[neighbour] - t) for t in remaining_times], axis=0)
            expected += weight[:, None] * values[neighbour]
        deviations[at] = np.abs(values[at] - expected)
    deviations[~within] = 0.0
    return deviations


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
