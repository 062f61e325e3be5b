"""The oracle of fibres between aponeuroses, whose mass fills a square, against derivatives and sums that do not know of
corners or of squares."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import slow_except

from oracles.fibre_cases import MAPS, Case, apart, cases
from oracles.finite_differences import along_flow, christoffel_bias, gradient
from oracles.numpy_kernel import Fibres, evaluate, grid

DIFFERENCES = 1e-9  # relative: fourth-order stencils with steps of 1e-3
SECOND_DIFFERENCES = 1e-6  # relative: second differences, and products of two first ones
SUMS = 1e-12  # relative: the same number by other sums
AT = ((0.1, 0.03), (0.9, 0.2), (0.5, 0.5), (0.2, 0.95), (1.0, 1.0))
MASS = 2.0


@cases(range(1), slow=range(1, 2))
def test_point_kinematics_match_differences(kind: str, seed: int) -> None:
    case = Case(kind, seed)
    path = case.here
    segments = [path.segment_at(case.material.arc_length(at, path.length)[0]) for at in AT]

    def positions(q: np.ndarray) -> np.ndarray:
        there = case.path(q)
        pairs = zip(AT, segments, strict=True)
        return np.array([there.material_point(at, case.material, k).position for at, k in pairs])

    points = [path.material_point(at, case.material) for at in AT]
    jacobian, jdot_u = np.array([p.jacobian for p in points]), np.array([p.jdot_u for p in points])
    assert np.abs(gradient(positions, case.q) - jacobian).max() < DIFFERENCES * np.abs(jacobian).max()
    second = along_flow(positions, case.q, case.u, 2e-3)
    assert np.abs(second - jdot_u).max() < SECOND_DIFFERENCES * np.abs(jdot_u).max()
    assert np.abs(jacobian @ case.u - [p.velocity for p in points]).max() < SUMS * np.abs(jacobian).max() * 10


@cases(range(1), slow=range(1, 2))
def test_terms_are_lagrangian(kind: str, seed: int) -> None:
    case, fibres = Case(kind, seed), Fibres(MASS)
    terms = evaluate(case.here, case.material, fibres)
    expected = christoffel_bias(lambda q: evaluate(case.path(q), case.material, fibres).mass_matrix, case.q, case.u)
    assert np.abs(terms.bias - expected).max() < SECOND_DIFFERENCES * np.abs(expected).max()
    fall = gradient(lambda q: np.array(evaluate(case.path(q), case.material, fibres).potential_energy), case.q)
    assert np.abs(terms.gravity + fall).max() < SECOND_DIFFERENCES * np.abs(fall).max()
    assert terms.kinetic_energy == pytest.approx(0.5 * case.u @ terms.mass_matrix @ case.u, rel=SUMS)


@pytest.mark.parametrize("kind", slow_except(list(MAPS)[::2], MAPS))
def test_points_converge_with_corners(kind: str) -> None:
    """By 1 / n: of n x n cells a corner's line cuts at most 2 n, each of which errs by at most half the jump of the
    integrand times its mass; how much cancels depends on the line's slope. Measured: 0.13 / n, and 0.4 / n for h. The
    points' h leaves out what passes through corners, as it must: that is up to 0.7 of h here.
    """
    case = Case(kind, 1)
    path = case.here
    exact = evaluate(path, case.material, Fibres(MASS))
    bare = evaluate(path, case.material, Fibres(MASS), corner_terms=False)
    assert apart(bare, exact, "bias") > 0.03
    for n in (8, 16, 48):
        points = evaluate(path, case.material, grid(MASS, n))
        assert apart(points, exact, "mass_matrix", "gravity", "kinetic_energy") < 0.25 / n
        assert apart(points, bare, "bias") < 0.8 / n


@cases(range(4))
def test_corner_terms_are_the_force_that_turns_the_mass(kind: str, seed: int) -> None:
    """With w the speed at which a corner runs along the fibre that is at it, they collapse to

    h = - m sum J_c^T (e' - e) integral w^2 dchi / B over the fibres that pass the corner,

    as on a line, where the integral is w^2 / B; w^2 is quadratic along the line. Here by the midpoint rule over
    chi, which errs by 1 / n where a fibre begins to pass.
    """
    case, n = Case(kind, seed), 20_000
    path, (total, _, total_rate, _) = case.here, case.here.before[-1]
    b, db, _ = case.material.belly(total)
    chi = (np.arange(n) + 0.5) / n
    expected = np.zeros(4)
    for i in range(1, len(path.points) - 1):
        here, _, here_rate, _ = path.before[i]
        share = case.material.f + chi * case.material.aponeurosis
        xi = (here - share * (total - b)) / b
        w = here_rate - (share * (1 - db) + xi * db) * total_rate
        flow = np.where((xi > 0) & (xi < 1), w**2, 0.0).mean() / b
        turn = path.elements[i].direction - path.elements[i - 1].direction
        expected -= MASS * flow * path.points[i].jacobian.T @ turn
    whole, bare = (evaluate(path, case.material, Fibres(MASS), corner_terms=c).bias for c in (True, False))
    assert np.abs(whole - bare - expected).max() < 2e-4 * np.abs(whole).max()
