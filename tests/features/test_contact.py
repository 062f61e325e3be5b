"""Feet on the ground: OpenSim's contact forces act in a simulation as they do in its Manager."""

import numpy as np
import opensim as osim
import pytest
from oracles import limbs
from oracles.stock_manager import manager_states

import opensim_inertia as oi

TIMES = (0.1, 0.2, 0.3)
SAME = 1e-6  # Relative to 1 + |y|: two integrators at 1e-9 through an impact; the contact forces are smooth
STIFFNESS, DISSIPATION = 3e5, 1.0


def standing() -> osim.Model:
    """Limbs with a free trunk, whose foot is a smooth sphere over the ground's half space."""
    model = limbs.limbs("free")
    sphere = osim.ContactSphere(0.03, osim.Vec3(0, -0.12, 0), model.getBodySet().get("foot"))
    sphere.setName("sole")
    floor = osim.ContactHalfSpace(osim.Vec3(0, -1.05, 0), osim.Vec3(0, 0, -np.pi / 2), model.getGround())
    floor.setName("floor")
    for geometry in (sphere, floor):
        model.addContactGeometry(geometry)
    force = osim.SmoothSphereHalfSpaceForce("contact", sphere, floor)
    force.set_stiffness(STIFFNESS)
    force.set_dissipation(DISSIPATION)
    model.addForce(force)
    model.finalizeConnections()
    return model


def contact_force(trajectory: oi.forward_simulation.Trajectory) -> np.ndarray:
    """Upward force on the foot at every state [N]."""
    model = trajectory.inertial.model
    contact = model.getForceSet().get("contact")
    forces = []
    for state in trajectory.states():
        model.realizeDynamics(state)
        forces.append(contact.getRecordValues(state).get(1))
    return np.abs(forces)


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["rk45", "bdf"])
def test_without_muscle_mass_as_the_manager(integrator: str) -> None:
    inertial = oi.InertialModel(standing(), {})
    state = inertial.initial_state()
    trajectory = oi.simulate(
        oi.Problem(inertial, state, TIMES[-1]), oi.integrators.named(integrator, accuracy=1e-9), report_step=0.1
    )
    expected = manager_states(inertial.model, state, TIMES, 1e-9, {})
    assert np.abs((trajectory.y[1:] - expected) / (1 + np.abs(expected))).max() < SAME
    assert contact_force(oi.simulate(oi.Problem(inertial, state, TIMES[-1]), report_step=0.005)).max() > 50


@pytest.mark.slow
def test_muscle_mass_rests_on_the_ground() -> None:
    """In a fall the foot's impulse is the momentum that all mass, the muscles' too, lacks of free fall."""
    inertial = oi.InertialModel(standing(), limbs.masses())
    trajectory = oi.simulate(
        oi.Problem(inertial, t_final=TIMES[-1]), oi.integrators.BDF(accuracy=1e-8), report_step=2e-4
    )
    model, matrix = inertial.model, osim.Matrix()
    momentum = []
    for state in trajectory.states():
        model.getMatterSubsystem().calcM(state, matrix)
        momentum.append(((matrix.to_numpy() + inertial.evaluate(state).mass_matrix) @ state.getU().to_numpy())[4])
    mass = model.getTotalMass(state)
    lacking = momentum[-1] - momentum[0] + mass * limbs.GRAVITY * TIMES[-1]
    impulse = np.trapezoid(contact_force(trajectory), trajectory.times)
    assert impulse > 5.0
    assert impulse == pytest.approx(lacking, rel=1e-4)  # trapezoids of 0.2 ms
