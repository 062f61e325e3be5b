"""InertialModel: axioms of mechanics on real models, and on two links."""

from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles.finite_differences import Array, christoffel_bias, gradient
from oracles.live_states import REORDERED, check_sums, close, state_at
from oracles.real_models import MODELS, STRAINS, heavy, original, random_motion, wrapping
from oracles.two_links import BENT, two_links

import opensim_inertia as oi

FIRST_DIFFERENCE = 1e-8  # Relative: fourth-order stencil with steps of 1e-3 away from splines' knots; measured 2e-10
CHRISTOFFEL = 1e-6  # Relative: one more derivative; measured below 1e-8
SHORT_STEP = 3e-5
"""Where the belly's end slides over a corner dM has a kink: with all muscles of a model, one is soon within 3e-4."""
WRAPPED_CHRISTOFFEL = 1e-4
"""Relative: OpenSim's path is differenced twice (rounding 1e-8 of the second derivative),
and dM is differenced again by the test; OpenSim's ellipsoid is itself smooth to no more than that."""
DENSE = 4000
"""Points that stand for the continuous mass: the midpoint rule errs by 1/(4 n^2) within segments, by 1/n at corners."""

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


#: Of the real models, those that make the quick cases: one whose muscles wrap, and one whose points move.
QUICK = ["arm26", "gait10dof18musc"]


@pytest.mark.parametrize("strain", STRAINS)
@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("name", slow_except(QUICK, MODELS))
def test_mass_matrix_and_energy(opensim_models: Path, name: str, strain: str, distribution: str) -> None:
    """Of muscles dM is symmetric and positive semidefinite, and u^T dM u twice the kinetic energy."""
    inertial = heavy(opensim_models, name, strain, distribution)
    q, u = random_motion(inertial)
    state = state_at(inertial, q, u)
    terms = inertial.evaluate(state, subtract_frozen=False)
    dM = terms.mass_matrix
    assert np.abs(dM).max() > 1e-3
    np.testing.assert_array_equal(dM, dM.T)
    assert np.linalg.eigvalsh(dM).min() > -REORDERED * np.abs(dM).max()
    M = osim.Matrix()
    inertial.model.getMatterSubsystem().calcM(state, M)
    assert np.linalg.eigvalsh(M.to_numpy() + inertial.evaluate(state).mass_matrix).min() > 0
    assert terms.kinetic_energy > 1e-4
    assert terms.kinetic_energy == pytest.approx(0.5 * u @ dM @ u, rel=1e-11)
    if distribution == "points":
        shown = inertial.mass_points(state).values()
        assert terms.kinetic_energy == pytest.approx(
            sum(0.5 * (p.masses * (p.velocities**2).sum(axis=1)).sum() for p in shown), rel=1e-11
        )
        g = inertial.model.getGravity().to_numpy()
        check_sums(terms, shown, g)
        assert terms.potential_energy == pytest.approx(-sum(p.masses @ p.positions @ g for p in shown), rel=1e-11)


@pytest.mark.parametrize("strain", STRAINS)
@pytest.mark.parametrize("name", slow_except(QUICK, [*QUICK, "gait2392", "leg6dof9musc"]))
def test_gravity_is_the_slope_of_potential_energy(opensim_models: Path, name: str, strain: str) -> None:
    inertial = heavy(opensim_models, name, strain, wraps=name == "arm26")
    q, _ = random_motion(inertial, 1)

    def potential_energy(at: Array) -> float:
        return inertial.evaluate(state_at(inertial, at), subtract_frozen=False).potential_energy

    slope = gradient(potential_energy, q)
    terms = inertial.evaluate(state_at(inertial, q), subtract_frozen=False)
    close(terms.gravity, -slope, 1e-5 if name == "arm26" else FIRST_DIFFERENCE)


@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("strain", STRAINS)
@pytest.mark.parametrize("name", slow_except(["gait10dof18musc"], ["gait10dof18musc", "gait2392", "leg6dof9musc"]))
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
    model = two_links(BENT)
    continuous = oi.InertialModel(model, {"mus": 1.0}, oi.StrainModel("uniform", belly=(0.0, 1.0)))
    fractions = (np.arange(DENSE) + 0.5) / DENSE
    dense = oi.InertialModel(model, {"mus": oi.masses.PointMasses(fractions, np.full(DENSE, 1 / DENSE))}, "uniform")
    q, u = np.array([0.4, 0.9]), np.array([1.3, -2.1])
    ours, points = (m.evaluate(state_at(m, q, u), subtract_frozen=False) for m in (continuous, dense))
    close(points.mass_matrix, ours.mass_matrix, 1 / DENSE)
    exact = christoffel_bias(
        lambda at: continuous.evaluate(state_at(continuous, at), subtract_frozen=False).mass_matrix, q, u
    )
    close(ours.bias, exact, CHRISTOFFEL)
    assert np.abs(points.bias - exact).max() > 1e-3 * np.abs(exact).max()
    straight = two_links([BENT[0], BENT[-1]])  # no corner, no difference
    continuous = oi.InertialModel(straight, {"mus": 1.0}, oi.StrainModel("uniform", belly=(0.0, 1.0)))
    dense = oi.InertialModel(straight, {"mus": oi.masses.PointMasses(fractions, np.full(DENSE, 1 / DENSE))}, "uniform")
    close(dense.evaluate(state_at(dense, q, u)).bias, continuous.evaluate(state_at(continuous, q, u)).bias, 1e-6)


@pytest.mark.parametrize("strain", STRAINS)
def test_muscle_on_one_body_is_rigid(strain: str) -> None:
    """Points of a single body: OpenSim's terms of a welded body with the mass properties of a bent bar."""
    stations = np.array([[0.05, -0.05, 0.0], [0.07, -0.2, 0.03], [0.02, -0.4, -0.01]])
    model = two_links([(2, tuple(s)) for s in stations], slack=0.0)
    inertial = oi.InertialModel(model, {"mus": 1.5}, oi.StrainModel(strain, belly=(0.0, 1.0)))
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
    terms = inertial.evaluate(state_at(inertial, q, u), subtract_frozen=False)
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
    difference = inertial.evaluate(state_at(inertial, q, u))
    for attribute in ("mass_matrix", "bias", "gravity"):
        scale = np.abs(getattr(terms, attribute)).max()
        np.testing.assert_allclose(getattr(difference, attribute), 0.0, rtol=0, atol=REORDERED * scale)


@pytest.mark.slow
@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("name", ["gait10dof18musc", "arm26"])
def test_without_aponeuroses_fibres_are_rigid_tendons_bellies(
    opensim_models: Path, name: str, distribution: str
) -> None:
    """All of the slack length free tendon, a fifth of it at the origin: to rounding the other strain model."""
    model, masses = original(opensim_models, name), oi.estimate_masses(original(opensim_models, name))
    slack = np.array([model.getMuscles().get(m).getTendonSlackLength() for m in masses["muscle"]])
    masses["belly"] = np.nan
    masses["free_tendon_proximal"], masses["free_tendon_distal"] = 0.2 * slack, 0.8 * slack
    fibres = oi.InertialModel(model, masses, "aponeurosis", distribution, 9)
    rigid = oi.InertialModel(model, masses, oi.StrainModel("rigid_tendon", proximal_tendon=0.2), distribution, 9)
    q, u = random_motion(fibres, 4)
    states = [state_at(m, q, u) for m in (fibres, rigid)]
    one, other = (m.evaluate(state) for m, state in zip((fibres, rigid), states, strict=True))
    for attribute in ("mass_matrix", "bias", "gravity"):
        close(getattr(one, attribute), getattr(other, attribute), REORDERED)
    assert one.kinetic_energy == pytest.approx(other.kinetic_energy, rel=REORDERED)
    shown = [m.mass_points(state) for m, state in zip((fibres, rigid), states, strict=True)]
    for muscle, ours in shown[0].items():
        np.testing.assert_allclose(ours.positions, shown[1][muscle].positions, rtol=0, atol=REORDERED)
        np.testing.assert_allclose(ours.jacobians, shown[1][muscle].jacobians, rtol=0, atol=REORDERED)
        np.testing.assert_allclose(ours.jdot_u, shown[1][muscle].jdot_u, rtol=0, atol=REORDERED)
    udot = np.random.default_rng(5).normal(size=len(q))
    tau = [
        m.evaluation.inverse([m.dynamics.read(state)], udot[None])[0]
        for m, state in zip((fibres, rigid), states, strict=True)
    ]
    close(tau[0], tau[1], REORDERED)
    lengths = [m.path_lengths(state) for m, state in zip((fibres, rigid), states, strict=True)]
    for column in ("path", "belly", "fibre"):
        np.testing.assert_allclose(lengths[0][column], lengths[1][column], rtol=REORDERED)


@pytest.mark.parametrize("strain", STRAINS)
def test_many_points_are_the_continuous_mass(opensim_models: Path, strain: str) -> None:
    """A lattice over fibres and aponeuroses, or points along fibres: dM and g_m converge to those of all mass."""
    few, many, exact = (
        oi.InertialModel(original(opensim_models, "gait10dof18musc"), heavy(opensim_models, "gait10dof18musc").masses,
                         strain, distribution, points)
        for distribution, points in (("points", 55), ("points", 1597), ("continuous", 1))
    )  # fmt: skip
    q, u = random_motion(exact, 2)
    terms = [m.evaluate(state_at(m, q, u)) for m in (few, many, exact)]
    for attribute, tolerance in (("mass_matrix", 1e-3), ("gravity", 1e-3)):
        scale = np.abs(getattr(terms[2], attribute)).max()
        off = [np.abs(getattr(t, attribute) - getattr(terms[2], attribute)).max() / scale for t in terms[:2]]
        assert off[1] < tolerance and off[1] < 0.3 * off[0], off
