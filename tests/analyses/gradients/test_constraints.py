"""Gradients of constrained motion, through the projection on the constraints, against differences of simulations."""

import numpy as np
import pytest
from conftest import slow_except
from oracles import limbs
from oracles.gradients import errors
from oracles.integrators import FIXED, fixed_step

import opensim_inertia as oi

EXACT = 1e-6  # Relative; measured 1e-8, of the place of the belly; 4e-10 of torques and speeds
QUICK = ("coupled", "held point")
MOVES = {"torque": 0.05, "pose": 1e-3, "speed": 1e-2, "mass": 1e-2, "belly": 1e-2, "own": 1e-2}


def simulated(
    kind: str, method: str, steps: int = 4
) -> tuple[oi.InertialModel, oi.DifferentiableSimulation, dict[str, object]]:
    model, state_of = limbs.constrained(kind)
    inertial = oi.InertialModel(model, {"muscle": 0.8}, "uniform")
    names = inertial.coordinate_names
    parameters = {
        "torque": oi.gradients.Forces(names),
        "pose": oi.gradients.InitialCoordinates(names),
        "speed": oi.gradients.InitialSpeeds(names),
        "mass": oi.gradients.MuscleMasses("muscle"),
        "belly": oi.gradients.BellyPlacement("muscle"),
        "own": oi.gradients.Properties("/bodyset/link3/mass"),
    }
    step = 0.01 if FIXED[method].is_implicit else 5e-3
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, state_of(inertial), steps * step), parameters, fixed_step(method, step, 1e-12)
    )
    nq = inertial.coordinates.nq
    first = simulation.run().trajectory.y[0]  # on the constraints
    values = {"torque": [0.5, -0.3, 0.2, 0.1, -0.2], "pose": first[:nq], "speed": first[nq : 2 * nq]}
    return inertial, simulation, values


def check(
    simulation: oi.DifferentiableSimulation, values: dict[str, object], names: tuple[str, ...], **moves: float
) -> None:
    for name, error in errors(simulation, {n: {**MOVES, **moves}[n] for n in names}, values).items():
        assert error < EXACT, f"{name}: {error:.1e}"


@pytest.mark.parametrize(
    ("kind", "method"),
    slow_except(
        [("coupled", "sdirk2")],
        [(kind, method) for kind in QUICK for method in FIXED],
    )
    + [pytest.param(kind, "bdf1", marks=pytest.mark.slow) for kind in limbs.CONSTRAINED if kind not in QUICK],
)
def test_constrained_chains(kind: str, method: str) -> None:
    _, simulation, values = simulated(kind, method)
    run = simulation.run(values)
    assert limbs.constraint_error(run.trajectory.states()) < 1e-8
    names = ("torque", "speed", "mass") if method != "bdf1" else ("torque", "speed", "mass", "belly", "own")
    check(simulation, values, names)


@pytest.mark.parametrize("kind", slow_except(QUICK, limbs.CONSTRAINED))
def test_pose_at_the_start_of_constrained_chains(kind: str) -> None:
    """On the constraints: what is varied off them is projected back."""
    _, simulation, values = simulated(kind, "bdf1", 3)
    check(simulation, values, ("pose",))


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_except(["coupled"], ["coupled", "held point"]))
def test_projection_of_a_start_that_is_far_off(kind: str) -> None:
    """Several Newton steps, each of which depends on the pose."""
    _, simulation, _ = simulated(kind, "bdf1", 2)
    values = {"pose": simulation.values["pose"] + [0.1, -0.2, 0.1, 0.2, -0.1], "speed": [2.0, -1.0, 1.5, 0.5, -2.0]}
    run = simulation.run(values)
    assert len(run.system.poses_on_the_way(0.0, run.start)) > (1 if kind == "coupled" else 3)
    check(simulation, values, ("torque", "pose", "speed", "belly"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", slow_except(["held point"], ["coupled", "held point"]))
def test_masses_decide_where_a_start_is_projected_to(kind: str) -> None:
    """By the smallest change that the mass matrix knows."""
    _, simulation, values = simulated(kind, "bdf1", 2)
    values["speed"] = [2.0, -1.0, 0.5, 0.5, -2.0]
    check(simulation, values, ("mass", "own"))


@pytest.mark.slow
@pytest.mark.parametrize("base", slow_except(["ball"], ["ball", "free"]))
def test_joints_whose_speeds_are_no_rates(base: str) -> None:
    inertial = oi.InertialModel(limbs.limbs(base), limbs.masses())
    names = inertial.coordinate_names
    parameters = {
        "torque": oi.gradients.Forces(names),
        "pose": oi.gradients.InitialCoordinates(names),
        "speed": oi.gradients.InitialSpeeds(names),
        "mass": oi.gradients.MuscleMasses(limbs.MUSCLES),
    }
    rng = np.random.default_rng(4)
    values = {n: rng.uniform(-0.4, 0.4, len(names)) for n in ("torque", "pose", "speed")}
    for method in FIXED:
        simulation = oi.DifferentiableSimulation(
            oi.Problem(inertial, t_final=0.05), parameters, fixed_step(method, 0.01, 1e-12)
        )
        check(simulation, values, tuple(parameters), torque=0.2)


def test_a_force_on_what_is_locked_changes_nothing() -> None:
    inertial, simulation, values = simulated("locked", "bdf1")
    run = simulation.run(values)
    i = inertial.coordinate_names.index("q4")
    cotangents = np.zeros_like(run.trajectory.y)
    cotangents[-1] = 1.0
    found = simulation.gradient(run, cotangents)["torque"]
    assert abs(found[i]) < 1e-12 * np.abs(found).max()
    free = oi.DifferentiableSimulation(
        oi.Problem(inertial, inertial.initial_state(), 0.06),
        {"torque": oi.gradients.Forces("q4")},
        oi.integrators.BackwardEuler(step=0.01),
    )
    run = free.run()
    assert abs(free.gradient(run, np.ones_like(run.trajectory.y))["torque"][0]) > 1e-3
