"""OpenSim's path of a muscle over wrap objects or obstacles."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles, physical_frame, placement
from ...opensim_model.reading.paths import (
    MusclePath,
    cable_line,
    current_points,
    defined_points,
    geometry_path,
    read_obstacles,
)
from .surfaces import FRACTIONS, Surface, at_even_fractions, read_surfaces

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline


#: Tolerances of an arc's ends from its surface, and of its length and of reversals [m].
OFF_SURFACE, OFF_LENGTH = 1e-4, 1e-3
#: Tolerance of ``getLength`` [m], which OpenSim computes from first-pass points.
FAR = 1e-2
#: Number of points for an arc's length.
MEASURED = 101


@dataclass(frozen=True, eq=False)
class PathShape:
    """A muscle's current OpenSim path at one pose; OpenSim's arcs over ``broken`` surfaces are invalid."""

    sequence: tuple[int, ...]  # from origin to insertion: indices of path points, or -1 - i for arc i
    surfaces: tuple[str, ...]  # surface of each arc
    controls: tuple[Array, ...]  # control points of each arc in its body frame, (n, 3) [m]
    broken: tuple[str, ...] = ()

    def same_structure(self, other: PathShape) -> bool:
        """Return whether both paths have the same sequence of points, arcs and surfaces."""
        return self.sequence == other.sequence and self.surfaces == other.surfaces


class SampledArc(NamedTuple):
    """An arc of OpenSim's path at a pose; ``drawn_middle``: middle (3,) [m] of the drawn arc in the surface frame."""

    pose: int
    surface: str
    span: tuple[int, int]  # indices of the path points around it
    first: Array  # (3,), ``first`` and ``last``: tangent points in the surface frame [m]
    last: Array
    length: float  # by OpenSim [m]
    drawn_middle: Array | None
    controls: Array | None = None  # control points of a cable's arc in the surface frame, (n, 3) [m]


class CurrentPath:
    """Reader of one muscle's OpenSim path."""

    def __init__(self, model: osim.Model, path: MusclePath, muscles: Mapping[str, osim.Muscle] | None = None) -> None:
        self.path = path
        muscle = (model_muscles(model) if muscles is None else muscles)[path.muscle]
        self._model = model
        self._points = defined_points(muscle)
        self._index = {p.name: i for i, p in enumerate(path.points)}
        self.surfaces = read_surfaces(muscle)
        self._find(muscle)

    def _find(self, muscle: osim.Muscle) -> None:
        self._geometry = geometry_path(muscle)

    def length(self, state: osim.State) -> float:
        """Return the length [m] of OpenSim's displayed path at a state realized to position."""
        return shown_length(self._geometry, state)

    def reported_length(self, state: osim.State) -> float:
        """Return the length [m] by OpenSim's ``getLength`` at a state realized to position."""
        return float(self._geometry.getLength(state))

    def moved_apart(self, jacobian: Array, state: osim.State) -> Array:
        """Return, per speed (nu,), the largest relative motion of the path's bodies, from the system Jacobian."""
        names = dict.fromkeys([*self.path.bodies, *(s.body for s in self.surfaces.values())])
        frames = [physical_frame(self._model, name) for name in names]
        return moved_apart(
            [jacobian[int(frame.getMobilizedBodyIndex())] for frame in frames],
            [frame.getTransformInGround(state).p().to_numpy().copy() for frame in frames],
        )

    def active_points(self, state: osim.State) -> dict[int, Array]:
        """Return positions in ground (3,) [m] of active path points, by index."""
        return {
            i: np.array(point.getLocationInGround(state).to_numpy())
            for i, point in enumerate(self._points)
            if point.isActive(state)
        }

    def in_surface(self, surface: Surface, points: Array, state: osim.State) -> Array:
        """Return points (..., 3) transformed from ground to a surface's frame."""
        rotation, origin = placement(physical_frame(self._model, surface.body).getTransformInGround(state))
        return surface.from_body((points - origin) @ rotation)

    def wrap_ranges(self) -> dict[str, tuple[int, int]]:
        """Return, by surface, indices of the first and last path point of the wrap's range."""
        wraps, last = self._geometry.getWrapSet(), len(self.path.points) - 1
        ranges = {}
        for i in range(wraps.getSize()):
            start, end = wraps.get(i).get_range(0), wraps.get(i).get_range(1)
            bounds = (start - 1 if start >= 1 else 0, end - 1 if end >= 1 else last)
            ranges[wraps.get(i).getWrapObject().getName()] = bounds
        return ranges

    def sampled(self, pose: int, state: osim.State, active: Sequence[int]) -> list[SampledArc]:
        """Return the path's arcs over surfaces at a pose, in path order."""
        arcs: list[SampledArc] = []
        points = current_points(self._geometry, state, len(active) + 2)
        for number, surface, touch, leave, length, middle in self._wraps(points, state):
            passed = number - 2 * len(arcs)
            span = active[passed - 1], active[passed]
            arcs.append(SampledArc(pose, surface.name, span, touch, leave, length, middle))
        return arcs

    def _wraps(
        self, points: Sequence[osim.AbstractPathPoint], state: osim.State
    ) -> Iterator[tuple[int, Surface, Array, Array, float, Array | None]]:
        """Yield each wrap: point index, surface, two tangent points (3,) [m], length [m], and middle of the drawn arc.

        The middle point is None for geodesics, and if OpenSim draws fewer than three points.
        """
        number = 0
        while number < len(points):
            first = osim.PathWrapPoint.safeDownCast(points[number])
            if first is not None:
                last = osim.PathWrapPoint.safeDownCast(points[number + 1])
                only = len(self.surfaces) == 1
                surface = self.surfaces[next(iter(self.surfaces)) if only else first.getWrapObject().getName()]
                touch, leave = (surface.to_local(point.getLocation(state).to_numpy()) for point in (first, last))
                middle = None
                if not surface.has_geodesic_arc and (count := (drawn := last.getWrapPath(state)).getSize()) >= 3:
                    middle = surface.to_local(drawn.get(count // 2).to_numpy())
                yield number, surface, touch, leave, last.getWrapLength(state), middle
            number += 1 if first is None else 2

    def shape(self, state: osim.State) -> PathShape:
        """Return the sequence of path points and arcs, and arcs' control points, at a state realized to position."""
        points, start = current_points(self._geometry, state), 0
        sequence: list[int] = []
        surfaces: list[str] = []
        controls: list[Array] = []
        broken: list[str] = []
        for number, surface, touch, leave, length, middle in self._wraps(points, state):
            sequence += [self._index[point.getName()] for point in points[start:number]]
            start = number + 2
            frame = points[number].getParentFrame().getTransformInGround(state)
            before, after = (
                surface.to_local(_place_in_frame(frame, points[i], state)) for i in (number - 1, number + 2)
            )
            arc = surface.arc(touch, leave, before, after, middle)
            if not _is_sound(surface, before, arc, after, length):
                broken.append(surface.name)
                continue
            sequence.append(-1 - len(controls))
            surfaces.append(surface.name)
            controls.append(surface.to_body(arc))
        sequence += [self._index[point.getName()] for point in points[start:]]
        return PathShape(tuple(sequence), tuple(surfaces), tuple(controls), tuple(broken))


def moved_apart(motions: Iterable[Array], origins: Iterable[Array]) -> Array:
    """Return, per speed (n,), the largest entry of twists ``motions`` (6, n) relative to the first; origins [m]."""
    twists = []  # about the ground's origin: equal for bodies that move together
    for motion, origin in zip(motions, origins, strict=True):
        omega, v = motion[:3], motion[3:]
        twists.append(np.concatenate([omega, v - np.cross(omega.T, origin).T]))
    return np.asarray(np.max([np.abs(t - twists[0]).max(axis=0) for t in twists], axis=0))


def shown_length(path: osim.GeometryPath, state: osim.State) -> float:
    """Return the length [m] of OpenSim's displayed path; ``getLength`` may differ (docs/opensim-multi-wrap.md)."""
    total, start, wrap = 0.0, np.zeros(3), ""
    for i, point in enumerate(current_points(path, state)):
        place = point.getParentFrame().findStationLocationInGround(state, point.getLocation(state)).to_numpy().copy()
        arc = osim.PathWrapPoint.safeDownCast(point)
        name = arc.getWrapObject().getName() if arc else ""
        if i:
            total += arc.getWrapLength(state) if arc and name == wrap else float(np.linalg.norm(place - start))
        start, wrap = place, name
    return float(total)


def _is_sound(surface: Surface, before: Array, arc: Array, after: Array, length: float) -> bool:
    """Return whether an arc (n, 3) lies on the surface, does not reverse, and agrees with OpenSim's ``length`` [m]."""
    ours = polyline_length(at_even_fractions(MEASURED) @ arc)
    if not math.isfinite(ours + length + float(before.sum()) + float(after.sum())):
        return False
    if surface.kind == "torus":
        return True
    if not abs(ours - length) < OFF_LENGTH or np.abs(surface.gap(arc[[0, -1]])).max() >= OFF_SURFACE:
        return False
    if not surface.is_cylindrical:
        return True
    start, first, last, end = before.item(2), arc.item(0, 2), arc.item(-1, 2), after.item(2)
    return bool(abs(first - start) + abs(last - first) + abs(end - last) - abs(end - start) <= OFF_LENGTH)


def polyline_length(points: Array) -> float:
    """Return the length [m] of a polyline (n, 3)."""
    steps = points[1:] - points[:-1]
    return float(np.sqrt((steps * steps).sum(axis=1)).sum())


def _place_in_frame(frame: osim.Transform, point: osim.AbstractPathPoint, state: osim.State) -> Array:
    """Return a path point's position (3,) [m] in a frame."""
    ground = point.getParentFrame().getTransformInGround(state).shiftFrameStationToBase(point.getLocation(state))
    return np.array(frame.shiftBaseStationToFrame(ground).to_numpy())


#: Tolerance of points on an obstacle [m]; OpenSim projects them to 1e-9 m.
ON_SURFACE = 1e-7

#: Tolerance of equal points [m].
SAME_POINT = 1e-9

#: Angle at an obstacle's edge [rad] that shows that OpenSim's search did not converge.
CORNER = 2e-3


class _Bend(NamedTuple):
    """A segment of a cable on one obstacle, as points [m] in the obstacle's frame."""

    surface: Surface
    span: tuple[int, int]
    before: Array
    knots: Array
    after: Array


class CurrentCable(CurrentPath):
    """Reader of one muscle's OpenSim cable; each pose needs a new state, because states keep the former path."""

    def _find(self, muscle: osim.Muscle) -> None:
        self._cable = osim.Scholz2015GeometryPath.safeDownCast(muscle.getPath())
        obstacles = read_obstacles(muscle.getName(), self._cable)
        self._after = {obstacle.name: obstacle.after for obstacle in obstacles}

    def length(self, state: osim.State) -> float:
        """Return the cable's length [m] by OpenSim at a state realized to position."""
        return float(self._cable.getLength(state))

    reported_length = length

    def wrap_ranges(self) -> dict[str, tuple[int, int]]:
        """Return, by obstacle, the indices of the path points before and after the obstacle."""
        return {name: (after, after + 1) for name, after in self._after.items()}

    def sampled_with_corner(self, pose: int, state: osim.State) -> tuple[list[SampledArc], float]:
        """Return the cable's arcs, and the largest corner angle [rad] at ends of arcs; pi for an invalid path."""
        parts, strays = self._parts(state)
        arcs = []
        for bend in (bend for bend in parts if len(bend.knots) > 1):
            length = float(np.linalg.norm(np.diff(bend.knots, axis=0), axis=1).sum())
            first, last = bend.knots[[0, -1]]
            arcs.append(SampledArc(pose, bend.surface.name, bend.span, first, last, length, None, _controls(bend)))
        return arcs, np.pi if strays else max((_corner(bend) for bend in parts), default=0.0)

    def shape(self, state: osim.State) -> PathShape:
        """Return the sequence of path points and arcs, and arcs' control points, at a state realized to position."""
        sequence = list(range(len(self.path.points)))
        bends = [bend for bend in self._parts(state)[0] if len(bend.knots) > 1]
        for k, bend in enumerate(bends):
            sequence.insert(sequence.index(bend.span[1]), -1 - k)
        controls = tuple(bend.surface.to_body(_controls(bend)) for bend in bends)
        return PathShape(tuple(sequence), tuple(bend.surface.name for bend in bends), controls)

    def _parts(self, state: osim.State) -> tuple[list[_Bend], int]:
        """Return the cable's segments on obstacles, and the number of points that lie on no obstacle."""
        points, path_points = cable_line(self._cable, state), self.active_points(state)
        bends, strays, start = [], 0, 0
        for via in range(len(path_points) - 1):
            is_end = np.linalg.norm(points[start + 1 :] - path_points[via + 1], axis=1) < SAME_POINT
            end = start + 1 + int(np.argmax(is_end))
            at = start + 1
            for name in [name for name, after in self._after.items() if after == via]:
                surface = self.surfaces[name]
                local = self.in_surface(surface, points[at - 1 : end + 1], state)
                is_off = np.abs(surface.gap(local[1:-1])) > ON_SURFACE
                count = int(np.argmax(is_off)) if is_off.any() else len(is_off)
                if count:
                    bends.append(_Bend(surface, (via, via + 1), local[0], local[1 : 1 + count], local[1 + count]))
                at += count
            strays += end - at
            start = end
        return bends, strays


def current_path(model: osim.Model, path: MusclePath, muscles: Mapping[str, osim.Muscle] | None = None) -> CurrentPath:
    """Return a reader of a muscle's path (geometry path or cable), as computed by OpenSim."""
    return (CurrentCable if path.is_cable else CurrentPath)(model, path, muscles)


def _controls(bend: _Bend) -> Array:
    """Return control points (n, 3) [m], in the obstacle's frame, of a cable's geodesic on the obstacle."""
    if bend.surface.has_geodesic_arc:
        return bend.surface.arc(bend.knots[0], bend.knots[-1], bend.before, bend.after, None)
    steps = np.linalg.norm(np.diff(bend.knots, axis=0), axis=1)
    is_distinct = np.append(True, steps > 1e-9)
    s = np.concatenate([[0.0], np.cumsum(steps)])[is_distinct]
    if len(s) < 3:
        return bend.knots[0] + FRACTIONS[:, None] * (bend.knots[-1] - bend.knots[0])
    return np.asarray(_cubic_spline(s, bend.knots[is_distinct])(FRACTIONS * s[-1]))


def _corner(bend: _Bend) -> float:
    arriving, leaving = bend.knots[0] - bend.before, bend.after - bend.knots[-1]
    straight = np.stack([arriving, leaving])
    if np.linalg.norm(np.diff(bend.knots, axis=0), axis=1).sum() < ON_SURFACE:  # a point
        directions = straight[::-1]
    else:
        directions = _cubic_spline(FRACTIONS, _controls(bend)).derivative()(np.array([0.0, 1.0]))
    u, t = (x / np.linalg.norm(x, axis=1)[:, None] for x in (straight, directions))
    return float(2 * np.arcsin(np.minimum(np.linalg.norm(u - t, axis=1) / 2, 1.0)).max())


def _cubic_spline(at: Array, values: Array) -> CubicSpline:
    from scipy.interpolate import CubicSpline  # only models with cables need it

    return CubicSpline(at, values)
