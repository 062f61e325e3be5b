"""Parts that the models have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._opensim import osim


def add_damper(model: Any, coordinate: str, damping: float) -> None:
    """Add a force that resists a coordinate's speed by ``damping`` [N m s/rad]."""
    damper = osim.SpringGeneralizedForce(coordinate)
    damper.setName(f"{coordinate}_damper")
    damper.setStiffness(0.0)
    damper.setViscosity(damping)
    model.addForce(damper)


def set_slack_lengths(model: Any, bellies: Mapping[str, float]) -> None:
    """Choose tendon slack lengths so that bellies have these lengths [m] in the default pose, by muscle."""
    model.finalizeConnections()
    state = model.initSystem()
    for name, belly in bellies.items():
        muscle = model.getMuscles().get(name)
        muscle.set_tendon_slack_length(round(muscle.getLength(state) - belly, 7))
    model.finalizeFromProperties()
