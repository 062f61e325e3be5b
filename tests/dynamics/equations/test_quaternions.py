"""Equations of motion in quaternions: unit length, derivatives against differences, and which joints have them."""

import itertools
from typing import Any

import numpy as np
import pytest
from conftest import slow_except
from oracles.demo_leg import build_leg
from oracles.near_lock import pendulum

import opensim_inertia as oi
from opensim_inertia.analyses.forward_simulation.steppers import FixedSteps, SciPySteps
from opensim_inertia.dynamics.equations import Problem, start
from opensim_inertia.dynamics.equations.quaternions import QuaternionSystem

STEP = 2e-3


@pytest.mark.parametrize("integrator", ["sdirk2", "dop853"])
def test_the_state_holds_unit_quaternions(integrator: str) -> None:
    plain, t, y = start(Problem(pendulum(0.0, muscle=0.05)))
    system = QuaternionSystem(plain)
    y = system.from_opensim(y)
    stepper: Any = FixedSteps(oi.integrators.SDIRK2(step=STEP), system, t, y)
    if integrator == "dop853":
        stepper = SciPySteps(oi.integrators.DOP853(), system, t, y, 1.0)
    start_at = y.copy()
    for _ in range(10):
        stepper.step(1.0)
        for entries in ([0, 1, 2, 3], [4, 5, 6, 7]):  # the four generalized coordinates of either joint
            assert np.linalg.norm(stepper.y[entries]) == pytest.approx(1.0, abs=1e-12)
    assert np.abs(stepper.y - start_at)[:8].max() > 1e-3


@pytest.mark.parametrize(
    ("custom", "tilt"), slow_except([(False, 0.4)], itertools.product([False, True], [0.4, 0.001]))
)
def test_the_jacobian_is_that_of_the_rates(custom: bool, tilt: float) -> None:
    plain, t, y = start(Problem(pendulum(tilt, custom, muscle=0.05)))
    system = QuaternionSystem(plain)
    y = system.from_opensim(y)
    h = 1e-5
    exact = np.column_stack([(system.rhs(t, y + d) - system.rhs(t, y - d)) / (2 * h) for d in h * np.eye(len(y))])
    found = system.jacobian(t, y)
    assert np.abs(found - exact).max() < 1e-4 * np.abs(exact).max()


@pytest.mark.slow
def test_the_jacobian_beside_muscles_and_other_joints() -> None:
    """Of the demo's leg: columns of what turns no joint come from the equations in Euler angles."""
    leg = build_leg()
    inertial = oi.InertialModel(leg, oi.estimate_masses(leg))
    plain, t, y = start(Problem(inertial, excitations=dict.fromkeys(inertial.muscle_names, 0.3)))
    y[: plain.nq] += 0.1
    y[plain.speeds] += 0.2
    system = QuaternionSystem(plain)
    y = system.from_opensim(y)
    h = 1e-6
    exact = np.column_stack([(system.rhs(t, y + d) - system.rhs(t, y - d)) / (2 * h) for d in h * np.eye(len(y))])
    found = system.jacobian(t, y)
    sizes = np.abs(exact).max(axis=0)
    # forward differences of accelerations of 17 000 rad/s^2; those in Euler angles are off by 1.5e-3
    assert np.abs((found - exact) / np.maximum(sizes, 1.0)).max() < 3e-3
    assert np.count_nonzero(sizes > 0.01) > len(y) - 4
