"""Generalized forces per unit of tension, exactly as OpenSim applies them, of many paths at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim

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

        A pull that flexes a joint has a positive moment arm. Rare paths have none, where OpenSim's forces are NaN.
        """
        generalized = osim.Vector()
        multiply = self._model.getMatterSubsystem().multiplyBySystemJacobianTranspose
        arms = np.zeros((len(self._paths), state.getNU()))
        for arm, (on_bodies, on_coordinates) in zip(arms, self._pulls(state), strict=True):
            multiply(state, on_bodies, generalized)
            arm[:] = generalized.to_numpy()
            arm += on_coordinates.to_numpy()
        return arms

    def on_bodies(self, state: osim.State) -> tuple[Array, Array]:
        """Return the forces on bodies per unit of tension of each path, and additional ones on speeds; see :meth:`at`.

        Returns:
            moments about the origins of mobilized bodies and forces, in ground, (paths, mobilized bodies, 6) [m and 1],
            and generalized forces (paths, nu) [m or 1] that are added to those of the forces on bodies.
        """
        forces = np.zeros((len(self._paths), self._mobods, 6))
        generalized = np.zeros((len(self._paths), state.getNU()))
        for i, (on_bodies, on_coordinates) in enumerate(self._pulls(state)):
            generalized[i] = on_coordinates.to_numpy()
            for mobod in range(self._mobods):
                force = on_bodies.get(mobod)
                forces[i, mobod] = np.concatenate([force.get(0).to_numpy(), force.get(1).to_numpy()])
        return forces, generalized

    def _pulls(self, state: osim.State) -> Iterator[tuple[osim.VectorOfSpatialVec, osim.Vector]]:
        """Yield the forces of each path on bodies and on speeds."""
        self._model.realizeVelocity(state)
        nothing = osim.SpatialVec(osim.Vec3(0.0), osim.Vec3(0.0))
        for path in self._paths:
            on_bodies = osim.VectorOfSpatialVec(self._mobods, nothing)
            on_coordinates = osim.Vector(state.getNU(), 0.0)
            path.addInEquivalentForces(state, 1.0, on_bodies, on_coordinates)
            yield on_bodies, on_coordinates
