"""Errors and doubts in a recorded motion: times, units, ranges, and rows that do not fit others.

The table is looked at as it was recorded: before it is filtered, and before constraints move it. Coordinates that
follow others by a coupler are left out, since they are held against their couplers elsewhere. So are jumps, which
inverse dynamics judges by the forces that they change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import MotionError, first_of
from .._core.findings import Finding
from .._core.opensim import osim
from ..files.numbers import checked_numbers
from ..opensim_model.reading import (
    CoordinateTable,
    MotionSource,
    base_coordinates,
    continuous,
    coordinate_of_path,
    dependent_coordinates,
    gaps,
    named_table,
    read_coordinates,
)
from .still import still_findings

__all__ = ["motion_findings"]

LARGEST = 1e6
"""No angle [rad] and no place [m] of a body is larger."""
SLOWEST, SLOW, MANY = 0.5, 0.1, 20
"""Steps of time that no recording of so many rows has, and that few have [s]."""
SHORTEST, SHORT = 1e-6, 1e-4
"""Steps of time that no recording has, and that few have [s]."""
ANGULAR_SPEED, SPEED = 100.0, 50.0
"""No part of a body turns or moves faster [rad/s, m/s]."""
USUAL = 90
"""The percentile of a coordinate's speeds that counts for its unit: single rows may be damaged."""
STILL = 1e-3
"""Coordinates that move by less do not move [rad, m]."""
HALF_TURN, THREE_TURNS = np.pi, 10.0
"""Largest angle that may well be in radians [rad]; half of the largest one without repeated turns."""
MARGIN = np.radians(10.0)
"""Angles in degrees may exceed their range by this much [rad]."""
MILLIMETRES = 1000.0
LIKE_RADIANS = (0.8, 0.3, 3)
"""Angles in a file in degrees look like radians if one moves by more than the first, some by more than the second."""
BEYOND = np.radians(30.0), 0.1
"""How far beyond its range a coordinate is told [rad, m]."""
FROZEN_ROWS, REPEATED_ROWS = 10, 5
"""So many rows in which one coordinate, and in which all of them, have the same value are told."""
MOST_NAMED = 3
"""How many columns or gaps a message names."""


def motion_findings(
    model: osim.Model, source: MotionSource, coordinates: CoordinateTable | None = None
) -> list[Finding]:
    """Return errors and doubts in a recorded motion of a model.

    Args:
        model: initialised (``initSystem``).
        source: a ``.mot`` or ``.sto`` file, or a table with the times [s] as its index and a column per coordinate or
            state path, in radians and metres unless ``attrs["inDegrees"]`` is True. Other columns are not looked at,
            nor are coordinates that follow others by a coupler.
        coordinates: of the model, if they have been read.

    Raises:
        FileFormatError: the file is missing or malformed.
        ModelError: the model's coordinates cannot be read.
    """
    table, origin, _ = named_table(source)
    coordinates = coordinates or read_coordinates(model, model.getWorkingState())
    recording = _Recording.of(table, origin, model, coordinates)
    if isinstance(recording, Finding):
        return [recording]
    damaged = list(recording.too_large()) or list(recording.time_gaps_beyond_reason())
    if damaged:  # all that follows would only repeat it
        return damaged
    units = [*recording.degrees(), *recording.millimetres(), *recording.radians()]
    findings = units or list(recording.speeds())
    findings += recording.rates(bool(findings))
    if not any(finding.severity == "error" for finding in findings):
        findings += recording.beyond_ranges()
    findings += [*recording.gaps(), *recording.frozen()]
    return findings if units else [*findings, *recording.still()]


@dataclass(frozen=True, eq=False)
class _Recording:
    """A motion as it was recorded.

    Attributes:
        origin: what it is called.
        times: (rows,) [s].
        raw: (rows, columns), the columns of coordinates as they are in the table.
        values: the same in radians and metres.
        continued: these without full turns and flips of angles between rows.
        labels: the columns' labels in the table.
        names: the columns' coordinates.
        resting: (columns,), whether the coordinate is locked or prescribed.
        angles: (columns,), whether each is an angle.
        on_base: (columns,), whether each moves the whole model in ground.
        ranges: (columns, 2) [rad, m].
        in_degrees: whether the table says that its angles are in degrees.
    """

    origin: str
    times: Array
    raw: Array
    values: Array
    continued: Array
    labels: tuple[str, ...]
    names: tuple[str, ...]
    resting: NDArray[np.bool_]
    angles: NDArray[np.bool_]
    on_base: NDArray[np.bool_]
    ranges: Array
    in_degrees: bool

    @classmethod
    def of(
        cls, table: pd.DataFrame, origin: str, model: osim.Model, coordinates: CoordinateTable
    ) -> _Recording | Finding:
        """Read a table, or return what is wrong with its numbers."""
        coupled = {coordinates.names[i] for i in dependent_coordinates(model, coordinates)}
        owners = [coordinate_of_path(str(label), coordinates.names) or str(label) for label in table.columns]
        columns = [i for i, name in enumerate(owners) if name in coordinates.names and name not in coupled]
        try:
            times, raw = checked_numbers(table.iloc[:, columns], MotionError)
        except MotionError as error:
            return Finding("error", "numbers", origin, str(error))
        places = [coordinates.index(owners[i]) for i in columns]
        angles = np.array([coordinates.rotational[i] for i in places], dtype=bool)
        on_base = base_coordinates(model, coordinates)
        in_degrees = bool(table.attrs.get("inDegrees", False))
        values = np.where(angles & in_degrees, np.radians(raw), raw)
        return cls(
            origin,
            times,
            raw,
            values,
            continuous(values, [owners[i] for i in columns], model, False, origin)[0],
            tuple(str(table.columns[i]) for i in columns),
            tuple(owners[i] for i in columns),
            np.array([_rests(model, owners[i]) for i in columns], dtype=bool),
            angles,
            np.array([on_base[i] for i in places], dtype=bool),
            coordinates.ranges[places].reshape(-1, 2),
            in_degrees,
        )

    def _column(self, column: int) -> str:
        return f"{self.origin}: column '{self.labels[column]}'"

    def _cell(self, row: int, column: int) -> str:
        return f"{self._column(column)} in row {row + 1} (at time {self.times[row]:.6g} s)"

    def _cell_value(self, row: int, column: int) -> str:
        """Return the value of a cell with its unit."""
        degrees = "degrees" if self.in_degrees else "rad"
        return f"{self.raw[row, column]:.6g} {degrees if self.angles[column] else 'm'}"

    def _column_list(self, columns: NDArray[np.intp]) -> str:
        return first_of((f"'{self.labels[i]}'" for i in columns), MOST_NAMED)

    @property
    def _spans(self) -> Array:
        """How far each column moves in all (columns,) [rad, m]."""
        return np.asarray(np.ptp(self.values, axis=0))

    @property
    def _speeds(self) -> Array:
        """Usual largest speeds of the columns (columns,) [rad/s, m/s]: a percentile of all."""
        if len(self.times) < 2:
            return np.zeros(self.values.shape[1])
        speeds = np.abs(np.diff(self.continued, axis=0)) / np.diff(self.times)[:, None]
        return np.asarray(np.percentile(speeds, USUAL, axis=0))

    def too_large(self) -> Iterator[Finding]:
        """Yield a finding of the largest cell, where that is no number of a body."""
        sizes = np.abs(self.values)
        if not sizes.size or sizes.max() <= LARGEST:
            return
        row, column = np.unravel_index(int(sizes.argmax()), sizes.shape)
        text = f"it is {self._cell_value(int(row), int(column))}, which is no angle or place of a body"
        yield Finding("error", "size of numbers", self._cell(int(row), int(column)), text, ("correct the cell",))

    def time_gaps_beyond_reason(self) -> Iterator[Finding]:
        """Yield a finding of a gap that is longer than all the rest of the motion."""
        for row in gaps(self.times)[:1]:
            before, after = self.times[row : row + 2]
            if after - before > 0.5 * (self.times[-1] - self.times[0]):
                text = (
                    f"the time jumps from {before:.6g} s to {after:.6g} s (rows {row + 1} and {row + 2}), by more than "
                    "all other rows span"
                )
                cure = ("correct the times, or leave out the separate rows",)
                yield Finding("error", "times", self.origin, text, cure)

    def gaps(self) -> Iterator[Finding]:
        """Yield one finding that names the gaps in time, the longest first."""
        rows = gaps(self.times)
        if not rows:
            return
        step = float(np.median(np.diff(self.times)))
        spans = (
            f"from {self.times[row]:.6g} to {self.times[row + 1]:.6g} s (rows {row + 1} and {row + 2})" for row in rows
        )
        text = (
            f"rows are missing {first_of(spans, MOST_NAMED)}, where others follow after {step:.3g} s; results there "
            "are a spline's guess"
        )
        cure = ("leave these times out of the time range, or fill the gap from the markers",)
        yield Finding("warning", "gaps", self.origin, text, cure)

    def degrees(self) -> Iterator[Finding]:
        """Yield a finding of angles that look like degrees although the table says that they are in radians."""
        if self.in_degrees or not self.angles.any():
            return
        low, high = self.ranges.T
        limit = np.minimum(np.abs(self.ranges).max(axis=1), THREE_TURNS)
        largest = np.abs(self.raw).max(axis=0)
        net_change = np.abs(self.raw[-1] - self.raw[0])
        turning = (net_change > 0.8 * self._spans) & (self._spans > 4 * np.pi)
        converted = np.radians(self.raw)
        within = (converted.min(axis=0) >= low - MARGIN) & (converted.max(axis=0) <= high + MARGIN)
        suspicious = self.angles & ~turning & within & (largest > np.maximum(2 * limit, HALF_TURN))
        columns = np.flatnonzero(suspicious)
        if not len(columns):
            return
        worst = int(columns[np.argmax(largest[columns])])
        row = int(np.argmax(np.abs(self.raw[:, worst])))
        text = (
            f"it is {self.raw[row, worst]:.6g}, which is beyond twice the coordinate's range ({low[worst]:.3g} to "
            f"{high[worst]:.3g} rad) and within it as degrees, but the motion's angles are in radians (inDegrees=no; "
            "a file without this line counts as no, unless it is a .mot without a version); so "
            f"{'are' if len(columns) > 1 else 'is'} {self._column_list(columns)}"
        )
        cure = ("write inDegrees=yes into the header of the file (or say --in-degrees), or convert these columns",)
        yield Finding("error", "degrees", self._cell(row, worst), text, cure)

    def radians(self) -> Iterator[Finding]:
        """Yield a finding of angles that look like radians although the table says that they are in degrees."""
        if not self.in_degrees:
            return
        much, some, many = LIKE_RADIANS
        angles = self.raw[:, self.angles]
        spans = np.ptp(angles, axis=0)
        if not len(spans) or np.abs(angles).max() > HALF_TURN:
            return
        if spans.max() > much and np.count_nonzero(spans > some) >= many:
            text = (
                f"no angle exceeds {np.abs(angles).max():.3g}, which would be much in radians, but the motion says "
                "that its angles are in degrees (inDegrees=yes; a .mot file without a version counts so)"
            )
            cure = ("write inDegrees=no into the header of the file (or say --in-radians), if they are in radians",)
            yield Finding("warning", "degrees", self.origin, text, cure)

    def millimetres(self) -> Iterator[Finding]:
        """Yield a finding of lengths that look like millimetres."""
        limit = np.abs(self.ranges).max(axis=1)
        largest = np.abs(self.raw).max(axis=0)
        fast = (self._speeds > SPEED) | (largest > 100 * limit)
        suspicious = ~self.angles & (largest > 2 * limit) & (largest / MILLIMETRES <= limit) & fast
        columns = np.flatnonzero(suspicious)
        if not len(columns):
            return
        worst = int(columns[np.argmax(largest[columns])])
        row = int(np.argmax(np.abs(self.raw[:, worst])))
        low, high = self.ranges[worst]
        text = (
            f"it is {self.raw[row, worst]:.6g} m, far beyond the coordinate's range ({low:.3g} to {high:.3g} m), and "
            f"looks like millimetres; so {'do' if len(columns) > 1 else 'does'} {self._column_list(columns)}"
        )
        yield Finding("error", "millimetres", self._cell(row, worst), text, ("convert lengths to metres",))

    def speeds(self) -> Iterator[Finding]:
        """Yield a finding of coordinates that are too fast in many rows: an error if most are, as with wrong times."""
        limits = np.where(self.angles, ANGULAR_SPEED, SPEED)
        speeds, moving = self._speeds, self._spans > STILL
        fast = np.flatnonzero(moving & (speeds > limits))
        if not len(fast):
            return
        most = 2 * len(fast) > np.count_nonzero(moving)
        worst = int(fast[np.argmax((speeds / limits)[fast])])
        unit = "rad/s" if self.angles[worst] else "m/s"
        step = float(np.median(np.diff(self.times)))
        text = (
            f"it moves at {speeds[worst]:.3g} {unit} in a tenth of all rows, faster than any part of a body; so "
            f"{'do' if len(fast) > 1 else 'does'} {self._column_list(fast)}; rows follow each other after {step:.3g} s"
        )
        cure = ("see that times are in seconds", *((" and angles as the header says",) if not self.in_degrees else ()))
        yield Finding("error" if most else "warning", "speeds", self._column(worst), text, cure)

    def rates(self, too_fast: bool) -> Iterator[Finding]:
        """Yield a finding of times that seem to be in another unit; short steps count unless ``too_fast`` was found."""
        steps = np.diff(self.times)
        if len(steps) < 2 or (self._spans <= STILL).all():
            return
        step = float(np.median(steps))
        text = f"rows follow each other after {step:.3g} s, {1 / step:.3g} rows a second"
        cure: tuple[object, ...] = ("write times in seconds",)
        if step >= SLOW:
            are_integers = np.array_equal(self.times, np.round(self.times))
            if are_integers and round(step) == 1:
                text += ": times seem to be numbers of frames"
            elif step >= SLOWEST:
                text += ": times seem to be in milliseconds"
            sure = step >= SLOWEST and len(self.times) >= MANY
            cure += ("; of a motion that is as slow as that, write more rows",)
            yield Finding("error" if sure else "warning", "times", self.origin, text, cure)
        elif step < SHORT and not too_fast:
            severity = "error" if step < SHORTEST else "note"
            yield Finding(
                severity, "times", self.origin, f"{text}: times seem to be in another unit than seconds", cure
            )

    def beyond_ranges(self) -> Iterator[Finding]:
        """Yield a finding of coordinates that leave their ranges, those aside that move the whole model."""
        low, high = self.ranges.T
        excess = np.maximum(low - self.values, self.values - high).clip(min=0)
        largest = excess.max(axis=0, initial=0.0)
        columns = np.flatnonzero((largest > np.where(self.angles, *BEYOND)) & ~self.on_base)
        if not len(columns):
            return
        worst = int(columns[np.argmax(largest[columns])])
        row = int(np.argmax(excess[:, worst]))
        unit = "rad" if self.angles[worst] else "m"
        more = f"; beyond theirs are {self._column_list(columns)}" if len(columns) > 1 else ""
        text = (
            f"it is {self._cell_value(row, worst)}, beyond the coordinate's range of {low[worst]:.3g} to "
            f"{high[worst]:.3g} {unit}{more}"
        )
        cure = ("see that the motion is of this model: signs and zeros of angles differ between models",)
        yield Finding("warning", "ranges", self._cell(row, worst), text, cure)

    def frozen(self) -> Iterator[Finding]:
        """Yield findings of rows that repeat the one before, in one coordinate that moves elsewhere or in all."""
        moving = np.flatnonzero(self._spans > STILL)
        if not len(moving):
            return
        same = np.diff(self.values[:, moving], axis=0) == 0
        first, count = _longest(same.all(axis=1))
        inside = 0 < first and first + count < len(same)
        if count >= REPEATED_ROWS:
            text = (
                f"rows {first + 1} to {first + count + 1} (from {self.times[first]:.6g} to "
                f"{self.times[first + count]:.6g} s) repeat each other in all coordinates"
            )
            cure = ("if this is where tracking was lost, leave it out",) if inside else ()
            yield Finding("warning" if inside else "note", "frozen rows", self.origin, text, cure)
            return
        runs = [(*_longest(column), int(moving[i])) for i, column in enumerate(same.T)]
        runs = sorted((run for run in runs if run[1] >= FROZEN_ROWS), key=lambda run: -run[1])
        if runs:
            first, count, column = runs[0]
            more = f"; so do {len(runs) - 1} other columns at some time" if len(runs) > 1 else ""
            text = f"it stands still until {self.times[first + count]:.6g} s (row {first + count + 1}){more}"
            yield Finding("note", "frozen rows", self._cell(first, column), text)

    def still(self) -> list[Finding]:
        """Return findings of coordinates that are free to move, and hardly do where others move."""
        free = ~self.resting
        names = [name for name, counts in zip(self.names, free, strict=True) if counts]
        return still_findings(self.origin, names, self._spans[free], self.angles[free], self.on_base[free])


def _rests(model: osim.Model, name: str) -> bool:
    """Return whether a coordinate is locked or prescribed."""
    coordinate, state = model.getCoordinateSet().get(name), model.getWorkingState()
    return bool(coordinate.getLocked(state) or coordinate.isPrescribed(state))


def _longest(same: NDArray[np.bool_]) -> tuple[int, int]:
    """Return where the longest run of true values begins, and its length."""
    edges = np.flatnonzero(np.diff(np.pad(same.astype(np.int8), 1)))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int(np.argmax(ends - starts))
    return int(starts[longest]), int(ends[longest] - starts[longest])
