"""InertialModel: axioms of mechanics on real models, where mass lies, labels, options, errors."""

from __future__ import annotations

import dataclasses
import warnings
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.finite_differences import christoffel_bias, derivative, gradient

import opensim_inertia as oi
from opensim_inertia._opensim import osim
from opensim_inertia.reading import ConditionalPoint, read_coordinates, read_path

EXACT = 1e-12
"""Relative: the same sum in another order."""
FIRST_DIFFERENCE = 1e-8
"""Relative: fourth-order stencil with steps of 1e-3 away from splines' knots; measured 2e-10."""
CHRISTOFFEL = 1e-6
"""Relative: one more derivative; measured below 1e-8."""
SHORT_STEP = 3e-5
"""Where the belly's end slides over a corner dM has a kink: with all muscles of a model, one is soon within 3e-4."""
WRAPPED_CHRISTOFFEL = 1e-4
"""Relative: OpenSim's path is differenced twice under the library wrapping (rounding 1e-8 of the second derivative),
and dM is differenced again by the test; OpenSim's ellipsoid is itself smooth to no more than that."""
CORNERS_SEEN = 1e-3
"""Relative to the muscle's bias: far above the 1e-6 to which the continuous bias is Christoffel's."""
DENSE = 4000
"""Points that stand for the continuous mass: the midpoint rule errs by 1/(4 n^2) within segments, by 1/n at corners."""

MODELS = {
    "arm26": "Models/Arm26/arm26.osim",
    "gait10dof18musc": "Models/Gait10dof18musc/gait10dof18musc.osim",
    "gait2392": "Models/Gait2392_Simbody/gait2392_thelen2003muscle.osim",
    "leg6dof9musc": "Models/Leg6Dof9Musc/leg6dof9musc.osim",
    "hamner": "Pipelines/Hamner/outputReference/subject02_scaled.osim",
    "rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim",
}

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.ShortBellyWarning")


@cache
def original(root: Path, name: str) -> osim.Model:
    model = osim.Model(str(root / MODELS[name]))
    model.initSystem()
    return model


@cache
def table(root: Path, name: str) -> pd.DataFrame:
    return oi.estimate_masses(original(root, name))


@cache
def wrapping(root: Path, name: str) -> tuple[str, ...]:
    model = original(root, name)
    coordinates = read_coordinates(model, model.getWorkingState())
    return tuple(m.getName() for m in model.getMuscles() if read_path(m, coordinates).wraps)


@cache
def heavy(root: Path, name: str, strain: str = "uniform", distribution: str = "continuous", wraps: bool = True):  # type: ignore[no-untyped-def]
    """A real model with all of its muscles inertial, or only those that do not wrap."""
    masses = table(root, name)
    if not wraps:
        masses = masses[~masses["muscle"].isin(wrapping(root, name))]
    return oi.InertialModel(original(root, name), masses, strain, distribution, points=7)


def state_at(inertial: oi.InertialModel, q: np.ndarray, u: np.ndarray | None = None) -> osim.State:
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.asarray(q, float)))
    state.setU(osim.Vector.createFromMat(np.zeros(len(q)) if u is None else np.asarray(u, float)))
    return state


def random_motion(inertial: oi.InertialModel, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates within their ranges, 0.01 away from where conditional points switch, and speeds, in speed order."""
    rng = np.random.default_rng(seed)
    low, high = np.clip(inertial.coordinates.ranges.T, -1.2, 1.2)
    coordinates = inertial.coordinates
    edges = [
        (coordinates.index(point.coordinate), bound)
        for muscle in inertial.model.getMuscles()
        for point in read_path(muscle, coordinates).points
        if isinstance(point, ConditionalPoint)
        for bound in point.range
    ]
    while True:
        q = low + (high - low) * rng.uniform(0.25, 0.75, low.size)
        if all(abs(q[i] - bound) > 0.01 for i, bound in edges):
            return q, rng.normal(size=low.size)


def close(ours: np.ndarray, theirs: np.ndarray, tolerance: float) -> None:
    """Equal relative to the largest entry, which is not zero."""
    scale = np.abs(theirs).max()
    assert scale > 1e-6
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * scale)


def pendulum(points: list[tuple[int, tuple[float, float, float]]], slack: float = 0.05, fibre: float = 0.1):  # type: ignore[no-untyped-def]
    """Two links of 0.5 m that hang from the ground on pins, and a muscle "mus" through ``points`` (body, station).

    Body 0 is ground.
    """
    model = osim.Model()
    model.setName("pendulum")
    frames = [model.getGround()]
    for i in range(2):
        body = osim.Body(f"link{i + 1}", 4.0, osim.Vec3(0, -0.25, 0), osim.Inertia(0.1, 0.01, 0.1))
        model.addBody(body)
        at = osim.Vec3(0, -0.5 * i, 0)
        model.addJoint(osim.PinJoint(f"pin{i + 1}", frames[-1], at, osim.Vec3(0), body, osim.Vec3(0), osim.Vec3(0)))
        frames.append(body)
    muscle = osim.Thelen2003Muscle("mus", 100.0, fibre, slack, 0.0)
    for i, (body, station) in enumerate(points):
        muscle.addNewPathPoint(f"mus-P{i + 1}", frames[body], osim.Vec3(*station))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


BENT = [(0, (0.05, 0.1, 0.0)), (1, (0.06, -0.2, 0.02)), (1, (0.05, -0.45, 0.0)), (2, (0.04, -0.2, -0.01))]


def live_polyline(model: osim.Model, state: osim.State, muscle: str) -> np.ndarray:
    """Corners (n, 3) of OpenSim's own current path, in ground."""
    path = osim.GeometryPath.safeDownCast(model.getMuscles().get(muscle).getPath()).getCurrentPath(state)
    corners = []
    for i in range(path.getSize()):
        frame = path.get(i).getParentFrame()
        corners.append(frame.findStationLocationInGround(state, path.get(i).getLocation(state)).to_numpy().copy())
    return np.array(corners)


def along(corners: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Points at these arc lengths of a polyline."""
    s = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=1))])
    return np.stack([np.interp(lengths, s, corners[:, k]) for k in range(3)], axis=1)


# -- axioms ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("name", MODELS)
def test_mass_matrix_and_energy(opensim_models: Path, name: str, strain: str, distribution: str) -> None:
    """dM is symmetric and positive semidefinite, M + dM positive definite, and u^T dM u twice the kinetic energy."""
    inertial = heavy(opensim_models, name, strain, distribution)
    q, u = random_motion(inertial)
    state = state_at(inertial, q, u)
    terms = inertial.evaluate(state)
    dM = terms.mass_matrix
    assert np.abs(dM).max() > 1e-3
    np.testing.assert_array_equal(dM, dM.T)
    assert np.linalg.eigvalsh(dM).min() > -EXACT * np.abs(dM).max()
    M = osim.Matrix()
    inertial.model.getMatterSubsystem().calcM(state, M)
    assert np.linalg.eigvalsh(M.to_numpy() + dM).min() > 0
    assert terms.kinetic_energy > 1e-4
    assert terms.kinetic_energy == pytest.approx(0.5 * u @ dM @ u, rel=1e-11)
    if distribution == "points":
        shown = inertial.mass_points(state).values()
        assert terms.kinetic_energy == pytest.approx(
            sum(0.5 * (p.masses * (p.velocities**2).sum(axis=1)).sum() for p in shown), rel=1e-11
        )
        close(dM, sum(np.einsum("k,kci,kcj->ij", p.masses, p.jacobians, p.jacobians) for p in shown), 1e-11)
        g = inertial.model.getGravity().to_numpy()
        close(terms.gravity, sum(np.einsum("k,kci,c->i", p.masses, p.jacobians, g) for p in shown), 1e-11)
        close(terms.bias, -sum(np.einsum("k,kci,kc->i", p.masses, p.jacobians, p.jdot_u) for p in shown), 1e-11)
        assert terms.potential_energy == pytest.approx(-sum(p.masses @ p.positions @ g for p in shown), rel=1e-11)


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
@pytest.mark.parametrize("name", ["gait10dof18musc", "gait2392", "leg6dof9musc", "arm26"])
def test_gravity_is_the_slope_of_potential_energy(opensim_models: Path, name: str, strain: str) -> None:
    inertial = heavy(opensim_models, name, strain, wraps=name == "arm26")
    q, _ = random_motion(inertial, 1)
    slope = gradient(lambda at: inertial.evaluate(state_at(inertial, at)).potential_energy, q)
    terms = inertial.evaluate(state_at(inertial, q))
    close(terms.gravity, -slope, 1e-5 if name == "arm26" else FIRST_DIFFERENCE)


@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
@pytest.mark.parametrize("name", ["gait10dof18musc", "gait2392", "leg6dof9musc"])
def test_bias_is_the_christoffel_form(opensim_models: Path, name: str, strain: str, distribution: str) -> None:
    inertial = heavy(opensim_models, name, strain, distribution, wraps=False)
    q, u = random_motion(inertial, 1)
    exact = christoffel_bias(lambda at: inertial.evaluate(state_at(inertial, at)).mass_matrix, q, u, SHORT_STEP)
    close(inertial.evaluate(state_at(inertial, q, u)).bias, exact, CHRISTOFFEL)


@pytest.mark.parametrize("name", ["arm26", "rajagopal2016"])
def test_bias_is_the_christoffel_form_with_wraps(opensim_models: Path, name: str) -> None:
    model, muscles = original(opensim_models, name), wrapping(opensim_models, name)
    right = [m for m in muscles if not m.endswith("_l")][-8:]
    assert len(right) >= 4
    inertial = oi.InertialModel(model, oi.estimate_masses(model, muscles=right), "uniform")
    q, u = random_motion(inertial, 2)
    exact = christoffel_bias(lambda at: inertial.evaluate(state_at(inertial, at)).mass_matrix, q, u, 3e-4)
    close(inertial.evaluate(state_at(inertial, q, u)).bias, exact, WRAPPED_CHRISTOFFEL)


def test_without_corner_terms_the_bias_is_wrong() -> None:
    """A dense sum over points has no corner term: its bias is not the continuous mass's, which is Christoffel's."""
    model = pendulum(BENT)
    continuous = oi.InertialModel(model, {"mus": 1.0}, "uniform", belly=(0.0, 1.0))
    fractions = (np.arange(DENSE) + 0.5) / DENSE
    dense = oi.InertialModel(model, {"mus": oi.PointMasses(fractions, np.full(DENSE, 1 / DENSE))}, "uniform")
    q, u = np.array([0.4, 0.9]), np.array([1.3, -2.1])
    ours, points = (m.evaluate(state_at(m, q, u)) for m in (continuous, dense))
    close(points.mass_matrix, ours.mass_matrix, 1 / DENSE)
    exact = christoffel_bias(lambda at: continuous.evaluate(state_at(continuous, at)).mass_matrix, q, u)
    close(ours.bias, exact, CHRISTOFFEL)
    assert np.abs(points.bias - exact).max() > 1e-3 * np.abs(exact).max()
    straight = pendulum([BENT[0], BENT[-1]])  # no corner, no difference
    continuous = oi.InertialModel(straight, {"mus": 1.0}, "uniform", belly=(0.0, 1.0))
    dense = oi.InertialModel(straight, {"mus": oi.PointMasses(fractions, np.full(DENSE, 1 / DENSE))}, "uniform")
    close(dense.evaluate(state_at(dense, q, u)).bias, continuous.evaluate(state_at(continuous, q, u)).bias, 1e-6)


@pytest.mark.parametrize("name", ["gait10dof18musc", "gait2392"])
def test_points_crossing_corners_in_real_muscles(opensim_models: Path, name: str) -> None:
    """The same on real models, all muscles together: the corner terms are a visible part of the bias."""
    continuous = heavy(opensim_models, name, wraps=False)
    q, u = random_motion(continuous, 1)
    dense = oi.InertialModel(original(opensim_models, name), continuous.masses, "uniform", "points", points=500)
    ours, points = (m.evaluate(state_at(m, q, u), per_muscle=True) for m in (continuous, dense))
    close(points.mass_matrix, ours.mass_matrix, 1e-4)
    off = {
        muscle: np.abs(points.muscles[muscle].bias - part.bias).max() / np.abs(part.bias).max()
        for muscle, part in ours.muscles.items()
    }
    assert sum(error > CORNERS_SEEN for error in off.values()) >= 4


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
def test_muscle_on_one_body_is_rigid(strain: str) -> None:
    """Points of a single body: what OpenSim says of a welded body with the mass properties of a bent bar."""
    stations = np.array([[0.05, -0.05, 0.0], [0.07, -0.2, 0.03], [0.02, -0.4, -0.01]])
    model = pendulum([(2, tuple(s)) for s in stations], slack=0.0)
    inertial = oi.InertialModel(model, {"mus": 1.5}, strain, belly=(0.0, 1.0))
    lengths = np.linalg.norm(np.diff(stations, axis=0), axis=1)
    middles, masses = (stations[1:] + stations[:-1]) / 2, 1.5 * lengths / lengths.sum()
    center = masses @ middles / 1.5
    second = sum(
        m * (np.outer(c - center, c - center) + np.outer(d, d) / 12)
        for m, c, d in zip(masses, middles, np.diff(stations, axis=0), strict=True)
    )
    inertia = np.trace(second) * np.eye(3) - second
    welded = osim.Model(inertial.model)
    i = inertia
    bar = osim.Body("bar", 1.5, osim.Vec3(*center), osim.Inertia(i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]))
    welded.addBody(bar)
    welded.addJoint(osim.WeldJoint("weld", welded.getBodySet().get("link2"), bar))
    welded.finalizeConnections()
    q, u = np.array([0.4, 0.9]), np.array([1.3, -2.1])
    terms = inertial.evaluate(state_at(inertial, q, u))
    matrices, forces = [], []
    for live in (welded, inertial.model):
        state = osim.State(live.initSystem()) if live is welded else inertial.initial_state()
        state.setQ(osim.Vector.createFromMat(q))
        state.setU(osim.Vector.createFromMat(u))
        muscle = live.getMuscles().get("mus")
        muscle.setAppliesForce(state, False)
        live.realizeDynamics(state)
        M = osim.Matrix()
        live.getMatterSubsystem().calcM(state, M)
        matrices.append(M.to_numpy().copy())
        forces.append(osim.InverseDynamicsSolver(live).solve(state, osim.Vector(2, 0.0)).to_numpy().copy())
    close(terms.mass_matrix, matrices[0] - matrices[1], 1e-11)
    close(-terms.bias - terms.gravity, forces[0] - forces[1], 1e-11)


# -- invariance ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_total_mass_is_conserved_and_users_model_untouched(opensim_models: Path, name: str) -> None:
    model = osim.Model(str(opensim_models / MODELS[name]))
    total = model.getTotalMass(model.initSystem())
    before = model.dump()
    masses = oi.estimate_masses(model)
    inertial = oi.InertialModel(model, masses)
    inertial.evaluate(inertial.initial_state())
    left = inertial.model.getTotalMass(inertial.initial_state())
    assert masses["mass"].sum() > 0.1 * total or name == "arm26"
    assert left + inertial.masses["mass"].sum() == pytest.approx(total, rel=1e-14)
    assert sum(f.mass for f in inertial.frozen.values()) == pytest.approx(masses["mass"].sum(), rel=1e-12)
    assert sum(g.mass for g in inertial.given_up.values()) == pytest.approx(masses["mass"].sum(), rel=1e-12)
    assert model.dump() == before


@pytest.mark.parametrize("name", ["gait10dof18musc", "arm26"])
def test_order_of_the_table_does_not_matter(opensim_models: Path, name: str) -> None:
    masses = table(opensim_models, name)
    first = heavy(opensim_models, name)
    second = oi.InertialModel(original(opensim_models, name), masses.iloc[::-1].reset_index(drop=True), "uniform")
    assert first.muscle_names == second.muscle_names
    q, u = random_motion(first)
    one, two = (m.evaluate(state_at(m, q, u)) for m in (first, second))
    for attribute in ("mass_matrix", "bias", "gravity"):
        close(getattr(one, attribute), getattr(two, attribute), EXACT)


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
def test_terms_are_proportional_to_mass(opensim_models: Path, strain: str) -> None:
    model, masses = original(opensim_models, "gait10dof18musc"), table(opensim_models, "gait10dof18musc")
    once, twice = (
        oi.InertialModel(model, masses.assign(mass=factor * masses["mass"]), strain) for factor in (0.25, 0.5)
    )
    q, u = random_motion(once)
    one, two = (m.evaluate(state_at(m, q, u)) for m in (once, twice))
    for attribute in ("mass_matrix", "bias", "gravity"):
        close(getattr(two, attribute), 2 * getattr(one, attribute), EXACT)
    assert two.kinetic_energy == pytest.approx(2 * one.kinetic_energy, rel=EXACT)


def test_units_of_length() -> None:
    """A model twice as large in every direction, at the same angles: four times dM and h, twice g_m."""
    small = oi.InertialModel(pendulum(BENT), {"mus": 0.5}, "uniform")
    large_model = pendulum([(b, tuple(2 * x for x in p)) for b, p in BENT], slack=0.1, fibre=0.2)
    joint = osim.PinJoint.safeDownCast(large_model.getJointSet().get("pin2"))
    joint.upd_frames(0).set_translation(osim.Vec3(0, -1.0, 0))
    large = oi.InertialModel(large_model, {"mus": 0.5}, "uniform")
    q, u = np.array([0.3, 0.8]), np.array([1.0, -2.0])
    one, two = (m.evaluate(state_at(m, q, u)) for m in (small, large))
    close(two.mass_matrix, 4 * one.mass_matrix, EXACT)
    close(two.bias, 4 * one.bias, EXACT)
    close(two.gravity, 2 * one.gravity, EXACT)


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
def test_left_right_mirror(opensim_models: Path, strain: str) -> None:
    """gait2392 is symmetric: a mirrored state has mirrored terms."""
    inertial = heavy(opensim_models, "gait2392", strain, wraps=False)
    names = inertial.coordinate_names
    flipped = {"pelvis_list", "pelvis_rotation", "pelvis_tz", "lumbar_bending", "lumbar_rotation"}
    assert flipped <= set(names)
    other = {name: name[:-1] + {"r": "l", "l": "r"}[name[-1]] if name[-2:] in ("_r", "_l") else name for name in names}
    S = np.zeros((len(names), len(names)))
    for i, name in enumerate(names):
        S[i, names.index(other[name])] = -1.0 if name in flipped else 1.0
    q, u = random_motion(inertial, 1)
    assert np.abs(S @ q - q).max() > 0.1
    here, there = inertial.evaluate(state_at(inertial, q, u)), inertial.evaluate(state_at(inertial, S @ q, S @ u))
    close(there.mass_matrix, S @ here.mass_matrix @ S.T, MIRROR)
    close(there.bias, S @ here.bias, MIRROR)
    close(there.gravity, S @ here.gravity, MIRROR)
    assert there.kinetic_energy == pytest.approx(here.kinetic_energy, rel=MIRROR)


MIRROR = 1e-3
"""Relative: the file's numbers have four to six digits and differ between the sides in the last."""


@pytest.mark.parametrize("name", ["gait10dof18musc", "arm26"])
def test_parts_sum_to_the_total(opensim_models: Path, name: str) -> None:
    inertial = heavy(opensim_models, name, "rigid_tendon")
    q, u = random_motion(inertial)
    terms = inertial.evaluate(state_at(inertial, q, u), per_muscle=True)
    assert tuple(terms.muscles) == inertial.muscle_names
    parts = terms.muscles.values()
    for attribute in ("mass_matrix", "bias", "gravity"):
        close(sum(getattr(p, attribute) for p in parts), getattr(terms, attribute), EXACT)
    for attribute in ("kinetic_energy", "potential_energy"):
        assert sum(getattr(p, attribute) for p in parts) == pytest.approx(getattr(terms, attribute), rel=1e-11)
    assert not inertial.evaluate(state_at(inertial, q, u)).muscles
    assert all(np.linalg.eigvalsh(p.mass_matrix).min() > -1e-12 for p in parts)


def test_same_bits_twice_and_results_are_frozen(opensim_models: Path) -> None:
    inertial = heavy(opensim_models, "gait10dof18musc")
    q, u = random_motion(inertial)
    one, two = (inertial.evaluate(state_at(inertial, q, u)) for _ in range(2))
    assert one.bias.tobytes() == two.bias.tobytes() and one.mass_matrix.tobytes() == two.mass_matrix.tobytes()
    with pytest.raises(ValueError, match="read-only"):
        one.mass_matrix[0, 0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.bias = two.bias
    points = next(iter(inertial.mass_points(state_at(inertial, q, u)).values()))
    for field in dataclasses.fields(points):
        with pytest.raises(ValueError, match="read-only"):
            getattr(points, field.name)[...] = 0


def test_the_state_given_is_not_changed(opensim_models: Path) -> None:
    for name in ("gait10dof18musc", "arm26"):
        inertial = heavy(opensim_models, name)
        q, u = random_motion(inertial)
        state = state_at(inertial, q, u)
        state.setTime(0.7)
        before = state.getY().to_numpy().copy()
        inertial.evaluate(state)
        inertial.mass_points(state)
        inertial.path_lengths(state)
        np.testing.assert_array_equal(state.getY().to_numpy(), before)
        assert state.getTime() == 0.7


# -- labels ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_labels_are_in_speed_order(opensim_models: Path, name: str) -> None:
    """One coordinate's speed, set by its name, is one entry of u; its value moves the points as its column says."""
    inertial = heavy(opensim_models, name)
    in_set = [c.getName() for c in inertial.model.getCoordinateSet()]
    assert sorted(in_set) == sorted(inertial.coordinate_names)
    q, _ = random_motion(inertial)
    for i, label in enumerate(inertial.coordinate_names):
        state = state_at(inertial, q)
        coordinate = inertial.model.getCoordinateSet().get(label)
        coordinate.setSpeedValue(state, 2.0)
        assert coordinate.getValue(state) == q[i]
        np.testing.assert_array_equal(state.getU().to_numpy(), 2.0 * np.eye(len(q))[i])
    moved = 0
    polylines = [m for m in inertial.muscle_names if m not in wrapping(opensim_models, name)][:12]
    shown = inertial.mass_points(state_at(inertial, q), polylines)
    for i in range(len(q)):

        def positions(change: float, i: int = i) -> np.ndarray:
            at = q.copy()
            at[i] += change
            found = inertial.mass_points(state_at(inertial, at), polylines, jacobians=False)
            return np.concatenate([p.positions for p in found.values()])

        if not polylines:
            continue
        slope = derivative(positions, 1e-3)
        column = np.concatenate([p.jacobians[:, :, i] for p in shown.values()])
        np.testing.assert_allclose(column, slope, rtol=0, atol=1e-8)
        moved += np.abs(slope).max() > 0.01
    assert moved > 0 or not polylines


def test_coordinate_set_order_is_another_one(opensim_models: Path) -> None:
    """Or the test above would show nothing."""
    inertial = heavy(opensim_models, "gait2392")
    assert tuple(c.getName() for c in inertial.model.getCoordinateSet()) != inertial.coordinate_names


# -- where the mass lies ---------------------------------------------------------------------------------------------

BELLIES = {"central": 0.5, "proximal": 0.0, "distal": 1.0}


@pytest.mark.parametrize("belly", [*BELLIES, (0.2, 0.9), (0.0, 1.0)])
@pytest.mark.parametrize("name", ["gait10dof18musc", "gait2392"])
def test_uniform_bellies_lie_on_opensims_path(opensim_models: Path, name: str, belly) -> None:  # type: ignore[no-untyped-def]
    polylines = [m for m in table(opensim_models, name)["muscle"] if m not in wrapping(opensim_models, name)]
    model = original(opensim_models, name)
    masses = oi.estimate_masses(model, muscles=polylines)
    inertial = oi.InertialModel(model, masses, "uniform", points=5, belly=belly)
    q, _ = random_motion(inertial)
    state = state_at(inertial, q)
    shown, lengths = inertial.mass_points(state), inertial.path_lengths(state)
    for muscle in polylines:
        live = inertial.model.getMuscles().get(muscle)
        if isinstance(belly, str):
            share = live.getOptimalFiberLength() / (live.getOptimalFiberLength() + live.getTendonSlackLength())
            start = BELLIES[belly] * (1 - share)
        else:
            start, share = belly[0], belly[1] - belly[0]
        L = live.getLength(state)
        assert lengths.loc[muscle, "path"] == pytest.approx(L, rel=EXACT)
        assert lengths.loc[muscle, "belly"] == pytest.approx(share * L, rel=EXACT)
        expected = along(live_polyline(inertial.model, state, muscle), (start + share * (np.arange(5) + 0.5) / 5) * L)
        np.testing.assert_allclose(shown[muscle].positions, expected, rtol=0, atol=1e-12)
        assert np.ptp(expected, axis=0).max() > 0.001


@pytest.mark.parametrize("proximal", [0.0, 0.25, 1.0])
def test_rigid_tendons_keep_their_length(opensim_models: Path, proximal: float) -> None:
    model = original(opensim_models, "gait10dof18musc")
    polylines = [
        m
        for m in table(opensim_models, "gait10dof18musc")["muscle"]
        if m not in wrapping(opensim_models, "gait10dof18musc")
    ]
    inertial = oi.InertialModel(model, oi.estimate_masses(model, muscles=polylines), points=5, proximal_tendon=proximal)
    bent = 0
    for seed in range(3):
        q, _ = random_motion(inertial, seed)
        state = state_at(inertial, q)
        shown, lengths = inertial.mass_points(state), inertial.path_lengths(state)
        for muscle in polylines:
            live = inertial.model.getMuscles().get(muscle)
            slack, L = live.getTendonSlackLength(), live.getLength(state)
            if L - slack < 0.2 * live.getOptimalFiberLength():
                continue
            bent += 1
            assert not lengths.loc[muscle, "held"]
            assert lengths.loc[muscle, "belly"] == pytest.approx(L - slack, rel=1e-11)
            s = proximal * slack + (np.arange(5) + 0.5) / 5 * (L - slack)
            expected = along(live_polyline(inertial.model, state, muscle), s)
            np.testing.assert_allclose(shown[muscle].positions, expected, rtol=0, atol=1e-12)
    assert bent > 10


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon"])
def test_explicit_points_lie_where_they_are_said_to(strain: str) -> None:
    explicit = oi.PointMasses([0.9, 0.0, 0.35, 1.0], [0.1, 0.2, 0.3, 0.4])
    inertial = oi.InertialModel(pendulum(BENT, slack=0.3), {"mus": explicit}, strain, proximal_tendon=0.4)
    state = state_at(inertial, [0.3, 0.8], [1.0, -2.0])
    points = inertial.mass_points(state)["mus"]
    np.testing.assert_array_equal(points.fractions, [0.0, 0.35, 0.9, 1.0])
    np.testing.assert_array_equal(points.masses, [0.2, 0.3, 0.1, 0.4])
    L = inertial.model.getMuscles().get("mus").getLength(state)
    start, length = (0.0, L) if strain == "uniform" else (0.4 * 0.3, L - 0.3)
    corners = live_polyline(inertial.model, state, "mus")
    np.testing.assert_allclose(points.positions, along(corners, start + points.fractions * length), rtol=0, atol=1e-13)
    terms = inertial.evaluate(state)
    close(terms.mass_matrix, np.einsum("k,kci,kcj->ij", points.masses, points.jacobians, points.jacobians), EXACT)
    assert inertial.masses.loc[0, "mass"] == pytest.approx(1.0)


def test_short_bellies_are_held_smoothly_and_named() -> None:
    model = pendulum([(1, (0.05, -0.1, 0)), (2, (0.05, -0.1, 0))], slack=0.38, fibre=0.1)
    inertial = oi.InertialModel(model, {"mus": 0.5})
    angles = np.linspace(0.0, 2.4, 97)
    table = pd.concat([inertial.path_lengths(state_at(inertial, [0.0, a])) for a in angles]).reset_index()
    held = table["held"].to_numpy()
    assert held.any() and not held.all()
    assert table["belly"].min() > 0.09 * 0.1  # never below the length at which it is held, a tenth of the fibre's
    free = table["path"] - 0.38 > 0.16 * 0.1
    np.testing.assert_allclose(table["belly"][free], table["path"][free] - 0.38, rtol=1e-12)
    with pytest.warns(oi.ShortBellyWarning, match="'mus'"):
        oi.InertialModel(model, {"mus": 0.5}).evaluate(state_at(inertial, [0.0, 2.4]))
    with warnings.catch_warnings():
        warnings.simplefilter("error", oi.ShortBellyWarning)
        inertial.evaluate(state_at(inertial, [0.0, 2.4]))  # once per object

    in_transition = [
        a for a, b, L in zip(angles, table["belly"], table["path"], strict=True) if 1e-4 < b - (L - 0.38) < 3e-3
    ]
    for angle in [in_transition[0], in_transition[-1], 2.4]:
        q, u = np.array([0.2, angle]), np.array([1.0, -2.0])
        exact = christoffel_bias(lambda at: inertial.evaluate(state_at(inertial, at)).mass_matrix, q, u, 1e-4)
        close(
            inertial.evaluate(state_at(inertial, q, u)).bias, exact, 1e-5
        )  # the hold's third derivative is 1 / its width squared


# -- what may be left out --------------------------------------------------------------------------------------------


def test_zero_masses_give_zeros(opensim_models: Path) -> None:
    model = original(opensim_models, "gait10dof18musc")
    masses = table(opensim_models, "gait10dof18musc")
    for nothing in ({}, masses.assign(mass=0.0), masses.iloc[:0]):
        inertial = oi.InertialModel(model, nothing)
        assert inertial.muscle_names == () and inertial.frozen == {} and inertial.shares == {}
        q, u = random_motion(inertial)
        terms = inertial.evaluate(state_at(inertial, q, u), per_muscle=True)
        n = len(inertial.coordinate_names)
        np.testing.assert_array_equal(terms.mass_matrix, np.zeros((n, n)))
        np.testing.assert_array_equal(terms.bias, np.zeros(n))
        np.testing.assert_array_equal(terms.gravity, np.zeros(n))
        assert terms.kinetic_energy == terms.potential_energy == 0.0
        assert (
            inertial.mass_points(state_at(inertial, q)) == {} and len(inertial.path_lengths(state_at(inertial, q))) == 0
        )
        for body, mine in zip(model.getBodySet(), inertial.model.getBodySet(), strict=True):
            assert body.getMass() == mine.getMass()


def test_muscles_not_named_stay_massless(opensim_models: Path) -> None:
    model = original(opensim_models, "gait10dof18musc")
    one = oi.InertialModel(model, {"soleus_r": 0.5})
    assert one.muscle_names == ("soleus_r",) and set(one.shares) == {"tibia_r"}
    q, u = random_motion(one)
    terms = one.evaluate(state_at(one, q, u))
    assert abs(terms.mass_matrix[one.coordinate_names.index("ankle_angle_r")]).max() > 1e-5
    left = one.coordinate_names.index("ankle_angle_l")
    np.testing.assert_array_equal(terms.mass_matrix[left], 0.0)


def with_path(kind: str) -> osim.Model:
    """A pendulum whose muscle "odd" has a path of another class; "mus" is ordinary."""
    model = pendulum(BENT)
    muscle = osim.Thelen2003Muscle("odd", 100.0, 0.1, 0.1, 0.0)
    if kind == "FunctionBasedPath":
        path = osim.FunctionBasedPath()
        path.setLengthFunction(osim.LinearFunction(0.05, 0.4))
        coordinates = osim.StdVectorString()
        coordinates.append(model.getCoordinateSet().get(0).getAbsolutePathString())
        path.setCoordinatePaths(coordinates)
        muscle.set_path(path)
        model.addForce(muscle)
    else:
        model.addForce(muscle)
        muscle.set_path(osim.Scholz2015GeometryPath())
        model.finalizeFromProperties()
        owned = osim.Muscle.safeDownCast(model.updForceSet().get("odd"))
        path = osim.Scholz2015GeometryPath.safeDownCast(owned.updPath())
        path.appendPathPoint(model.getGround(), osim.Vec3(0.05, 0.1, 0))
        path.appendPathPoint(model.getBodySet().get("link1"), osim.Vec3(0.05, -0.2, 0))
    model.finalizeConnections()
    return model


UNSUPPORTED = pytest.mark.parametrize("kind", ["FunctionBasedPath", "Scholz2015GeometryPath"])


@UNSUPPORTED
def test_unsupported_paths_are_named_or_left_massless(kind: str) -> None:
    model = with_path(kind)
    assert model.getMuscles().get("odd").getPath().getConcreteClassName() == kind
    masses = pd.DataFrame({"muscle": ["mus", "odd"], "mass": [0.5, 0.25], "segment": ["link1", "link2"]})
    with pytest.raises(oi.UnsupportedPathError, match=f"'odd'.*{kind}") as caught:
        oi.InertialModel(model, masses)
    assert caught.value.muscle == "odd"
    inertial = oi.InertialModel(model, masses, unsupported="massless")
    assert inertial.muscle_names == ("mus",) and inertial.left_massless == ("odd",)
    assert inertial.model.getBodySet().get("link2").getMass() == 4.0  # its mass stays in the segment
    assert inertial.model.getBodySet().get("link1").getMass() == 3.5
    assert np.abs(inertial.evaluate(inertial.initial_state()).mass_matrix).max() > 0.01
    oi.InertialModel(model, {"mus": 0.5})  # a muscle without mass may have any path


@UNSUPPORTED
def test_unsupported_paths_are_named_without_a_segment(kind: str) -> None:
    model = with_path(kind)
    with pytest.raises(oi.UnsupportedPathError, match=f"'odd'.*{kind}"):
        oi.InertialModel(model, {"mus": 0.5, "odd": 0.25})


@UNSUPPORTED
def test_unsupported_paths_are_left_massless_without_a_segment(kind: str) -> None:
    inertial = oi.InertialModel(with_path(kind), {"mus": 0.5, "odd": 0.25}, unsupported="massless")
    assert inertial.left_massless == ("odd",)


# -- errors ----------------------------------------------------------------------------------------------------------


def test_unknown_names_show_near_matches(opensim_models: Path) -> None:
    model = original(opensim_models, "gait10dof18musc")
    with pytest.raises(oi.UnknownNameError, match="'soleus'.*'soleus_[rl]'") as caught:
        oi.InertialModel(model, {"soleus": 0.2})
    assert "soleus_r" in caught.value.near_matches
    for option in ({"belly": {"soleus": "distal"}}, {"proximal_tendon": {"soleus": 0.3}}):
        with pytest.raises(oi.UnknownNameError, match="'soleus'"):
            oi.InertialModel(model, {"soleus_r": 0.2}, "uniform", **option)
    masses = table(opensim_models, "gait10dof18musc").assign(segment="tibia")
    with pytest.raises(oi.UnknownNameError, match="'tibia'.*'tibia_[rl]'"):
        oi.InertialModel(model, masses)
    inertial = oi.InertialModel(model, {"soleus_r": 0.2})
    with pytest.raises(oi.UnknownNameError, match="gastroc_r"):
        inertial.mass_points(inertial.initial_state(), ["gastroc_r"])


def test_segments_cannot_give_more_than_they_have() -> None:
    with pytest.raises(oi.SegmentMassError, match="'link1'.*'mus'") as caught:
        oi.InertialModel(pendulum(BENT), pd.DataFrame({"muscle": ["mus"], "mass": [4.0], "segment": ["link1"]}))
    assert (caught.value.segment, caught.value.available, caught.value.asked) == ("link1", 4.0, 4.0)


@pytest.mark.parametrize("mass", [-0.1, np.nan, np.inf, -np.inf, "heavy", None])
def test_impossible_masses(mass: object) -> None:
    with pytest.raises(oi.MassError, match="'mus'"):
        oi.InertialModel(pendulum(BENT), {"mus": mass})


@pytest.mark.parametrize("masses", [None, 5, [("mus", 0.2)], "no_such.csv"])
def test_masses_of_another_kind(masses: object) -> None:
    with pytest.raises(oi.InertiaError):
        oi.InertialModel(pendulum(BENT), masses)


@pytest.mark.parametrize(
    "option",
    [
        {"strain": "elastic"},
        {"distribution": "lumped"},
        {"wrapping": "magic"},
        {"unsupported": "ignore"},
        {"points": 0},
        {"points": 2.5},
        {"points": True},
        {"points": "20"},
        {"proximal_tendon": 1.1},
        {"proximal_tendon": float("nan")},
        {"strain": "uniform", "belly": "middle"},
        {"strain": "uniform", "belly": (0.5, 0.5)},
        {"strain": "uniform", "belly": (-0.1, 0.5)},
        {"strain": "uniform", "belly": (0.1, float("nan"))},
        {"strain": "uniform", "belly": {"mus": "middle"}},
    ],
)
def test_options_are_checked(option: dict[str, object]) -> None:
    with pytest.raises(oi.OptionError):
        oi.InertialModel(pendulum(BENT), {"mus": 0.1}, **option)


@pytest.mark.parametrize(
    "option",
    [{"points": "many"}, {"points": None}, {"points": float("nan")}, {"belly": 3}, {"proximal_tendon": "half"}],
)
def test_options_of_another_type_are_named(option: dict[str, object]) -> None:
    try:
        oi.InertialModel(pendulum(BENT), {"mus": 0.1}, "uniform", **option)
    except oi.OptionError as error:
        assert next(iter(option)) in str(error)
        return
    pytest.fail("accepted")


def test_states_of_other_models_and_not_finite_ones(opensim_models: Path) -> None:
    inertial = heavy(opensim_models, "gait10dof18musc")
    other = heavy(opensim_models, "arm26")
    stranger = other.initial_state()
    for ask in (inertial.evaluate, inertial.mass_points, inertial.path_lengths):
        with pytest.raises(oi.ModelError, match="another model"):
            ask(stranger)
    q, u = random_motion(inertial)
    knee = inertial.coordinate_names.index("knee_angle_r")
    for spoil in (q, u):
        kept, spoil[knee] = spoil[knee], np.nan
        for ask in (inertial.evaluate, inertial.mass_points, inertial.path_lengths):
            with pytest.raises(oi.ModelError, match="'knee_angle_r'"):
                ask(state_at(inertial, q, u))
        spoil[knee] = kept
    assert np.isfinite(inertial.evaluate(state_at(inertial, q, u)).bias).all()


@pytest.mark.parametrize("text", [None, "", "<OpenSimDocument", "<a></a>", "not xml", "\x00\x01\x02"])
def test_missing_or_malformed_models(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "bad.osim"
    if text is not None:
        path.write_text(text)
    with pytest.raises(oi.ModelError, match="bad.osim"):
        oi.InertialModel(path, {})
    with pytest.raises(oi.ModelError, match="not a file"):
        oi.InertialModel(tmp_path, {})


def test_a_path_is_as_good_as_a_model(opensim_models: Path) -> None:
    path = opensim_models / MODELS["gait10dof18musc"]
    by_path = oi.InertialModel(str(path), table(opensim_models, "gait10dof18musc"), "uniform")
    by_model = heavy(opensim_models, "gait10dof18musc")
    q, u = random_motion(by_model)
    one, two = (m.evaluate(state_at(m, q, u)) for m in (by_path, by_model))
    assert one.bias.tobytes() == two.bias.tobytes()
