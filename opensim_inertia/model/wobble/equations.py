"""The equations of motion of a model with swinging masses at one state, their displacements being coordinates.

With z the displacements' coordinates, S n of them,

    M_qq qddot + M_qz zddot = f_q,    M_qz^T qddot + mu zddot = f_z

where M_qq and f_q are added to those of the model in which nothing swings. (docs/theory/wobble.md)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ...opensim_model.reading.kinematics import StateKinematics
from .swings import Displacement, Swings

__all__ = ["SwingTerms", "swing_terms"]


@dataclass(frozen=True)
class SwingTerms:
    """Terms of S masses that swing with n coordinates each, in the equations of motion at a state.

    Attributes:
        mass_matrix: added to M, (nu, nu).
        coupling: M_qz, (nu, S, n).
        modal_mass: mu, (S,), the mass matrix of the displacements' own coordinates.
        force: added to the right-hand side of q, (nu,).
        own_force: right-hand side of z, (S, n).
        kinetic: what is added to the kinetic energy [J].
        gravity: what is added to the potential energy of gravity [J].
        elastic: energy of the springs [J].
        damping_power: what the dampers take [W].
    """

    mass_matrix: Array
    coupling: Array
    modal_mass: Array
    force: Array
    own_force: Array
    kinetic: float
    gravity: float
    elastic: float
    damping_power: float

    def reduced(self) -> tuple[Array, Array]:
        """Return additions to M (nu, nu) and to the right-hand side (nu,) after eliminating z."""
        per = self.coupling / self.modal_mass[:, None]
        mass = self.mass_matrix - np.einsum("asi,bsi->ab", per, self.coupling)
        return mass, self.force - np.einsum("asi,si->a", per, self.own_force)

    def following(self) -> tuple[Array, Array]:
        """Return zddot where udot is zero (S n,), and what it falls by with udot (S n, nu)."""
        per = self.coupling / self.modal_mass[:, None]
        return (self.own_force / self.modal_mass[:, None]).ravel(), np.ascontiguousarray(per.reshape(len(per), -1).T)

    def accelerations(self, udot: Array) -> Array:
        """Return zddot (S, n) at accelerations ``udot`` (nu,)."""
        coupled = np.einsum("asi,a->si", self.coupling, udot)
        return np.asarray((self.own_force - coupled) / self.modal_mass[:, None])


def swing_terms(
    swings: Swings, kinematics: StateKinematics, z: Array, rate: Array, tension: Array | float = 0.0
) -> SwingTerms:
    """Return the terms of masses that swing.

    Args:
        swings: the masses.
        kinematics: of the state.
        z, rate: coordinates of their displacements and their rates, (S, n).
        tension: of muscles (S,) [N].
    """
    states, values = [kinematics], swings.values
    mu = values.modal_mass
    rest = np.zeros((1, len(kinematics.u)))
    drive = swings.drive(states, rest)
    still = Displacement(z[None], rate[None], np.zeros_like(z)[None])
    force = -swings.forces(states, drive, Displacement(*(x[None] for x in still)))[0, 0].sum(axis=0)
    per_mass, per_damping = values.oscillator(tension)
    coefficients = drive.coefficients(mu)
    own = (
        mu[:, None]
        * Displacement.of(
            np.concatenate([z, rate], axis=-1)[None], coefficients, per_mass[None], per_damping[None]
        ).acceleration[0]
    )
    J_x, J_d = swings.jacobians(kinematics, drive, z)
    speed_x = J_x @ kinematics.u
    basis = drive.body.rotation[0] @ drive.frame.basis[0]
    coupled = J_x + mu[:, None, None] * J_d
    coupling = np.einsum("sic,sia->asc", basis, coupled)
    mixed = np.einsum("sia,sib->ab", J_x, J_d)
    mass = mixed + mixed.T + np.einsum("s,sia,sib->ab", mu, J_d, J_d)
    turning = drive.body.rotation[0] @ drive.frame.rate[0]
    d = np.einsum("sij,sj->si", basis, z)
    speed = np.einsum("sij,sj->si", basis, rate) + np.einsum("sij,sj->si", turning, z)
    kinetic = float((speed_x * speed).sum() + 0.5 * (mu[:, None] * speed**2).sum())
    gravity = -float(((values.moment[:, None] * d) @ swings.gravity).sum())
    elastic = 0.5 * float((mu * per_mass * (z**2).sum(axis=1)).sum())
    taken = float((mu * per_damping * (rate**2).sum(axis=1)).sum())
    return SwingTerms(mass, coupling, mu, force, own, kinetic, gravity, elastic, taken)
