"""A hopper: a trunk that slides up and down on one leg, which stands for both, with feet that touch the ground.

Made for optimisation of excitations: contacts and muscles are smooth. Sources:

* Segments: de Leva P (1996), as in :mod:`.segments`; the leg has both legs' mass, the trunk all the
  rest of the body.
* Muscles' forces, optimal fibre lengths and pennation: OpenSim's Gait10dof18musc, forces of both legs (after Delp SL et
  al. 1990, IEEE Trans Biomed Eng 37:757-767). Fibres of the calf are longer (7.5 and 8.5 for 5 and 6 cm), for
  their tendons, which give way by such lengths in life, are rigid here.
* Masses: volumes of Handsfield GG et al. (2014), J Biomech 47:631-638, for 75 kg and 1.75 m, times 1060 kg/m^3,
  rounded, both legs.
* Attachments, wrap objects and contact spheres: estimates of our own, guided by general anatomy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pandas as pd

from .parts import set_slack_lengths
from .segments import SEGMENTS, Sizes
from .soles import add_sphere

# isort: split
import opensim as osim

__all__ = ["BODY_MASS", "COORDINATES", "MUSCLES", "STANDING", "HopperMuscle", "hopper", "hopper_masses"]

HEIGHT, BODY_MASS = 1.75, 75.0
"""Stature [m] and mass of everything [kg]."""

_RANGES = {
    "pelvis_ty": (0.3, 2.0),
    "hip_flexion": (-10, 95),
    "knee_angle": (-115, 0),
    "ankle_angle": (-40, 35),
}

COORDINATES = tuple(_RANGES)
"""The coordinates [m, rad]: height of the hip; hip flexion, knee *extension* and ankle dorsiflexion are positive."""

STANDING = (0.7410, math.radians(45.0), math.radians(-75.0), math.radians(28.0))
"""The default pose [m, rad]: crouched, the feet nearly flat, pressed into the ground by body weight."""

SOLE = 0.03
"""Radius of the spheres under heel and toes [m]."""

STIFFNESS, DISSIPATION = 3e6, 2.0
"""Of either sphere: plane strain modulus [Pa], dissipation [s/m]."""

LIMIT = {"stiffness": 10.0, "damping": 0.2, "transition": 10.0}
"""What holds a joint beyond its range: [N m/deg], [N m s/deg], reached within so many degrees, smoothly."""

_HEEL, _TOES = -0.040, 0.150  # of the spheres, forward of the ankle [m]


@dataclass(frozen=True)
class HopperMuscle:
    """One muscle, of both legs.

    Attributes:
        mass: [kg].
        segment: the donor segment.
        force: maximum isometric force [N].
        fibre: optimal fibre length [m].
        pennation: at optimal fibre length [rad].
        stretch: fibre length in the default pose over optimal fibre length (chosen).
        hold: activation in the default pose.
        path: (body, x, y) from origin to insertion [m]; a body's origin is its upper joint.
        wrap: (body, name) of the wrap object.
    """

    mass: float
    segment: str
    force: float
    fibre: float
    pennation: float
    stretch: float
    hold: float
    path: tuple[tuple[str, float, float], ...]
    wrap: tuple[str, str] | None = None


_ACHILLES = ("foot", -0.050, -0.022)

MUSCLES = {
    "glut_max": HopperMuscle(
        1.89,
        "trunk",
        3888.0,
        0.147,
        0.0,
        1.15,
        0.150,
        (("trunk", -0.100, 0.070), ("thigh", -0.025, -0.130)),
        ("trunk", "hip"),
    ),
    "hamstrings": HopperMuscle(
        1.41, "thigh", 5400.0, 0.109, 0.0, 1.00, 0.107, (("trunk", -0.050, -0.060), ("shank", -0.030, -0.050))
    ),
    "rect_fem": HopperMuscle(
        0.60,
        "thigh",
        2338.0,
        0.114,
        0.0873,
        1.00,
        0.010,
        (("trunk", 0.044, 0.035), ("shank", 0.040, -0.060)),
        ("thigh", "patella"),
    ),
    "vasti": HopperMuscle(
        3.41,
        "thigh",
        10000.0,
        0.087,
        0.0524,
        1.20,
        0.321,
        (("thigh", 0.030, -0.190), ("shank", 0.040, -0.060)),
        ("thigh", "patella"),
    ),
    "gastroc": HopperMuscle(
        0.90,
        "shank",
        5000.0,
        0.085,
        0.297,
        1.10,
        0.010,
        (("thigh", -0.004, -0.398), _ACHILLES),
        ("thigh", "condyles"),
    ),
    "soleus": HopperMuscle(0.97, "shank", 10274.0, 0.075, 0.436, 1.20, 0.162, (("shank", -0.020, -0.150), _ACHILLES)),
    "tib_ant": HopperMuscle(
        0.30,
        "shank",
        6000.0,
        0.098,
        0.0873,
        0.80,
        0.010,
        (("shank", 0.015, -0.150), ("shank", 0.032, -0.400), ("foot", 0.090, -0.030)),
    ),
}
"""Extensors and flexors of hip, knee and ankle."""

_WRAPS = (
    # body, name, radius, height [m], side
    ("trunk", "hip", 0.045, 0.0, "-x"),
    ("thigh", "patella", 0.040, -1.0, "+x"),
    ("thigh", "condyles", 0.020, -1.0, "-x"),
)


def hopper(hold: bool = True) -> Any:
    """Build trunk, thigh, shank and foot in the plane x forward, y up; the hip slides along y.

    Contacts are two ``SmoothSphereHalfSpaceForce``, ``heel`` and ``toes``. Muscles are ``DeGrooteFregly2016Muscle``
    with rigid tendons, their activations their only states.

    Args:
        hold: muscles start with activations that hold the default pose; else with 0.02.

    Returns:
        A new ``osim.Model`` with its connections finalized; call ``initSystem`` on it. :func:`hopper_masses` has the
        muscles' masses.
    """
    sizes = Sizes(HEIGHT, BODY_MASS)
    model = osim.Model()
    model.setName("opensim_inertia_hopper")
    model.setGravity(osim.Vec3(0.0, -9.80665, 0.0))
    bodies = {"trunk": _trunk()}
    for name, segment in (("thigh", "femur_r"), ("shank", "tibia_r"), ("foot", "calcn_r")):
        x, y, z = (2.0 * moment for moment in sizes.moments(segment))
        mass, centre = 2.0 * sizes.mass(segment), osim.Vec3(*sizes.com(segment))
        bodies[name] = osim.Body(name, mass, centre, osim.Inertia(x, y, z, 0.0, 0.0, 0.0))
    for body in bodies.values():
        model.addBody(body)

    zero, upright = osim.Vec3(0.0), osim.Vec3(0.0, 0.0, 0.5 * math.pi)  # a slider moves along its x
    joints = [osim.SliderJoint("slider", model.getGround(), zero, upright, bodies["trunk"], zero, upright)]
    for name, parent, child, segment in (
        ("hip", "trunk", "thigh", ""),
        ("knee", "thigh", "shank", "femur_r"),
        ("ankle", "shank", "foot", "tibia_r"),
    ):
        at = osim.Vec3(0.0, -sizes.length(segment) if segment else 0.0, 0.0)
        joints.append(osim.PinJoint(name, bodies[parent], at, zero, bodies[child], zero, zero))
    for joint, (name, (low, high)), default in zip(joints, _RANGES.items(), STANDING, strict=True):
        unit = 1.0 if name == "pelvis_ty" else math.radians(1.0)
        coordinate = joint.updCoordinate()
        coordinate.setName(name)
        coordinate.setRangeMin(low * unit)
        coordinate.setRangeMax(high * unit)
        coordinate.setDefaultValue(default)
        model.addJoint(joint)

    for name in COORDINATES[1:]:
        low, high = _RANGES[name]
        k, c, width = LIMIT.values()
        limit = osim.CoordinateLimitForce(name, high, k, low, k, c, width)
        limit.setName(f"{name}_limit")
        model.addForce(limit)
    _add_contacts(model, bodies["foot"], sizes.ankle_to_sole())
    _add_wraps(bodies, sizes.length("femur_r"))
    model.finalizeConnections()
    for name, muscle in MUSCLES.items():
        _add_muscle(model, name, muscle, muscle.hold if hold else 0.02)
    set_slack_lengths(model, {name: _belly(muscle) for name, muscle in MUSCLES.items()})
    model.finalizeConnections()
    return model


def hopper_masses() -> pd.DataFrame:
    """Return the muscles' masses [kg] and donor segments, as :class:`~opensim_inertia.InertialModel` takes them."""
    rows = [(name, muscle.mass, muscle.segment, "Handsfield 2014, rounded") for name, muscle in MUSCLES.items()]
    return pd.DataFrame(rows, columns=["muscle", "mass", "segment", "source"])


def _trunk() -> Any:
    """Build all of the body but the legs. It does not turn: its moments of inertia play no part."""
    mass = BODY_MASS * (1.0 - 2.0 * sum(SEGMENTS[name].mass for name in ("femur_r", "tibia_r", "calcn_r")))
    return osim.Body("trunk", mass, osim.Vec3(0.0, 0.3, 0.0), osim.Inertia(3.0, 1.0, 3.0, 0.0, 0.0, 0.0))


def _add_contacts(model: Any, foot: Any, to_sole: float) -> None:
    """Add ground and the spheres under heel and toes."""
    ground = osim.ContactHalfSpace(osim.Vec3(0.0), osim.Vec3(0.0, 0.0, -0.5 * math.pi), model.getGround())
    ground.setName("ground")
    model.addContactGeometry(ground)
    for name, forward in (("heel", _HEEL), ("toes", _TOES)):
        add_sphere(model, foot, ground, name, (forward, SOLE - to_sole, 0.0), SOLE, STIFFNESS, DISSIPATION)


def _add_wraps(bodies: dict[str, Any], thigh: float) -> None:
    """Add the cylinders, along z, at hip and knee."""
    for body, name, radius, at, side in _WRAPS:
        cylinder = osim.WrapCylinder()
        cylinder.setName(name)
        cylinder.set_radius(radius)
        cylinder.set_length(0.2)
        cylinder.set_quadrant(side)
        cylinder.set_translation(osim.Vec3(0.0, at * thigh, 0.0))
        bodies[body].addWrapObject(cylinder)


def _add_muscle(model: Any, name: str, muscle: HopperMuscle, activation: float) -> None:
    actuator = osim.DeGrooteFregly2016Muscle()
    actuator.setName(name)
    actuator.set_max_isometric_force(muscle.force)
    actuator.set_optimal_fiber_length(muscle.fibre)
    actuator.set_tendon_slack_length(muscle.fibre)
    actuator.set_pennation_angle_at_optimal(muscle.pennation)
    actuator.set_ignore_tendon_compliance(True)
    actuator.set_default_activation(activation)
    for number, (body, x, y) in enumerate(muscle.path, start=1):
        actuator.addNewPathPoint(f"{name}-P{number}", model.getBodySet().get(body), osim.Vec3(x, y, 0.0))
    if muscle.wrap:
        body, wrap = muscle.wrap
        path = osim.GeometryPath.safeDownCast(actuator.updPath())
        path.addPathWrap(model.getBodySet().get(body).getWrapObject(wrap))
    model.addForce(actuator)


def _belly(muscle: HopperMuscle) -> float:
    """Return the length along the tendon [m] of a pennate belly of constant width, fibres ``stretch`` times optimal."""
    height = muscle.fibre * math.sin(muscle.pennation)
    return math.sqrt((muscle.stretch * muscle.fibre) ** 2 - height**2)
