"""OpenSim's current path of a wrapping muscle: its structure, and its arcs in their bodies' frames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..reading import MusclePath, geometry_path
from .arcs import cylinder_arc, ellipsoid_arc, sphere_arc, torus_arc
from .surfaces import Surface, read_surface


@dataclass(frozen=True)
class ShownArc:
    """The stretch of a path on one surface.

    Attributes:
        surface: name of the surface.
        controls: control points in its body's frame.
        segment: indices of the path points between which it lies.
    """

    surface: str
    controls: Array
    segment: tuple[int, int]


@dataclass(frozen=True)
class PathShape:
    """A muscle's current path at one pose: its structure, and the arcs' control points in their bodies' frames."""

    sequence: tuple[int, ...]
    surfaces: tuple[str, ...]
    controls: tuple[Array, ...]

    def same_structure(self, other: PathShape) -> bool:
        """Whether the same points and surfaces follow each other."""
        return self.sequence == other.sequence and self.surfaces == other.surfaces

    def arcs(self) -> list[ShownArc]:
        """The arcs in their order along the path."""
        found = []
        for place, code in enumerate(self.sequence):
            if code < 0:
                start = next(i for i in self.sequence[place::-1] if i >= 0)
                end = next(i for i in self.sequence[place:] if i >= 0)
                found.append(ShownArc(self.surfaces[-1 - code], self.controls[-1 - code], (start, end)))
        return found


class LivePath:
    """One muscle's live path, and what is constant about it."""

    def __init__(self, model: osim.Model, path: MusclePath) -> None:
        self.path = path
        self._live = geometry_path(model.getMuscles().get(path.muscle))
        self._index = {p.name: i for i, p in enumerate(path.points)}
        wraps = self._live.getWrapSet()
        self.surfaces = {}
        for i in range(wraps.getSize()):
            surface = read_surface(path.muscle, wraps.get(i).getWrapObject())
            self.surfaces[surface.name] = surface

    def moved_apart(self, jacobian: Array, state: osim.State) -> Array:
        """How much each speed moves its bodies against each other (nu,), by the system Jacobian (bodies, 6, nu)."""
        names = dict.fromkeys([*self.path.bodies, *(s.body for s in self.surfaces.values())])
        frames = [_frame(self._live.getModel(), name) for name in names]
        return moved_apart(
            [jacobian[int(frame.getMobilizedBodyIndex())] for frame in frames],
            [frame.getTransformInGround(state).p().to_numpy().copy() for frame in frames],
        )

    def length(self, state: osim.State) -> float:
        """Length [m] of the path that OpenSim shows at a state realized to position."""
        return shown_length(self._live, state)

    def active_points(self, state: osim.State) -> dict[int, Array]:
        """Places in ground of its own path points that are there at a state realized to position, by index."""
        points = self._live.getPathPointSet()
        return {
            i: np.array(points.get(i).getLocationInGround(state).to_numpy())
            for i in range(points.getSize())
            if points.get(i).isActive(state)
        }

    def in_surface(self, surface: Surface, point: Array, state: osim.State) -> Array:
        """A point in ground (3,), seen from a surface's own frame."""
        body = _frame(self._live.getModel(), surface.body).getTransformInGround(state)
        return surface.from_body(body.shiftBaseStationToFrame(osim.Vec3(*point)).to_numpy())

    def in_ground(self, arc: ShownArc, state: osim.State) -> Array:
        """An arc's control points in ground."""
        body = _frame(self._live.getModel(), self.surfaces[arc.surface].body).getTransformInGround(state)
        return np.array([body.shiftFrameStationToBase(osim.Vec3(*x)).to_numpy() for x in arc.controls])

    def wrap_ranges(self) -> dict[str, tuple[int, int]]:
        """First and last path point between which each surface is to be wrapped."""
        wraps, last = self._live.getWrapSet(), len(self.path.points) - 1
        ranges = {}
        for i in range(wraps.getSize()):
            start, end = wraps.get(i).get_range(0), wraps.get(i).get_range(1)
            bounds = (start - 1 if start >= 1 else 0, end - 1 if end >= 1 else last)
            ranges[wraps.get(i).getWrapObject().getName()] = bounds
        return ranges

    def shape(self, state: osim.State) -> PathShape:
        """Structure and arcs of the path at a state realized to position."""
        current = self._live.getCurrentPath(state)
        points = [current.get(i) for i in range(current.getSize())]
        sequence: list[int] = []
        surfaces: list[str] = []
        controls: list[Array] = []
        i = 0
        while i < len(points):
            wrap = osim.PathWrapPoint.safeDownCast(points[i])
            if wrap is None:
                sequence.append(self._index[points[i].getName()])
                i += 1
                continue
            last = osim.PathWrapPoint.safeDownCast(points[i + 1])
            surface = self.surfaces[wrap.getWrapObject().getName()]
            before = surface.to_local(_seen_from(wrap.getParentFrame(), points[i - 1], state))
            first_point = surface.to_local(wrap.getLocation(state).to_numpy())
            last_point = surface.to_local(last.getLocation(state).to_numpy())
            after = surface.to_local(_seen_from(wrap.getParentFrame(), points[i + 2], state))
            drawn = last.getWrapPath(state) if surface.kind == "ellipsoid" else None
            arc = _arc(surface, first_point, last_point, before, after, drawn)
            sequence.append(-1 - len(controls))
            surfaces.append(surface.name)
            controls.append(surface.to_body(arc))
            i += 2
        return PathShape(tuple(sequence), tuple(surfaces), tuple(controls))


def moved_apart(motions: Iterable[Array], origins: Iterable[Array]) -> Array:
    """How much bodies move against the first one (n,) in motions (6, n) of their frames' origins (3,)."""
    twists = []  # about the ground's origin: equal for bodies that move together
    for motion, origin in zip(motions, origins, strict=True):
        omega, v = motion[:3], motion[3:]
        twists.append(np.concatenate([omega, v - np.cross(omega.T, origin).T]))
    return np.asarray(np.max([np.abs(t - twists[0]).max(axis=0) for t in twists], axis=0))


def shown_length(path: osim.GeometryPath, state: osim.State) -> float:
    """Length [m] of the path that OpenSim shows, at a state realized to position.

    The straight pieces between the points' own places, and ``getWrapLength`` over the surfaces;
    ``getLength`` differs from it on paths over several wraps (docs/opensim-multi-wrap.md).
    """
    points, total, here, wrap = path.getCurrentPath(state), 0.0, np.zeros(3), ""
    for i in range(points.getSize()):
        point = points.get(i)
        place = point.getParentFrame().findStationLocationInGround(state, point.getLocation(state)).to_numpy().copy()
        on = osim.PathWrapPoint.safeDownCast(point)
        name = on.getWrapObject().getName() if on else ""
        if i:
            total += on.getWrapLength(state) if on and name == wrap else float(np.linalg.norm(place - here))
        here, wrap = place, name
    return float(total)


def _arc(surface: Surface, first: Array, last: Array, before: Array, after: Array, drawn: Any) -> Array:
    if surface.kind == "cylinder":
        return cylinder_arc(first, last, before)
    if surface.kind == "sphere":
        return sphere_arc(first, last, before)
    if surface.kind == "torus":
        return torus_arc(first, last, before, surface.size[0], surface.size[1])
    if drawn.getSize() >= 3:
        middle = surface.to_local(drawn.get(drawn.getSize() // 2).to_numpy())
    else:  # an arc too short to be drawn bulges to where the path turns from
        arriving, leaving = first - before, after - last
        bulge = arriving / np.linalg.norm(arriving) - leaving / np.linalg.norm(leaving)
        middle = 0.5 * (first + last) + 0.1 * np.linalg.norm(last - first) * bulge
    return ellipsoid_arc(first, last, middle, surface.size)


def _seen_from(frame: osim.Frame, point: osim.AbstractPathPoint, state: osim.State) -> Array:
    """A path point's place in a frame."""
    ground = point.getParentFrame().getTransformInGround(state).shiftFrameStationToBase(point.getLocation(state))
    return np.array(frame.getTransformInGround(state).shiftBaseStationToFrame(ground).to_numpy())


def _frame(model: osim.Model, name: str) -> osim.PhysicalFrame:
    return model.getGround() if name == "ground" else model.getBodySet().get(name)
