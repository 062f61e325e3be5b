"""What a simulation asks of OpenSim: how often paths over wrap objects are computed, and which integrator asks least.

Costs are counted in evaluations of the right-hand side and in poses at which OpenSim computes its paths.
"""

from __future__ import annotations

import numpy as np
import pytest
from oracles.muscle_machines import KINDS, hinge, inertial_model, millard, stretch

import opensim_inertia as oi
from opensim_inertia.dynamics.equations import Problem, start
from opensim_inertia.dynamics.equations.differences import FORWARD_STEP

AGREES = 1e-5
"""Of the same differences taken one by one, relative to the column: rounding over the step is 1e-7."""


@pytest.mark.parametrize("kind", KINDS)
def test_jacobian_is_that_of_the_right_hand_side(kind: str) -> None:
    """Moved at one pose, every muscle model of OpenSim notices its own states."""
    inertial = inertial_model(hinge(KINDS[kind]()))
    problem = Problem(inertial, inertial.initial_state(), excitations={"muscle": 0.4}, equilibrate=True)
    system, t, y = start(problem)
    y = y.copy()
    y[system.speeds] = 0.7
    jacobian = system.jacobian(t, y)
    rates = system.rhs(t, y)
    for i in range(len(y)):
        moved = y.copy()
        moved[i] += FORWARD_STEP * max(1.0, abs(y[i]))
        column = (system.rhs(t, moved) - rates) / (moved[i] - y[i])
        np.testing.assert_allclose(jacobian[:, i], column, rtol=0, atol=AGREES * max(1.0, np.abs(column).max()))


@pytest.mark.slow
def test_stiff_muscles_do_not_make_the_default_dear() -> None:
    """An undamped muscle at rest: explicit steps are at their limit of stability."""
    activation = 0.01
    problem = stretch(millard(0.0), activation, t_final=0.1)
    runs = {name: oi.simulate(problem, name, report_step=0.01, engine="python") for name in ("auto", "rk45", "bdf")}
    assert runs["auto"].integrator == "rk45 and bdf"
    assert runs["auto"].evaluations < 1.5 * runs["bdf"].evaluations
    assert runs["auto"].evaluations < 0.2 * runs["rk45"].evaluations
