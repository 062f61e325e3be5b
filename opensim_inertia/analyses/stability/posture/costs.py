"""The quadratic costs among which a posture chooses activations, near given ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...._core.arrays import Array
from ...._core.choices import COSTS
from ...._core.errors import OptionError

__all__ = ["Cost", "cost_of"]

#: Share of the largest curvature that each activation has at least, so that the optimum is one.
LEAST_CURVATURE = 1e-9


@dataclass(frozen=True)
class Cost:
    """Half a sum of squares of controls, with 1/2 F^T Q F + c^T F of the muscles' tensions F [N] in place of theirs.

    Attributes:
        Q, c: (m, m) and (m,); None: the activations' own squares.
        centre: controls (n,) from which squares are taken.
    """

    Q: Array | None
    c: Array
    centre: Array

    def near(self, x: Array, tensions: Array, slopes: Array) -> tuple[Array, Array]:
        """Return curvature and gradient, of activations x, where tensions (m,) have slopes (m,) at ``x``."""
        n, m = len(x), len(tensions)
        curvature, gradient = np.ones(n), -self.centre
        if self.Q is None:
            return curvature, gradient
        matrix = np.eye(n)
        matrix[:m, :m] = slopes[:, None] * self.Q * slopes
        gradient = np.r_[slopes * (self.Q @ (tensions - slopes * x[:m]) + self.c), gradient[m:]]
        size = float(np.abs(np.diag(matrix)).max(initial=1e-300))
        return matrix + LEAST_CURVATURE * size * np.eye(n), gradient


def cost_of(cost: Any, strengths: Array, n: int) -> Cost:
    """Return the cost that a user asks for.

    Args:
        cost: one of :data:`~opensim_inertia._core.choices.COSTS`, or (Q, c).
        strengths: largest isometric forces (m,) [N].
        n: the number of activations and controls.

    Raises:
        OptionError: it is neither.
    """
    m = len(strengths)
    none, centre = np.zeros(m), np.zeros(n)
    if isinstance(cost, str) and cost in COSTS:
        Q = {"activation": None, "stress": np.diag(strengths**-2.0), "force": np.eye(m)}[cost]
        return Cost(Q, none, centre)
    expected = (
        f"'activation', 'stress', 'force', or (Q, c): a symmetric, positive semidefinite Q ({m}, {m}) and c ({m},)"
    )
    if isinstance(cost, str) or not isinstance(cost, Sequence) or len(cost) != 2:
        raise OptionError("cost", cost, expected)
    try:
        Q, c = (np.asarray(part, dtype=float) for part in cost)
    except (TypeError, ValueError):
        raise OptionError("cost", cost, expected) from None
    right = Q.shape == (m, m) and c.shape == (m,) and np.isfinite(Q).all() and np.isfinite(c).all()
    if (
        not right
        or not np.allclose(Q, Q.T)
        or np.linalg.eigvalsh(Q).min(initial=0.0) < -1e-12 * np.abs(Q).max(initial=0.0)
    ):
        raise OptionError("cost", cost, expected)
    return Cost(Q, c, centre)
