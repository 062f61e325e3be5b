"""Mass that is fixed to segments: what they gave up, and muscle mass frozen to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ._opensim import osim
from .reading import Frame

Array = NDArray[np.float64]


@dataclass(frozen=True)
class RigidMass:
    """Mass properties in a body's frame: mass [kg], centre of mass (3,) [m], inertia about it (3, 3) [kg m^2]."""

    mass: float
    center: Array
    inertia: Array

    def scaled(self, fraction: float) -> RigidMass:
        """A fraction of it, in the same place."""
        return RigidMass(self.mass * fraction, self.center, self.inertia * fraction)


def body_mass_properties(model: osim.Model, name: str) -> RigidMass:
    """Mass properties of one of the model's bodies."""
    body = model.getBodySet().get(name)
    i = body.getInertia()
    moments, products = i.getMoments().to_numpy(), i.getProducts().to_numpy()
    inertia = np.diag(moments)
    for k, (r, c) in enumerate(((0, 1), (0, 2), (1, 2))):
        inertia[r, c] = inertia[c, r] = products[k]
    return RigidMass(body.getMass(), body.getMassCenter().to_numpy().copy(), inertia)


def from_points(points: Array, masses: Array) -> RigidMass:
    """Mass properties of point masses at ``points`` (n, 3)."""
    total = float(masses.sum())
    center = masses @ points / total
    r = points - center
    inertia = np.einsum("i,i,jk->jk", masses, np.einsum("ij,ij->i", r, r), np.eye(3)) - np.einsum("i,ij,ik->jk", masses, r, r)
    return RigidMass(total, center, inertia)


def rigid_inverse(bodies: Sequence[str], parts: Mapping[str, RigidMass], frames: Sequence[Frame], udot: Array, gravity: Array) -> Array:
    """Generalized forces (T, nu) that rigid masses on bodies need: Newton and Euler, projected by the system Jacobian.

    Uses Simbody's own acceleration bias, so that it adds up with what Simbody's inverse dynamics says of the same bodies.

    Args:
        bodies: names along the frames' body axis.
        parts: mass properties per body name.
        frames: kinematics of T states.
        udot: generalized accelerations (T, nu).
        gravity: (3,) [m/s^2].
    """
    tau = np.zeros_like(udot)
    if not parts:
        return tau
    jacobian = np.stack([f.jacobian for f in frames])
    u = np.stack([f.u for f in frames])
    for name, part in parts.items():
        b = bodies.index(name)
        J = jacobian[:, 6 * b : 6 * b + 6]
        twist = np.einsum("tij,tj->ti", J, u)
        accel = np.einsum("tij,tj->ti", J, udot) + np.stack([f.simbody_bias[b] for f in frames])
        R = np.stack([f.rotation[b] for f in frames])
        omega, alpha, a = twist[:, :3], accel[:, :3], accel[:, 3:]
        c = R @ part.center
        force = part.mass * (a + np.cross(alpha, c) + np.cross(omega, np.cross(omega, c)) - gravity)
        inertia = R @ part.inertia @ R.transpose(0, 2, 1)
        momentum = np.einsum("tij,tj->ti", inertia, omega)
        moment = np.einsum("tij,tj->ti", inertia, alpha) + np.cross(omega, momentum) + np.cross(c, force)
        tau += np.einsum("tij,ti->tj", J, np.concatenate([moment, force], axis=1))
    return tau
