"""A free body and one muscle that a wrap object on ground bends: every kind of wrap object, built by code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from opensim_inertia._core.opensim import osim

from .custom_joints import six_coordinates
from .finite_differences import Array
from .wrap_arcs import Arc, ellipsoid_arc, helix, sphere_arc, torus_arc

ACROSS = ((-0.1, 0.06, 0.02), (0.12, 0.055, -0.01))


class Tangents(NamedTuple):
    """OpenSim's tangent points at both ends of an arc, and the path points before and after them, (3,) each."""

    start: Array
    end: Array
    before: Array
    after: Array


@dataclass(frozen=True)
class Kind:
    """A kind of wrap object: all that tests over every kind must know of it.

    Attributes:
        opensim_class: OpenSim's class of it.
        set_size: gives one of OpenSim's wrap objects its sizes.
        read_size: reads them, in the kernel's order.
        arc: OpenSim's arc in the wrap object's frame, from its tangent points, the path points before and after them,
            the sizes, OpenSim's length of it and the points that OpenSim draws on it.
        size: sizes in :func:`wrap_model`, as the kernel takes them [m].
        flat, refusal: sizes of one without extent, and what the error says.
        turns: whether the sense of a turn about an axis says on which side a path passes.
        quadrant: the one with which one side is held in :func:`wrap_model`.
        gap: how far OpenSim's tangent points are from its arc's ends [m].
        length: how far OpenSim's length is from that of its own path, relative.
        jacobian: how far Jacobians of OpenSim's path are from central differences with steps of 2e-5, relative.
        second: the same of accelerations at udot = 0 and of the bias; 0 if the path is too rough to be differenced so.
        ends, way: a straight line beside one of ``size`` at the origin, and the direction in which it comes nearer.
        thick, rotation, origin: size, orientation and place of one that a line along x, a few millimetres above the
            origin, cuts 2 to 3 cm deep.
    """

    opensim_class: str
    set_size: Callable[[Any, Sequence[float]], None]
    read_size: Callable[[Any], Sequence[float]]
    arc: Callable[[Tangents, Array, float, Array], Arc]
    size: tuple[float, ...]
    flat: tuple[float, ...]
    thick: tuple[float, ...]
    length: float
    jacobian: float
    second: float
    turns: bool = False
    quadrant: str = "all"
    gap: float = 1e-14
    refusal: str = "'muscle'.*'wrap'.*no extent"
    ends: tuple[tuple[float, float, float], tuple[float, float, float]] = ACROSS
    way: tuple[float, float, float] = (0, -1, 0)
    rotation: tuple[tuple[float, float, float], ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)


def _set_cylinder(wrap: osim.WrapCylinder, size: Sequence[float]) -> None:
    wrap.set_radius(size[0])
    wrap.set_length(size[1])


def _set_torus(wrap: osim.WrapTorus, size: Sequence[float]) -> None:
    wrap.set_outer_radius(size[0])
    wrap.set_inner_radius(size[1])


#: By the kernel's name.
KINDS = {
    "cylinder": Kind(
        "WrapCylinder",
        _set_cylinder,
        lambda wrap: [wrap.get_radius(), wrap.get_length()],
        lambda at, size, length, drawn: helix(at.start, at.end, at.before, size[0], length),
        size=(0.03, 1.0),
        flat=(0.0, 1.0),
        thick=(0.03, 0.4),
        length=1e-12,
        jacobian=1e-6,
        second=2e-5,
        turns=True,
        quadrant="-y",
    ),
    "sphere": Kind(
        "WrapSphere",
        lambda wrap, size: wrap.set_radius(size[0]),
        lambda wrap: [wrap.getRadius()],
        lambda at, size, length, drawn: sphere_arc(at.start, at.end, at.before, size[0], length),
        size=(0.03,),
        flat=(0.0,),
        thick=(0.03,),
        length=1e-12,
        jacobian=1e-6,
        second=1e-4,
    ),
    # OpenSim measures its arcs by chords of 1 mm, and its iterations stop early, so that paths are not smooth: measured
    # 3e-4 on Jacobians; it refuses flat ones by itself, as it does with tori
    "ellipsoid": Kind(
        "WrapEllipsoid",
        lambda wrap, size: wrap.set_dimensions(osim.Vec3(*size)),
        lambda wrap: wrap.getRadii().to_numpy(),
        lambda at, size, length, drawn: ellipsoid_arc(*at, size, length, drawn),
        size=(0.05, 0.03, 0.02),
        flat=(0.05, 0.0, 0.02),
        thick=(0.03, 0.035, 0.025),
        length=1e-5,
        jacobian=2e-3,
        second=1e-2,
        refusal="WrapEllipsoid",
    ),
    # OpenSim's is the cylinder that touches the ring, its tangent points are only near that cylinder, and its
    # iterations stop early
    "torus": Kind(
        "WrapTorus",
        _set_torus,
        lambda wrap: [wrap.getOuterRadius(), wrap.getInnerRadius()],
        lambda at, size, length, drawn: torus_arc(at.start, at.end, at.before, size[1], size[0], length),
        size=(0.05, 0.01),
        flat=(0.05, 0.0),
        thick=(0.10, 0.03),
        length=2e-3,
        jacobian=2e-3,
        second=0.0,
        turns=True,
        quadrant="-y",
        gap=1e-5,
        refusal="Inner radius",
        ends=((0.02, 0.01, -0.1), (0.022, -0.01, 0.12)),
        way=(1, 0, 0),
        rotation=((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),  # the ring's tube passes through the origin
        origin=(0.0, -0.10, 0.0),
    ),
}

BY_CLASS = {kind.opensim_class: kind for kind in KINDS.values()}  # By OpenSim's class

#: Of the muscle, which comes on top of the body [kg].
MASSES = pd.DataFrame({"muscle": ["muscle"], "mass": [0.2], "segment": [""]})


def wrap_model(kind: str, quadrant: str = "all") -> osim.Model:
    """Model "wrap_<kind>", not initialised: "muscle" from ground to a body with free coordinates rx .. z."""
    model = osim.Model()
    model.setName("wrap_" + kind)
    body = osim.Body("body", 1.0, osim.Vec3(0), osim.Inertia(0.1, 0.1, 0.1))
    model.addBody(body)
    transform = six_coordinates()
    zero = osim.Vec3(0)
    model.addJoint(osim.CustomJoint("free", model.getGround(), zero, zero, body, zero, zero, transform))
    wrap = getattr(osim, KINDS[kind].opensim_class)()
    KINDS[kind].set_size(wrap, KINDS[kind].size)
    wrap.setName("wrap")
    wrap.set_quadrant(quadrant)
    wrap.set_xyz_body_rotation(osim.Vec3(0.3, 0.2, -0.4))
    wrap.set_translation(osim.Vec3(0.01, 0.0, -0.01))
    wrap.thisown = False  # ground takes it
    model.updGround().addWrapObject(wrap)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.1, 0.0)
    muscle.addNewPathPoint("muscle-P1", model.getGround(), osim.Vec3(-0.1, 0.05, 0.02))
    muscle.addNewPathPoint("muscle-P2", body, osim.Vec3(0.08, -0.06, -0.01))
    model.addForce(muscle)
    model.finalizeConnections()
    osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(wrap)
    model.finalizeConnections()
    return model


def limit(model: osim.Model, angle: float = 0.5, distance: float = 0.08) -> osim.Model:
    """Give the coordinates ranges of so much each way [rad, m]: by default those of :func:`random_pose`."""
    for coordinate in model.updCoordinateSet():
        most = angle if coordinate.getMotionType() == osim.Coordinate.Rotational else distance
        coordinate.setRangeMin(-most)
        coordinate.setRangeMax(most)
    return model


def random_pose(rng: np.random.Generator) -> Array:
    """Coordinates (6,) [rad, m] at which the muscle often touches."""
    return np.concatenate([rng.uniform(-0.5, 0.5, 3), rng.uniform(-0.08, 0.08, 3)])
