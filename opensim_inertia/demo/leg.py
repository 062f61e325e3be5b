"""The demo's model: a right leg on a driven pelvis, 11 coordinates, four muscles, as in Wang et al. 2022, section 4.5.

Built from published anthropometrics (see :mod:`.segments` and :mod:`.muscles`); no file is read and no mesh is needed.
"""

from __future__ import annotations

import math
from typing import Any

from .._core.opensim import osim
from .muscles import add_muscles
from .parts import custom_joint
from .segments import Sizes

__all__ = ["COORDINATES", "ROTATIONAL", "build_leg"]

_X, _Y, _Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

_PELVIS_AXES = (
    ("pelvis_tilt", _Z),
    ("pelvis_list", _X),
    ("pelvis_rotation", _Y),
    ("pelvis_tx", _X),
    ("pelvis_ty", _Y),
    ("pelvis_tz", _Z),
)
_HIP_AXES = (("hip_flexion_r", _Z), ("hip_adduction_r", _X), ("hip_rotation_r", _Y), ("", _X), ("", _Y), ("", _Z))

# Least and largest value of each coordinate, degrees or metres; for viewers, nothing is clamped.
_RANGES = {
    "pelvis_tilt": (-90, 90),
    "pelvis_list": (-90, 90),
    "pelvis_rotation": (-90, 90),
    "pelvis_tx": (-5, 5),
    "pelvis_ty": (-1, 2),
    "pelvis_tz": (-3, 3),
    "hip_flexion_r": (-30, 120),
    "hip_adduction_r": (-50, 30),
    "hip_rotation_r": (-40, 40),
    "knee_angle_r": (-140, 5),
    "ankle_angle_r": (-50, 30),
}

COORDINATES = tuple(_RANGES)
"""The model's coordinates. Angles are positive for hip flexion, knee *extension* and ankle dorsiflexion."""

ROTATIONAL = tuple(name for name in COORDINATES if not name.startswith("pelvis_t") or name == "pelvis_tilt")
"""Those that are angles [rad]; the other three are translations [m]."""


def build_leg(height: float = 1.75, mass: float = 75.0) -> Any:
    """Build a right leg: pelvis (6 coordinates), hip (3), knee and ankle (1 each), and the four muscles of the ankle.

    Ground is y up, x forward, z to the right. In the default pose the leg is straight, the sole flat on the ground.

    Args:
        height: stature [m].
        mass: body mass [kg]; the model has the pelvis's and one leg's share of it (de Leva 1996).

    Returns:
        A new ``osim.Model`` with its connections finalized; call ``initSystem`` on it.

    Raises:
        OptionError: height or mass is not that of a human.
    """
    sizes = Sizes(height, mass)
    model = osim.Model()
    model.setName("opensim_inertia_demo_leg")
    model.set_credits("opensim_inertia demo; de Leva 1996, Winter 2009, Ward et al. 2009; attachments estimated")
    model.setGravity(osim.Vec3(0.0, -9.80665, 0.0))

    bodies = {}
    for body in ("pelvis", "femur_r", "tibia_r", "calcn_r"):
        bodies[body] = make_body(body, sizes)
        model.addBody(bodies[body])

    at = {
        "hip": osim.Vec3(0.0, 0.0, sizes.hip_offset()),
        "knee": osim.Vec3(0.0, -sizes.length("femur_r"), 0.0),
        "ankle": osim.Vec3(0.0, -sizes.length("tibia_r"), 0.0),
    }
    zero = osim.Vec3(0.0)
    model.addJoint(custom_joint("ground_pelvis", model.getGround(), zero, bodies["pelvis"], _PELVIS_AXES))
    model.addJoint(custom_joint("hip_r", bodies["pelvis"], at["hip"], bodies["femur_r"], _HIP_AXES))
    for joint, parent, child in (("knee", "femur_r", "tibia_r"), ("ankle", "tibia_r", "calcn_r")):
        pin = osim.PinJoint(f"{joint}_r", bodies[parent], at[joint], zero, bodies[child], zero, zero)
        pin.updCoordinate().setName(f"{joint}_angle_r")
        model.addJoint(pin)

    model.finalizeConnections()
    for name in COORDINATES:
        coordinate = model.updCoordinateSet().get(name)
        unit = math.radians(1.0) if name in ROTATIONAL else 1.0
        low, high = _RANGES[name]
        coordinate.setRangeMin(low * unit)
        coordinate.setRangeMax(high * unit)
        coordinate.setDefaultValue(0.0)
    standing = sizes.length("femur_r") + sizes.length("tibia_r") + sizes.ankle_to_sole()
    model.updCoordinateSet().get("pelvis_ty").setDefaultValue(standing)

    add_muscles(model, sizes)
    model.finalizeConnections()
    return model


def make_body(name: str, sizes: Sizes) -> Any:
    """Build a body with its mass properties and a simple shape to look at."""
    x, y, z = sizes.moments(name)
    body = osim.Body(name, sizes.mass(name), osim.Vec3(*sizes.com(name)), osim.Inertia(x, y, z, 0.0, 0.0, 0.0))
    length = sizes.length(name)
    if name == "pelvis":
        shape, centre = osim.Ellipsoid(0.4 * length, 0.6 * length, sizes.hip_offset()), (0.0, 0.5 * length, 0.0)
    elif name == "calcn_r":
        half_height = 0.5 * sizes.ankle_to_sole()
        shape = osim.Brick(osim.Vec3(0.5 * length, 0.5 * half_height, 0.15 * length))
        centre = (0.5 * length - sizes.heel_to_ankle(), -1.5 * half_height, 0.0)
    else:
        shape, centre = osim.Cylinder(0.035 * length, 0.5 * length), (0.0, -0.5 * length, 0.0)
    frame = osim.PhysicalOffsetFrame(f"{name}_shape", body, osim.Transform(osim.Vec3(*centre)))
    frame.attachGeometry(shape)
    body.addComponent(frame)
    return body
