"""Neurons: shapes, loops; and signals against OpenSim."""

from collections.abc import Callable

import numpy as np
import pytest
from models.hopper import BODY_MASS, hopper, hopper_masses
from oracles.controlled import pendulum
from oracles.dense_dynamics import sliding_points

import opensim_inertia as oi
from opensim_inertia import Problem
from opensim_inertia.dynamics.control import NeuralControl, Neuron, Synapse
from opensim_inertia.dynamics.control.system import ControlledSystem
from opensim_inertia.dynamics.equations import start


def test_shapes_and_bounds() -> None:
    for shape, value in (("linear", 0.7), ("sigmoid", 1 / (1 + np.exp(-0.7))), ("tanh", np.tanh(0.7))):
        assert Neuron("a", [], shape).shaped(0.7) == pytest.approx(value, rel=1e-12)
    assert [Neuron("a", [], "step", (-1.0, 2.0)).shaped(x) for x in (-0.1, 0.0, 0.1)] == [-1.0, -1.0, 2.0]
    assert [Neuron("a", [], "linear", (0.0, 1.0)).shaped(x) for x in (-1.0, 0.25, 3.0)] == [0.0, 0.25, 1.0]


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
