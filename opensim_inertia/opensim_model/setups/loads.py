"""External loads: measured forces and gait events."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, NaturalSpline
from ..._core.checks import check_file, check_names, narrow_name
from ..._core.diagnostics import Diagnostic
from ..._core.errors import (
    OPENSIM_ERRORS,
    FileFormatError,
    UnknownNameError,
    near_matches,
    nearest_file,
    opensim_reason,
)
from ..._core.opensim import osim, quiet
from ..._core.processes import scratch_folder
from ..._core.warnings import LoadsRangeWarning
from ...files.documents import unquoted
from ...files.spreadsheets import read_cells
from ...files.tables import Table, checked_numbers, load_table, without_repeats, write_table
from ..reading.coordinates import stem_and_side
from ..reading.loading import ModelSystem

if TYPE_CHECKING:
    import pandas as pd

AXES = ("x", "y", "z")
GROUND = "ground"
#: Extra rows on each side, and the share of rows above which all are used.
BESIDE, SHORTER = 100, 0.7
#: Longer tables are interpolated first, because OpenSim searches all rows.
LONG = 2000
#: Ratio of durations of loads and motion that suggests another unit of time.
LONGER = 50.0
#: OpenSim interpolates shorter tables linearly.
FEWEST_OF_SPLINE = 4


class Loads:
    """External loads from a file, with checked data; models get only the data rows around ``times_needed`` [s].

    By load (numbered if repeated): ``columns`` of force, point and torque (None if absent); ``bodies``: loaded body,
    frame of the force, and frame of the point (or None). FileFormatError: malformed file, or not three columns x, y, z.
    """

    def __init__(self, path: str | os.PathLike[str], times_needed: tuple[float, float] | None = None) -> None:
        self.path, self._times_needed = check_file(path, "external loads file"), times_needed
        if b"<ExternalLoads" not in self.path.read_bytes():
            raise FileFormatError(path, "this is not an external loads file: it has no <ExternalLoads>")
        loads = self._read()
        if not loads.getSize():
            raise FileFormatError(path, "it has no <ExternalForce>: no load would act; leave the file out instead")
        data_name, folder = loads.getDataFileName(), self.path.resolve().parent
        self.data = folder / data_name
        if not data_name or not self.data.is_file():
            raise FileFormatError(
                path, f"its data file '{data_name}' does not exist in {folder}{nearest_file(self.data)}"
            )
        self._table = table = without_repeats(load_table(self.data, in_degrees=False))
        self.times, self.findings = table.times, table.findings
        checked_numbers(table, partial(FileFormatError, self.data))
        self.columns, self.bodies = dict[str, list[str | None]](), dict[str, tuple[str, str, str | None]]()
        self._acting, self._by_load, zero = dict[str, bool](), dict[str, Array](), np.zeros(len(self.times))
        names = [loads.get(i).getName() for i in range(loads.getSize())]
        for i, name in enumerate(names):  # number repeated names from the second on
            load, count = loads.get(i), names[: i + 1].count(name)
            name = name if count == 1 else f"{name} ({count})"
            self.columns[name] = labels = list(self._columns_of(load, table))
            point = load.getPointExpressedInBodyName() if load.specifiesPoint() else None
            self.bodies[name] = load.getAppliedToBodyName(), load.getForceExpressedInBodyName(), point
            self._acting[name] = bool(load.get_appliesForce())
            each = [zero if label is None else table.values[:, table.labels.index(label)] for label in labels]
            self._by_load[name] = np.column_stack(each)
            self._by_load[name].setflags(write=False)

    def values(self, load: str) -> Array:
        """Return a load's force [N], point [m] and torque [N m] at the times of the data (rows, 9), read-only."""
        return self._by_load[load]

    def added_to(self, model: osim.Model, times: Array | None = None) -> tuple[osim.Model, osim.State]:
        """Return an initialised copy of the model with these loads, valid at ``times`` (T,), and the copy's state."""
        copy, loads = osim.Model(model), self._read()
        self.check_bodies(copy)
        with scratch_folder() as scratch:
            shortened = scratch / "loads.sto"
            rows = slice(None) if self._times_needed is None else self._rows_around(*self._times_needed)
            rows = rows if len(self.times[rows]) < SHORTER * len(self.times) else slice(None)
            if len(set(self._table.labels)) == len(self._table.labels):  # otherwise OpenSim uses the original file
                table = replace(self._table, times=self.times[rows], values=self._table.values[rows])
                if times is not None and len(table) > max(LONG, 2 * len(times)) and len(times) >= FEWEST_OF_SPLINE:
                    table = replace(table, times=times, values=self.interpolated(times))
                write_table(table, shortened, in_degrees=False)
                loads.setDataFileName(str(shortened))
            loads.thisown = False  # the model owns them even after an error
            try:
                with quiet():
                    copy.addModelComponent(loads)
                    copy.initSystem()
            except OPENSIM_ERRORS as error:
                reason = opensim_reason(error, {str(shortened): self.data})
                raise FileFormatError(self.path, f"these external loads cannot be applied: {reason}") from None
            state = ModelSystem(copy).new_state()
        loads.setDataFileName(str(self.data))  # needed by copies of the model
        return copy, state

    def interpolated(self, times: Array) -> Array:
        """Return all data columns (T, columns), interpolated at times (T,) [s] as by OpenSim's ``ExternalForce``.

        A row's effect on the natural cubic spline is below round-off :data:`BESIDE` rows away; extrapolation is linear.
        """
        rows = self._rows_of_spline(times)
        return _interpolated(times, self.times[rows], self._table.values[rows])

    def at(self, times: Array) -> dict[str, tuple[Array, Array, Array]]:
        """Return each load's force [N], point [m], torque [N m] (T, 3) at times (T,), in frames named by the setup."""
        values, rows = {}, self._rows_of_spline(times)
        for name in self.columns:
            acting = self._by_load[name][rows] if self._acting[name] else np.zeros((1, 9))
            interpolated = _interpolated(times, self.times[rows], acting)
            values[name] = (interpolated[:, :3], interpolated[:, 3:6], interpolated[:, 6:])
        return values

    def pressed(self, times: Array) -> set[str]:
        """Return bodies with a non-zero load at any of the given ``times`` [s]."""
        parts = {name: np.hstack(load) for name, load in self.at(times).items()}
        return {self.bodies[name][0] for name, values in parts.items() if values[:, [0, 1, 2, 6, 7, 8]].any()}

    def covered(self, times: Array) -> NDArray[np.bool_]:
        """Return whether the data cover each time (T,) [s], with a tolerance of one time step."""
        first, last = self.times[0], self.times[-1]
        step = float(np.median(np.diff(self.times))) if len(self.times) > 1 else 0.0
        return np.asarray((times >= first - step) & (times <= last + step))

    def check_bodies(self, model: osim.Model) -> None:
        """Raise :class:`UnknownNameError` if the model lacks a body that the loads name."""
        model_bodies = [body.getName() for body in model.getBodySet()] + ["ground"]
        named = [body for bodies in self.bodies.values() for body in bodies if body is not None]
        check_names("body", named, model_bodies, f"external loads {self.path}")

    def force_at(self, name: str, times: Array) -> Array:
        """Return a load's force (T, 3) [N] at times (T,), in the frame that the setup names; NaN outside the data."""
        forces = self.values(name)[:, :3].T
        return np.stack([np.interp(times, self.times, force, np.nan, np.nan) for force in forces], axis=1)

    def floor(self, up: Array, span: tuple[float, float]) -> float:
        """Return the floor's height [m] along ``up`` (3,): force-weighted mean of points of application in ``span``."""
        rows = (self.times >= span[0]) & (self.times <= span[1])
        height = weight = 0.0
        for name, labels in self.columns.items():
            if self.bodies[name][2] == "ground" and None not in labels[:6]:
                values = self.values(name)[rows]
                sizes = np.linalg.norm(values[:, :3], axis=1)
                height, weight = height + float(values[:, 3:6] @ up @ sizes), weight + float(sizes.sum())
        return height / weight if weight else 0.0

    def _rows_around(self, start: float, end: float) -> slice:
        """Return the data rows that affect the interpolating spline between two times [s]."""
        first, last = np.searchsorted(self.times, (start, end)).tolist()
        return slice(max(first - BESIDE, 0), last + BESIDE)

    def _rows_of_spline(self, times: Array) -> slice:
        """Return the rows that determine the spline at increasing times (T,) [s]."""
        rows = self._rows_around(times[0], times[-1])
        return rows if len(self.times[rows]) >= FEWEST_OF_SPLINE else slice(0, len(self.times))

    def _read(self) -> osim.ExternalLoads:
        try:
            return osim.ExternalLoads(narrow_name(self.path.resolve()), True)
        except OPENSIM_ERRORS as error:
            raise FileFormatError(self.path, f"OpenSim cannot read external loads: {opensim_reason(error)}") from None

    def _columns_of(self, load: osim.ExternalForce, table: Table) -> Iterator[str | None]:
        """Yield the nine column labels of a load: x, y, z of force, point and torque; None for an absent quantity."""
        for quantity in ("force", "point", "torque"):
            entry = load.getPropertyByName(f"{quantity}_identifier")
            identifier = unquoted(osim.PropertyHelper.getValueString(entry)) if entry.size() else ""
            labels = [label for label in table.labels if label.startswith(identifier)]
            suffixes = [label[len(identifier) :].lower() for label in labels]
            if not identifier:
                yield from (None, None, None)
                continue
            request = (
                f"load '{load.getName()}' asks for three columns '{identifier}x', '{identifier}y', '{identifier}z'"
            )
            if len(labels) != len(AXES):
                candidates = near_matches(f"{identifier}x", table.labels, most=3) if not labels else labels[:4]
                listing = ", ".join(f"'{label}'" for label in candidates)
                reason = f"{request} ({quantity}_identifier); {self.data.name} has {len(labels)} that begin so"
                raise FileFormatError(self.path, reason + (f"; there are {listing}" if listing else ""))
            if set(suffixes) == set(AXES) and tuple(suffixes) != AXES:
                order = ", ".join(f"'{label}'" for label in labels)
                raise FileFormatError(self.data, f"its columns are {order}, which OpenSim takes for x, y, z; {request}")
            yield from labels

    def uncovered(self, times: Array, extrapolated: bool = True) -> list[Diagnostic]:
        """Return a warning about times [s] without data; raise FileFormatError if no time has data."""
        covered = self.covered(times)
        if covered.all():
            return []
        first, last = self.times[0], self.times[-1]
        spans = f"go from {first:.6g} to {last:.6g} s, the times asked for from {times[0]:.6g} to {times[-1]:.6g} s"
        if not covered.any():
            unit = self._another_unit(times)
            raise FileFormatError(self.data, f"there are external loads for none of the times: they {spans}{unit}")
        if extrapolated:
            outside = times[~covered]
            text = (
                f"the external loads' data {spans}: OpenSim extrapolates forces at {len(outside)} of "
                f"{len(times)} of them, from {outside[0]:.6g} to {outside[-1]:.6g} s, and results there mean nothing; "
                "shorten the time range"
            )
        else:
            ends = times[~covered & (times < first)], times[~covered & (times > last)]
            rows = " and ".join(f"from {span[0]:.6g} to {span[-1]:.6g} s" for span in ends if len(span))
            text = (
                f"there are external loads from {first:.6g} to {last:.6g} s only, the motion goes from "
                f"{times[0]:.6g} to {times[-1]:.6g} s: {sum(map(len, ends))} of its {len(times)} rows, {rows}, "
                f"have no answer{self._another_unit(times)}"
            )
        return [Diagnostic("warning", "times without loads", self.data.name, text, kind=LoadsRangeWarning)]

    def _another_unit(self, times: Array) -> str:
        """Return a hint on units if the durations of ``times`` and data differ greatly, else an empty text."""
        ratio = float(np.ptp(times) / max(np.ptp(self.times), np.finfo(float).tiny))
        return "; see that both are in seconds" if ratio and not 1 / LONGER < ratio < LONGER else ""


def _interpolated(times: Array, rows: Array, values: Array) -> Array:
    """Return values (T, n) at times (T,), interpolated as in OpenSim from values (R, n) at times ``rows`` (R,) [s]."""
    if len(values) == 1:
        return np.tile(values, (len(times), 1))
    within = np.clip(times, rows[0], rows[-1])
    beyond = (times - within)[:, None]
    if len(values) < FEWEST_OF_SPLINE:
        slopes = np.diff(values, axis=0) / np.diff(rows)[:, None]
        between = np.column_stack([np.interp(within, rows, column) for column in values.T])
        return np.asarray(between + beyond * np.where(beyond < 0, slopes[0], slopes[-1]))
    spline = NaturalSpline(rows, values, 3)
    return np.asarray(spline(within) + (beyond * spline(within, 1) if beyond.any() else 0.0))


def switch_off(model: osim.Model, state: osim.State, names: Iterable[str]) -> None:
    """Switch forces off by name, group, or keyword (All, Actuators, Muscles)."""
    forces, groups = model.getForceSet(), osim.ArrayStr()
    by_name = {force.getName(): force for force in forces}
    forces.getGroupNames(groups)
    group_names = [groups.get(i) for i in range(groups.getSize())]
    for name in [names] if isinstance(names, str) else names:
        if kind := {"ALL": osim.Force, "ACTUATORS": osim.Actuator, "MUSCLES": osim.Muscle}.get(name.upper()):
            selected = [force for force in by_name.values() if kind.safeDownCast(force) is not None]
        elif name in group_names:
            members = forces.getGroup(name).getMembers()
            selected = [by_name[members.get(i).getName()] for i in range(members.getSize())]
        elif name in by_name:
            selected = [by_name[name]]
        else:
            raise UnknownNameError("force to exclude", name, [*by_name, *group_names, "All", "Actuators", "Muscles"])
        for force in selected:
            force.setAppliesForce(state, False)


LARGEST = 1e6
"""Largest plausible force [N], point [m] or torque [N m]."""
SLOWEST, MANY = 0.15, 20
"""Implausible time step [s] of measured tables with at least this many rows."""
QUANTITIES = ("force", "place", "torque")


def unit_findings(loads: Loads, model: osim.Model, span: tuple[float, float] | None = None) -> list[Diagnostic]:
    """Return diagnostics on the header of the loads' data, implausibly large loads, and implausible time steps."""
    loads.check_bodies(model)
    found, times = [*loads.findings], loads.times
    sizes = {name: float(np.abs(loads.values(name)).max()) for name in loads.columns}
    name = max(sizes, key=lambda name: sizes[name])
    if sizes[name] > LARGEST:
        values = loads.values(name)
        row, column = map(int, np.unravel_index(int(np.abs(values).argmax()), values.shape))
        cell = f"{loads.data}: column '{loads.columns[name][column]}' in row {row + 1} (at time {times[row]:.6g} s)"
        text = f"it is {values[row, column]:.6g}, which is no {QUANTITIES[column // 3]} that acts on a body"
        return [*found, Diagnostic("error", "size of loads", cell, text, ("correct the column or its unit",))]
    step = float(np.median(np.diff(times))) if len(times) > 2 else 0.0
    if step < SLOWEST or len(times) < MANY:
        return found
    text = f"rows follow each other after {step:.3g} s, {1 / step:.3g} rows a second"
    lasting, asked = float(times[-1] - times[0]), 0.0 if span is None else span[1] - span[0]
    longer = asked > 0 and lasting > LONGER * asked
    if longer:
        text += f", and go on for {lasting:.4g} s where the motion takes {asked:.4g} s"
    are_frames = np.array_equal(times, np.round(times)) and round(step) == 1
    text += f": times seem to be {'numbers of frames' if are_frames else 'in milliseconds'}"
    severity = "error" if step > 3 * SLOWEST or longer else "warning"
    return [*found, Diagnostic(severity, "times", str(loads.data), text, ("write times in seconds",))]


#: Vertical force that indicates ground contact [N].
THRESHOLD = 20.0
#: Shortest contact and shortest gap between contacts [s].
SHORTEST_CONTACT = 0.05
CONTACT, OFF = "contact", "off"
#: Names of the two events in tables, letters only.
EVENTS = dict.fromkeys(("contact", "strike", "footstrike", "heelstrike", "initialcontact", "ic", "hs", "fs"), CONTACT)
EVENTS |= dict.fromkeys(("off", "toeoff", "footoff", "to", "fo"), OFF)
FEET = {"r": "r", "right": "r", "l": "l", "left": "l"}
EVENT_COLUMNS = ("time", "side", "event")

Event = Mapping[str, Any]
"""A gait event: its ``time`` [s], ``side`` ("r", "l") and ``event`` ("contact", "off")."""


def gait_events(loads: Loads, gravity: Array, span: tuple[float, float]) -> list[Event]:
    """Return foot contact and foot off events in a time range [s], ordered by time.

    The vertical force, summed by side, crosses :data:`THRESHOLD`; phases shorter than :data:`SHORTEST_CONTACT` are
    ignored. Without ``gravity`` (3,) there are no events.
    """
    size = float(np.linalg.norm(gravity))
    if not size > 0:
        return []
    forces: dict[str, Array] = {}
    for name, (body, axes, _) in loads.bodies.items():
        side = stem_and_side(body)[1]
        if side and axes == GROUND:
            forces[side] = forces.get(side, np.zeros(len(loads.times))) + loads.values(name)[:, :3] @ (-gravity / size)
    events = []
    for side, force in forces.items():
        on_ground = force > THRESHOLD
        for state in (False, True):  # close short gaps, then remove short contacts
            edges = np.flatnonzero(np.diff(on_ground)) + 1
            for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
                if on_ground[first] == state and loads.times[end] - loads.times[first] < SHORTEST_CONTACT:
                    on_ground[first:end] = not state
        for k in np.flatnonzero(np.diff(on_ground)).tolist():
            share = (THRESHOLD - force[k]) / (force[k + 1] - force[k])
            time = float(loads.times[k] + share * (loads.times[k + 1] - loads.times[k]))
            if span[0] <= time <= span[1]:
                events.append({"time": time, "side": side, "event": CONTACT if on_ground[k + 1] else OFF})
    return sorted(events, key=lambda event: event["time"])


def read_gait_events(source: str | os.PathLike[str] | pd.DataFrame) -> list[Event]:
    """Return the gait events of a table with ``time`` [s], ``side`` and ``event``."""
    number_of: Callable[[str], float] = float
    if isinstance(source, str | os.PathLike):
        cells = read_cells(source, EVENT_COLUMNS[0])
        head = cells.rows[0][1] if cells.rows else []
        name, rows, number_of = os.fspath(source), list(cells.rows[1:]), cells.number
    else:
        name, head = "the table of gait events", [str(column) for column in source.columns]
        rows = [(number, list(map(str, row))) for number, row in enumerate(source.itertuples(index=False), 1)]
    head = [column.strip().lower() for column in head]
    if missing := [column for column in EVENT_COLUMNS if column not in head]:
        raise FileFormatError(name, f"has no column '{missing[0]}': expected {', '.join(EVENT_COLUMNS)}")
    events = []
    for number, row in rows:
        if len(row) < len(head):
            raise FileFormatError(name, f"row {number} has {len(row)} cells, expected {len(head)}")
        time, side, event = (row[head.index(column)].strip() for column in EVENT_COLUMNS)
        kind = EVENTS.get("".join(filter(str.isalpha, event.lower())))
        if kind is None or side.lower() not in FEET:
            which, word, known = ("event", event, EVENTS) if kind is None else ("side", side, FEET)
            raise UnknownNameError(which, word, list(known), f"{name}, row {number}")
        try:
            moment = number_of(time)
        except ValueError:
            moment = np.nan
        if not np.isfinite(moment):
            raise FileFormatError(name, f"row {number}: the time '{time}' is not a number")
        events.append({"time": moment, "side": FEET[side.lower()], "event": kind})
    return sorted(events, key=lambda event: event["time"])


def gait_cycles(events: Iterable[Event], span: tuple[float, float]) -> dict[str, Sequence[tuple[float, float]]]:
    """Return gait cycles by side ("r", "l"): start and end [s], from one foot contact to the next."""
    contacts: dict[str, list[float]] = {"r": [], "l": []}
    for event in events:
        if event["event"] == CONTACT and span[0] <= event["time"] <= span[1]:
            contacts[event["side"]].append(event["time"])
    return {side: list(zip(times[:-1], times[1:], strict=True)) for side, times in contacts.items() if len(times) > 1}


def cycles_of(name: str, cycles: Mapping[str, Sequence[tuple[float, float]]]) -> Sequence[tuple[float, float]]:
    """Return the gait cycles of a coordinate's side; if there are none, of the right side, or else of the left side."""
    return cycles.get(stem_and_side(name)[1]) or cycles.get("r") or cycles.get("l", ())
