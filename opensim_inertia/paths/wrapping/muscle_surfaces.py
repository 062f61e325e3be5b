"""The surfaces that a muscle's path may pass: wrap objects of a GeometryPath, obstacles of a cable."""

from __future__ import annotations

import numpy as np

from ..._core.errors import UnsupportedPathError
from ..._core.opensim import osim
from ...opensim_model.reading import Obstacle, as_cable, geometry_path, read_obstacles
from .surfaces import SHAPES, Surface, read_wrap

#: Wrap objects of the same shape, by OpenSim's class of an obstacle. A torus of wrap objects is something else: there
#: OpenSim's path is that over a cylinder along its ring.
LIKE = {"ContactCylinder": "WrapCylinder", "ContactSphere": "WrapSphere", "ContactEllipsoid": "WrapEllipsoid"}


def check_wraps(muscle: osim.Muscle) -> None:
    """Raise :class:`UnsupportedPathError` if a path cannot be led over one of a muscle's surfaces."""
    read_surfaces(muscle)


def read_surfaces(muscle: osim.Muscle) -> dict[str, Surface]:
    """Read the surfaces of a muscle, active or not, by name and in their order.

    Raises:
        UnsupportedPathError: one is of a class over which no path can be led, or has no extent.
    """
    return {surface.name: surface for surface in _surfaces(muscle)}


def wrap_bodies(muscle: osim.Muscle) -> list[str]:
    """Return the names of the bodies that carry a muscle's surfaces."""
    return [surface.body for surface in _surfaces(muscle)]


def has_wraps(muscle: osim.Muscle) -> bool:
    """Return whether a muscle's path has wrap objects or obstacles."""
    cable = as_cable(muscle.getPath())
    if cable is not None:
        return bool(cable.getNumObstacles())
    path = osim.GeometryPath.safeDownCast(muscle.getPath())
    return path is not None and bool(path.getWrapSet().getSize())


def _surfaces(muscle: osim.Muscle) -> list[Surface]:
    name, cable = muscle.getName(), as_cable(muscle.getPath())
    if cable is not None:
        return [_surface_of(name, obstacle) for obstacle in read_obstacles(name, cable)]
    wraps = geometry_path(muscle).getWrapSet()
    return [read_wrap(name, wraps.get(i).getWrapObject()) for i in range(wraps.getSize())]


def _surface_of(muscle: str, obstacle: Obstacle) -> Surface:
    if obstacle.geometry not in LIKE:
        raise UnsupportedPathError(
            muscle,
            f"obstacle '{obstacle.name}' of class {obstacle.geometry}",
            f"is not one of {', '.join(LIKE)}, over which geodesics are known here; OpenSim's points on its own path "
            "are too rough to be differentiated",
        )
    shape = SHAPES[LIKE[obstacle.geometry]]
    hint = np.nan_to_num(obstacle.hint)
    placement = obstacle.rotation, obstacle.origin
    size = np.append(obstacle.size, 0.0) if shape.is_cylindrical else obstacle.size
    # the side on which the path passes, where it is not a sense of turn: a direction of space scaled by semi-axes
    side = np.zeros(3) if shape.has_turn else hint / obstacle.size
    return shape(obstacle.name, obstacle.body, placement, placement, size, side, True, hint)
