"""Answers known on paper: two rods and a muscle, midpoint rules, and the rat knee."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .finite_differences import Array


def two_rod_mass_matrix(mass: float, length: float, reach: float, theta: Sequence[float]) -> Array:
    """dM (2, 2) of a uniform muscle, straight from joint 1 to ``reach`` metres along rod 2; rod 1 is ``length`` long.

    theta2 is the angle of rod 2 relative to rod 1. Uniform strain over the whole path.
    """
    c = np.cos(theta[1])
    off = reach**2 + length * reach * c
    return mass / 3 * np.array([[length**2 + reach**2 + 2 * length * reach * c, off], [off, reach**2]])


def two_rod_bias(mass: float, length: float, reach: float, theta: Sequence[float], u: Sequence[float]) -> Array:
    """h (2,) of the same muscle."""
    a = mass / 3 * length * reach * np.sin(theta[1])
    return np.array([a * (2 * u[0] * u[1] + u[1] ** 2), -a * u[0] ** 2])


def two_rod_gravity(mass: float, length: float, reach: float, theta: Sequence[float], g: float = 9.80665) -> Array:
    """g_m (2,) of the same muscle, rods hanging down at theta = 0: half its mass acts where it inserts."""
    low = reach * np.sin(theta[0] + theta[1])
    return -0.5 * mass * g * np.array([length * np.sin(theta[0]) + low, low])


def joint_inertia(mass: float, reach: float) -> float:
    """A muscle's inertia [kg m^2] about a hinge when only its insertion moves, ``reach`` metres from the hinge's axis.

    Under uniform strain the point at fraction a moves a times as far as the insertion, so it is the integral of a^2:
    mass reach^2 / 3, whatever the pose and wherever the origin is. It is the distance that counts, not the moment arm.
    """
    return mass * reach**2 / 3


def midpoint_error(points: int) -> float:
    """Relative error of :func:`joint_inertia` with equal masses at the midpoints of equal parts: -1 / (4 n^2)."""
    return -1 / (4 * points**2)


def endpoint_error(points: int) -> float:
    """The same with equal masses at equidistant points that include both ends: 1 / (2 (n - 1)), 5.6 % for n = 10."""
    return 1 / (2 * (points - 1))


@dataclass(frozen=True)
class RatKnee:
    """Biceps femoris posterior and shank bones of a rat.

    Pai 2010 ("Muscle mass in musculoskeletal models", J Biomech 43:2093-2098) reports that the muscle's inertia
    about the knee is 45 % of the shank bones'; his text could not be had, so this is a derivation, not his data:

    * ``muscle_mass``: 1655 +- 348 mg, measured; Johnson et al. 2011 (IEEE Trans Biomed Eng 58:3328).
    * ``reach``: 14.9 mm from the knee's axis to the insertion, and ``shank_length``: 37.9 mm from the knee's axis
      to the ankle, both with the knee at 90 degrees in the model of Johnson et al. 2008 (J Biomech 41:610; its
      OpenSim form in the public repository UVA-MAMP-Lab/RatHindlimb, models/osim/rat_hindlimb.osim),
      insertion on the tibia at (3.5, 23.9, 2.6) mm. The insertion is not a point but 11 mm broad, and the distance
      is 14.4 to 17.5 mm over the knee's range, so the ratio is only known to some 30 %.
    * the shank's bones as a uniform rod: an assumption. No source for its mass was found. The ratio of 45 % asks for
      ``bone_mass`` = 0.57 g, which is a derived number.
    """

    muscle_mass: float = 1.655e-3
    reach: float = 14.9e-3
    shank_length: float = 37.9e-3
    bone_mass: float = 0.57e-3

    @property
    def ratio(self) -> float:
        """Muscle's inertia about the knee relative to the bones'."""
        return joint_inertia(self.muscle_mass, self.reach) / (self.bone_mass * self.shank_length**2 / 3)


def reported_with_endpoints(exact: float, points: int) -> float:
    """What a sum over ``points`` masses that include both ends makes of an exact ratio.

    Wang et al. 2022 report 45.8 % with 10 to 20 mass points where Pai has 45 %: 44.6 % and 20 points with both
    ends make 45.8 %, and 44.6 % is 45 % to two digits.
    """
    return exact * (1 + endpoint_error(points))
