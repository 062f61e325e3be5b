"""The tension at both ends of a muscle with mass.

The force that recruitment finds is conjugate to the length of the path: it is what shortens it. Mass along the path
makes the tension change from origin to insertion, by the component of m (a - g) along the path. A point of mass whose
arc length s changes by d = ds/dL per lengthening of the path takes the share d of what it needs from the insertion and
1 - d from the origin:

    tension at insertion = F + sum m d (a - g).e,    tension at origin = F - sum m (1 - d) (a - g).e

where e points along the path, to the insertion. Contacts with bones are taken to have no friction.
"""

from __future__ import annotations

import numpy as np

from ..._core.arrays import Array
from ..._kernel import fibre_length
from ...model import InertialModel
from ...opensim_model.reading.kinematics import StateKinematics
from ...paths.kernel.description import map_record

__all__ = ["Ends"]

#: Gauss points along the fibres, and along the aponeurosis.
POINTS, POINTS_OF_APONEUROSIS = 8, 4
#: Step along the fibres over which the path's direction is taken.
STEP = 1e-4


class Ends:
    """Tension at both ends of muscles by their mass."""

    def __init__(self, inertial: InertialModel) -> None:
        self._inertial = inertial
        self._gravity = inertial.model.getGravity().to_numpy().copy()
        self._muscles = [_Belly(inertial, name) for name in inertial.muscle_names]

    def at(self, kinematics: StateKinematics, udot: Array) -> Array:
        """Return tension less force at origin and insertion (muscles with mass, 2) [N], at accelerations (nu,)."""
        evaluation, differences = self._inertial.evaluation, np.zeros((len(self._muscles), 2))
        lengths = evaluation.path_lengths(kinematics)
        for i, belly in enumerate(self._muscles):
            x, _, J, bias = evaluation.material_points(kinematics, i, belly.points)
            n = len(belly.masses)
            along = x[2 * n :] - x[n : 2 * n]
            along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
            point_forces = belly.masses * ((J[:n] @ udot + bias[:n] - self._gravity) * along).sum(axis=1)
            share = belly.shares(float(lengths[i]))
            differences[i] = -((1.0 - share) * point_forces).sum(), (share * point_forces).sum()
        return differences


class _Belly:
    """The mass of one muscle as points, each with one a little nearer to the origin and one to the insertion."""

    def __init__(self, inertial: InertialModel, name: str) -> None:
        """Take a muscle's mass points, or Gauss points of its continuous mass."""
        m = inertial.material_map(name)
        self._map = m
        self._record = map_record(m)
        if name in inertial.muscles.explicit or not inertial.options.is_continuous:
            mass_points = inertial.muscles.shown_points(name)
            self._chi, self._xi, self.masses = mass_points.chi, mass_points.xi, mass_points.masses
        else:
            xi, xi_weight = _gauss(POINTS)
            chi, chi_weight = _gauss(POINTS_OF_APONEUROSIS if m.aponeurosis > 0 else 1)
            self._chi, self._xi = (grid.ravel() for grid in np.meshgrid(chi, xi))
            self.masses = inertial.muscles.masses[name] * np.outer(xi_weight, chi_weight).ravel()
        before, after = np.maximum(self._xi - STEP, 0.0), np.minimum(self._xi + STEP, 1.0)
        self.points = [
            (float(c), float(x)) for places in (self._xi, before, after) for c, x in zip(self._chi, places, strict=True)
        ]

    def shares(self, length: float) -> Array:
        """Return ds/dL of each point on a path of some length [m]."""
        stretch = fibre_length(self._record, length)[1]
        m = self._map
        return np.asarray((m.proximal + self._chi * m.aponeurosis) * (1.0 - stretch) + self._xi * stretch)


def _gauss(n: int) -> tuple[Array, Array]:
    """Return Gauss points and weights on [0, 1]."""
    points, weights = np.polynomial.legendre.leggauss(n)
    return 0.5 * (points + 1.0), 0.5 * weights
