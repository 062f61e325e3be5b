"""Musculotendon paths of a model, cables (``Scholz2015GeometryPath``) among them, read once into plain data."""

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


@dataclass(frozen=True)
class Obstacle:
    """An obstacle of a cable."""

    name: str  # its own among the cable's obstacles: that of its contact geometry, with a number where that is taken
    geometry: str  # OpenSim's class of the contact geometry
    body: str  # name of the body that carries it
    rotation: Array  # (with origin) of its frame in the body's, (3, 3) and (3,) [m]
    origin: Array
    size: Array  # radius; or three semi-axes; or radius of the ring, radius of the tube [m]
    hint: Array  # where the search for the contact starts, (3,) in its frame [m]; NaN: there is none
    after: int  # index of the path point after which it comes; the next one ends its span


#: OpenSim's classes of obstacles, and the properties that say how large one is.
SIZES = {
    "ContactSphere": ("radius",),
    "ContactCylinder": ("radius",),
    "ContactEllipsoid": ("radii",),
    "ContactTorus": ("torus_radius", "tube_radius"),
}


def as_cable(path: osim.AbstractGeometryPath) -> osim.Scholz2015GeometryPath | None:
    """Return a path as a cable, None if it is of another class."""
    return osim.Scholz2015GeometryPath.safeDownCast(path) if path.getConcreteClassName() == CABLE else None


def read_obstacles(owner: str, cable: osim.Scholz2015GeometryPath) -> tuple[Obstacle, ...]:
    """Read the obstacles of a cable in their order."""
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
    """Return points (n, 3) in ground [m] that OpenSim draws on a cable, at a state realized to position."""
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


#: A conditional point is there so far beyond its range [rad or m]: OpenSim's ConditionalPathPoint::isActive.
ACTIVE = 1e-5

#: Held while OpenSim lists a path's points: it has one list per path for all states of a model.
PATH_LISTS = threading.RLock()


class PlacedPoint(NamedTuple):
    """A path point as OpenSim has it, which must not outlive its model; ``place`` of its frame, None of the body's."""

    point: osim.AbstractPathPoint  # the point
    kind: str  # its class
    body: str  # the body that its frame hangs on
    place: tuple[Array, Array] | None
    station: Array | None  # its place (3,) [m] in the body's frame; None where it moves there


@dataclass(frozen=True)
class FixedPoint:
    """A path point fixed to a body: ``station`` [m] in the body's frame, shape (3,)."""

    name: str
    body: str
    station: Array

    def is_active(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return for each pose q (poses, nu) [rad or m] whether the point is there, (poses,)."""
        return np.ones(len(q), dtype=bool)

    def stations(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return its place in the body's frame at poses q (poses, nu), (1, 3) or (poses, 3) [m]."""
        return self.station[None]


@dataclass(frozen=True)
class ConditionalPoint(FixedPoint):
    """A path point that is there while a coordinate lies in ``range`` [rad or m]."""

    coordinate: str
    range: tuple[float, float]

    def is_active(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return for each pose q (poses, nu) [rad or m] whether the point is there, with OpenSim's tolerance."""
        values = q[:, list(coordinates).index(self.coordinate)]
        return np.asarray((values >= self.range[0] - ACTIVE) & (values <= self.range[1] + ACTIVE))


@dataclass(frozen=True)
class MovingFunction:
    """One component of a moving point: polynomials of a coordinate clamped to its range; constant if that is None."""

    coordinate: str | None
    polynomial: PiecewisePolynomial
    range: tuple[float, float]

    def values(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return its values at poses q (poses, nu) [rad or m], (poses,)."""
        x = np.zeros(len(q)) if self.coordinate is None else q[:, list(coordinates).index(self.coordinate)]
        return evaluate(self.polynomial, np.clip(x, *self.range))


@dataclass(frozen=True)
class MovingPoint:
    """A path point that moves in its frame; ``rotation`` (3, 3) and ``origin`` (3,) place that frame in the body."""

    name: str
    body: str
    rotation: Array
    origin: Array
    functions: tuple[MovingFunction, MovingFunction, MovingFunction]

    def is_active(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return for each pose q (poses, nu) [rad or m] whether the point is there, (poses,)."""
        return np.ones(len(q), dtype=bool)

    def stations(self, coordinates: Sequence[str], q: Array) -> Array:
        """Return its place in the body's frame at poses q (poses, nu), (poses, 3) [m]."""
        inner = np.stack([function.values(coordinates, q) for function in self.functions], axis=1)
        return np.asarray(self.origin + inner @ self.rotation.T)


PathPoint = FixedPoint | ConditionalPoint | MovingPoint


@dataclass(frozen=True)
class MusclePath:
    """A muscle's path and the two lengths that place its belly."""

    muscle: str  # its name
    points: tuple[PathPoint, ...]  # path points from origin to insertion, wrap points not included
    wraps: tuple[str, ...]  # names of its wrap objects or obstacles; empty if the path is a polyline
    optimal_fiber_length: float  # [m]
    tendon_slack_length: float  # [m]
    pennation_angle: float = 0.0  # at optimal fibre length [rad]
    is_cable: bool = False  # whether OpenSim leads it as a ``Scholz2015GeometryPath``

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that carry its path points, in order of appearance."""
        return tuple(dict.fromkeys(p.body for p in self.points))


def point_places(
    path: MusclePath, coordinates: Sequence[str], bodies: Sequence[str], q: Array, rotation: Array, position: Array
) -> Array:
    """Return places in ground (poses, points, 3) [m] of path points, active or not, on bodies at poses q."""
    places = np.empty((len(q), len(path.points), 3))
    for i, point in enumerate(path.points):
        b = list(bodies).index(point.body)
        stations = np.broadcast_to(point.stations(coordinates, q), (len(q), 3))
        places[:, i] = position[:, b] + np.einsum("nij,nj->ni", rotation[:, b], stations)
    return places


def geometry_path(muscle: osim.Muscle) -> osim.GeometryPath:
    """Return the muscle's GeometryPath."""
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
    """Return the path points of a muscle from origin to insertion, active or not, without wrap points."""
    cable = as_cable(muscle.getPath())
    if cable is not None:
        cable_points = [cable.getPathPoint(i) for i in range(cable.getNumPathPoints())]
        for point in cable_points:
            _check_frame(muscle.getName(), f"path point '{point.getAbsolutePathString()}'", point.getParentFrame())
        return cable_points
    points = geometry_path(muscle).getPathPointSet()
    return [points.get(i) for i in range(points.getSize())]


def placed_points(muscle: osim.Muscle) -> list[PlacedPoint]:
    """Return the path points of a muscle from origin to insertion, with their classes and places on bodies."""
    placed = []
    for point in defined_points(muscle):
        kind, frame, station = point.getConcreteClassName(), point.getParentFrame(), None
        base = frame.findBaseFrame()
        place = None if int(frame.this) == int(base.this) else placement(frame.findTransformInBaseFrame())
        if kind in ("PathPoint", "ConditionalPathPoint"):
            location = osim.PathPoint.safeDownCast(point).get_location().to_numpy()
            # without zeros of negative sign
            station = location + 0.0 if place is None else place[1] + place[0] @ location
        placed.append(PlacedPoint(point, kind, base.getName(), place, station))
    return placed


def path_on_bodies(
    muscle: osim.Muscle, state: osim.State, points: Sequence[PlacedPoint] = ()
) -> tuple[Array, list[tuple[int, str]]]:
    """Return points (n, 3) in ground [m] along a path, wraps included, and numbers and bodies of path points."""
    points = points or placed_points(muscle)
    cable = as_cable(muscle.getPath())
    if cable is not None:
        line, numbers, first = cable_line(cable, state), list[tuple[int, str]](), 0
        for placed in points:  # which are nearest to it
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
    """Return the points of a path at a state realized to position, with wrap points; none if fewer than ``fewest``."""
    with PATH_LISTS:
        path_points = path.getCurrentPath(state)
        count = path_points.getSize()
        return [path_points.get(i) for i in range(count)] if count >= fewest else []


def read_path(muscle: osim.Muscle, coordinates: CoordinateTable, points: Sequence[PlacedPoint] = ()) -> MusclePath:
    """Read one muscle's path."""
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
    """Read one path point, with its location in the frame of the body that its own frame hangs on."""
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
    """Read the function of one coordinate that gives a moving point's location along ``axis``, "x", "y" or "z"."""
    upper = axis.upper()
    function = getattr(point, f"get_{axis}_location")()
    if not getattr(point, f"has{upper}Coordinate")():
        # OpenSim then evaluates the function at zero
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
