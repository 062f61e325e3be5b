"""Wrenches on single bodies that accelerate the mass on them, or in muscles between them, along a motion.

Forces of rigid masses are projected on a state's speeds. If the twists of the bodies are taken for speeds, the
projected forces are the wrenches on the bodies.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ...model import InertialModel
from ...muscles.masses.rigid import rigid_inverse
from ...opensim_model.reading import StateKinematics

__all__ = ["Needed", "Wrenches"]


class Needed(NamedTuple):
    """The forces that accelerate mass as a motion does.

    Attributes:
        wrenches: moment about the body's origin and force, in ground, of each body (bodies, 6) [N m, N].
        generalized: forces (nu,) on coordinates by which path points move on their bodies [N m or N].
    """

    wrenches: Array
    generalized: Array


class Wrenches:
    """The mass that an inertial model's segments have given up, as wrenches on bodies.

    Args:
        inertial: the model.

    Attributes:
        bodies: names of the bodies.
    """

    def __init__(self, inertial: InertialModel) -> None:
        assembly = inertial.placement.assembly
        self.bodies = assembly.bodies
        self._nu, self._gravity = len(inertial.coordinate_names), assembly.gravity
        self._transfers = inertial.placement.transfers
        self._evaluation = inertial.evaluation

    def needed(self, kind: str, kinematics: StateKinematics, udot: Array) -> Needed:
        """Return the forces that accelerate the muscles' mass at one state.

        Args:
            kind: where the mass is: "lumped" in segments, "moved" to the muscles but fixed to segments, or "inertial".
            kinematics: the kinematics at the state.
            udot: generalized accelerations (nu,).
        """
        if kind == "inertial":
            wrenches, generalized = self._evaluation.inverse_on_carriers([kinematics], udot[None])
            return Needed(wrenches[0], generalized[0])
        n, bias = 6 * len(self.bodies), kinematics.simbody_bias
        on_twists = kinematics._replace(
            q=np.r_[kinematics.q, np.zeros(n)],
            u=np.r_[kinematics.u, kinematics.jacobian @ kinematics.u],
            jacobian=np.hstack([np.zeros((n, self._nu)), np.eye(n)]),
            bias=np.zeros_like(bias),
            simbody_bias=np.zeros_like(bias),
        )
        accelerations = np.r_[udot, kinematics.jacobian @ udot + bias.ravel()][None]
        masses = {name: t.given_up if kind == "lumped" else t.muscles for name, t in self._transfers.items()}
        forces = rigid_inverse(self.bodies, [masses], [on_twists], accelerations, self._gravity)[0][0]
        return Needed(forces[self._nu :].reshape(-1, 6), forces[: self._nu])
