"""Constraints of a recruitment problem, and the linear and quadratic programs that are solved under them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import MissingPackageError

#: Equations count as dependent below this share of the largest.
DEPENDENT = 1e-10
#: Equations without unknowns are met where this share of the largest right-hand side is missing.
UNMET = 1e-9
#: An activation is determined by the equations alone where all but this much of it lies in their span.
FORCED = 1e-10


@dataclass(frozen=True)
class Program:
    """Bounds and equations of n activations."""

    rows: Array  # (r, n), orthonormal unless something else is said
    right: Array  # (r,): ``rows @ a = right``
    lower: Array  # (with upper) (n,), which may be infinite
    upper: Array

    @property
    def forced(self) -> NDArray[np.bool_]:
        """Whether the equations alone determine an activation, (n,), as they do residual forces on a free pelvis."""
        return np.asarray((self.rows**2).sum(axis=0) >= 1.0 - FORCED)

    def bounded(self, lower: Array, upper: Array) -> Program:
        """Return the program with other bounds."""
        return replace(self, lower=lower, upper=upper)


def program_of(A: Array, b: Array, lower: Array, upper: Array) -> Program | None:
    """Return the program of equations ``A a = b``, whose rows may be dependent; None: nothing can meet them."""
    sizes = np.sqrt((A**2).sum(axis=1))
    acting = sizes > DEPENDENT * sizes.max(initial=0.0)
    if (np.abs(b[~acting]) > UNMET * np.abs(b).max(initial=0.0)).any():
        return None
    scaled, wanted = A[acting] / sizes[acting, None], b[acting] / sizes[acting]
    left, values, basis = np.linalg.svd(scaled, full_matrices=False)
    rank = int((values > DEPENDENT).sum())
    rows, right = basis[:rank], left[:, :rank].T @ wanted / values[:rank]
    missing = np.abs(scaled @ (rows.T @ right) - wanted).max(initial=0.0)
    met = missing <= UNMET * max(1.0, float(np.abs(wanted).max(initial=0.0)))
    return Program(rows, right, lower, upper) if met else None


#: What HiGHS may miss a constraint by; 1e-10 is the least that it takes.
HIGHS_TOLERANCE = 1e-10
#: Ways to ask it, one after another until one gives an answer: with little room between the equations and bounds it may
#: give up ("unknown") in one of them. First the quickest for problems of this size.
WAYS = tuple(
    {"presolve": presolve, "primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance}
    for tolerance in (HIGHS_TOLERANCE, 10 * HIGHS_TOLERANCE)
    for presolve in (False, True)
)
#: HiGHS's answers that are none: it has met its limits, or numerical difficulties.
UNKNOWN = (1, 4)
#: Multipliers, whose sum is one, above which an activation is held up by the equations.
DECISIVE = 1e-7


class Largest(NamedTuple):
    """The least largest activation, activations (n,) that have it, and which (n,) cannot be less by themselves."""

    value: float
    activations: Array
    decisive: NDArray[np.bool_]


def least_largest(program: Program, among: NDArray[np.bool_]) -> Largest | None:
    """Return the least largest size among some activations (n,); None if the program has no solution."""
    n, indices = len(program.lower), np.flatnonzero(among)
    two_sided = indices[program.lower[indices] < 0]
    signs = np.r_[np.ones(len(indices)), -np.ones(len(two_sided))]
    rows = np.zeros((len(signs), n + 1))
    rows[np.arange(len(signs)), np.r_[indices, two_sided]] = signs
    rows[:, n] = -1.0
    solution = _solved(
        np.r_[np.zeros(n), 1.0],
        A_ub=rows,
        b_ub=np.zeros(len(rows)),
        A_eq=np.hstack([program.rows, np.zeros((len(program.right), 1))]),
        b_eq=program.right,
        bounds=np.column_stack([np.r_[program.lower, 0.0], np.r_[program.upper, np.inf]]),
    )
    if solution.status != 0:
        return None
    decisive = np.zeros(n, dtype=bool)
    at_limit = -solution.ineqlin.marginals > DECISIVE
    decisive[np.r_[indices, two_sided][at_limit]] = True
    return Largest(float(solution.x[-1]), solution.x[:-1], decisive)


def least_sum(program: Program, among: NDArray[np.bool_] | None = None) -> Array | None:
    """Return activations (n,) that minimise the sum of the sizes of some; None if the program has no solution."""
    n = len(program.lower)
    counted = np.ones(n) if among is None else among.astype(float)
    solution = _solved(
        np.r_[counted, counted],
        A_eq=np.hstack([program.rows, -program.rows]),
        b_eq=program.right,
        bounds=np.column_stack(
            [
                np.r_[np.maximum(program.lower, 0.0), np.maximum(-program.upper, 0.0)],
                np.r_[np.maximum(program.upper, 0.0), np.maximum(-program.lower, 0.0)],
            ]
        ),
    )
    return solution.x[:n] - solution.x[n:] if solution.status == 0 else None


def _solved(costs: Array, **problem: Any) -> Any:
    """Return HiGHS's result for a linear program, by the first options of :data:`WAYS` that give a definite answer."""
    from scipy.optimize import linprog  # only now: other criteria do without it

    solution = None
    for options in WAYS:
        solution = linprog(costs, method="highs", options=options, **problem)
        if solution.status not in UNKNOWN:
            break
    return solution


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
    """Return the x (n,) that minimises 1/2 sum curvature x^2 + gradient x; None if there is none.

    ``curvature``: (n,), or a positive definite matrix (n, n). The program's rows need not be orthonormal.
    """
    daqp = load_daqp()
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


def load_daqp() -> Any:
    """Return the module DAQP, a solver of quadratic programs, which muscle recruitment and postures need."""
    try:
        import daqp
    except ImportError as error:
        raise MissingPackageError("muscle recruitment, and postures, need the solver", "DAQP", "recruitment") from error
    return daqp
