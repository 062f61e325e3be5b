"""Measures that all comparisons of paths share: places of mass points, their distances, and sides of surfaces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ...opensim_model.reading import StateKinematics
from ..kernel.evaluation import Evaluation
from ..wrapping import Surface

#: A path that is longer than the straight lines between its points by more than this [m] touches a surface.
BENT = 1e-10


@dataclass(frozen=True)
class Difference:
    """The difference of two paths; NaN where one of them is missing.

    Attributes:
        length: difference of their lengths, signed [m].
        points: largest distance of their mass points [m].
    """

    length: float
    points: float

    @property
    def size(self) -> float:
        """The larger of both, in size [m]."""
        return float(np.maximum(abs(self.length), self.points))


def places_on_path(evaluation: Evaluation, kinematics: StateKinematics, muscle: int, shares: Array) -> Array:
    """Return the places (n, 3) [m] in ground at shares (n,) of the length of a muscle's path.

    Args:
        evaluation: of muscles whose mass lies evenly along their whole paths.
        kinematics: the pose, with OpenSim's path where it leads the muscle.
        muscle: its number.
        shares: from 0 at the origin to 1 at the insertion.

    Raises:
        ModelError: there is no path.
    """
    pairs = [(share, share) for share in shares.tolist()]
    return evaluation.material_points(kinematics, muscle, pairs, False)[0]


def largest_distance(one: Array, other: Array) -> float:
    """Return the largest distance [m] of places (n, 3) from those of the same rows."""
    return float(np.linalg.norm(one - other, axis=1).max())


def on_opposite_sides(surface: Surface, one: Array, other: Array) -> bool:
    """Return whether two places (3,), in a surface's frame, lie on opposite sides of its axis or centre."""
    return bool(surface.outward(one) @ surface.outward(other) < 0)
