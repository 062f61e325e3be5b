"""A planar arm of two links and six muscles, two of them over both joints, built by code."""

from typing import Any

import numpy as np

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim

from .by_keyword import inertial_model

MUSCLES = ("shoulder_flexor", "shoulder_extensor", "elbow_flexor", "elbow_extensor", "biceps", "triceps")
MASSES = dict(zip(MUSCLES, (0.4, 0.45, 0.2, 0.25, 0.35, 0.4), strict=True))
POSE = {"shoulder": 0.3, "elbow": 1.0}
LINK = 0.3
_PATHS = {
    "shoulder_flexor": (("ground", 0.05, 0.08), ("upper", 0.03, -0.13)),
    "shoulder_extensor": (("ground", -0.06, 0.07), ("upper", -0.03, -0.11)),
    "elbow_flexor": (("upper", 0.03, -0.12), ("fore", 0.035, -0.06)),
    "elbow_extensor": (("upper", -0.03, -0.1), ("upper", -0.035, -0.31), ("fore", -0.03, -0.03)),
    "biceps": (("ground", 0.045, 0.06), ("upper", 0.04, -0.2), ("fore", 0.03, -0.05)),
    "triceps": (("ground", -0.04, 0.06), ("upper", -0.035, -0.2), ("upper", -0.04, -0.31), ("fore", -0.028, -0.025)),
}
_FORCES = dict(zip(MUSCLES, (700.0, 650.0, 500.0, 450.0, 400.0, 420.0), strict=True))


def muscle(kind: str, name: str, force: float, fibre: float) -> Any:
    """A muscle without slack length yet; "rigid" and "states" are DeGrooteFregly's, the others named by their model."""
    if kind == "thelen":
        return osim.Thelen2003Muscle(name, force, fibre, 0.1, 0.1)
    if kind in ("millard", "millard rigid"):
        new_muscle = osim.Millard2012EquilibriumMuscle(name, force, fibre, 0.1, 0.1)
        new_muscle.set_ignore_tendon_compliance(kind == "millard rigid")
        new_muscle.set_ignore_activation_dynamics(kind == "millard rigid")
        return new_muscle
    new_muscle = osim.DeGrooteFregly2016Muscle()
    new_muscle.setName(name)
    new_muscle.set_max_isometric_force(force)
    new_muscle.set_optimal_fiber_length(fibre)
    new_muscle.set_pennation_angle_at_optimal(0.1)
    new_muscle.set_ignore_tendon_compliance(kind == "rigid")
    new_muscle.set_ignore_activation_dynamics(kind == "rigid")
    new_muscle.set_tendon_compliance_dynamics_mode("explicit")
    return new_muscle


def planar_arm(kind: str = "rigid", gravity: float = 9.80665) -> Any:
    """The model; both coordinates turn about z, and gravity points along -y."""
    model = osim.Model()
    model.setName("planar_arm")
    model.setGravity(osim.Vec3(0.0, -gravity, 0.0))
    frames, parent, at = {"ground": model.getGround()}, model.getGround(), osim.Vec3(0)
    for body, coordinate, mass in (("upper", "shoulder", 2.4), ("fore", "elbow", 1.8)):
        across = mass * LINK**2 / 12
        link = osim.Body(body, mass, osim.Vec3(0, -LINK / 2, 0), osim.Inertia(across, 0.002, across))
        model.addBody(link)
        pin = osim.PinJoint(f"{coordinate}_joint", parent, at, osim.Vec3(0), link, osim.Vec3(0), osim.Vec3(0))
        pin.updCoordinate().setName(coordinate)
        pin.updCoordinate().setDefaultValue(POSE[coordinate])
        model.addJoint(pin)
        frames[body], parent, at = link, link, osim.Vec3(0, -LINK, 0)
    for name, path in _PATHS.items():
        new_muscle = muscle(kind, name, _FORCES[name], 0.1)
        for k, (frame, x, y) in enumerate(path):
            new_muscle.addNewPathPoint(f"{name}-P{k}", frames[frame], osim.Vec3(x, y, 0.0))
        model.addForce(new_muscle)
    model.finalizeConnections()
    state = model.initSystem()
    for i, name in enumerate(MUSCLES):
        new_muscle = model.updMuscles().get(name)
        length = new_muscle.getLength(state)
        fibre = length * (0.35 + 0.03 * i)
        new_muscle.setOptimalFiberLength(fibre)
        new_muscle.setTendonSlackLength(length - 0.97 * fibre)
    model.finalizeConnections()
    return model


def arm(kind: str = "rigid", gravity: float = 9.80665, massive: bool = True, **options: Any) -> oi.InertialModel:
    return inertial_model(planar_arm(kind, gravity), MASSES if massive else {}, **options)


def udot_of_activations(inertial: oi.InertialModel, p: oi.stability.Posture, a: np.ndarray) -> np.ndarray:
    """Accelerations at a posture with other activations; of muscles without states."""
    state = inertial.dynamics.copy_state(p.state)
    inertial.model.realizeVelocity(state)
    inertial.model.setControls(state, osim.Vector.createFromMat(np.asarray(a, dtype=float)))
    return inertial.udot(state)
