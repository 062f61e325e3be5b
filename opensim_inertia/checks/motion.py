"""Doubts in a recorded motion beside its units and times: ranges, gaps, still columns, rows that do not fit others.

A column of zeros is no error of its own: locked joints have it, and whole sides or planes that nobody recorded. But
where the same coordinate of the other side moves, or all other coordinates of the trunk do, it is doubtful. Inverse
dynamics judges jumps, by the forces that they change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.errors import first_of
from .._core.sides import other_side
from ..opensim_model.reading.jumps import gaps
from ..opensim_model.reading.recorded_table import RecordedTable

__all__ = ["doubts_of_motion", "still_findings"]

LESS = 20.0
"""A side that moves less than the other one by this factor hardly moves."""
MUCH = np.radians(10.0)
"""It is told where the other one moves by more than this [rad]."""
FEW = 2
"""Where more coordinates of a side stand still, the side was not recorded, or is meant to rest."""
BEYOND = np.radians(30.0), 0.1
"""How far beyond its range a coordinate is told [rad, m]."""
STILL = 1e-3
"""Coordinates that move by less do not move [rad, m]."""
FROZEN_ROWS, REPEATED_ROWS = 10, 5
"""So many rows in which one coordinate, and in which all of them, have the same value are told."""
MOST_NAMED = 3
"""How many columns or gaps a message names."""


def doubts_of_motion(table: RecordedTable | None, of_units: list[Diagnostic]) -> list[Diagnostic]:
    """Return what is doubtful in a recorded motion, beside findings ``of_units``; nothing where these are errors."""
    if table is None or any(finding.severity == "error" for finding in of_units):
        return []
    findings = [*_beyond_ranges(table), *_gaps(table), *_frozen(table)]
    if any(finding.check == "degrees" for finding in of_units):
        return findings
    free = ~table.resting
    names = [name for name, counts in zip(table.names, free, strict=True) if counts]
    return [*findings, *still_findings(table.origin, names, table.spans[free], table.angles[free], table.on_base[free])]


def _gaps(table: RecordedTable) -> Iterator[Diagnostic]:
    """Yield one finding that names the gaps in time, the longest first."""
    rows = gaps(table.times)
    if not rows:
        return
    step = float(np.median(np.diff(table.times)))
    spans = (
        f"from {table.times[row]:.6g} to {table.times[row + 1]:.6g} s (rows {row + 1} and {row + 2})" for row in rows
    )
    text = (
        f"rows are missing {first_of(spans, MOST_NAMED)}, where others follow after {step:.3g} s; results there "
        "are a spline's guess"
    )
    cure = ("leave these times out of the time range, or fill the gap from the markers",)
    yield Diagnostic("warning", "gaps", table.origin, text, cure)


def _beyond_ranges(table: RecordedTable) -> Iterator[Diagnostic]:
    """Yield a finding of coordinates that leave their ranges, those aside that move the whole model."""
    low, high = table.ranges.T
    excess = np.maximum(low - table.values, table.values - high).clip(min=0)
    largest = excess.max(axis=0, initial=0.0)
    columns = np.flatnonzero((largest > np.where(table.angles, *BEYOND)) & ~table.on_base)
    if not len(columns):
        return
    worst = int(columns[np.argmax(largest[columns])])
    row = int(np.argmax(excess[:, worst]))
    unit = "rad" if table.angles[worst] else "m"
    more = f"; beyond theirs are {table.column_list(columns)}" if len(columns) > 1 else ""
    text = (
        f"it is {table.cell_value(row, worst)}, beyond the coordinate's range of {low[worst]:.3g} to "
        f"{high[worst]:.3g} {unit}{more}"
    )
    cure = ("see that the motion is of this model: signs and zeros of angles differ between models",)
    yield Diagnostic("warning", "ranges", table.cell(row, worst), text, cure)


def _frozen(table: RecordedTable) -> Iterator[Diagnostic]:
    """Yield findings of rows that repeat the one before, in one coordinate that moves elsewhere or in all."""
    moving = np.flatnonzero(table.spans > STILL)
    if not len(moving):
        return
    same = np.diff(table.values[:, moving], axis=0) == 0
    first, count = _longest(same.all(axis=1))
    inside = 0 < first and first + count < len(same)
    if count >= REPEATED_ROWS:
        text = (
            f"rows {first + 1} to {first + count + 1} (from {table.times[first]:.6g} to "
            f"{table.times[first + count]:.6g} s) repeat each other in all coordinates"
        )
        cure = ("if this is where tracking was lost, leave it out",) if inside else ()
        yield Diagnostic("warning" if inside else "note", "frozen rows", table.origin, text, cure)
        return
    runs = [(*_longest(column), int(moving[i])) for i, column in enumerate(same.T)]
    runs = sorted((run for run in runs if run[1] >= FROZEN_ROWS), key=lambda run: -run[1])
    if runs:
        first, count, column = runs[0]
        more = f"; so do {len(runs) - 1} other columns at some time" if len(runs) > 1 else ""
        text = f"it stands still until {table.times[first + count]:.6g} s (row {first + count + 1}){more}"
        yield Diagnostic("note", "frozen rows", table.cell(first, column), text)


def _longest(same: NDArray[np.bool_]) -> tuple[int, int]:
    """Return where the longest run of true values begins, and its length."""
    edges = np.flatnonzero(np.diff(np.pad(same.astype(np.int8), 1)))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int(np.argmax(ends - starts))
    return int(starts[longest]), int(ends[longest] - starts[longest])


def still_findings(
    origin: str, names: Sequence[str], spans: Array, angles: NDArray[np.bool_], on_base: NDArray[np.bool_]
) -> list[Diagnostic]:
    """Return findings of columns that stand still, or nearly so, where others move.

    Args:
        origin: what the motion is called.
        names: the coordinates of the columns that are neither locked nor prescribed nor follow others.
        spans: how far each moves in all (columns,) [rad, m].
        angles: (columns,), whether each is an angle.
        on_base: (columns,), whether each moves the whole model in ground.
    """
    by_name = dict(zip(names, spans.tolist(), strict=True))
    turning = [name for name, angle in zip(names, angles, strict=True) if angle]
    pairs = [(right, left) for right in turning if (left := other_side(right, turning)) is not None]
    findings = list(_sides(origin, pairs, by_name))
    if pairs and on_base.any():
        paired = {name for pair in pairs for name in pair}
        findings += _alone(origin, [name for name in turning if name not in paired], by_name)
    return findings


def _sides(origin: str, pairs: list[tuple[str, str]], spans: dict[str, float]) -> Iterator[Diagnostic]:
    """Yield a finding for each side of the body whose coordinates hardly move while those of the other side do."""
    for side in (0, 1):
        resting = [
            (pair[side], pair[1 - side])
            for pair in pairs
            if spans[pair[1 - side]] > MUCH and spans[pair[side]] * LESS < spans[pair[1 - side]]
        ]
        if not resting:
            continue
        resting_name, moving_name = max(resting, key=lambda pair: spans[pair[1]])
        more = f"; so do {len(resting) - 1} other coordinates of this side" if len(resting) > 1 else ""
        text = (
            f"it moves by {np.degrees(spans[resting_name]):.3g} degrees in all, where '{moving_name}' moves by "
            f"{np.degrees(spans[moving_name]):.3g} degrees{more}"
        )
        cure = ("see that the column was recorded, and in the unit that the header says",)
        severity = "note" if len(resting) > FEW else "warning"
        yield Diagnostic(severity, "still columns", f"{origin}: column '{resting_name}'", text, cure)


def _alone(origin: str, names: list[str], spans: dict[str, float]) -> Iterator[Diagnostic]:
    """Yield a finding of the only coordinate of pelvis and trunk that stands still.

    Where several do, the motion was recorded in a plane, or without the trunk.
    """
    resting = [name for name in names if spans[name] < STILL]
    if len(resting) == 1 and len(names) > 1:
        text = (
            f"it moves by {np.degrees(spans[resting[0]]):.2g} degrees in all, and is the only angle of pelvis and "
            "trunk that stands still"
        )
        cure = ("see that the column was recorded; lock the coordinate in the model if it is meant to rest",)
        yield Diagnostic("warning", "still columns", f"{origin}: column '{resting[0]}'", text, cure)
