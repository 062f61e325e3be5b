"""The sideways mode of a belly: how far each material point goes, and the integrals of that over its mass.

Material goes to ``x = X + phi d``, ``phi = sin(n pi c)`` with ``c = w chi + (1 - w) xi``, how far along the belly a
point lies at the reference pose, where an aponeurosis takes the share w of it. (docs/theory/wobble.md)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["ModeShape"]


@dataclass(frozen=True)
class ModeShape:
    """The sideways mode of a belly whose mass lies evenly over chi and xi."""

    aponeurosis: float  # w, the share of the belly that an aponeurosis takes at the reference pose, 0 to 1

    @property
    def modal_mass(self) -> float:
        """The mean of phi^2 over the mass: 1/2 without aponeuroses."""
        w = self.aponeurosis
        return 0.5 * (1.0 + _sinc(w) * _sinc(1.0 - w))

    @property
    def moment(self) -> float:
        """The mean of phi over the mass: 2 / pi without aponeuroses."""
        w = self.aponeurosis
        return _sinc(0.5 * w) * _sinc(0.5 * (1.0 - w))

    def stiffness(self, tension: float, belly: float) -> float:
        """Return the stiffness [N/m] of the mode, on d, of a string under a tension [N]: ``pi^2 F / (2 B)``."""
        return math.pi**2 * tension / (2.0 * belly)


def _sinc(x: float) -> float:
    """Return sin(pi x) / (pi x)."""
    return math.sin(math.pi * x) / (math.pi * x) if x else 1.0
