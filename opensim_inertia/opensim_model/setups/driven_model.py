"""A model made ready for a forward simulation: the controllers and forces of a setup of OpenSim's Forward Tool."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from ..._core.errors import OPENSIM_ERRORS, FileFormatError, UnknownNameError, opensim_reason
from ..._core.opensim import osim, quiet
from ...files.forward_setup import ControllerSetup, ForwardSetup
from ...files.numbers import checked_numbers
from ...files.tables import check_unique, read_table
from ...files.tool_xml import load_tool, parse_document
from ..reading.components import model_muscles
from ..reading.loading import copy_model, initialise
from .correction import CORRECTION
from .force_sets import add_force_sets

__all__ = ["DrivenModel", "driven_actuators", "driven_model"]

EXCITATION = ".excitation"


@dataclass(frozen=True)
class DrivenModel:
    """A model that has the forces and controllers of a setup.

    Attributes:
        model: the model, initialised. Its controllers read their files again whenever it is copied or initialised,
            and OpenSim prints a line for each control when a model with a ``ControlSetController`` is initialised.
        uncontrolled: muscles that no controller drives, in the model's order; OpenSim gives them their default
            control, which is zero.
    """

    model: osim.Model
    uncontrolled: tuple[str, ...]


def driven_model(model: osim.Model | str | os.PathLike[str], setup: ForwardSetup) -> DrivenModel:
    """Return a copy of a model with a setup's force sets and controllers, as the Forward Tool makes it.

    External loads are not among them; see :class:`~opensim_inertia.opensim_model.setups.loads.Loads`, which are added
    to the result. Neither is a ``CorrectionController``; see
    :class:`~opensim_inertia.opensim_model.setups.correction.Correction`.

    Args:
        model: a model, initialised or not, which is copied; or the path of an ``.osim`` file.
    """
    copy = copy_model(model)
    with quiet():
        initialise(copy)
        add_force_sets(copy, setup.force_set_files, setup.file, setup.replace_force_set)
    actuators = _actuators(copy)
    usable = [controller for controller in setup.controllers if _is_usable(controller, actuators, setup.file)]
    try:
        with quiet():
            for controller in usable:
                addition = controller.controller.clone()
                addition.thisown = False  # the model has it even where it then refuses it
                copy.addController(addition)
            copy.initSystem()
    except OPENSIM_ERRORS as error:
        raise FileFormatError(setup.file, f"its controllers do not fit the model: {opensim_reason(error)}") from None
    driven_paths = driven_actuators(copy)
    muscles = [(name, m.getAbsolutePathString()) for name, m in model_muscles(copy).items()]
    return DrivenModel(copy, tuple(name for name, path in muscles if path not in driven_paths))


def _is_usable(controller: ControllerSetup, actuators: dict[str, str], setup: Path) -> bool:
    """Return whether to add a controller; raise an error if OpenSim could not use it."""
    label_of_controller = f"{controller.kind} '{controller.name}'"
    if controller.kind == CORRECTION:
        return False
    for name in controller.actuators:
        if name.upper() != "ALL":
            _check_actuator(name, actuators, f"{label_of_controller} of {setup}")
    file = controller.controls_file
    if controller.kind == "ControlSetController":
        if not controller.enabled and (file is None or not file.is_file()):
            return False
        if file is None:
            raise FileFormatError(setup, f"{label_of_controller} names no controls_file")
        # OpenSim looks for the suffix anywhere in the name
        labels = _stored_controls(file) if ".sto" in str(file) else _control_set(file)
        for label in labels:
            _check_actuator(label.removesuffix(EXCITATION), _by_name(actuators), f"controls {file}")
    elif file is not None:
        for label in _stored_controls(file):
            _check_actuator(label, actuators, f"controls {file}")
    return True


def _stored_controls(file: Path) -> list[str]:
    """Return the labels of a table of controls, after a check that all are numbers."""
    table = read_table(file)
    checked_numbers(table, partial(FileFormatError, file))
    labels = [str(label) for label in table.columns]
    check_unique(file, labels, labels)
    return labels


def _control_set(file: Path) -> list[str]:
    """Return the names of the controls in an XML file, after a check that all have values."""
    root = parse_document(file, "ControlSet", "a table of controls (.sto) or a set of controls")
    controls = load_tool(file, osim.ControlSet, root)
    kinds_read = {controls.get(i).getConcreteClassName() for i in range(controls.getSize())}
    for element in (root if root.tag == "ControlSet" else root[0]).findall("objects/*"):
        if element.tag not in kinds_read:  # OpenSim passes over it
            raise FileFormatError(file, f"OpenSim does not read a <{element.tag}>; expected a <ControlLinear>")
    names = []
    for i in range(controls.getSize()):
        control = controls.get(i)
        names.append(control.getName())
        values = [control.getParameterValue(j) for j in range(control.getNumParameters())]
        if not np.isfinite(values).all():
            raise FileFormatError(file, f"the control of '{names[-1]}' is not finite at all times")
    return names


def _actuators(model: osim.Model) -> dict[str, str]:
    """Return the paths of the model's actuators, by name and by path."""
    paths = [c.getAbsolutePathString() for c in model.getComponentsList() if osim.Actuator.safeDownCast(c) is not None]
    return {path.rsplit("/", 1)[-1]: path for path in paths} | {path: path for path in paths}


def _by_name(actuators: dict[str, str]) -> list[str]:
    return [name for name in actuators if not name.startswith("/")]


def _check_actuator(name: str, valid: Iterable[str], where: str) -> None:
    if name not in valid:
        raise UnknownNameError("actuator", name, valid, where)


def driven_actuators(model: osim.Model) -> set[str]:
    """Return the paths of the actuators that the model's controllers drive."""
    paths: set[str] = set()
    for component in model.getComponentsList():
        controller = osim.Controller.safeDownCast(component)
        if controller is not None and controller.isEnabled():
            socket = controller.getSocket("actuators")
            paths.update(socket.getConnecteePath(i) for i in range(socket.getNumConnectees()))
    return paths
