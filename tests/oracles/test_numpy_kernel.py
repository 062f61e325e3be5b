"""The NumPy kernel against derivatives and sums that know neither corners nor squares, and arcs against OpenSim's."""

from dataclasses import replace

import numpy as np
import pytest
from conftest import slow_except

from oracles.fibre_cases import MAPS, Case, apart, cases
from oracles.finite_differences import along_flow, christoffel_bias, gradient
from oracles.numpy_kernel import Continuous, Fibres, MaterialMap, Terms, evaluate, grid
from oracles.path_differences import PathDifferences
from oracles.wrap_model import KINDS, random_pose, wrap_model

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
    """Of fibres, and of a line without aponeurosis."""
    case = Case(kind, seed)
    for material in (case.material, replace(case.material, aponeurosis=0.0)):

        def at(q: np.ndarray, u: np.ndarray | None = None, material: MaterialMap = material) -> Terms:
            return evaluate(case.path(q, u), material, Continuous(MASS))

        terms = at(case.q, case.u)
        expected = christoffel_bias(lambda q, at=at: at(q).mass_matrix, case.q, case.u)
        assert np.abs(terms.bias - expected).max() < SECOND_DIFFERENCES * np.abs(expected).max()
        fall = gradient(lambda q, at=at: np.array(at(q).potential_energy), case.q)
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_arcs_have_opensim_length_and_ends(kind: str) -> None:
    model = wrap_model(kind)
    state = model.initSystem()
    differences, rng, met = PathDifferences(model, state), np.random.default_rng(0), 0
    tolerance = KINDS[kind].length if KINDS[kind].length > 1e-9 else 1e-13
    for _ in range(60):
        differences.move(random_pose(rng))
        path = differences.current_path("muscle")
        for element in path.elements:
            if element.arc is None:
                continue
            met += 1
            assert np.linalg.norm(element.at(0.0) - element.start) < KINDS[kind].gap
            assert np.linalg.norm(element.at(element.length) - element.end) < KINDS[kind].gap
            assert path.length == pytest.approx(path.opensim_length, rel=tolerance)
            pieces = np.array([element.at(s) for s in np.linspace(0, element.length, 401)])
            chords = np.linalg.norm(np.diff(pieces, axis=0), axis=1)
            assert chords.sum() == pytest.approx(element.length, rel=1e-4)
            assert chords.max() - chords.min() < 1e-3 * chords.mean()  # it runs by arc length
    assert met > 8
