"""The adjoint gradient is that of the simulation: against central differences of whole simulations."""

from functools import cache
from typing import Any

import numpy as np
import opensim as osim
import pytest
from conftest import model_path, slow_except
from models.reaching_arm import COORDINATES, MOMENTS, arm_masses, reaching_arm
from oracles import limbs
from oracles.gradients import errors
from oracles.integrators import FIXED, fixed_step

import opensim_inertia as oi

EXACT = 1e-6
"""Relative, of torques, initial coordinates and speeds, masses and places of bellies.

Measured: 7e-9, but of the pose that Arm26 starts in 6e-7, whose stiff muscles are differenced over 1e-8 m.
"""
CONTROLLED = 1e-5  # Of excitations; measured 4e-8: OpenSim's muscles are differenced
TOLERANCES = {"excitation": CONTROLLED}
SOLVED = 1e-11  # Accuracy of implicit steps; stiff muscles' rounding allows Arm26 no better than 1e-12
METHODS = {name: 5e-3 if kind.is_implicit else 1e-5 for name, kind in FIXED.items()}
"""Steps [s] for elastic tendons: explicit ones must be tiny."""


def check(simulation: oi.DifferentiableSimulation, moves: dict[str, Any], values: dict[str, Any]) -> None:
    for name, error in errors(simulation, moves, values).items():
        assert error < TOLERANCES.get(name, EXACT), f"{name}: {error:.1e}"


@cache
def real(name: str) -> oi.InertialModel:
    path = str(model_path(name))
    return oi.InertialModel(path, oi.estimate_masses(osim.Model(path)))


@cache
def arm(acting: bool) -> oi.InertialModel:
    return oi.InertialModel(reaching_arm(acting), arm_masses())


@cache
def pulled() -> oi.InertialModel:
    return oi.InertialModel(limbs.limbs("fixed", pull=True), limbs.masses())


def everything(inertial: oi.InertialModel) -> dict[str, Any]:
    """Every muscle, every coordinate."""
    coordinates, muscles = inertial.coordinate_names, inertial.muscle_names
    return {
        "torque": oi.gradients.Forces(coordinates),
        "pose": oi.gradients.InitialCoordinates(coordinates),
        "speed": oi.gradients.InitialSpeeds(coordinates),
        "mass": oi.gradients.MuscleMasses(muscles),
        "excitation": oi.gradients.Excitations(muscles),
    }


MOVES = {"torque": 0.1, "pose": 1e-5, "speed": 3e-3, "mass": 3e-3, "excitation": 1e-3}
"""Longest steps of the differences; kinks and touches are nearer to some states than to others."""


@pytest.mark.slow
@pytest.mark.parametrize("method", slow_except({"bdf1"}, FIXED))
def test_arm26(method: str) -> None:
    """Near the default pose, for fibres start as long as there."""
    inertial = real("Models/Arm26/arm26.osim")
    steps = 3 if FIXED[method].is_implicit else 20
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=steps * METHODS[method]),
        everything(inertial),
        fixed_step(method, METHODS[method], SOLVED),
    )
    values = {
        "torque": [1.0, -0.5],
        "pose": [0.02, 0.03],
        "speed": [0.5, 1.0],
        "excitation": [0.3, 0.2, 0.4, 0.1, 0.5, 0.2],
    }
    check(simulation, MOVES, values)


@pytest.mark.slow
@pytest.mark.parametrize("method", slow_except({"forward_euler"}, FIXED))
def test_gait10dof18musc(method: str) -> None:
    """Knees bent a little: straight ones, as in the default pose, are where the forces of their limits set in."""
    inertial = real("Models/Gait10dof18musc/gait10dof18musc.osim")
    steps = 2 if FIXED[method].is_implicit else 8
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=steps * METHODS[method]),
        everything(inertial),
        fixed_step(method, METHODS[method], SOLVED),
    )
    bent = {"knee_angle_r": -0.03, "knee_angle_l": -0.02}
    values = {
        "torque": np.linspace(-5.0, 5.0, 10),
        "pose": simulation.values["pose"] + [bent.get(name, 0.0) for name in inertial.coordinate_names],
        "speed": np.linspace(-1.0, 1.0, 10),
        "excitation": np.linspace(0.1, 0.6, 18),
    }
    some = MOVES if method == "forward_euler" else ("torque", "pose", "excitation")  # to save time
    check(simulation, {name: MOVES[name] for name in some}, values)


def touches(trajectory: oi.forward_simulation.Trajectory) -> np.ndarray:
    """Whether each muscle lies on its surface at each time, by OpenSim's own path: (T, muscles)."""
    muscles = trajectory.inertial.model.getMuscles()
    paths = [osim.GeometryPath.safeDownCast(muscle.getPath()) for muscle in muscles]
    return np.array(
        [
            [p.getCurrentPath(state).getSize() > p.getPathPointSet().getSize() for p in paths]
            for state in trajectory.states()
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", slow_except(["forward_euler"], FIXED))
def test_reach_through_touch_and_lift_off(method: str) -> None:
    inertial, step = arm(False), 0.02 if FIXED[method].is_implicit else 0.01
    parameters = everything(inertial)
    parameters["belly"] = oi.gradients.BellyPlacement(inertial.muscle_names)
    del parameters["excitation"]
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.4), parameters, fixed_step(method, step, 1e-12)
    )
    moments = dict(zip(COORDINATES, MOMENTS, strict=True))
    values = {"torque": [moments[name] for name in inertial.coordinate_names], "belly": np.linspace(0.2, 0.8, 7)}
    changes = np.diff(touches(simulation.run(values).trajectory).astype(int), axis=0)
    assert changes.max() == 1 and changes.min() == -1, "no muscle touches, or none lifts off"
    moves = {"torque": 3e-4, "pose": 1e-4, "speed": 1e-3, "mass": 1e-3, "belly": 3e-4}
    check(simulation, moves, values)


@pytest.mark.slow
@pytest.mark.parametrize("method", slow_except(["forward_euler", "sdirk2"], FIXED))
def test_arm_that_pulls(method: str) -> None:
    """Rigid tendons; excitations that differ from the activations, so that these do not settle."""
    inertial, step = arm(True), 0.01 if FIXED[method].is_implicit else 1e-3
    names = inertial.muscle_names
    parameters = {
        "excitation": oi.gradients.Excitations(names, [0.0, 0.03]),
        "speed": oi.gradients.InitialSpeeds(COORDINATES),
    }
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.03), parameters, fixed_step(method, step, 1e-12)
    )
    excitation = np.stack([np.linspace(0.2, 0.6, 7), np.linspace(0.9, 0.5, 7)], axis=1)
    check(simulation, {"excitation": 1e-3, "speed": 1e-3}, {"excitation": excitation, "speed": [0.5, -0.3, 0.4, 1.0]})


@pytest.mark.slow
@pytest.mark.parametrize("method", FIXED)
def test_activation_that_settles(method: str) -> None:
    """Activation rises faster than it falls: at a constant excitation differences of both sides must not mix them."""
    inertial = arm(True)
    parameters = {"excitation": oi.gradients.Excitations(inertial.muscle_names)}
    step = 1e-2 if FIXED[method].is_implicit else 2e-3
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.1), parameters, fixed_step(method, step, 1e-12)
    )
    check(simulation, {"excitation": 1e-4}, {"excitation": np.full(7, 0.1)})


def waves(t: float) -> np.ndarray:
    return np.array([1.0, np.sin(40 * t), np.cos(90 * t)])


@pytest.mark.slow
@pytest.mark.parametrize("method", slow_except(["forward_euler", "sdirk2"], FIXED))
def test_functions_of_time(method: str) -> None:
    """Nodes that are no ends of steps, the last one beyond the end; and a basis."""
    inertial, step = pulled(), 3e-3 if FIXED[method].is_implicit else 2e-5
    end = 12 * step
    parameters = {
        "torque": oi.gradients.Forces(["hip", "knee"], [0.1 * end, 0.55 * end, 1.3 * end]),
        "ankle": oi.gradients.Forces("ankle", waves, 3),
        "excitation": oi.gradients.Excitations(["long", "short"], [0.0, 0.37 * end, end]),
        "middle": oi.gradients.Excitations("middle", waves, 3),
    }
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=end), parameters, fixed_step(method, step, SOLVED)
    )
    assert {n: v.shape for n, v in simulation.values.items()} == {
        "torque": (2, 3),
        "ankle": (1, 3),
        "excitation": (2, 3),
        "middle": (1, 3),
    }
    values = {
        "torque": [[1.0, 3.0, -2.0], [0.5, -1.0, 2.0]],
        "ankle": [[0.3, -0.5, 0.2]],
        "excitation": [[0.2, 0.5, 0.3], [0.4, 0.7, 0.2]],
        "middle": [[0.4, 0.1, 0.1]],
    }
    moves = {"torque": 0.1, "ankle": 0.1, "excitation": 1e-3, "middle": 1e-3}
    for name, error in errors(simulation, moves, values).items():
        assert error < (CONTROLLED if name in ("excitation", "middle") else EXACT), f"{name}: {error:.1e}"


def test_values_between_nodes_are_linear_and_constant_outside() -> None:
    inertial = pulled()
    nodes = oi.gradients.Forces(["hip", "knee"], [0.01, 0.02, 0.04])
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.06), {"torque": nodes}, oi.integrators.SDIRK2(step=0.01)
    )
    values = np.array([[1.0, 3.0, -2.0], [0.5, -1.0, 2.0]])
    run = simulation.run({"torque": values})
    given = {
        name: lambda t, row=row: float(np.interp(t, [0.01, 0.02, 0.04], row))
        for name, row in zip(("hip", "knee"), values, strict=True)
    }
    same = oi.simulate(oi.Problem(inertial, t_final=0.06, forces=given), oi.integrators.SDIRK2(step=0.01))
    np.testing.assert_allclose(run.trajectory.y, same.y, rtol=0, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("distribution", slow_except(["continuous"], ["continuous", "points"]))
@pytest.mark.parametrize("strain", ("aponeurosis", "rigid_tendon", "uniform"))
def test_bellies_and_masses_of_every_strain_model(strain: str, distribution: str) -> None:
    """Of muscles with path points between only if mass is continuous: mass points would jump around these."""
    muscles = limbs.MUSCLES if distribution == "continuous" else ("middle", "short")
    masses = {name: limbs.masses()[name] for name in muscles}
    inertial = oi.InertialModel(limbs.limbs("fixed"), masses, strain, distribution, 5)
    parameters = {"belly": oi.gradients.BellyPlacement(muscles), "mass": oi.gradients.MuscleMasses(muscles)}
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.1), parameters, oi.integrators.SDIRK2(step=0.01, accuracy=1e-12)
    )
    check(simulation, {"belly": 1e-2, "mass": 0.01}, {"belly": [0.3, 0.6, 0.8][: len(muscles)]})


@pytest.mark.parametrize("method", FIXED)
def test_a_run_is_a_simulation(method: str) -> None:
    """With the same drives, masses and start, built by hand."""
    inertial, step = pulled(), METHODS[method]
    parameters = everything(inertial)
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=5 * step), parameters, oi.integrators.named(method, step=step)
    )
    plain = oi.simulate(oi.Problem(inertial, t_final=5 * step), oi.integrators.named(method, step=step))
    np.testing.assert_allclose(simulation.run().trajectory.y, plain.y, rtol=0, atol=1e-12)
    values = {
        "torque": [1.0, -2.0, 0.5],
        "pose": [0.1, -0.2, 0.05],
        "speed": [1.0, 0.5, -0.7],
        "mass": [1.1, 0.5, 0.2],
        "excitation": [0.3, 0.2, 0.6],
    }
    heavier = oi.InertialModel(limbs.limbs("fixed", pull=True), dict(zip(limbs.MUSCLES, values["mass"], strict=True)))
    assert heavier.muscle_names == inertial.muscle_names == limbs.MUSCLES
    state = heavier.initial_state()
    heavier.model.equilibrateMuscles(state)
    state.setQ(osim.Vector.createFromMat(np.array(values["pose"])))
    state.setU(osim.Vector.createFromMat(np.array(values["speed"])))
    same = oi.simulate(
        oi.Problem(
            heavier,
            state,
            5 * step,
            excitations=dict(zip(limbs.MUSCLES, values["excitation"], strict=True)),
            forces=dict(zip(inertial.coordinate_names, values["torque"], strict=True)),
        ),
        oi.integrators.named(method, step=step),
    )
    np.testing.assert_allclose(simulation.run(values).trajectory.y, same.y, rtol=0, atol=1e-9)
