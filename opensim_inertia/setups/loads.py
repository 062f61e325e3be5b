"""External loads added to a model, and forces switched off, as OpenSim's tools do."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from .._opensim import osim, quiet
from ..arrays import Array
from ..errors import FileFormatError, InertiaWarning, UnknownNameError, opensim_reason
from ..files import time_span


class LoadsRangeWarning(InertiaWarning):
    """External loads have no data for some of the times asked for, where OpenSim extrapolates them."""


def with_external_loads(model: osim.Model, path: str | os.PathLike[str]) -> osim.Model:
    """Return a copy of an initialised model that has the external loads of an XML file, not yet initialised.

    Raises:
        FileFormatError: the file or its data file is missing or malformed.
    """
    file = Path(path)
    if not file.is_file():
        raise FileFormatError(path, "external loads file does not exist")
    if b"<ExternalLoads" not in file.read_bytes():
        raise FileFormatError(path, "this is not an external loads file: it has no <ExternalLoads>")
    try:
        loads = osim.ExternalLoads(str(file.resolve()), True)
        data_file = loads.getDataFileName()
    except RuntimeError as error:
        raise FileFormatError(path, f"OpenSim cannot read external loads: {opensim_reason(error)}") from None
    if not data_file or not (file.resolve().parent / data_file).is_file():
        raise FileFormatError(path, f"its data file '{data_file}' does not exist in {file.resolve().parent}")
    copy = osim.Model(model)
    _check_bodies(copy, loads, path)
    loads.thisown = False  # the model has them even where it then refuses them
    try:
        copy.addModelComponent(loads)
    except RuntimeError as error:
        raise FileFormatError(path, f"these external loads cannot be applied: {opensim_reason(error)}") from None
    return copy


def data_file(path: str | os.PathLike[str]) -> Path:
    """Return the file of measured forces that an external loads file names."""
    named = ElementTree.parse(path).find(".//datafile")
    return Path(path).resolve().parent / ("" if named is None else named.text or "").strip()


def beyond_data(path: str | os.PathLike[str], times: Array) -> str | None:
    """Return a message that names the times (T,) [s] for which external loads have no data; None if they have.

    Beyond its table OpenSim extrapolates forces, by splines, without a word. A time that is at most one row of the
    table beyond it counts as covered.

    Args:
        path: the external loads file.
        times: increasing.
    """
    data = data_file(path)
    first, last, step = time_span(data)
    outside = times[(times < first - step) | (times > last + step)]
    if not len(outside):
        return None
    return (
        f"the external loads' data {data.name} go from {first:.6g} to {last:.6g} s, the times asked for from "
        f"{times[0]:.6g} to {times[-1]:.6g} s: OpenSim extrapolates forces at {len(outside)} of {len(times)} of them, "
        f"from {outside[0]:.6g} to {outside[-1]:.6g} s, and what comes out there means nothing; shorten the time range"
    )


def initialise_with_loads(model: osim.Model, path: str | os.PathLike[str]) -> osim.State:
    """Initialise a model to which external loads were added.

    Raises:
        FileFormatError: the loads do not fit their data or the model.
    """
    try:
        with quiet():
            return model.initSystem()
    except RuntimeError as error:
        raise FileFormatError(path, f"these external loads cannot be applied: {opensim_reason(error)}") from None


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
    for i in range(loads.getSize()):
        force = loads.get(i)
        names = [force.getAppliedToBodyName(), force.getForceExpressedInBodyName()]
        if force.specifiesPoint():
            names.append(force.getPointExpressedInBodyName())
        for body in names:
            if body not in known:
                raise UnknownNameError("body", body, known, f"external loads {path}")


__all__ = [
    "LoadsRangeWarning",
    "data_file",
    "initialise_with_loads",
    "beyond_data",
    "switch_off",
    "with_external_loads",
]
