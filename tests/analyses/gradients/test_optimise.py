"""Optimisation of simulations whose optimum is known in closed form; what is done when things go wrong."""

from typing import Any

import numpy as np
import pytest
from conftest import slow_except
from oracles import sliders

import opensim_inertia as oi

torch = pytest.importorskip("torch")

N, STEP, TARGET = 20, 0.02, 0.3
FORCE = TARGET / float(sliders.euler_slopes(N, STEP)["force"][0])
"""The constant force that takes the mass to the target [N]."""
FOUND = 1e-6  # Relative, of the force; methods end where the objective no longer changes


def pushed(bodies: int = 1, times: Any = None) -> oi.DifferentiableSimulation:
    names = [f"x{i}" for i in range(bodies)]
    return oi.DifferentiableSimulation(
        oi.Problem(sliders.massless(sliders.slider(bodies)), t_final=N * STEP),
        {"force": oi.gradients.Forces(names, times)},
        oi.integrators.ForwardEuler(step=STEP),
    )


def miss(trajectory: Any) -> Any:
    """How far the first mass is from the target at the end, squared."""
    return (trajectory.coordinate("x0")[-1] - TARGET) ** 2


METHODS = ("L-BFGS-B", "trust-constr")


@pytest.mark.parametrize("name", METHODS)
def test_force_that_reaches(name: str) -> None:
    simulation = pushed()
    found = oi.minimise(simulation, miss, method=name, iterations=60, tolerance=1e-10)
    assert found.values["force"][0] == pytest.approx(FORCE, rel=FOUND)
    assert found.objective < 1e-12 and not found.interrupted
    assert found.objective == found.history["objective"].min()
    assert found.trajectory.coordinates()["x0"].iloc[-1] == pytest.approx(TARGET, abs=1e-6)
    assert 0 < found.iterations <= 60
    assert found.simulations == found.gradients == len(found.history)
    assert found.seconds >= 0 and isinstance(found.message, str) and found.message


def test_several_optima_at_once_and_arrays_of_nodes() -> None:
    """Least effort among nodes that reach: proportional to what each does."""
    times = STEP * np.arange(N)
    simulation, effort = pushed(2, times), 1e-7

    def objective(trajectory: Any) -> Any:
        ends = trajectory.coordinates()[-1]
        return (ends[0] - TARGET) ** 2 + (ends[1] + 0.5) ** 2 + effort * trajectory.parameters["force"].pow(2).sum()

    found = oi.minimise(simulation, objective, iterations=300, tolerance=1e-9, scale={"force": 50.0})
    each = sliders.euler_slopes(N, STEP)["each"]
    for row, target in zip(found.values["force"], (TARGET, -0.5), strict=True):
        exact = target * each / (effort + each @ each)  # of the quadratic objective
        np.testing.assert_allclose(row, exact, rtol=0, atol=2e-3 * np.abs(exact).max())


@pytest.mark.parametrize("name", METHODS)
def test_bounds(name: Any) -> None:
    """Every simulation stays within; the best one is on the bound that is in the way."""
    simulation, high = pushed(), 0.6 * FORCE
    tried = []

    def objective(trajectory: Any) -> Any:
        tried.append(float(trajectory.parameters["force"].detach()[0]))
        return miss(trajectory)

    found = oi.minimise(simulation, objective, {"force": [0.1]}, {"force": (0.0, high)}, name, 60, tolerance=1e-10)
    assert min(tried) >= 0 and max(tried) <= high * (1 + 1e-12)
    # barriers of trust-constr keep off the bound
    assert found.values["force"][0] == pytest.approx(high, rel=1e-3 if name == "trust-constr" else 1e-12)


@pytest.mark.parametrize("name", METHODS)
def test_interruption_gives_the_best_so_far(name: Any) -> None:
    seen: list[float] = []

    def tire(trajectory: Any) -> Any:
        if len(seen) == 2:
            raise KeyboardInterrupt
        value = miss(trajectory)
        seen.append(float(value.detach()))
        return value

    with pytest.warns(oi.warnings.InterruptedWarning, match="best objective so far"):
        found = oi.minimise(pushed(), tire, method=name, iterations=50)
    assert found.interrupted and not found.converged
    assert found.objective == min(seen) and len(found.history) == 2
    place, _ = sliders.euler_end(np.full(N, found.values["force"][0]), STEP)
    assert (place - TARGET) ** 2 == pytest.approx(found.objective, rel=1e-9)
    assert found.trajectory.coordinates()["x0"].iloc[-1] == pytest.approx(place, rel=1e-9)


@pytest.mark.parametrize("name", slow_except({"L-BFGS-B"}, METHODS))
def test_trials_that_run_away_do_not_end_the_search(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    simulation = pushed()
    run, trials = simulation.run, []

    def fragile(values: Any = None) -> Any:
        trials.append(values)
        if len(trials) in (2, 4):
            raise oi.errors.DivergenceError("runs away", 0.1, "x0")
        return run(values)

    monkeypatch.setattr(simulation, "run", fragile)
    found = oi.minimise(simulation, miss, {"force": [0.5]}, method=name, iterations=30)
    assert len(trials) > 1 and np.isfinite(found.objective)
    assert found.objective <= found.history["objective"].iloc[0]
    assert np.isfinite(found.history["objective"]).all()


def test_the_first_one_must_run() -> None:
    with pytest.raises(oi.errors.DivergenceError, match="'x0' runs away"):
        oi.minimise(pushed(), miss, {"force": [1e6]})
