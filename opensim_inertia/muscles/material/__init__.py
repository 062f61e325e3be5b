"""Strain models and point masses, which say where along its path a muscle's mass lies."""

from ..._core.choices import BELLIES, DISTRIBUTIONS, STRAINS
from .point_masses import MaterialPoints, PointMasses, equal_points
from .strain import (
    HOLD_WIDTH,
    SHORTEST_FIBRE,
    Belly,
    Distribution,
    MaterialMap,
    Strain,
    StrainModel,
)
from .strands import LARGEST_SHARE, LONGEST, Strands

__all__ = [
    "BELLIES",
    "DISTRIBUTIONS",
    "HOLD_WIDTH",
    "LARGEST_SHARE",
    "LONGEST",
    "SHORTEST_FIBRE",
    "STRAINS",
    "Belly",
    "Distribution",
    "MaterialMap",
    "MaterialPoints",
    "PointMasses",
    "Strain",
    "StrainModel",
    "Strands",
    "equal_points",
]
