"""Constraints hold while a model moves: position, velocity, prescribed motion, locks; ball and free joints."""

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles import limbs
from oracles.integrators import OF_EACH_KIND, STEPPED_HERE

import opensim_inertia as oi

MET = 1e-8  # m or rad, and their rates, at every state; met to 1e-10 by projection
FOLLOWED = 1e-9  # rad, of prescribed motion; measured 1e-11
DRIFT = 1e-6  # Of the total energy, relative to the largest kinetic one, at accuracy 1e-9; measured 2e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", slow_except(set(limbs.CONSTRAINED) - {"tied", "locked couple", "prescribed"}, limbs.CONSTRAINED)
)
def test_constraints_hold(kind: str) -> None:
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    state = state_of(inertial)
    trajectory = oi.simulate(oi.Problem(inertial, state, 0.5), oi.integrators.Automatic(accuracy=1e-9))
    assert np.abs(trajectory.y[-1] - trajectory.y[0]).max() > 0.3
    assert limbs.constraint_error(trajectory.states()) < MET
    values, speeds = trajectory.coordinates(), trajectory.speeds()
    if kind == "locked":
        assert np.ptp(values["q4"]) < FOLLOWED and np.abs(speeds["q4"]).max() < FOLLOWED
    if kind == "prescribed":
        amplitude, rate, phase, offset = limbs.PRESCRIBED
        wanted = amplitude * np.sin(rate * trajectory.times + phase) + offset
        np.testing.assert_allclose(values["q2"], wanted, rtol=0, atol=FOLLOWED)
        fast = amplitude * rate * np.cos(rate * trajectory.times + phase)
        np.testing.assert_allclose(speeds["q2"], fast, rtol=0, atol=FOLLOWED)
    else:  # the others do no work
        energy = trajectory.energy()
        assert np.ptp(energy["total"]) < DRIFT * energy["kinetic"].max()
        assert np.ptp(energy["kinetic_muscles"]) > 1e-2


@pytest.mark.parametrize("integrator", slow_except(OF_EACH_KIND, STEPPED_HERE))
def test_every_integrator_meets_constraints(integrator: str) -> None:
    """Also at reported times between steps."""
    model, state_of = limbs.constrained("held body")
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    state = state_of(inertial)
    for report in (None, 0.007):
        trajectory = oi.simulate(oi.Problem(inertial, state, 0.1), integrator, report_step=report)
        assert len(trajectory) > 3
        assert limbs.constraint_error(trajectory.states()) < MET


def test_start_is_moved_onto_the_constraints() -> None:
    """By the smallest change in the metric of the mass matrix: a start that meets them stays where it is."""
    model, state_of = limbs.constrained("coupled")
    inertial = oi.InertialModel(model, {"muscle": 0.8})
    state = state_of(inertial)
    q = state.getQ().to_numpy().copy()
    assert abs(q[2] + 1.5 * q[1] - 0.1) > 0.1
    first = oi.simulate(oi.Problem(inertial, state, 0.01)).y[0]
    assert abs(first[2] + 1.5 * first[1] - 0.1) < MET
    assert abs(first[7] + 1.5 * first[6]) < MET  # their speeds
    np.testing.assert_array_equal(state.getQ().to_numpy(), q)
    # another start that meets them is no closer
    inertial.model.realizePosition(state)
    matrix = osim.Matrix()
    inertial.model.getMatterSubsystem().calcM(state, matrix)
    mass, change = matrix.to_numpy(), first[:5] - q
    tangent = np.array([0.0, 1.0, -1.5, 0.0, 0.0])
    for other in (tangent, np.eye(5)[0], np.eye(5)[3]):
        assert abs(other @ mass @ change) < 1e-8 * np.sqrt(other @ mass @ other)
    state.setY(osim.Vector.createFromMat(first.copy()))
    np.testing.assert_array_equal(oi.simulate(oi.Problem(inertial, state, 0.01)).y[0], first)


def test_locks_of_the_given_state_hold() -> None:
    """Not those of the model; a coordinate locked in the model may be free in the state."""
    model = limbs.chain(3)
    model.updCoordinateSet().get("q1").setDefaultLocked(True)
    inertial = oi.InertialModel(model, {"muscle": 0.5})
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.array([0.3, 0.2, 0.1])))
    coordinates = inertial.model.getCoordinateSet()
    coordinates.get("q1").setLocked(state, False)
    coordinates.get("q3").setLocked(state, True)
    values = oi.simulate(oi.Problem(inertial, state, 0.3)).coordinates()
    assert np.ptp(values["q1"]) > 0.05
    assert np.ptp(values["q3"]) < FOLLOWED


@pytest.mark.slow
@pytest.mark.parametrize("base", ["ball", "free"])
def test_ball_and_free_joints_turn_right(base: str) -> None:
    """The slot of q that is not used stays so, and Euler angles turn as the speeds, angular velocities, say."""
    inertial = oi.InertialModel(limbs.limbs(base), limbs.masses())
    state, rng = inertial.initial_state(), np.random.default_rng(1)
    n = state.getNU()
    assert state.getNQ() == n + 1 and inertial.coordinates.nq == n + 1
    inertial.coordinates.set_values(state, rng.uniform(-0.3, 0.3, n))
    state.setU(osim.Vector.createFromMat(rng.normal(size=n)))
    trajectory = oi.simulate(oi.Problem(inertial, state, 1.0), oi.integrators.DOP853(accuracy=1e-10), report_step=1e-3)
    energy = trajectory.energy()
    assert np.ptp(energy["total"]) < 1e-9 * energy["kinetic"].max()  # measured 6e-12
    unused = sorted(set(range(n + 1)) - set(inertial.coordinates.slots.tolist()))
    assert len(unused) == 1 and np.abs(trajectory.y[:, unused]).max() == 0
    # the trunk's rotation turns with its angular velocity, differenced along the motion
    body = inertial.model.getBodySet().get("trunk")
    rotations, spins = [], []
    for moved in trajectory.states():
        R = body.getTransformInGround(moved).R()
        rotations.append([[R.get(i, j) for j in range(3)] for i in range(3)])
        spins.append(body.getAngularVelocityInGround(moved).to_numpy().copy())
    R, w = np.array(rotations), np.array(spins)
    rate = (8 * (R[3:-1] - R[1:-3]) - (R[4:] - R[:-4])) / (12 * 1e-3)
    turned = np.cross(w[2:-2, None], np.swapaxes(R[2:-2], 1, 2))  # w x each column
    assert np.abs(w).max() > 0.5
    np.testing.assert_allclose(np.swapaxes(turned, 1, 2), rate, rtol=0, atol=1e-7)  # h^4 of the difference
    assert trajectory.coordinates().shape[1] == n
