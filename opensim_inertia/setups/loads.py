"""External loads: measured forces, read as motions are, held against their setup, and added to a model."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

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

__all__ = ["Loads", "LoadsJumpWarning", "LoadsRangeWarning", "switch_off"]

AXES = ("x", "y", "z")
#: Rows of a table beside the times wanted that are kept, and the share of the rows above which all are.
BESIDE, SHORTER = 100, 0.7


class LoadsRangeWarning(InertiaWarning):
    """External loads have no data for some of the times asked for: there is no answer, or OpenSim extrapolates them."""


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
        columns: by the load's name (with a number where several have the same one), nine labels of columns: force,
            point, torque; None where it has no such part.
        bodies: by load, the bodies to which it is applied, in which its force and in which its point are expressed; the
            last is None where it names no point.

    Raises:
        FileFormatError: one of the files is missing or malformed; the setup has no load; a cell is not a finite number,
            even where no load uses it; times do not increase; an identifier in the setup does not fit three columns in
            the order x, y, z.
    """

    def __init__(self, path: str | os.PathLike[str], wanted: tuple[float, float] | None = None) -> None:
        self.path, self._wanted = Path(path), wanted
        if not self.path.is_file():
            raise FileFormatError(path, "external loads file does not exist")
        if b"<ExternalLoads" not in self.path.read_bytes():
            raise FileFormatError(path, "this is not an external loads file: it has no <ExternalLoads>")
        loads = self._read()
        if not loads.getSize():
            raise FileFormatError(path, "it has no <ExternalForce>: no load would act; leave the file out instead")
        named, folder = loads.getDataFileName(), self.path.resolve().parent
        self.data = folder / named
        if not named or not self.data.is_file():
            raise FileFormatError(path, f"its data file '{named}' does not exist in {folder}")
        table = read_table(self.data)
        self.columns = {name: list(self._columns_of(load, table)) for name, load in _named(loads)}
        self.bodies = {name: _bodies(load) for name, load in _named(loads)}
        self._times, values = checked_numbers(table, partial(FileFormatError, self.data))
        self._values = pd.DataFrame(values, columns=table.columns)

    @property
    def times(self) -> Array:
        """The times of the table's rows (rows,) [s]."""
        return self._times

    def values(self, load: str) -> Array:
        """Return a load's force [N], point [m] and torque [N m] (rows, 9); zero where it has no such part."""
        labels = self.columns[load]
        zero = np.zeros(len(self._times))
        return np.column_stack([zero if label is None else self._values[label] for label in labels])

    def added_to(self, model: osim.Model) -> tuple[osim.Model, osim.State]:
        """Return a copy of an initialised model that has these loads, initialised too, and its state.

        Raises:
            UnknownNameError: a body of the loads is not in the model.
            FileFormatError: OpenSim cannot apply the loads.
        """
        copy, loads = osim.Model(model), self._read()
        self.check_bodies(copy)
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

    def covered(self, times: Array) -> NDArray[np.bool_]:
        """Return for which times [s] there are data, (T,): those at most one row of the table beyond it are covered."""
        first, last = self._times[0], self._times[-1]
        step = float(np.median(np.diff(self._times))) if len(self._times) > 1 else 0.0
        return np.asarray((times >= first - step) & (times <= last + step))

    def check_bodies(self, model: osim.Model) -> None:
        """Raise :class:`UnknownNameError` if a body of the loads is not in a model."""
        known = [body.getName() for body in model.getBodySet()] + ["ground"]
        for bodies in self.bodies.values():
            for body in bodies:
                if body is not None and body not in known:
                    raise UnknownNameError("body", body, known, f"external loads {self.path}")

    def warn(self, times: Array, strict: bool = False, extrapolated: bool = True) -> list[str]:
        """Warn of times without data, and return what was said.

        Beyond a table OpenSim extrapolates forces. Which times count as covered :meth:`covered` says.

        Args:
            times: the times asked for [s], increasing.
            strict: raise :class:`MotionError` instead.
            extrapolated: whether times without data are computed with what OpenSim makes of them, or left out.

        Raises:
            FileFormatError: there are data for none of the times.
        """
        text = self._beyond(times, extrapolated)
        return [warn_or_raise(LoadsRangeWarning(text), MotionError(text) if strict else None)] if text else []

    def force_at(self, name: str, times: Array) -> Array:
        """Return the force of a load (T, 3) [N] in the axes of its body, between rows linear, NaN beyond the data."""
        forces = self.values(name)[:, :3].T
        return np.stack([np.interp(times, self._times, force, np.nan, np.nan) for force in forces], axis=1)

    def floor(self, up: Array, span: tuple[float, float]) -> float:
        """Return how high above ground's origin loads act [m]: the mean of their points in ground, by their forces.

        Args:
            up: the unit vector (3,) upwards.
            span: first and last time that count [s].
        """
        rows = (self._times >= span[0]) & (self._times <= span[1])
        height = weight = 0.0
        for name, labels in self.columns.items():
            if self.bodies[name][2] == "ground" and None not in labels[:6]:
                values = self.values(name)[rows]
                sizes = np.linalg.norm(values[:, :3], axis=1)
                height, weight = height + float(values[:, 3:6] @ up @ sizes), weight + float(sizes.sum())
        return height / weight if weight else 0.0

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

    def _beyond(self, times: Array, extrapolated: bool) -> str | None:
        """Return a message that names the times for which there are no data; None if there are for all."""
        covered = self.covered(times)
        if covered.all():
            return None
        first, last = self._times[0], self._times[-1]
        spans = f"go from {first:.6g} to {last:.6g} s, the times asked for from {times[0]:.6g} to {times[-1]:.6g} s"
        if not covered.any():
            raise FileFormatError(self.data, f"there are external loads for none of the times: they {spans}")
        if extrapolated:
            outside = times[~covered]
            return (
                f"the external loads' data {self.data.name} {spans}: OpenSim extrapolates forces at {len(outside)} of "
                f"{len(times)} of them, from {outside[0]:.6g} to {outside[-1]:.6g} s, and what comes out there means "
                "nothing; shorten the time range"
            )
        before, after = times[~covered & (times < first)], times[~covered & (times > last)]
        rows = " and ".join(f"from {part[0]:.6g} to {part[-1]:.6g} s" for part in (before, after) if len(part))
        return (
            f"there are external loads from {first:.6g} to {last:.6g} s only ({self.data.name}): "
            f"{len(before) + len(after)} of {len(times)} rows of the motion, {rows}, have no answer"
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


def _each(loads: osim.ExternalLoads) -> list[osim.ExternalForce]:
    return [loads.get(i) for i in range(loads.getSize())]


def _bodies(load: osim.ExternalForce) -> tuple[str, str, str | None]:
    """Return the names of the bodies to which a load is applied, and in which its force and its point are expressed."""
    point = load.getPointExpressedInBodyName() if load.specifiesPoint() else None
    return load.getAppliedToBodyName(), load.getForceExpressedInBodyName(), point


def _named(loads: osim.ExternalLoads) -> Iterator[tuple[str, osim.ExternalForce]]:
    """Yield the loads with their names; loads of the same name are numbered from the second on."""
    counts: Counter[str] = Counter()
    for load in _each(loads):
        name = load.getName()
        counts[name] += 1
        yield (name if counts[name] == 1 else f"{name} ({counts[name]})"), load
