"""Quadratic programs of recruitment, by DAQP, a dual active-set method (Arnström, Bemporad, Axehill 2022)."""

from __future__ import annotations

import numpy as np

from ..._core.arrays import Array
from .program import Program

__all__ = ["closest", "least_quadratic", "least_squares"]

#: Bounds as large as this are none to DAQP.
INFINITE = 1e30
#: Constraints are met to this, in units of activation.
TOLERANCE = 1e-11
#: DAQP's mark of an equation, and its answer that is optimal.
EQUATION, OPTIMAL = 5, 1
#: Weight of activations where what is missing is made as small as can be.
SLIGHT = 1e-9
MOST_STEPS = 100_000


def least_squares(program: Program) -> Array | None:
    """Return the activations (n,) of least sum of squares; None if none are possible."""
    n = len(program.lower)
    return least_quadratic(np.ones(n), np.zeros(n), program)


def closest(A: Array, b: Array, lower: Array, upper: Array) -> Array:
    """Return activations (n,) within bounds that come nearest to ``A a = b``, of least sum of squares."""
    m, n = A.shape
    size = float(np.abs(A).max(initial=0.0)) or 1.0
    wide = np.full(m, np.inf)
    program = Program(np.hstack([A / size, np.eye(m)]), b / size, np.r_[lower, -wide], np.r_[upper, wide])
    solution = least_quadratic(np.r_[np.full(n, SLIGHT), np.ones(m)], np.zeros(n + m), program)
    return np.clip(np.zeros(n) if solution is None else solution[:n], lower, upper)


def least_quadratic(curvature: Array, gradient: Array, program: Program) -> Array | None:
    """Return the x (n,) of a program that minimises 1/2 sum curvature x^2 + gradient x; None if it has no solution.

    Args:
        curvature: (n,), positive; or a symmetric, positive definite matrix (n, n), for 1/2 x^T curvature x.
        gradient: (n,).
        program: equations and bounds; its rows need not be orthonormal.

    Raises:
        MissingPackageError: DAQP is not installed.
    """
    from ..._core.solvers import daqp  # only now: all else is there without it

    n, m = len(curvature), len(program.right)
    sizes = curvature if curvature.ndim == 1 else np.diag(curvature)
    scale = 1.0 / np.sqrt(sizes)  # in these variables the Hessian is the identity, or its diagonal
    sense = np.zeros(n + m, dtype=np.int32)
    sense[n:] = EQUATION
    lower, upper = (np.clip(bound, -INFINITE, INFINITE) / scale for bound in (program.lower, program.upper))
    x, _, flag, _ = daqp.solve(
        np.eye(n) if curvature.ndim == 1 else curvature * np.outer(scale, scale),
        gradient * scale,
        np.ascontiguousarray(program.rows * scale),
        np.r_[upper, program.right],
        np.r_[lower, program.right],
        sense,
        primal_tol=TOLERANCE,
        dual_tol=TOLERANCE,
        iter_limit=MOST_STEPS,
    )
    return np.asarray(x) * scale if flag == OPTIMAL else None
