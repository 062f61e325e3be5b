"""A free body and one muscle that a wrap object on ground bends: every kind of wrap object, built by code."""

from __future__ import annotations

import numpy as np
import pandas as pd

from opensim_inertia._opensim import osim

from .finite_differences import Array

KINDS = ("cylinder", "sphere", "ellipsoid", "torus")

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
    if kind == "cylinder":
        wrap = osim.WrapCylinder()
        wrap.set_radius(0.03)
        wrap.set_length(1.0)
    elif kind == "sphere":
        wrap = osim.WrapSphere()
        wrap.set_radius(0.03)
    elif kind == "ellipsoid":
        wrap = osim.WrapEllipsoid()
        wrap.set_dimensions(osim.Vec3(0.05, 0.03, 0.02))
    elif kind == "torus":
        wrap = osim.WrapTorus()
        wrap.set_inner_radius(0.01)
        wrap.set_outer_radius(0.05)
    else:
        raise ValueError(kind)
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
