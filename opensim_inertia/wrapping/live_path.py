"""OpenSim's current path of a wrapping muscle: its structure, and its arcs in their bodies' frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._opensim import osim
from ..reading import MusclePath, geometry_path
from .arcs import cylinder_arc, ellipsoid_arc, sphere_arc, torus_arc
from .surfaces import Surface, read_surface

Array = NDArray[np.float64]


@dataclass(frozen=True)
class PathShape:
    """A muscle's current path at one pose: its structure, and the arcs' control points in their bodies' frames."""

    sequence: tuple[int, ...]
    surfaces: tuple[str, ...]
    controls: tuple[Array, ...]

    def same_structure(self, other: PathShape) -> bool:
        """Whether the same points and surfaces follow each other."""
        return self.sequence == other.sequence and self.surfaces == other.surfaces


class LivePath:
    """One muscle's live path, and what is constant about it."""

    def __init__(self, model: osim.Model, path: MusclePath) -> None:
        self.path = path
        self._live = geometry_path(model.getMuscles().get(path.muscle))
        self._index = {p.name: i for i, p in enumerate(path.points)}
        wraps = self._live.getWrapSet()
        self.surfaces = {}
        frames: dict[str, None] = {}
        for i in range(wraps.getSize()):
            surface = read_surface(path.muscle, wraps.get(i).getWrapObject())
            self.surfaces[surface.name] = surface
            frames[surface.body] = None
        names = dict.fromkeys([*path.bodies, *frames])
        self.mobods = [_mobod(model, name) for name in names]

    def fixed_twist(self, jacobian: Array, state: osim.State, mobod: int) -> Array:
        """A body's twist about the ground's origin, (6, nu): equal for bodies that move together."""
        omega, v = jacobian[mobod, :3], jacobian[mobod, 3:]
        origin = self._origins(state)[mobod]
        return np.concatenate([omega, v - np.cross(omega.T, origin).T])

    def _origins(self, state: osim.State) -> dict[int, Array]:
        model = self._live.getModel()
        names = dict.fromkeys([*self.path.bodies, *(s.body for s in self.surfaces.values())])
        return {_mobod(model, n): _frame(model, n).getTransformInGround(state).p().to_numpy().copy() for n in names}

    def length(self, state: osim.State) -> float:
        """Length [m] of the path that OpenSim shows at a state realized to position.

        Its own ``getLength`` is stale where several surfaces share a segment (docs/opensim-multi-wrap.md).
        """
        current = self._live.getCurrentPath(state)
        points = [current.get(i) for i in range(current.getSize())]
        ground = [
            p.getParentFrame().getTransformInGround(state).shiftFrameStationToBase(p.getLocation(state)) for p in points
        ]
        places = np.array([x.to_numpy() for x in ground])
        pieces = np.linalg.norm(np.diff(places, axis=0), axis=1)
        for i, point in enumerate(points[1:]):
            wrap = osim.PathWrapPoint.safeDownCast(point)
            if wrap is not None and wrap.getWrapLength(state) > 0:
                pieces[i] = wrap.getWrapLength(state)
        return float(pieces.sum())

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
        rotation, origin = surface.in_body
        seen = body.shiftBaseStationToFrame(osim.Vec3(*point)).to_numpy()
        return np.asarray((seen - origin) @ rotation)

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


def _mobod(model: osim.Model, name: str) -> int:
    return int(_frame(model, name).getMobilizedBodyIndex())
