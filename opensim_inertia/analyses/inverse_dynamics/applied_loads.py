"""External loads as generalized forces at rows whose kinematics are known, so that no model needs to have them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..._core.arrays import Array
from ...opensim_model.reading.kinematics import StateKinematics
from ...opensim_model.setups.loads import GROUND, Loads

__all__ = ["AppliedLoads"]


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
