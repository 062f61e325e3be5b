"""Gradients of simulations in which mass swings, against differences of whole simulations."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from oracles.finite_differences import Array, disagreement
from oracles.live_states import state_at

import opensim_inertia as oi
from opensim_inertia._core.errors import OptionError, UnknownNameError
from opensim_inertia.analyses.gradients import (
    DifferentiableSimulation,
    Excitations,
    InitialSpeeds,
    MuscleMasses,
    WobbleDamping,
    WobbleStiffness,
)
from opensim_inertia.dynamics.equations import Differentiator, start
from opensim_inertia.options import Wobble, WobblingMass

GRADIENT = 2e-6
"""Relative to the largest entry: OpenSim's inverse dynamics and muscles are differenced, to 1e-7, and simulations."""
JACOBIAN = 1e-6
"""Relative to each column's largest entry, as of models in which nothing swings."""

MODEL = Path(__file__).parents[2] / "data" / "Models" / "Arm26" / "arm26.osim"
MUSCLES = ("BIClong", "BRA", "TRIlat")
MASS = WobblingMass("r_ulna_radius_hand", 0.2, (0.0, -0.15, 0.02), 900.0, 4.0, "soft")
MOVING = ((0.005, 0.002, -0.004), (0.1, 0.2, -0.3))
SOFT = Wobble(frequency=12.0, masses=(MASS,), start={"TRIlat": MOVING, "soft": MOVING})

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.WrapDifferenceWarning")


@cache
def problem() -> oi.Problem:
    inertial = oi.InertialModel(MODEL, dict.fromkeys(MUSCLES, 0.15))
    state = state_at(inertial, np.array([0.3, 0.9]), np.array([1.0, -2.0]))
    inertial.model.equilibrateMuscles(state)
    return oi.Problem(inertial, state, 0.008, {"BIClong": 0.6, "TRIlong": 0.3}, equilibrate=False)


@pytest.mark.slow
def test_the_jacobian_with_tension_that_follows_muscles() -> None:
    """All columns, against plain differences of the whole right-hand side, away from rest."""
    system, t, y = start(problem(), SOFT)
    count = system.swings.count  # type: ignore[union-attr]
    rng = np.random.default_rng(3)
    y[-2 * count :] = rng.normal(size=2 * count) * np.repeat([0.01, 0.2], count)
    fine = Differentiator(system, fine=True).at(t, y).jacobian
    assert disagreement(lambda x: system.rhs(t, x), y, fine).max() <= JACOBIAN
    exact = Differentiator(system).at(t, y).jacobian
    for_newton = system.jacobian(t, y)
    np.testing.assert_allclose(for_newton, exact, rtol=0, atol=1e-4 * np.abs(exact).max(axis=0).max())


def check(parameters: dict[str, object], method: oi.integrators.FixedStep) -> None:
    simulation = DifferentiableSimulation(problem(), parameters, method, wobble=SOFT)  # type: ignore[arg-type]
    run = simulation.run()
    rng = np.random.default_rng(0)
    cotangents = np.zeros_like(run.trajectory.y)
    cotangents[-1] = rng.normal(size=cotangents.shape[1]) / (1e-3 + np.abs(run.trajectory.y).max(axis=0))
    found = simulation.gradient(run, cotangents)

    def objective(name: str, values: Array) -> float:
        return float((simulation.run({name: values}).trajectory.y * cotangents).sum())

    for name, values in simulation.values.items():
        expected = np.zeros(values.shape)
        for i in range(len(values)):
            step = 1e-4 * max(0.05, abs(values[i]))
            ends = [objective(name, values + s * step * np.eye(len(values))[i]) for s in (1.0, -1.0)]
            expected[i] = (ends[0] - ends[1]) / (2 * step)
        assert np.abs(expected).max() > 0
        np.testing.assert_allclose(found[name], expected, rtol=0, atol=GRADIENT * np.abs(expected).max(), err_msg=name)


@pytest.mark.parametrize(
    "method",
    [
        oi.integrators.ForwardEuler(step=4e-3),
        pytest.param(oi.integrators.SDIRK2(step=4e-3, accuracy=1e-13), marks=pytest.mark.slow),
    ],
)
def test_springs_and_dampers(method: oi.integrators.FixedStep) -> None:
    check({"stiffness": WobbleStiffness(("TRIlat", "soft")), "damping": WobbleDamping(("TRIlat", "soft"))}, method)


@pytest.mark.slow
def test_all_that_simulations_depend_on() -> None:
    parameters = {
        "stiffness": WobbleStiffness("BRA"),
        "speeds": InitialSpeeds(["r_elbow_flex"]),
        "excitations": Excitations(["BRA"]),
        "masses": MuscleMasses(["BIClong"]),
    }
    check(parameters, oi.integrators.ForwardEuler(step=1e-3))


def test_bad_input_is_refused_by_name() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'BRA'"):
        DifferentiableSimulation(problem(), {"k": WobbleStiffness("BRAA")}, wobble=SOFT)
    with pytest.raises(UnknownNameError, match="mass that swings 'BRA'"):
        DifferentiableSimulation(problem(), {"k": WobbleStiffness("BRA")})
    simulation = DifferentiableSimulation(problem(), {"k": WobbleStiffness("BRA")}, wobble=SOFT)
    with pytest.raises(OptionError, match="WobbleStiffness of 'BRA'"):
        simulation.run({"k": np.array([-1.0])})
