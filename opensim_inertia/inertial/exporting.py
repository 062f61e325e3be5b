"""OpenSim models that carry their muscles' inertia themselves, by the plugin's component."""

from __future__ import annotations

import os

from .._opensim import osim, quiet
from ..checks import check_choice
from ..choices import TOOLS
from ..errors import OutputError
from ..files import writing
from ..native import describe, load_library, with_component
from ..reading import Kinematics
from .assembly import Assembly


def native_model(model: osim.Model, kinematics: Kinematics, assembly: Assembly, tool: str) -> osim.Model:
    """Return a copy of a model with the plugin's component; it is not initialised.

    Args:
        model: the initialised model, whose segments have given up the muscles' mass.
        kinematics: reads its states.
        assembly: the muscles with mass.
        tool: as for ``InertialModel.export``, where the errors are listed, too.
    """
    check_choice("tool", tool, TOOLS)
    load_library()
    return with_component(model, description_of(model, kinematics, assembly), tool)


def description_of(model: osim.Model, kinematics: Kinematics, assembly: Assembly) -> str:
    """Return the text for the plugin's component; arguments and errors are those of :func:`native_model`."""
    return describe(model, kinematics, assembly.gravity, assembly.muscles, assembly.plan)


def export(model: osim.Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, completely or not at all."""
    with writing(path) as temporary, quiet():
        if not model.printToXML(str(temporary)):
            raise OutputError(path, "OpenSim cannot write the model")
