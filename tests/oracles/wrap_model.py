"""A free body and one muscle that a wrap object on ground bends: every kind of wrap object, built by code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from opensim_inertia._opensim import osim

from .finite_differences import Array

ACROSS = ((-0.1, 0.06, 0.02), (0.12, 0.055, -0.01))


@dataclass(frozen=True)
class Kind:
    """A kind of wrap object: all that tests over every kind must know of it.

    Attributes:
        opensim_class: OpenSim's class of it.
        set_size: gives one of OpenSim's wrap objects its sizes.
        size: sizes in :func:`wrap_model`, as the kernel takes them [m].
        flat, refusal: sizes of one without extent, and what the error says.
        held: quadrant with which one side is held in :func:`wrap_model`.
        length: how far OpenSim's length is from that of its own path, relative.
        jacobian: how far Jacobians of OpenSim's path are from central differences with steps of 2e-5, relative.
        second: the same of accelerations at udot = 0 and of the bias; 0 if the path is too rough to be differenced so.
        ends, way: a straight line beside one of ``size`` at the origin, and the direction in which it comes nearer.
        thick, rotation, origin: size, orientation and place of one that a line along x, a few millimetres above the
            origin, cuts 2 to 3 cm deep.
    """

    opensim_class: str
    set_size: Callable[[Any, Sequence[float]], None]
    size: tuple[float, ...]
    flat: tuple[float, ...]
    thick: tuple[float, ...]
    length: float
    jacobian: float
    second: float
    held: str = "all"
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
        size=(0.03, 1.0),
        flat=(0.0, 1.0),
        thick=(0.03, 0.4),
        length=1e-12,
        jacobian=1e-6,
        second=2e-5,
        held="-y",
    ),
    "sphere": Kind(
        "WrapSphere",
        lambda wrap, size: wrap.set_radius(size[0]),
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
        size=(0.05, 0.01),
        flat=(0.05, 0.0),
        thick=(0.10, 0.03),
        length=2e-3,
        jacobian=2e-3,
        second=0.0,
        held="-y",
        refusal="Inner radius",
        ends=((0.02, 0.01, -0.1), (0.022, -0.01, 0.12)),
        way=(1, 0, 0),
        rotation=((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)),  # the ring's tube passes through the origin
        origin=(0.0, -0.10, 0.0),
    ),
}

#: Of the muscle, given up by the body [kg].
MASSES = pd.DataFrame({"muscle": ["muscle"], "mass": [0.2], "segment": ["body"]})


def wrap_model(kind: str, quadrant: str = "all") -> osim.Model:
    """Model "wrap_<kind>" with muscle "muscle" from ground to a body with six free coordinates rx .. z, not
    initialised."""
    model = osim.Model()
    model.setName("wrap_" + kind)
    body = osim.Body("body", 1.0, osim.Vec3(0), osim.Inertia(0.1, 0.1, 0.1))
    model.addBody(body)
    transform = osim.SpatialTransform()
    axes = ("rotation1", "rotation2", "rotation3", "translation1", "translation2", "translation3")
    for axis, name in zip(axes, ("rx", "ry", "rz", "x", "y", "z"), strict=True):
        one = getattr(transform, "upd_" + axis)()
        one.setCoordinateNames(osim.ArrayStr(name, 1))
        one.set_function(osim.LinearFunction(1.0, 0.0))
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
