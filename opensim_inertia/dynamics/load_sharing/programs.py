"""Muscle recruitment on arrays: activations that minimise a criterion and produce given forces.

Activations of other actuators than muscles do not saturate: under soft saturation they count as |a|^p / p.

A criterion is a sum of convex terms, one per activation. Each step minimises its quadratic model within the bounds,
then the criterion along the step. High powers start from solutions for lower ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array, csc_array, hstack

from ..._core.arrays import Array
from ..._core.choices import CriterionName
from ..._core.errors import MissingPackageError, OptionError
from ..._core.representation import html_table
from ...options.recruitment import Criterion, MinMax, Polynomial, SoftSaturation, criterion_of

#: Relative tolerance of the rank of equations.
DEPENDENT = 1e-10
#: Tolerance on equations without unknowns, relative to the largest right-hand side.
UNMET = 1e-9
#: An activation is determined by the equations if its part outside their span is below this.
FORCED = 1e-10


@dataclass(frozen=True, eq=False)
class Program:
    """Bounds and linear equations that n activations must meet."""

    rows: Array  # (r, n), orthonormal unless stated
    right: Array  # (r,): ``rows @ a = right``
    lower: Array  # (with upper) (n,), may be infinite
    upper: Array
    sparse: Any = None  # (m, n), the given equations scaled to size one; linear programs are faster with few entries

    @property
    def forced(self) -> NDArray[np.bool_]:
        """Whether the equations alone, without the bounds, determine each activation, (n,)."""
        return np.asarray((self.rows**2).sum(axis=0) >= 1.0 - FORCED)

    def narrowed(self, low: Array, high: Array) -> Program:
        """Return the program with bounds narrowed to low and high."""
        return replace(self, lower=np.maximum(self.lower, low), upper=np.minimum(self.upper, high))

    def seen_from(self, a: Array) -> Program:
        """Return the bounds and equations for steps from activations a (n,)."""
        return Program(self.rows, self.right - self.rows @ a, self.lower - a, self.upper - a)


def program_of(A: Array, b: Array, lower: Array, upper: Array) -> Program | None:
    """Return the :class:`Program` of equations ``A a = b`` and bounds; None if the equations have no solution."""
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
    return Program(rows, right, lower, upper, csc_array(scaled)) if met else None


#: HiGHS options, tried in order: it may give up ("unknown") if equations and bounds leave little room.
WAYS = tuple(
    {"presolve": presolve, "primal_feasibility_tolerance": tolerance, "dual_feasibility_tolerance": tolerance}
    for tolerance in (1e-10, 1e-9)  # the least that HiGHS accepts
    for presolve in (False, True)
)
#: HiGHS statuses without an answer: limit reached, or numerical difficulties.
UNKNOWN = (1, 4)
#: Smallest multiplier of a binding activation; multipliers sum to one.
DECISIVE = 1e-7


def least_largest(
    program: Program, among: NDArray[np.bool_], settled: NDArray[np.bool_], a: Array
) -> tuple[float, Array, NDArray[np.bool_]] | None:
    """Minimise max |a|; return minimum, a (n,), mask (n,) of activations that prevent a lower max; None if unsolved.

    Activations ``a`` (n,) meet the equations; ``settled`` (n,) stay constant; ``among`` (n,) are minimised.
    """
    left = np.flatnonzero(~settled)
    indices, matrix, lower, upper = np.flatnonzero(among[left]), program.sparse[:, left], program.lower, program.upper
    two_sided = indices[lower[left[indices]] < 0]
    rows, signs = np.r_[indices, two_sided], np.r_[np.ones(len(indices)), -np.ones(len(two_sided))]
    n, count = len(left), len(rows)
    places = np.tile(np.arange(count), 2), np.r_[rows, np.full(count, n)]
    solution = _solved(
        np.r_[np.zeros(n), 1.0],
        A_ub=coo_array((np.r_[signs, -np.ones(count)], places), shape=(count, n + 1)),
        b_ub=np.zeros(count),
        A_eq=hstack([matrix, csc_array((matrix.shape[0], 1))]),
        b_eq=matrix @ a[left],
        bounds=np.column_stack([np.r_[lower[left], 0.0], np.r_[upper[left], np.inf]]),
    )
    if solution.status != 0:
        return None
    found, decisive = a.copy(), np.maximum(solution.lower.marginals, -solution.upper.marginals)[:n] > DECISIVE
    found[left], decisive[rows[-solution.ineqlin.marginals > DECISIVE]] = solution.x[:n], True
    return float(solution.x[n]), found, np.isin(np.arange(len(a)), left[decisive])


def least_sum(program: Program, among: NDArray[np.bool_] | None = None) -> Array | None:
    """Return activations a (n,) with the least sum of |a|, over all or the mask ``among``; None if unsolved."""
    n = len(program.lower)
    counted = np.ones(n) if among is None else among.astype(float)
    solution = _solved(
        np.r_[counted, counted],
        A_eq=hstack([program.sparse, -program.sparse]),
        b_eq=program.sparse @ (program.rows.T @ program.right),
        bounds=np.maximum(np.r_[np.c_[program.lower, program.upper], np.c_[-program.upper, -program.lower]], 0.0),
    )
    return solution.x[:n] - solution.x[n:] if solution.status == 0 else None


def _solved(costs: Array, **problem: Any) -> Any:
    """Return HiGHS's result for a linear program."""
    from scipy.optimize import linprog  # slow import

    solution = None
    for options in WAYS:
        solution = linprog(costs, method="highs", options=options, **problem)
        if solution.status not in UNKNOWN:
            break
    return solution


#: Bounds as large as this are infinite for DAQP.
INFINITE = 1e30
#: DAQP's tolerance on constraints, in units of activation.
DAQP_TOLERANCE = 1e-11
#: DAQP's mark of equations, and its status of optimal results.
EQUATION, OPTIMAL = 5, 1
#: Tolerance of values at bounds.
AT_BOUND = 1e-9
#: Weight of activations against missing forces.
SLIGHT = 1e-9
DAQP_STEPS = 100_000


def least_squares(program: Program, near: Array | None = None) -> Array | None:
    """Return the activations (n,) with minimal sum of squares; None if infeasible."""
    n = len(program.lower)
    return least_quadratic(np.ones(n), np.zeros(n), program, near)


def closest(A: Array, b: Array, lower: Array, upper: Array) -> Array:
    """Return activations (n,) that satisfy ``A a = b`` as nearly as the bounds allow."""
    m, n = A.shape
    size = float(np.abs(A).max(initial=0.0)) or 1.0
    wide = np.full(m, np.inf)
    program = Program(np.hstack([A / size, np.eye(m)]), b / size, np.r_[lower, -wide], np.r_[upper, wide])
    solution = least_quadratic(np.r_[np.full(n, SLIGHT), np.ones(m)], np.zeros(n + m), program)
    return np.clip(np.zeros(n) if solution is None else solution[:n], lower, upper)


def least_quadratic(curvature: Array, gradient: Array, program: Program, near: Array | None = None) -> Array | None:
    """Return x (n,) that minimises sum(curvature x^2 / 2 + gradient x) subject to a program; None if unsolved.

    ``curvature`` is (n,), or a positive definite matrix (n, n). ``near`` (n,), for curvatures (n,), is the solution of
    a similar program: its values at bounds stay there until they pull inwards.
    """
    if near is None:
        return _by_daqp(curvature, gradient, program)[0]
    rows, lower, upper = program.rows, program.lower, program.upper
    x, held = np.clip(near, lower, upper), (near <= lower + AT_BOUND) | (near >= upper - AT_BOUND)
    x[held] = np.where(near <= lower + AT_BOUND, lower, upper)[held]
    while True:
        free = ~held
        part = Program(rows[:, free], program.right - rows[:, held] @ x[held], lower[free], upper[free])
        solution, multipliers = _by_daqp(curvature[free], gradient[free], part)
        if solution is None:
            return _by_daqp(curvature, gradient, program)[0]
        x[free] = solution
        slope = (curvature * x + gradient + multipliers @ rows) / np.sqrt(curvature)
        pulling = held & (np.where(x > lower, slope, -slope) > DAQP_TOLERANCE)
        if not pulling.any():
            return x
        held &= ~pulling


def _by_daqp(curvature: Array, gradient: Array, program: Program) -> tuple[Array | None, Array]:
    """Return DAQP's solution (n,) (None if not optimal), and the multipliers (m,) of the equations."""
    n, m = len(gradient), len(program.right)
    sizes = curvature if curvature.ndim == 1 else np.diag(curvature)
    scale = 1.0 / np.sqrt(sizes)  # in scaled variables the Hessian, or its diagonal, is the identity
    sense = np.zeros(n + m, dtype=np.int32)
    sense[n:] = EQUATION
    lower, upper = (np.clip(bound, -INFINITE, INFINITE) / scale for bound in (program.lower, program.upper))
    x, _, flag, details = load_daqp().solve(
        np.eye(n) if curvature.ndim == 1 else curvature * np.outer(scale, scale),
        gradient * scale,
        np.ascontiguousarray(program.rows * scale),
        np.r_[upper, program.right],
        np.r_[lower, program.right],
        sense,
        primal_tol=DAQP_TOLERANCE,
        dual_tol=DAQP_TOLERANCE,
        iter_limit=DAQP_STEPS,
    )
    return np.asarray(x) * scale if flag == OPTIMAL else None, np.asarray(details["lam"])[n:]


def load_daqp() -> Any:
    """Return the module DAQP; MissingPackageError if it is not installed."""
    try:
        import daqp
    except ImportError as error:
        raise MissingPackageError("muscle recruitment, and postures, need the solver", "DAQP", "recruitment") from error
    return daqp


@dataclass(frozen=True, eq=False)
class SmoothTerms:
    """Criterion: sum over activations a of weight |a|^p, or, for saturating muscles, of -(1 - |a|^p)^(1/p)."""

    power: float  # p
    saturating: NDArray[np.bool_]  # (n,), terms of the second kind; the others have a weight
    weight: Array  # (n,)

    def value(self, a: Array) -> float:
        """Return the criterion's value; saturating activations above one count as one."""
        powers = np.abs(a) ** self.power
        saturated = -(np.maximum(0.0, 1.0 - powers) ** (1.0 / self.power))
        return float(np.where(self.saturating, saturated, self.weight * powers).sum())

    def gradient(self, a: Array) -> Array:
        """Return the criterion's gradient (n,); activations of saturating muscles must be below one."""
        p, size = self.power, np.abs(a)
        remainder = np.where(self.saturating, 1.0 - size**p, 1.0)
        steepness = np.where(self.saturating, remainder ** (1.0 / p - 1.0), p * self.weight)
        return np.asarray(np.sign(a) * size ** (p - 1.0) * steepness)

    def curvature(self, a: Array) -> Array:
        """Return the criterion's second derivatives (n,); activations of saturating muscles must be below one."""
        p, size = self.power, np.abs(a)
        remainder = np.where(self.saturating, 1.0 - size**p, 1.0)
        steepness = np.where(self.saturating, remainder ** (1.0 / p - 2.0), p * self.weight)
        return np.asarray((p - 1.0) * size ** (p - 2.0) * steepness)


#: Tolerance on changes of derivatives, relative to the largest.
TOLERANCE = 1e-12
#: Tolerance for intermediate powers.
ON_THE_WAY = 1e-3
MOST_STEPS = 100
#: Smallest curvature, relative to the largest: powers above two have none at zero.
LEAST_CURVATURE = 1e-8
#: Smallest activation for curvatures, relative to the largest: powers below two have no bound at zero.
LEAST_ACTIVATION = 1e-4
#: Largest initial activation of saturating muscles, and largest share of the way to saturation per step.
BEGIN, PART = 0.999, 0.99


def least(program: Program, criterion: SmoothTerms, start: Array) -> Array | None:
    """Return the activations (n,) that minimise a criterion; None if the search fails."""
    a, power = _unsaturated(program, criterion, start), 4.0
    if a is None:
        return None
    while power < criterion.power:
        a, _ = _stepped(program, replace(criterion, power=power), a, ON_THE_WAY)
        power *= 2.0
    a, change = _stepped(program, criterion, a, TOLERANCE)
    return _met(program, a) if change <= ON_THE_WAY else None


def _met(program: Program, a: Array) -> Array:
    """Return the activations nearest to ``a`` (n,) that meet the program's equations."""
    step = least_squares(program.seen_from(a))
    return a if step is None else np.clip(a + step, program.lower, program.upper)


def _unsaturated(program: Program, criterion: SmoothTerms, start: Array) -> Array | None:
    """Return initial activations (n,) without saturated muscle; None if every solution saturates one."""
    if not (np.abs(start[criterion.saturating]) > BEGIN).any():
        return start
    limit = np.where(criterion.saturating, BEGIN, np.inf)
    narrowed = program.narrowed(-limit, limit)
    return None if (narrowed.lower > narrowed.upper).any() else least_squares(narrowed)


def _stepped(program: Program, criterion: SmoothTerms, a: Array, tolerance: float) -> tuple[Array, float]:
    """Return activations (n,) after sequential quadratic programming, and the last relative change of the gradient."""
    change = np.inf
    for _ in range(MOST_STEPS):
        gradient = criterion.gradient(a)
        size = float(np.abs(gradient).max(initial=0.0))
        if size == 0.0:
            return a, 0.0
        floor = LEAST_ACTIVATION * float(np.abs(a[criterion.saturating | (criterion.weight > 0)]).max())
        curvature = criterion.curvature(np.maximum(np.abs(a), floor)) / size
        curvature = np.maximum(curvature, LEAST_CURVATURE * curvature.max())
        step = least_quadratic(curvature, gradient / size, program.seen_from(a), np.zeros(len(a)))
        if step is None:
            return a, change
        change = float(np.abs(curvature * step).max())
        next_a = _searched(program, criterion, a, step)
        if next_a is None:
            return a, change
        a = next_a
        if change <= tolerance:
            break
    return a, change


def _searched(program: Program, criterion: SmoothTerms, a: Array, step: Array) -> Array | None:
    """Return activations (n,) that minimise a criterion along a step (n,); None if the criterion does not fall."""

    def at(length: float) -> Array:
        return np.clip(a + length * step, program.lower, program.upper)

    def slope(length: float) -> float:
        return float(criterion.gradient(at(length)) @ step)

    moving = criterion.saturating & (step != 0)
    room = (np.sign(step[moving]) - a[moving]) / step[moving]
    length = min(1.0, PART * float(room.min(initial=np.inf)))
    if slope(0.0) >= 0:
        return None
    if slope(length) > 0:
        from scipy.optimize import brentq  # slow import

        length = brentq(slope, 0.0, length, xtol=1e-12, rtol=1e-3)
    return at(length)


#: Tolerance on the largest activation, above that of solvers.
SLACK = 1e-8
#: Tolerances on actuators other than muscles, tried in order: HiGHS violates equations by more than the first.
SLACKS = (SLACK, 10.0 * SLACK, 100.0 * SLACK)
#: Smaller activations count as zero in lexicographic steps.
NOTHING = 1e-9


class RecruitmentSolution(NamedTuple):
    """Solution of a recruitment problem.

    Attributes:
        activations: (n,). Without a solution, those that come nearest to the required forces.
        status: "solved"; "infeasible", no activations within the bounds produce the forces; "failed", the solver did
            not converge: activations are then those of the quadratic criterion.
        objective: value of the criterion; for min/max the largest muscle activation.
        missing: (m,) required minus produced forces, ``b - A @ activations``.
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
    near: Array | None = None,
) -> RecruitmentSolution:
    """Share forces among muscles: minimise a criterion of activations a with ``A a = b`` and ``lower <= a <= upper``.

    Args:
        A: (m, n) force per activation, such as moment arm times strength; rows may be dependent.
        b: (m,) required forces, in the units of A's rows.
        lower, upper: bounds, (n,) or numbers; may be infinite.
        criterion: the minimised cost: :class:`~opensim_inertia.Polynomial`, :class:`~opensim_inertia.SoftSaturation` or
            :class:`~opensim_inertia.MinMax`, or a name.
        muscles: (n,) whether an activation is a muscle's; default: all. Others are reserves. With min/max they act only
            if muscles cannot produce the forces, with minimal sum of sizes. With other criteria they count as |a|^p, or
            |a|^p / p under soft saturation.
        near: (n,) activations of a similar problem as initial values; results change within solvers' tolerances.

    Raises:
        OptionError: an array has a wrong shape or holds NaN, bounds cross, or an option is invalid.
        MissingPackageError: the solvers are not installed.
    """
    criterion = criterion_of(criterion)
    A, b, lower, upper, counted = _checked(A, b, lower, upper, muscles)
    if isinstance(criterion, SoftSaturation):
        upper = np.where(counted, np.minimum(upper, 1.0), upper)
        lower = np.where(counted, np.maximum(lower, -1.0), lower)
    program = program_of(A, b, lower, upper)
    terms = None
    if isinstance(criterion, Polynomial):
        terms = SmoothTerms(criterion.power, np.zeros_like(counted), np.ones(len(counted)))
    elif isinstance(criterion, SoftSaturation):
        terms = SmoothTerms(criterion.power, counted, np.where(counted, 1.0, 1.0 / criterion.power))

    def answer(a: Array, status: str) -> RecruitmentSolution:
        largest = float(np.abs(a[counted]).max(initial=0.0))
        return RecruitmentSolution(a, status, largest if terms is None else terms.value(a), b - A @ a)

    activations = squares = None
    if program is not None:
        activations = _min_max(program, counted, criterion.secondary) if isinstance(criterion, MinMax) else None
        squares = least_squares(program, near) if activations is None else activations
    if program is None or squares is None:
        acting = A.any(axis=1)
        return answer(closest(A[acting], b[acting], lower, upper), "infeasible")
    if isinstance(criterion, Polynomial) and criterion.power == 2:
        activations = squares
    elif terms is not None:
        # powers of determined forces, in the hundreds on a pelvis, would dominate all others
        weight = np.where(program.forced, 0.0, terms.weight)
        smooth = replace(terms, saturating=terms.saturating & ~program.forced, weight=weight)
        activations = least_sum(program) if terms.power == 1.0 else least(program, smooth, squares)
    return answer(squares, "failed") if activations is None else answer(np.clip(activations, lower, upper), "solved")


def _min_max(program: Program, counted: NDArray[np.bool_], secondary: str) -> Array | None:
    """Return activations (n,) that minimise the largest muscle activation; None if unsolved."""
    if not counted.any():
        return least_squares(program)
    helping = ~counted & ~program.forced
    found = _least_largest(_helped(program, helping, np.zeros(len(counted))), counted, secondary)
    if found is None and helping.any() and (least_help := least_sum(program, helping)) is not None:
        tried = (_least_largest(_helped(program, helping, least_help, s), counted, secondary) for s in SLACKS)
        found = next((activations for activations in tried if activations is not None), None)
    return found


def _helped(program: Program, helping: NDArray[np.bool_], activations: Array, slack: float = SLACK) -> Program:
    """Return the program with ``helping`` actuators limited to values from zero to ``activations`` (n,), plus slack."""
    room = slack * (1.0 + np.abs(activations))
    low = np.where(helping, np.minimum(activations, 0.0) - room, -np.inf)
    return program.narrowed(low, np.where(helping, np.maximum(activations, 0.0) + room, np.inf))


def _least_largest(program: Program, among: NDArray[np.bool_], secondary: str) -> Array | None:
    """Return activations minimising max |a| in mask ``among`` (n,), then criterion ``secondary``; None if unsolved."""
    settled, best = np.zeros(len(among), dtype=bool), program.rows.T @ program.right
    largest = least_largest(program, among, settled, best)
    if largest is None:
        return None
    size, best, decisive = largest
    while secondary == "lexicographic" and size > NOTHING and (among & decisive).any():
        settled |= decisive | (among & (program.lower >= size - SLACK))  # there is no room below
        among = among & ~settled
        following = least_largest(program, among, settled, best) if among.any() else None
        if following is None:
            break
        size, best, decisive = following
    centre = np.where(settled, best, 0.0)
    nearest = least_quadratic(np.ones(len(best)), -centre, _limited(program, among, size), best)
    return best if nearest is None else nearest


def _limited(program: Program, among: NDArray[np.bool_], largest: float) -> Program:
    """Return the program with |a| at most ``largest`` for activations in the mask ``among`` (n,)."""
    limit = np.where(among, largest * (1.0 + SLACK) + SLACK, np.inf)
    narrowed = program.narrowed(-limit, limit)
    return replace(narrowed, upper=np.where(among, np.maximum(narrowed.upper, narrowed.lower), program.upper))


def _checked(
    A: ArrayLike, b: ArrayLike, lower: ArrayLike, upper: ArrayLike, muscles: ArrayLike | None
) -> tuple[Array, Array, Array, Array, NDArray[np.bool_]]:
    """Return the arguments as arrays; OptionError if invalid."""
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
