"""OpenSim models that carry their muscles' inertia themselves, by the plugin's component."""

from __future__ import annotations

import os

from .._core.checks import check_choice
from .._core.choices import TOOLS, Tool
from .._core.errors import OptionError, OutputError
from .._core.opensim import osim, quiet
from ..files.atomic import writing
from ..opensim_model.reading import copy_model, initialise
from ..options import Wobble
from ..options.wobble import wobble_of
from .plugin import Swinging, describe, load_library, with_component
from .wobble import MuscledModel, swings_of


def native_model(inertial: MuscledModel, tool: Tool, wobble: bool | Wobble) -> osim.Model:
    """Return a copy of a model with the plugin's component, not initialised; see ``InertialModel.export``."""
    check_choice("tool", tool, TOOLS)
    wobbles = wobble_of(wobble)
    if wobbles is not None and tool == "inverse":
        raise OptionError("tool", tool, "'forward' where bellies swing: that tool knows no state of them")
    load_library()
    whole, kinematics, assembly = copy_model(inertial.model), inertial.dynamics.kinematics, inertial.dynamics.assembly
    swinging = None
    if wobbles is not None:
        kinematics = kinematics.also(wobbles.carriers)
        groups = swings_of(inertial, wobbles, kinematics.bodies)
        swinging = Swinging(groups, _tension(wobbles))
    initialise(whole)
    described = describe(whole, kinematics, assembly.gravity, assembly.muscles, assembly.plan, swinging)
    return with_component(whole, described, tool)


def _tension(wobble: Wobble) -> float | None:
    """Return the one tension [N] of all bellies, None for their muscles' own; others are not for OpenSim's tools."""
    if wobble.tension is None or isinstance(wobble.tension, float | int):
        return wobble.tension
    raise OptionError("wobble_tension", wobble.tension, "a number, or None for the muscles' own forces")


def export(model: osim.Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, completely or not at all."""
    with writing(path) as temporary, quiet():
        if not model.printToXML(str(temporary)):
            raise OutputError(path, "OpenSim cannot write the model")
