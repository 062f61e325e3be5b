"""A right arm that reaches: shoulder of three axes, elbow, and seven muscles over sphere and cylinders.

Made for optimisation with constant joint moments, as Wang et al. 2022, section 4.7, reach with three heads of the
deltoid and three of the triceps, and for muscle-driven tasks. Sources:

* Segments: de Leva P (1996), J Biomech 29:1223-1230, table 4, males of 1.741 m and 73 kg. Forearm and hand are one.
* Muscles' forces, optimal fibre lengths, pennation: Holzbaur KRS, Murray WM, Delp SL (2005), A model of the upper
  extremity, Ann Biomed Eng 33:829-840; both heads of the biceps are one.
* Masses: rounded after MRI of young adults, among whom the deltoid has 15 % of 1.4 to 4.4 dm^3 of muscle (Holzbaur KRS
  et al. 2007, J Biomech 40:742-749); how heads share them is our own estimate.
* Attachments and wrap objects: estimates of our own, guided by general anatomy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from opensim_inertia.errors import OptionError

from .parts import add_damper, set_slack_lengths

# isort: split
import opensim as osim

__all__ = [
    "COORDINATES",
    "MOMENTS",
    "MUSCLES",
    "REACH_TIME",
    "SEGMENTS",
    "START",
    "TARGET",
    "ArmMuscle",
    "ArmSegment",
    "arm_masses",
    "reaching_arm",
    "reaching_motion",
]


@dataclass(frozen=True)
class ArmSegment:
    """A part of the arm along -y of its frame, whose origin is the joint at its near end.

    Attributes:
        mass: [kg].
        length: [m].
        com: distance of the centre of mass from that joint, fraction of length.
        gyration: radii of gyration about the centre of mass, axes (x, y, z), fractions of length.
    """

    mass: float
    length: float
    com: float
    gyration: tuple[float, float, float]

    def moments(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return the moments of inertia about the centre of mass, (3,) [kg m^2]."""
        return self.mass * (np.array(self.gyration) * self.length) ** 2


SEGMENTS = {
    "upper_arm": ArmSegment(1.978, 0.2817, 0.5772, (0.285, 0.158, 0.269)),
    "forearm": ArmSegment(1.183, 0.2689, 0.4574, (0.276, 0.121, 0.265)),
    "hand": ArmSegment(0.445, 0.0862, 0.7900, (0.628, 0.401, 0.513)),
}
"""From the shoulder on; before the muscles' masses are taken out. The hand is part of the body ``forearm``."""

_SHOULDER = {
    # range [deg] and axis, in the order in which they turn
    "shoulder_flexion": (-30, 110, (0.0, 0.0, 1.0)),
    "shoulder_adduction": (-70, 10, (1.0, 0.0, 0.0)),
    "shoulder_rotation": (-40, 60, (0.0, 1.0, 0.0)),
}
_ELBOW = {"elbow_flexion": (0, 140, (0.0, 0.0, 1.0))}

COORDINATES = (*_SHOULDER, *_ELBOW)
"""The coordinates [rad], positive in flexion, adduction and internal rotation."""

START = tuple(math.radians(angle) for angle in (0.0, -5.0, 0.0, 20.0))
"""The default pose [rad]: the arm hangs, the elbow slightly bent."""

TARGET = tuple(math.radians(angle) for angle in (75.0, -5.0, 15.0, 30.0))
"""Where :func:`reaching_motion` ends [rad]: the hand is in front of the shoulder."""

MOMENTS = (10.265, -0.779, -0.0714, 4.375)
"""Constant moments [N m] that bring the arm, whose muscles do not pull, from ``START`` to ``TARGET`` (within 1 deg)."""

REACH_TIME = 0.4
"""When it is there [s]. Lumped, it is off by 22 deg of shoulder rotation."""

_ELBOW_BEND = math.radians(65.0)  # by which the elbow bends besides, in the middle of the reach

HUMERAL_HEAD = 0.030
"""Radius of the sphere under the deltoid [m], centred in the shoulder, fixed to the upper arm."""

ELBOW_BACK, ELBOW_FRONT = 0.016, 0.018
"""Radii of the cylinders at the elbow under triceps and biceps [m], along its axis, fixed to the upper arm."""


@dataclass(frozen=True)
class ArmMuscle:
    """One muscle.

    Attributes:
        mass: [kg].
        force: maximum isometric force [N].
        fibre: optimal fibre length [m].
        pennation: at optimal fibre length [rad].
        stretch: fibre length in the default pose over optimal fibre length (chosen).
        path: (body, location) from origin to insertion [m]; ground's origin is the shoulder.
        wrap: name of the wrap object.
    """

    mass: float
    force: float
    fibre: float
    pennation: float
    stretch: float
    path: tuple[tuple[str, tuple[float, float, float]], ...]
    wrap: str


def _deltoid(mass: float, force: float, fibre: float, degrees: float, stretch: float, origin: Any) -> ArmMuscle:
    path = (("ground", origin), ("upper_arm", (0.004, -0.130, 0.013)))
    return ArmMuscle(mass, force, fibre, math.radians(degrees), stretch, path, "humeral_head")


def _triceps(mass: float, force: float, fibre: float, degrees: float, side: float, *origin: Any) -> ArmMuscle:
    """Return a head of triceps whose points are at ``side`` [m] along the elbow's axis.

    They have one side, as OpenSim leads a path badly that drifts along a cylinder it barely touches.
    """
    path = (*origin, ("forearm", (-0.022, 0.010, side)))
    return ArmMuscle(mass, force, fibre, math.radians(degrees), 0.85, path, "elbow_back")


MUSCLES = {
    "DELT1": _deltoid(0.10, 1142.6, 0.0976, 22, 1.15, (0.036, 0.028, 0.020)),  # clavicle
    "DELT2": _deltoid(0.15, 1142.6, 0.1078, 15, 1.15, (0.000, 0.036, 0.026)),  # acromion
    "DELT3": _deltoid(0.10, 259.9, 0.1367, 18, 0.85, (-0.040, 0.030, 0.024)),  # spine of the scapula
    "TRIlong": _triceps(
        0.14,
        798.5,
        0.1340,
        12,
        0.0,
        ("ground", (-0.024, -0.030, -0.010)),
        ("upper_arm", (-0.018, -0.130, 0.000)),
    ),
    "TRIlat": _triceps(0.12, 624.3, 0.1138, 9, 0.006, ("upper_arm", (-0.012, -0.070, 0.006))),
    "TRImed": _triceps(0.09, 624.3, 0.1138, 9, -0.006, ("upper_arm", (-0.012, -0.125, -0.006))),
    "BIC": ArmMuscle(
        0.20,
        1059.9,
        0.1157,
        0.0,
        1.20,
        (
            ("ground", (0.036, 0.000, -0.014)),
            ("upper_arm", (0.026, -0.170, 0.000)),
            ("forearm", (0.012, -0.045, 0.000)),
        ),
        "elbow_front",
    ),
}
"""Three heads of the deltoid, three of the triceps, the biceps."""


def reaching_arm(acting: bool = True, damping: float = 0.0) -> Any:
    """Build a right arm on a fixed trunk; x forward, y up, z to the right, ground's origin in the shoulder.

    The shoulder turns by flexion, then adduction, then rotation, all zero where the arm hangs; it is singular only at
    90 deg of ab- or adduction. There are no limits or springs. Tendons are rigid, so that muscles have activations as
    their only states. Marker ``hand`` lies at the knuckles.

    Args:
        acting: whether muscles pull; if not, they carry mass only, and have no states.
        damping: of every coordinate [N m s/rad].

    Returns:
        A new ``osim.Model`` with its connections finalized; call ``initSystem`` on it. :func:`arm_masses` has the
        muscles' masses.
    """
    model = osim.Model()
    model.setName("opensim_inertia_reaching_arm")
    model.setGravity(osim.Vec3(0.0, -9.80665, 0.0))
    upper_arm, forearm = _upper_arm(), _forearm()
    model.addBody(upper_arm)
    model.addBody(forearm)

    zero, at = osim.Vec3(0.0), osim.Vec3(0.0, -SEGMENTS["upper_arm"].length, 0.0)
    model.addJoint(
        osim.CustomJoint("shoulder", model.getGround(), zero, zero, upper_arm, zero, zero, _shoulder_transform())
    )
    elbow = osim.PinJoint("elbow", upper_arm, at, zero, forearm, zero, zero)
    elbow.updCoordinate().setName("elbow_flexion")
    model.addJoint(elbow)
    model.finalizeConnections()
    for (name, (low, high, _)), default in zip((_SHOULDER | _ELBOW).items(), START, strict=True):
        coordinate = model.updCoordinateSet().get(name)
        coordinate.setRangeMin(math.radians(low))
        coordinate.setRangeMax(math.radians(high))
        coordinate.setDefaultValue(default)

    knuckles = -SEGMENTS["forearm"].length - SEGMENTS["hand"].length
    marker = osim.Marker("hand", forearm, osim.Vec3(0.0, knuckles, 0.0))
    model.addMarker(marker)
    _add_wraps(upper_arm)
    for name, muscle in MUSCLES.items():
        _add_muscle(model, name, muscle, acting)
    set_slack_lengths(model, {name: m.stretch * m.fibre * math.cos(m.pennation) for name, m in MUSCLES.items()})
    for name in COORDINATES if damping else ():
        add_damper(model, name, damping)
    model.finalizeConnections()
    return model


def arm_masses() -> pd.DataFrame:
    """Return the muscles' masses [kg], as :class:`~opensim_inertia.InertialModel` takes them.

    The upper arm is the donor segment of all.
    """
    rows = [(name, muscle.mass, "upper_arm", "rounded, after Holzbaur 2007") for name, muscle in MUSCLES.items()]
    return pd.DataFrame(rows, columns=["muscle", "mass", "segment", "source"])


def reaching_motion(duration: float = 0.8, rate: float = 100.0) -> pd.DataFrame:
    """Return a reach from ``START`` to ``TARGET`` along minimum-jerk curves; the elbow bends and straightens again.

    On it the posterior deltoid touches the humeral head and the middle one lifts off; at the elbow the triceps touches
    and lifts off.

    Args:
        duration: [s].
        rate: samples per second [Hz].

    Returns:
        One column per coordinate [rad], index ``time`` [s] from 0 to ``duration``, ``attrs["inDegrees"]`` False.

    Raises:
        OptionError: the duration or the rate is not positive.
    """
    for option, value in (("duration", duration), ("rate", rate)):
        if not 0 < value < math.inf:
            raise OptionError(option, value, "a positive number")
    share = np.linspace(0.0, 1.0, max(round(duration * rate), 1) + 1)[:, None]
    way = share**3 * (10 - 15 * share + 6 * share**2)
    angles = np.array(START) + way * (np.array(TARGET) - np.array(START))
    angles[:, 3:] += _ELBOW_BEND * 64 * (share * (1 - share)) ** 3
    table = pd.DataFrame(angles, index=pd.Index(share[:, 0] * duration, name="time"), columns=list(COORDINATES))
    table.attrs["inDegrees"] = False
    return table


def _upper_arm() -> Any:
    segment = SEGMENTS["upper_arm"]
    x, y, z = segment.moments().tolist()
    centre = osim.Vec3(0.0, -segment.com * segment.length, 0.0)
    return osim.Body("upper_arm", segment.mass, centre, osim.Inertia(x, y, z, 0.0, 0.0, 0.0))


def _forearm() -> Any:
    """Build forearm and hand as one body, by the parallel axis theorem."""
    parts = (SEGMENTS["forearm"], SEGMENTS["hand"])
    mass = sum(part.mass for part in parts)
    centres = [near + part.com * part.length for part, near in zip(parts, (0.0, parts[0].length), strict=True)]
    centre = sum(part.mass * y for part, y in zip(parts, centres, strict=True)) / mass
    moments = np.zeros(3)
    for part, y in zip(parts, centres, strict=True):
        moments += part.moments() + part.mass * (y - centre) ** 2 * np.array([1.0, 0.0, 1.0])
    x, y, z = moments.tolist()
    return osim.Body("forearm", mass, osim.Vec3(0.0, -centre, 0.0), osim.Inertia(x, y, z, 0.0, 0.0, 0.0))


def _shoulder_transform() -> Any:
    """Return three rotations, each a coordinate, and no translation."""
    transform = osim.SpatialTransform()
    for index, (coordinate, (_, _, direction)) in enumerate(_SHOULDER.items()):
        axis = transform.updTransformAxis(index)
        axis.setAxis(osim.Vec3(*direction))
        names = osim.ArrayStr()
        names.append(coordinate)
        axis.setCoordinateNames(names)
        axis.set_function(osim.LinearFunction(1.0, 0.0))  # a copy; setFunction would keep the temporary
    for index, direction in enumerate(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), start=3):
        axis = transform.updTransformAxis(index)
        axis.setAxis(osim.Vec3(*direction))
        axis.set_function(osim.Constant(0.0))
    return transform


def _add_wraps(upper_arm: Any) -> None:
    """Add the sphere under the deltoid and the cylinders at the elbow."""
    sphere = osim.WrapSphere()
    sphere.setName("humeral_head")
    sphere.set_radius(HUMERAL_HEAD)
    upper_arm.addWrapObject(sphere)
    for name, radius, side in (("elbow_back", ELBOW_BACK, "-x"), ("elbow_front", ELBOW_FRONT, "+x")):
        cylinder = osim.WrapCylinder()
        cylinder.setName(name)
        cylinder.set_radius(radius)
        cylinder.set_length(0.1)
        cylinder.set_quadrant(side)
        cylinder.set_translation(osim.Vec3(0.0, -SEGMENTS["upper_arm"].length, 0.0))
        upper_arm.addWrapObject(cylinder)


def _add_muscle(model: Any, name: str, muscle: ArmMuscle, acting: bool) -> None:
    actuator = osim.Millard2012EquilibriumMuscle(name, muscle.force, muscle.fibre, muscle.fibre, muscle.pennation)
    actuator.set_ignore_tendon_compliance(True)
    actuator.set_appliesForce(acting)
    actuator.set_ignore_activation_dynamics(not acting)
    actuator.setDefaultActivation(0.05)
    for number, (body, location) in enumerate(muscle.path, start=1):
        frame = model.getGround() if body == "ground" else model.getBodySet().get(body)
        actuator.addNewPathPoint(f"{name}-P{number}", frame, osim.Vec3(*location))
    wrap = model.getBodySet().get("upper_arm").getWrapObject(muscle.wrap)
    osim.GeometryPath.safeDownCast(actuator.updPath()).addPathWrap(wrap)
    model.addForce(actuator)
