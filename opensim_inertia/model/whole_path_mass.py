"""Models whose muscles are belly from end to end, by which places along whole paths are found."""

from __future__ import annotations

from ..options.modelling import StrainModel
from .model import InertialModel


def with_mass_along_whole_path(inertial: InertialModel, points: int = 2) -> InertialModel:
    """Return a model with the same paths in which each muscle's mass lies evenly along all of its path.

    Its material point xi is at the share xi of the path, and its mass points in the middles of ``points`` equal parts.
    """
    return inertial.rebuilt(
        masses=inertial.mass_table,
        plan=inertial.wraps,
        strain=StrainModel("uniform", belly=(0.0, 1.0)),
        distribution="continuous",
        points=points,
    )
