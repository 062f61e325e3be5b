"""Mass that swings: bellies across their paths, and masses on springs on segments.

A belly's displacement across its chord is ``d = R E z``: R turns the frame of its body to ground, and the columns of E
(3, 2) span what lies across the chord. Masses on springs have E = 1. The kinetic energy grows by ``xdot . ddot + 1/2 mu
|ddot|^2``, x being the sum of m phi X and mu that of m phi^2, the potential one by ``- s g . d + 1/2 k |z|^2``, s being
the sum of m phi. With w = xddot + mu dddot - s g (docs/theory/wobble.md) Lagrange's equations are

* of z: ``E^T w + k z + c zdot = 0``, a linear equation whose coefficients follow from the motion;
* of q: ``(dx/dq)^T dddot + (dd/dq)^T w`` is added to the generalized forces that the motion needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.rotations import cross_matrices
from ...opensim_model.reading.kinematics import StateKinematics, stacked
from ...paths.kernel.swinging import SwingAnswers, SwingingBellies


class Values(NamedTuple):
    """The constants of swinging masses, (S,) each."""

    modal_mass: Array  # mu, sum of m phi^2 [kg]
    moment: Array  # s, sum of m phi [kg]
    stiffness: Array  # k at no tension [N/m]
    by_tension: Array  # what k grows by with a muscle's tension [1/m]
    damping: Array  # share of the critical damping

    def oscillator(self, tension: Array | float = 0.0) -> tuple[Array, Array]:
        """Return k / mu [1/s^2] and c / mu [1/s] at tensions (..., S) [N]."""
        k = (self.stiffness + self.by_tension * tension) / self.modal_mass
        return k, 2.0 * self.damping * np.sqrt(k)

    def frequency(self, tension: Array | float = 0.0) -> Array:
        """Return the undamped frequency [Hz] at tensions (..., S) [N]."""
        return np.asarray(np.sqrt(self.oscillator(tension)[0]) / (2.0 * np.pi))


class Places(NamedTuple):
    """Where S masses swing, as the kernel takes it."""

    muscles: NDArray[np.intp]  # number of the muscle whose belly each one is, (S,); -1 for a mass on a spring
    aponeuroses: Array  # share of the belly's length that is aponeurosis at the reference pose, (S,)
    centres: Array  # of a belly the direction of its chord at the reference pose, of a mass where it rests, (S, 3)
    axes: Array  # rows of a frame in which it swings, (S, 3, 3): a belly along the first two, a mass along all three


@dataclass(frozen=True, eq=False)
class SwingingMuscles:
    """Bellies that swing across their paths, with two coordinates each."""

    names: tuple[str, ...]  # of their muscles
    muscles: NDArray[np.intp]  # numbers of their muscles, (S,)
    bodies: NDArray[np.intp]  # number of the body in which each swings, (S,)
    values: Values  # their constants
    bellies: Array  # length of their bellies at the reference pose [m], (S,)
    reference: Array  # directions of their chords there, (S, 3), in the bodies' axes
    pair: Array  # orthonormal pairs across these, (S, 2, 3)
    kernel: SwingingBellies  # evaluates them
    gravity: Array  # (3,) [m/s^2]
    coordinates: ClassVar[int] = 2  # of each displacement

    @property
    def places(self) -> Places:
        """Where the bellies swing."""
        shares = np.array([shape.aponeurosis for shape in self.kernel.shapes])
        across = np.cross(self.pair[:, 0], self.pair[:, 1])[:, None]
        return Places(self.muscles, shares, self.reference, np.concatenate([self.pair, across], axis=1))

    def coefficients(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return K, C (2, 2) and b (2,) of ``z'' = -(K + k) z - (C + c) z' + b`` at T states, (T, S, 5, 2)."""
        return self.kernel.equations(states, udot)

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return forces of displacements along a motion, see :meth:`.SwingingBellies.answers`."""
        return self.kernel.answers(states, udot, y, k, c)


@dataclass(frozen=True, eq=False)
class SwingingMasses:
    """Masses on springs on segments, with three coordinates each along the segment's axes."""

    names: tuple[str, ...]  # what they are called
    bodies: NDArray[np.intp]  # number of the body of each, (S,)
    centres: Array  # where they rest, (S, 3), in the bodies' axes [m]
    values: Values  # their constants
    gravity: Array  # (3,) [m/s^2]
    coordinates: ClassVar[int] = 3  # of each displacement

    @property
    def places(self) -> Places:
        """Where the masses swing."""
        count = len(self.names)
        return Places(np.full(count, -1), np.zeros(count), self.centres, np.tile(np.eye(3), (count, 1, 1)))

    def coefficients(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return K, C (3, 3) and b (3,) of ``z'' = -(K + k) z - (C + c) z' + b`` at T states, (T, S, 7, 3)."""
        at = stacked(states)
        rows = at.jacobian.reshape(len(udot), -1, 6, udot.shape[1])[:, self.bodies]
        spatial = np.einsum("tsin,tn->tsi", rows, udot) + at.bias[:, self.bodies]
        inward = np.swapaxes(at.rotation[:, self.bodies], -1, -2)
        omega = _times(inward, np.einsum("tsin,tn->tsi", rows[:, :, :3], at.u))
        W, dW = cross_matrices(omega), cross_matrices(_times(inward, spatial[..., :3]))
        K = dW + W @ W
        falls = _times(inward, spatial[..., 3:] - self.gravity) + _times(K, self.centres)
        b = -(self.values.moment / self.values.modal_mass)[:, None] * falls
        return np.concatenate([K, 2.0 * W, b[..., None, :]], axis=-2)

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return forces of displacements along a motion, as :meth:`SwingingMuscles.answers`, with y (..., 6)."""
        z, at = y[..., :3], stacked(states)
        pulled = k[..., None] * z + c[..., None] * y[..., 3:]
        accelerated = self.coefficients(states, udot)[..., 6, :] - pulled  # dddot, in the bodies' axes
        force = self.values.moment[:, None] * accelerated
        moment = np.cross(self.centres, force) - np.cross(z, self.values.modal_mass[:, None] * pulled)
        rotation = at.rotation[:, self.bodies]
        wrench = np.concatenate([_times(rotation, moment), _times(rotation, force)], axis=-1)
        rows = at.jacobian.reshape(len(udot), -1, 6, udot.shape[1])[:, self.bodies]
        forces = np.einsum("tsin,...tsi->...tsn", rows, wrench)
        return SwingAnswers(forces[0], forces.sum(axis=2), _times(rotation, z[0]))


#: Masses that swing with n coordinates each.
Swings: TypeAlias = SwingingMuscles | SwingingMasses


def _times(matrices: Array, vectors: Array) -> Array:
    """Return products (..., m) of matrices (..., m, n) and vectors (..., n)."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])
