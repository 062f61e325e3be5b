"""Wrap objects of a live model, read once into plain data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..errors import UnsupportedPathError
from ..reading import geometry_path

#: Classes of wrap objects and the names of their shapes.
KINDS = {"WrapCylinder": "cylinder", "WrapSphere": "sphere", "WrapEllipsoid": "ellipsoid", "WrapTorus": "torus"}


@dataclass(frozen=True)
class Surface:
    """A wrap object.

    Attributes:
        name: its name.
        kind: "cylinder", "sphere", "ellipsoid" or "torus".
        body: name of the body that carries it.
        in_frame, in_body: rotation (3, 3) and origin (3,) in the frame it hangs on, and in that frame's body.
        size: [m]; cylinder: radius, length; sphere: radius; ellipsoid: semi-axes; torus: radius of ring, of tube.
        quadrant: direction of the half space in which OpenSim lets the path wrap, (3,); zero for all of it.
        active: whether it wraps at all.
    """

    name: str
    kind: str
    body: str
    in_frame: tuple[Array, Array]
    in_body: tuple[Array, Array]
    size: Array
    quadrant: Array
    active: bool

    @property
    def thickness(self) -> float:
        """Smallest radius over which a path bends [m]."""
        return float({"cylinder": self.size[0], "torus": self.size[-1]}.get(self.kind, self.size.min()))

    def to_local(self, point: Array) -> Array:
        """From the frame that it hangs on, in which OpenSim gives wrap points."""
        rotation, origin = self.in_frame
        return (point - origin) @ rotation

    def to_body(self, points: Array) -> Array:
        """Points (n, 3) from its own frame to its body's."""
        rotation, origin = self.in_body
        return points @ rotation.T + origin

    def from_body(self, points: Array) -> Array:
        """Points (n, 3) from its body's frame to its own."""
        rotation, origin = self.in_body
        return np.asarray((points - origin) @ rotation)


def check_wraps(muscle: osim.Muscle) -> None:
    """Raise :class:`UnsupportedPathError` if one of a muscle's wrap objects cannot be wrapped."""
    wraps = geometry_path(muscle).getWrapSet()
    for i in range(wraps.getSize()):
        read_surface(muscle.getName(), wraps.get(i).getWrapObject())


def wrap_bodies(muscle: osim.Muscle) -> list[str]:
    """Bodies that carry a muscle's wrap objects."""
    wraps = geometry_path(muscle).getWrapSet()
    return [wraps.get(i).getWrapObject().getFrame().findBaseFrame().getName() for i in range(wraps.getSize())]


def read_surface(muscle: str, wrap: osim.WrapObject) -> Surface:
    """Read a wrap object of a muscle.

    Raises:
        UnsupportedPathError: it is of an unknown class, or has no extent.
    """
    kind = wrap.getConcreteClassName()
    if kind not in KINDS:
        raise UnsupportedPathError(
            muscle, f"wrap object '{wrap.getName()}' of class {kind}", f"is not one of {', '.join(KINDS)}"
        )
    frame = wrap.getFrame()
    in_frame = wrap.getTransform()
    in_body = frame.findTransformInBaseFrame().compose(in_frame)
    size = _size(getattr(osim, kind).safeDownCast(wrap), kind)
    if not (np.all(np.isfinite(size)) and np.all(size > 0)):
        raise UnsupportedPathError(
            muscle,
            f"wrap object '{wrap.getName()}', a {kind} of size {', '.join(f'{s:g}' for s in size)} m,",
            "has no extent; every radius and length must be positive",
        )
    return Surface(
        wrap.getName(),
        KINDS[kind],
        frame.findBaseFrame().getName(),
        _placement(in_frame),
        _placement(in_body),
        size,
        _quadrant(wrap.get_quadrant()),
        bool(wrap.get_active()),
    )


def _size(live: osim.WrapObject, kind: str) -> Array:
    if kind == "WrapCylinder":
        return np.array([live.get_radius(), live.get_length()])
    if kind == "WrapEllipsoid":
        return np.array(live.getRadii().to_numpy())
    if kind == "WrapTorus":
        return np.array([live.get_outer_radius(), live.get_inner_radius()])
    return np.array([live.get_radius()])


def _quadrant(name: str) -> Array:
    """Direction that OpenSim's names "x", "+x", "-x" ... mean; "all" is none."""
    direction = np.zeros(3)
    axis = name.lower().lstrip("+-")
    if axis in ("x", "y", "z"):
        direction["xyz".index(axis)] = -1.0 if name.startswith("-") else 1.0
    return direction


def _placement(transform: osim.Transform) -> tuple[Array, Array]:
    """Rotation (3, 3) and origin (3,) of a transform."""
    rotation = transform.R()
    return (
        np.array([[rotation.get(i, j) for j in range(3)] for i in range(3)]),
        transform.p().to_numpy().copy(),
    )
