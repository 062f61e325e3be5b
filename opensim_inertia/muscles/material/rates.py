"""How fast a muscle's mass moves along its path when the path's length changes."""

from __future__ import annotations

from typing import NamedTuple

from .point_masses import PointMasses
from .strain import MaterialMap

__all__ = ["LengthRates"]


class LengthRates(NamedTuple):
    """The speed of a muscle's mass along its path, seen from the origin, per unit of the length's rate.

    The mass at (chi, xi) moves with s' = f (1 - phi) + chi e (1 - phi) + xi phi times the rate of the length, see
    docs/theory/strain-models.md. Fibres that are held at their shortest length are not considered.

    Attributes:
        mean, variance: of s' over the mass.
    """

    mean: float
    variance: float

    @property
    def kappa(self) -> float:
        """The mean of s'^2: kinetic energy of length rates alone is mass kappa rate^2 / 2."""
        return self.mean**2 + self.variance

    @classmethod
    def of(cls, material: MaterialMap, points: PointMasses | None) -> LengthRates:
        """Return those of a muscle: of its mass points, or, if it has none, of mass spread evenly over chi and xi."""
        start = material.proximal * (1 - material.phi)
        along, fibre = material.aponeurosis * (1 - material.phi), material.phi
        if points is None:
            return cls(start + (along + fibre) / 2, (along**2 + fibre**2) / 12)
        weights, fractions = points.masses / points.total, points.fractions
        middle = float(weights @ fractions)
        variance = float(weights @ (fractions - middle) ** 2)
        return cls(start + middle * (along + fibre), variance * (along + fibre) ** 2)
