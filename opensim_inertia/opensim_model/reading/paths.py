"""Musculotendon paths of a model, including cables (``Scholz2015GeometryPath``)."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import UnsupportedPathError
from ..._core.opensim import osim
from .components import placement, property_numbers
from .coordinates import CoordinateTable
from .functions import PiecewisePolynomial, evaluate, read_function

#: OpenSim's class of cables.
CABLE = "Scholz2015GeometryPath"


@dataclass(frozen=True, eq=False)
class Obstacle:
    """An obstacle of a cable: a contact geometry, fixed to a body, that the cable wraps."""

    name: str  # contact geometry, numbered if repeated
    geometry: str  # OpenSim class
    body: str  # body of the geometry
    rotation: Array  # (3, 3), from the obstacle's to the body's frame; ``origin`` (3,) [m]
    origin: Array
    size: Array  # radius; or semi-axes; or ring and tube radius [m]
    hint: Array  # (3,) [m], start of the contact search in its frame; NaN if absent
    after: int  # index of the preceding path point


#: Size properties of obstacles, by OpenSim class.
SIZES = {
    "ContactSphere": ("radius",),
    "ContactCylinder": ("radius",),
    "ContactEllipsoid": ("radii",),
    "ContactTorus": ("torus_radius", "tube_radius"),
}


def as_cable(path: osim.AbstractGeometryPath) -> osim.Scholz2015GeometryPath | None:
    """Return a path cast to a cable (``Scholz2015GeometryPath``), or None for other classes."""
    return osim.Scholz2015GeometryPath.safeDownCast(path) if path.getConcreteClassName() == CABLE else None


def read_obstacles(owner: str, cable: osim.Scholz2015GeometryPath) -> tuple[Obstacle, ...]:
    """Return the obstacles of a cable in path order."""
    obstacles: list[Obstacle] = []
    after = -1
    elements = cable.getPropertyByName("path_elements")
    for i in range(elements.size()):
        obstacle = osim.Scholz2015GeometryPathObstacle.safeDownCast(elements.getValueAsObject(i))
        if obstacle is None:
            after += 1
            continue
        geometry = obstacle.getContactGeometry()
        namesakes = sum(other.name.split(" #")[0] == geometry.getName() for other in obstacles)
        name = geometry.getName() + (f" #{namesakes + 1}" if namesakes else "")
        kind, frame = geometry.getConcreteClassName(), geometry.getFrame()
        element = f"obstacle '{name}' of class {kind}"
        if kind not in SIZES:
            raise UnsupportedPathError(owner, element, f"is not one of {', '.join(SIZES)}")
        size = np.concatenate([property_numbers(geometry.getPropertyByName(each)) for each in SIZES[kind]])
        if not (size > 0).all():
            sizes = ", ".join(f"{s:g}" for s in size)
            raise UnsupportedPathError(owner, f"{element}, of size {sizes} m,", "has no extent; radii must be positive")
        _check_frame(owner, element, frame)
        hint, body = obstacle.getContactHint().to_numpy().copy(), frame.findBaseFrame().getName()
        obstacles.append(Obstacle(name, kind, body, *placement(geometry.getTransform()), size, hint, after))
    return tuple(obstacles)


def cable_line(cable: osim.Scholz2015GeometryPath, state: osim.State) -> Array:
    """Return points (n, 3) [m] in ground along a cable."""
    hints = cable.getModel().getDisplayHints()
    showed_points = hints.get_show_path_points()
    hints.set_show_path_points(True)
    try:
        shapes = osim.ArrayDecorativeGeometry()
        cable.generateDecorations(False, hints, state, shapes)
        # spheres at all points alternate with lines
        points = [shapes.getElt(i).getTransform().p().to_numpy().copy() for i in range(0, shapes.size(), 2)]
    finally:
        hints.set_show_path_points(showed_points)
    return np.array(points)


def _check_frame(owner: str, element: str, frame: osim.PhysicalFrame) -> None:
    """Raise UnsupportedPathError if a frame is offset from its body's frame."""
    rotation, origin = placement(frame.findTransformInBaseFrame())
    if np.abs(rotation - np.eye(3)).max() > 1e-12 or np.abs(origin).max() > 1e-12:
        raise UnsupportedPathError(
            owner,
            element,
            f"hangs on frame '{frame.getName()}', whose offset from body '{frame.findBaseFrame().getName()}' OpenSim "
            f"leaves out in a {CABLE}; give its place in the body's own frame",
        )


#: Tolerance of a conditional point's range [rad or m], from ConditionalPathPoint::isActive.
ACTIVE = 1e-5

#: Lock for OpenSim's list of path points, shared by all states.
PATH_LISTS = threading.RLock()


class PlacedPoint(NamedTuple):
    """A path point in a frame; ``place``: rotation and origin of this frame in the body, None for the body frame."""

    point: osim.AbstractPathPoint  # must not outlive its model
    kind: str
    body: str  # body of its frame
    place: tuple[Array, Array] | None
    station: Array | None  # (3,) [m] in the body frame; None for moving points


@dataclass(frozen=True, eq=False)
class FixedPoint:
    """A path point at ``station`` (3,) [m] in the body frame."""

    name: str
    body: str
    station: Array

    def is_active(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return whether the point is active at poses q (poses, nu)."""
        return np.ones(len(q), dtype=bool)

    def stations(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return the point's position (1, 3) [m] in the body frame, the same at all poses."""
        return self.station[None]


@dataclass(frozen=True)
class ConditionalPoint(FixedPoint):
    """A path point that is active in a ``range`` [rad or m] of a coordinate."""

    coordinate: str
    range: tuple[float, float]

    def is_active(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return whether the point is active at poses q (poses, nu)."""
        values = q[:, list(coordinates).index(self.coordinate)]
        return np.asarray((values >= self.range[0] - ACTIVE) & (values <= self.range[1] + ACTIVE))


@dataclass(frozen=True)
class MovingFunction:
    """One component of a moving point's position: a constant, or polynomials of a coordinate clamped to ``range``."""

    coordinate: str | None
    polynomial: PiecewisePolynomial
    range: tuple[float, float]

    def values(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return the position component (poses,) [m] at poses q (poses, nu) [rad or m]."""
        x = np.zeros(len(q)) if self.coordinate is None else q[:, list(coordinates).index(self.coordinate)]
        return evaluate(self.polynomial, np.clip(x, *self.range))


@dataclass(frozen=True, eq=False)
class MovingPoint:
    """A path point moving in a frame of the body."""

    name: str
    body: str
    rotation: Array
    origin: Array
    functions: tuple[MovingFunction, MovingFunction, MovingFunction]

    def is_active(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return whether the point is active at poses q (poses, nu)."""
        return np.ones(len(q), dtype=bool)

    def stations(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return positions (poses, 3) [m] in the body frame."""
        inner = np.stack([function.values(coordinates, q) for function in self.functions], axis=1)
        return np.asarray(self.origin + inner @ self.rotation.T)


PathPoint = FixedPoint | ConditionalPoint | MovingPoint


@dataclass(frozen=True)
class MusclePath:
    """A muscle's path points and wrap objects, with fibre length, tendon slack length and pennation angle."""

    muscle: str
    points: tuple[PathPoint, ...]  # from origin to insertion, without wrap points
    wraps: tuple[str, ...]  # names of wrap objects or obstacles
    optimal_fiber_length: float  # [m]
    tendon_slack_length: float  # [m]
    pennation_angle: float = 0.0  # at optimal fibre length [rad]
    is_cable: bool = False  # whether it is a ``Scholz2015GeometryPath``

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies of path points, in order."""
        return tuple(dict.fromkeys(p.body for p in self.points))


def point_places(
    path: MusclePath, coordinates: Sequence[str], bodies: Sequence[str], q: Array, rotation: Array, position: Array
) -> Array:
    """Return positions (poses, points, 3) [m] of a path's points in ground, from transforms of ``bodies``."""
    places = np.empty((len(q), len(path.points), 3))
    for i, point in enumerate(path.points):
        b = list(bodies).index(point.body)
        stations = np.broadcast_to(point.stations(coordinates, q), (len(q), 3))
        places[:, i] = position[:, b] + np.einsum("nij,nj->ni", rotation[:, b], stations)
    return places


def geometry_path(muscle: osim.Muscle) -> osim.GeometryPath:
    """Return the muscle's GeometryPath; raise UnsupportedPathError for other classes."""
    path = muscle.getPath()
    cast = osim.GeometryPath.safeDownCast(path)
    if cast is None:
        raise UnsupportedPathError(
            muscle.getName(),
            f"path of class {path.getConcreteClassName()}",
            f"has no points along which mass could lie; only GeometryPath and {CABLE} are supported",
        )
    return cast


def defined_points(muscle: osim.Muscle) -> list[osim.AbstractPathPoint]:
    """Return a muscle's path points from origin to insertion, without wrap points."""
    cable = as_cable(muscle.getPath())
    if cable is not None:
        cable_points = [cable.getPathPoint(i) for i in range(cable.getNumPathPoints())]
        for point in cable_points:
            _check_frame(muscle.getName(), f"path point '{point.getAbsolutePathString()}'", point.getParentFrame())
        return cable_points
    points = geometry_path(muscle).getPathPointSet()
    return [points.get(i) for i in range(points.getSize())]


def placed_points(muscle: osim.Muscle) -> list[PlacedPoint]:
    """Return a muscle's path points with their classes and positions on bodies."""
    placed = []
    for point in defined_points(muscle):
        kind, frame, station = point.getConcreteClassName(), point.getParentFrame(), None
        base = frame.findBaseFrame()
        place = None if int(frame.this) == int(base.this) else placement(frame.findTransformInBaseFrame())
        if kind in ("PathPoint", "ConditionalPathPoint"):
            location = osim.PathPoint.safeDownCast(point).get_location().to_numpy()
            # avoids negative zeros
            station = location + 0.0 if place is None else place[1] + place[0] @ location
        placed.append(PlacedPoint(point, kind, base.getName(), place, station))
    return placed


def path_on_bodies(
    muscle: osim.Muscle, state: osim.State, points: Sequence[PlacedPoint] = ()
) -> tuple[Array, list[tuple[int, str]]]:
    """Return points (n, 3) [m] of a path in ground, wraps included, and each active path point's row and body."""
    points = points or placed_points(muscle)
    cable = as_cable(muscle.getPath())
    if cable is not None:
        line, numbers, first = cable_line(cable, state), list[tuple[int, str]](), 0
        for placed in points:  # nearest point of the line
            place = placed.point.getParentFrame().findStationLocationInGround(state, placed.point.getLocation(state))
            first += int(np.argmin(np.linalg.norm(line[first:] - place.to_numpy(), axis=1)))
            numbers.append((first, placed.body))
        return line, [(0, numbers[0][1]), *numbers[1:-1], (len(line) - 1, numbers[-1][1])]
    own = {int(placed.point.this): placed.body for placed in points}
    places, numbers = [], []
    for number, point in enumerate(current_points(geometry_path(muscle), state)):
        place = point.getParentFrame().findStationLocationInGround(state, point.getLocation(state))
        places.append(place.to_numpy().tolist())
        body = own.get(int(point.this))
        if body is not None:
            numbers.append((number, body))
    return np.array(places), numbers


def current_points(path: osim.GeometryPath, state: osim.State, fewest: int = 0) -> list[osim.AbstractPathPoint]:
    """Return a path's current points, including wrap points; [] if there are fewer than ``fewest``."""
    with PATH_LISTS:
        path_points = path.getCurrentPath(state)
        count = path_points.getSize()
        return [path_points.get(i) for i in range(count)] if count >= fewest else []


def read_path(muscle: osim.Muscle, coordinates: CoordinateTable, points: Sequence[PlacedPoint] = ()) -> MusclePath:
    """Return a muscle's path; raise UnsupportedPathError for unsupported points or wraps."""
    name = muscle.getName()
    path_points = tuple(_read_point(name, placed, coordinates) for placed in points or placed_points(muscle))
    cable = as_cable(muscle.getPath())
    if cable is None:
        wrap_set = geometry_path(muscle).getWrapSet()
        for wrap in (path_wraps := [wrap_set.get(i) for i in range(wrap_set.getSize())]):
            if wrap.getWrapObject() is None:
                raise UnsupportedPathError(name, f"wrap '{wrap.getName()}'", "names no wrap object of the model")
        wraps = tuple(str(wrap.getWrapObject().getName()) for wrap in path_wraps)
    else:
        wraps = tuple(obstacle.name for obstacle in read_obstacles(name, cable))
    lengths = muscle.getOptimalFiberLength(), muscle.getTendonSlackLength()
    pennation = muscle.getPennationAngleAtOptimalFiberLength()
    return MusclePath(name, path_points, wraps, *lengths, pennation, cable is not None)


def _read_point(muscle: str, placed: PlacedPoint, coordinates: CoordinateTable) -> PathPoint:
    """Return an OpenSim path point as data in the body frame; raise UnsupportedPathError for other classes."""
    point, kind, body, place, station = placed
    name = point.getName()
    if kind == "MovingPathPoint":
        moving = osim.MovingPathPoint.safeDownCast(point)
        rotation, origin = place or (np.eye(3), np.zeros(3))
        functions = tuple(_read_component(muscle, moving, axis, coordinates) for axis in "xyz")
        return MovingPoint(name, body, rotation, origin, functions)  # type: ignore[arg-type]
    if station is None:
        raise UnsupportedPathError(muscle, f"path point '{name}' of class {kind}", "is not supported")
    if kind == "PathPoint":
        return FixedPoint(name, body, station)
    conditional = osim.ConditionalPathPoint.safeDownCast(point)
    bounds = (conditional.get_range(0), conditional.get_range(1))
    return ConditionalPoint(name, body, station, conditional.getCoordinate().getName(), bounds)


def _read_component(
    muscle: str, point: osim.MovingPathPoint, axis: str, coordinates: CoordinateTable
) -> MovingFunction:
    """Return the function for one component of a moving point's position; ``axis``: "x", "y" or "z"."""
    upper = axis.upper()
    function = getattr(point, f"get_{axis}_location")()
    if not getattr(point, f"has{upper}Coordinate")():
        # OpenSim evaluates the function at zero
        low, high, coordinate = 0.0, 0.0, None
    else:
        moving = getattr(point, f"get{upper}Coordinate")()
        low, high, coordinate = moving.getRangeMin(), moving.getRangeMax(), moving.getName()
    polynomial = read_function(function, low, high)
    if polynomial is None:
        raise UnsupportedPathError(
            muscle,
            f"moving path point '{point.getName()}': its {axis} location, a {function.getConcreteClassName()},",
            f"is not smooth or not finite over its coordinate's range, {low:.6g} to {high:.6g}; expected a function "
            "without jumps and kinks, such as a spline",
        )
    if coordinate is not None and coordinate not in coordinates.names:
        raise UnsupportedPathError(
            muscle, f"moving path point '{point.getName()}'", f"depends on unknown '{coordinate}'"
        )
    return MovingFunction(coordinate, polynomial, (low, high))
