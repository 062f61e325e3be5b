"""Wrap objects and obstacles as plain data: one class per shape, with the arcs of OpenSim's current path over it.

Control points of arcs stand at Chebyshev-Lobatto fractions of their length between OpenSim's tangent points. OpenSim's
``getWrapPath``, a drawing aid, only tells the plane of an ellipsoid's arc. The smooth paths' formulas are in the
kernel.
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

#: Control points per arc. A helix that turns by pi is exact to 1e-11 of its radius, one that turns by 3/2 pi to 2e-9.
CONTROLS = 13

#: Fractions of arc length at which control points stand.
FRACTIONS: Array = 0.5 * (1 - np.cos(np.pi * np.arange(CONTROLS) / (CONTROLS - 1)))


@cache
def at_even_fractions(count: int) -> Array:
    """Return the matrix (count, CONTROLS) that takes control points to places at even fractions of the arc's length."""
    from scipy.interpolate import BarycentricInterpolator  # only now: models without wraps do without it

    return np.asarray(BarycentricInterpolator(FRACTIONS, np.eye(CONTROLS))(np.linspace(0, 1, count)))


#: Angles [rad] this close to a full turn are a touch seen from the other side.
NEARLY_FULL = 1e-5


def _turn(start: float, end: float, sense: float) -> float:
    """Return the angle from start to end in the given sense, in (-2 pi, 2 pi); 0 for a touch."""
    angle = (sense * (end - start)) % (2 * np.pi)
    return 0.0 if angle > 2 * np.pi - NEARLY_FULL else sense * angle


def _cross(a: Array, b: Array) -> Array:
    """Return the cross product of two vectors (3,); ``np.cross`` takes ten times as long."""
    (a0, a1, a2), (b0, b1, b2) = a.tolist(), b.tolist()
    return np.array([a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0])


def cylinder_arc(first: Array, last: Array, before: Array) -> Array:
    """Return a helix about z between two tangent points; it turns as the path arrives from ``before``."""
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


#: Gauss points in [0, 1] and weights by which an arc's length is summed.
_GAUSS_POINTS, _GAUSS_WEIGHTS = 0.5 * (np.asarray(leggauss(24)) + np.array([[1.0], [0.0]]))


def _equal_length_angles(turn: float, speed: Callable[[Array], Array]) -> Array:
    """Return the angles in [0, turn] that stand at FRACTIONS of an arc's length; ``speed`` is that length per angle."""

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


@dataclass(frozen=True)
class Surface(ABC):
    """A wrap object, or an obstacle of a cable."""

    #: The kernel's and the weight files' word for the shape.
    kind: ClassVar[str]
    #: OpenSim's class of such a wrap object.
    opensim_class: ClassVar[str]
    #: That class' properties that say how large it is [m].
    properties: ClassVar[tuple[str, ...]]
    #: Whether the one planar network leads paths over it, whatever its size; otherwise it needs one of its own.
    planar: ClassVar[bool] = False
    #: Whether the side on which a path passes is a sense of turn about an axis; otherwise the quadrant says it.
    has_turn: ClassVar[bool] = False
    #: Whether an end of a path can lie inside it.
    has_inside: ClassVar[bool] = True
    #: Whether it is alike all along its axis, z, over a length that is the last of its size.
    is_cylindrical: ClassVar[bool] = False
    #: Whether OpenSim means its arc to be a geodesic.
    has_geodesic_arc: ClassVar[bool] = True

    name: str  # its name
    body: str  # name of the body that carries it
    in_frame: tuple[Array, Array]  # (with in_body) rotation (3, 3), origin (3,) in the frame it hangs on, in its body
    in_body: tuple[Array, Array]
    size: Array  # lengths [m] that say how large it is; see the shapes
    quadrant: Array  # direction of the half space in which OpenSim lets the path wrap, (3,); zero for all of it
    active: bool  # whether it wraps at all
    hint: Array | None = None  # contact hint of a cable's obstacle, (3,) [m]; zero if it has none. None: a wrap object

    @abstractmethod
    def arc(self, first: Array, last: Array, before: Array, after: Array, middle: Array | None) -> Array:
        """Return control points (n, 3) of OpenSim's arc between tangent points and path points beside it [m].

        ``middle`` is that of the points that OpenSim draws, where the arc is no geodesic.
        """

    def scaled(self, x: Array) -> Array:
        """Return points (..., 3) in a measure where the surface is at the distance 1 from its axis or centre."""
        return np.asarray(x / self.size)

    def gap(self, x: Array) -> Array:
        """Return how far points (n, 3) are outside the surface [m]; of an ellipsoid in a scaled measure."""
        return np.asarray((np.linalg.norm(self.scaled(x), axis=1) - 1) * self.thickness)

    @property
    def thickness(self) -> float:
        """Smallest radius over which a path bends [m]."""
        return float(self.size.min())

    @property
    def widest_touch(self) -> float:
        """Largest half width of the transition at touch over which a path stays regular [m]."""
        return self.thickness

    @property
    def shown_size(self) -> Array:
        """Its size for pictures, in which nothing is without end."""
        return self.size

    def outward(self, x: Array) -> Array:
        """Return the vector from the axis or centre to a point (3,) of the surface."""
        return x

    def contains(self, x: Array) -> Array:
        """Return which points (..., 3) lie inside, (...); none, if the surface has no inside."""
        return np.asarray((np.linalg.norm(self.scaled(x), axis=-1) < 1) & self.has_inside)

    def turn(self, a: Array, b: Array) -> float:
        """Return the sense, +1 or -1, in which a path turns about the axis from one point (3,) to the next."""
        return 1.0 if a[0] * b[1] - a[1] * b[0] >= 0 else -1.0

    def to_local(self, point: Array) -> Array:
        """Return points (..., 3) of the frame that it hangs on, in which OpenSim gives wrap points, in its own."""
        rotation, origin = self.in_frame
        return np.asarray((point - origin) @ rotation)

    def to_body(self, points: Array) -> Array:
        """Return points (n, 3) of its own frame in its body's."""
        rotation, origin = self.in_body
        return points @ rotation.T + origin

    def from_body(self, points: Array) -> Array:
        """Return points (n, 3) of its body's frame in its own."""
        rotation, origin = self.in_body
        return np.asarray((points - origin) @ rotation)


class _Cylinder(Surface):
    """A cylinder about z; ``size``: radius, length, or 0 for one without end."""

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
    """A sphere; ``size``: radius."""

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
        if middle is None:  # an arc too short to be drawn bulges to where the path turns from
            arriving, leaving = first - before, after - last
            bulge = arriving / np.linalg.norm(arriving) - leaving / np.linalg.norm(leaving)
            middle = 0.5 * (first + last) + 0.1 * np.linalg.norm(last - first) * bulge
        normal = _cross(middle - first, last - first)
        size = np.linalg.norm(normal)
        if size < 1e-14:
            return first + FRACTIONS[:, None] * (last - first)
        normal /= size
        # in the space where the ellipsoid is a unit sphere the section is a circle
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

        # OpenSim's tangent points are on the surface to 1e-7 m only
        growth = (end_radius - radius) / turn if turn else 0.0

        def place(angle: Array) -> Array:
            r = (radius + growth * angle)[:, None]
            return self.size * (center + r * (np.cos(angle)[:, None] * e1 + np.sin(angle)[:, None] * e2))

        # the place's derivative over the angle is x * u + y * v
        u, v = self.size * e1, self.size * e2
        uu, uv, vv = u @ u, u @ v, v @ v

        def speed(angle: Array) -> Array:
            c, s, r = np.cos(angle), np.sin(angle), radius + growth * angle
            x, y = growth * c - r * s, growth * s + r * c
            return np.asarray(np.sqrt(x * x * uu + 2 * x * y * uv + y * y * vv))

        return place(_equal_length_angles(turn, speed))


class _Torus(Surface):
    """A torus about z, wrapped as the cylinder along its ring; ``size``: radius of the ring, radius of the tube."""

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
        # about the ring, as the kernel sees it: axes radial, along z, and their cross product
        azimuth = np.arctan2(a[1] + b[1], a[0] + b[0])
        radial = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        a, b = (np.array([x @ radial - self.size[0], x[2], 0.0]) for x in (a, b))
        return super().turn(a, b)


#: The shapes by OpenSim's class of the wrap object.
SHAPES: dict[str, type[Surface]] = {shape.opensim_class: shape for shape in Surface.__subclasses__()}


#: Wrap objects of the same shape, by OpenSim's class of an obstacle; a torus of wrap objects is something else.
LIKE = {"ContactCylinder": "WrapCylinder", "ContactSphere": "WrapSphere", "ContactEllipsoid": "WrapEllipsoid"}


def read_wrap(muscle: str, wrap: osim.WrapObject) -> Surface:
    """Read a wrap object of a muscle; UnsupportedPathError: it is of an unknown class, or has no extent."""
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
    """Read the surfaces of a muscle, active or not, by name in order; UnsupportedPathError: one is of no known kind."""
    name, cable = muscle.getName(), as_cable(muscle.getPath())
    if cable is not None:
        return {obstacle.name: _surface_of(name, obstacle) for obstacle in read_obstacles(name, cable)}
    wraps = geometry_path(muscle).getWrapSet()
    surfaces = (read_wrap(name, wraps.get(i).getWrapObject()) for i in range(wraps.getSize()))
    return {surface.name: surface for surface in surfaces}


def unsupported_paths(model: InitialisedModel) -> dict[str, UnsupportedPathError]:
    """Return why paths cannot carry mass, by muscle; muscles with paths that can are left out."""
    problems = {}
    for name, muscle in model.muscles.items():
        try:
            read_surfaces(muscle)
            read_path(muscle, model.coordinates)
        except UnsupportedPathError as error:
            problems[name] = error
    return problems


def wrap_bodies(muscle: osim.Muscle) -> list[str]:
    """Return the names of the bodies that carry a muscle's surfaces."""
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
    # the side on which the path passes, where it is not a sense of turn: a direction of space scaled by semi-axes
    side = np.zeros(3) if shape.has_turn else hint / obstacle.size
    return shape(obstacle.name, obstacle.body, placement, placement, size, side, True, hint)
