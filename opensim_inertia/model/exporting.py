"""OpenSim models that carry their muscles' inertia themselves, by the plugin's component."""

from __future__ import annotations

import os
from typing import Protocol

import numpy as np

from .._core.arrays import Array
from .._core.checks import check_choice
from .._core.choices import TOOLS, Tool
from .._core.errors import OptionError, OutputError
from .._core.opensim import osim, quiet
from ..files.atomic import writing
from ..muscles.masses.rigid import RigidMass, body_mass_properties, set_mass_properties
from ..muscles.masses.segments import SegmentTransfer
from ..opensim_model.reading import Kinematics, copy_model, initialise
from ..options import Wobble
from ..options.wobble import wobble_of
from .assembly import Assembly
from .placement import Placement
from .plugin import Swinging, describe, load_library, with_component
from .wobble import MuscledModel, swings_of

#: Mass properties are those that a segment was left with if they differ by no more, relative.
SAME = 1e-12


class ExportedModel(MuscledModel, Protocol):
    """What is asked of an inertial model that is exported."""

    placement: Placement

    @property
    def kinematics(self) -> Kinematics:
        """Reads the model's states."""


def native_model(inertial: ExportedModel, tool: Tool, wobble: bool | Wobble) -> osim.Model:
    """Return a copy of a model with the plugin's component; it is not initialised.

    Its segments have their whole mass again, of which the component takes off what they gave up: whatever in OpenSim
    asks for the mass of segments, and does not see the component, gets that of the model as it was published.

    Args:
        inertial: the model.
        tool, wobble: as for ``InertialModel.export``, where the errors are listed, too.
    """
    check_choice("tool", tool, TOOLS)
    wobbles = wobble_of(wobble)
    if wobbles is not None and tool == "inverse":
        raise OptionError("tool", tool, "'forward' where bellies swing: that tool knows no state of them")
    load_library()
    whole, kinematics, assembly = copy_model(inertial.model), inertial.kinematics, inertial.placement.assembly
    swinging = None
    if wobbles is not None:
        kinematics = kinematics.also(wobbles.carriers)
        groups = swings_of(inertial, wobbles, kinematics.bodies)
        swinging = Swinging(groups, _tension(wobbles))
    transfers = inertial.placement.transfers.items()
    given_up = {name: _make_whole(whole, transfer) for name, transfer in transfers}
    initialise(whole)
    muscles, plan = assembly.muscles, assembly.plan
    described = describe(whole, kinematics, assembly.gravity, muscles, plan, given_up, swinging)
    return with_component(whole, described, tool)


def _tension(wobble: Wobble) -> float | None:
    """Return the one tension [N] of all bellies, None for their muscles' own; others are not for OpenSim's tools."""
    if wobble.tension is None or isinstance(wobble.tension, float | int):
        return wobble.tension
    raise OptionError("wobble_tension", wobble.tension, "a number, or None for the muscles' own forces")


def _make_whole(model: osim.Model, transfer: SegmentTransfer) -> Array:
    """Give a segment of a model back what it gave up; return this as a pseudo-inertia (4, 4)."""
    now, remainder = body_mass_properties(model, transfer.name), transfer.remainder
    whole = transfer.published
    changes = np.linalg.norm(now.pseudo_inertia - remainder.pseudo_inertia)
    if changes > SAME * np.linalg.norm(whole.pseudo_inertia):  # the user's, since it gave the mass up
        whole = RigidMass.from_pseudo_inertia(now.pseudo_inertia + transfer.given_up)
    set_mass_properties(model, transfer.name, whole)
    return whole.pseudo_inertia - now.pseudo_inertia


def description_of(model: osim.Model, kinematics: Kinematics, assembly: Assembly) -> str:
    """Return the text for the component of a model whose segments have given up the muscles' mass."""
    return describe(model, kinematics, assembly.gravity, assembly.muscles, assembly.plan)


def export(model: osim.Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, completely or not at all."""
    with writing(path) as temporary, quiet():
        if not model.printToXML(str(temporary)):
            raise OutputError(path, "OpenSim cannot write the model")
