"""A seated leg whose knee follows splines or is a hinge, with six Hill muscles (Wang et al. 2022, section 4.6).

The demo's leg with pelvis and thigh fixed, its four muscles, and rectus femoris and
semimembranosus.

Sources:

* Translation of the knee: after Yamaguchi GT, Zajac FE (1989), A planar model of the knee joint to characterize the
  knee extensor mechanism, J Biomech 22:1-10, as OpenSim's gait models have it for a thigh of 0.40 m; rounded here, as
  fractions of the thigh's length, zero in the straight knee. Within 1 mm of them, 1.6 mm at 120 deg of flexion,
  smoothed so that the condyle which touches the plateau is convex.
* Architecture of the two muscles: Ward SR et al. (2009), as in :mod:`.muscles`. Attachments, the
  cylinder that stands for patella and condyles, and the depth of the tibial plateau are estimates of our own.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from opensim_inertia.errors import OptionError

from .muscles import MUSCLES, DemoMuscle, add_muscles, add_set
from .segments import Sizes, make_body

# isort: split
import opensim as osim

__all__ = ["HIP_FLEXION", "KNEES", "THIGH_MUSCLES", "build_seated_leg", "condyle", "gap", "knee_masses", "translation"]

KNEES = ("spline", "revolute")

HIP_FLEXION = math.radians(45)
"""Angle at which the thigh is fixed: the shank hangs vertically at a knee angle of -45 deg."""

KNEE_TRANSLATION = {
    # knee angle [deg]: forward and upward, fractions of the thigh's length
    -120: (0.008, -0.0670),
    -80: (0.021, -0.0380),
    -40: (0.016, -0.0133),
    0: (0.000, 0.0000),
    20: (-0.006, 0.0015),
}
"""Where the tibia's origin goes in the femur's frame; it lies on the axis of the straight knee."""

PLATEAU = 0.07
"""Depth of the tibial plateau below the tibia's origin, fraction of thigh length (our estimate: 3 cm)."""

PATELLA = "patella_r"
"""Name of the wrap cylinder that stands for the patella, fixed to femur_r."""

PATELLA_RADIUS = 0.085
"""Its radius, fraction of thigh length (our estimate: 3.6 cm)."""

THIGH_MUSCLES = (
    DemoMuscle(
        "rect_fem_r",
        0.1106,
        13.5e-4,
        0.0759,
        math.radians(13.9),
        0.75,
        (("pelvis", (0.30, 0.24, 0.59)), ("tibia_r", (0.090, -0.130, 0.000))),
        wraps=True,
    ),
    DemoMuscle(
        "semimem_r",
        0.1343,
        18.4e-4,
        0.0690,
        math.radians(15.1),
        1.30,
        (("pelvis", (-0.33, -0.23, 0.52)), ("tibia_r", (-0.070, -0.090, -0.045))),
    ),
)
"""Rectus femoris and semimembranosus; ``stretch`` is that of the straight knee at ``HIP_FLEXION``."""


def build_seated_leg(knee: str = "spline", height: float = 1.75, mass: float = 75.0) -> Any:
    """Build a leg with two coordinates, ``knee_angle_r`` (of extension) and ``ankle_angle_r`` (of dorsiflexion).

    Pelvis and thigh are fixed, the thigh ``HIP_FLEXION`` forward of vertical. In the straight knee both kinds of knee
    are alike. The default pose is at rest: the shank vertical.

    Args:
        knee: "spline": tibial translation is a function of the knee angle; "revolute": a hinge.
        height: stature [m].
        mass: body mass [kg].

    Returns:
        A new ``osim.Model`` with its connections finalized; call ``initSystem`` on it.

    Raises:
        OptionError: another knee; height or mass is not that of a human.
    """
    if knee not in KNEES:
        raise OptionError("knee", knee, f"one of {', '.join(KNEES)}")
    sizes = Sizes(height, mass)
    thigh = sizes.length("femur_r")
    model = osim.Model()
    model.setName(f"opensim_inertia_{knee}_knee")
    model.setGravity(osim.Vec3(0.0, -9.80665, 0.0))
    bodies = {name: make_body(name, sizes) for name in ("pelvis", "femur_r", "tibia_r", "calcn_r")}
    for body in bodies.values():
        model.addBody(body)

    zero = osim.Vec3(0.0)
    hip, turned = osim.Vec3(0.0, 0.0, sizes.hip_offset()), osim.Vec3(0.0, 0.0, HIP_FLEXION)
    model.addJoint(osim.WeldJoint("pelvis_fixed", model.getGround(), zero, zero, bodies["pelvis"], zero, zero))
    model.addJoint(osim.WeldJoint("thigh_fixed", bodies["pelvis"], hip, turned, bodies["femur_r"], zero, zero))
    at = osim.Vec3(0.0, -thigh, 0.0)
    if knee == "spline":
        transform = _spline_transform("knee_angle_r", thigh)
        joint = osim.CustomJoint("knee_r", bodies["femur_r"], at, zero, bodies["tibia_r"], zero, zero, transform)
    else:
        joint = osim.PinJoint("knee_r", bodies["femur_r"], at, zero, bodies["tibia_r"], zero, zero)
        joint.updCoordinate().setName("knee_angle_r")
    model.addJoint(joint)
    at = osim.Vec3(0.0, -sizes.length("tibia_r"), 0.0)
    ankle = osim.PinJoint("ankle_r", bodies["tibia_r"], at, zero, bodies["calcn_r"], zero, zero)
    ankle.updCoordinate().setName("ankle_angle_r")
    model.addJoint(ankle)

    model.finalizeConnections()
    for name, low, high in (("knee_angle_r", -120, 10), ("ankle_angle_r", -50, 30)):
        coordinate = model.updCoordinateSet().get(name)
        coordinate.setRangeMin(math.radians(low))
        coordinate.setRangeMax(math.radians(high))
    add_muscles(model, sizes)
    _add_thigh_muscles(model, sizes)
    model.updCoordinateSet().get("knee_angle_r").setDefaultValue(-HIP_FLEXION)
    model.finalizeConnections()
    return model


def knee_masses() -> pd.DataFrame:
    """Return the muscles' masses [kg] and donor segments: the shank for its four, the thigh for its two."""
    rows = [
        (m.name, m.in_vivo_mass(), "tibia_r" if m in MUSCLES else "femur_r", "Ward et al. 2009, doubled")
        for m in (*MUSCLES, *THIGH_MUSCLES)
    ]
    return pd.DataFrame(rows, columns=["muscle", "mass", "segment", "source"])


def translation(angles: NDArray[np.float64], thigh: float = 1.0) -> NDArray[np.float64]:
    """Place of the tibia's origin from the axis of the straight knee, in the femur's frame, (n, 2).

    Args:
        angles: knee angles [rad], (n,).
        thigh: length of the thigh [m]; 1 for fractions.
    """
    splines = [_spline(axis, thigh) for axis in (0, 1)]
    return np.array([[s.calcValue(osim.Vector(1, float(q))) for s in splines] for q in np.ravel(angles)])


def gap(angles: NDArray[np.float64], knee: str, thigh: float) -> NDArray[np.float64]:
    """Return the distance between tibial plateau and femoral condyle [m], (n,); negative where they overlap.

    The condyle is the curve that the plateau of the spline knee touches at every angle; see :func:`condyle`. The
    hinge's plateau is parallel to the spline knee's at the same angle, and farther from the femur by the part of the
    translation along the tibia.

    Args:
        angles: knee angles [rad], (n,).
        knee: "spline" or "revolute".
        thigh: length of the thigh [m].
    """
    if knee not in KNEES:
        raise OptionError("knee", knee, f"one of {', '.join(KNEES)}")
    angles = np.ravel(angles)
    up = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    along = np.einsum("ij,ij->i", translation(angles, thigh), up)
    return np.asarray(np.zeros(len(angles)) if knee == "spline" else along)


def condyle(angles: NDArray[np.float64], thigh: float) -> NDArray[np.float64]:
    """Return points of the condyle from the axis of the straight knee, in the femur's frame [m], (n, 2).

    At angle q the plateau is the line ``x . n = h`` with its normal ``n = (-sin q, cos q)`` and ``h`` its distance;
    the envelope of these lines is ``h n + h' n'``.

    Args:
        angles: knee angles at which the points touch the plateau [rad], (n,).
        thigh: length of the thigh [m].
    """
    angles, step = np.ravel(angles), 1e-4

    def distance(q: NDArray[np.float64]) -> NDArray[np.float64]:
        return gap(q, "revolute", thigh) - PLATEAU * thigh

    slope = (distance(angles + step) - distance(angles - step)) / (2 * step)
    n = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
    across = -np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return np.asarray(distance(angles)[:, None] * n + slope[:, None] * across)


def _spline(axis: int, thigh: float) -> Any:
    """Return the tibial translation along x (0) or y (1) [m] over the knee angle [rad]."""
    spline = osim.SimmSpline()
    for angle, values in KNEE_TRANSLATION.items():
        spline.addPoint(math.radians(angle), values[axis] * thigh)
    return spline


def _spline_transform(coordinate: str, thigh: float) -> Any:
    """Return the knee's transform: a rotation about z, and translations along x and y as functions of it."""
    transform = osim.SpatialTransform()
    axes = ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    functions = {0: osim.LinearFunction(1.0, 0.0), 3: _spline(0, thigh), 4: _spline(1, thigh)}
    for index, direction in enumerate(axes):
        axis = transform.updTransformAxis(index)
        axis.setAxis(osim.Vec3(*direction))
        if index in functions:
            names = osim.ArrayStr()
            names.append(coordinate)
            axis.setCoordinateNames(names)
        axis.set_function(functions.get(index, osim.Constant(0.0)))
    return transform


def _add_thigh_muscles(model: Any, sizes: Sizes) -> None:
    """Add the patella's cylinder, rectus femoris over it, and semimembranosus."""
    femur, thigh = model.getBodySet().get("femur_r"), sizes.length("femur_r")
    cylinder = osim.WrapCylinder()
    cylinder.setName(PATELLA)
    cylinder.set_radius(PATELLA_RADIUS * thigh)
    cylinder.set_length(0.24 * thigh)
    cylinder.set_translation(osim.Vec3(0.0, -thigh, 0.0))
    cylinder.set_quadrant("+x")  # in front of the knee
    femur.addWrapObject(cylinder)
    add_set(model, THIGH_MUSCLES, sizes, PATELLA)
