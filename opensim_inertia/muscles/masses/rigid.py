"""Mass that is fixed to segments, and the generalized forces that it needs.

A rigid body's mass is ten numbers: its mass, its first and its second moments about the body's origin. As a matrix
they are the *pseudo-inertia* of Wensing, Kim and Slotine (2018), ``[[S, m c], [m c^T, m]]`` with ``S`` the integral of
``x x^T dm``. Pseudo-inertias of parts add up to that of the whole, a part is physical if its own is positive definite,
and the forces that a body needs are linear in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ..._core.numerics.rotations import cross_matrices
from ..._core.opensim import osim
from ...opensim_model.reading import StateKinematics, stacked

__all__ = [
    "RigidMass",
    "body_mass_properties",
    "nearest_body",
    "parameters",
    "rigid_inverse",
    "rigid_regressors",
    "set_mass_properties",
    "spatial_inertias",
    "velocity_and_gravity_forces",
]

_PRODUCTS = ((0, 1), (0, 2), (1, 2))
"""Entries of a symmetric matrix off its diagonal, in OpenSim's order."""
_UNIT = np.eye(3)


@dataclass(frozen=True)
class RigidMass:
    """Mass properties in a body's frame: mass [kg], centre of mass (3,) [m], inertia about it (3, 3) [kg m^2]."""

    mass: float
    center: Array
    inertia: Array

    @classmethod
    def from_pseudo_inertia(cls, matrix: Array) -> RigidMass:
        """Return the mass properties of a pseudo-inertia (4, 4) about the body's origin; its mass is not zero."""
        mass = float(matrix[3, 3])
        center = matrix[:3, 3] / mass
        covariance = matrix[:3, :3] - mass * np.outer(center, center)
        return cls(mass, center, np.trace(covariance) * _UNIT - covariance)

    @property
    def covariance(self) -> Array:
        """Second moments of the mass about its centre, integral of ``r r^T dm``, (3, 3) [kg m^2]."""
        return 0.5 * np.trace(self.inertia) * _UNIT - self.inertia

    @property
    def pseudo_inertia(self) -> Array:
        """``[[S, m c], [m c^T, m]]`` about the body's origin, (4, 4)."""
        matrix = np.empty((4, 4))
        matrix[:3, :3] = self.covariance + self.mass * np.outer(self.center, self.center)
        matrix[:3, 3] = matrix[3, :3] = self.mass * self.center
        matrix[3, 3] = self.mass
        return matrix

    def scaled(self, fraction: float) -> RigidMass:
        """Return a fraction of the mass, in the same place."""
        return RigidMass(self.mass * fraction, self.center, self.inertia * fraction)


def nearest_body(rigid: RigidMass, least: Array) -> RigidMass:
    """Return the body nearest to mass properties, of the same mass and centre, that is nowhere thinner than allowed.

    Nearest is meant in the Frobenius norm of the second moments about the centre: their eigenvalues are raised to the
    least ones.

    Args:
        rigid: mass properties that a body may or may not have.
        least: the least second moments about the centre, ascending (3,) [kg m^2], in the axes in which ``rigid`` has
            its own, ascending too.
    """
    raised = raised_moments(*np.linalg.eigh(rigid.covariance), least)
    return RigidMass(rigid.mass, rigid.center, np.trace(raised) * _UNIT - raised)


def raised_moments(values: Array, axes: Array, least: Array) -> Array:
    """Return matrices (..., 3, 3) nearest to those of eigenvalues (..., 3) and axes, with none below ``least``."""
    return np.asarray((axes * np.maximum(values, least)[..., None, :]) @ np.swapaxes(axes, -1, -2))


def body_mass_properties(model: osim.Model, name: str) -> RigidMass:
    """Return the mass properties of one of the model's bodies."""
    body = model.getBodySet().get(name)
    values = [float(body.get_inertia().get(i)) for i in range(6)]
    inertia = np.diag(values[:3])
    for value, (r, c) in zip(values[3:], _PRODUCTS, strict=True):
        inertia[r, c] = inertia[c, r] = value
    return RigidMass(body.getMass(), body.getMassCenter().to_numpy().copy(), inertia)


def set_mass_properties(model: osim.Model, name: str, rigid: RigidMass) -> None:
    """Give a body of the model other mass properties; ``initSystem`` must follow."""
    body = model.getBodySet().get(name)
    i = rigid.inertia
    body.setMass(rigid.mass)
    body.setMassCenter(osim.Vec3(*map(float, rigid.center)))
    products = [float(i[r, c]) for r, c in _PRODUCTS]
    body.setInertia(osim.Inertia(osim.Vec3(*map(float, np.diag(i))), osim.Vec3(*products)))


def parameters(matrices: Array) -> Array:
    """Return the ten numbers (..., 10) of pseudo-inertias (..., 4, 4), in the order of :func:`rigid_regressors`."""
    m = np.asarray(matrices)
    numbers = [m[..., 3, 3], *(m[..., i, 3] for i in range(3)), *(m[..., i, i] for i in range(3))]
    return np.stack([*numbers, *(m[..., r, c] for r, c in _PRODUCTS)], axis=-1)


def spatial_inertias(matrices: Array, rotations: Array) -> Array:
    """Return the inertias (..., 6, 6) of rigid masses for spatial velocities of their bodies, in ground.

    A velocity is (angular, linear of the body's origin), and ``velocity @ inertia @ velocity / 2`` the kinetic energy.

    Args:
        matrices: pseudo-inertias (..., 4, 4) in the bodies' frames.
        rotations: from these frames to ground, (..., 3, 3).
    """
    second = rotations @ matrices[..., :3, :3] @ np.swapaxes(rotations, -1, -2)
    first = cross_matrices((rotations @ matrices[..., :3, 3:])[..., 0])
    inertias = np.empty((*second.shape[:-2], 6, 6))
    inertias[..., :3, :3] = np.trace(second, axis1=-2, axis2=-1)[..., None, None] * _UNIT - second
    inertias[..., :3, 3:], inertias[..., 3:, :3] = first, -first
    inertias[..., 3:, 3:] = matrices[..., 3, 3, None, None] * _UNIT
    return inertias


def rigid_regressors(
    bodies: Sequence[str],
    carriers: Iterable[str],
    states: StateKinematics | Sequence[StateKinematics],
    udot: Array,
    gravity: Array,
    out: Array | None = None,
) -> Array:
    """Return regressors of bodies: ``tau = regressor @ parameters`` are the generalized forces that a rigid mass needs.

    They are Newton's and Euler's equations, projected. They use Simbody's own acceleration bias, so that the forces add
    up with what Simbody's inverse dynamics says of the same bodies.

    Args:
        bodies: names along the states' body axis.
        carriers: the C bodies to which mass may be fixed.
        states: kinematics of T states, one by one or stacked.
        udot: generalized accelerations (T, nu).
        gravity: (3,) [m/s^2].
        out: array for the answer, if there is one.

    Returns:
        (T, C, nu, 10); numbers are the mass, m c, and the second moments xx, yy, zz, xy, xz, yz about the body's
        origin, see :func:`parameters`.
    """
    kinematics = states if isinstance(states, StateKinematics) else stacked(states)
    J, R, bias = _of_bodies(bodies, carriers, kinematics)
    moving = J @ np.stack([kinematics.u, udot], axis=-1)[:, None]
    twist, accel = moving[..., 0], moving[..., 1] + bias
    in_body = np.stack([twist[..., :3], accel[..., :3], accel[..., 3:] - gravity], axis=-2) @ R
    w, dw, a = in_body[..., 0, :], in_body[..., 1, :], in_body[..., 2, :]
    wrench = np.zeros((*w.shape[:-1], 2, 3, 10))  # moment about the origin, force
    w_cross = cross_matrices(w)
    wrench[..., 1, :, 0] = a
    wrench[..., 0, :, 1:4] = -cross_matrices(a)
    wrench[..., 1, :, 1:4] = cross_matrices(dw) + w_cross @ w_cross
    turning = w_cross[..., None] * w[..., None, None, :]  # of w x e_r and w_c, (T, C, 3, r, c)
    for i in range(3):
        wrench[..., 0, :, 4 + i] = dw - turning[..., i, i]
        wrench[..., 0, i, 4 + i] -= dw[..., i]
    for k, (r, c) in enumerate(_PRODUCTS):
        wrench[..., 0, :, 7 + k] = -turning[..., r, c] - turning[..., c, r]
        wrench[..., 0, r, 7 + k] -= dw[..., c]
        wrench[..., 0, c, 7 + k] -= dw[..., r]
    in_ground = (R[:, :, None] @ wrench).reshape(*w.shape[:-1], 6, 10)
    return np.matmul(np.swapaxes(J, -1, -2), in_ground, out=out)


def _of_bodies(
    bodies: Sequence[str], carriers: Iterable[str], kinematics: StateKinematics
) -> tuple[Array, Array, Array]:
    """Return Jacobians (T, C, 6, nu), rotations (T, C, 3, 3) and Simbody's bias (T, C, 6) of some bodies."""
    places = [bodies.index(name) for name in carriers]
    jacobian = kinematics.jacobian.reshape(*kinematics.simbody_bias.shape, kinematics.u.shape[1])
    return jacobian[:, places], kinematics.rotation[:, places], kinematics.simbody_bias[:, places]


def rigid_inverse(
    bodies: Sequence[str],
    sets: Sequence[Mapping[str, Array]],
    states: StateKinematics | Sequence[StateKinematics],
    udot: Array,
    gravity: Array,
) -> list[Array]:
    """Return generalized forces (T, nu) that rigid masses on bodies need, one array per set of pseudo-inertias by body.

    The other arguments are those of :func:`rigid_regressors`.
    """
    carriers = list(dict.fromkeys(name for masses in sets for name in masses))
    regressors = rigid_regressors(bodies, carriers, states, udot, gravity)
    result = []
    for masses in sets:
        tau = np.zeros(udot.shape)
        for name, matrix in masses.items():
            tau += regressors[:, carriers.index(name)] @ parameters(matrix)
        result.append(tau)
    return result


def velocity_and_gravity_forces(
    bodies: Sequence[str], masses: Mapping[str, Array], kinematics: StateKinematics, gravity: Array
) -> tuple[Array, Array]:
    """Return what :func:`rigid_inverse` has of one set of masses at udot = 0, apart: of velocities and of gravity.

    Args:
        bodies: names along the states' body axis.
        masses: pseudo-inertias (4, 4) by body.
        kinematics: of T states, stacked.
        gravity: (3,) [m/s^2].

    Returns:
        generalized forces (T, nu), twice.
    """
    if not masses:
        return np.zeros(kinematics.u.shape), np.zeros(kinematics.u.shape)
    J, R, bias = _of_bodies(bodies, masses, kinematics)
    inertia = spatial_inertias(np.stack(list(masses.values())), R)
    spin = (J[:, :, :3] @ kinematics.u[:, None, :, None])[..., 0]
    turning = (inertia[..., :3] @ spin[..., None])[..., 0]  # angular momentum, and minus m c x w
    wrench = (inertia @ bias[..., None])[..., 0]
    wrench[..., :3] += np.cross(spin, turning[..., :3])
    wrench[..., 3:] += np.cross(spin, turning[..., 3:])
    both = np.stack([wrench, -(inertia[..., 3:] @ gravity)], axis=1).reshape(len(J), 2, -1)
    forces = both @ J.reshape(len(J), both.shape[-1], -1)
    return forces[:, 0], forces[:, 1]
