"""Recruitment on arrays, against quadprog, linear programs, optimality conditions and paper 004's properties."""

import numpy as np
import pytest

pytest.importorskip("daqp", reason="recruitment needs DAQP")

from oracles import recruitment as oracle

import opensim_inertia as oi
from opensim_inertia.errors import OptionError
from opensim_inertia.options import Criterion, MinMax, Polynomial, SoftSaturation

solve_recruitment = oi.recruitment.solve_recruitment

MUSCLES, EQUATIONS = 40, 9
SMOOTH = [
    ("polynomial", 1.5, 1e-5),
    ("polynomial", 3, 1e-5),
    ("polynomial", 5, 1e-5),
    ("polynomial", 10, 1e-5),
    ("soft_saturation", 2, 1e-5),
    ("soft_saturation", 4, 1e-5),
]
ALL = [("polynomial", 2.0), *((name, p) for name, p, _ in SMOOTH), ("min_max", 2.0)]


def named(criterion: str, power: float) -> Criterion:
    if criterion == "min_max":
        return MinMax()
    return Polynomial(power) if criterion == "polynomial" else SoftSaturation(power)


def problem(seed: int = 0, share: float = 0.4):
    """Moment arms times strengths of muscles that span some joints each, and moments that they can make."""
    rng = np.random.default_rng(seed)
    arms = rng.normal(size=(EQUATIONS, MUSCLES)) * (rng.random((EQUATIONS, MUSCLES)) < share)
    A = arms * rng.uniform(10, 200, MUSCLES)
    return A, A @ rng.random(MUSCLES) ** 3


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("lower", [0.0, 0.01])
def test_squares_as_quadprog(seed: int, lower: float) -> None:
    pytest.importorskip("quadprog", reason="the oracle")
    A, b = problem(seed)
    b = b + A.sum(axis=1) * lower
    solution = solve_recruitment(A, b, lower)
    assert solution.status == "solved"
    assert np.abs(solution.activations - oracle.least_squares_by_quadprog(A, b, lower, 1.0)).max() < 1e-9


@pytest.mark.parametrize(("criterion", "power", "residual"), SMOOTH)
@pytest.mark.parametrize("seed", range(3))
def test_smooth_criteria_are_optimal_and_make_the_forces(
    criterion: str, power: float, residual: float, seed: int
) -> None:
    A, b = problem(seed)
    solution = solve_recruitment(A, b, criterion=named(criterion, power))
    assert solution.status == "solved"
    assert np.abs(A @ solution.activations - b).max() < 1e-11 * np.abs(b).max()
    assert oracle.optimality(A, b, 0.0, 1.0, solution.activations, criterion, power) < residual
    value = oracle.criterion_value(solution.activations, criterion, power)
    assert solution.objective == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("secondary", ["quadratic", "lexicographic"])
@pytest.mark.parametrize("seed", range(5))
def test_min_max_as_a_linear_program(secondary: str, seed: int) -> None:
    A, b = problem(seed)
    solution = solve_recruitment(A, b, criterion=MinMax(secondary))
    least = oracle.least_largest(A, b, 0.0, 1.0)
    assert solution.objective == pytest.approx(least, abs=1e-6)
    assert np.abs(A @ solution.activations - b).max() < 1e-9 * np.abs(b).max()


def test_lexicographic_is_below_in_the_order_of_size() -> None:
    differing = 0
    for seed in range(8):
        A, b = problem(seed, share=0.15)
        quadratic, strict = (
            np.sort(solve_recruitment(A, b, criterion=MinMax(s)).activations)[::-1]
            for s in ("quadratic", "lexicographic")
        )
        first = int(np.argmax(np.abs(quadratic - strict) > 1e-3))  # muscles nearly alike magnify the slack of 1e-8
        if first:
            differing += 1
            assert strict[first] < quadratic[first]  # the first that differs is less
            assert (quadratic**2).sum() < (strict**2).sum()
    assert differing >= 4


def test_lexicographic_on_a_problem_that_is_solved_by_hand() -> None:
    # The first equation asks 0.8 of two muscles alike; the second 0.3 of two, of which one is twice as strong.
    A = np.array([[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 2.0]])
    strict = solve_recruitment(A, [0.8, 0.3], criterion=MinMax("lexicographic")).activations
    assert strict == pytest.approx([0.4, 0.4, 0.1, 0.1], abs=1e-6)
    quadratic = solve_recruitment(A, [0.8, 0.3], criterion="min_max").activations
    assert quadratic == pytest.approx([0.4, 0.4, 0.06, 0.12], abs=1e-6)


def test_lower_levels_take_no_advantage_of_what_solvers_miss_above() -> None:
    # 0.9 of both equal muscles leaves 0.5 of a weak one, which 1e-8 more of the first would lower by 1e-4.
    A = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 1e-4]])
    found = solve_recruitment(A, A @ [0.9, 0.9, 0.5], criterion=MinMax("lexicographic")).activations
    assert found == pytest.approx([0.9, 0.9, 0.5], abs=1e-7)


def test_a_start_changes_no_answer() -> None:
    draw = np.random.default_rng(3)
    for _ in range(20):
        A = draw.normal(size=(5, 30))
        b = A @ draw.uniform(0.0, 0.9, 30)
        before, alone = (solve_recruitment(A, x).activations for x in (0.9 * b, b))
        for near in (before, np.zeros(30), np.ones(30)):
            found = solve_recruitment(A, b, near=near).activations
            assert found == pytest.approx(alone, abs=1e-10)  # ten times DAQP's tolerance


def test_power_one_is_the_least_sum() -> None:
    A = np.array([[1.0, 3.0, 2.0]])
    solution = solve_recruitment(A, [4.0], criterion=Polynomial(1))
    assert solution.activations == pytest.approx([0.0, 1.0, 0.5], abs=1e-9)  # the strongest first, as the paper says
    assert solution.objective == pytest.approx(1.5)


@pytest.mark.parametrize(("criterion", "power"), [("polynomial", 2), ("polynomial", 4), ("min_max", 2)])
def test_linear_in_the_load_while_no_bound_is_active(criterion: str, power: float) -> None:
    A, b = problem(2)
    unbounded = {"lower": 0.0, "upper": np.inf, "criterion": named(criterion, power)}
    once, twice = (solve_recruitment(A, k * b, **unbounded).activations for k in (1.0, 2.0))
    assert np.abs(twice - 2 * once).max() < 1e-6
    saturating = [solve_recruitment(A, k * b, criterion="soft_saturation").activations for k in (0.5, 1.0)]
    assert np.abs(saturating[1] - 2 * saturating[0]).max() > 1e-3  # which is why that one is called so


@pytest.mark.parametrize(("criterion", "power"), ALL)
def test_unchanged_by_the_order_of_muscles_and_mixing_of_equations(criterion: str, power: float) -> None:
    A, b = problem(3)
    rng = np.random.default_rng(0)
    order, mixing = rng.permutation(MUSCLES), rng.normal(size=(EQUATIONS, EQUATIONS))
    plain = solve_recruitment(A, b, criterion=named(criterion, power)).activations
    mixed = solve_recruitment(mixing @ A[:, order], mixing @ b, criterion=named(criterion, power)).activations
    assert np.abs(mixed - plain[order]).max() < 1e-6


@pytest.mark.parametrize(("criterion", "power"), ALL)
def test_a_muscle_cut_into_halves_acts_as_one(criterion: str, power: float) -> None:
    """All muscles are cut: a criterion that sums over muscles then counts each twice, which changes no optimum."""
    A, b = problem(4)
    whole = solve_recruitment(A, b, criterion=named(criterion, power)).activations
    cut = solve_recruitment(np.hstack([A / 2, A / 2]), b, criterion=named(criterion, power)).activations
    assert np.abs(cut[:MUSCLES] - whole).max() < 1e-6 and np.abs(cut[MUSCLES:] - whole).max() < 1e-6


def test_one_muscle_cut_into_halves_acts_as_one_under_min_max() -> None:
    """Sums over muscles count the halves of a muscle twice, and so recruit them less; the largest does not."""
    A, b = problem(4)
    halves = np.hstack([A[:, :1] / 2, A[:, :1] / 2, A[:, 1:]])
    whole, cut = (solve_recruitment(x, b, criterion=MinMax("lexicographic")).activations for x in (A, halves))
    assert np.abs(cut[1:] - whole).max() < 1e-4 and abs(cut[0] - cut[1]) < 1e-6


def test_high_powers_come_near_min_max() -> None:
    A, b = problem(5)
    least = oracle.least_largest(A, b, 0.0, 1.0)
    largest = [solve_recruitment(A, b, criterion=Polynomial(p)).activations.max() for p in (2, 5, 20, 50)]
    assert sorted(largest, reverse=True) == largest
    assert least - 1e-9 < largest[-1] <= least * MUSCLES ** (1 / 50)
    saturated = solve_recruitment(A, b, criterion=SoftSaturation(20)).activations.max()
    assert saturated == pytest.approx(least, rel=0.1)


def test_synergism_grows_with_the_power() -> None:
    # One joint, muscles of unlike strength: the weak share more of the load the higher the power.
    A = np.array([[1.0, 2.0, 4.0, 8.0]])
    shares = []
    for power in (1, 1.5, 2, 3, 5, 10, 50):
        a = solve_recruitment(A, [6.0], criterion=Polynomial(power)).activations
        shares.append(a[0] / a[3])
        if power > 1:
            assert a / a[3] == pytest.approx((A[0] / 8.0) ** (1 / (power - 1)), rel=1e-6)  # in closed form
    assert shares == sorted(shares) and shares[0] == 0.0 and shares[-1] > 0.95


def test_reserves_are_not_counted_and_help_as_little_as_they_can() -> None:
    A, b = problem(6)
    with_reserves = np.hstack([A, np.eye(EQUATIONS)])
    muscles = np.r_[np.ones(MUSCLES, bool), np.zeros(EQUATIONS, bool)]
    lower, upper = np.where(muscles, 0.0, -np.inf), np.where(muscles, 1.0, np.inf)
    alone = solve_recruitment(A, b, criterion="min_max")
    solution = solve_recruitment(with_reserves, b, lower, upper, "min_max", muscles=muscles)
    assert np.abs(solution.activations[~muscles]).max() < 2e-8  # the slack that solvers need
    assert solution.objective == pytest.approx(alone.objective, abs=1e-6)
    pushed = solve_recruitment(with_reserves, 5 * b, lower, upper, "min_max", muscles=muscles)
    assert solve_recruitment(A, 5 * b).status == "infeasible"
    assert pushed.status == "solved" and np.abs(pushed.activations[~muscles]).max() > 1
    assert pushed.objective == pytest.approx(1.0)


@pytest.mark.parametrize(("criterion", "power"), ALL)
def test_forces_that_only_a_residual_makes_disturb_nothing(criterion: str, power: float) -> None:
    A, b = problem(7)
    wide = np.block([[A, np.zeros((EQUATIONS, 1))], [np.zeros((1, MUSCLES)), np.ones((1, 1))]])
    muscles = np.arange(MUSCLES + 1) < MUSCLES
    lower, upper = np.where(muscles, 0.0, -np.inf), np.where(muscles, 1.0, np.inf)
    solution = solve_recruitment(wide, np.r_[b, 700.0], lower, upper, named(criterion, power), muscles=muscles)
    plain = solve_recruitment(A, b, criterion=named(criterion, power))
    assert solution.status == "solved"
    assert solution.activations[-1] == pytest.approx(700.0, rel=1e-12)
    assert np.abs(solution.activations[:-1] - plain.activations).max() < 1e-6


def test_dependent_equations_are_no_obstacle_and_contradictions_are_seen() -> None:
    A, b = problem(8)
    again, right = np.vstack([A, A[:2].sum(axis=0)]), np.r_[b, b[:2].sum()]
    plain = solve_recruitment(A, b).activations
    assert np.abs(solve_recruitment(again, right).activations - plain).max() < 1e-9
    assert solve_recruitment(again, right + np.eye(EQUATIONS + 1)[-1]).status == "infeasible"


@pytest.mark.parametrize("criterion", ["polynomial", "soft_saturation", "min_max"])
def test_too_large_a_force_is_infeasible_and_what_is_missing_is_told(criterion: str) -> None:
    A = np.array([[10.0, 20.0, 0.0], [0.0, 0.0, 5.0]])
    solution = solve_recruitment(A, [50.0, 2.0], criterion=criterion)
    assert solution.status == "infeasible"
    assert solution.missing == pytest.approx([20.0, 0.0], abs=1e-5)
    assert solution.activations == pytest.approx([1.0, 1.0, 0.4], abs=1e-5)
    none = solve_recruitment(np.vstack([A, np.zeros(3)]), [5.0, 2.0, 3.0], criterion=criterion)
    assert none.status == "infeasible" and none.missing == pytest.approx([0.0, 0.0, 3.0], abs=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"criterion": "minmax"}, "criterion='minmax': expected one of 'polynomial', 'soft_saturation', 'min_max'"),
        ({"lower": 2.0}, "no more than the upper bound, 1, of column 0"),
        ({"upper": [1.0, 2.0]}, "a number, or 40, one for each column of A"),
        ({"upper": float("nan")}, "a number, or 40, one for each column of A"),
        ({"muscles": [True]}, "40 times True or False"),
    ],
)
def test_bad_arguments_are_named(arguments: dict, message: str) -> None:
    with pytest.raises(OptionError, match=".*") as caught:
        solve_recruitment(*problem(), **arguments)
    assert message in str(caught.value)
