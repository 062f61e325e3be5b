"""Differentiable simulations, tensors and optima in a line or a table, and optima copied."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from oracles import sliders

import opensim_inertia as oi

torch = pytest.importorskip("torch")

from opensim_inertia.analyses.gradients import TensorTrajectory  # noqa: E402


@pytest.fixture(scope="module")
def simulation() -> oi.DifferentiableSimulation:
    inertial = oi.InertialModel(sliders.slider(), {})
    parameters = {"force": oi.gradients.Forces("x0", [0.0, 0.1, 0.2])}
    return oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.2), parameters, oi.integrators.ForwardEuler(step=0.02), progress=False
    )


def objective(trajectory: TensorTrajectory) -> object:
    return (trajectory.coordinate("x0")[-1] - 0.3) ** 2


def test_simulations(simulation: oi.DifferentiableSimulation) -> None:
    simulation.run()
    text = repr(simulation)
    assert text.startswith("DifferentiableSimulation(parameters: force (Forces, 1 x 3); numbers: 3; ")
    assert "time: 0 to 0.2 s; steps: 10; integrator: forward_euler; " in text
    assert f"{simulation.simulations} simulations" in text
    assert "<td" in simulation._repr_html_() and "forward_euler" in simulation._repr_html_()


def test_optima(simulation: oi.DifferentiableSimulation) -> None:
    found = oi.minimise(simulation, objective, progress=False)
    text = repr(found)
    assert f"objective: {found.objective:.6g}, first {found.history['objective'].iloc[0]:.6g}; " in text
    assert "search: converged" in text and f"{found.iterations} iterations" in text and "force = [[" in text
    assert "<table>" in found._repr_html_()
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.values["force"], found.values["force"])
    np.testing.assert_array_equal(again.trajectory.y, found.trajectory.y)
    assert len(again.history) == len(found.history)


def test_tensor_trajectories(simulation: oi.DifferentiableSimulation) -> None:
    force = torch.full((1, 3), 2.0, dtype=torch.float64, requires_grad=True)
    trajectory = simulation(force=force)
    assert isinstance(trajectory, TensorTrajectory)
    text = repr(trajectory)
    assert text.startswith("TensorTrajectory(parameters: force (1 x 3); time: 0 to 0.2 s; ")
    torch.testing.assert_close(trajectory.state("/jointset/slider0/x0/speed"), trajectory.speed("x0"), rtol=0, atol=0)
    trajectory.y[-1].sum().backward()
    assert force.grad is not None and force.grad.abs().max() > 0
