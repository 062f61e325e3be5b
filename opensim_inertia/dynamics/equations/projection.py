"""The vjp of the projection on the constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...model.constraints import ConstrainedInverse, constraint_jacobian
from .differences import PROJECTION_STEP, central
from .system import System

#: Errors of the position constraints below this [m or rad] are corrected by what does not depend on the pose.
SMALL = 1e-9


class _Step(NamedTuple):
    """A Newton step q - N Q c: the bordered inverse (P, Q), N (nq, nu), and dc/dq (m, nq)."""

    inverse: ConstrainedInverse
    rates: Array
    jacobian: Array

    @property
    def gain(self) -> Array:
        """N Q (nq, m)."""
        return np.asarray(self.rates @ self.inverse.constraints)


class ProjectionContribution(Protocol):
    """A parameter's derivative, as far as it comes from corrections made in the metric of M."""

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        """Add -cotangent^T (dM/dp) correction at a pose q (nq,); both are (nu,)."""


class Projection:
    """Differentiates ``System.project``: Newton steps on the position constraints, then one on those of velocity.

    A correction d solves M d + G^T lambda = 0, G d = -error. Where a parameter changes M, d changes by -P (dM/dp) d.

    Args:
        system: the equations.
        contributions: the parameters' derivatives, to which corrections are added.
    """

    def __init__(self, system: System, contributions: Sequence[ProjectionContribution] = ()) -> None:
        self._contributions = contributions
        self.system, self.model = system, system.model

    def vjp(self, t: float, y: Array, cotangent: Array) -> Array:
        """Return the cotangent (ny,) of y before projection, from that of the projected state."""
        if not self.system.is_constrained:
            return cotangent
        poses = self.system.poses_on_the_way(t, y)
        nq, nu = self.system.nq, self.system.nu
        result = cotangent.copy()
        speeds, onto, compliance = self._projected_speeds(t, poses[-1], y[nq : nq + nu])
        self._contribute(t, poses[-1], speeds - y[nq : nq + nu], compliance @ result[nq : nq + nu])
        over_pose = self._speeds_over_pose(t, poses[-1], y[nq : nq + nu])
        result[:nq] += over_pose.T @ result[nq : nq + nu]
        result[nq : nq + nu] = onto.T @ result[nq : nq + nu]
        for pose in reversed(poses):  # the last step corrects nothing, but follows the pose along the constraints
            error, step = self._correction(t, pose)
            force = step.inverse.forces @ (step.rates.T @ result[:nq])
            self._contribute(t, pose, -step.inverse.constraints @ error, force)
            result[:nq] = self._pose_change(t, pose, error, step).T @ result[:nq]
        return result

    def _contribute(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        if correction.any():
            for contribution in self._contributions:
                contribution.add_projection(t, q, correction, cotangent)

    def _pose_change(self, t: float, q: Array, error: Array, step: _Step) -> Array:
        """Return d(q after a Newton step)/dq (nq, nq)."""
        change = np.eye(len(q)) - step.gain @ step.jacobian
        if np.abs(error).max(initial=0.0) > SMALL:
            for i in range(len(q)):
                step_length = PROJECTION_STEP * (1 + abs(q[i]))
                change[:, i] -= central(lambda x: self._correction(t, x)[1].gain @ error, q, i, step_length)
        return change

    def _correction(self, t: float, q: Array) -> tuple[Array, _Step]:
        """Return the errors c (m,) of the position constraints, and the Newton step on them."""
        state = self._set_pose(t, q, np.zeros(self.system.nu))
        error = state.getQErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        rates, speeds = self.system.coordinate_maps(state)
        return error, _Step(ConstrainedInverse(self.system.mass_matrix(state), rows), rates, rows @ speeds)

    def _speeds_over_pose(self, t: float, q: Array, u: Array) -> Array:
        """Return d(u after projection)/dq (nu, nq), the pose being projected already."""
        steps = PROJECTION_STEP * (1 + np.abs(q))
        columns = [central(lambda x: self._projected_speeds(t, x, u)[0], q, i, h) for i, h in enumerate(steps.tolist())]
        return np.column_stack(columns)

    def _projected_speeds(self, t: float, q: Array, u: Array) -> tuple[Array, Array, Array]:
        """Return speeds that meet the constraints, their derivative over those given (nu, nu), and P (nu, nu)."""
        state = self._set_pose(t, q, u)
        self.model.realizeVelocity(state)
        error = state.getUErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        inverse = ConstrainedInverse(self.system.mass_matrix(state), rows)
        return u - inverse.constraints @ error, np.eye(len(u)) - inverse.constraints @ rows, inverse.forces

    def _set_pose(self, t: float, q: Array, u: Array) -> osim.State:
        state = self.system.state
        state.setTime(t)
        state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
        state.setU(osim.Vector.createFromMat(np.ascontiguousarray(u)))
        self.model.realizePosition(state)
        return state
