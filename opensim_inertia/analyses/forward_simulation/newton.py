"""Newton's method for implicit steps, with a Jacobian that is kept until it no longer serves."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lu_factor, lu_solve

from ..._core.arrays import Array
from ...dynamics.equations.system import System

#: Iterations that must shrink by this at least, or the Jacobian is taken anew.
SLOW = 0.3
#: Iterations before the Jacobian is taken anew.
ITERATIONS = 8
#: How often it is taken anew within a step before the step has failed.
RENEWALS = 4


class Newton:
    """Solves y = base + c f(t, y)."""

    def __init__(self, system: System, accuracy: float) -> None:
        self.system, self.accuracy = system, accuracy
        self._jacobian: Array | None = None
        self._factor: tuple[Array, Array] | None = None
        self._weight = 0.0

    def solve(self, t: float, base: Array, weight: float, guess: Array) -> Array:
        """Return y (ny,) at t, with c = ``weight``."""
        y = guess
        for renewal in range(RENEWALS + 1):
            if renewal or self._jacobian is None:
                self._jacobian, self._factor = self.system.jacobian(t, y), None
            if self._weight != weight or self._factor is None:
                matrix = np.eye(len(y)) - weight * self._jacobian
                matrix = matrix if np.isfinite(matrix).all() else np.eye(len(y))
                self._factor, self._weight = lu_factor(matrix, check_finite=False), weight
            converged, y = self._iterate(t, base, weight, y)
            if converged:
                return y
            if not np.isfinite(y).all():
                break
        change = base + weight * self.system.rhs(t, y) - y
        raise self.system.divergence(t, y, "has no solution at the next step: make the step shorter", change)

    def _iterate(self, t: float, base: Array, weight: float, y: Array) -> tuple[bool, Array]:
        """Iterate with the present factor; return whether y has converged, and the last y."""
        assert self._factor is not None
        last = np.nan  # size of the last change
        for _ in range(ITERATIONS):
            residual = base + weight * self.system.rhs(t, y) - y
            if not np.isfinite(residual).all():
                return False, np.where(np.isfinite(residual), y, np.nan)
            change = lu_solve(self._factor, residual, check_finite=False)
            y = y + change
            size = float(np.abs(change / (1 + np.abs(y))).max())
            # at a linear rate, what remains is the last change times rate / (1 - rate)
            if size <= self.accuracy or (size < SLOW * last and size * size / last < SLOW * self.accuracy):
                return True, y
            if size > SLOW * last:
                return False, y
            last = size
        return False, y
