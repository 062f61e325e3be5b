"""Lengths, masses and inertias of the demo's four segments, from published anthropometrics.

Axes of every segment: x forward, y up, z to the right, in the anatomical position. Sources:

* de Leva P (1996), Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters, J Biomech 29:1223-1230, table 4,
  males: lengths at a stature of 1.741 m, masses as fractions of body mass, centres of mass and radii of gyration as
  fractions of segment length. The shank is the variant from knee to ankle joint centre.
* Winter DA (2009), Biomechanics and Motor Control of Human Movement, 4th ed., fig. 4.1: height of the ankle.
* Bell AL, Pedersen DR, Brand RA (1990), J Biomech 23:617-621: hip joint centre at 36 % of the pelvic width from the
  midplane. The pelvic width itself (0.24 m at 1.75 m) and the ankle's place along the foot are estimates of our own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from opensim_inertia.errors import OptionError

# isort: split
import opensim as osim

__all__ = ["ANKLE_FROM_HEEL", "ANKLE_HEIGHT", "HIP_HALF_WIDTH", "SEGMENTS", "STATURE", "Segment", "Sizes", "make_body"]

STATURE = 1.741
"""Mean stature of de Leva's males [m]; segment lengths scale with stature / STATURE."""

ANKLE_HEIGHT = 0.039
"""Height of the ankle joint over the sole, fraction of stature (Winter 2009)."""

HIP_HALF_WIDTH = 0.36 * 0.24 / 1.75
"""Distance of the hip joint from the midplane, fraction of stature (Bell 1990 times our pelvic width)."""

ANKLE_FROM_HEEL = 0.235
"""Distance from the back of the heel forward to the ankle joint, fraction of foot length (our estimate)."""


@dataclass(frozen=True)
class Segment:
    """One row of de Leva's table 4 (males).

    Attributes:
        body: name of the body in the model.
        length: segment length at a stature of ``STATURE`` [m].
        mass: fraction of body mass.
        com: distance of the centre of mass from the segment's first end (omphalion, hip, knee, heel), fraction of
            length.
        gyration: radii of gyration about the centre of mass, axes (x, y, z), fractions of length.
    """

    body: str
    length: float
    mass: float
    com: float
    gyration: tuple[float, float, float]


SEGMENTS = {
    s.body: s
    for s in (
        Segment("pelvis", 0.1457, 0.1117, 0.6115, (0.615, 0.587, 0.551)),  # lower trunk: omphalion to mid-hip
        Segment("femur_r", 0.4222, 0.1416, 0.4095, (0.329, 0.149, 0.329)),  # thigh: hip to knee
        Segment("tibia_r", 0.4403, 0.0433, 0.4395, (0.251, 0.102, 0.246)),  # shank: knee to ankle
        Segment("calcn_r", 0.2581, 0.0137, 0.4415, (0.124, 0.245, 0.257)),  # foot: heel to tip of the longest toe
    )
}


class Sizes:
    """The segments of one body.

    Args:
        height: stature [m].
        mass: body mass [kg].

    Raises:
        OptionError: the height is not in 1 .. 2.5 m or the mass not in 20 .. 250 kg.
    """

    def __init__(self, height: float, mass: float) -> None:
        if not (math.isfinite(height) and 1.0 <= height <= 2.5):
            raise OptionError("height", height, "a stature of 1 to 2.5 m")
        if not (math.isfinite(mass) and 20.0 <= mass <= 250.0):
            raise OptionError("mass", mass, "a body mass of 20 to 250 kg")
        self.height = float(height)
        self.body_mass = float(mass)

    def length(self, body: str) -> float:
        """Return the length of a segment [m]."""
        return SEGMENTS[body].length * self.height / STATURE

    def mass(self, body: str) -> float:
        """Return the mass of a segment [kg]."""
        return SEGMENTS[body].mass * self.body_mass

    def moments(self, body: str) -> tuple[float, float, float]:
        """Return the moments of inertia about the centre of mass, axes (x, y, z) [kg m^2]."""
        length, mass = self.length(body), self.mass(body)
        x, y, z = (mass * (fraction * length) ** 2 for fraction in SEGMENTS[body].gyration)
        return x, y, z

    def ankle_to_sole(self) -> float:
        """Return the height of the ankle joint over the sole [m]."""
        return ANKLE_HEIGHT * self.height

    def heel_to_ankle(self) -> float:
        """Return the distance from the back of the heel forward to the ankle joint [m]."""
        return ANKLE_FROM_HEEL * self.length("calcn_r")

    def hip_offset(self) -> float:
        """Return the distance of the right hip joint from the midplane [m]."""
        return HIP_HALF_WIDTH * self.height

    def com(self, body: str) -> tuple[float, float, float]:
        """Return the centre of mass in the body's frame, (x, y, z) [m].

        Origins: pelvis midway between the hip joints, femur_r at the hip, tibia_r at the knee, calcn_r at the ankle.
        """
        along = SEGMENTS[body].com * self.length(body)
        if body == "pelvis":
            return 0.0, self.length(body) - along, 0.0
        if body == "calcn_r":
            return along - self.heel_to_ankle(), -0.5 * self.ankle_to_sole(), 0.0
        return 0.0, -along, 0.0


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
