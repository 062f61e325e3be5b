"""OpenSim's muscle models on two small machines: a rod on a hinge, and a block whose motion stretches the muscle."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

FORCE, FIBRE, TENDON, PENNATION = 200.0, 0.12, 0.17, 0.25  # N, m, m, rad
DAMPING, FASTEST = 0.1, 10.0  # OpenSim's defaults: beta, and optimal fibre lengths per second
MASS, ROD, LENGTH = 0.4, 1.0, 0.4  # of the muscle and of the rod [kg], of the rod [m]
TIME, REPORT = 0.35, 1e-3  # of a swing, and between its states [s]
ACCURACY = 1e-8  # relative, per step


def millard(damping: float = DAMPING, rigid: bool = False, least: float = 0.01) -> Any:
    muscle = osim.Millard2012EquilibriumMuscle("muscle", FORCE, FIBRE, TENDON, PENNATION)
    muscle.set_fiber_damping(damping)
    muscle.set_ignore_tendon_compliance(rigid)
    muscle.set_minimum_activation(least)
    return muscle


def thelen(rigid: bool = False) -> Any:
    muscle = osim.Thelen2003Muscle("muscle", FORCE, FIBRE, TENDON, PENNATION)
    muscle.set_ignore_tendon_compliance(rigid)
    return muscle


def de_groote_fregly(rigid: bool = False, dynamics: str = "explicit") -> Any:
    muscle = osim.DeGrooteFregly2016Muscle()
    muscle.setName("muscle")
    muscle.set_max_isometric_force(FORCE)
    muscle.set_optimal_fiber_length(FIBRE)
    muscle.set_tendon_slack_length(TENDON)
    muscle.set_pennation_angle_at_optimal(PENNATION)
    muscle.set_default_activation(0.05)
    muscle.set_ignore_tendon_compliance(rigid)
    muscle.set_tendon_compliance_dynamics_mode(dynamics)
    return muscle


def schutte() -> Any:
    """A muscle of which OpenSim knows no energy; the wheel has no class for it, but reads and makes it."""
    muscle = osim.Muscle.safeDownCast(osim.OpenSimObject.newInstanceOfType("Schutte1993Muscle_Deprecated"))
    muscle.setName("muscle")
    muscle.setMaxIsometricForce(FORCE)
    muscle.setOptimalFiberLength(FIBRE)
    muscle.setTendonSlackLength(TENDON)
    muscle.setPennationAngleAtOptimalFiberLength(PENNATION)
    return muscle


KINDS = {
    "equilibrium": lambda: millard(0.0),
    "damped": millard,
    "rigid": lambda: millard(rigid=True),
    "rigid, undamped": lambda: millard(0.0, rigid=True),
    "thelen": thelen,
    "de groote, compliant": de_groote_fregly,
    "de groote, rigid": lambda: de_groote_fregly(rigid=True),
}


def hinge(muscle: Any) -> Any:
    """A rod that hangs from a hinge in gravity, and a muscle from ground that lifts it."""
    model, across = osim.Model(), ROD * LENGTH**2 / 12
    rod = osim.Body("rod", ROD, osim.Vec3(0, -LENGTH / 2, 0), osim.Inertia(across, across / 10, across))
    pin = osim.PinJoint("pin", model.getGround(), osim.Vec3(0), osim.Vec3(0), rod, osim.Vec3(0), osim.Vec3(0))
    pin.updCoordinate().setName("angle")
    pin.updCoordinate().setRangeMin(-1.5)
    pin.updCoordinate().setRangeMax(2.5)
    model.addBody(rod)
    model.addJoint(pin)
    muscle.addNewPathPoint("origin", model.getGround(), osim.Vec3(0.03, 0.25, 0))
    muscle.addNewPathPoint("insertion", rod, osim.Vec3(0.03, -0.06, 0))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


def stretcher(muscle: Any, stretch: float, frequency: float = 1.0) -> Any:
    """A block on a slider whose motion is a sine about the optimal fibre length; ``stretch`` of it, in hertz."""
    model = osim.Model()
    block = osim.Body("block", 20.0, osim.Vec3(0), osim.Inertia(0.1))
    slider = osim.SliderJoint("slider", model.getGround(), block)
    coordinate = slider.updCoordinate()
    coordinate.setName("x")
    coordinate.setRangeMin(0.2)
    coordinate.setRangeMax(0.5)
    middle = TENDON + FIBRE * np.cos(PENNATION)
    coordinate.setPrescribedFunction(osim.Sine(stretch * FIBRE, 2 * np.pi * frequency, 0.0, middle))
    coordinate.setDefaultIsPrescribed(True)
    model.addBody(block)
    model.addJoint(slider)
    muscle.addNewPathPoint("origin", model.getGround(), osim.Vec3(0))
    muscle.addNewPathPoint("insertion", block, osim.Vec3(0))
    model.addForce(muscle)
    model.finalizeConnections()
    return model


def inertial_model(model: Any, segment: str = "") -> oi.InertialModel:
    """With the muscle's mass beside that of the body it moves, or in a segment."""
    return oi.InertialModel(model, pd.DataFrame({"muscle": ["muscle"], "mass": [MASS], "segment": [segment]}))


def muscle_of(model: Any) -> Any:
    """The muscle, as what it is: its own class knows more than ``Muscle`` does."""
    force = model.getForceSet().get("muscle")
    return getattr(osim, force.getConcreteClassName()).safeDownCast(force)


def excitation(time: float) -> float:
    return 0.05 + 0.45 * np.sin(8 * time) ** 2


@cache
def swing(kind: str) -> oi.forward_simulation.Trajectory:
    return oi.simulate(
        oi.Problem(
            inertial_model(hinge(KINDS[kind]())), t_final=TIME, excitations={"muscle": excitation}, equilibrate=True
        ),
        oi.integrators.RungeKutta45(accuracy=ACCURACY),
        report_step=REPORT,
    )


def stretch(muscle: Any, activation: float, by: float = 0.25, t_final: float = 0.35) -> oi.Problem:
    """The stretcher at constant activation; OpenSim raises it to the muscle's minimum."""
    inertial = inertial_model(stretcher(muscle, by))
    state = inertial.initial_state()
    inertial.model.realizeDynamics(state)
    muscle_of(inertial.model).setActivation(state, activation)
    return oi.Problem(inertial, state, t_final, excitations={"muscle": activation}, equilibrate=True)


def stretched(
    problem: oi.Problem, integrator: oi.integrators.Integrator | str = "bdf"
) -> oi.forward_simulation.Trajectory:
    return oi.simulate(problem, integrator, report_step=0.01)


def along(trajectory: oi.forward_simulation.Trajectory, *names: str) -> np.ndarray:
    """What the muscle's getters say at every state, (len(names), T)."""
    model, rows = trajectory.inertial.model, []
    muscle = muscle_of(model)
    for state in trajectory.states():
        model.realizeDynamics(state)
        rows.append([getattr(muscle, f"get{name}")(state) for name in names])
    return np.array(rows).T
