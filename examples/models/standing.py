"""Standing in the frontal plane: a trunk on two legs, pinned to the ground or on feet that touch it.

The model of Bunderson et al. (2012), section 3.3, after Bingham JT, Choi JT, Ting LH (2011), J Neurophysiol
106:437-448: legs with locked knees, hips that hinge about the forward axis, and a torque at each hip that follows the
hip's angle and its rate 120 ms earlier. What the paper does not print:

* Stature 1.75 m, 75 kg. Hip width 0.191 and hip height 0.530 of stature; the leg's centre of mass at 0.553 of its
  length from the ground, its radius of gyration 0.326 of its length (Winter 2009, table 4.1 and fig. 4.1).
* Legs of 12 kg. The trunk's centre of mass 0.305 m above the hips and its radius of gyration 0.275 m are chosen between
  values for head, arms and trunk (Winter: 0.316 and 0.250 m).
* Feet are small spheres, so that the ground reaction acts near the pin's place; stiffness is an estimate of our own.
"""

from __future__ import annotations

import math
from typing import Any

from opensim_inertia.errors import OptionError

# isort: split
import opensim as osim

__all__ = ["BODY_MASS", "HIP_WIDTH", "LEG_LENGTH", "lean", "standing"]

BODY_MASS, STATURE = 75.0, 1.75
"""Mass of everything [kg] and stature [m]."""

HIP_WIDTH, LEG_LENGTH = 0.191 * STATURE, 0.530 * STATURE
"""Distance between the hips, and from hip to ground [m]."""

LEG_MASS, _LEG_COM, _LEG_GYRATION = 12.0, 0.553 * LEG_LENGTH, 0.326 * LEG_LENGTH
_TRUNK_COM, _TRUNK_GYRATION = 0.305, 0.275

FOOT, STIFFNESS, DISSIPATION, FRICTION, TRANSITION, SMOOTHING = 0.005, 4e9, 20.0, 0.8, 0.005, 12000.0
"""Of each foot: radius [m], plane strain modulus [Pa], [s/m], coefficient, the speed at which it slips [m/s], [1/m].

Below a dissipation of some 8 s/m the delayed feedback makes the trunk rock on its feet at 20 Hz, ever faster."""

HIP_RANGE, STIFF, DAMPED, WIDTH = 40.0, 10.0, 1.0, 10.0
"""What holds the hips beyond this range [deg]: [N m/deg], [N m s/deg], reached within so many degrees."""

CROSSLEY = 50.0  # the smoothing of the dissipation, OpenSim's default [s/m]

SIDES = {"l": -1.0, "r": 1.0}


def standing(stance: float = 0.334, feet: str = "contact") -> Any:
    """Build the model in the plane x to the right, y up; in its default pose it stands upright.

    Coordinates are trunk_rotation, trunk_x, trunk_y (of the middle between the hips), hip_l and hip_r (positive as the
    leg turns from -y toward x). Actuators are torques ``hip_l`` and ``hip_r`` [N m per unit of excitation], and
    sideways forces ``push_trunk``, ``push_leg_l`` and ``push_leg_r`` on each mass [m/s^2 per unit].

    Args:
        stance: distance between the feet [m].
        feet: "contact", spheres on the ground (``SmoothSphereHalfSpaceForce`` foot_l and foot_r); "pinned".

    Returns:
        A new ``osim.Model`` with its connections finalized; call ``initSystem`` on it.

    Raises:
        OptionError: a stance that the legs cannot reach, or feet that there are not.
    """
    if feet not in ("contact", "pinned"):
        raise OptionError("feet", feet, "'contact' or 'pinned'")
    angle = lean(stance)
    height = LEG_LENGTH * math.cos(angle)
    model = osim.Model()
    model.setName(f"opensim_inertia_standing_{feet}")
    model.setGravity(osim.Vec3(0.0, -9.80665, 0.0))
    trunk = _body("trunk", BODY_MASS - 2 * LEG_MASS, _TRUNK_COM, _TRUNK_GYRATION)
    model.addBody(trunk)
    zero = osim.Vec3(0.0)
    root = osim.PlanarJoint("root", model.getGround(), zero, zero, trunk, zero, zero)
    for i, (name, value) in enumerate((("trunk_rotation", 0.0), ("trunk_x", 0.0), ("trunk_y", height))):
        root.upd_coordinates(i).setName(name)
        root.upd_coordinates(i).setDefaultValue(value)
    model.addJoint(root)
    for side, sign in SIDES.items():
        leg = _body(f"leg_{side}", LEG_MASS, _LEG_COM - LEG_LENGTH, _LEG_GYRATION)
        model.addBody(leg)
        at = osim.Vec3(0.5 * sign * HIP_WIDTH, 0.0, 0.0)
        hip = osim.PinJoint(f"hip_joint_{side}", trunk, at, zero, leg, zero, zero)
        hip.updCoordinate().setName(f"hip_{side}")
        hip.updCoordinate().setDefaultValue(sign * angle)
        model.addJoint(hip)
        if feet == "pinned":
            _add_pin(model, leg, side, 0.5 * sign * stance)
    if feet == "contact":
        _add_feet(model)
    for side in SIDES:
        limit = osim.CoordinateLimitForce(f"hip_{side}", HIP_RANGE, STIFF, -HIP_RANGE, STIFF, DAMPED, WIDTH)
        limit.setName(f"hip_limit_{side}")
        model.addForce(limit)
        torque = osim.CoordinateActuator(f"hip_{side}")
        torque.setName(f"hip_{side}")
        torque.setOptimalForce(1.0)
        model.addForce(torque)
    for name in ("trunk", "leg_l", "leg_r"):
        body = model.getBodySet().get(name)
        push = osim.PointActuator(name)
        push.setName(f"push_{name}")
        push.set_point(body.get_mass_center())
        push.set_point_is_global(False)
        push.set_direction(osim.Vec3(1.0, 0.0, 0.0))
        push.set_force_is_global(True)
        push.setOptimalForce(body.getMass())
        model.addForce(push)
    model.finalizeConnections()
    return model


def lean(stance: float) -> float:
    """Return the angle [rad] by which each leg leans outward where the feet are at a distance ``stance`` [m].

    Raises:
        OptionError: a stance that the legs cannot reach.
    """
    widest = HIP_WIDTH + 2 * LEG_LENGTH
    if not 0 < stance < widest:
        raise OptionError("stance", stance, f"a distance above zero and below {widest:.3g} m")
    return math.asin((stance - HIP_WIDTH) / (2 * LEG_LENGTH))


def _body(name: str, mass: float, height: float, gyration: float) -> Any:
    """Return a body whose centre of mass is so high over its origin [m]."""
    moment = mass * gyration**2
    return osim.Body(name, mass, osim.Vec3(0.0, height, 0.0), osim.Inertia(moment, moment, moment, 0.0, 0.0, 0.0))


def _add_pin(model: Any, leg: Any, side: str, x: float) -> None:
    """Hold the lower end of a leg on a line through the plane."""
    foot, line = osim.Vec3(0.0, -LEG_LENGTH, 0.0), osim.Vec3(0.0, 0.0, 1.0)
    pin = osim.PointOnLineConstraint(model.getGround(), line, osim.Vec3(x, 0.0, 0.0), leg, foot)
    pin.setName(f"foot_{side}")
    model.addConstraint(pin)


def _add_feet(model: Any) -> None:
    """Add the ground, and spheres around the lower ends of the legs, which stand as high as pins would be."""
    upward = osim.Vec3(0.0, 0.0, -0.5 * math.pi)
    ground = osim.ContactHalfSpace(osim.Vec3(0.0, _depth() - FOOT, 0.0), upward, model.getGround())
    ground.setName("ground_surface")
    model.addContactGeometry(ground)
    for side in SIDES:
        leg = model.getBodySet().get(f"leg_{side}")
        sphere = osim.ContactSphere(FOOT, osim.Vec3(0.0, -LEG_LENGTH, 0.0), leg)
        sphere.setName(f"sphere_{side}")
        model.addContactGeometry(sphere)
        force = osim.SmoothSphereHalfSpaceForce(f"foot_{side}", sphere, ground)
        force.set_stiffness(STIFFNESS)
        force.set_dissipation(DISSIPATION)
        force.set_static_friction(FRICTION)
        force.set_dynamic_friction(FRICTION)
        force.set_viscous_friction(0.0)
        force.set_transition_velocity(TRANSITION)
        force.set_hertz_smoothing(SMOOTHING)
        force.set_constant_contact_force(1e-12)  # OpenSim's default would press as 3 mm of depth do
        model.addForce(force)


def _depth() -> float:
    """Return how deep half of the body's weight presses a foot into the ground [m], by the force's law."""
    hertz = 4 / 3 * (0.5 * STIFFNESS ** (2 / 3)) ** 1.5 * FOOT**0.5
    crossley = 0.5 * math.tanh(CROSSLEY * 2 / (3 * DISSIPATION)) + 0.5
    low, high = 0.0, FOOT
    for _ in range(60):
        depth = 0.5 * (low + high)
        force = hertz * (depth**2) ** 0.75 * (0.5 * math.tanh(SMOOTHING * depth) + 0.5) * crossley
        low, high = (depth, high) if force < 0.5 * BODY_MASS * 9.80665 else (low, depth)
    return depth
