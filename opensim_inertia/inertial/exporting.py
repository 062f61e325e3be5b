"""OpenSim models that carry their muscles' inertia themselves, by the plugin's component."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from .._opensim import osim, quiet
from ..checks import check_choice
from ..errors import OutputError
from ..files import writing
from ..native import TOOLS, describe, load_library, with_component

if TYPE_CHECKING:
    from .model import InertialModel


def native_model(inertial: InertialModel, tool: str = "forward") -> osim.Model:
    """Return a copy of ``inertial.model`` with the plugin's component; it is not initialised.

    Args:
        inertial: the model.
        tool: as for ``InertialModel.export``.

    Raises:
        PluginError: the plugin cannot be loaded. UnsupportedPathError: OpenSim leads the path of a muscle.
    """
    check_choice("tool", tool, TOOLS)
    load_library()
    made = inertial.placement.assembly
    text = describe(inertial.model, inertial.kinematics, made.gravity, made.muscles, made.plan)
    return with_component(inertial.model, text, tool)


def export(model: osim.Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, completely or not at all."""
    with writing(path) as temporary, quiet():
        if not model.printToXML(str(temporary)):
            raise OutputError(path, "OpenSim cannot write the model")
