"""OpenSim models that carry their muscles' inertia themselves, by the plugin's component."""

from __future__ import annotations

import os
from typing import Protocol

from .._core.checks import check_choice
from .._core.choices import TOOLS, Tool
from .._core.errors import OutputError
from .._core.opensim import osim, quiet
from ..files.atomic import writing
from ..opensim_model.reading import Kinematics, copy_model, initialise
from .assembly import Assembly
from .plugin import describe, load_library, with_component
from .wobble import MuscledModel


class ExportedModel(MuscledModel, Protocol):
    """Attributes of an inertial model that export needs."""

    @property
    def assembly(self) -> Assembly:
        """The muscles as the kernel takes them."""

    @property
    def kinematics(self) -> Kinematics:
        """Reads the model's states."""


def native_model(inertial: ExportedModel, tool: Tool) -> osim.Model:
    """Return a copy of a model with the plugin's component; it is not initialised.

    Args:
        inertial: the model.
        tool: as for ``InertialModel.export``, where the errors are listed, too.
    """
    check_choice("tool", tool, TOOLS)
    load_library()
    whole = copy_model(inertial.model)
    initialise(whole)
    return with_component(whole, description_of(whole, inertial.kinematics, inertial.assembly), tool)


def description_of(model: osim.Model, kinematics: Kinematics, assembly: Assembly) -> str:
    """Return the text for a model's component."""
    return describe(model, kinematics, assembly.gravity, assembly.muscles, assembly.plan)


def export(model: osim.Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, completely or not at all."""
    with writing(path) as temporary, quiet():
        if not model.printToXML(str(temporary)):
            raise OutputError(path, "OpenSim cannot write the model")
