"""External loads: measured forces, read as motions are, held against their setup, and added to a model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from .._opensim import osim, quiet
from ..arrays import Array
from ..checks import warn_or_raise
from ..errors import (
    OPENSIM_ERRORS,
    FileFormatError,
    InertiaWarning,
    MotionError,
    UnknownNameError,
    near_matches,
    opensim_reason,
)
from ..files import checked_numbers, read_table, write_table
from ..files.tool_xml import unquoted
from ..reading import ModelSystem
from ..scratch import scratch_folder
from .load_jumps import find_jumps

__all__ = ["Loads", "LoadsJumpWarning", "LoadsRangeWarning", "switch_off"]

AXES = ("x", "y", "z")
#: Rows of a table beside the times wanted that are kept, and the share of the rows above which all are.
BESIDE, SHORTER = 100, 0.7


class LoadsRangeWarning(InertiaWarning):
    """External loads have no data for some of the times asked for, where OpenSim extrapolates them."""


class LoadsJumpWarning(InertiaWarning):
    """External loads jump from one row to the next, as damaged data do. The beginning of a contact is no jump."""


class Loads:
    """The external loads of a file, with their measured data, every cell of which has been checked.

    OpenSim takes what it finds: a cell that is not a number spoils others, and a table goes on beyond its rows.

    Args:
        path: the file of external loads (``.xml``).
        wanted: first and last time at which they will be evaluated [s], in models that are not initialised anew;
            default: any. Rows of the table that do not matter there are left out: OpenSim's time for each evaluation
            grows with their number.

    Attributes:
        path: as given.
        data: the file of measured forces that it names.
        columns: by load, nine labels of columns: force, point, torque; None where it has no such part.

    Raises:
        FileFormatError: one of the files is missing or malformed; a cell is not a finite number, even where no load
            uses it; times do not increase; an identifier in the setup does not fit three columns in the order x, y, z.
    """

    def __init__(self, path: str | os.PathLike[str], wanted: tuple[float, float] | None = None) -> None:
        self.path, self._wanted = Path(path), wanted
        if not self.path.is_file():
            raise FileFormatError(path, "external loads file does not exist")
        if b"<ExternalLoads" not in self.path.read_bytes():
            raise FileFormatError(path, "this is not an external loads file: it has no <ExternalLoads>")
        loads = self._read()
        named, folder = loads.getDataFileName(), self.path.resolve().parent
        self.data = folder / named
        if not named or not self.data.is_file():
            raise FileFormatError(path, f"its data file '{named}' does not exist in {folder}")
        table = read_table(self.data)
        self.columns = {load.getName(): list(self._columns_of(load, table)) for load in _each(loads)}
        self._times, values = checked_numbers(table, partial(FileFormatError, self.data))
        self._values = pd.DataFrame(values, columns=table.columns)

    def added_to(self, model: osim.Model) -> tuple[osim.Model, osim.State]:
        """Return a copy of an initialised model that has these loads, initialised too, and its state.

        Raises:
            UnknownNameError: a body of the loads is not in the model.
            FileFormatError: OpenSim cannot apply the loads.
        """
        copy, loads = osim.Model(model), self._read()
        _check_bodies(copy, loads, self.path)
        loads.thisown = False  # the model has them even where it then refuses them
        with scratch_folder() as scratch:
            shortened = scratch / "loads.sto"
            self._shorten(loads, shortened)
            try:
                with quiet():
                    copy.addModelComponent(loads)
                    copy.initSystem()
            except OPENSIM_ERRORS as error:
                reason = f"these external loads cannot be applied: {opensim_reason(error, {str(shortened): self.data})}"
                raise FileFormatError(self.path, reason) from None
        return copy, ModelSystem(copy).new_state()

    def warn(self, times: Array, strict: bool = False) -> list[str]:
        """Warn of loads that jump, and of times without data, and return what was said.

        Beyond a table OpenSim extrapolates forces. A time that is at most one row of the table beyond it
        counts as covered. Jumps are told from contacts as :mod:`~opensim_inertia.setups.load_jumps` says.

        Args:
            times: the times asked for [s], increasing.
            strict: raise :class:`MotionError` instead.

        Raises:
            FileFormatError: there are data for none of the times.
        """
        looked_for = ((LoadsJumpWarning, self._jumps), (LoadsRangeWarning, self._beyond))
        return [
            warn_or_raise(kind(text), MotionError(text) if strict else None)
            for kind, find in looked_for
            if (text := find(times))
        ]

    def _shorten(self, loads: osim.ExternalLoads, path: Path) -> None:
        """Let loads read their data from a new file of those rows that matter at the times wanted.

        OpenSim leads cubic splines through a table. What a row changes shrinks at least by half from each row to the
        next, and so is less than rounding :data:`BESIDE` rows further.
        """
        if self._wanted is None:
            return
        first, last = np.searchsorted(self._times, self._wanted).tolist()
        rows = slice(max(first - BESIDE, 0), last + BESIDE)
        if len(self._times[rows]) < SHORTER * len(self._times) and self._values.columns.is_unique:
            write_table(self._values.iloc[rows].set_axis(self._times[rows]), path, in_degrees=False)
            loads.setDataFileName(str(path))

    def _read(self) -> osim.ExternalLoads:
        try:
            return osim.ExternalLoads(str(self.path.resolve()), True)
        except OPENSIM_ERRORS as error:
            raise FileFormatError(self.path, f"OpenSim cannot read external loads: {opensim_reason(error)}") from None

    def _columns_of(self, load: osim.ExternalForce, table: pd.DataFrame) -> Iterator[str | None]:
        """Yield the nine columns of a load: force, point, torque; three times None where it has no such part."""
        for what in ("force", "point", "torque"):
            given = load.getPropertyByName(f"{what}_identifier")
            identifier = unquoted(osim.PropertyHelper.getValueString(given)) if given.size() else ""
            labels = [str(label) for label in table.columns if str(label).startswith(identifier)]
            last = [label[len(identifier) :].lower() for label in labels]
            if not identifier:
                yield from (None, None, None)
                continue
            asked = f"load '{load.getName()}' asks for three columns '{identifier}x', '{identifier}y', '{identifier}z'"
            if len(labels) != len(AXES):
                near = near_matches(f"{identifier}x", table.columns, most=3) if not labels else labels[:4]
                there = ", ".join(f"'{label}'" for label in near)
                reason = f"{asked} ({what}_identifier); {self.data.name} has {len(labels)} that begin so"
                raise FileFormatError(self.path, reason + (f"; there are {there}" if there else ""))
            if set(last) == set(AXES) and tuple(last) != AXES:
                order = ", ".join(f"'{label}'" for label in labels)
                raise FileFormatError(self.data, f"its columns are {order}, which OpenSim takes for x, y, z; {asked}")
            yield from labels

    def _jumps(self, times: Array) -> str | None:
        """Return a message that names the largest jump of all loads during some times; None if there is none."""
        first, last = np.searchsorted(self._times, (times[0], times[-1])) + (-1, 1)
        jumps = []
        for name, labels in self.columns.items():
            columns = [np.zeros(len(self._times)) if label is None else self._values[label] for label in labels]
            values = np.column_stack(columns)
            found = find_jumps(values)
            during = [jump for jump in found if first <= jump.row <= last]
            jumps += [(jump.size, name, labels[jump.column], jump.row) for jump in during]
        if not jumps:
            return None
        _, name, label, row = max(jumps, key=lambda jump: jump[0])
        before, after = self._values[label].iloc[row - 1 : row + 1]
        more = f", and there are {len(jumps) - 1} more such jumps" if len(jumps) > 1 else ""
        return (
            f"{self.data}: the load '{name}' jumps: column '{label}' is {after:.6g} in row {row + 1} (at time "
            f"{self._times[row]:.6g} s), after {before:.6g} in the row before{more}; if this is damage, the forces "
            "that come out there are wrong"
        )

    def _beyond(self, times: Array) -> str | None:
        """Return a message that names the times for which there are no data; None if there are for all."""
        first, last = self._times[0], self._times[-1]
        step = float(np.median(np.diff(self._times))) if len(self._times) > 1 else 0.0
        outside = times[(times < first - step) | (times > last + step)]
        if not len(outside):
            return None
        spans = f"go from {first:.6g} to {last:.6g} s, the times asked for from {times[0]:.6g} to {times[-1]:.6g} s"
        if times[-1] < first - step or times[0] > last + step:
            raise FileFormatError(self.data, f"there are external loads for none of the times: they {spans}")
        return (
            f"the external loads' data {self.data.name} {spans}: OpenSim extrapolates forces at {len(outside)} of "
            f"{len(times)} of them, from {outside[0]:.6g} to {outside[-1]:.6g} s, and what comes out there means "
            "nothing; shorten the time range"
        )


def switch_off(model: osim.Model, state: osim.State, names: Iterable[str]) -> None:
    """Switch forces off in a state, by name, group, or one of the keywords All, Actuators, Muscles (in any case).

    Raises:
        UnknownNameError: a name is neither a force, nor a group, nor a keyword.
    """
    forces = model.getForceSet()
    every = [forces.get(i) for i in range(forces.getSize())]
    by_name = {f.getName(): f for f in every}
    groups = osim.ArrayStr()
    forces.getGroupNames(groups)
    group_names = [groups.get(i) for i in range(groups.getSize())]
    for name in [names] if isinstance(names, str) else names:
        keyword = name.upper()
        if keyword == "ALL":
            chosen = every
        elif keyword == "ACTUATORS":
            chosen = [f for f in every if osim.Actuator.safeDownCast(f) is not None]
        elif keyword == "MUSCLES":
            chosen = [f for f in every if osim.Muscle.safeDownCast(f) is not None]
        elif name in group_names:
            members = forces.getGroup(name).getMembers()
            chosen = [by_name[members.get(i).getName()] for i in range(members.getSize())]
        elif name in by_name:
            chosen = [by_name[name]]
        else:
            raise UnknownNameError("force to exclude", name, [*by_name, *group_names, "All", "Actuators", "Muscles"])
        for force in chosen:
            force.setAppliesForce(state, False)


def _check_bodies(model: osim.Model, loads: osim.ExternalLoads, path: object) -> None:
    bodies = model.getBodySet()
    known = [bodies.get(i).getName() for i in range(bodies.getSize())] + ["ground"]
    for load in _each(loads):
        names = [load.getAppliedToBodyName(), load.getForceExpressedInBodyName()]
        if load.specifiesPoint():
            names.append(load.getPointExpressedInBodyName())
        for body in names:
            if body not in known:
                raise UnknownNameError("body", body, known, f"external loads {path}")


def _each(loads: osim.ExternalLoads) -> list[osim.ExternalForce]:
    return [loads.get(i) for i in range(loads.getSize())]
