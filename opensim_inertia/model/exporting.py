"""OpenSim models that carry their muscles' inertia themselves, by the plugin's component."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np

from .._core.arrays import Array
from .._core.checks import check_choice
from .._core.choices import TOOLS, Tool
from .._core.errors import OutputError
from .._core.opensim import osim, quiet
from ..files.atomic import writing
from ..muscles.masses.rigid import RigidMass, body_mass_properties, set_mass_properties
from ..muscles.masses.segments import SegmentTransfer
from ..opensim_model.reading import Kinematics, copy_model, initialise
from .assembly import Assembly
from .plugin import describe, load_library, with_component

#: Mass properties are those that a segment was left with if they differ by no more, relative.
SAME = 1e-12


def native_model(
    model: osim.Model,
    kinematics: Kinematics,
    assembly: Assembly,
    transfers: Mapping[str, SegmentTransfer],
    tool: Tool,
) -> osim.Model:
    """Return a copy of a model with the plugin's component; it is not initialised.

    Its segments have their whole mass again, of which the component takes off what they gave up: whatever in OpenSim
    asks for the mass of segments, and does not see the component, gets that of the model as it was published.

    Args:
        model: the initialised model, whose segments have given up the muscles' mass.
        kinematics: reads its states.
        assembly: the muscles with mass.
        transfers: what segments gave up, by name.
        tool: as for ``InertialModel.export``, where the errors are listed, too.
    """
    check_choice("tool", tool, TOOLS)
    load_library()
    whole = copy_model(model)
    given_up = {name: _make_whole(whole, transfer) for name, transfer in transfers.items()}
    initialise(whole)
    described = describe(whole, kinematics, assembly.gravity, assembly.muscles, assembly.plan, given_up)
    return with_component(whole, described, tool)


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
