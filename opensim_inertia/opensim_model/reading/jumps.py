"""Jumps of a recorded motion and their repair, and unwrapped angles.

A cell jumps if it deviates from the cubic through two neighbours on each side by more than a change of speed
(:data:`SPEEDS`) and by :data:`ABRUPT` times the deviation of distant cells, or by less of one and more of the other.
Above that change of speed, calm rows on one side suffice, so that both ends of an excursion are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.diagnostics import Diagnostic
from ..._core.errors import first_of, listed
from ..._core.opensim import osim
from ..._core.rotations import euler_quaternion
from ...files.tables import Table
from .coordinates import CoordinateTable, dependent_coordinates, read_coordinates
from .joints import RotationJoint, read_rotation_joints

#: Larger values are clipped, so that squares are finite; lower limit of deviations around a cell [rad, m].
LARGEST, ROUNDING = 1e100, 1e-12
#: Smallest ratio of a jump's deviation to those of distant cells.
ABRUPT = 5.0
#: Change of speed of a jump [rad/s, m/s]; smaller share and ratio for jumps among calm cells.
SPEEDS, LEAST_CHANGE, CALM = (10.0, 1.0), 0.2, 10.0
#: Jumps closer than this number of rows are one jump.
ONE_JUMP = 20
#: Angles near gimbal lock change by more than this multiple of the joint's rotation.
LOCK = 2.0
#: Longest isolated jump [rows]: without these rows nothing jumps.
MOST_AWAY = 5
#: Offset after an isolated jump, relative to its size; smallest repair, relative to the largest; window [rows].
BACK, HARDLY, AROUND = 0.6, 0.2, 25
#: Range of distances of the rows used for comparison.
NEAR, FAR = 4, 9
#: Smallest ratio of a gap in time to the median and neighbouring steps.
GAP = 5.0
#: Smallest wrapped step, largest step without an equivalent triple, and largest angle [turns].
LEAST_TURN, SMALL_STEP, MOST_TURNS = 2 / 3, 1 / 5, 1e6
#: Number of jumps or coordinates named in a note.
MOST_NAMED = 4


@dataclass(frozen=True, eq=False)
class CoordinateJump:
    """A jump in the recorded values of one coordinate, or of a joint's three rotations."""

    columns: NDArray[np.intp]  # the coordinate's column, or the joint's three (c,)
    rows: NDArray[np.intp]  # (n,), rows that differ from their previous row
    steps: Array  # (n, c), in column units
    sizes: Array  # (n,) [rad or m]; for three rotations the angle of the total rotation
    share: float  # largest deviation, relative to a change of speed :data:`SPEEDS`
    moved: NDArray[np.intp]  # jumping columns
    away: NDArray[np.intp]  # displaced rows of an isolated jump, else empty
    label: str = ""  # coordinate or joint, in messages
    locked: float = 0.0  # angle change near gimbal lock [rad], else 0

    @property
    def row(self) -> int:
        """Index of the first row with a step above 80 % of the largest step."""
        return int(self.rows[np.argmax(self.sizes > 0.8 * self.size)])

    @property
    def size(self) -> float:
        """The largest step between two rows [rad or m]."""
        return float(self.sizes.max())


def gaps(times: Array) -> list[int]:
    """Return indices of the rows before gaps in increasing times (rows,) [s], longest gap first."""
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
    """Return jumps in values (rows, columns), most abrupt first; ``triples``: columns of joints with 3 rotations."""
    cells, share = _jumping(times, values, angles)
    durations, middles, jumps = np.diff(times), 0.5 * (times[1:] + times[:-1]), list[CoordinateJump]()
    alone = sorted(set(range(values.shape[1])) - {column for triple in triples for column in triple})
    for columns in map(np.array, [*triples, *([column] for column in alone)]):
        jumping = np.asarray(cells[:, columns].any(axis=1))
        beside = jumping[1:] | jumping[:-1]
        if not beside.any() or np.count_nonzero(~beside) < 2:
            continue
        from scipy.interpolate import PchipInterpolator  # rarely needed

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
    """Return the rows between a jump and the jump back shortly after it; an empty array if there are no such rows."""
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
    """Return values (rows, columns), replaced in ``gone`` rows by the cubic spline through all other rows."""
    from scipy.interpolate import CubicSpline  # rarely needed

    calm = values.copy()
    calm[gone] = CubicSpline(np.delete(times, gone), np.delete(values, gone, axis=0))(times[gone])
    return calm


def motion_jumps(columns: Table, model: osim.Model, table: CoordinateTable) -> list[CoordinateJump]:
    """Return the jumps of a recorded motion's independent coordinates, most abrupt first."""
    names, coupled = list(columns.labels), dependent_coordinates(model, table)
    free = [i for i, name in enumerate(names) if table.index(name) not in coupled]
    places = [table.index(names[i]) for i in free]
    scale = np.where([table.rotational[i] and columns.in_degrees for i in places], np.radians(1.0), 1.0)
    values = columns.values[:, free] * scale
    angles, jumps = np.array([not table.translational[i] for i in places], dtype=bool), list[CoordinateJump]()
    if not _jumping(columns.times, values, angles)[0].any():
        return jumps
    triples = _triples(model, table, [names[i] for i in free])
    for jump in coordinate_jumps(columns.times, values, angles, [columns for columns, _ in triples]):
        label, sizes, locked = f"'{names[free[jump.columns[0]]]}'", jump.sizes, 0.0
        for triple, joint in triples:
            if triple == jump.columns.tolist() and joint.angles is not None:
                label = f"joint '{joint.name}'" if len(jump.moved) > 1 else f"'{names[free[jump.moved[0]]]}'"
                turned = joint.angles.scale * values[:, triple] + joint.angles.offset
                before, after = (np.array([euler_quaternion(turned[row]) for row in jump.rows - k]) for k in (1, 0))
                sine = np.minimum(*(np.linalg.norm(after + sign * before, axis=1) for sign in (-1, 1))) / 2
                sizes = 4 * np.arcsin(np.minimum(sine, 1.0))
                locked = jump.size if jump.size > LOCK * sizes.max() else 0.0
        columns_of, moved = (np.array(free)[each] for each in (jump.columns, jump.moved))
        jump = replace(jump, columns=columns_of, moved=moved, steps=jump.steps / scale[jump.columns], sizes=sizes)
        jumps.append(replace(jump, away=jump.away[: 0 if locked else None], label=label, locked=locked))
    return jumps


def _triples(model: osim.Model, table: CoordinateTable, names: Sequence[str]) -> list[tuple[list[int], RotationJoint]]:
    """Return (indices of coordinates in ``names``, joint) for each joint with three rotations about one point."""
    return [
        ([names.index(name) for name in joint.coordinates], joint)
        for joint in read_rotation_joints(model, table).values()
        if joint.angles is not None and set(joint.coordinates) <= set(names)
    ]


def without_jumps(times: Array, values: Array, jumps: Iterable[CoordinateJump]) -> tuple[Array, Array]:
    """Return values with jumps removed, and the offsets that lasting jumps had added, both (rows, columns).

    Displaced rows are replaced by a cubic spline; rows after a permanent jump move back.
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


def mended(table: Table, model: osim.Model) -> Table:
    """Return the table with isolated jumps replaced by a cubic spline, and a note on these jumps in ``findings``."""
    coordinates = read_coordinates(model, model.getWorkingState())
    jumps = [jump for jump in motion_jumps(table, model, coordinates) if len(jump.away)]
    if not jumps:
        return table
    times, calm = table.times, without_jumps(table.times, table.values, jumps)[0]
    spans = []
    for jump in jumps:
        first, last = jump.away[[0, -1]].tolist()
        names = listed(table.labels[i] for i in jump.moved)
        spans.append(f"{names} in rows {first + 1} to {last + 1} ({times[first]:.6g} to {times[last]:.6g} s)")
    text = f"jumps are mended by the cubic spline through the other rows: {first_of(spans, MOST_NAMED)}"
    note = Diagnostic("note", "jumps", table.origin, text)
    return replace(table, values=calm, findings=(*table.findings, note))


def _jumping(times: Array, values: Array, angles: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Array]:
    """Return whether each cell jumps, and its deviation / (time step * :data:`SPEEDS`), both (rows, columns)."""
    if len(times) < 2 * NEAR or not values.shape[1]:
        return np.zeros(values.shape, dtype=bool), np.zeros(values.shape)
    deviations = _deviations(times, np.clip(values, -LARGEST, LARGEST))
    before, after = (_largest_beside(deviations, places) for places in (range(-FAR, 1 - NEAR), range(NEAR, FAR + 1)))
    steps = np.diff(times)
    step = np.minimum(np.append(steps, steps[-1]), np.insert(steps, 0, steps[0]))[:, None]
    share = deviations / (step * np.where(angles, *SPEEDS))
    calm = deviations / np.maximum(np.maximum(before, after), ROUNDING)
    either = deviations > ABRUPT * np.where(after > 0, np.where(before > 0, np.minimum(before, after), after), before)
    jumps = (calm > ABRUPT) & (share > LEAST_CHANGE) & ((share > 1) | (share * calm > CALM))
    return jumps | (either & (share > 1)), share


def _deviations(times: Array, values: Array) -> Array:
    """Return each cell's deviation from the cubic (a parabola at the ends) through neighbouring rows."""
    deviations, inner = np.zeros(values.shape), np.arange(2, len(times) - 2)
    cases = [(inner, inner + np.array([[-2], [-1], [1], [2]]))]
    for place, near in ((0, (1, 2, 3)), (1, (0, 2, 3)), (-1, (-2, -3, -4)), (-2, (-1, -3, -4))):
        cases.append((np.array([place]), np.array(near)[:, None]))
    for at, around in cases:
        expected = np.zeros((len(at), values.shape[1]))
        for k, row in enumerate(around):
            others = times[np.delete(around, k, axis=0)]
            weight = np.prod((times[at] - others) / (times[row] - others), axis=0)
            expected += weight[:, None] * values[row]
        deviations[at] = np.abs(values[at] - expected)
    for gap in gaps(times):
        deviations[max(gap - 2, 0) : gap + 4] = 0.0
    return deviations


def _largest_beside(deviations: Array, places: Iterable[int]) -> Array:
    """Return, for each cell, its column's largest deviation at row offsets ``places``."""
    padded, rows = np.pad(deviations, ((FAR, FAR), (0, 0))), len(deviations)
    return reduce(np.maximum, (padded[FAR + place : FAR + place + rows] for place in places))


def continuous(
    values: Array, names: Sequence[str], model: osim.Model, in_degrees: bool, origin: str
) -> tuple[Array, list[Diagnostic]]:
    """Return values (rows, n) with angles unwrapped, and notes on the changed coordinates.

    Joints with three rotations use the triple nearest to the previous row: (a, b, c) or (a + pi, pi - b, c + pi).
    """
    coordinates = model.getCoordinateSet()
    angles = [i for i, n in enumerate(names) if coordinates.get(n).getMotionType() == osim.Coordinate.Rotational]
    turn = 360.0 if in_degrees else 2 * np.pi
    turning = values[:, angles]
    steps = np.diff(turning, axis=0) if np.abs(turning).max(initial=0.0) < MOST_TURNS * turn else np.zeros(0)
    if np.abs(steps).max(initial=0.0) < SMALL_STEP * turn:
        return values, []
    continued, triples, flipped, turned = values.copy(), list[str](), list[str](), list[str]()
    for columns, joint in _triples(model, read_coordinates(model, model.getWorkingState()), names):
        assert joint.angles is not None
        triples += [name for name, slope in zip(joint.coordinates, joint.angles.scale, strict=True) if abs(slope) == 1]
        scale, offset = joint.angles.scale, joint.angles.offset * (turn / (2 * np.pi))
        triple = scale * values[:, columns] + offset
        other = np.column_stack([triple[:, 0] + turn / 2, turn / 2 - triple[:, 1], triple[:, 2] + turn / 2])
        away = np.stack([each[1:] - triple[:-1] for each in (triple, other)])
        stays, flips = np.linalg.norm(away - turn * np.rint(away / turn), axis=2)
        late = np.append(False, np.cumsum(flips < stays) % 2 == 1)
        if late.any():
            continued[np.ix_(np.flatnonzero(late), np.array(columns))] = (other[late] - offset) / scale
            flipped += joint.coordinates
    for i in angles:
        steps = np.diff(continued[:, i]) / turn
        turns = np.where((np.abs(steps) > LEAST_TURN) | (names[i] in triples), np.rint(steps), 0.0)
        if turns.any() and not (turns[1:] * turns[:-1] > 0).any():  # repeated turns suggest another unit
            continued[1:, i] -= turn * turns.cumsum()
            turned.append(names[i])
    notes = []
    for changed, text in (
        (turned, "angles that begin again after a full turn go on here"),
        (flipped, "angles that change to the equivalent triple (a + pi, pi - b, c + pi) keep the first row's here"),
    ):
        if changed:
            which = first_of((f"'{name}'" for name in changed), MOST_NAMED)
            notes.append(Diagnostic("note", "turns", origin, f"{text}: {which}"))
    return continued, notes
