"""Sudden jumps of a recorded motion from row to row, and the motion without them.

Each cell is compared with the cubic through the two rows before and the two after, which follows every motion that is
sampled finely enough. A cell jumps where it is off by more than a change of speed of 10 rad/s or 1 m/s from row to row
(:data:`SPEEDS`), and by more than five times (:data:`ABRUPT`) as much as cells at some distance; or by less of the one
and by more of the other. Beyond that change of speed, calm rows before or after are enough, so that both ends of a
longer excursion are found. A jump's effect is judged elsewhere, by the forces that it changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import first_of, listed
from ..._core.findings import Finding
from ..._core.numerics.rotations import euler_quaternion
from ..._core.opensim import osim
from .coordinates import CoordinateTable, read_coordinates
from .poses import dependent_coordinates
from .rotation_joints import read_rotation_joints

__all__ = ["CoordinateJump", "coordinate_jumps", "gaps", "mended", "motion_jumps", "without_jumps"]

LARGEST = 1e100
"""Larger numbers count as this, so that their squares are numbers."""
ROUNDING = 1e-12
"""Rows around are off by this much at least [rad, m]."""
ABRUPT = 5.0
"""Jumps are so many times as far off as the rows around."""
SPEEDS = (10.0, 1.0)
"""Cells of a motion jump where they change a speed by so much from row to row, of angles [rad/s] and lengths [m/s]."""
LEAST_CHANGE = 0.2
"""They also jump where it is more than this share of that, if the rows around are that much calmer."""
CALM = 10.0
"""How much calmer: by this factor, divided by the share."""
ONE_JUMP = 20
"""Steps that are fewer rows apart belong to one jump, as of a marker that is lost for some rows."""
LOCK = 2.0
"""Angles that change so many times as much as the joint turns are near gimbal lock."""
MOST_AWAY = 5
"""A jump is isolated if nothing jumps there once so many rows, or fewer, lie on the spline through the others. In
public walking at 50 to 100 Hz the spline is 0.1 degrees off in one row, 0.4 in five and 1 to 2 in ten (medians over
hips and knees)."""
BACK = 0.6
"""An isolated jump leaves less than this share of it behind; in fast motions its steps are known no better."""
HARDLY = 0.2
"""Rows that mending moves by less than this share of the jump stay."""
AROUND = 25
"""Rows on either side of an isolated jump that the search for it looks at."""
NEAR, FAR = 4, 9
"""Rows at these distances tell how well the motion can be expected from its neighbours."""
GAP = 5.0
"""A step of time longer than the median, and than those around it, by more than this factor is a gap."""


MOST_NAMED = 4
"""How many jumps a note names."""


@dataclass(frozen=True, eq=False)
class CoordinateJump:
    """A jump of a coordinate, or of a joint with three rotations; there and back where it comes back soon.

    Attributes:
        columns: the coordinate's, or those (c,) of the joint's three angles.
        rows: the rows (n,) from 0 that it moves away from the row before.
        steps: by how much (n, c), in the unit of the columns.
        sizes: the same (n,) [rad or m]; of three rotations the angle of the one that they make together.
        share: how far a cell is off, at most, as a share of a sudden change of speed, see :data:`SPEEDS`.
        moved: those of the columns that jump.
        away: the rows that are away, if it is isolated; otherwise none.
        label: the coordinate or joint, in messages.
        locked: by how much angles change that hardly turn, near gimbal lock [rad]; 0 elsewhere.
    """

    columns: NDArray[np.intp]
    rows: NDArray[np.intp]
    steps: Array
    sizes: Array
    share: float
    moved: NDArray[np.intp]
    away: NDArray[np.intp]
    label: str = ""
    locked: float = 0.0

    @property
    def row(self) -> int:
        """The first row with about the largest step."""
        return int(self.rows[np.argmax(self.sizes > 0.8 * self.size)])

    @property
    def size(self) -> float:
        """The largest step [rad or m]."""
        return float(self.sizes.max())


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


def coordinate_jumps(
    times: Array, values: Array, angles: NDArray[np.bool_], triples: Iterable[Sequence[int]] = ()
) -> list[CoordinateJump]:
    """Return the jumps of a motion, the most sudden first.

    Beside a jump the rates between rows are those that the rates around let expect; the rest is the jump's.

    Args:
        times: (rows,), increasing [s].
        values: (rows, columns), finite [rad or m].
        angles: (columns,), whether a column is an angle.
    """
    cells, share = _jumping(times, values, angles)
    durations, middles, jumps = np.diff(times), 0.5 * (times[1:] + times[:-1]), list[CoordinateJump]()
    alone = sorted(set(range(values.shape[1])) - {column for triple in triples for column in triple})
    for columns in map(np.array, [*triples, *([column] for column in alone)]):
        jumping = np.asarray(cells[:, columns].any(axis=1))
        beside = jumping[1:] | jumping[:-1]
        if not beside.any() or np.count_nonzero(~beside) < 2:
            continue
        from scipy.interpolate import PchipInterpolator  # only now: most motions have no jumps

        rates, known = np.diff(values[:, columns], axis=0) / durations[:, None], middles[~beside]
        expected = PchipInterpolator(known, rates[~beside])(np.clip(middles[beside], known[0], known[-1]))
        steps, rows = (rates[beside] - expected) * durations[beside, None], np.flatnonzero(beside) + 1
        for one in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(rows) > ONE_JUMP) + 1):
            span = slice(rows[one[0]] - 1, rows[one[-1]] + 1)
            sizes, largest = np.abs(steps[one]).max(axis=1), float(share[span, columns].max())
            moved = columns[cells[span, columns].any(axis=0)]
            offsets = np.abs(steps[one][:, np.isin(columns, moved)].cumsum(axis=0)).max(axis=1)
            comes_back = offsets[-1] < BACK * offsets.max()
            away = _away(times, values[:, moved], angles[moved], rows[one]) if comes_back else rows[:0]
            jumps.append(CoordinateJump(columns, rows[one], steps[one], sizes, largest, moved, away))
    return sorted(jumps, key=lambda jump: -jump.share)


def _away(times: Array, values: Array, angles: NDArray[np.bool_], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the rows of a jump without which values (rows, columns) do not jump; none where these are many.

    They are those without which cells are least off, but for rows that this hardly moves.
    """
    start, end = max(int(rows[0]) - AROUND, 0), min(int(rows[-1]) + AROUND, len(times))
    times, values = times[start:end], values[start:end]
    near = slice(max(int(rows[0]) - start - 2, 0), int(rows[-1]) - start + 3)
    found = []
    for count in range(1, MOST_AWAY + 1):
        firsts = range(max(int(rows[0]) - start, NEAR), min(int(rows[-1]) - start, len(times) - NEAR) - count + 1)
        for gone in (np.arange(first, first + count) for first in firsts):
            jumping, share = _jumping(times, _mended(times, values, gone), angles)
            if not jumping[near].any():
                found.append((float(share[near].max()), gone))
    if not found:
        return np.zeros(0, dtype=np.intp)
    gone = min(found, key=lambda each: each[0])[1]
    changes = np.abs(_mended(times, values, gone) - values)[gone].max(axis=1)
    return np.asarray(start + gone[changes > HARDLY * changes.max()])


def _mended(times: Array, values: Array, gone: NDArray[np.intp]) -> Array:
    """Return values (rows, columns), the rows that are gone on the cubic spline through all others."""
    from scipy.interpolate import CubicSpline  # only now: most motions have no jumps

    calm = values.copy()
    calm[gone] = CubicSpline(np.delete(times, gone), np.delete(values, gone, axis=0))(times[gone])
    return calm


def motion_jumps(columns: pd.DataFrame, model: osim.Model, table: CoordinateTable) -> list[CoordinateJump]:
    """Return the jumps of recorded columns, the most sudden first; those of coordinates that follow others are none.

    Args:
        columns: of coordinates, their turns and flips continued; ``attrs["inDegrees"]`` tells their unit.
        model: initialised.
    """
    names, coupled = list(columns.columns), dependent_coordinates(model, table)
    free = [i for i, name in enumerate(names) if table.index(name) not in coupled]
    places = [table.index(names[i]) for i in free]
    scale = np.where([table.rotational[i] and columns.attrs["inDegrees"] for i in places], np.radians(1.0), 1.0)
    values = columns.to_numpy()[:, free] * scale
    joints = _triples(model, table, [names[i] for i in free])
    angles = np.array([not table.translational[i] for i in places], dtype=bool)
    jumps = []
    for jump in coordinate_jumps(columns.index.to_numpy(), values, angles, [places for places, *_ in joints.values()]):
        label, sizes, locked = f"'{names[free[jump.columns[0]]]}'", jump.sizes, 0.0
        for joint, (triple, slopes, offsets) in joints.items():
            if triple == jump.columns.tolist():
                label = f"joint '{joint}'" if len(jump.moved) > 1 else f"'{names[free[jump.moved[0]]]}'"
                sizes = _turned(slopes * values[:, triple] + offsets, jump.rows)
                locked = jump.size if jump.size > LOCK * sizes.max() else 0.0
        columns_of, moved = (np.array(free)[each] for each in (jump.columns, jump.moved))
        jump = replace(jump, columns=columns_of, moved=moved, steps=jump.steps / scale[jump.columns], sizes=sizes)
        jumps.append(replace(jump, away=jump.away[: 0 if locked else None], label=label, locked=locked))
    return jumps


def _triples(
    model: osim.Model, table: CoordinateTable, names: Sequence[str]
) -> dict[str, tuple[list[int], Array, Array]]:
    """Return where names have three rotations of a joint about one point, with their slopes and offsets [rad]."""
    return {
        joint.name: ([names.index(name) for name in joint.coordinates], joint.angles.scale, joint.angles.offset)
        for joint in read_rotation_joints(model, table).values()
        if joint.angles is not None and set(joint.coordinates) <= set(names)
    }


def _turned(angles: Array, rows: NDArray[np.intp]) -> Array:
    """Return by how much three angles (rows, 3) [rad] turn a body from the row before to some rows (n,) [rad]."""
    before, after = (np.array([euler_quaternion(angles[row]) for row in at]) for at in (rows - 1, rows))
    sine = np.minimum(np.linalg.norm(after - before, axis=1), np.linalg.norm(after + before, axis=1)) / 2
    return np.asarray(4 * np.arcsin(np.minimum(sine, 1.0)))


def without_jumps(times: Array, values: Array, jumps: Iterable[CoordinateJump]) -> tuple[Array, Array]:
    """Return values (rows, columns) without jumps, and by how much their poses have jumped there.

    Rows that are away lie on the cubic spline through all others. Rows after a jump that stays move back.
    """
    away, (steps, stays) = np.zeros(values.shape, dtype=bool), np.zeros((2, *values.shape))
    for jump in jumps:
        away[np.ix_(jump.away, jump.moved)] = True
        if not len(jump.away):
            steps[np.ix_(jump.rows, jump.columns)] = jump.steps
            stays[jump.row, jump.columns] = jump.steps.sum(axis=0)
    calm = values - steps.cumsum(axis=0)
    for column in np.flatnonzero(away.any(axis=0)):
        calm[:, column] = _mended(times, calm[:, column], np.flatnonzero(away[:, column]))
    return calm, stays.cumsum(axis=0)


def mended(columns: pd.DataFrame, model: osim.Model, origin: str) -> tuple[pd.DataFrame, list[Finding]]:
    """Return recorded columns without isolated jumps, and a note that names these; arguments as :func:`motion_jumps`.

    Jumps in the first and last rows, which have neighbours on one side only, stay.
    """
    table = read_coordinates(model, model.getWorkingState())
    jumps = [jump for jump in motion_jumps(columns, model, table) if len(jump.away)]
    if not jumps:
        return columns, []
    times = columns.index.to_numpy()
    calm = pd.DataFrame(without_jumps(times, columns.to_numpy(), jumps)[0], columns.index, columns.columns)
    calm.attrs.update(columns.attrs)
    spans = []
    for jump in jumps:
        first, last = jump.away[[0, -1]].tolist()
        names = listed(columns.columns[jump.moved])
        spans.append(f"{names} in rows {first + 1} to {last + 1} ({times[first]:.6g} to {times[last]:.6g} s)")
    text = f"jumps are mended by the cubic spline through the other rows: {first_of(spans, MOST_NAMED)}"
    return calm, [Finding("note", "jumps", origin, text)]


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
    calm = deviations / np.maximum(np.maximum(before, after), ROUNDING)
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
