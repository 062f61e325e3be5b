"""Linear programs of recruitment, by SciPy's HiGHS: the least largest activation, and the least sum of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

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
    """Return the least largest size of some activations, all being within bounds; None if none are possible."""
    n, which = len(program.lower), np.flatnonzero(among)
    two_sided = which[program.lower[which] < 0]
    signs = np.r_[np.ones(len(which)), -np.ones(len(two_sided))]
    rows = np.zeros((len(signs), n + 1))
    rows[np.arange(len(signs)), np.r_[which, two_sided]] = signs
    rows[:, n] = -1.0
    found = _solved(
        np.r_[np.zeros(n), 1.0],
        A_ub=rows,
        b_ub=np.zeros(len(rows)),
        A_eq=np.hstack([program.rows, np.zeros((len(program.right), 1))]),
        b_eq=program.right,
        bounds=np.column_stack([np.r_[program.lower, 0.0], np.r_[program.upper, np.inf]]),
    )
    if found.status != 0:
        return None
    decisive = np.zeros(n, dtype=bool)
    held = -found.ineqlin.marginals > DECISIVE
    decisive[np.r_[which, two_sided][held]] = True
    return Largest(float(found.x[-1]), found.x[:-1], decisive)


def least_sum(program: Program, among: NDArray[np.bool_] | None = None) -> Array | None:
    """Return activations (n,) of which some (default: all) have the least sum of sizes; None if none are possible."""
    n = len(program.lower)
    counted = np.ones(n) if among is None else among.astype(float)
    found = _solved(
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
    return found.x[:n] - found.x[n:] if found.status == 0 else None


def _solved(costs: Array, **problem: Any) -> Any:
    """Return what HiGHS makes of a linear program, asked in all of :data:`WAYS` as long as it does not know."""
    found = None
    for options in WAYS:
        found = linprog(costs, method="highs", options=options, **problem)
        if found.status not in UNKNOWN:
            break
    return found
