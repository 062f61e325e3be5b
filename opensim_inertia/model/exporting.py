"""OpenSim models that carry their muscles' inertia themselves, by the plugin's component."""

from __future__ import annotations

import os

from .._core.checks import check_choice
from .._core.choices import TOOLS, Tool
from .._core.errors import OutputError
from .._core.opensim import osim, quiet
from ..files.atomic import writing
from ..opensim_model.reading.loading import copy_model, initialise
from .plugin import describe, load_library, with_component
from .wobble.building import MuscledModel


def native_model(inertial: MuscledModel, tool: Tool) -> osim.Model:
    """Return a copy of a model with the plugin's component, not initialised; see ``InertialModel.export``."""
    check_choice("tool", tool, TOOLS)
    load_library()
    whole, kinematics, assembly = copy_model(inertial.model), inertial.dynamics.kinematics, inertial.dynamics.assembly
    initialise(whole)
    described = describe(whole, kinematics, assembly.gravity, assembly.muscles, assembly.plan)
    return with_component(whole, described, tool)


def export(model: osim.Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, completely or not at all."""
    with writing(path) as temporary, quiet():
        if not model.printToXML(str(temporary)):
            raise OutputError(path, "OpenSim cannot write the model")
