"""Rightmost roots of equations with delays, against Lambert's W, and against simulations."""

import numpy as np
import pytest
from models.hip_feedback import GAINS
from models.hopper import hopper, hopper_masses
from models.standing import LEG_LENGTH, LEG_MASS
from oracles.controlled import GRAVITY, INERTIA, LENGTH, MASS, pendulum, standing_at
from scipy.optimize import brentq
from scipy.special import lambertw

import opensim_inertia as oi
from opensim_inertia import Problem
from opensim_inertia.analyses.stability.result import characteristic_matrix, rightmost_roots
from opensim_inertia.dynamics.control import NeuralControl, Neuron, Synapse
from opensim_inertia.dynamics.control.system import ControlledSystem
from opensim_inertia.dynamics.equations import start
from opensim_inertia.dynamics.equations.problem import History

STIFFNESS, DAMPING = 6.0, 2.0


@pytest.mark.parametrize(("a", "delay"), [(-1.0, 1.0), (-2.5, 1.0), (0.3, 0.7), (-5.0, 0.2)])
def test_roots_of_a_scalar_are_lamberts(a: float, delay: float) -> None:
    found = rightmost_roots(np.zeros((1, 1)), [np.array([[a]])], [delay])
    exact = np.array([lambertw(a * delay, k) / delay for k in range(-9, 10)])
    exact = exact[np.argsort(-exact.real)][: len(found)]
    assert len(found) >= 10
    for root in exact:
        assert np.abs(found - root).min() < 1e-13 * (1 + abs(root))


def test_feedback_throws_a_leg_that_is_off_the_ground() -> None:
    """Why a lifted leg swings ever faster: the loop around the leg alone, with its mass about the hip, is unstable."""
    inertia = LEG_MASS * ((LEG_LENGTH * (1 - 0.553)) ** 2 + (0.326 * LEG_LENGTH) ** 2)
    A = np.array([[0.0, 1.0], [-LEG_MASS * 9.80665 * LEG_LENGTH * (1 - 0.553) / inertia, 0.0]])
    delayed = np.array([[0.0, 0.0], [-GAINS[0] / inertia, -GAINS[1] / inertia]])
    assert rightmost_roots(A, [delayed], [0.12])[0] == pytest.approx(5.41 + 14.95j, abs=0.01)


def test_roots_of_matrices_are_singular_and_none_is_missed() -> None:
    """Diagonal blocks whose roots are known, turned by a random matrix, with a second delay that does nothing new."""
    turn = np.random.default_rng(2).standard_normal((4, 4))
    rates, gains, delay = np.array([-0.5, 0.2, -1.0, 0.0]), np.array([-1.0, -2.0, 0.0, -0.7]), 0.8
    A = turn @ np.diag(rates) @ np.linalg.inv(turn)
    delayed = turn @ np.diag(gains) @ np.linalg.inv(turn)
    found = rightmost_roots(A, [0.4 * delayed, 0.6 * delayed], [delay, delay], 6)
    exact = [-1.0]
    for a, b in ((-0.5, -1.0), (0.2, -2.0), (0.0, -0.7)):
        exact += [a + lambertw(b * delay * np.exp(-a * delay), k) / delay for k in range(-6, 6)]
    exact = sorted(exact, key=lambda s: -np.real(s))
    for root in exact[:6]:
        assert np.abs(found - root).min() < 1e-12
    sizes = np.linalg.svd(characteristic_matrix(found[0], A, [delayed], [delay]), compute_uv=False)
    assert sizes[-1] < 1e-12


def feedback(delay: float) -> NeuralControl:
    """Holds the pendulum upside down."""
    inputs = [Synapse("q/value", -STIFFNESS, np.pi, delay), Synapse("q/speed", -DAMPING, 0.0, delay)]
    return NeuralControl([Neuron("motor", inputs)])


@pytest.fixture(scope="module")
def upside_down() -> oi.InertialModel:
    return pendulum()


@pytest.fixture(scope="module")
def critical(upside_down: oi.InertialModel) -> float:
    """The delay at which the rightmost root crosses; in closed form the loop has gain 1 and uses up the phase."""
    upright = standing_at(upside_down, np.pi)

    def growth(delay: float) -> float:
        return float(oi.linearize(upside_down, upright, control=feedback(delay)).eigenvalues()[0].real)

    return float(brentq(growth, 0.2, 0.3, xtol=1e-12))


def test_the_critical_delay_is_that_of_the_closed_form(critical: float) -> None:
    inertia, fall = INERTIA + MASS * LENGTH**2, MASS * GRAVITY * LENGTH
    # |k + i c w| = I w^2 + m g l at the crossing
    w = brentq(lambda w: np.hypot(STIFFNESS, DAMPING * w) - inertia * w**2 - fall, 1.0, 20.0)
    assert critical == pytest.approx(np.arctan2(DAMPING * w, STIFFNESS) / w, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.98, 1.02])
def test_a_delayed_pendulum_grows_as_its_rightmost_root_says(
    upside_down: oi.InertialModel, critical: float, share: float
) -> None:
    control = feedback(share * critical)
    upright = standing_at(upside_down, np.pi)
    root = oi.linearize(upside_down, upright, control=control).eigenvalues()[0]
    assert (root.real > 0) == (share > 1)
    pushed = standing_at(upside_down, np.pi + 1e-5)
    found = oi.simulate(
        oi.Problem(upside_down, pushed, 16.0, equilibrate=False, control=control),
        oi.integrators.DOP853(accuracy=1e-12),
        report_step=0.01,
    )
    mode = found.y[:, 1] - np.conj(root) * (found.y[:, 0] - np.pi)
    i, j = np.searchsorted(found.times, (9.995, 15.995))  # the other roots have died away
    phase = np.unwrap(np.angle(mode))
    seen = (np.log(abs(mode[j] / mode[i])) + 1j * (phase[j] - phase[i])) / (found.times[j] - found.times[i])
    assert abs(seen - root) < 1e-7


def test_matrices_with_a_control_are_differences_of_the_right_hand_side() -> None:
    """Muscles with mass; a signal of now, signals of the past, and a state of the control."""
    inertial = oi.InertialModel(hopper(), hopper_masses())
    slow = [Synapse("com/y", 1.0), Synapse("knee_angle/speed", 0.5, 0.0, 0.02)]
    control = NeuralControl(
        [
            Neuron("vasti", [Synapse("vasti/path_length", 0.3), Synapse("slow", 0.2), Synapse(lambda t: 0.2)]),
            Neuron("soleus", [Synapse("soleus/path_velocity", 0.1, 0.0, 0.03), Synapse(lambda t: 0.3)], "sigmoid"),
            Neuron("slow", slow, "tanh", excites=False, time_constant=0.1),
        ]
    )
    state = inertial.initial_state()
    with pytest.warns(oi.warnings.OffEquilibriumWarning):
        found = oi.linearize(inertial, state, control=control)
    assert found.delays == (0.02, 0.03)
    assert found.state_names[-1] == "/control/slow"
    plant, t, y = start(Problem(inertial, state, equilibrate=False))
    y = np.r_[y, 0.0]
    layout = ControlledSystem(plant, control).layout
    entries = [layout.state_variable(name) for name in found.state_names]

    def slopes(column: int, now: bool) -> np.ndarray:
        unit = 1e-6 * np.eye(len(y))[entries[column]]
        ends = []
        for moved in (y + unit, y - unit):
            system = ControlledSystem(plant, control, History(t, y if now else moved))
            ends.append(system.rhs(t, moved if now else y)[entries])
        return (ends[0] - ends[1]) / 2e-6

    for column, name in enumerate(found.state_names):
        present, before = slopes(column, True), slopes(column, False)
        assert np.abs(present - found.A[:, column]).max() < 1e-6 * (1 + np.abs(present).max()), name
        assert np.abs(before - sum(found.delayed)[:, column]).max() < 1e-6 * (1 + np.abs(before).max()), name
    assert min(np.abs(matrix).max() for matrix in found.delayed) > 0.01
