"""Wrap objects and obstacles as plain data: one class per shape, with arcs of OpenSim's path over the shape.

Control points lie at Chebyshev-Lobatto fractions of an arc's length between OpenSim's tangent points. OpenSim's
``getWrapPath``, meant for drawing, only determines the plane of an ellipsoid's arc.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.polynomial.legendre import leggauss

from ..._core.arrays import Array
from ..._core.errors import UnsupportedPathError
from ..._core.opensim import osim
from ...opensim_model.reading.components import placement, property_numbers
from ...opensim_model.reading.loading import InitialisedModel
from ...opensim_model.reading.paths import Obstacle, as_cable, geometry_path, read_obstacles, read_path

#: Control points per arc; relative to the radius, a helix over pi is exact to 1e-11, over 3/2 pi to 2e-9.
CONTROLS = 13

#: Fractions of arc length of the control points.
FRACTIONS: Array = 0.5 * (1 - np.cos(np.pi * np.arange(CONTROLS) / (CONTROLS - 1)))


@cache
def at_even_fractions(count: int) -> Array:
    """Return the matrix (count, CONTROLS) that interpolates an arc's control points at even fractions of length."""
    from scipy.interpolate import BarycentricInterpolator  # only models with wraps need it

    return np.asarray(BarycentricInterpolator(FRACTIONS, np.eye(CONTROLS))(np.linspace(0, 1, count)))


#: Angles [rad] this close to a full turn count as zero.
NEARLY_FULL = 1e-5


def _turn(start: float, end: float, sense: float) -> float:
    """Return the angle from start to end in the given sense [rad], in (-2 pi, 2 pi); 0 for nearly a full turn."""
    angle = (sense * (end - start)) % (2 * np.pi)
    return 0.0 if angle > 2 * np.pi - NEARLY_FULL else sense * angle


def _cross(a: Array, b: Array) -> Array:
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def cylinder_arc(first: Array, last: Array, before: Array) -> Array:
    """Return control points of a helix about z, from ``first`` to ``last``, that continues a path from ``before``."""
    sense = 1.0 if first[0] * (first[1] - before[1]) - first[1] * (first[0] - before[0]) >= 0 else -1.0
    start = np.arctan2(first[1], first[0])
    turn = _turn(start, np.arctan2(last[1], last[0]), sense)
    angle = start + turn * FRACTIONS
    r0, r1 = np.hypot(first[0], first[1]), np.hypot(last[0], last[1])
    radius = r0 + (r1 - r0) * FRACTIONS
    arc = np.empty((CONTROLS, 3))
    arc[:, 0], arc[:, 1] = radius * np.cos(angle), radius * np.sin(angle)
    arc[:, 2] = first[2] + (last[2] - first[2]) * FRACTIONS
    return arc


#: Gauss points in [0, 1] and weights for arc lengths.
_GAUSS_POINTS, _GAUSS_WEIGHTS = 0.5 * (np.asarray(leggauss(24)) + np.array([[1.0], [0.0]]))


def _equal_length_angles(turn: float, speed: Callable[[Array], Array]) -> Array:
    """Return angles that divide an arc from 0 to ``turn`` at FRACTIONS of its length; ``speed``: length per angle."""

    def length(angle: Array) -> Array:
        return np.asarray(speed(angle[:, None] * _GAUSS_POINTS) @ _GAUSS_WEIGHTS * angle)

    angle = turn * FRACTIONS
    total = float(length(angle[-1:])[0])
    for _ in range(8):
        step = (length(angle) - FRACTIONS * total) / speed(angle)
        angle = angle - step
        if np.abs(step).max() < 1e-14:
            break
    angle[0], angle[-1] = 0.0, turn
    return angle


@dataclass(frozen=True, eq=False)
class Surface(ABC):
    """A wrap object of a muscle, or an obstacle of a cable."""

    #: Shape name in the kernel and in network files.
    kind: ClassVar[str]
    #: OpenSim class of the wrap object.
    opensim_class: ClassVar[str]
    #: Size properties of this class [m].
    properties: ClassVar[tuple[str, ...]]
    #: Whether the planar network supports it at any size.
    planar: ClassVar[bool] = False
    #: Whether the side of the path is a sense of turn about an axis; otherwise the quadrant determines it.
    has_turn: ClassVar[bool] = False
    #: Whether ends of a path can lie inside.
    has_inside: ClassVar[bool] = True
    #: Whether it is prismatic along z; the last size is its length.
    is_cylindrical: ClassVar[bool] = False
    #: Whether OpenSim's arc is a geodesic.
    has_geodesic_arc: ClassVar[bool] = True

    name: str
    body: str  # body that carries it
    in_frame: tuple[Array, Array]  # rotation (3, 3) and origin (3,) in its parent frame; ``in_body``: in its body
    in_body: tuple[Array, Array]
    size: Array  # lengths [m]; see the shapes
    quadrant: Array  # (3,), direction of the half space for wrapping; zero for all
    active: bool  # whether it wraps
    hint: Array | None = None  # (3,) [m], contact hint of a cable's obstacle, zero if absent; None for wrap objects

    @abstractmethod
    def arc(self, first: Array, last: Array, before: Array, after: Array, middle: Array | None) -> Array:
        """Return control points (n, 3) [m] of OpenSim's arc between tangent points ``first`` and ``last``.

        ``middle`` is the middle drawn point of arcs that are not geodesics.
        """

    def scaled(self, x: Array) -> Array:
        """Return points (..., 3) scaled so that the surface has distance 1 from its axis or centre."""
        return np.asarray(x / self.size)

    def gap(self, x: Array) -> Array:
        """Return signed distances (n,) from the surface [m], positive outside; approximate for ellipsoids."""
        return np.asarray((np.linalg.norm(self.scaled(x), axis=1) - 1) * self.thickness)

    @property
    def thickness(self) -> float:
        """Smallest radius or semi-axis of the surface [m]; for a torus, the tube's radius."""
        return float(self.size.min())

    @property
    def widest_touch(self) -> float:
        """Largest half width of contact smoothing [m] at which smoothed paths exist."""
        return self.thickness

    @property
    def shown_size(self) -> Array:
        """Size [m] for pictures; infinite cylinders get a finite length."""
        return self.size

    def outward(self, x: Array) -> Array:
        """Return the vector from the surface's axis or centre to a point (3,)."""
        return x

    def contains(self, x: Array) -> Array:
        """Return whether points (..., 3) lie inside the surface."""
        return np.asarray((np.linalg.norm(self.scaled(x), axis=-1) < 1) & self.has_inside)

    def turn(self, a: Array, b: Array) -> float:
        """Return the sense, +1 or -1, of the turn about z from point ``a`` (3,) to point ``b`` (3,)."""
        return 1.0 if a[0] * b[1] - a[1] * b[0] >= 0 else -1.0

    def to_local(self, point: Array) -> Array:
        """Return points (..., 3) transformed from the parent to the surface frame."""
        rotation, origin = self.in_frame
        return np.asarray((point - origin) @ rotation)

    def to_body(self, points: Array) -> Array:
        """Return points (n, 3) transformed from the surface to the body frame."""
        rotation, origin = self.in_body
        return points @ rotation.T + origin

    def from_body(self, points: Array) -> Array:
        """Return points (n, 3) transformed from the body to the surface frame."""
        rotation, origin = self.in_body
        return np.asarray((points - origin) @ rotation)


class _Cylinder(Surface):
    """A cylinder about z; ``size``: radius, length (0: infinite)."""

    kind = "cylinder"
    opensim_class = "WrapCylinder"
    properties = ("radius", "length")
    planar = True
    has_turn = True
    is_cylindrical = True

    def arc(self, first: Array, last: Array, before: Array, after: Array, middle: Array | None) -> Array:
        return cylinder_arc(first, last, before)

    def scaled(self, x: Array) -> Array:
        return np.asarray(x * np.array([1.0, 1.0, 0.0]) / self.size[0])

    @property
    def thickness(self) -> float:
        return float(self.size[0])

    @property
    def widest_touch(self) -> float:
        # at its ends the path lifts off over the same width, which must not reach the middle
        return min(self.thickness, 0.5 * float(self.size[1])) if self.size[1] > 0 else self.thickness

    @property
    def shown_size(self) -> Array:
        return self.size if self.size[1] > 0 else self.size[0] * np.array([1.0, 8.0])

    def outward(self, x: Array) -> Array:
        return x * np.array([1.0, 1.0, 0.0])


class _Sphere(Surface):
    """A sphere about the frame's origin; ``size``: radius."""

    kind = "sphere"
    opensim_class = "WrapSphere"
    properties = ("radius",)
    planar = True

    def arc(self, first: Array, last: Array, before: Array, after: Array, middle: Array | None) -> Array:
        normal = _cross(first, last)
        size = np.linalg.norm(normal)
        arriving = _cross(first, first - before)
        if size < 1e-12 * np.linalg.norm(first) ** 2:
            normal, size = arriving, np.linalg.norm(arriving)
        axis = normal / size * (1.0 if normal @ arriving >= 0 else -1.0)
        e1 = first / np.linalg.norm(first)
        e2 = _cross(axis, e1)
        turn = _turn(0.0, float(np.arctan2(last @ e2, last @ e1)), 1.0)
        angle = turn * FRACTIONS
        r0, r1 = np.linalg.norm(first), np.linalg.norm(last)
        radius = r0 + (r1 - r0) * FRACTIONS
        return radius[:, None] * (np.cos(angle)[:, None] * e1 + np.sin(angle)[:, None] * e2)


class _Ellipsoid(Surface):
    """An ellipsoid; ``size``: semi-axes. OpenSim's arc is a plane section."""

    kind = "ellipsoid"
    opensim_class = "WrapEllipsoid"
    properties = ("dimensions",)
    has_geodesic_arc = False

    def arc(self, first: Array, last: Array, before: Array, after: Array, middle: Array | None) -> Array:
        if middle is None:  # a short arc, without drawn points, bulges outwards
            arriving, leaving = first - before, after - last
            bulge = arriving / np.linalg.norm(arriving) - leaving / np.linalg.norm(leaving)
            middle = 0.5 * (first + last) + 0.1 * np.linalg.norm(last - first) * bulge
        normal = _cross(middle - first, last - first)
        size = np.linalg.norm(normal)
        if size < 1e-14:
            return first + FRACTIONS[:, None] * (last - first)
        normal /= size
        # scaled to a unit sphere, the section is a circle
        m = normal * self.size
        center = (normal @ first) * m / (m @ m)
        p, q, w = first / self.size - center, last / self.size - center, middle / self.size - center
        radius = np.linalg.norm(p)
        e1, end_radius = p / radius, np.linalg.norm(q)
        e2 = _cross(m / np.linalg.norm(m), e1)
        end, way = float(np.arctan2(q @ e2, q @ e1)), float(np.arctan2(w @ e2, w @ e1))
        turn = end % (2 * np.pi)
        if way % (2 * np.pi) > turn:
            turn -= 2 * np.pi

        # OpenSim's tangent points are accurate to 1e-7 m
        growth = (end_radius - radius) / turn if turn else 0.0

        def place(angle: Array) -> Array:
            r = (radius + growth * angle)[:, None]
            return self.size * (center + r * (np.cos(angle)[:, None] * e1 + np.sin(angle)[:, None] * e2))

        # derivative by the angle: x * u + y * v
        u, v = self.size * e1, self.size * e2
        uu, uv, vv = u @ u, u @ v, v @ v

        def speed(angle: Array) -> Array:
            c, s, r = np.cos(angle), np.sin(angle), radius + growth * angle
            x, y = growth * c - r * s, growth * s + r * c
            return np.asarray(np.sqrt(x * x * uu + 2 * x * y * uv + y * y * vv))

        return place(_equal_length_angles(turn, speed))


class _Torus(Surface):
    """A torus about z, wrapped along its ring; ``size``: radii of ring and tube."""

    kind = "torus"
    opensim_class = "WrapTorus"
    properties = ("outer_radius", "inner_radius")
    has_turn = True
    has_inside = False

    def arc(self, first: Array, last: Array, before: Array, after: Array, middle: Array | None) -> Array:
        radius, tube = self.size.tolist()
        azimuth = np.arctan2(first[1] + last[1], first[0] + last[0])

        def miss(a: float) -> Array:
            c, axis = radius * np.array([np.cos(a), np.sin(a), 0.0]), np.array([-np.sin(a), np.cos(a), 0.0])
            return np.array([np.linalg.norm(_cross(p - c, axis)) - tube for p in (first, last)])

        h = 1e-6
        for _ in range(30):
            value, slope = miss(azimuth), (miss(azimuth + h) - miss(azimuth - h)) / (2 * h)
            if slope @ slope < 1e-20:
                break
            step = (slope @ value) / (slope @ slope)
            azimuth -= step
            if abs(step) < 1e-14:
                break
        center = radius * np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        axes = np.array(
            [[np.cos(azimuth), np.sin(azimuth), 0.0], [0.0, 0.0, 1.0], [np.sin(azimuth), -np.cos(azimuth), 0.0]]
        )
        local = cylinder_arc(axes @ (first - center), axes @ (last - center), axes @ (before - center))
        return center + local @ axes

    def scaled(self, x: Array) -> Array:
        return np.asarray(x / self.size[0])

    def gap(self, x: Array) -> Array:
        return np.asarray(np.hypot(np.hypot(x[:, 0], x[:, 1]) - self.size[0], x[:, 2]) - self.size[1])

    @property
    def thickness(self) -> float:
        return float(self.size[-1])

    def outward(self, x: Array) -> Array:
        return np.array([np.hypot(x[0], x[1]) - self.size[0], x[2]])

    def turn(self, a: Array, b: Array) -> float:
        # about the ring, as in the kernel: axes radial, along z, and their cross product
        azimuth = np.arctan2(a[1] + b[1], a[0] + b[0])
        radial = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        a, b = (np.array([x @ radial - self.size[0], x[2], 0.0]) for x in (a, b))
        return super().turn(a, b)


#: Shapes by OpenSim class.
SHAPES: dict[str, type[Surface]] = {shape.opensim_class: shape for shape in Surface.__subclasses__()}


#: Equivalent wrap objects of obstacles, by OpenSim class; tori differ.
LIKE = {"ContactCylinder": "WrapCylinder", "ContactSphere": "WrapSphere", "ContactEllipsoid": "WrapEllipsoid"}


def read_wrap(muscle: str, wrap: osim.WrapObject) -> Surface:
    """Return a wrap object as data; raise UnsupportedPathError for an unknown class or non-positive size."""
    name, what = wrap.getConcreteClassName(), f"wrap object '{wrap.getName()}'"
    if name not in SHAPES:
        raise UnsupportedPathError(muscle, f"{what} of class {name}", f"is not one of {', '.join(SHAPES)}")
    frame, in_frame = wrap.getFrame(), wrap.getTransform()
    in_body = frame.findTransformInBaseFrame().compose(in_frame)
    size = np.concatenate([property_numbers(wrap.getPropertyByName(each)) for each in SHAPES[name].properties])
    if not (np.all(np.isfinite(size)) and np.all(size > 0)):
        what += f", a {name} of size {', '.join(f'{s:g}' for s in size)} m,"
        raise UnsupportedPathError(muscle, what, "has no extent; every radius and length must be positive")
    carrier = frame.findBaseFrame().getName()
    places, side, quadrant = (placement(in_frame), placement(in_body)), wrap.get_quadrant(), np.zeros(3)
    if (axis := side.lower().lstrip("+-")) in ("x", "y", "z"):
        quadrant["xyz".index(axis)] = -1.0 if side.startswith("-") else 1.0
    return SHAPES[name](wrap.getName(), carrier, *places, size, quadrant, bool(wrap.get_active()))


def read_surfaces(muscle: osim.Muscle) -> dict[str, Surface]:
    """Return a muscle's wrap objects or obstacles by name in path order, including inactive ones."""
    name, cable = muscle.getName(), as_cable(muscle.getPath())
    if cable is not None:
        return {obstacle.name: _surface_of(name, obstacle) for obstacle in read_obstacles(name, cable)}
    wraps = geometry_path(muscle).getWrapSet()
    surfaces = (read_wrap(name, wraps.get(i).getWrapObject()) for i in range(wraps.getSize()))
    return {surface.name: surface for surface in surfaces}


def unsupported_paths(model: InitialisedModel) -> dict[str, UnsupportedPathError]:
    """Return, for each muscle with a path that cannot carry mass, the error with the reason."""
    problems = {}
    for name, muscle in model.muscles.items():
        try:
            read_surfaces(muscle)
            read_path(muscle, model.coordinates)
        except UnsupportedPathError as error:
            problems[name] = error
    return problems


def wrap_bodies(muscle: osim.Muscle) -> list[str]:
    """Return the bodies of a muscle's wrap objects or obstacles."""
    return [surface.body for surface in read_surfaces(muscle).values()]


def has_wraps(muscle: osim.Muscle) -> bool:
    """Return whether a muscle's path has wrap objects or obstacles."""
    cable = as_cable(muscle.getPath())
    if cable is not None:
        return bool(cable.getNumObstacles())
    path = osim.GeometryPath.safeDownCast(muscle.getPath())
    return path is not None and bool(path.getWrapSet().getSize())


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
    # without a sense of turn, the side is a direction in space scaled by semi-axes
    side = np.zeros(3) if shape.has_turn else hint / obstacle.size
    return shape(obstacle.name, obstacle.body, placement, placement, size, side, True, hint)
