"""Strain models and point masses, which say where along its path a muscle's mass lies."""

from ..._core.choices import BELLIES, DISTRIBUTIONS, STRAINS
from .mode import ModeShape
from .point_masses import MaterialPoints, PointMasses, equal_points
from .strain import (
    HOLD_WIDTH,
    SHORTEST_FIBRE,
    Distribution,
    LengthRates,
    MaterialMap,
    Strain,
    material_map,
    with_bellies_at,
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
    "Distribution",
    "LengthRates",
    "MaterialMap",
    "MaterialPoints",
    "ModeShape",
    "PointMasses",
    "Strain",
    "Strands",
    "equal_points",
    "material_map",
    "with_bellies_at",
]
