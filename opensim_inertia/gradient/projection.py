"""The projection on the constraints, transposed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._opensim import osim
from ..constrained import ConstrainedInverse, constraint_jacobian
from ..forward.system import System

Array = NDArray[np.float64]

#: Step by which coordinates are moved, relative to 1 + size, to see how a correction changes.
STEP = 1e-6
#: Errors of the position constraints below this [m or rad] are corrected by what does not depend on the pose.
SMALL = 1e-9


class Projection:
    """Differentiates ``System.project``: Newton steps on the position constraints, then one on those of velocity.

    Args:
        system: the equations.
    """

    def __init__(self, system: System) -> None:
        self.system, self.model = system, system.model
        self._matter = self.model.getMatterSubsystem()
        self._kinematics = system.inertial.kinematics

    def pull_back(self, t: float, y: Array, slope: Array) -> Array:
        """An objective's slope (ny,) at y before projection, from that at the projected state."""
        if not self.system.is_constrained:
            return slope
        poses = self.system.poses_on_the_way(t, y)
        nq, nu = self.system.nq, self.system.nu
        slope = slope.copy()
        onto = self._speed_change(t, poses[-1], y[nq : nq + nu])
        slope[: nq + nu] = onto.T @ slope[nq : nq + nu] + np.concatenate([slope[:nq], np.zeros(nu)])
        for pose in reversed(poses[:-1]):
            slope[:nq] = self._pose_change(t, pose).T @ slope[:nq]
        return slope

    def _pose_change(self, t: float, q: Array) -> Array:
        """d(q after a Newton step)/dq (nq, nq)."""
        error, W, G = self._correction(t, q)
        change = np.eye(len(q)) - W @ G
        if np.abs(error).max() > SMALL:
            for i in range(len(q)):
                h = STEP * (1 + abs(q[i]))
                ends = [self._correction(t, _moved(q, i, s * h))[1] @ error for s in (1.0, -1.0)]
                change[:, i] -= (ends[0] - ends[1]) / (2 * h)
        return change

    def _correction(self, t: float, q: Array) -> tuple[Array, Array, Array]:
        """Errors c (m,), and W (nq, m) and d(c)/dq (m, nq), of the Newton step q - W c."""
        state = self._place(t, q, np.zeros(self.system.nu))
        error = state.getQErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        inverse = ConstrainedInverse(self._kinematics.mass_matrix(state), rows)
        rates, speeds = self.system.coordinate_maps(state)
        return error, rates @ inverse.constraints, rows @ speeds

    def _speed_change(self, t: float, q: Array, u: Array) -> Array:
        """d(u after projection)/d(q, u) (nu, nq + nu), the pose being projected already."""
        changes = []
        for i in range(len(q)):
            h = STEP * (1 + abs(q[i]))
            ends = [self._projected_speeds(t, _moved(q, i, s * h), u)[0] for s in (1.0, -1.0)]
            changes.append((ends[0] - ends[1]) / (2 * h))
        return np.column_stack([*changes, self._projected_speeds(t, q, u)[1]])

    def _projected_speeds(self, t: float, q: Array, u: Array) -> tuple[Array, Array]:
        """Speeds that meet the constraints, and how they follow from those given (nu, nu)."""
        state = self._place(t, q, u)
        self.model.realizeVelocity(state)
        error = state.getUErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        inverse = ConstrainedInverse(self._kinematics.mass_matrix(state), rows)
        return u - inverse.constraints @ error, np.eye(len(u)) - inverse.constraints @ rows

    def _place(self, t: float, q: Array, u: Array) -> osim.State:
        state = self.system.state
        state.setTime(t)
        state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
        state.setU(osim.Vector.createFromMat(np.ascontiguousarray(u)))
        self.model.realizePosition(state)
        return state


def _moved(q: Array, i: int, by: float) -> Array:
    moved = q.copy()
    moved[i] += by
    return moved
