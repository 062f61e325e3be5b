"""Musculotendon paths of a model, read once into plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..errors import UnsupportedPathError
from .coordinates import CoordinateTable
from .functions import PiecewiseCubic, read_function


@dataclass(frozen=True)
class FixedPoint:
    """A path point fixed to a body: ``station`` [m] in the body's frame, shape (3,)."""

    name: str
    body: str
    station: Array


@dataclass(frozen=True)
class ConditionalPoint:
    """A path point that is there while a coordinate lies in ``range`` [rad or m]."""

    name: str
    body: str
    station: Array
    coordinate: str
    range: tuple[float, float]


@dataclass(frozen=True)
class MovingFunction:
    """One component of a moving point: a cubic of a coordinate clamped to its range; constant if that is None."""

    coordinate: str | None
    cubic: PiecewiseCubic
    range: tuple[float, float]


@dataclass(frozen=True)
class MovingPoint:
    """A path point that moves in its frame; ``rotation`` (3, 3) and ``origin`` (3,) place that frame in the body."""

    name: str
    body: str
    rotation: Array
    origin: Array
    functions: tuple[MovingFunction, MovingFunction, MovingFunction]


PathPoint = FixedPoint | ConditionalPoint | MovingPoint


@dataclass(frozen=True)
class MusclePath:
    """A muscle's path and the two lengths that place its belly.

    Attributes:
        muscle: its name.
        points: path points from origin to insertion, wrap points not included.
        wraps: names of its wrap objects; empty if the path is a polyline.
        optimal_fiber_length: [m].
        tendon_slack_length: [m].
        pennation_angle: at optimal fibre length [rad].
    """

    muscle: str
    points: tuple[PathPoint, ...]
    wraps: tuple[str, ...]
    optimal_fiber_length: float
    tendon_slack_length: float
    pennation_angle: float = 0.0

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies that carry its path points, in order of appearance."""
        return tuple(dict.fromkeys(p.body for p in self.points))


def geometry_path(muscle: osim.Muscle) -> osim.GeometryPath:
    """Return the muscle's GeometryPath.

    Raises:
        UnsupportedPathError: its path is of another class.
    """
    path = muscle.getPath()
    cast = osim.GeometryPath.safeDownCast(path)
    if cast is None:
        raise UnsupportedPathError(
            muscle.getName(),
            f"path of class {path.getConcreteClassName()}",
            "has no points along which mass could lie; only GeometryPath is supported",
        )
    return cast


def read_path(muscle: osim.Muscle, coordinates: CoordinateTable) -> MusclePath:
    """Read one muscle's path.

    Raises:
        UnsupportedPathError: names the muscle and the element that cannot be read.
    """
    name = muscle.getName()
    path = geometry_path(muscle)
    point_set = path.getPathPointSet()
    points = tuple(_read_point(name, point_set.get(i), coordinates) for i in range(point_set.getSize()))
    wrap_set = path.getWrapSet()
    wraps = tuple(_wrap_name(name, wrap_set.get(i)) for i in range(wrap_set.getSize()))
    lengths = muscle.getOptimalFiberLength(), muscle.getTendonSlackLength()
    return MusclePath(name, points, wraps, *lengths, muscle.getPennationAngleAtOptimalFiberLength())


def _wrap_name(muscle: str, wrap: osim.PathWrap) -> str:
    wrap_object = wrap.getWrapObject()
    if wrap_object is None:
        raise UnsupportedPathError(muscle, f"wrap '{wrap.getName()}'", "names no wrap object of the model")
    return str(wrap_object.getName())


def _read_point(muscle: str, point: osim.AbstractPathPoint, coordinates: CoordinateTable) -> PathPoint:
    kind = point.getConcreteClassName()
    frame = point.getParentFrame()
    base = frame.findBaseFrame()
    body = base.getName()
    rotation, origin = np.eye(3), np.zeros(3)
    if frame.getAbsolutePathString() != base.getAbsolutePathString():
        in_body = frame.findTransformInBaseFrame()
        rotation = np.array([[in_body.R().get(i, j) for j in range(3)] for i in range(3)])
        origin = in_body.p().to_numpy().copy()
    if kind == "MovingPathPoint":
        moving = osim.MovingPathPoint.safeDownCast(point)
        functions = tuple(_read_component(muscle, moving, axis, coordinates) for axis in "xyz")
        return MovingPoint(point.getName(), body, rotation, origin, functions)  # type: ignore[arg-type]
    if kind == "ConditionalPathPoint":
        conditional = osim.ConditionalPathPoint.safeDownCast(point)
        station = origin + rotation @ conditional.get_location().to_numpy()
        bounds = (conditional.get_range(0), conditional.get_range(1))
        return ConditionalPoint(point.getName(), body, station, conditional.getCoordinate().getName(), bounds)
    if kind == "PathPoint":
        station = origin + rotation @ osim.PathPoint.safeDownCast(point).get_location().to_numpy()
        return FixedPoint(point.getName(), body, station)
    raise UnsupportedPathError(muscle, f"path point '{point.getName()}' of class {kind}", "is not supported")


def _read_component(
    muscle: str, point: osim.MovingPathPoint, axis: str, coordinates: CoordinateTable
) -> MovingFunction:
    upper = axis.upper()
    function = getattr(point, f"get_{axis}_location")()
    if not getattr(point, f"has{upper}Coordinate")():
        # OpenSim then evaluates the function at zero
        low, high, coordinate = 0.0, 0.0, None
    else:
        moving = getattr(point, f"get{upper}Coordinate")()
        low, high, coordinate = moving.getRangeMin(), moving.getRangeMax(), moving.getName()
    cubic = read_function(function, low, high)
    if cubic is None:
        raise UnsupportedPathError(
            muscle,
            f"moving path point '{point.getName()}': its {axis} location, a {function.getConcreteClassName()},",
            "is not a piecewise cubic (supported: SimmSpline, linear, piecewise linear, constant, their multiples)",
        )
    if coordinate is not None and coordinate not in coordinates.names:
        raise UnsupportedPathError(
            muscle, f"moving path point '{point.getName()}'", f"depends on unknown '{coordinate}'"
        )
    return MovingFunction(coordinate, cubic, (low, high))
