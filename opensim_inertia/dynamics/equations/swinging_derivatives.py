"""Derivatives of the equations of motion of mass that swings, at a state.

With all accelerations fixed, let tau(q, u, z, zdot) be the forces that swinging makes the motion need, and r the
residual of the displacements' own equations, which is zero. Where displacements are eliminated the coordinates'
residual changes by

    d tau - M_qz / mu dr,

and then ``dzddot = - (dr + M_qz^T dudot) / mu``. Both are quadratic in z and its rate, and differenced exactly; over
coordinates and speeds they are differenced as OpenSim's inverse dynamics is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...model.wobble import Displacement, Drive, SwingTerms
from ...model.wobble.swings import SwingingMuscles
from .swinging import Group, Swinging

__all__ = ["SwingDerivatives", "SwingSlopes"]

#: Displacements [m] and their rates [m/s] are moved by this; forces are quadratic in them.
STEP = 1e-2


class SwingDerivatives(NamedTuple):
    """Data of n coordinates of displacements for derivatives of the equations of motion.

    Attributes:
        gain: M_qz / mu, (nu, n).
        mass: mu, (n,).
        by_tension: derivatives of r over the tension of each muscle that acts, (m, n).
        by_stiffness, by_damping: derivatives of r over k at no tension [N/m] and over the share of the critical damping
            of the mass that each coordinate is of, (n,).
        masses: number of this mass, (n,).
        rows: the entries of y that are the rates of the displacements.
    """

    gain: Array
    mass: Array
    by_tension: Array
    by_stiffness: Array
    by_damping: Array
    masses: NDArray[np.intp]
    rows: slice

    def residual_vjp(self, force: Array, cotangent: Array) -> Array:
        """Return the cotangent of r (n,), from those of generalized forces (nu,) and of the right-hand side (ny,)."""
        return force @ self.gain - cotangent[self.rows] / self.mass


class SwingSlopes:
    """Swinging at one state, with its accelerations held.

    Args:
        swings: what swings; its displacements are those of the state.
        state: realized to acceleration.
        terms: what swinging adds to the equations of motion there.
        udot: the accelerations (nu,).

    Attributes:
        gain, mass: as of :class:`SwingDerivatives`.
    """

    def __init__(self, swings: Swinging, state: osim.State, terms: Sequence[SwingTerms], udot: Array) -> None:
        self._swings, self._udot = swings, udot[None]
        self._values = swings.values.copy()
        self._groups = swings.at(state)
        self._tension = swings.tensions(state)
        self._accelerations = [each.accelerations(udot) for each in terms]
        self.gain = np.concatenate(
            [(each.coupling / each.modal_mass[:, None]).reshape(len(udot), -1) for each in terms], axis=1
        )
        self.mass = np.concatenate([np.repeat(each.modal_mass, each.own_force.shape[1]) for each in terms])

    def derivatives(self, muscles: Sequence[int], rows: slice) -> SwingDerivatives:
        """Return what does not follow from residuals; ``muscles`` are numbers of those that act, -1 of others."""
        n = len(self.mass)
        by_tension, by_stiffness, by_damping = np.zeros((len(muscles), n)), np.zeros(n), np.zeros(n)
        masses, at, count = np.zeros(n, dtype=np.intp), 0, 0
        for group in self._groups:
            swings, z, rate = group.swings, group.z, group.rate
            mu, damping = swings.values.modal_mass, swings.values.damping
            k = swings.values.oscillator(group.tension)[0] * mu
            part = slice(at, at + z.size)
            over_k = z + (damping * np.sqrt(mu / k))[:, None] * rate
            by_stiffness[part] = over_k.ravel()
            by_damping[part] = ((2.0 * np.sqrt(k * mu))[:, None] * rate).ravel()
            masses[part] = np.repeat(np.arange(count, count + len(z)), z.shape[1])
            if isinstance(swings, SwingingMuscles) and self._swings.follows_muscles:
                pulled = (swings.values.by_tension * (group.tension > 0))[:, None] * over_k
                for i, muscle in enumerate(muscles):
                    by_tension[i, part] = (pulled * (swings.muscles == muscle)[:, None]).ravel()
            at, count = part.stop, count + len(z)
        return SwingDerivatives(self.gain, self.mass, by_tension, by_stiffness, by_damping, masses, rows)

    def residual(self, state: osim.State) -> tuple[Array, Array]:
        """Return the coordinates' residual (nu,), displacements being eliminated, and r (n,), with tensions held.

        The state is one with other coordinates and speeds, realized to velocity.
        """
        self._swings.values = self._values
        tau, residuals = np.zeros(self._udot.shape[1]), []
        for group, acceleration in zip(self._swings.at(state, self._tension), self._accelerations, strict=True):
            drive = group.swings.drive([group.kinematics], self._udot)
            displacement = Displacement(*(x[None, None] for x in (group.z, group.rate, acceleration)))
            tau += group.swings.forces([group.kinematics], drive, displacement)[0, 0].sum(axis=0)
            residuals.append(self._own(group, drive, acceleration).ravel())
        r = np.concatenate(residuals)
        return tau - self.gain @ r, r

    def of_displacements(self) -> tuple[Array, Array]:
        """Return the derivatives of both over displacements, then over their rates: (nu, 2 n) and (n, 2 n)."""
        n, nu = len(self.mass), self._udot.shape[1]
        tau, r = np.zeros((nu, 2 * n)), np.zeros((n, 2 * n))
        at = 0
        for group, acceleration in zip(self._groups, self._accelerations, strict=True):
            S, size = group.z.shape
            drive = group.swings.drive([group.kinematics], self._udot)
            moves = np.kron(np.array([[STEP], [-STEP]]), np.eye(2 * size)).reshape(2, 2 * size, 1, 1, 2, size)
            ends = [np.broadcast_to(x, (2, 2 * size, 1, S, size)) for x in (group.z, group.rate, acceleration)]
            moved = Displacement(ends[0] + moves[..., 0, :], ends[1] + moves[..., 1, :], ends[2])
            flat = Displacement(*(np.ascontiguousarray(x.reshape(-1, 1, S, size)) for x in moved))
            forces = group.swings.forces([group.kinematics], drive, flat)[:, 0].reshape(2, 2, size, S, nu)
            slopes = (forces[0] - forces[1]) / (2 * STEP)  # by z or rate, coordinate, mass, speed
            mu = group.swings.values.modal_mass
            coefficients = drive.coefficients(mu)[0]
            per_mass, per_damping = group.swings.values.oscillator(group.tension)
            for which, added in enumerate((per_mass, per_damping)):
                own = coefficients[:, which * size : (which + 1) * size] + added[:, None, None] * np.eye(size)
                for s in range(S):
                    part = slice(at + s * size, at + (s + 1) * size)
                    columns = slice(which * n + part.start, which * n + part.stop)
                    r[part, columns] = mu[s] * own[s]
                    tau[:, columns] = slopes[which, :, s].T
            at += S * size
        return tau - self.gain @ r, r

    @staticmethod
    def _own(group: Group, drive: Drive, acceleration: Array) -> Array:
        """Return r (S, n) of a group: what its masses lack of the accelerations that they have."""
        mu = group.swings.values.modal_mass
        state = np.concatenate([group.z, group.rate], axis=-1)[None]
        k, c = group.swings.values.oscillator(group.tension)
        free = Displacement.of(state, drive.coefficients(mu), k[None], c[None]).acceleration[0]
        return np.asarray(mu[:, None] * (acceleration - free))
