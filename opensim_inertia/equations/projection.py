"""The projection on the constraints, transposed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..inertial.constraints import ConstrainedInverse, constraint_jacobian
from .differences import moved
from .system import System

#: Step by which coordinates are moved, relative to 1 + size, to see how a correction changes.
STEP = 1e-6
#: Errors of the position constraints below this [m or rad] are corrected by what does not depend on the pose.
SMALL = 1e-9


class _Step(NamedTuple):
    """A Newton step q - N Q c: the bordered inverse (P, Q), N (nq, nu), and dc/dq (m, nq)."""

    inverse: ConstrainedInverse
    rates: Array
    slopes: Array

    @property
    def gain(self) -> Array:
        """N Q (nq, m)."""
        return np.asarray(self.rates @ self.inverse.constraints)


class ProjectionShare(Protocol):
    """What parameters take from a correction of speeds or of a pose, made in the metric of M."""

    def add_correction(self, t: float, q: Array, correction: Array, push: Array) -> None:
        """Add -push^T (dM/dp) correction at a pose q (nq,); both (nu,)."""


class Projection:
    """Differentiates ``System.project``: Newton steps on the position constraints, then one on those of velocity.

    A correction d solves M d + G^T lambda = 0, G d = -error. Where a parameter changes M, d changes by -P (dM/dp) d.

    Args:
        system: the equations.
        shares: what parameters take.
    """

    def __init__(self, system: System, shares: Sequence[ProjectionShare] = ()) -> None:
        self._shares = shares
        self.system, self.model = system, system.model
        self._kinematics = system.inertial.kinematics

    def pull_back(self, t: float, y: Array, slope: Array) -> Array:
        """An objective's slope (ny,) at y before projection, from that at the projected state."""
        if not self.system.is_constrained:
            return slope
        poses = self.system.poses_on_the_way(t, y)
        nq, nu = self.system.nq, self.system.nu
        slope = slope.copy()
        speeds, onto, compliance = self._projected_speeds(t, poses[-1], y[nq : nq + nu])
        self._hand_out(t, poses[-1], speeds - y[nq : nq + nu], compliance @ slope[nq : nq + nu])
        over_pose = self._speeds_over_pose(t, poses[-1], y[nq : nq + nu])
        slope[:nq] += over_pose.T @ slope[nq : nq + nu]
        slope[nq : nq + nu] = onto.T @ slope[nq : nq + nu]
        for pose in reversed(poses):  # the last step corrects nothing, but follows the pose along the constraints
            error, step = self._correction(t, pose)
            push = step.inverse.forces @ (step.rates.T @ slope[:nq])
            self._hand_out(t, pose, -step.inverse.constraints @ error, push)
            slope[:nq] = self._pose_change(t, pose, error, step).T @ slope[:nq]
        return slope

    def _hand_out(self, t: float, q: Array, correction: Array, push: Array) -> None:
        if correction.any():
            for share in self._shares:
                share.add_correction(t, q, correction, push)

    def _pose_change(self, t: float, q: Array, error: Array, step: _Step) -> Array:
        """d(q after a Newton step)/dq (nq, nq)."""
        change = np.eye(len(q)) - step.gain @ step.slopes
        if np.abs(error).max(initial=0.0) > SMALL:
            for i in range(len(q)):
                h = STEP * (1 + abs(q[i]))
                ends = [self._correction(t, moved(q, i, s * h))[1].gain @ error for s in (1.0, -1.0)]
                change[:, i] -= (ends[0] - ends[1]) / (2 * h)
        return change

    def _correction(self, t: float, q: Array) -> tuple[Array, _Step]:
        """Errors c (m,) of the position constraints, and the Newton step on them."""
        state = self._place(t, q, np.zeros(self.system.nu))
        error = state.getQErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        rates, speeds = self.system.coordinate_maps(state)
        return error, _Step(ConstrainedInverse(self._kinematics.mass_matrix(state), rows), rates, rows @ speeds)

    def _speeds_over_pose(self, t: float, q: Array, u: Array) -> Array:
        """d(u after projection)/dq (nu, nq), the pose being projected already."""
        columns = []
        for i in range(len(q)):
            h = STEP * (1 + abs(q[i]))
            ends = [self._projected_speeds(t, moved(q, i, s * h), u)[0] for s in (1.0, -1.0)]
            columns.append((ends[0] - ends[1]) / (2 * h))
        return np.column_stack(columns)

    def _projected_speeds(self, t: float, q: Array, u: Array) -> tuple[Array, Array, Array]:
        """Speeds that meet the constraints, how they follow from those given (nu, nu), and P (nu, nu)."""
        state = self._place(t, q, u)
        self.model.realizeVelocity(state)
        error = state.getUErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        inverse = ConstrainedInverse(self._kinematics.mass_matrix(state), rows)
        return u - inverse.constraints @ error, np.eye(len(u)) - inverse.constraints @ rows, inverse.forces

    def _place(self, t: float, q: Array, u: Array) -> osim.State:
        state = self.system.state
        state.setTime(t)
        state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
        state.setU(osim.Vector.createFromMat(np.ascontiguousarray(u)))
        self.model.realizePosition(state)
        return state
