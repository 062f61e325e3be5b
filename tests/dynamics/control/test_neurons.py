"""Neurons: shapes, layers, loops; and signals against OpenSim and differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from models.hopper import BODY_MASS, hopper, hopper_masses
from oracles.controlled import pendulum, standing_at
from oracles.dense_dynamics import sliding_points

import opensim_inertia as oi
from opensim_inertia.dynamics.control import NeuralControl, Neuron, Synapse
from opensim_inertia.dynamics.control.system import ControlledSystem, feedback
from opensim_inertia.dynamics.equations import Problem, start

SHAPES = {
    "linear": (lambda x: x, lambda x: 1.0),
    "sigmoid": (lambda x: 1 / (1 + np.exp(-x)), lambda x: np.exp(-x) / (1 + np.exp(-x)) ** 2),
    "tanh": (np.tanh, lambda x: np.cosh(x) ** -2),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_slopes_of_layers_follow_the_chain_rule(shape: str) -> None:
    network = NeuralControl(
        [
            Neuron("motor", [Synapse("inner", 0.7, 0.1, 0.05), Synapse("slow", -0.4), Synapse("q/speed", 0.2)], shape),
            Neuron("inner", [Synapse("q/value", 1.3, 0.2, 0.03), Synapse(np.sin)], shape, excites=False),
            Neuron("slow", [Synapse("inner", 2.0), Synapse("motor", 0.3, 0.0, 0.1)], shape, None, False, 0.2, 0.4),
        ]
    )
    assert network.delays == pytest.approx((0.03, 0.08, 0.1, 0.18))
    inertial = pendulum()
    plant, t, y = start(Problem(inertial, standing_at(inertial, 0.4)))
    q, u, slow = y[0], y[1], 0.4
    system = ControlledSystem(plant, network)
    found = feedback(system, t, np.r_[y, slow])
    s, slope = SHAPES[shape]

    def inner(ago: float) -> float:
        return 1.3 * (q - 0.2) + np.sin(t - ago)

    def motor(ago: float) -> float:
        return 0.7 * (s(inner(ago + 0.05)) - 0.1) - 0.4 * slow + 0.2 * u

    excited, rates = np.zeros((5, 3)), np.zeros((5, 3))  # over q, its speed and "slow", at delays 0, 0.03, 0.08 ...
    excited[0, 1:] = slope(motor(0.0)) * np.array([0.2, -0.4])
    excited[2, 0] = slope(motor(0.0)) * 0.7 * slope(inner(0.05)) * 1.3
    total = slope(2.0 * s(inner(0.0)) + 0.3 * s(motor(0.1)))
    rates[1, 0] = total * 2.0 * slope(inner(0.0)) * 1.3 / 0.2
    rates[0, 2] = -1 / 0.2
    rates[3, 1:] = total * 0.3 * slope(motor(0.1)) * np.array([0.2, -0.4]) / 0.2
    rates[4, 0] = total * 0.3 * slope(motor(0.1)) * 0.7 * slope(inner(0.15)) * 1.3 / 0.2
    np.testing.assert_allclose(found.excitations[:, system.drives.control_names.index("motor")], excited, atol=1e-9)
    np.testing.assert_allclose(found.rates[:, 0], rates, atol=1e-9)


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: Synapse("q/value", delay=-0.1), oi.errors.OptionError, r"delay=-0\.1"),
        (lambda: Neuron("a", [], "tanj"), oi.errors.OptionError, "tanh"),
        (lambda: NeuralControl([Neuron("a", []), Neuron("a", [])]), oi.errors.OptionError, "its own name"),
        (
            lambda: NeuralControl([Neuron("a", [Synapse("b")]), Neuron("b", [Synapse("a")])]),
            oi.errors.ModelError,
            "an instantaneous loop: a <- b <- a",
        ),
        (
            lambda: NeuralControl([Neuron("a", [Synapse("b")]), Neuron("b", [Synapse("a", delay=0.1)])]),
            oi.errors.ModelError,
            "time constant",
        ),
    ],
)
def test_bad_networks_are_refused(make: Callable[[], object], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        make()


def test_unknown_signals_and_actuators_have_near_matches() -> None:
    for name, source, match in (("motor", "q/valu", "did you mean 'q/value'"), ("motr", "q/value", "'motor'")):
        with pytest.raises(oi.errors.UnknownNameError, match=match):
            oi.simulate(
                oi.Problem(pendulum(), t_final=0.1, control=NeuralControl([Neuron(name, [Synapse(source, delay=0.1)])]))
            )


def test_a_loop_through_a_muscle_is_named() -> None:
    """Tension follows the excitation at once only without activation dynamics."""
    model = hopper()
    control = NeuralControl([Neuron("soleus", [Synapse("soleus/tension", 1e-5)])])
    inertial = oi.InertialModel(model, hopper_masses())
    assert len(oi.simulate(oi.Problem(inertial, t_final=1e-3, control=control))) > 1
    for muscle in model.getMuscles():
        muscle.set_ignore_activation_dynamics(True)
    inertial = oi.InertialModel(model, hopper_masses())
    with pytest.raises(oi.errors.ModelError, match="excitation of soleus <- soleus/tension <- excitation of soleus"):
        oi.simulate(oi.Problem(inertial, t_final=1e-3, control=control))
    late = NeuralControl([Neuron("soleus", [Synapse("soleus/tension", 1e-5, 0.0, 1e-3)])])
    with pytest.raises(oi.errors.ModelError, match="the past of signal 'soleus/tension' is not known"):
        oi.simulate(oi.Problem(inertial, t_final=1e-3, control=late))


def test_signals_are_what_opensim_and_the_mass_points_say() -> None:
    inertial = oi.InertialModel(hopper(), hopper_masses(), distribution="points")
    plant, t, y = start(Problem(inertial))
    rng = np.random.default_rng(3)
    y[:8] += 0.1 * rng.standard_normal(8)
    system = ControlledSystem(plant, NeuralControl([Neuron("soleus", [Synapse("vasti/path_length")])]))
    signals, state, model = system.stored(t, y), plant.set_state(t, y), inertial.model
    model.realizeDynamics(state)
    muscle = model.getMuscles().get("vasti")
    for name, value in {
        "knee_angle/value": y[2],
        "knee_angle/speed": y[6],
        "vasti/tension": muscle.getActuation(state),
        "vasti/activation": muscle.getActivation(state),
        "vasti/fiber_length": muscle.getFiberLength(state),
        "vasti/fiber_velocity": muscle.getFiberVelocity(state),
        "vasti/path_length": muscle.getLength(state),
        "vasti/path_velocity": muscle.getLengtheningSpeed(state),
    }.items():
        assert signals[name] == pytest.approx(value, rel=1e-12), name
    mass = model.getTotalMass(state)
    moment = mass * model.calcMassCenterPosition(state).to_numpy()
    momentum = mass * model.calcMassCenterVelocity(state).to_numpy()
    for point_mass, x, J, _ in sliding_points(inertial, state):
        moment += point_mass * x
        momentum += point_mass * J @ state.getU().to_numpy()
    for i, axis in enumerate("xyz"):
        assert signals[f"com/{axis}"] == pytest.approx(moment[i] / BODY_MASS, abs=1e-9)
        assert signals[f"momentum/{axis}"] == pytest.approx(momentum[i], abs=1e-7)
        assert signals[f"com_velocity/{axis}"] == pytest.approx(momentum[i] / BODY_MASS, abs=1e-9)
