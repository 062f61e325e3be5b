"""Point masses: explicit ones that a user gives, and equal ones that stand for a belly."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import MassError


@dataclass(frozen=True)
class PointMasses:
    """Explicit point masses on a muscle: the lowest level.

    Under ``strain="uniform"`` a fraction is a share of the whole path's length; under the other strain models it is a
    share of the belly between the tendons (with aponeuroses it is both chi and xi).

    Raises:
        MassError: lengths differ, a fraction is outside [0, 1], or a mass is negative or not finite.
    """

    fractions: Array  # positions in [0, 1], shape (n,), in any order
    masses: Array  # masses [kg], non-negative, shape (n,)

    def __post_init__(self) -> None:
        """Check the numbers, and keep them sorted by fraction in read-only arrays."""
        try:
            fractions = np.array(self.fractions, dtype=float).reshape(-1)
            masses = np.array(self.masses, dtype=float).reshape(-1)
        except (TypeError, ValueError) as error:
            raise MassError(f"PointMasses: fractions and masses must be numbers ({error})") from None
        if fractions.size != masses.size or fractions.size == 0:
            raise MassError(
                f"PointMasses: {fractions.size} fractions and {masses.size} masses; "
                "as many of each, at least one, are needed"
            )
        if not np.all((fractions >= 0) & (fractions <= 1)):
            raise MassError(f"PointMasses: fractions must lie in [0, 1], got {fractions}")
        if not np.all(np.isfinite(masses) & (masses >= 0)):
            raise MassError(f"PointMasses: masses must be finite and not negative, got {masses}")
        order = np.argsort(fractions, kind="stable")
        for name, values in (("fractions", fractions[order]), ("masses", masses[order])):
            values.setflags(write=False)
            object.__setattr__(self, name, values)

    @property
    def total(self) -> float:
        """Sum of the masses [kg]."""
        return float(self.masses.sum())


@dataclass(frozen=True)
class MaterialPoints:
    """Point masses at material points of a muscle."""

    chi: Array  # shares of the aponeurosis at which their fibres start, (n,)
    xi: Array  # shares of the fibres at which they lie, (n,)
    masses: Array  # [kg], (n,)

    @property
    def pairs(self) -> list[tuple[float, float]]:
        """Chi and xi of each point."""
        return list(zip(self.chi.tolist(), self.xi.tolist(), strict=True))

    @classmethod
    def explicit(cls, points: PointMasses) -> MaterialPoints:
        """Return the material points of explicit point masses."""
        return cls(points.fractions, points.fractions, points.masses)


#: Number of ways of spreading points over aponeurosis and fibres that are compared.
WAYS = 16


def equal_points(mass: float, n: int, over_aponeurosis: bool = False) -> MaterialPoints:
    """Return n equal masses that stand for a belly; the centre of mass on a straight muscle is exact.

    Without aponeurosis they are the middles of n parts; with one a symmetric lattice over it and fibres, as little
    correlated as a step near the golden section makes it.
    """
    middles = (np.arange(n) + 0.5) / n
    masses = np.full(n, mass / n)
    if not over_aponeurosis:
        return MaterialPoints(middles, middles, masses)
    return MaterialPoints(middles, middles[_least_correlated(n)], masses)


def _least_correlated(n: int) -> NDArray[np.intp]:
    """Return the permutation of n numbers, a lattice symmetric about the middle, least correlated with their order."""
    golden = 0.5 * (math.sqrt(5.0) - 1.0) * n
    steps = [k for k in range(1, n + 1) if math.gcd(k, n) == 1 and (k % 2 == 1 or n % 2 == 1)]
    best_order, least_correlation = np.arange(n), math.inf
    for k in sorted(steps, key=lambda k: abs(k - golden))[:WAYS]:
        # the first one, so that the last is its mirror: 2 c = k - 1 modulo n
        offset = (k - 1) // 2 if k % 2 == 1 else (k - 1 + n) // 2
        order = (k * np.arange(n) + offset) % n
        correlation = abs(float(np.dot(np.arange(n) - 0.5 * (n - 1), order - 0.5 * (n - 1))))
        if correlation < least_correlation * (1 - 1e-9):
            best_order, least_correlation = order, correlation
    return best_order
