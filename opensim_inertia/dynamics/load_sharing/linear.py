"""Linear programs of recruitment, by SciPy's HiGHS: the least largest activation, and the least sum of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from .program import Program

__all__ = ["Largest", "least_largest", "least_sum"]

#: What HiGHS may miss a constraint by; 1e-10 is the least that it takes.
TOLERANCE = 1e-10
#: Ways to ask it, one after another until one gives an answer: with little room between the equations and bounds it may
#: give up ("unknown") in one of them. First the quickest for problems of this size.
WAYS = tuple(
    {"presolve": presolve, "primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance}
    for tolerance in (TOLERANCE, 10 * TOLERANCE)
    for presolve in (False, True)
)
#: HiGHS's answers that are none: it has met its limits, or numerical difficulties.
UNKNOWN = (1, 4)
#: Multipliers, whose sum is one, above which an activation is held up by the equations.
DECISIVE = 1e-7


class Largest:
    """The least largest activation.

    Attributes:
        value: it.
        activations: (n,), of which there may be many.
        decisive: (n,), whether an activation cannot be less without another one being more.
    """

    def __init__(self, value: float, activations: Array, decisive: NDArray[np.bool_]) -> None:
        self.value, self.activations, self.decisive = value, activations, decisive


def least_largest(program: Program, among: NDArray[np.bool_]) -> Largest | None:
    """Return the least possible value of the largest size among some activations; None if the program has no solution.

    Args:
        program: equations and bounds of n activations.
        among: (n,), the activations whose largest size counts.
    """
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
    """Return activations (n,) that minimise the sum of the sizes of some; None if the program has no solution.

    Args:
        program: equations and bounds of n activations.
        among: (n,), the activations whose sizes are summed; None: all.
    """
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
