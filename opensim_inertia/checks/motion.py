"""Doubts in a recorded motion beside its units and times: ranges, gaps, and rows that do not fit others.

Jumps are not looked at, since inverse dynamics judges them by the forces that they change.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .._core.diagnostics import Diagnostic
from .._core.errors import first_of
from ..opensim_model.reading.jumps import gaps
from ..opensim_model.reading.recorded_table import RecordedTable
from .still import still_findings

__all__ = ["doubts_of_motion"]

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
