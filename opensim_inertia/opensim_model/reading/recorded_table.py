"""Recorded tables: columns of coordinates, and checks of units and times."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import as_shown
from ..._core.diagnostics import Diagnostic
from ..._core.errors import MotionError, OptionError, first_of, listed, near_matches
from ..._core.opensim import osim
from ...files.tables import Table, checked_numbers, load_table, without_repeats
from .coordinates import (
    CoordinateTable,
    base_coordinates,
    coordinate_of_path,
    dependent_coordinates,
    read_coordinates,
)
from .jumps import continuous, gaps

if TYPE_CHECKING:
    import pandas as pd

#: Similarity (:mod:`difflib`) of misspelt names; length of parts, such as sides, that must agree.
MISSPELT, SHORT_PART = 0.85, 2
#: Numbers of values and of columns in messages.
MOST_VALUES, MOST_NAMED = 6, 3
#: Largest plausible angle [rad] or position [m].
LARGEST = 1e6
#: Implausible and doubtful time step [s] of tables with at least ``MANY`` rows.
SLOWEST, SLOW, MANY = 0.5, 0.1, 20
#: Implausible and doubtful short time step [s].
SHORTEST, SHORT = 1e-6, 1e-4
#: Largest plausible speeds [rad/s, m/s].
ANGULAR_SPEED, SPEED = 100.0, 50.0
#: Percentile of speeds used for checking units, robust to single rows.
USUAL = 90
#: Range of motion of resting coordinates [rad, m].
STILL = 1e-3
#: Largest usual angle, and largest angle without repeated turns [rad].
HALF_TURN, THREE_TURNS = np.pi, 10.0
#: Tolerance of ranges for angles in degrees [rad].
MARGIN = np.radians(10.0)
MILLIMETRES = 1000.0
#: Ranges suggest radians if the largest exceeds the first limit and at least three exceed the second.
LIKE_RADIANS = (0.8, 0.3, 3)


#: A recorded motion: a ``.mot`` or ``.sto`` file, or a table.
MotionSource: TypeAlias = "str | os.PathLike[str] | pd.DataFrame | Table"


def named_table(source: MotionSource) -> Table:
    """Return a motion's table without repeated times."""
    if not (isinstance(source, str | os.PathLike | Table) or hasattr(source, "columns")):
        raise OptionError("motion", as_shown(source), "a .mot or .sto file, or a DataFrame")
    return without_repeats(load_table(source, "the motion"))


def motion_name(source: MotionSource) -> str:
    """Return the name of a motion for messages: its file, or "the motion" for a DataFrame."""
    if isinstance(source, Table):
        return source.origin
    return os.fspath(source) if isinstance(source, str | os.PathLike) else "the motion"


def coordinate_columns(table: Table, model: osim.Model, names: Sequence[str]) -> Table:
    """Return the table's columns of the coordinates ``names``, with these names as labels."""
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
        meant = [(label, near[0]) for label in labels if (near := near_matches(label, names, most=1))]
        there = "it has " + (first_of(map("'{}'".format, labels), 6) or "no columns")
        hint = f"did '{meant[0][0]}' mean '{meant[0][1]}'?" if meant else there
        raise MotionError(f"{origin}: no column is named as a coordinate of the model; {hint}")
    return table.columns(used, [owners[i] or "" for i in used])


def missing_coordinates(model: osim.Model, missing: Iterable[str], origin: str) -> list[Diagnostic]:
    """Return a warning about free coordinates (not locked, prescribed or coupled) without a column, or []."""
    coordinates, state = model.getCoordinateSet(), model.getWorkingState()
    guided = {c.getName() for c in coordinates if c.get_locked() or c.get_prescribed() or c.isDependent(state)}
    free = [name for name in missing if name not in guided]
    if not free:
        return []
    values = first_of((f"'{name}' at {coordinates.get(name).getDefaultValue():.4g}" for name in free), MOST_VALUES)
    text = "there is no column for free coordinates, which rest at their default values [rad or m]: "
    return [Diagnostic("warning", "missing coordinates", origin, text + values)]


def check_spelling(missing: Sequence[str], unused: Mapping[str, str], origin: str, kind: str = "coordinate") -> None:
    """Raise MotionError if an unused column resembles a missing coordinate."""
    for name in missing:
        for similar in near_matches(name, unused, cutoff=MISSPELT):
            one, other = (re.sub(r"[^a-z0-9]", "", each.lower()) for each in (similar, name))
            if one == other or _telling(similar) == _telling(name):
                raise MotionError(
                    f"{origin}: no column is named as {kind} '{name}', but column '{unused[similar]}' nearly is, "
                    "and nothing else uses it; rename that column, or leave it out"
                )


def _telling(name: str) -> list[str]:
    """Return the parts of a name that must not be misspelt: digits, and parts of one or two characters."""
    parts = re.split(r"[^a-z0-9]+", name.lower())
    distinctive = [part if len(part) <= SHORT_PART else re.sub(r"\D", "", part) for part in parts]
    return [part for part in distinctive if part]


@dataclass(frozen=True, eq=False)
class RecordedTable:
    """Coordinates of a recorded motion as arrays, with checks of units and times."""

    origin: str  # name in messages
    times: Array  # (rows,) [s]
    raw: Array  # (rows, columns), recorded values of coordinates
    values: Array  # in radians and metres
    continued: Array  # in radians and metres, unwrapped
    labels: tuple[str, ...]  # columns in the table
    names: tuple[str, ...]  # coordinates of the columns
    resting: NDArray[np.bool_]  # (columns,), locked or prescribed coordinates
    angles: NDArray[np.bool_]  # (columns,), angles
    on_base: NDArray[np.bool_]  # (columns,), coordinates of the base joint
    ranges: Array  # (columns, 2) [rad, m]
    spans: Array  # (columns,), ranges of motion [rad, m]
    in_degrees: bool  # of the table

    def cell(self, row: int, column: int) -> str:
        """Return the location of a cell, for messages."""
        return f"{self.origin}: column '{self.labels[column]}' in row {row + 1} (at time {self.times[row]:.6g} s)"

    def cell_value(self, row: int, column: int) -> str:
        """Return the value of a cell with its unit."""
        degrees = "degrees" if self.in_degrees else "rad"
        return f"{self.raw[row, column]:.6g} {degrees if self.angles[column] else 'm'}"

    def column_list(self, columns: NDArray[np.intp]) -> str:
        """Return the labels of ``columns`` as text for messages."""
        return first_of((f"'{self.labels[i]}'" for i in columns), MOST_NAMED)

    def units(self) -> list[Diagnostic]:
        """Return diagnostics on implausible sizes and speeds, wrong units, and wrong times."""
        low, high = self.ranges.T
        spans, largest, sizes = self.spans, np.abs(self.raw).max(axis=0), np.abs(self.values)
        steps, reach = np.diff(self.times), np.abs(self.ranges).max(axis=1, initial=0.0)
        step, found = float(np.median(steps)) if len(steps) else 0.0, list[Diagnostic]()
        if sizes.size and sizes.max() > LARGEST:
            row, column = map(int, np.unravel_index(int(sizes.argmax()), sizes.shape))
            text = f"it is {self.cell_value(row, column)}, which is no angle or place of a body"
            found = [Diagnostic("error", "size of numbers", self.cell(row, column), text, ("correct the cell",))]
        elif (lasting := gaps(self.times)[:1]) and 2 * steps[lasting[0]] > self.times[-1] - self.times[0]:
            row = lasting[0]
            text = (
                f"the time jumps from {self.times[row]:.6g} s to {self.times[row + 1]:.6g} s (rows {row + 1} and "
                f"{row + 2}), by more than all other rows span"
            )
            cure = ("correct the times, or leave out the separate rows",)
            found = [Diagnostic("error", "times", self.origin, text, cure)]
        if found:
            return found

        # angles in degrees declared as radians
        turning = (np.abs(self.raw[-1] - self.raw[0]) > 0.8 * spans) & (spans > 4 * np.pi)
        within = (np.radians(self.raw) >= low - MARGIN) & (np.radians(self.raw) <= high + MARGIN)
        much = np.maximum(2 * np.minimum(reach, THREE_TURNS), HALF_TURN)
        degrees = self.angles & ~turning & within.all(axis=0) & (largest > much)
        if not self.in_degrees and degrees.any():
            row, worst, listed_columns, one = self._largest(degrees)
            text = (
                f"it is {self.raw[row, worst]:.6g}, which is beyond twice the coordinate's range ({low[worst]:.3g} to "
                f"{high[worst]:.3g} rad) and within it as degrees, but the motion's angles are in radians "
                "(inDegrees=no; a file without this line counts as no, unless it is a .mot without a version); so "
                f"{'is' if one else 'are'} {listed_columns}"
            )
            cure = ("write inDegrees=yes into the header of the file (or say --in-degrees), or convert these columns",)
            found.append(Diagnostic("error", "degrees", self.cell(row, worst), text, cure))

        # lengths in millimetres
        changes = np.abs(np.diff(self.continued, axis=0)) / steps[:, None]
        speeds = np.percentile(changes, USUAL, axis=0) if len(steps) else np.zeros(len(self.names))
        fast = (speeds > SPEED) | (largest > 100 * reach)
        millimetres = ~self.angles & (largest > 2 * reach) & (largest / MILLIMETRES <= reach) & fast
        if millimetres.any():
            row, worst, listed_columns, one = self._largest(millimetres)
            text = (
                f"it is {self.raw[row, worst]:.6g} m, far beyond the coordinate's range ({low[worst]:.3g} to "
                f"{high[worst]:.3g} m), and looks like millimetres; so {'does' if one else 'do'} {listed_columns}"
            )
            cure = ("convert lengths to metres",)
            found.append(Diagnostic("error", "millimetres", self.cell(row, worst), text, cure))

        # angles in radians declared as degrees
        most, angular = np.abs(self.raw[:, self.angles]).max(initial=0.0), spans[self.angles]
        one_moves, some_move, some = LIKE_RADIANS
        moving_so = angular.max(initial=0.0) > one_moves and np.count_nonzero(angular > some_move) >= some
        if self.in_degrees and most <= HALF_TURN and moving_so:
            text = (
                f"no angle exceeds {most:.3g}, which would be much in radians, but the motion says that its angles "
                "are in degrees (inDegrees=yes; a .mot file without a version counts so)"
            )
            cure = ("write inDegrees=no into the header of the file (or say --in-radians), if they are in radians",)
            found.append(Diagnostic("warning", "degrees", self.origin, text, cure))

        # speeds that are too large for most coordinates suggest wrong times
        shares = speeds / np.where(self.angles, ANGULAR_SPEED, SPEED)
        too_fast = np.flatnonzero((spans > STILL) & (shares > 1))
        if not found and len(too_fast):
            worst = int(too_fast[np.argmax(shares[too_fast])])
            unit, do = "rad/s" if self.angles[worst] else "m/s", "do" if len(too_fast) > 1 else "does"
            text = (
                f"it moves at {speeds[worst]:.3g} {unit} in a tenth of all rows, faster than any part of a body; so "
                f"{do} {self.column_list(too_fast)}; rows follow each other after {step:.3g} s"
            )
            cure = ("see that times are in seconds" + ("" if self.in_degrees else " and angles as the header says"),)
            severity = "error" if 2 * len(too_fast) > np.count_nonzero(spans > STILL) else "warning"
            found.append(Diagnostic(severity, "speeds", f"{self.origin}: column '{self.labels[worst]}'", text, cure))

        # times in other units
        if len(steps) < 2 or (spans <= STILL).all() or not (step >= SLOW or (step < SHORT and not found)):
            return found
        text = f"rows follow each other after {step:.3g} s, {1 / step:.3g} rows a second"
        if step < SHORT:
            severity, cure = "error" if step < SHORTEST else "note", ("write times in seconds",)
            text += ": times seem to be in another unit than seconds"
        else:
            severity = "error" if step >= SLOWEST and len(self.times) >= MANY else "warning"
            cure = ("write times in seconds; of a motion that is as slow as that, write more rows",)
            if np.array_equal(self.times, np.round(self.times)) and round(step) == 1:
                text += ": times seem to be numbers of frames"
            elif step >= SLOWEST:
                text += ": times seem to be in milliseconds"
        return [*found, Diagnostic(severity, "times", self.origin, text, cure)]

    def _largest(self, columns: NDArray[np.bool_]) -> tuple[int, int, str, bool]:
        """Return the largest value's row and column, the names of ``columns``, and whether ``columns`` has only one."""
        numbers = np.flatnonzero(columns)
        row, place = map(int, np.unravel_index(np.abs(self.raw[:, numbers]).argmax(), (len(self.raw), len(numbers))))
        return row, int(numbers[place]), self.column_list(numbers), len(numbers) == 1


def recorded_units(
    model: osim.Model, source: MotionSource, coordinates: CoordinateTable | None = None
) -> tuple[RecordedTable | None, list[Diagnostic]]:
    """Return a motion's independent coordinates (None if a cell is not a number), and diagnostics on units."""
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
    members, state = [model.getCoordinateSet().get(name) for name in names], model.getWorkingState()
    resting = np.array([each.getLocked(state) or each.isPrescribed(state) for each in members], dtype=bool)
    ranges = coordinates.ranges[places].reshape(-1, 2)
    arrays = (times, raw, values, continued, labels, names, resting, angles, on_base, ranges, np.ptp(values, axis=0))
    recorded = RecordedTable(table.origin, *arrays, table.in_degrees)
    return recorded, recorded.units()
