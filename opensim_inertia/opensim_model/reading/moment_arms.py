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
        self._nothing = osim.SpatialVec(osim.Vec3(0.0), osim.Vec3(0.0))
        self._matter = model.getMatterSubsystem()
        storage = osim.Matrix()
        model.realizePosition(model.getWorkingState())
        self._matter.calcSystemJacobian(model.getWorkingState(), storage)
        self._mobods = storage.nrow() // 6

    def at(self, state: osim.State) -> Array:
        """Return generalized forces per unit of tension (paths, nu) [m or 1] at a state, which is realized to velocity.

        A pull that flexes a joint has a positive moment arm. Rare paths have none, where OpenSim's forces are NaN.
        """
        arms, generalized = np.zeros((len(self._paths), state.getNU())), osim.Vector()
        for row, (on_bodies, on_speeds) in zip(arms, self._forces(state), strict=True):
            self._matter.multiplyBySystemJacobianTranspose(state, on_bodies, generalized)
            np.add(generalized.to_numpy(), on_speeds, out=row)
        return arms

    def on_bodies(self, state: osim.State) -> tuple[Array, Array]:
        """Return the forces on bodies per unit of tension of each path, and additional ones on speeds; see :meth:`at`.

        Returns:
            moments about the origins of mobilized bodies and forces, in ground, (paths, mobilized bodies, 6) [m and 1],
            and generalized forces (paths, nu) [m or 1] that are added to those of the forces on bodies.
        """
        forces = np.zeros((len(self._paths), self._mobods, 2, 3))
        generalized = np.zeros((len(self._paths), state.getNU()))
        for path, (on_bodies, on_speeds) in enumerate(self._forces(state)):
            for mobod in range(self._mobods):
                forces[path, mobod] = [on_bodies.get(mobod).get(k).to_numpy() for k in range(2)]
            generalized[path] = on_speeds
        return forces.reshape(*forces.shape[:2], 6), generalized

    def _forces(self, state: osim.State) -> Iterator[tuple[osim.VectorOfSpatialVec, Array]]:
        """Yield each path's forces on mobilized bodies, and on speeds besides."""
        self._model.realizeVelocity(state)
        on_speeds = osim.Vector(state.getNU(), 0.0)
        for path in self._paths:
            on_bodies = osim.VectorOfSpatialVec(self._mobods, self._nothing)
            path.addInEquivalentForces(state, 1.0, on_bodies, on_speeds)
            yield on_bodies, on_speeds.to_numpy()
            on_speeds.setToZero()
