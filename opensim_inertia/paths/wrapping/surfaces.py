"""Wrap objects and obstacles as plain data: one class per shape; arcs are in :mod:`.arcs`, formulas in the kernel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import UnsupportedPathError
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles, placement, property_numbers
from ...opensim_model.reading.coordinates import CoordinateTable
from ...opensim_model.reading.paths import Obstacle, as_cable, geometry_path, read_obstacles, read_path
from .arcs import cylinder_arc, ellipsoid_arc, sphere_arc, torus_arc

Midpoint = Callable[[], Array | None]


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
    def arc(self, first: Array, last: Array, before: Array, after: Array, midpoint: Midpoint) -> Array:
        """Return control points (n, 3) of OpenSim's arc between tangent points and path points beside it [m]."""

    def scaled(self, x: Array) -> Array:
        """Return points (..., 3) in a measure in which the surface is at the distance 1 from its axis or centre."""
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

    def arc(self, first: Array, last: Array, before: Array, after: Array, midpoint: Midpoint) -> Array:
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

    def arc(self, first: Array, last: Array, before: Array, after: Array, midpoint: Midpoint) -> Array:
        return sphere_arc(first, last, before)


class _Ellipsoid(Surface):
    """An ellipsoid; ``size``: semi-axes. OpenSim's arc is a plane section."""

    kind = "ellipsoid"
    opensim_class = "WrapEllipsoid"
    properties = ("dimensions",)
    has_geodesic_arc = False

    def arc(self, first: Array, last: Array, before: Array, after: Array, midpoint: Midpoint) -> Array:
        middle = midpoint()
        if middle is None:  # an arc too short to be drawn bulges to where the path turns from
            arriving, leaving = first - before, after - last
            bulge = arriving / np.linalg.norm(arriving) - leaving / np.linalg.norm(leaving)
            middle = 0.5 * (first + last) + 0.1 * np.linalg.norm(last - first) * bulge
        return ellipsoid_arc(first, last, middle, self.size)


class _Torus(Surface):
    """A torus about z, wrapped as the cylinder along its ring; ``size``: radius of the ring, radius of the tube."""

    kind = "torus"
    opensim_class = "WrapTorus"
    properties = ("outer_radius", "inner_radius")
    has_turn = True
    has_inside = False

    def arc(self, first: Array, last: Array, before: Array, after: Array, midpoint: Midpoint) -> Array:
        return torus_arc(first, last, before, self.size[0], self.size[1])

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
    places, half_space, quadrant = (placement(in_frame), placement(in_body)), wrap.get_quadrant(), np.zeros(3)
    if (axis := half_space.lower().lstrip("+-")) in ("x", "y", "z"):  # otherwise it is "all"
        quadrant["xyz".index(axis)] = -1.0 if half_space.startswith("-") else 1.0
    return SHAPES[name](wrap.getName(), carrier, *places, size, quadrant, bool(wrap.get_active()))


def read_surfaces(muscle: osim.Muscle) -> dict[str, Surface]:
    """Read the surfaces of a muscle, active or not, by name in order; UnsupportedPathError: one is of no known kind."""
    name, cable = muscle.getName(), as_cable(muscle.getPath())
    if cable is not None:
        return {obstacle.name: _surface_of(name, obstacle) for obstacle in read_obstacles(name, cable)}
    wraps = geometry_path(muscle).getWrapSet()
    surfaces = (read_wrap(name, wraps.get(i).getWrapObject()) for i in range(wraps.getSize()))
    return {surface.name: surface for surface in surfaces}


def unsupported_paths(model: osim.Model, coordinates: CoordinateTable) -> dict[str, UnsupportedPathError]:
    """Return why paths cannot carry mass, by muscle; muscles with paths that can are left out."""
    problems = {}
    for name, muscle in model_muscles(model).items():
        try:
            read_surfaces(muscle)
            read_path(muscle, coordinates)
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
