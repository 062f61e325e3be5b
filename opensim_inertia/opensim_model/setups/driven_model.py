"""Models with the forces, controllers and initial states of a setup."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from ..._core.checks import check_names
from ..._core.errors import OPENSIM_ERRORS, FileFormatError, UnknownNameError, opensim_reason
from ..._core.opensim import osim, quiet
from ..._core.processes import scratch_folder
from ...files.documents import load_tool, parse_document
from ...files.setups import ControllerSetup, ForwardSetup, StaticOptimizationSetup
from ...files.tables import check_unique, checked_numbers, load_table, rotations_to_radians
from ..reading.components import model_muscles
from ..reading.loading import copy_model, initialise, load_model


def load_for_recruitment(setup: StaticOptimizationSetup, path: object) -> osim.Model:
    """Return the model of a Static Optimization setup."""
    assert setup.model_file is not None
    model = load_model(setup.model_file)
    if setup.replace_force_set:
        initialise(model)
        add_force_sets(model, setup.force_set_files, path, replace=True)
    return model


def add_force_sets(model: osim.Model, files: Sequence[Path], setup: object, replace: bool = False) -> None:
    """Add the forces in files to an initialised model, or replace the model's forces; initialise the model again."""
    if not files and not replace:
        return
    roots = [parse_document(file, "ForceSet", "a set of forces") for file in files]
    for file, root in zip(files, roots, strict=True):
        load_tool(file, _try_force_set, root)
    with scratch_folder() as scratch:
        copies = [os.path.join(scratch, f"{i}.xml") for i in range(len(files))]
        for copy, root in zip(copies, roots, strict=True):
            Path(copy).write_bytes(ElementTree.tostring(root, encoding="utf-8"))
        try:
            _update_forces(model, copies, replace)
        except OPENSIM_ERRORS as error:
            forces_text = f"of {', '.join(file.name for file in files)}" if files else "that are left"
            reason = opensim_reason(error, dict(zip(copies, files, strict=True)))
            raise FileFormatError(setup, f"the forces {forces_text} do not fit the model: {reason}") from None


def _try_force_set(file: str) -> None:
    try:
        osim.ForceSet(file, True)
    except SystemError:  # a C++ exception is lost here; the tool's reader throws it again
        _update_forces(osim.Model(), [file], True)


def _update_forces(model: osim.Model, files: Iterable[str], replace: bool) -> None:
    names = osim.ArrayStr()
    for file in files:
        names.append(file)
    tool = osim.ForwardTool()
    tool.setReplaceForceSet(replace)
    tool.setForceSetFiles(names)
    tool.updateModelForces(model, os.path.join(os.getcwd(), "setup.xml"))


CORRECTION = "CorrectionController"


def correction_of(
    setup: ForwardSetup, states: Path | None, model: osim.Model
) -> Callable[[osim.State], dict[str, float]] | None:
    """Return the ``CorrectionController`` as a function from state to forces [N m or N]; None if none is enabled.

    Forces are ``-kp (q - q*) - kv (u - u*)``, with q* and u* interpolated linearly in the states file.
    """
    corrections = [item for item in setup.controllers if item.kind == CORRECTION and item.enabled]
    name = f"{CORRECTION} '{corrections[0].name}'" if corrections else ""
    if not corrections:
        return None
    if len(corrections) > 1:
        raise FileFormatError(setup.file, f"has {len(corrections)} {CORRECTION}s; expected one")
    if states is None:
        raise FileFormatError(setup.file, f"{name} needs a states_file, which it follows")
    coordinates = model.getCoordinateSet()
    names = tuple(coordinates.get(i).getName() for i in range(coordinates.getSize()))
    table = load_table(states)
    labels = osim.StdVectorString(list(table.labels))
    paths = [f"{coordinates.get(name).getAbsolutePathString()}/{kind}" for kind in ("value", "speed") for name in names]
    columns = [osim.TableUtilities.findStateLabelIndex(labels, path) for path in paths]
    for path, column in zip(paths, columns, strict=True):
        if column < 0:
            raise FileFormatError(states, f"has no column '{path}', which {name} follows")
    followed_states = rotations_to_radians(table.columns(columns, paths), model)
    times, values = checked_numbers(followed_states, partial(FileFormatError, states), 1, " to follow")
    text = ElementTree.fromstring(corrections[0].controller.dump())  # the controller's class is missing in Python
    kp, kv = (float(text.findtext(gain, "nan")) for gain in ("kp", "kv"))

    def forces(state: osim.State) -> dict[str, float]:
        wanted = [np.interp(state.getTime(), times, column) for column in values.T]
        return {
            name: float(-kp * (each.getValue(state) - q) - kv * (each.getSpeedValue(state) - u))
            for name, q, u in zip(names, wanted, wanted[len(names) :], strict=False)
            if not (each := model.getCoordinateSet().get(name)).isConstrained(state)
        }

    return forces


#: Tolerance of the initial time in a states file [s].
ROUNDING = 1e-6
#: Prefix of state paths of swinging masses.
SWINGS = "/wobble/"
#: Largest plausible coordinate or speed [rad, m, rad/s, m/s].
LARGEST = 1e6


def read_initial_states(
    path: str | os.PathLike[str], model: osim.Model, state: osim.State, time: float
) -> tuple[list[str], dict[str, float]]:
    """Set a state from a file as the Forward Tool does; return variables not in the file, and wobbling masses' values.

    Locked coordinates keep their values; constraints and muscle equilibrium are not imposed. Names may be those of
    OpenSim 4 or older.
    """
    table = load_table(path)
    times = table.times
    if not (np.isfinite(times).all() and (np.diff(times) >= 0).all()):
        raise FileFormatError(path, "its times are not finite, or decrease")
    if not times[0] - ROUNDING <= time <= times[-1] + ROUNDING:
        raise FileFormatError(
            path, f"has states from {times[0]:.9g} to {times[-1]:.9g} s; the initial time {time:.9g} s is not in it"
        )
    names = model.getStateVariableNames()
    variables = [names.get(i) for i in range(names.getSize())]
    swinging = [i for i, label in enumerate(table.labels) if label.startswith(SWINGS)]
    swings = table.columns(swinging)
    table = table.columns([i for i in range(len(table.labels)) if i not in swinging])
    labels, columns = list(table.labels), dict[str, int]()
    label_vector = osim.StdVectorString(labels)
    for variable in variables:  # OpenSim's rules for old and new names
        if (column := osim.TableUtilities.findStateLabelIndex(label_vector, variable)) >= 0:
            columns[variable] = column
    check_unique(path, labels, [labels[column] for column in columns.values()])
    for column, label in enumerate(labels):
        if column not in columns.values():
            valid = variables if "/" in label else [_old_name(variable) for variable in variables]
            raise UnknownNameError("state variable", label, valid, f"states {path}")
    row = max(int(np.searchsorted(times, time, side="right")) - 1, 0)
    doubles = np.flatnonzero(times == times[row])
    start = table.columns(list(columns.values()), columns)
    numbers = start.values[doubles]
    if not np.array_equal(numbers, np.broadcast_to(numbers[-1], numbers.shape), equal_nan=True):
        raise FileFormatError(
            path,
            f"has {len(doubles)} rows at {times[row]:.9g} s that differ, rows {doubles[0] + 1} to "
            f"{doubles[-1] + 1}; expected times that increase",
        )
    start = rotations_to_radians(replace(start, times=times[[row]], values=start.values[[row]]), model)
    values = dict(zip(start.labels, start.values[0].tolist(), strict=True))
    for variable, value in values.items():
        at = f"column '{table.labels[columns[variable]]}' is {value:g} at time {times[row]:.9g} s"
        if not np.isfinite(value):
            raise FileFormatError(path, at)
        if abs(value) > LARGEST and variable.endswith(("/value", "/speed")):
            raise FileFormatError(path, f"{at}, which is no angle, place or speed of a body")
    for variable, value in values.items():
        model.setStateVariableValue(state, variable, value)
    state.setTime(float(times[row]))
    defaults = [name for name in variables if name not in columns]
    return defaults, dict(zip(swings.labels, swings.values[row].tolist(), strict=True))


def _old_name(variable: str) -> str:
    """Return the name that a state variable had before OpenSim 4."""
    owner, kind = variable.split("/")[-2:] if "/" in variable else (variable, "value")
    return {"value": owner, "speed": f"{owner}_u"}.get(kind, f"{owner}.{kind}")


EXCITATION = ".excitation"


def driven_model(model: osim.Model | str | os.PathLike[str], setup: ForwardSetup) -> tuple[osim.Model, tuple[str, ...]]:
    """Return a copy of the model with a setup's forces and controllers, and the names of muscles without controller."""
    copy = copy_model(model)
    with quiet():
        initialise(copy)
        add_force_sets(copy, setup.force_set_files, setup.file, setup.replace_force_set)
    paths = [c.getAbsolutePathString() for c in copy.getComponentsList() if osim.Actuator.safeDownCast(c) is not None]
    actuators = {path.rsplit("/", 1)[-1]: path for path in paths} | {path: path for path in paths}
    usable = [controller for controller in setup.controllers if _is_usable(controller, actuators, setup.file)]
    try:
        with quiet():
            for controller in usable:
                addition = controller.controller.clone()
                addition.thisown = False  # the model owns it even after an error
                copy.addController(addition)
            copy.initSystem()
    except OPENSIM_ERRORS as error:
        raise FileFormatError(setup.file, f"its controllers do not fit the model: {opensim_reason(error)}") from None
    driven_paths = driven_actuators(copy)
    muscles = [(name, m.getAbsolutePathString()) for name, m in model_muscles(copy).items()]
    return copy, tuple(name for name, path in muscles if path not in driven_paths)


def _is_usable(controller: ControllerSetup, actuators: dict[str, str], setup: Path) -> bool:
    label_of_controller = f"{controller.kind} '{controller.name}'"
    if controller.kind == CORRECTION:
        return False
    named = [name for name in controller.actuators if name.upper() != "ALL"]
    check_names("actuator", named, actuators, f"{label_of_controller} of {setup}")
    file = controller.controls_file
    if controller.kind == "ControlSetController":
        if not controller.enabled and (file is None or not file.is_file()):
            return False
        if file is None:
            raise FileFormatError(setup, f"{label_of_controller} names no controls_file")
        by_name = [name for name in actuators if not name.startswith("/")]
        # OpenSim searches the suffix in the whole name
        labels = _stored_controls(file) if ".sto" in str(file) else _control_set(file)
        check_names("actuator", [label.removesuffix(EXCITATION) for label in labels], by_name, f"controls {file}")
    elif file is not None:
        check_names("actuator", _stored_controls(file), actuators, f"controls {file}")
    return True


def _stored_controls(file: Path) -> list[str]:
    table = load_table(file)
    checked_numbers(table, partial(FileFormatError, file))
    labels = list(table.labels)
    check_unique(file, labels, labels)
    return labels


def _control_set(file: Path) -> list[str]:
    """Return the checked names of controls in an XML file."""
    root = parse_document(file, "ControlSet", "a table of controls (.sto) or a set of controls")
    controls = load_tool(file, osim.ControlSet, root)
    kinds_read = {controls.get(i).getConcreteClassName() for i in range(controls.getSize())}
    for element in (root if root.tag == "ControlSet" else root[0]).findall("objects/*"):
        if element.tag not in kinds_read:  # OpenSim ignores it
            raise FileFormatError(file, f"OpenSim does not read a <{element.tag}>; expected a <ControlLinear>")
    names = []
    for i in range(controls.getSize()):
        control = controls.get(i)
        names.append(control.getName())
        values = [control.getParameterValue(j) for j in range(control.getNumParameters())]
        if not np.isfinite(values).all():
            raise FileFormatError(file, f"the control of '{names[-1]}' is not finite at all times")
    return names


def driven_actuators(model: osim.Model) -> set[str]:
    """Return the paths of actuators driven by controllers."""
    paths: set[str] = set()
    for component in model.getComponentsList():
        controller = osim.Controller.safeDownCast(component)
        if controller is not None and controller.isEnabled():
            socket = controller.getSocket("actuators")
            paths.update(socket.getConnecteePath(i) for i in range(socket.getNumConnectees()))
    return paths
