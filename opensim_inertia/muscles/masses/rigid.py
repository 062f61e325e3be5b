"""Mass properties of rigid bodies, also as pseudo-inertias (second moments, first moments and mass in one matrix)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..._core.arrays import Array
from ..._core.opensim import osim
from ..._core.rotations import cross_matrices

_PRODUCTS = ((0, 1), (0, 2), (1, 2))
"""Off-diagonal entries of a symmetric matrix, in OpenSim's order."""
_UNIT = np.eye(3)

THINNEST = 0.005
"""Least root mean square extent [m] of a repaired body in any direction; bones are thicker."""

LEAST_KEPT = 0.3
"""Share of the published mass that a completed segment keeps without muscles: bone, skin, fat."""

_SLACK = 1e-9
"""Relative tolerance of second moments."""
_PRINTED = 1e-6
"""Relative tolerance of moments printed with six digits, as for flat plates in the triangle inequality."""


@dataclass(frozen=True, eq=False)
class RigidMass:
    """Mass [kg], mass centre (3,) [m] and central inertia (3, 3) [kg m^2] in the body frame."""

    mass: float
    center: Array
    inertia: Array

    @classmethod
    def from_pseudo_inertia(cls, matrix: Array) -> RigidMass:
        """Return the mass properties of a pseudo-inertia (4, 4) with non-zero mass."""
        mass = float(matrix[3, 3])
        center = matrix[:3, 3] / mass
        covariance = matrix[:3, :3] - mass * np.outer(center, center)
        return cls(mass, center, np.trace(covariance) * _UNIT - covariance)

    @property
    def covariance(self) -> Array:
        """Second moments about the mass centre: integral of ``r r^T dm`` over positions r, (3, 3) [kg m^2]."""
        return 0.5 * np.trace(self.inertia) * _UNIT - self.inertia

    @property
    def pseudo_inertia(self) -> Array:
        """Pseudo-inertia ``[[S, m c], [m c^T, m]]`` (4, 4): second moments S about the origin, mass m, centre c."""
        matrix = np.empty((4, 4))
        matrix[:3, :3] = self.covariance + self.mass * np.outer(self.center, self.center)
        matrix[:3, 3] = matrix[3, :3] = self.mass * self.center
        matrix[3, 3] = self.mass
        return matrix


def nearest_body(rigid: RigidMass, least: Array) -> RigidMass:
    """Return ``rigid`` with too small principal second moments raised to ``least``; mass and centre are unchanged.

    ``least`` (3,) [kg m^2] are lower bounds of the principal second moments, ascending.
    """
    raised = raised_moments(*np.linalg.eigh(rigid.covariance), least)
    return RigidMass(rigid.mass, rigid.center, np.trace(raised) * _UNIT - raised)


def raised_moments(values: Array, axes: Array, least: Array) -> Array:
    """Return matrices (..., 3, 3) with eigenvectors ``axes`` and eigenvalues max(``values``, ``least``)."""
    return np.asarray((axes * np.maximum(values, least)[..., None, :]) @ np.swapaxes(axes, -1, -2))


def completed(published: RigidMass, frozen: Array) -> RigidMass:
    """Return segment mass properties, raised if muscles' pseudo-inertia ``frozen`` (4, 4) leaves no physical remainder.

    If the remainder would not be positive semidefinite, it has :data:`LEAST_KEPT` of the published mass, and a
    thickness of at least :data:`THINNEST` or the segment's.
    """
    left = published.pseudo_inertia - frozen
    if left[3, 3] > 0.0:
        moments = np.linalg.eigvalsh(RigidMass.from_pseudo_inertia(left).inertia)
        if moments[0] >= -_SLACK * np.abs(moments).max():
            return published
    mass = published.mass + max(0.0, LEAST_KEPT * published.mass - left[3, 3])
    left = RigidMass(mass, published.center, published.inertia).pseudo_inertia - frozen
    center = left[:3, 3] / left[3, 3] if left[3, 3] > 0.0 else published.center
    to_center = np.eye(4)
    to_center[:3, 3] = -center
    second = (to_center @ left @ to_center.T)[:3, :3]
    thinnest = max(float(np.linalg.eigvalsh(published.covariance)[0]), 0.0) / (published.mass or 1.0)
    least = np.full(3, left[3, 3] * min(THINNEST**2, thinnest))
    added = raised_moments(*np.linalg.eigh(second), least) - second
    return RigidMass(mass, published.center, published.inertia + np.trace(added) * _UNIT - added)


def inertia_problem(inertia: ArrayLike) -> str | None:
    """Return why a central inertia (6,) is unphysical, or None if the inertia is physical."""
    tensor = _tensor(np.asarray(inertia, dtype=float))
    if not np.all(np.isfinite(tensor)):
        return "it has entries that are not finite"
    small, middle, large = np.linalg.eigvalsh(tensor)
    if small <= 0.0:
        return f"its smallest principal moment is {small:.4g} kg m^2"
    if large > (small + middle) * (1.0 + _PRINTED):
        return f"its principal moments {small:.4g}, {middle:.4g}, {large:.4g} kg m^2 break the triangle inequality"
    return None


def six_numbers(inertia: Array) -> Array:
    """Return xx, yy, zz, xy, xz, yz (6,) of an inertia (3, 3)."""
    return np.array([*np.diag(inertia), *(inertia[r, c] for r, c in _PRODUCTS)])


def body_mass_properties(model: osim.Model, name: str) -> RigidMass:
    """Return a body's mass properties."""
    body = model.getBodySet().get(name)
    inertia = _tensor([float(body.get_inertia().get(i)) for i in range(6)])
    return RigidMass(body.getMass(), body.getMassCenter().to_numpy().copy(), inertia)


def _tensor(numbers: Sequence[float] | Array) -> Array:
    xx, yy, zz, xy, xz, yz = numbers
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def set_mass_properties(model: osim.Model, name: str, rigid: RigidMass) -> None:
    """Set a body's mass properties; ``initSystem`` must follow."""
    body = model.getBodySet().get(name)
    numbers = six_numbers(rigid.inertia).tolist()
    body.setMass(rigid.mass)
    body.setMassCenter(osim.Vec3(*map(float, rigid.center)))
    body.setInertia(osim.Inertia(osim.Vec3(*numbers[:3]), osim.Vec3(*numbers[3:])))


def parameters(matrices: Array) -> Array:
    """Return mass, first moments and second moments xx, yy, zz, xy, xz, yz (..., 10) of pseudo-inertias (..., 4, 4)."""
    m = np.asarray(matrices)
    numbers = [m[..., 3, 3], *(m[..., i, 3] for i in range(3)), *(m[..., i, i] for i in range(3))]
    return np.stack([*numbers, *(m[..., r, c] for r, c in _PRODUCTS)], axis=-1)


def spatial_inertias(matrices: Array, rotations: Array) -> Array:
    """Return spatial inertias (..., 6, 6) in ground from pseudo-inertias; ``rotations`` map body frames to ground."""
    second = rotations @ matrices[..., :3, :3] @ np.swapaxes(rotations, -1, -2)
    first = cross_matrices((rotations @ matrices[..., :3, 3:])[..., 0])
    inertias = np.empty((*second.shape[:-2], 6, 6))
    inertias[..., :3, :3] = np.trace(second, axis1=-2, axis2=-1)[..., None, None] * _UNIT - second
    inertias[..., :3, 3:], inertias[..., 3:, :3] = first, -first
    inertias[..., 3:, 3:] = matrices[..., 3, 3, None, None] * _UNIT
    return inertias
