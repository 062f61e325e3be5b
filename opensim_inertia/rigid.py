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
    inertia = np.einsum("i,i,jk->jk", masses, np.einsum("ij,ij->i", r, r), np.eye(3)) - np.einsum(
        "i,ij,ik->jk", masses, r, r
    )
    return RigidMass(total, center, inertia)


def rigid_inverse(
    bodies: Sequence[str], sets: Sequence[Mapping[str, RigidMass]], frames: Sequence[Frame], udot: Array, gravity: Array
) -> list[Array]:
    """Generalized forces (T, nu) that rigid masses on bodies need, one array per set: Newton and Euler, projected.

    Uses Simbody's own acceleration bias, so that it adds up with what Simbody's inverse dynamics says of the same
    bodies.

    Args:
        bodies: names along the frames' body axis.
        sets: mass properties per body name.
        frames: kinematics of T states.
        udot: generalized accelerations (T, nu).
        gravity: (3,) [m/s^2].
    """
    jacobian = np.stack([f.jacobian for f in frames])
    u = np.stack([f.u for f in frames])
    bias = np.stack([f.simbody_bias for f in frames])
    rotation = np.stack([f.rotation for f in frames])
    twist = (jacobian @ u[:, :, None]).reshape(bias.shape)
    accel = (jacobian @ udot[:, :, None]).reshape(bias.shape) + bias
    omega, alpha, a = twist[:, :, :3], accel[:, :, :3], accel[:, :, 3:]
    result = []
    for parts in sets:
        wrench = np.zeros_like(bias)
        if parts:
            b = [bodies.index(name) for name in parts]
            mass = np.array([p.mass for p in parts.values()])
            center = np.stack([p.center for p in parts.values()])
            inertia = np.stack([p.inertia for p in parts.values()])
            R, w, dw = rotation[:, b], omega[:, b], alpha[:, b]
            c = (R @ center[:, :, None])[..., 0]
            force = mass[:, None] * (a[:, b] + np.cross(dw, c) + np.cross(w, np.cross(w, c)) - gravity)
            in_ground = R @ inertia @ np.swapaxes(R, -1, -2)
            momentum = (in_ground @ w[..., None])[..., 0]
            moment = (in_ground @ dw[..., None])[..., 0] + np.cross(w, momentum) + np.cross(c, force)
            wrench[:, b] = np.concatenate([moment, force], axis=-1)
        result.append((wrench.reshape(len(frames), 1, -1) @ jacobian)[:, 0])
    return result
