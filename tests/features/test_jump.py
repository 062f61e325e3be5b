"""Optimal excitations of a jump, through ground contact; heights and impulses from the ground's force."""

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from models.hopper import BODY_MASS, MUSCLES
from oracles.gradients import slopes_along

import opensim_inertia as oi

torch = pytest.importorskip("torch")

EXAMPLE = "jump"
WEIGHT = 9.80665 * BODY_MASS


@pytest.mark.slow
def test_the_hopper_jumps(scene: ModuleType, run_example: Callable[[str], set[str]]) -> None:
    """Measured after the example's iterations: 36 cm above the crouch, at 1.8 m/s; before, it stands.

    The impulse of OpenSim's contact forces is the momentum of the centre of mass, muscles included, to the 3 % of
    trapezoids over 10 ms. Half way from the crouch to the jump the gradient is that of central differences, along a
    direction in all excitations.
    """
    assert run_example("jump") == {"jump.png", "jump.csv", "jump.sto"}
    simulation = scene.simulation(scene.model(), 0.01)
    optimum = scene.optimise(simulation, 14)  # that of the example
    before = scene.course(simulation.run({"excitations": scene.holding()}).trajectory)
    assert np.ptp(before["height"]) < 1e-3
    assert (before["heel"] + before["toes"]).to_numpy() == pytest.approx(WEIGHT, rel=5e-3)
    course = scene.course(optimum.trajectory)
    after = course.iloc[-1]
    apex = after["height"] + after["speed"] ** 2 / (2 * scene.GRAVITY)
    assert apex - before["height"].iloc[0] > 0.25
    assert after["speed"] > 0.5
    excitations = optimum.values["excitations"]
    assert excitations.shape == (len(MUSCLES), len(scene.NODES))
    assert (excitations >= 0.01 - 1e-12).all() and (excitations <= 1 + 1e-12).all()
    assert optimum.history["objective"].iloc[0] - optimum.objective > 0.20
    assert optimum.simulations <= len(optimum.history) < 40  # measured 30: the search's steps hang on how muscles touch
    force = (course["heel"] + course["toes"]).to_numpy() - WEIGHT
    impulse = np.trapezoid(force, course.index)
    assert impulse == pytest.approx(BODY_MASS * after["speed"], rel=0.03)
    risen = np.trapezoid(course["speed"], course.index)
    assert risen == pytest.approx(after["height"] - course["height"].iloc[0], rel=0.01)
    start = 0.5 * (scene.holding() + excitations)
    along = np.random.default_rng(3).normal(size=start.shape)
    objective = scene.objective(simulation.inertial)
    by_gradient, by_differences = slopes_along(simulation, objective, "excitations", start, along)
    assert by_gradient == pytest.approx(by_differences, rel=1e-3)


def test_the_apex_is_the_one_of_the_flight(scene: ModuleType) -> None:
    """Thrown up by hand: the height predicted from one state is where the centre of mass turns."""
    inertial = scene.model()
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, np.array([1.2, 0.3, -0.4, -0.5]))
    state.updU()[inertial.coordinate_names.index("pelvis_ty")] = 1.5
    function = scene.centre_of_mass(inertial)
    inertial.model.realizeVelocity(state)
    y, v = function(state)
    flight = oi.simulate(
        oi.Problem(inertial, state, 1.5 / scene.GRAVITY, excitations={}),
        oi.integrators.Automatic(accuracy=1e-6),
        progress=False,
    )
    heights = [function(s)[0] for s in flight.states()]
    assert max(heights) == pytest.approx(y + v**2 / (2 * scene.GRAVITY), abs=1e-4)
