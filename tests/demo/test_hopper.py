"""The hopper: it stands at its weight, holds itself, jumps, and what the ground gives is what it gains."""

import numpy as np
import pytest
from models.hopper import BODY_MASS, COORDINATES, MUSCLES, STANDING, hopper, hopper_masses

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.analyses.wrapping_report import compare_wraps

GRAVITY = 9.80665
WEIGHT = BODY_MASS * GRAVITY
STEP = 2e-3
JUMP = dict.fromkeys(MUSCLES, 1.0) | {"tib_ant": 0.01, "hamstrings": 0.2}
OPENSIM = 1e-4
"""Largest difference of a path's length from OpenSim's [m], smoothing included; measured 6e-6."""


@pytest.fixture(scope="module")
def standing() -> oi.InertialModel:
    """Every wrap led smoothly, or building it fails."""
    return oi.InertialModel(hopper(), hopper_masses(), wrapping=oi.Wrapping(strict=True))


@pytest.fixture(scope="module")
def jump(standing: oi.InertialModel) -> oi.forward_simulation.Trajectory:
    """Leaves the ground, and is on its way down at the end."""
    return oi.simulate(oi.Problem(standing, t_final=0.4, excitations=JUMP), oi.integrators.SDIRK2(step=STEP))


def ground_forces(trajectory: oi.forward_simulation.Trajectory) -> np.ndarray:
    """Upward, under heel and toes at every state (T, 2) [N]."""
    model, rows = trajectory.inertial.model, []
    contacts = [model.getForceSet().get(name) for name in ("heel", "toes")]
    for state in trajectory.states():
        model.realizeDynamics(state)
        rows.append([contact.getRecordValues(state).get(1) for contact in contacts])
    return np.array(rows)


def test_masses_and_wraps(standing: oi.InertialModel) -> None:
    stock = hopper()
    assert stock.getTotalMass(stock.initSystem()) == pytest.approx(BODY_MASS, rel=1e-12)
    state = standing.initial_state()
    muscles = sum(m.mass for m in MUSCLES.values())
    assert standing.model.getTotalMass(state) == pytest.approx(BODY_MASS, rel=1e-12)
    assert 0.1 * BODY_MASS < muscles < 0.15 * BODY_MASS
    assert standing.coordinate_names == COORDINATES
    found = compare_wraps(stock, poses=40, progress=False)
    assert set(found.index) == set(standing.wraps.sites) == {"glut_max", "rect_fem", "vasti", "gastroc"}
    assert (found["way"] == "analytic").all() and not standing.wraps.opensim
    assert found["length max [mm]"].max() < 1e3 * OPENSIM


@pytest.mark.slow
def test_it_stands_at_its_weight_and_holds_itself(standing: oi.InertialModel) -> None:
    held = oi.simulate(
        oi.Problem(standing, t_final=0.2, excitations={n: m.hold for n, m in MUSCLES.items()}),
        oi.integrators.SDIRK2(step=4e-3),
    )
    forces = ground_forces(held)
    assert forces[0].sum() == pytest.approx(WEIGHT, rel=2e-3)
    assert (forces[0] > 0.2 * WEIGHT).all()
    assert np.abs(forces.sum(axis=1) - WEIGHT).max() < 2e-3 * WEIGHT
    assert np.abs(held.coordinates().to_numpy() - STANDING).max() < 2e-3
    slack = oi.InertialModel(hopper(hold=False), hopper_masses(), wrapping=oi.Wrapping(strict=True))
    fallen = oi.simulate(
        oi.Problem(slack, t_final=0.2, excitations=dict.fromkeys(MUSCLES, 0.02)), oi.integrators.SDIRK2(step=4e-3)
    )
    assert fallen.coordinates()["pelvis_ty"].iloc[-1] < STANDING[0] - 0.05


@pytest.mark.slow
def test_it_jumps(jump: oi.forward_simulation.Trajectory) -> None:
    height, forces = jump.coordinates()["pelvis_ty"].to_numpy(), ground_forces(jump).sum(axis=1)
    airborne = np.abs(forces) < 1e-2
    first = int(np.argmax(airborne))
    assert 0.1 < jump.times[first] < 0.3 and airborne[first + 10 :].all()
    assert forces.max() > 2 * WEIGHT
    assert height.max() > STANDING[0] + 0.25 and height[-1] < height.max() - 5e-3
    angles = np.degrees(jump.coordinates()[list(COORDINATES[1:])])
    assert angles["knee_angle"].max() < 20 and angles["ankle_angle"].min() > -60  # limits hold


@pytest.mark.slow
def test_the_grounds_impulse_is_the_momentum_gained(
    standing: oi.InertialModel, jump: oi.forward_simulation.Trajectory
) -> None:
    """All masses, the muscles' too, rise with pelvis_ty: its generalized momentum is the vertical one of everything."""
    matrix, momentum, lumped = osim.Matrix(), [], []
    for state in jump.states():
        standing.model.getMatterSubsystem().calcM(state, matrix)
        published, sliding = matrix.to_numpy(), standing.evaluate(state).mass_matrix
        momentum.append((published + sliding)[0] @ state.getU().to_numpy())
        lumped.append(published[0] @ state.getU().to_numpy())
    momentum, net = np.array(momentum), ground_forces(jump).sum(axis=1) - WEIGHT
    gained = np.concatenate([[0.0], np.cumsum(0.5 * STEP * (net[1:] + net[:-1]))])
    assert momentum.max() > 50
    assert np.abs(momentum - gained).max() < 1e-3 * momentum.max()  # measured 3.5e-4, a quarter at half the step
    assert np.abs(np.array(lumped) - gained).max() > 5e-3 * momentum.max()  # what slides is 8e-3 of it
    flight = slice(-50, None)
    np.testing.assert_allclose(np.diff(momentum[flight]) / STEP, -WEIGHT, rtol=1e-3)


def test_work_is_energy_while_nothing_slips(jump: oi.forward_simulation.Trajectory) -> None:
    """In flight: the muscles' work on the skeleton less what joint limits dissipate."""
    flight = slice(-75, None)
    energy, work = jump.energy(), jump.work().sum(axis=1)
    gained = (energy["total"] - energy["elastic_muscles"]).to_numpy()[flight]
    done = work.to_numpy()[flight]
    lost = (done - done[0]) - (gained - gained[0])
    assert (np.diff(lost) > -1e-3).all()
    assert np.ptp(done) > 1.0


@pytest.mark.slow
def test_fixed_steps_agree_with_error_control(
    standing: oi.InertialModel, jump: oi.forward_simulation.Trajectory
) -> None:
    end = oi.simulate(oi.Problem(standing, t_final=0.15, excitations=JUMP), oi.integrators.BDF(accuracy=1e-8)).y[-1, :4]
    at = int(np.searchsorted(jump.times, 0.15 - 1e-9))
    assert np.abs(jump.y[at, :4] - end).max() < 1e-4


@pytest.mark.parametrize(
    ("muscle", "coordinate", "least", "most"),
    [
        ("glut_max", "hip_flexion", -0.08, -0.04),
        ("hamstrings", "hip_flexion", -0.09, -0.04),
        ("hamstrings", "knee_angle", -0.07, -0.02),
        ("rect_fem", "hip_flexion", 0.03, 0.07),
        ("rect_fem", "knee_angle", 0.03, 0.05),
        ("vasti", "knee_angle", 0.03, 0.05),
        ("gastroc", "knee_angle", -0.04, -0.01),
        ("gastroc", "ankle_angle", -0.06, -0.02),
        ("soleus", "ankle_angle", -0.06, -0.02),
        ("tib_ant", "ankle_angle", 0.03, 0.06),
    ],
)
def test_moment_arms(standing: oi.InertialModel, muscle: str, coordinate: str, least: float, most: float) -> None:
    """-dL/dq of our own paths [m], crouched and nearly straight; extension of the knee positive."""
    state, step, axis = standing.initial_state(), 1e-5, np.eye(4)[COORDINATES.index(coordinate)]
    for pose in (np.array(STANDING), np.array([0.9, 0.1, -0.2, -0.1])):
        ends = []
        for s in (-1, 1):
            standing.coordinates.set_values(state, pose + s * step * axis)
            standing.model.realizeVelocity(state)
            ends.append(standing.path_lengths(state)["path"][muscle])
        assert least < (ends[0] - ends[1]) / (2 * step) < most
