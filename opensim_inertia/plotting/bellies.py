"""The data of pictures of muscle mass, and the mass per length of a belly.

Fibres of length F start evenly along an aponeurosis of length P, and their mass lies evenly along them. Mass per length
along the path is therefore a trapezoid from the belly's start ``A`` to its end ``A + P + F``: it rises over the shorter
of P and F, is ``m / max(P, F)`` where it is constant, and falls over the shorter again. Without aponeurosis it is a
bar. Divided by the density of muscle it is the area of the belly's cross-section.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .._core.arrays import Array
from .style import PALETTE

__all__ = ["DrawnDonor", "DrawnMuscle", "MassPicture", "donor_colors", "linear_density"]


def linear_density(mass: float, start: float, aponeurosis: float, fibre: float) -> tuple[Array, Array]:
    """Return the corners of a belly's mass per length.

    Args:
        mass: of the belly [kg].
        start: of the belly along the path [m].
        aponeurosis, fibre: lengths along the path [m], at least one of them above zero.

    Returns:
        arc lengths [m] and mass per length there [kg/m], (4,) each. Between them it is linear, outside of them zero.
    """
    shorter, longer = sorted((aponeurosis, fibre))
    ends = np.array([0.0, shorter, longer, longer + shorter])
    return start + ends, mass / longer * np.array([0.0, 1.0, 1.0, 0.0] if shorter > 0 else [1.0, 1.0, 1.0, 1.0])


@dataclass(frozen=True)
class DrawnMuscle:
    """A muscle at one pose; arc lengths [m] are from its origin.

    Attributes:
        name: to be shown.
        donor: segment that most of its mass is subtracted from.
        mass: [kg].
        course: points of its path at even arc lengths from origin to insertion in ground [m], (n, 3).
        length: of its path [m].
        start: where its belly starts [m]; ``aponeurosis`` and ``fibre``: their lengths along the path [m].
        has_belly: whether the mass belongs to fibres; False where the user gave point masses.
        point_masses: masses [kg] of the points that it is in, (n,); empty where mass is continuous.
        point_places: their arc lengths [m], (n,).
        path_points: arc lengths of its path points [m], ends included.
        crossings: the joints that the path crosses, and the arc lengths [m] at which it is nearest to their centres.
    """

    name: str
    donor: str
    mass: float
    course: Array
    length: float
    start: float
    aponeurosis: float
    fibre: float
    has_belly: bool
    point_masses: Array
    point_places: Array
    path_points: Array
    crossings: tuple[tuple[str, float], ...]

    @property
    def end(self) -> float:
        """The arc length at which the belly ends [m]."""
        return self.start + self.aponeurosis + self.fibre

    @property
    def middle(self) -> Array:
        """The middle of the belly in ground [m], (3,)."""
        return self.at(np.array([0.5 * (self.start + self.end)]))[0]

    def area(self, density: float) -> tuple[Array, Array]:
        """Return arc lengths [m] and areas [m^2] at corners of the cross-section, for a density [kg/m^3]."""
        if not self.has_belly:
            return np.empty(0), np.empty(0)
        s, along = linear_density(self.mass, self.start, self.aponeurosis, self.fibre)
        return s, along / density

    def at(self, s: Array) -> Array:
        """Return places in ground [m], (n, 3), at arc lengths (n,)."""
        even = np.linspace(0.0, self.length, len(self.course))
        return np.stack([np.interp(s, even, self.course[:, axis]) for axis in range(3)], axis=-1)


@dataclass(frozen=True)
class DrawnDonor:
    """A donor segment.

    Attributes:
        mass: published mass [kg], muscles included; 0 for ground.
        muscles: mass [kg] of muscles that is subtracted from it.
        hidden: number of its muscles that are not drawn.
    """

    mass: float
    muscles: float
    hidden: int


@dataclass(frozen=True)
class MassPicture:
    """All that a picture of a model's muscle mass shows.

    Attributes:
        model: its name.
        muscles: from proximal to distal; those of a donor together.
        donors: by name, in the order of ``muscles``.
        bones: line segments of each body in ground [m], (n, 2, 3).
        views: directions in ground as unit vectors (right, up) on paper of the side view and of the front view,
            (2, 2, 3).
        density: of muscle [kg/m^3], by which mass per length becomes area.
        caption: what is assumed.
    """

    model: str
    muscles: Sequence[DrawnMuscle]
    donors: Mapping[str, DrawnDonor]
    bones: Mapping[str, Array]
    views: Array
    density: float
    caption: str


def donor_colors(picture: MassPicture) -> dict[str, str]:
    """Return the colour of each donor segment."""
    return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(picture.donors)}
