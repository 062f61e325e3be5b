"""The smooth criteria of recruitment, term by term, as functions of an activation's size (Damsgaard et al. 2006).

An activation that is no muscle's has no saturation: under soft saturation it counts as |a|^p / p, which is what the
criterion is where activations are small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...options.recruitment import Polynomial, SoftSaturation

__all__ = ["SmoothTerms"]


@dataclass(frozen=True)
class SmoothTerms:
    """Sum of |a|^p, or of -(1 - |a|^p)^(1/p).

    Attributes:
        power: p.
        saturating: (n,), the terms that are of the second kind; the others have a ``weight`` (n,).
        weight: (n,).
    """

    power: float
    saturating: NDArray[np.bool_]
    weight: Array

    @classmethod
    def of(cls, criterion: Polynomial | SoftSaturation, counted: NDArray[np.bool_]) -> SmoothTerms:
        """Return the terms of a criterion; (n,) says which activations are muscles'."""
        power = criterion.power
        if isinstance(criterion, Polynomial):
            return cls(power, np.zeros_like(counted), np.ones(len(counted)))
        return cls(power, counted, np.where(counted, 1.0, 1.0 / power))

    def without(self, left_out: NDArray[np.bool_]) -> SmoothTerms:
        """Return the criterion without the terms of some activations."""
        return SmoothTerms(self.power, self.saturating & ~left_out, np.where(left_out, 0.0, self.weight))

    @property
    def counts(self) -> NDArray[np.bool_]:
        """Whether there is a term of an activation, (n,)."""
        return self.saturating | (self.weight > 0)

    def with_power(self, power: float) -> SmoothTerms:
        """Return the criterion of another power."""
        return SmoothTerms(power, self.saturating, self.weight)

    def value(self, a: Array) -> float:
        """Return the criterion; a saturating activation above one counts as one."""
        powers = np.abs(a) ** self.power
        saturated = -(np.maximum(0.0, 1.0 - powers) ** (1.0 / self.power))
        return float(np.where(self.saturating, saturated, self.weight * powers).sum())

    def gradient(self, a: Array) -> Array:
        """Return its derivatives (n,), at saturating activations below one."""
        p, size = self.power, np.abs(a)
        remainder = np.where(self.saturating, 1.0 - size**p, 1.0)
        steepness = np.where(self.saturating, remainder ** (1.0 / p - 1.0), p * self.weight)
        return np.asarray(np.sign(a) * size ** (p - 1.0) * steepness)

    def curvature(self, a: Array) -> Array:
        """Return its second derivatives (n,), at saturating activations below one; for p below two, above zero."""
        p, size = self.power, np.abs(a)
        remainder = np.where(self.saturating, 1.0 - size**p, 1.0)
        steepness = np.where(self.saturating, remainder ** (1.0 / p - 2.0), p * self.weight)
        return np.asarray((p - 1.0) * size ** (p - 2.0) * steepness)
