"""OpenSim's own current path of a muscle: straight lines, and arcs rebuilt by :mod:`oracles.wrap_arcs`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from opensim_inertia._core.opensim import osim

from .finite_differences import Array
from .wrap_arcs import Arc
from .wrap_model import BY_CLASS, Tangents


@dataclass(frozen=True)
class Element:
    """A piece of a path, in ground, by arc length from its own start; ``arc`` is None for a straight line."""

    start: Array
    end: Array
    arc: Arc | None = None
    rotation: Array | None = None
    origin: Array | None = None
    wrap: str = ""

    @cached_property
    def length(self) -> float:
        return float(np.linalg.norm(self.end - self.start)) if self.arc is None else self.arc.length

    def at(self, sigma: float) -> Array:
        """Point ``sigma`` metres from the start; beyond the ends the element goes on as it is."""
        if self.arc is None:
            return self.start + (self.end - self.start) * (sigma / self.length)
        return self.rotation @ self.arc.at(sigma) + self.origin


@dataclass(frozen=True)
class CurrentPath:
    """The current path at a state."""

    names: tuple[str, ...]
    points: Array
    elements: tuple[Element, ...]
    opensim_length: float

    @cached_property
    def cuts(self) -> Array:
        """Arc length at every path point (n,) [m]."""
        return np.concatenate([[0.0], np.cumsum([e.length for e in self.elements])])

    @property
    def length(self) -> float:
        """Length [m], arcs exact."""
        return float(self.cuts[-1])

    def locate(self, s: float) -> int:
        """Index of the element that holds arc length ``s``; the ends extend their elements."""
        return int(np.clip(np.searchsorted(self.cuts, s, side="right") - 1, 0, len(self.elements) - 1))

    def at(self, s: float, element: int | None = None) -> Array:
        """Point at arc length ``s``, on a given element or on the one that holds it."""
        k = self.locate(s) if element is None else element
        return self.elements[k].at(s - float(self.cuts[k]))

    def places(self, lengths: Array) -> Array:
        """Points (n, 3) at arc lengths (n,)."""
        return np.array([self.at(float(s)) for s in np.atleast_1d(lengths)])


@dataclass(frozen=True)
class Wrap:
    """A wrap object: its place in its body, and its sizes as the kernel takes them [m]."""

    name: str
    kind: str
    rotation: Array
    origin: Array
    sizes: Array

    @classmethod
    def read(cls, wrap: osim.WrapObject) -> Wrap:
        kind = wrap.getConcreteClassName()
        rotation, origin = _transform(wrap.getTransform())
        if kind not in BY_CLASS:
            raise ValueError(f"wrap object '{wrap.getName()}' of type {kind}")
        sizes = BY_CLASS[kind].read_size(getattr(osim, kind).safeDownCast(wrap))
        return cls(wrap.getName(), kind, rotation, origin, np.array(sizes))


def geometry_path(muscle: osim.Muscle) -> osim.GeometryPath:
    return osim.GeometryPath.safeDownCast(muscle.getPath())


def active_points(muscle: osim.Muscle, state: osim.State) -> dict[int, Array]:
    """Places in ground (3,) [m] of a path's active points at a state realized to position, by index."""
    points = geometry_path(muscle).getPathPointSet()
    each = [(i, points.get(i)) for i in range(points.getSize())]
    return {i: point.getLocationInGround(state).to_numpy().copy() for i, point in each if point.isActive(state)}


def in_surface(model: osim.Model, surface: Any, place: Array, state: osim.State) -> Array:
    """A place in ground (3,) [m], as a surface of an inertial model sees it."""
    ground = model.getGround()
    frame = ground if surface.body == "ground" else model.getBodySet().get(surface.body)
    in_body = ground.findStationLocationInAnotherFrame(state, osim.Vec3(*place.tolist()), frame)
    return surface.from_body(in_body.to_numpy())


def read_current_path(geometry: osim.GeometryPath, state: osim.State, known: dict[str, Wrap]) -> CurrentPath:
    """The current path at a state realized to position; wrap objects are read once, into ``known``."""
    current = geometry.getCurrentPath(state)
    names, points, wraps = [], [], []
    frames: dict[str, tuple[Array, Array]] = {}
    for i in range(current.getSize()):
        point = current.get(i)
        frame = point.getParentFrame()
        key = frame.getAbsolutePathString()
        if key not in frames:
            frames[key] = _transform(frame.getTransformInGround(state))
        rotation, origin = frames[key]
        points.append(rotation @ point.getLocation(state).to_numpy() + origin)
        wrapped = osim.PathWrapPoint.safeDownCast(point)
        if wrapped is None:
            names.append(point.getName())
            wraps.append(None)
        else:
            place = wrapped.getWrapObject().getAbsolutePathString()
            wrap = known.get(place) or known.setdefault(place, Wrap.read(wrapped.getWrapObject()))
            names.append("wrap:" + wrap.name)
            drawn = wrapped.getWrapPath(state)
            samples = [drawn.get(k).to_numpy().copy() for k in range(drawn.getSize())]
            wraps.append((wrap, frames[key], wrapped.getWrapLength(state), np.array(samples).reshape(-1, 3)))
    elements: list[Element] = []
    for i in range(len(points) - 1):
        first, second = wraps[i], wraps[i + 1]
        if first is not None and second is not None and first[0] is second[0] and _starts_arc(wraps, i):
            before, after = points[max(i - 1, 0)], points[min(i + 2, len(points) - 1)]
            elements.append(_arc_element(points[i], points[i + 1], before, after, *second))
        else:
            elements.append(Element(points[i], points[i + 1]))
    return CurrentPath(tuple(names), np.array(points), tuple(elements), geometry.getLength(state))


def _arc_element(
    start: Array,
    end: Array,
    before: Array,
    after: Array,
    wrap: Wrap,
    frame: tuple[Array, Array],
    wrap_length: float,
    drawn: Array,
) -> Element:
    """Return the element from one tangent point to the other: an arc, or a line where both points coincide."""
    rotation, origin = frame[0] @ wrap.rotation, frame[0] @ wrap.origin + frame[1]
    at = Tangents(*(rotation.T @ (x - origin) for x in (start, end, before, after)))
    if np.linalg.norm(at.end - at.start) < 1e-9:
        return Element(start, end)
    arc = BY_CLASS[wrap.kind].arc(at, wrap.sizes, wrap_length, (drawn - wrap.origin) @ wrap.rotation)
    return Element(start, end, arc, rotation, origin, wrap.name)


def _starts_arc(wraps: list[tuple[Wrap, tuple[Array, Array], float, Array] | None], i: int) -> bool:
    """Wrap points come in pairs; count from the first of a run."""
    first = i
    while first > 0 and wraps[first - 1] is not None:
        first -= 1
    return (i - first) % 2 == 0


def _transform(x: osim.Transform) -> tuple[Array, Array]:
    r, p = x.R(), x.p()
    return np.array([[r.get(i, j) for j in range(3)] for i in range(3)]), p.to_numpy()
