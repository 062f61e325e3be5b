"""Muscle recruitment on arrays: activations that make given forces and a criterion least."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._core.arrays import Array
from ..._core.choices import CriterionName
from ..._core.errors import OptionError
from ..._core.representation import html_table
from ...options.recruitment import Criterion, MinMax, Polynomial, SoftSaturation, criterion_of
from .criteria import SmoothTerms
from .linear import least_largest, least_sum
from .program import Program, program_of, scaled
from .quadratic import closest, least_squares
from .sequential import least

__all__ = ["RecruitmentSolution", "solve_recruitment"]

#: How far an activation may exceed the least largest one: more than solvers miss constraints by.
SLACK = 1e-8
#: Multiples of this slack for actuators that are no muscles, tried in turn until the equations can be met.
MORE_SLACK = (10.0, 100.0)
#: Equations whose rows may depend on each other are met where no more than this share of the largest is missing.
MET = 1e-12
#: Activations below this count as none where the next largest are sought.
NOTHING = 1e-9


class RecruitmentSolution(NamedTuple):
    """The answer to a recruitment problem.

    Attributes:
        activations: (n,). Where the problem has no solution, those that come nearest to the forces asked for.
        status: "solved"; "infeasible", where no activations within the bounds make the forces; "failed", where the
            solver found no answer although there is one: activations are then those of the quadratic criterion.
        objective: the criterion's value; of min/max the largest activation of the muscles.
        missing: (m,) the forces asked for less those made, ``b - A @ activations``.
    """

    activations: Array
    status: str
    objective: float
    missing: Array

    def _repr_html_(self) -> str:
        rows = [(i, f"{activation:.4g}") for i, activation in enumerate(self.activations)]
        return html_table(
            f"Recruitment: {self.status}, objective {self.objective:.6g}", ["actuator", "activation"], rows
        )


def solve_recruitment(
    A: ArrayLike,
    b: ArrayLike,
    lower: ArrayLike = 0.0,
    upper: ArrayLike = 1.0,
    criterion: CriterionName | Criterion = "polynomial",
    muscles: ArrayLike | None = None,
) -> RecruitmentSolution:
    """Share forces among muscles: minimise G(a) with ``A a = b`` and ``lower <= a <= upper``.

    Args:
        A: (m, n) force per activation, such as moment arm times strength. Rows may depend on each other.
        b: (m,) forces asked for, in the units of A's rows.
        lower, upper: bounds (n,) or the same for all; they may be infinite.
        criterion: what is made least: :class:`~opensim_inertia.Polynomial`, :class:`~opensim_inertia.SoftSaturation`
            or :class:`~opensim_inertia.MinMax`, or the name of one.
        muscles: (n,) whether an activation is a muscle's; default: all. Others are reserves. Under min/max they act
            only where muscles cannot make the forces, and then with the least sum of sizes; under the others they count
            as |a|^p, or |a|^p / p where muscles saturate.

    Raises:
        OptionError: an array has a wrong shape or holds NaN, bounds cross, or an option has a value it cannot have.
        MissingPackageError: the solvers are not installed.
    """
    criterion = criterion_of(criterion)
    is_quadratic = isinstance(criterion, Polynomial) and criterion.power == 2
    A, b, lower, upper, counted = _checked(A, b, lower, upper, muscles)
    if isinstance(criterion, SoftSaturation):
        upper = np.where(counted, np.minimum(upper, 1.0), upper)
        lower = np.where(counted, np.maximum(lower, -1.0), lower)
    if is_quadratic:
        plain = scaled(A, b, lower, upper)
        activations = None if plain is None else least_squares(plain)
        if (
            plain is not None
            and activations is not None
            and plain.residual(activations) <= MET * max(1.0, float(np.abs(plain.right).max(initial=0.0)))
        ):
            a = np.clip(activations, lower, upper)
            return RecruitmentSolution(a, "solved", float(a @ a), b - A @ a)
    program = program_of(A, b, lower, upper)
    squares = None if program is None else least_squares(program)
    terms = SmoothTerms.of(criterion, counted) if isinstance(criterion, Polynomial | SoftSaturation) else None

    def answer(a: Array, status: str) -> RecruitmentSolution:
        largest = float(np.abs(a[counted]).max(initial=0.0))
        return RecruitmentSolution(a, status, largest if terms is None else terms.value(a), b - A @ a)

    if program is None or squares is None:
        acting = A.any(axis=1)
        return answer(closest(A[acting], b[acting], lower, upper), "infeasible")
    if is_quadratic:
        activations = squares
    elif isinstance(criterion, MinMax):
        activations = _min_max(program, counted, criterion.secondary)
    else:
        assert terms is not None
        activations = _smooth(program, terms, squares)
    return answer(squares, "failed") if activations is None else answer(np.clip(activations, lower, upper), "solved")


def _smooth(program: Program, criterion: SmoothTerms, squares: Array) -> Array | None:
    """Return activations (n,) that minimise a smooth criterion, starting from those of the least sum of squares."""
    if criterion.power == 1.0:
        return least_sum(program)
    # Powers of forces that the equations determine, in the hundreds on a pelvis, would hide all others.
    return least(program, criterion.without(program.forced), squares)


def _min_max(program: Program, counted: NDArray[np.bool_], secondary: str) -> Array | None:
    """Return activations (n,) whose largest size among the muscles is least; None where the solvers find none.

    Reserves and other actuators that are no muscles act only where muscles alone cannot meet the equations, and then
    with the least sum of sizes.

    Args:
        program: equations and bounds of n activations.
        counted: (n,), which activations are muscles'.
        secondary: the criterion for activations below the largest.
    """
    helping = ~counted & ~program.forced
    if helping.any():
        without_help = _helped(program, helping, np.zeros(len(counted)))
        if least_squares(without_help) is None:
            helping_activations = least_sum(program, helping)
            if helping_activations is None:
                return None
            without_help = _helped(program, helping, helping_activations)
            for factor in MORE_SLACK:  # the linear program's solver misses equations by more than is tolerated here
                if least_squares(without_help) is not None:
                    break
                without_help = _helped(program, helping, helping_activations, factor * SLACK)
        program = without_help
    return _least_largest(program, counted, secondary) if counted.any() else least_squares(program)


def _helped(program: Program, helping: NDArray[np.bool_], activations: Array, slack: float = SLACK) -> Program:
    """Return the program in which actuators that are no muscles are bounded by given activations.

    Each of them lies between zero and its given activation, widened at both ends by ``slack`` times one plus its size.

    Args:
        program: equations and bounds of n activations.
        helping: (n,), which activations are bounded so.
        activations: (n,), those that bound them.
        slack: the share by which bounds are widened, more than solvers miss equations by.
    """
    room = slack * (1.0 + np.abs(activations))
    lower = np.where(helping, np.maximum(program.lower, np.minimum(activations, 0.0) - room), program.lower)
    upper = np.where(helping, np.minimum(program.upper, np.maximum(activations, 0.0) + room), program.upper)
    return program.bounded(lower, upper)


def _least_largest(program: Program, among: NDArray[np.bool_], secondary: str) -> Array | None:
    """Return activations (n,) whose largest size among some is least; the secondary criterion chooses the others.

    Args:
        program: equations and bounds of n activations.
        among: (n,), the activations whose largest size counts.
        secondary: "quadratic": then the sum of squares is least. "lexicographic": then the next largest is least, and
            so on, until none can be less.
    """
    among = among.copy()
    largest = least_largest(program, among)
    if largest is None:
        return None
    program, best = _limited(program, among, largest.value), largest.activations
    while secondary == "lexicographic" and largest.value > NOTHING and among.any():
        least = program.lower >= largest.value - SLACK  # there is no room below
        among &= ~(largest.decisive if largest.decisive.any() else among) & ~least
        if not among.any():
            break
        following = least_largest(program, among)
        if following is None:
            break
        largest, best = following, following.activations
        program = _limited(program, among, largest.value)
    settled = least_squares(program)
    return best if settled is None else settled


def _limited(program: Program, among: NDArray[np.bool_], largest: float) -> Program:
    """Return the program in which the sizes of some activations (n,) are at most ``largest``, with some slack."""
    limit = largest * (1.0 + SLACK) + SLACK
    lower = np.where(among, np.maximum(program.lower, -limit), program.lower)
    upper = np.where(among, np.maximum(np.minimum(program.upper, limit), lower), program.upper)
    return program.bounded(lower, upper)


def _checked(
    A: ArrayLike, b: ArrayLike, lower: ArrayLike, upper: ArrayLike, muscles: ArrayLike | None
) -> tuple[Array, Array, Array, Array, NDArray[np.bool_]]:
    """Return A (m, n), b (m,), both bounds (n,) and which activations are muscles' (n,), as arrays of the right shapes.

    Raises:
        OptionError: an array has a wrong shape, holds NaN, or the bounds cross.
    """
    matrix, right = np.asarray(A, dtype=float), np.asarray(b, dtype=float)
    if matrix.ndim != 2 or not np.isfinite(matrix).all():
        raise OptionError("A", A, "a matrix (m, n) of finite numbers")
    m, n = matrix.shape
    if right.shape != (m,) or not np.isfinite(right).all():
        raise OptionError("b", b, f"{m} finite numbers, one for each row of A")
    bounds = []
    for name, values in (("lower", lower), ("upper", upper)):
        bound = np.asarray(values, dtype=float)
        if bound.shape not in ((), (n,)) or np.isnan(bound).any():
            raise OptionError(name, values, f"a number, or {n}, one for each column of A")
        bounds.append(np.broadcast_to(bound, (n,)).copy())
    if (bounds[0] > bounds[1]).any():
        i = int(np.argmax(bounds[0] > bounds[1]))
        raise OptionError("lower", bounds[0][i], f"no more than the upper bound, {bounds[1][i]:g}, of column {i}")
    counted = np.ones(n, dtype=bool) if muscles is None else np.asarray(muscles)
    if counted.shape != (n,) or counted.dtype != bool:
        raise OptionError("muscles", muscles, f"{n} times True or False, one for each column of A")
    return matrix, right, bounds[0], bounds[1], counted
