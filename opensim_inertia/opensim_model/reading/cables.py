"""Paths of OpenSim's class ``Scholz2015GeometryPath``: cables over obstacles, read once into plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import UnsupportedPathError
from ..._core.opensim import osim
from .components import property_numbers
from .frames import placement

#: OpenSim's class of cables.
CABLE = "Scholz2015GeometryPath"


@dataclass(frozen=True)
class Obstacle:
    """An obstacle of a cable.

    Attributes:
        name: its own among the cable's obstacles: that of its contact geometry, with a number where that is taken.
        geometry: OpenSim's class of the contact geometry.
        body: name of the body that carries it.
        rotation, origin: of its frame in the body's, (3, 3) and (3,) [m].
        size: radius; or three semi-axes; or radius of the ring, radius of the tube [m].
        hint: where the search for the contact starts, (3,) in its frame [m]; NaN: there is none.
        after: index of the path point after which it comes; the next one ends its span.
    """

    name: str
    geometry: str
    body: str
    rotation: Array
    origin: Array
    size: Array
    hint: Array
    after: int


#: OpenSim's classes of obstacles, and the properties that say how large one is.
SIZES = {
    "ContactSphere": ("radius",),
    "ContactCylinder": ("radius",),
    "ContactEllipsoid": ("radii",),
    "ContactTorus": ("torus_radius", "tube_radius"),
}


def as_cable(path: osim.AbstractGeometryPath) -> osim.Scholz2015GeometryPath | None:
    """Return a path as a cable, None if it is of another class."""
    return osim.Scholz2015GeometryPath.safeDownCast(path)


def cable_points(owner: str, cable: osim.Scholz2015GeometryPath) -> list[osim.PathPoint]:
    """Return the path points of a cable from origin to insertion."""
    points = [cable.getPathPoint(i) for i in range(cable.getNumPathPoints())]
    for point in points:
        _check_frame(owner, f"path point '{point.getAbsolutePathString()}'", point.getParentFrame())
    return points


def read_obstacles(owner: str, cable: osim.Scholz2015GeometryPath) -> tuple[Obstacle, ...]:
    """Read the obstacles of a cable in their order."""
    obstacles: list[Obstacle] = []
    after = -1
    for element in _elements(cable):
        obstacle = osim.Scholz2015GeometryPathObstacle.safeDownCast(element)
        if obstacle is None:
            after += 1
            continue
        geometry = obstacle.getContactGeometry()
        namesakes = sum(other.name.split(" #")[0] == geometry.getName() for other in obstacles)
        name = geometry.getName() + (f" #{namesakes + 1}" if namesakes else "")
        obstacles.append(_read_obstacle(owner, name, geometry, obstacle.getContactHint(), after))
    return tuple(obstacles)


def cable_line(cable: osim.Scholz2015GeometryPath, state: osim.State) -> Array:
    """Return points (n, 3) in ground [m] on a cable at a state realized to position, from origin to insertion.

    They are what OpenSim draws: its path points, and on each obstacle that it touches knots of the geodesic, the first
    and the last of them where it touches and leaves. OpenSim gives no others. It stops where the path has corners below
    1e-5 rad, so they are some micrometres off at worst.
    """
    hints = cable.getModel().getDisplayHints()
    showed_points = hints.get_show_path_points()
    hints.set_show_path_points(True)
    try:
        shapes = osim.ArrayDecorativeGeometry()
        cable.generateDecorations(False, hints, state, shapes)
        # a sphere at each point, and a line before each but the first
        points = [shapes.getElt(i).getTransform().p().to_numpy().copy() for i in range(0, shapes.size(), 2)]
    finally:
        hints.set_show_path_points(showed_points)
    return np.array(points)


def _elements(cable: osim.Scholz2015GeometryPath) -> Iterator[Any]:
    elements = cable.getPropertyByName("path_elements")
    for i in range(elements.size()):
        yield elements.getValueAsObject(i)


def _read_obstacle(owner: str, name: str, geometry: osim.ContactGeometry, hint: osim.Vec3, after: int) -> Obstacle:
    """Read one obstacle of a muscle, ``owner``, from its contact geometry; see :class:`Obstacle`."""
    kind = geometry.getConcreteClassName()
    element = f"obstacle '{name}' of class {kind}"
    if kind not in SIZES:
        raise UnsupportedPathError(owner, element, f"is not one of {', '.join(SIZES)}")
    size = np.concatenate([property_numbers(geometry.getPropertyByName(name)) for name in SIZES[kind]])
    if not (size > 0).all():
        sizes = ", ".join(f"{s:g}" for s in size)
        raise UnsupportedPathError(owner, f"{element}, of size {sizes} m,", "has no extent; radii must be positive")
    frame = geometry.getFrame()
    _check_frame(owner, element, frame)
    rotation, origin = placement(geometry.getTransform())
    return Obstacle(name, kind, frame.findBaseFrame().getName(), rotation, origin, size, hint.to_numpy().copy(), after)


def _check_frame(owner: str, element: str, frame: osim.PhysicalFrame) -> None:
    """Refuse a frame with an offset from its body, which OpenSim ignores for points and obstacles of cables."""
    rotation, origin = placement(frame.findTransformInBaseFrame())
    if np.abs(rotation - np.eye(3)).max() > 1e-12 or np.abs(origin).max() > 1e-12:
        raise UnsupportedPathError(
            owner,
            element,
            f"hangs on frame '{frame.getName()}', whose offset from body '{frame.findBaseFrame().getName()}' OpenSim "
            f"leaves out in a {CABLE}; give its place in the body's own frame",
        )
