"""Recruitment by other means: derivatives written out, optimality conditions, quadprog, and SciPy's linear programs."""

from typing import Any

import numpy as np
from scipy.optimize import linprog, lsq_linear


def criterion_value(a, criterion: str, p: float) -> float:
    a = np.abs(a)
    if criterion == "min_max":
        return float(a.max())
    return float((a**p).sum() if criterion == "polynomial" else -((1 - a**p) ** (1 / p)).sum())


def gradient(a, criterion: str, p: float, muscles=True):
    """Derivatives of a criterion; what is no muscle counts as |a|^p / p where muscles saturate."""
    size = np.abs(a)
    left = np.where(muscles, 1 - np.minimum(size, 1) ** p, 1.0)
    slope = p * size ** (p - 1) if criterion == "polynomial" else size ** (p - 1) * left ** (1 / p - 1)
    return np.sign(a) * slope


def optimality(A, b, lower, upper, a, criterion: str, p: float, muscles=True, at_bound: float = 1e-7) -> float:
    """Residual of the Karush-Kuhn-Tucker conditions, as a share of the largest derivative of the criterion."""
    n = len(a)
    lower, upper = np.broadcast_to(lower, (n,)), np.broadcast_to(upper, (n,))
    g = gradient(a, criterion, p, muscles)
    size = np.abs(g).max()
    rows = A / np.maximum(np.sqrt((A**2).sum(axis=1, keepdims=True)), 1e-300)
    low, high = a <= lower + at_bound, a >= upper - at_bound
    bounds = np.hstack([np.eye(n)[:, low], -np.eye(n)[:, high]])
    m = len(rows)
    limits = (np.r_[np.full(m, -np.inf), np.zeros(bounds.shape[1])], np.full(m + bounds.shape[1], np.inf))
    multipliers = lsq_linear(np.hstack([rows.T, bounds]), g / size, limits, method="bvls", tol=1e-15)
    return float(np.abs(multipliers.fun).max())


def least_squares_by_quadprog(A, b, lower, upper):
    import quadprog

    n = A.shape[1]
    lower, upper = np.broadcast_to(lower, (n,)), np.broadcast_to(upper, (n,))
    finite_low, finite_high = np.isfinite(lower), np.isfinite(upper)
    rows = np.hstack([A.T, np.eye(n)[:, finite_low], -np.eye(n)[:, finite_high]])
    limits = np.r_[b, lower[finite_low], -upper[finite_high]]
    return quadprog.solve_qp(np.eye(n), np.zeros(n), rows, limits, len(b))[0]


def least_largest(A, b, lower, upper) -> float:
    """The least largest activation, of non-negative ones, by SciPy's linear program on the equations as given."""
    n = A.shape[1]
    lower, upper = np.broadcast_to(lower, (n,)), np.broadcast_to(upper, (n,))
    size = np.abs(A).max(axis=1)
    acting = size > 1e-9 * size.max()  # no muscle acts on a pelvis: what is there is rounding
    A, b, scale = A[acting], b[acting], size[acting, None]
    solution: Any = linprog(
        np.r_[np.zeros(n), 1.0],
        A_eq=np.hstack([A / scale, np.zeros((len(b), 1))]),
        b_eq=b / scale[:, 0],
        A_ub=np.hstack([np.eye(n), -np.ones((n, 1))]),
        b_ub=np.zeros(n),
        bounds=[*zip(lower, upper, strict=True), (0, None)],
        method="highs-ds",
    )
    assert solution.status == 0
    return float(solution.fun)
