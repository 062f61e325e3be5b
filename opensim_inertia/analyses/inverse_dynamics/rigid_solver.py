"""The rigid part of inverse dynamics, by OpenSim's own solver, and the kinematics of the rows that it solves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError, MotionError, opensim_reason
from ..._core.opensim import osim
from ...model import InertialModel
from ...opensim_model.reading.kinematics import KinematicsRows, StateKinematics
from ...opensim_model.reading.motion import Motion
from ...opensim_model.reading.paths import PATH_LISTS
from ...opensim_model.setups.loads import GROUND, Loads, switch_off

__all__ = ["RigidSolver"]


class RigidSolver:
    """Solves rows with OpenSim's InverseDynamicsSolver on the published model.

    Args:
        inertial: the model.
        motion: of all coordinates of the model.
        loads: external loads, which are no part of the model.
        excluded: names, groups or keywords of model forces that do not act.
        beside: bodies whose kinematics are asked for besides those that muscles touch.

    Attributes:
        model, state: the model, and its state at the row solved last.
        bodies: names along the body axis of the kinematics that are returned.
    """

    def __init__(
        self,
        inertial: InertialModel,
        motion: Motion,
        loads: Loads | None,
        excluded: Sequence[str],
        beside: Sequence[str] = (),
    ) -> None:
        self._motion, self._q = motion, np.zeros((len(motion), inertial.coordinates.nq))
        self._q[:, inertial.coordinates.slots] = motion.q
        finite = np.isfinite(motion.q) & np.isfinite(motion.u)
        if not finite.all():
            name = inertial.coordinate_names[int(np.argwhere(~finite)[0, 1])]
            raise ModelError(f"the state is not finite at coordinate '{name}'")
        if loads is not None:
            loads.check_bodies(inertial.model)
        self._loads = None if loads is None else AppliedLoads(loads, motion.times)
        self.model, self.state = inertial.model, inertial.initial_state()
        self._binding = inertial.dynamics.check_state(self.state)
        self._few = self._binding.kinematics
        self._kinematics = self._few.also([*(() if self._loads is None else self._loads.bodies), *beside])
        self.bodies = self._kinematics.bodies
        switch_off(self.model, self.state, excluded)
        self._solver = osim.InverseDynamicsSolver(self.model)

    def solve(self, rows: range, see: Callable[[int, osim.State], None] | None = None) -> tuple[Array, KinematicsRows]:
        """Return the rigid generalized forces (R, nu) without external loads, and the kinematics of rows.

        Args:
            rows: the rows, one after the other.
            see: is handed each row and its state.
        """
        motion, few = self._motion, slice(rows.start, rows.stop)
        tau, read = np.empty(motion.q[few].shape), KinematicsRows(self._kinematics, motion.q[few], motion.u[few])
        for i, row in enumerate(rows):
            self._set(row)
            try:
                with PATH_LISTS:
                    solved = self._solver.solve(self.state, osim.Vector.createFromMat(motion.udot[row]))
            except RuntimeError as error:
                at = f"at time {motion.times[row]:.6g} s"
                raise MotionError(f"OpenSim cannot solve the motion {at}: {opensim_reason(error)}") from None
            tau[i] = solved.to_numpy()
            read.read(self.state, self._binding.paths(self.state, motion.q[row], motion.u[row]))
            if see is not None:
                see(row, self.state)
        return tau, read

    def applied(self, rows: slice, kinematics: StateKinematics) -> Array | float:
        """Return the generalized forces (R, nu) of the external loads at rows of these kinematics; 0 for no loads."""
        return 0.0 if self._loads is None else self._loads.generalized(rows, kinematics, self.bodies)

    def narrowed(self, states: list[StateKinematics]) -> list[StateKinematics]:
        """Return the same states with the bodies alone that muscles touch."""
        few = len(self._few.bodies)
        return states if len(self.bodies) == few else [state.first(few) for state in states]

    def kinematics(self, row: int) -> StateKinematics:
        """Return the kinematics of the bodies that muscles touch alone, without paths that OpenSim leads."""
        self._set(row)
        return self._few.read(self.state)

    def _set(self, row: int) -> None:
        self.state.setTime(float(self._motion.times[row]))
        self.state.setQ(osim.Vector.createFromMat(self._q[row]))
        self.state.setU(osim.Vector.createFromMat(self._motion.u[row]))


class AppliedLoads:
    """External loads at the rows of a motion.

    A load is a force at a point of a body, or at its origin, and a torque. OpenSim says how large they are at each
    time, in the axes of bodies; where these bodies are at a row, and which coordinates move them, kinematics say.

    Args:
        loads: the loads.
        times: of the rows (T,) [s].

    Attributes:
        bodies: the bodies that they act on and in which they are expressed, ground apart.
    """

    def __init__(self, loads: Loads, times: Array) -> None:
        self._bodies = {name: bodies for name, bodies in loads.bodies.items() if bodies[0] != GROUND}
        self._values = loads.at(times)
        frame_names = (body for bodies in self._bodies.values() for body in bodies)
        self.bodies = tuple(dict.fromkeys(name for name in frame_names if name not in (None, GROUND)))

    def generalized(self, rows: slice, kinematics: StateKinematics, names: Sequence[str]) -> Array:
        """Return the generalized forces (R, nu) that all loads make at some rows.

        Args:
            rows: R rows of the motion.
            kinematics: their kinematics, stacked.
            names: names along its body axis; :attr:`bodies` are among them.
        """
        forces = np.zeros(kinematics.u.shape)
        for name, (body, force_frame, point_frame) in self._bodies.items():
            force, point, torque = (part[rows] for part in self._values[name])
            if force_frame != GROUND:
                rotation = kinematics.rotation[:, names.index(force_frame)]
                force, torque = (np.einsum("tij,tj->ti", rotation, vector) for vector in (force, torque))
            b = names.index(body)
            moment = torque
            if point_frame is not None:
                if point_frame != GROUND:
                    p = names.index(point_frame)
                    point = kinematics.position[:, p] + np.einsum("tij,tj->ti", kinematics.rotation[:, p], point)
                moment = torque + np.cross(point - kinematics.position[:, b], force)
            wrench = np.concatenate([moment, force], axis=1)
            forces += np.einsum("tij,ti->tj", kinematics.jacobian[:, 6 * b : 6 * b + 6], wrench)
        return forces
