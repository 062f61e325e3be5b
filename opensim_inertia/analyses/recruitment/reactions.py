"""Joint reactions: what joints bear when actuators pull as recruited and muscles' mass moves along its paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import MotionError, opensim_reason
from ..._core.opensim import osim
from ...dynamics.load_sharing.actuation import ModelActuators
from ...model import InertialModel
from ...opensim_model.reading.loading import initialise
from ...opensim_model.reading.motion import Motion
from ...opensim_model.setups.loads import Loads, switch_off

GROUND = "ground"
AXES = np.eye(3)
#: Keywords of forces that always act here, as recruited.
ACTUATED = ("ACTUATORS", "MUSCLES")


class JointLoads(NamedTuple):
    """Reactions at one state.

    Attributes:
        reactions: of each joint, on its child and on its parent, moment and force in ground, (joints, 2, 6) [N m, N].
        frames: of each joint, of child and parent, origin and rotation to ground, (joints, 2, 12) [m].
        accelerations: of the coordinates, (nu,).
    """

    reactions: Array
    frames: Array
    accelerations: Array


class ReactionSolver:
    """Computes joint reactions by a model whose actuators have given forces.

    Its bodies are those of the published model; actuators exert the wrenches that sliding muscle mass adds.
    """

    def __init__(
        self,
        inertial: InertialModel,
        actuation: ModelActuators,
        joints: Sequence[str],
        loads: Loads | None,
        excluded: Sequence[str],
        times: Array,
    ) -> None:
        """Add actuators for these wrenches to a copy of the model, and override the forces of all actuators."""
        self._inertial = inertial
        model = osim.Model(actuation.model)
        self._carriers = [b for b, body in enumerate(inertial.assembly.bodies) if body != GROUND]
        on_bodies = [name for b in self._carriers for name in _add_wrench(model, inertial.assembly.bodies[b])]
        on_coordinates = [_add_generalized(model, name) for name in inertial.coordinate_names]
        initialise(model)
        state = osim.State(model.getWorkingState())
        if loads is not None:
            model, state = loads.added_to(model, times)
        self._model, self._state = model, state
        switch_off(model, state, [name for name in excluded if name.upper() not in ACTUATED])
        by_name = {a.getName(): a for a in map(osim.ScalarActuator.safeDownCast, model.getComponentsList()) if a}
        pulling = [name for name in actuation.names if name in by_name]  # reserves are not in the model
        self._pulling = [by_name[name] for name in [*pulling, *on_bodies, *on_coordinates]]
        for actuator in self._pulling:
            osim.Force.safeDownCast(actuator).setAppliesForce(state, True)
            actuator.overrideActuation(state, True)
        self._joints = [model.getJointSet().get(name) for name in joints]
        self._reserves = [inertial.coordinate_names.index(name) for name in actuation.reserves]
        self._at_rest = inertial.initial_state()

    def at(self, motion: Motion, row: int, kind: str, forces: Array, generalized: Array) -> JointLoads:
        """Return reactions at a row of a motion.

        Args:
            motion, row: which state.
            kind: "lumped" or "inertial".
            forces: of all actuators (n,) [N or N m].
            generalized: forces (nu,) that act on coordinates besides [N m or N].
        """
        for state in (self._state, self._at_rest):
            state.setTime(float(motion.times[row]))
            self._inertial.coordinates.set_values(state, motion.q[row])
            state.setU(osim.Vector.createFromMat(motion.u[row]))
        wrenches = np.zeros((len(self._carriers), 6))
        generalized = generalized.copy()
        if kind == "inertial":
            kinematics, udot = self._inertial.dynamics.read(self._at_rest), motion.udot[row]
            on_bodies, on_coordinates = self._inertial.evaluation.inverse_on_carriers([kinematics], udot[None])
            wrenches, generalized = on_bodies[0, self._carriers], generalized - on_coordinates[0]
        count = len(forces) - len(self._reserves)
        generalized[self._reserves] += forces[count:]
        tensions = np.r_[forces[:count], -wrenches.ravel(), generalized]
        for actuator, tension in zip(self._pulling, tensions.tolist(), strict=True):
            actuator.setOverrideActuation(self._state, tension)
        try:
            self._model.realizeAcceleration(self._state)
        except RuntimeError as error:
            at = f"at time {motion.times[row]:.6g} s"
            raise MotionError(f"OpenSim cannot find joint reactions {at}: {opensim_reason(error)}") from None
        reactions, frames = np.zeros((len(self._joints), 2, 6)), np.zeros((len(self._joints), 2, 12))
        for i, joint in enumerate(self._joints):
            on_child = joint.calcReactionOnChildExpressedInGround(self._state)
            on_parent = joint.calcReactionOnParentExpressedInGround(self._state)
            for j, (load, frame) in enumerate(((on_child, joint.getChildFrame()), (on_parent, joint.getParentFrame()))):
                reactions[i, j] = np.r_[load.get(0).to_numpy(), load.get(1).to_numpy()]
                place = frame.getTransformInGround(self._state)
                rotation = [[place.R().get(r, c) for c in range(3)] for r in range(3)]
                frames[i, j] = np.r_[place.p().to_numpy(), np.ravel(rotation)]
        return JointLoads(reactions, frames, self._state.getUDot().to_numpy().copy())


def expressed(loads: Array, frames: Array, side: int, seen_from: int | None) -> Array:
    """Return one joint's reaction on one body: force, moment and the point where it acts, (T, 9) [N, N m, m].

    Args:
        loads: moment and force on child and parent in ground, (T, 2, 6).
        frames: origin and rotation to ground of child and parent, (T, 2, 12).
        side: on which of the two it acts, 0 or 1.
        seen_from: in whose axes, and from whose origin; None for ground's.
    """
    moment, force, place = loads[:, side, :3], loads[:, side, 3:], frames[:, side, :3]
    if seen_from is not None:
        origin, rotation = frames[:, seen_from, :3], frames[:, seen_from, 3:].reshape(-1, 3, 3)
        force, moment, place = (np.einsum("tji,tj->ti", rotation, v) for v in (force, moment, place - origin))
    return np.hstack([force, moment, place])


def _add_wrench(model: osim.Model, body: str) -> list[str]:
    """Add actuators to a model that exert the moment and the force of a wrench on a body, and return their names."""
    names: list[str] = []
    for quantity in ("moment", "force"):
        for axis in AXES:
            names.append(f"muscle_mass_{quantity}_{len(names) % 3}_on_{body}")
            direction = osim.Vec3(*axis)
            if quantity == "moment":
                actuator = osim.TorqueActuator()
                actuator.set_bodyA(body)
                actuator.set_bodyB(GROUND)
                actuator.setAxis(direction)
                actuator.setTorqueIsGlobal(True)
            else:
                actuator = osim.PointActuator(body)
                actuator.set_point(osim.Vec3(0.0))
                actuator.set_direction(direction)
                actuator.set_force_is_global(True)
            actuator.setName(names[-1])
            model.addForce(actuator)
    return names


def _add_generalized(model: osim.Model, coordinate: str) -> str:
    """Add an actuator to a model that acts on a coordinate, and return its name."""
    actuator = osim.CoordinateActuator(coordinate)
    actuator.setName(f"muscle_mass_on_{coordinate}")
    model.addForce(actuator)
    return str(actuator.getName())
