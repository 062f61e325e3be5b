"""Delays by the method of steps, states of a control, restarts, and what a control may not say."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.controlled import Echo, echo, pendulum

import opensim_inertia as oi

Pulse = oi.forward_simulation.Pulse
NeuralControl, Neuron, Synapse = oi.control.NeuralControl, oi.control.Neuron, oi.control.Synapse


@pytest.fixture(scope="module")
def hanging() -> oi.InertialModel:
    return pendulum()


@pytest.mark.parametrize(
    ("integrator", "accuracy", "error"),
    [("dop853", 1e-12, 1e-14), ("rk45", 1e-12, 1e-11), ("bdf", 1e-9, 1e-7), ("sdirk2", None, 1e-5)],
)
def test_a_delayed_equation_has_its_polynomial(
    hanging: oi.InertialModel, integrator: str, accuracy: float | None, error: float
) -> None:
    trajectory = oi.simulate(
        oi.Problem(hanging, t_final=6.0, control=Echo()),
        oi.integrators.named(integrator, step=0.02 if integrator == "sdirk2" else None, accuracy=accuracy),
        report_step=0.05,
    )
    assert np.abs(trajectory.y[:, -1] - echo(trajectory.times)).max() < error


def test_a_trajectory_carries_the_states_of_the_control(hanging: oi.InertialModel, tmp_path: Path) -> None:
    first = oi.simulate(oi.Problem(hanging, t_final=2.5, control=Echo()), "dop853")
    onward = oi.simulate(oi.Problem(hanging, first, 6.0, control=Echo()), "dop853", report_step=0.1)
    assert np.abs(onward.y[:, -1] - echo(onward.times)).max() < 1e-14
    first.to_sto(tmp_path / "states.sto")
    np.testing.assert_allclose(oi.read_table(tmp_path / "states.sto")["/control/x"], first.y[:, -1], atol=1e-12)
    again = pickle.loads(pickle.dumps(onward)).with_model(hanging, control=Echo())
    np.testing.assert_array_equal(again.accelerations(), onward.accelerations())
    with pytest.raises(oi.errors.ModelError, match="/control/x"):
        pickle.loads(pickle.dumps(onward)).with_model(hanging)


def test_steps_end_on_pulses_and_their_echoes(hanging: oi.InertialModel) -> None:
    """A neuron with a lag that is fed a pulse, 0.3 s late: exponentials with two corners."""
    lag, pulse = 0.2, Pulse(0.11, 0.53, 2.0)
    control = NeuralControl([Neuron("motor", [Synapse(pulse, delay=0.3)], time_constant=lag)])
    trajectory = oi.simulate(oi.Problem(hanging, t_final=2.0, control=control), oi.integrators.DOP853(accuracy=1e-10))
    rise, fall = (np.clip(trajectory.times - 0.3 - edge, 0.0, None) for edge in pulse.breaks)
    exact = 2.0 * (np.exp(-fall / lag) - np.exp(-rise / lag))
    assert np.abs(trajectory.y[:, -1] - exact).max() < 1e-9
    assert {0.41, 0.83} <= set(np.round(trajectory.times, 12))
    assert {1, 2} <= set(np.round(oi.simulate(oi.Problem(hanging, t_final=2.5, control=Echo())).times, 12))


def test_a_pulse_of_force_gives_its_momentum(hanging: oi.InertialModel) -> None:
    """Short beside the time that steps would take, so that it is missed unless they end on it."""
    pulse = {"q": Pulse(0.5, 0.501, 40.0)}
    trajectory = oi.simulate(oi.Problem(hanging, t_final=0.501, forces=pulse), "dop853")
    assert trajectory.y[-1, 1] == pytest.approx(0.04 / 0.35, rel=1e-4)  # 0.35: moment of inertia about the pin


class Wrong(Echo):
    """An echo of which one member says something else."""

    def __init__(self, **attributes: Any) -> None:
        for name, value in attributes.items():
            setattr(self, name, value if name in ("delays", "state_names") else lambda *_, value=value: value)


@pytest.mark.parametrize(
    ("control", "error", "match"),
    [
        (Wrong(rates=[1.0, 2.0]), oi.errors.OptionError, r"control\.rates\(\).*expected 1 finite number"),
        (Wrong(rates=[np.nan]), oi.errors.OptionError, r"control\.rates\(\)"),
        (Wrong(initial=[]), oi.errors.OptionError, r"control\.initial\(\)"),
        (Wrong(delays=(-0.1,)), oi.errors.OptionError, r"delays=-0\.1"),
        (Wrong(delays=(0.5,)), oi.errors.OptionError, r"past\(delay\)=1\.0.*0\.5"),
        (Wrong(excitations={"moter": 1.0}), oi.errors.UnknownNameError, "did you mean 'motor'"),
        (Wrong(excitations={"motor": np.nan}), oi.errors.OptionError, r"\['motor'\] at"),
        (Wrong(excitations=[1.0]), oi.errors.OptionError, "dict"),
        (object(), oi.errors.OptionError, "state_names"),
    ],
)
def test_what_a_control_says_is_checked(
    hanging: oi.InertialModel, control: Any, error: type[Exception], match: str
) -> None:
    with pytest.raises(error, match=match):
        oi.simulate(oi.Problem(hanging, t_final=0.1, control=control))


def test_fixed_steps_are_no_longer_than_the_least_delay(hanging: oi.InertialModel) -> None:
    control = NeuralControl([Neuron("motor", [Synapse("q/value", delay=0.02)])])
    with pytest.raises(oi.errors.OptionError, match=r"step=0\.05: expected no more than the least delay, 0\.02 s"):
        oi.simulate(oi.Problem(hanging, t_final=0.1, control=control), oi.integrators.SDIRK2(step=0.05))


class Explosive(Echo):
    """A control that has no finite rate to give once its state is large: exp(x) overflows."""

    def rates(self, t: float, signals: Any, past: Any) -> Any:
        return [np.exp(min(signals["x"], 700.0))]


@pytest.mark.parametrize("integrator", ["rk45", "bdf"])
def test_a_control_that_runs_away_is_named(hanging: oi.InertialModel, integrator: str) -> None:
    with pytest.raises(oi.errors.DivergenceError, match="/control/x") as caught:
        oi.simulate(oi.Problem(hanging, t_final=2.0, control=Explosive()), integrator)
    assert caught.value.trajectory.times[-1] == pytest.approx(np.exp(-1.0), abs=0.05)  # dx/dt = e^x from 1
