"""Arcs of a path over OpenSim's wrap objects, rebuilt from the tangent points alone, in the wrap object's frame.

They are the curves that OpenSim's drawn samples approximate: a helix on a cylinder (and on that of the tube's radius
which stands in for a torus), a great circle, and on an ellipsoid the section with the plane of path and tangent points.
OpenSim's cylinder path is no geodesic: its tangent points are corners of the path, like any path point.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from .finite_differences import Array

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)


class Arc(Protocol):
    """A curve by arc length. ``turn_agrees``: it leaves the first tangent point along the line before it."""

    length: float
    turn_agrees: bool

    def at(self, sigma: float) -> Array:
        """Point at ``sigma`` metres from the first tangent point."""


@dataclass(frozen=True)
class Helix:
    """Angle and z are linear in arc length."""

    radius: float
    angle: float
    sweep: float
    z: float
    rise: float
    turn_agrees: bool

    @property
    def length(self) -> float:
        return float(np.hypot(self.radius * self.sweep, self.rise))

    def at(self, sigma: float) -> Array:
        t = sigma / self.length if self.length else 0.0
        angle = self.angle + t * self.sweep
        return np.array([self.radius * np.cos(angle), self.radius * np.sin(angle), self.z + t * self.rise])


@dataclass(frozen=True)
class MovedArc:
    """An arc in a frame of its own: x = rotation @ arc + origin."""

    arc: Arc
    rotation: Array
    origin: Array

    @property
    def length(self) -> float:
        return self.arc.length

    @property
    def turn_agrees(self) -> bool:
        return self.arc.turn_agrees

    def at(self, sigma: float) -> Array:
        return self.rotation @ self.arc.at(sigma) + self.origin


@dataclass(frozen=True)
class PlaneSection:
    """x = axes * (centre + r(t) (e1 cos(t sweep) + e2 sin(t sweep))), t in [0, 1]: a circle in scaled space."""

    axes: Array
    centre: Array
    e1: Array
    e2: Array
    sweep: float
    radius1: float
    radius2: float
    turn_agrees: bool

    def _point(self, t: Array) -> Array:
        r = self.radius1 + (self.radius2 - self.radius1) * t
        turned = np.outer(np.cos(t * self.sweep), self.e1) + np.outer(np.sin(t * self.sweep), self.e2)
        return self.axes * (self.centre + r[:, None] * turned)

    def _speed(self, t: Array) -> Array:
        r, slope = self.radius1 + (self.radius2 - self.radius1) * t, self.radius2 - self.radius1
        c, s = np.cos(t * self.sweep), np.sin(t * self.sweep)
        along = np.outer(slope * c - r * self.sweep * s, self.e1) + np.outer(slope * s + r * self.sweep * c, self.e2)
        return np.linalg.norm(self.axes * along, axis=1)

    def _length_to(self, t: float) -> float:
        return float(0.5 * t * (_WEIGHTS @ self._speed(0.5 * t * (_NODES + 1))))

    @property
    def length(self) -> float:
        return self._length_to(1.0)

    def at(self, sigma: float) -> Array:
        t = sigma / self.length
        for _ in range(20):
            step = (self._length_to(t) - sigma) / float(self._speed(np.array([t]))[0])
            t -= step
            if abs(step) < 1e-15:
                break
        return self._point(np.array([t]))[0]


def helix(start: Array, end: Array, before: Array, radius: float, wrap_length: float) -> Helix:
    """Arc on the cylinder about z. Of the two ways round, the one whose length is nearest OpenSim's ``wrap_length``."""
    angle = float(np.arctan2(start[1], start[0]))
    short = float((np.arctan2(end[1], end[0]) - angle + np.pi) % (2 * np.pi) - np.pi)
    long = short - np.copysign(2 * np.pi, short)
    rise = float(end[2] - start[2])
    lengths = [np.hypot(radius * s, rise) for s in (short, long)]
    incoming = start - before
    turning = float(start[0] * incoming[1] - start[1] * incoming[0])
    if abs(abs(short) - np.pi) < 1e-6:
        sweep = short if short * turning >= 0 else long
    else:
        sweep = short if abs(lengths[0] - abs(wrap_length)) <= abs(lengths[1] - abs(wrap_length)) else long
    return Helix(radius, angle, sweep, float(start[2]), rise, bool(sweep * turning >= 0))


def torus_arc(start: Array, end: Array, before: Array, tube: float, circle: float, wrap_length: float) -> MovedArc:
    """Arc over a torus: OpenSim wraps a straight cylinder of the tube's radius that touches the torus' circle."""

    def residual(phi: float, reach: float) -> Array:
        out = np.array([np.cos(phi), np.sin(phi), 0.0])
        return np.array([np.hypot(x @ out - reach, x[2]) - tube for x in (start, end)])

    grid = np.linspace(-np.pi, np.pi, 721)
    place = np.array([grid[np.argmin([np.sum(residual(p, circle) ** 2) for p in grid])], circle])
    for _ in range(30):  # Newton; OpenSim finds the place to 1e-4 only, so let it lie a little off the circle
        out = np.array([np.cos(place[0]), np.sin(place[0]), 0.0])
        side = np.array([-out[1], out[0], 0.0])
        rows = []
        for x in (start, end):
            gap = x @ out - place[1]
            rows.append(np.array([x @ side, -1.0]) * gap / np.hypot(gap, x[2]))
        step = np.linalg.lstsq(np.array(rows), residual(*place), rcond=1e-3)[0]
        place = place - step
        if np.max(np.abs(step)) < 1e-16:
            break
    out = np.array([np.cos(place[0]), np.sin(place[0]), 0.0])
    side, circle = np.array([-out[1], out[0], 0.0]), float(place[1])
    rotation, origin = np.column_stack([-out, [0.0, 0.0, -1.0], -side]), circle * out
    if np.linalg.det(rotation) < 0:
        rotation[:, 2] *= -1
    local = [rotation.T @ (x - origin) for x in (start, end, before)]
    return MovedArc(helix(local[0], local[1], local[2], tube, wrap_length), rotation, origin)


def ellipsoid_arc(
    start: Array, end: Array, before: Array, after: Array, axes: Array, wrap_length: float, drawn: Array
) -> PlaneSection:
    """Section of the ellipsoid with the plane of OpenSim's samples, or of the path points where samples are too few."""
    y1, y2 = start / axes, end / axes
    if len(drawn) > 2:
        samples = drawn / axes
        normal = np.linalg.svd(samples - samples.mean(axis=0))[2][2]
        return _circle(axes, y1, y2, normal, start - before, wrap_length)
    one, two = np.cross(y2 - y1, _unit(y1 - before / axes)), np.cross(y2 - y1, _unit(y2 - after / axes))
    return _circle(axes, y1, y2, one + np.copysign(1.0, one @ two) * two, start - before, wrap_length)


def sphere_arc(start: Array, end: Array, before: Array, radius: float, wrap_length: float) -> PlaneSection:
    """Great circle. OpenSim reports a negative length where it takes the long way round."""
    axes = np.full(3, radius)
    return _circle(axes, start / radius, end / radius, np.cross(start, end), start - before, wrap_length, True)


def _circle(
    axes: Array, y1: Array, y2: Array, normal: Array, incoming: Array, wrap_length: float, through_centre: bool = False
) -> PlaneSection:
    """Arc from y1 to y2 (scaled space) nearest OpenSim's length, or else the one that continues the incoming line."""
    n = _unit(normal)
    centre = np.zeros(3) if through_centre else n * (n @ y1)
    a, b = y1 - centre, y2 - centre
    e1 = _unit(a)
    e2 = np.cross(n, e1)
    short = float(np.arctan2(b @ e2, b @ e1))
    onward = float(e2 @ (incoming / axes))
    arcs = [
        PlaneSection(
            axes, centre, e1, e2, sweep, float(np.linalg.norm(a)), float(np.linalg.norm(b)), bool(sweep * onward >= 0)
        )
        for sweep in (short, short - float(np.copysign(2 * np.pi, short)))
    ]
    misses = [abs(arc.length - abs(wrap_length)) for arc in arcs]
    if abs(misses[0] - misses[1]) < 1e-3 * max(arc.length for arc in arcs):
        return arcs[0] if arcs[0].turn_agrees else arcs[1]
    return arcs[int(np.argmin(misses))]


def _unit(x: Array) -> Array:
    return x / np.linalg.norm(x)
