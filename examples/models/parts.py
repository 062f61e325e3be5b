"""Parts that several models share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import opensim as osim


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


def custom_joint(name: str, parent: Any, location: Any, child: Any, axes: tuple[tuple[str, Any], ...]) -> Any:
    """Build a CustomJoint of three rotations and three translations, each a coordinate itself or, if unnamed, fixed."""
    transform = osim.SpatialTransform()
    for index, (coordinate, direction) in enumerate(axes):
        axis = transform.updTransformAxis(index)
        axis.setAxis(osim.Vec3(*direction))
        if coordinate:
            names = osim.ArrayStr()
            names.append(coordinate)
            axis.setCoordinateNames(names)
            axis.set_function(osim.LinearFunction(1.0, 0.0))  # a copy; setFunction would keep the temporary
        else:
            axis.set_function(osim.Constant(0.0))
    zero = osim.Vec3(0.0)
    return osim.CustomJoint(name, parent, location, zero, child, zero, zero, transform)
