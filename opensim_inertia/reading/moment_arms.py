"""Generalized forces per unit of tension, exactly as OpenSim applies them, of many paths at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .._opensim import osim
from ..arrays import Array

__all__ = ["MomentArms"]


class MomentArms:
    """Moment arms of paths, from the forces on bodies that each path makes of a tension.

    They are what OpenSim applies, over wrap objects too, where the derivatives of path lengths and the lengthening
    speeds that OpenSim gives are up to some per cent off.

    Args:
        model: an initialised model.
        paths: paths of its muscles or other path actuators.
    """

    def __init__(self, model: osim.Model, paths: Sequence[osim.AbstractGeometryPath]) -> None:
        self._model, self._paths = model, list(paths)
        state, jacobian = model.getWorkingState(), osim.Matrix()
        model.realizePosition(state)
        model.getMatterSubsystem().calcSystemJacobian(state, jacobian)
        self._mobods = jacobian.nrow() // 6

    def at(self, state: osim.State) -> Array:
        """Return generalized forces per unit of tension (paths, nu) [m or 1] at a state, which is realized to velocity.

        A pull that flexes a joint has a positive moment arm.
        """
        self._model.realizeVelocity(state)
        nothing = osim.SpatialVec(osim.Vec3(0.0), osim.Vec3(0.0))
        on_bodies = osim.VectorOfSpatialVec(self._mobods, nothing)
        on_coordinates, generalized = osim.Vector(state.getNU(), 0.0), osim.Vector()
        multiply = self._model.getMatterSubsystem().multiplyBySystemJacobianTranspose
        sums = np.zeros((1 + len(self._paths), state.getNU()))
        for i, path in enumerate(self._paths):
            path.addInEquivalentForces(state, 1.0, on_bodies, on_coordinates)
            multiply(state, on_bodies, generalized)
            sums[i + 1] = generalized.to_numpy()
            sums[i + 1] += on_coordinates.to_numpy()
        return np.diff(sums, axis=0)
