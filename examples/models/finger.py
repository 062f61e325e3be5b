"""An index finger: three hinges, and two flexors whose bellies lie in the forearm (Wang et al. 2022, section 4.4).

Sources:

* Bones: Buryanov A, Kotiuk V (2010), Proportions of hand segments, Int J Morphol 28:755-758 (mean lengths of the index
  finger's phalanges). They are cylinders here, with radii of the shafts by our own estimate, of 5 g/cm^3, which stands
  for the rest of the finger too, as in Wang et al.
* Moment arms of the tendons: Ketchum LD et al. (1978), J Hand Surg 3:572-578. Fibre lengths: Brand PW et al. (1981), J
  Hand Surg 6:209-219. The pulleys' distance from the joints is our own estimate.
* Forearm and hand: de Leva P (1996), J Biomech 29:1223-1230, table 4, males.
* Masses of the muscles: Wang et al. 2022, 200 g each: all of the muscle, whose other fingers are fixed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from .parts import add_damper

# isort: split
import opensim as osim

__all__ = [
    "BONES",
    "BONE_DENSITY",
    "COORDINATES",
    "FOREARM",
    "MUSCLE_MASS",
    "PALM",
    "RELAXED",
    "TENDONS",
    "Bone",
    "Tendon",
    "build_finger",
]

BONE_DENSITY = 5000.0
"""Density of the phalanges [kg/m^3] (Wang et al. 2022)."""

MUSCLE_MASS = 0.2
"""Mass of each muscle [kg] (Wang et al. 2022)."""

FOREARM, PALM = 0.2689, 0.0862
"""Elbow to wrist, and wrist to the knuckle [m] (de Leva 1996)."""

FOREARM_MASS = 1.183
"""Mass of the forearm [kg]: 1.62 % of 73 kg (de Leva 1996). It is fixed; it is there as the donor segment."""


@dataclass(frozen=True)
class Bone:
    """One phalanx, a cylinder along x of its body's frame, whose origin is the joint at the phalanx's near end.

    Attributes:
        body: name of the body.
        joint: name of the coordinate of that joint.
        length: [m].
        radius: [m].
    """

    body: str
    joint: str
    length: float
    radius: float

    def mass(self) -> float:
        """Mass [kg]."""
        return BONE_DENSITY * math.pi * self.radius**2 * self.length

    def moments(self) -> tuple[float, float, float]:
        """Return the moments of inertia about the centre of mass, axes (x, y, z) [kg m^2]."""
        across = self.mass() * (3 * self.radius**2 + self.length**2) / 12
        return 0.5 * self.mass() * self.radius**2, across, across


BONES = (
    Bone("proximal_phalanx", "mcp_flexion", 0.0398, 0.0040),
    Bone("middle_phalanx", "pip_flexion", 0.0224, 0.0030),
    Bone("distal_phalanx", "dip_flexion", 0.0158, 0.0020),
)
"""From the knuckle to the tip."""

COORDINATES = tuple(bone.joint for bone in BONES)
"""The coordinates [rad], positive in flexion."""

RELAXED = (math.radians(30), math.radians(30), math.radians(15))
"""The default pose: a hand at rest."""


@dataclass(frozen=True)
class Tendon:
    """One flexor.

    Attributes:
        muscle: name of the muscle.
        arms: moment arms at the straight joints, from the knuckle on [m].
        fibre: optimal fibre length [m].
    """

    muscle: str
    arms: tuple[float, ...]
    fibre: float


TENDONS = (
    Tendon("FDP", (0.0101, 0.0098, 0.0065), 0.066),  # flexor digitorum profundus, to the distal phalanx
    Tendon("FDS", (0.0121, 0.0083), 0.072),  # flexor digitorum superficialis, to the middle phalanx
)

PULLEYS = (0.015, 0.012, 0.008)
"""Distance of the tendon's guides from each joint, along both bones [m]."""

MAX_FORCE = {"FDP": 68.0, "FDS": 61.0}  # [N]; the muscles are relaxed, the number plays no role


def build_finger(damping: float = 0.0) -> Any:
    """Build an index finger on a forearm that is fixed to ground, relaxed: its two muscles have mass, but no force.

    x goes from the elbow to the fingertip, y to the back of the hand; flexion is positive and turns the tip to -y. The
    knuckle is at ground's origin. The hand lies on its side: gravity is along the hinges. There are no limits or
    springs.

    Args:
        damping: of every hinge [N m s/rad].

    Returns:
        A new ``osim.Model`` with its connections finalized; call ``initSystem`` on it.
    """
    model = osim.Model()
    model.setName("opensim_inertia_finger")
    model.setGravity(osim.Vec3(0.0, 0.0, -9.80665))
    forearm = osim.Body("forearm", FOREARM_MASS, osim.Vec3(0), osim.Inertia(0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    model.addBody(forearm)
    model.addJoint(osim.WeldJoint("elbow", model.getGround(), forearm))

    bodies = [forearm]
    at, turned = osim.Vec3(0), osim.Vec3(math.pi, 0, 0)  # so that the hinges' axis is -z
    for bone, rest in zip(BONES, RELAXED, strict=True):
        centre = osim.Vec3(bone.length / 2, 0, 0)
        body = osim.Body(bone.body, bone.mass(), centre, osim.Inertia(*bone.moments(), 0.0, 0.0, 0.0))
        joint = osim.PinJoint(bone.joint.split("_")[0], bodies[-1], at, turned, body, osim.Vec3(0), turned)
        coordinate = joint.updCoordinate()
        coordinate.setName(bone.joint)
        coordinate.setRangeMin(math.radians(-30))
        coordinate.setRangeMax(math.radians(90))
        coordinate.setDefaultValue(rest)
        model.addBody(body)
        model.addJoint(joint)
        bodies.append(body)
        at = osim.Vec3(bone.length, 0, 0)
    for tendon in TENDONS:
        model.addForce(_flexor(tendon, bodies))
    for name in COORDINATES if damping else ():
        add_damper(model, name, damping)
    model.finalizeConnections()
    return model


def _flexor(tendon: Tendon, bodies: list[Any]) -> Any:
    """Build a muscle without force, from the elbow over a pulley on each side of every joint to its last bone."""
    near = [0.0, *(bone.length for bone in BONES)]  # of a joint along the bone before it
    path = [(bodies[0], -FOREARM - PALM, -tendon.arms[0])]
    for i, arm in enumerate(tendon.arms):
        path += [(bodies[i], near[i] - PULLEYS[i], -arm), (bodies[i + 1], PULLEYS[i], -arm)]
    straight = (
        FOREARM + PALM + sum(bone.length for bone in BONES[: len(tendon.arms) - 1]) + PULLEYS[len(tendon.arms) - 1]
    )
    muscle = osim.Millard2012EquilibriumMuscle(
        tendon.muscle, MAX_FORCE[tendon.muscle], tendon.fibre, straight - tendon.fibre, 0.0
    )
    muscle.set_appliesForce(False)
    muscle.set_ignore_activation_dynamics(True)
    muscle.set_ignore_tendon_compliance(True)
    for number, (body, x, y) in enumerate(path, start=1):
        muscle.addNewPathPoint(f"{tendon.muscle}-P{number}", body, osim.Vec3(x, y, 0.0))
    return muscle
