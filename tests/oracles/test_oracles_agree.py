"""The oracles against each other: if these fail, no other test's reference can be believed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import slow_except

from opensim_inertia._core.opensim import osim
from oracles import chain, closed_forms, mechanism
from oracles.accuracy import MODELS
from oracles.finite_differences import along_flow, christoffel_bias, gradient
from oracles.live_bodies import live_bodies
from oracles.numpy_kernel import Continuous, MaterialMap, Points, evaluate
from oracles.numpy_kernel import Path as KernelPath
from oracles.path_differences import PathDifferences
from oracles.wrap_model import KINDS, random_pose, wrap_model

DIFFERENCES = 1e-9  # relative: fourth-order stencils with steps of 1e-3 reach 1e-10 on these chains
SECOND_DIFFERENCES = 1e-6  # relative: second differences and products of two first ones
EXACT = 1e-13  # relative: the same number in two orders of summation
BETAS = (0.03, 0.5, 0.95)


class Case:
    """A random chain with a muscle of four path points."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.chain = chain.random_chain(rng, 4, 1)
        self.q, self.u = rng.uniform(-1, 1, 4), rng.normal(size=4) * 2
        self.stations = [(b, rng.normal(size=3) * 0.1) for b in (0, 1, 3, 4)]
        length = self.path(self.q).length
        self.material = (
            MaterialMap(0.4, 0.0, 0.5),
            MaterialMap(0.7),
            MaterialMap(1.0, 0.5 * length, 0.3),
            MaterialMap(1.0, 0.9 * length, 0.3, 0.1 * length, 0.05 * length),
            MaterialMap(),
        )[seed % 5]

    def path(self, q: np.ndarray, u: np.ndarray | None = None) -> KernelPath:
        return KernelPath(chain.bodies(self.chain, q, np.zeros(4) if u is None else u), self.stations)

    def positions(self, q: np.ndarray, segments: list[int]) -> np.ndarray:
        path = self.path(q)
        return np.array(
            [path.material_point(b, self.material, k).position for b, k in zip(BETAS, segments, strict=True)]
        )


@pytest.mark.parametrize("seed", range(5))
def test_point_kinematics_match_differences(seed: int) -> None:
    case = Case(seed)
    path = case.path(case.q, case.u)
    segments = [path.segment_at(case.material.arc_length(b, path.length)[0]) for b in BETAS]
    points = [path.material_point(b, case.material) for b in BETAS]
    jacobian = np.array([p.jacobian for p in points])
    jdot_u = np.array([p.jdot_u for p in points])
    differenced = gradient(lambda q: case.positions(q, segments), case.q)
    second = along_flow(lambda q: case.positions(q, segments), case.q, case.u, 2e-3)
    assert np.abs(differenced - jacobian).max() < DIFFERENCES * np.abs(jacobian).max()
    assert np.abs(second - jdot_u).max() < SECOND_DIFFERENCES * np.abs(jdot_u).max()
    assert np.abs(jacobian @ case.u - [p.velocity for p in points]).max() < EXACT * 100
    assert np.abs(jdot_u).max() > 0.1


@pytest.mark.parametrize("seed", range(5))
def test_continuous_terms_are_lagrangian(seed: int) -> None:
    case = Case(seed)
    belly = Continuous(2.0)
    terms = evaluate(case.path(case.q, case.u), case.material, belly)
    expected = christoffel_bias(
        lambda q: evaluate(case.path(q), case.material, belly).mass_matrix, case.q, case.u, 1e-3
    )
    assert np.abs(terms.bias - expected).max() < SECOND_DIFFERENCES * np.abs(expected).max()
    fall = gradient(lambda q: np.array(evaluate(case.path(q), case.material, belly).potential_energy), case.q)
    assert np.abs(terms.gravity + fall).max() < SECOND_DIFFERENCES * np.abs(fall).max()
    assert terms.kinetic_energy == pytest.approx(0.5 * case.u @ terms.mass_matrix @ case.u, rel=EXACT * 10)


@pytest.mark.parametrize("build", [mechanism.straight_mechanism, mechanism.three_segment_mechanism])
def test_mechanism_of_real_bodies_matches_kernel(build) -> None:  # type: ignore[no-untyped-def]
    built = build()
    pendulum, state = built.pendulum, built.pendulum.initSystem()
    assert mechanism.coordinate_order(pendulum) == list(built.coordinates)
    axis, eye = np.array([0.0, 0.0, 1.0]), np.eye(3)
    links = [
        chain.Joint(axis, np.zeros(3), eye),
        chain.Joint(axis, np.array([0.0, -mechanism.LENGTHS[0], 0.0]), eye),
    ]
    body = {"ground": 0, "rod1": 1, "rod2": 2}
    rng, matrix, done = np.random.default_rng(1), osim.Matrix(), 0
    while done < 10:
        q, u = rng.uniform(-0.3, 0.9, 2), rng.normal(size=2) * 4
        if not mechanism.segments_hold(built, q):
            continue
        done += 1
        assert max(built.constraint_errors(q, u)) < 1e-12
        state.setQ(osim.Vector.createFromMat(q))
        state.setU(osim.Vector.createFromMat(u))
        pendulum.realizeAcceleration(state)
        pendulum.getMatterSubsystem().calcM(state, matrix)
        rigid = matrix.to_numpy()
        path = KernelPath(chain.bodies(links, q, u), [(body[b], x) for b, x in built.path])
        terms = evaluate(path, MaterialMap(), Points(built.fractions, built.masses))
        total = rigid + terms.mass_matrix
        assert np.abs(built.reduced_mass_matrix(q, u) - total).max() < 1e-12
        force = rigid @ state.getUDot().to_numpy() + terms.gravity
        expected = np.linalg.solve(total, force + terms.bias)
        assert np.abs(built.accelerations(q, u) - expected).max() < 1e-10
        assert np.abs(np.linalg.solve(total, force) - expected).max() > 1e-3  # h counts


def test_two_rods_match_kernel() -> None:
    mass, length, reach = 1.3, 0.4, 0.15
    theta, u = np.array([0.4, 0.9]), np.array([1.5, -2.0])
    axis, eye = np.array([0.0, 0.0, 1.0]), np.eye(3)
    rods = [chain.Joint(axis, np.zeros(3), eye), chain.Joint(axis, np.array([0.0, -length, 0.0]), eye)]
    path = KernelPath(chain.bodies(rods, theta, u), [(0, (0.0, 0.0, 0.0)), (2, (0.0, -reach, 0.0))])
    terms = evaluate(path, MaterialMap(), Continuous(mass))
    np.testing.assert_allclose(
        terms.mass_matrix, closed_forms.two_rod_mass_matrix(mass, length, reach, theta), rtol=1e-12
    )
    np.testing.assert_allclose(terms.bias, closed_forms.two_rod_bias(mass, length, reach, theta, u), rtol=1e-12)
    np.testing.assert_allclose(terms.gravity, closed_forms.two_rod_gravity(mass, length, reach, theta), rtol=1e-12)
    for n in (5, 10):
        middles = evaluate(path, MaterialMap(), Points((np.arange(n) + 0.5) / n, np.full(n, mass / n)))
        ends = evaluate(path, MaterialMap(), Points(np.linspace(0, 1, n), np.full(n, mass / n)))
        knee = closed_forms.joint_inertia(mass, reach)
        assert middles.mass_matrix[1, 1] / knee - 1 == pytest.approx(closed_forms.midpoint_error(n), rel=1e-9)
        assert ends.mass_matrix[1, 1] / knee - 1 == pytest.approx(closed_forms.endpoint_error(n), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_arcs_have_opensim_length_and_ends(kind: str) -> None:
    model = wrap_model(kind)
    state = model.initSystem()
    differences, rng, met = PathDifferences(model, state), np.random.default_rng(0), 0
    tolerance = KINDS[kind].length if KINDS[kind].length > 1e-9 else EXACT
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


@pytest.mark.slow
@pytest.mark.parametrize("name", slow_except({"Arm26", "Gait10dof18musc"}, MODELS))
def test_path_differences_match_kernel_on_polylines(name: str, opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / MODELS[name]))
    state = model.initSystem()
    differences, rng = PathDifferences(model, state), np.random.default_rng(3)
    q = _random_pose(model, differences.coordinates, rng)
    u = rng.normal(size=q.size)
    differences.move(q)
    bodies, names = live_bodies(model, state, u)
    gravity = model.getGravity().to_numpy()
    material = MaterialMap(0.6, 0.0, 0.5)
    muscles_checked = curved = 0
    muscles = model.getMuscles().getSize()
    for i in range(0, muscles, max(1, muscles // 12)):
        muscle = model.getMuscles().get(i).getName()
        differences.move(q)
        stations = _stations(differences, muscle, names)
        if stations is None or muscles_checked == 3:
            continue
        muscles_checked += 1
        path = KernelPath(bodies, stations)
        points = [path.material_point(b, material) for b in BETAS]

        def where(length: float) -> np.ndarray:
            return np.array([material.arc_length(b, length)[0] for b in BETAS])

        assert np.abs(differences.positions(muscle, where) - [p.position for p in points]).max() < 1e-14
        jacobian = differences.jacobian_fd(muscle, where)
        assert jacobian.smooth.mean() > 0.8
        off = np.abs(jacobian.value - [p.jacobian for p in points]).max(axis=1)
        assert off[jacobian.smooth].max() < 1e-11
        exact = np.array([p.jdot_u for p in points])
        jdot_u = differences.jdot_u_fd(muscle, where, u)
        if jdot_u.smooth.any():
            curved += 1
            assert np.abs(jdot_u.value - exact)[jdot_u.smooth].max() < 1e-7 * max(np.abs(exact).max(), 0.1)
        terms = evaluate(path, material, Continuous(1.0), gravity)
        for difference, reference, tolerance in (
            (differences.added_mass_fd(muscle, material, 1.0), terms.mass_matrix, 1e-11),
            (differences.gravity_fd(muscle, material, 1.0), terms.gravity, 1e-11),
            (differences.bias_christoffel_fd(muscle, material, 1.0, u), terms.bias, 1e-7),
            (differences.kinetic_energy_fd(muscle, material, 1.0, u), np.array(terms.kinetic_energy), 1e-11),
        ):
            if difference.smooth.all():
                assert np.abs(difference.value - reference).max() < tolerance * max(np.abs(reference).max(), 0.1)
        np.testing.assert_array_equal(differences.q, q)
    assert muscles_checked >= 2
    assert curved >= 1


def test_conditional_points_switch_a_little_outside_their_range(opensim_models: Path) -> None:
    model = osim.Model(str(opensim_models / MODELS["Gait10dof18musc"]))
    differences = PathDifferences(model, model.initSystem())
    checked = 0
    for muscle in model.getMuscles():
        points = osim.GeometryPath.safeDownCast(muscle.getPath()).getPathPointSet()
        for i in range(points.getSize()):
            point = osim.ConditionalPathPoint.safeDownCast(points.get(i))
            if point is None:
                continue
            index = differences.coordinates.index(point.getCoordinate().getName())
            low, high = point.get_range(0), point.get_range(1)
            cases = [(low, 0.9e-5, True), (low, 1.1e-5, False), (high, -0.9e-5, True), (high, -1.1e-5, False)]
            for edge, inward, active in cases:
                q = differences.q
                q[index] = edge - inward
                differences.move(q)
                assert (point.getName() in differences.current_path(muscle.getName()).names) is active
                checked += 1
    assert checked >= 4


def _random_pose(model: osim.Model, order: list[str], rng: np.random.Generator) -> np.ndarray:
    coordinates = model.getCoordinateSet()
    low = np.array([np.clip(coordinates.get(c).getRangeMin(), -1.5, 1.5) for c in order])
    high = np.array([np.clip(coordinates.get(c).getRangeMax(), -1.5, 1.5) for c in order])
    return low + (high - low) * rng.uniform(0.2, 0.8, len(order))


def _stations(differences: PathDifferences, muscle: str, bodies: list[str]) -> list[tuple[int, np.ndarray]] | None:
    """Stations of the active points, or None if the path wraps or has moving points."""
    current = differences.geometry(muscle).getCurrentPath(differences.state)
    stations = []
    for i in range(current.getSize()):
        point = current.get(i)
        if point.getConcreteClassName() not in ("PathPoint", "ConditionalPathPoint"):
            return None
        stations.append(
            (bodies.index(point.getParentFrame().getName()), point.getLocation(differences.state).to_numpy())
        )
    return stations
