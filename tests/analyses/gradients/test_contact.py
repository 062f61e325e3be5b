"""Gradients through contact and take-off, against central differences of whole simulations."""

from functools import cache

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from models.hopper import COORDINATES, hopper, hopper_masses
from oracles.gradients import errors
from oracles.integrators import FIXED, fixed_step

import opensim_inertia as oi

EXACT = 1e-5  # Relative; measured 7e-7 of speeds, else 2e-8. Contacts are smooth but turn within millimetres.
POSE = [0.92637, 0.54026, -0.69696, -0.52692]
SPEED = [1.90411, -4.72890, 10.00628, -9.17527]
"""Just before take-off, of a hop with the excitations below [m, rad and their rates]."""
PUSH = {
    "glut_max": 0.9,
    "hamstrings": 0.1,
    "rect_fem": 0.1,
    "vasti": 0.9,
    "gastroc": 0.5,
    "soleus": 0.9,
    "tib_ant": 0.02,
}
LANDING = -1.5  # Speed of the hip on landing [m/s]


@cache
def jumper() -> oi.InertialModel:
    return oi.InertialModel(hopper(), hopper_masses())


def pressed(trajectory: oi.forward_simulation.Trajectory) -> np.ndarray:
    """Upward force on the ground's spheres at each time, of both together (T,) [N]."""
    model, found = trajectory.inertial.model, []
    forces = [osim.SmoothSphereHalfSpaceForce.safeDownCast(model.getForceSet().get(n)) for n in ("heel", "toes")]
    for state in trajectory.states():
        model.realizeDynamics(state)
        found.append(sum(force.getRecordValues(state).get(1) for force in forces))
    return np.array(found)


def parameters(inertial: oi.InertialModel) -> dict[str, object]:
    assert inertial.coordinate_names == COORDINATES
    return {
        "torque": oi.gradients.Forces(COORDINATES[1:]),
        "pose": oi.gradients.InitialCoordinates(COORDINATES),
        "speed": oi.gradients.InitialSpeeds(COORDINATES),
        "mass": oi.gradients.MuscleMasses(inertial.muscle_names),
        "excitation": oi.gradients.Excitations(inertial.muscle_names),
        "contact": oi.gradients.Properties(["/forceset/toes/stiffness", "/forceset/toes/dissipation"]),
    }


def check(simulation: oi.DifferentiableSimulation, values: dict[str, object], *names: str) -> None:
    names = names or ("torque", "pose", "speed", "mass", "excitation", "contact")
    moves = {"torque": 0.1, "pose": 1e-5, "speed": 2e-4, "mass": 3e-3, "excitation": 1e-2, "contact": [1e3, 1e-3]}
    for name, error in errors(simulation, {name: moves[name] for name in names}, values).items():
        assert error < EXACT, f"{name}: {error:.1e}"


@pytest.mark.slow
@pytest.mark.parametrize("method", slow_except(["bdf1"], FIXED))
def test_take_off(method: str) -> None:
    inertial, step = jumper(), 5e-3 if FIXED[method].is_implicit else 2.5e-4
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=0.02), parameters(inertial), fixed_step(method, step, 1e-12)
    )
    values = {"pose": POSE, "speed": SPEED, "excitation": [PUSH[name] for name in inertial.muscle_names]}
    forces = pressed(simulation.run(values).trajectory)
    assert forces[0] > 300 and abs(forces[-1]) < 50
    check(simulation, values, *(() if method == "sdirk2" else ("torque", "pose", "contact")))


@pytest.mark.slow
def test_landing() -> None:
    inertial = jumper()
    simulation = oi.DifferentiableSimulation(
        oi.Problem(inertial, t_final=8e-3), parameters(inertial), oi.integrators.SDIRK2(step=2e-3, accuracy=1e-12)
    )
    values = {
        "pose": simulation.values["pose"] + [0.03, 0.0, 0.0, 0.0],
        "speed": [LANDING, 0.0, 0.0, 0.0],
        "excitation": [0.3] * 7,
    }
    forces = pressed(simulation.run(values).trajectory)
    assert abs(forces[0]) < 1 and forces[-1] > 300
    check(simulation, values, "speed", "mass", "excitation")
