"""A motion's table as recorded: its columns for coordinates, and doubts about its units and times."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.diagnostics import Diagnostic
from ..._core.errors import MotionError, first_of, listed, near_matches
from ..._core.opensim import osim
from ...files.tables import Table, checked_numbers, load_table, without_repeats
from .coordinates import CoordinateTable, base_coordinates, coordinate_of_path, dependent_coordinates, read_coordinates
from .jumps import continuous, gaps

if TYPE_CHECKING:
    import pandas as pd

#: Names so much alike (:mod:`difflib`) are one misspelt; parts of so few letters, as sides, tell coordinates apart.
MISSPELT, SHORT_PART = 0.85, 2
#: How many values, and how many columns, a message names.
MOST_VALUES, MOST_NAMED = 6, 3
#: No angle [rad] and no place [m] of a body is larger.
LARGEST = 1e6
#: Steps of time that no recording of so many rows has, and that few have [s].
SLOWEST, SLOW, MANY = 0.5, 0.1, 20
#: Steps of time that no recording has, and that few have [s].
SHORTEST, SHORT = 1e-6, 1e-4
#: No part of a body turns or moves faster [rad/s, m/s].
ANGULAR_SPEED, SPEED = 100.0, 50.0
#: The percentile of a coordinate's speeds that counts for its unit: single rows may be damaged.
USUAL = 90
#: Coordinates that move by less do not move [rad, m].
STILL = 1e-3
#: Largest angle that may well be in radians [rad]; half of the largest one without repeated turns.
HALF_TURN, THREE_TURNS = np.pi, 10.0
#: Angles in degrees may exceed their range by this much [rad].
MARGIN = np.radians(10.0)
MILLIMETRES = 1000.0
#: Angles in a file in degrees look like radians if one moves by more than the first, some by more than the second.
LIKE_RADIANS = (0.8, 0.3, 3)


#: A recorded motion: a ``.mot`` or ``.sto`` file, a table, or one that has been read.
MotionSource: TypeAlias = "str | os.PathLike[str] | pd.DataFrame | Table"


def named_table(source: MotionSource) -> Table:
    """Return the table of a motion, read from its file if need be; one row per time."""
    return without_repeats(load_table(source, "the motion"))


def motion_name(source: MotionSource) -> str:
    """Return the name of a motion in messages: its file, or "the motion"."""
    if isinstance(source, Table):
        return source.origin
    return os.fspath(source) if isinstance(source, str | os.PathLike) else "the motion"


def coordinate_columns(table: Table, model: osim.Model, names: Sequence[str]) -> Table:
    """Return the columns that are values of coordinates, by name or state path, named as the coordinates."""
    labels, origin = table.labels, table.origin
    owners = [label if label in names else coordinate_of_path(label, names) for label in labels]
    used = [i for i, owner in enumerate(owners) if owner in names]
    for owner, count in Counter(owners[i] for i in used).items():
        duplicates = [labels[i] for i in used if owners[i] == owner]
        if count > 1 and len(set(duplicates)) == 1:
            raise MotionError(f"{origin}: column '{duplicates[0]}' is there more than once")
        if count > 1:
            raise MotionError(f"{origin}: columns {listed(duplicates)} are all coordinate '{owner}'; leave one of them")
    known = {coordinate.getName() for coordinate in model.getCoordinateSet()}
    unused = {owner or label: label for label, owner in zip(labels, owners, strict=True) if owner not in known}
    check_spelling([name for name in names if name not in owners], unused, origin)
    if not used:
        raise MotionError(f"{origin}: no column is named as a coordinate of the model{_hint(labels, names)}")
    return table.columns(used, [owners[i] or "" for i in used])


def missing_coordinates(model: osim.Model, missing: Iterable[str], origin: str) -> list[Diagnostic]:
    """Return a warning about coordinates without a column, but for those that are locked, prescribed or coupled."""
    coordinates, constraints = model.getCoordinateSet(), model.getConstraintSet()
    guided = {c.getName() for c in coordinates if c.get_locked() or c.get_prescribed()}
    for i in range(constraints.getSize()):
        coupler = osim.CoordinateCouplerConstraint.safeDownCast(constraints.get(i))
        if coupler is not None and coupler.get_isEnforced():
            guided.add(coupler.getDependentCoordinateName())
    free = [name for name in missing if name not in guided]
    if not free:
        return []
    values = first_of((f"'{name}' at {coordinates.get(name).getDefaultValue():.4g}" for name in free), MOST_VALUES)
    text = "there is no column for free coordinates, which rest at their default values [rad or m]: "
    return [Diagnostic("warning", "missing coordinates", origin, text + values)]


def check_spelling(missing: Sequence[str], unused: Mapping[str, str], origin: str, kind: str = "coordinate") -> None:
    """Refuse an unused column whose name nearly is that of a coordinate without a column."""
    for name in missing:
        for similar in near_matches(name, unused, cutoff=MISSPELT):
            if _plain(similar) == _plain(name) or _telling(similar) == _telling(name):
                raise MotionError(
                    f"{origin}: no column is named as {kind} '{name}', but column '{unused[similar]}' nearly is, "
                    "and nothing else uses it; rename that column, or leave it out"
                )


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _telling(name: str) -> list[str]:
    """Return the digits and the short parts of a name, in which a single letter is no slip."""
    parts = re.split(r"[^a-z0-9]+", name.lower())
    distinctive = [part if len(part) <= SHORT_PART else re.sub(r"\D", "", part) for part in parts]
    return [part for part in distinctive if part]


def _hint(labels: Sequence[str], names: Sequence[str]) -> str:
    """Return a hint for messages: which coordinate a column may mean, or else the first columns."""
    for label in labels:
        similar = near_matches(label, names, most=1)
        if similar:
            return f"; did '{label}' mean '{similar[0]}'?"
    names_text = ", ".join(f"'{label}'" for label in labels[:6]) + (", ..." if len(labels) > 6 else "")
    return f"; it has {names_text}" if labels else "; it has no columns"


@dataclass(frozen=True, eq=False)
class RecordedTable:
    """A motion as it was recorded."""

    origin: str  # what it is called
    times: Array  # (rows,) [s]
    raw: Array  # (rows, columns), the columns of coordinates as they are in the table
    values: Array  # the same in radians and metres
    continued: Array  # these without full turns and flips of angles between rows
    labels: tuple[str, ...]  # the columns' labels in the table
    names: tuple[str, ...]  # the columns' coordinates
    resting: NDArray[np.bool_]  # (columns,), whether the coordinate is locked or prescribed
    angles: NDArray[np.bool_]  # (columns,), whether each is an angle
    on_base: NDArray[np.bool_]  # (columns,), whether each moves the whole model in ground
    ranges: Array  # (columns, 2) [rad, m]
    in_degrees: bool  # whether the table says that its angles are in degrees

    def column(self, column: int) -> str:
        """Return what messages call a column."""
        return f"{self.origin}: column '{self.labels[column]}'"

    def cell(self, row: int, column: int) -> str:
        """Return what messages call a cell."""
        return f"{self.column(column)} in row {row + 1} (at time {self.times[row]:.6g} s)"

    def cell_value(self, row: int, column: int) -> str:
        """Return the value of a cell with its unit."""
        degrees = "degrees" if self.in_degrees else "rad"
        return f"{self.raw[row, column]:.6g} {degrees if self.angles[column] else 'm'}"

    def column_list(self, columns: NDArray[np.intp]) -> str:
        """Return a list of columns for messages."""
        return first_of((f"'{self.labels[i]}'" for i in columns), MOST_NAMED)

    @property
    def spans(self) -> Array:
        """How far each column moves in all (columns,) [rad, m]."""
        return np.asarray(np.ptp(self.values, axis=0))

    @property
    def usual_speeds(self) -> Array:
        """Usual largest speeds of the columns (columns,) [rad/s, m/s]: a percentile of all."""
        if len(self.times) < 2:
            return np.zeros(self.values.shape[1])
        speeds = np.abs(np.diff(self.continued, axis=0)) / np.diff(self.times)[:, None]
        return np.asarray(np.percentile(speeds, USUAL, axis=0))

    def units(self) -> list[Diagnostic]:
        """Return doubts about numbers, units and times; after an error the others would only repeat it."""
        damaged = list(self._too_large()) or list(self._lasting_gap())
        if damaged:
            return damaged
        units = [*self._degrees(), *self._millimetres(), *self._radians()] or list(self._speeds())
        return [*units, *self._rates(bool(units))]

    def _too_large(self) -> Iterator[Diagnostic]:
        """Yield the largest cell, where that is no number of a body."""
        sizes = np.abs(self.values)
        if sizes.size and sizes.max() > LARGEST:
            row, column = map(int, np.unravel_index(int(sizes.argmax()), sizes.shape))
            text = f"it is {self.cell_value(row, column)}, which is no angle or place of a body"
            yield Diagnostic("error", "size of numbers", self.cell(row, column), text, ("correct the cell",))

    def _lasting_gap(self) -> Iterator[Diagnostic]:
        """Yield a gap that is longer than all the rest of the motion."""
        for row in gaps(self.times)[:1]:
            before, after = self.times[row : row + 2]
            if after - before > 0.5 * (self.times[-1] - self.times[0]):
                text = (
                    f"the time jumps from {before:.6g} s to {after:.6g} s (rows {row + 1} and {row + 2}), by more than "
                    "all other rows span"
                )
                cure = ("correct the times, or leave out the separate rows",)
                yield Diagnostic("error", "times", self.origin, text, cure)

    def _largest(self, columns: NDArray[np.bool_]) -> tuple[int, int, str, str]:
        """Return row and column of the largest value of some columns, their list, and an "s" if it is one column."""
        numbers = np.flatnonzero(columns)
        row, place = map(int, np.unravel_index(np.abs(self.raw[:, numbers]).argmax(), (len(self.raw), len(numbers))))
        return row, int(numbers[place]), self.column_list(numbers), "s" if len(numbers) == 1 else ""

    def _degrees(self) -> Iterator[Diagnostic]:
        """Yield angles that look like degrees although the table says that they are in radians."""
        low, high = self.ranges.T
        limit = np.minimum(np.abs(self.ranges).max(axis=1, initial=0.0), THREE_TURNS)
        largest, converted = np.abs(self.raw).max(axis=0), np.radians(self.raw)
        turning = (np.abs(self.raw[-1] - self.raw[0]) > 0.8 * self.spans) & (self.spans > 4 * np.pi)
        within = (converted.min(axis=0) >= low - MARGIN) & (converted.max(axis=0) <= high + MARGIN)
        suspicious = self.angles & ~turning & within & (largest > np.maximum(2 * limit, HALF_TURN))
        if not self.in_degrees and suspicious.any():
            row, worst, listed_columns, one = self._largest(suspicious)
            text = (
                f"it is {self.raw[row, worst]:.6g}, which is beyond twice the coordinate's range ({low[worst]:.3g} to "
                f"{high[worst]:.3g} rad) and within it as degrees, but the motion's angles are in radians "
                "(inDegrees=no; a file without this line counts as no, unless it is a .mot without a version); so "
                f"{'is' if one else 'are'} {listed_columns}"
            )
            cure = ("write inDegrees=yes into the header of the file (or say --in-degrees), or convert these columns",)
            yield Diagnostic("error", "degrees", self.cell(row, worst), text, cure)

    def _radians(self) -> Iterator[Diagnostic]:
        """Yield angles that look like radians although the table says that they are in degrees."""
        much, some, many = LIKE_RADIANS
        spans, largest = self.spans[self.angles], np.abs(self.raw[:, self.angles]).max(initial=0.0)
        looks_so = largest <= HALF_TURN and spans.max(initial=0.0) > much and np.count_nonzero(spans > some) >= many
        if self.in_degrees and looks_so:
            text = (
                f"no angle exceeds {largest:.3g}, which would be much in radians, but the motion says that its angles "
                "are in degrees (inDegrees=yes; a .mot file without a version counts so)"
            )
            cure = ("write inDegrees=no into the header of the file (or say --in-radians), if they are in radians",)
            yield Diagnostic("warning", "degrees", self.origin, text, cure)

    def _millimetres(self) -> Iterator[Diagnostic]:
        """Yield lengths that look like millimetres."""
        limit, largest = np.abs(self.ranges).max(axis=1, initial=0.0), np.abs(self.raw).max(axis=0)
        fast = (self.usual_speeds > SPEED) | (largest > 100 * limit)
        suspicious = ~self.angles & (largest > 2 * limit) & (largest / MILLIMETRES <= limit) & fast
        if suspicious.any():
            row, worst, listed_columns, one = self._largest(suspicious)
            low, high = self.ranges[worst]
            text = (
                f"it is {self.raw[row, worst]:.6g} m, far beyond the coordinate's range ({low:.3g} to {high:.3g} m), "
                f"and looks like millimetres; so {'does' if one else 'do'} {listed_columns}"
            )
            yield Diagnostic("error", "millimetres", self.cell(row, worst), text, ("convert lengths to metres",))

    def _speeds(self) -> Iterator[Diagnostic]:
        """Yield coordinates that are too fast in many rows: an error if most are, as with wrong times."""
        shares = self.usual_speeds / np.where(self.angles, ANGULAR_SPEED, SPEED)
        moving = self.spans > STILL
        fast = np.flatnonzero(moving & (shares > 1))
        if not len(fast):
            return
        worst = int(fast[np.argmax(shares[fast])])
        step = float(np.median(np.diff(self.times)))
        unit, do = "rad/s" if self.angles[worst] else "m/s", "do" if len(fast) > 1 else "does"
        text = (
            f"it moves at {self.usual_speeds[worst]:.3g} {unit} in a tenth of all rows, faster than any part of a "
            f"body; so {do} {self.column_list(fast)}; rows follow each other after {step:.3g} s"
        )
        cure = "see that times are in seconds" + ("" if self.in_degrees else " and angles as the header says")
        severity = "error" if 2 * len(fast) > np.count_nonzero(moving) else "warning"
        yield Diagnostic(severity, "speeds", self.column(worst), text, (cure,))

    def _rates(self, too_fast: bool) -> Iterator[Diagnostic]:
        """Yield times that seem to be in another unit; short steps count unless ``too_fast`` was found."""
        if len(self.times) < 3 or (self.spans <= STILL).all():
            return
        step = float(np.median(np.diff(self.times)))
        text, cure = (
            f"rows follow each other after {step:.3g} s, {1 / step:.3g} rows a second",
            "write times in seconds",
        )
        if step >= SLOW:
            if np.array_equal(self.times, np.round(self.times)) and round(step) == 1:
                text += ": times seem to be numbers of frames"
            elif step >= SLOWEST:
                text += ": times seem to be in milliseconds"
            severity = "error" if step >= SLOWEST and len(self.times) >= MANY else "warning"
            cure += "; of a motion that is as slow as that, write more rows"
        elif step < SHORT and not too_fast:
            severity = "error" if step < SHORTEST else "note"
            text += ": times seem to be in another unit than seconds"
        else:
            return
        yield Diagnostic(severity, "times", self.origin, text, (cure,))


def recorded_units(
    model: osim.Model, source: MotionSource, coordinates: CoordinateTable | None = None
) -> tuple[RecordedTable | None, list[Diagnostic]]:
    """Return a motion's table of coordinates that no coupler drives, None if it has other cells, and doubts."""
    table = named_table(source)
    coordinates = coordinates or read_coordinates(model, model.getWorkingState())
    coupled = {coordinates.names[i] for i in dependent_coordinates(model, coordinates)}
    owners = [coordinate_of_path(label, coordinates.names) or label for label in table.labels]
    columns = [i for i, name in enumerate(owners) if name in coordinates.names and name not in coupled]
    try:
        times, raw = checked_numbers(table.columns(columns), MotionError)
    except MotionError as error:
        return None, [Diagnostic("error", "numbers", table.origin, str(error))]
    names = tuple(owners[i] for i in columns)
    places = [coordinates.index(name) for name in names]
    angles, on_base = (
        np.array([each[i] for i in places], dtype=bool)
        for each in (coordinates.rotational, base_coordinates(model, coordinates))
    )
    values = np.where(angles & table.in_degrees, np.radians(raw), raw)
    continued, labels = continuous(values, names, model, False, "")[0], table.columns(columns).labels
    state, own = model.getWorkingState(), [model.getCoordinateSet().get(name) for name in names]
    resting = np.array([each.getLocked(state) or each.isPrescribed(state) for each in own], dtype=bool)
    ranges = coordinates.ranges[places].reshape(-1, 2)
    arrays = (times, raw, values, continued, labels, names, resting, angles, on_base, ranges)
    recorded = RecordedTable(table.origin, *arrays, table.in_degrees)
    return recorded, recorded.units()
