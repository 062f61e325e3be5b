"""Generalized forces per unit of tension, exactly as OpenSim applies them, of many paths at once."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from ..._core.arrays import Array, product
from ..._core.opensim import osim

__all__ = ["MomentArms", "forces_lie_in_memory"]

#: Classes of path points that stay where they are in a body: a tension exerts forces on bodies alone there.
FIXED_POINTS = frozenset({"PathPoint", "ConditionalPathPoint"})
#: A moment and a force.
NUMBERS = 6
#: Products of more multiplications leave out the bodies on which a path does not act.
MANY_MULTIPLICATIONS = 2**22


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
        self._acts_on_speeds = [_acts_on_speeds(path) for path in self._paths]
        state = model.getWorkingState()
        model.realizePosition(state)
        self._mobods = len(self._system_jacobian(state)) // NUMBERS
        self._forces_lie_in_memory = forces_lie_in_memory(self._mobods)

    def at(self, state: osim.State) -> Array:
        """Return generalized forces per unit of tension (paths, nu) [m or 1] at a state, which is realized to velocity.

        A pull that flexes a joint has a positive moment arm. Rare paths have none, where OpenSim's forces are NaN.
        """
        on_bodies, on_speeds = self.on_bodies(state)
        wrenches, jacobian = on_bodies.reshape(len(self._paths), NUMBERS * self._mobods), self._system_jacobian(state)
        if wrenches.size * jacobian.shape[1] > MANY_MULTIPLICATIONS:
            from scipy.sparse import csr_array  # only now: it takes longer to import than to use

            return np.asarray(csr_array(wrenches) @ jacobian) + on_speeds
        return product(wrenches, jacobian) + on_speeds

    def on_bodies(self, state: osim.State) -> tuple[Array, Array]:
        """Return the forces on bodies per unit of tension of each path, and additional ones on speeds; see :meth:`at`.

        Returns:
            moments about the origins of mobilized bodies and forces, in ground, (paths, mobilized bodies, 6) [m and 1],
            and generalized forces (paths, nu) [m or 1] that are added to those of the forces on bodies.
        """
        self._model.realizeVelocity(state)
        nu = state.getNU()
        generalized, memory = np.zeros((len(self._paths), nu)), []
        sums, on_speeds = _ForceSums(self._mobods, self._forces_lie_in_memory), osim.Vector(nu, 0.0)
        for i, path in enumerate(self._paths):
            path.addInEquivalentForces(state, 1.0, sums.vector, on_speeds)
            memory.append(sums.taken())
            if self._acts_on_speeds[i]:
                generalized[i] = on_speeds.to_numpy()
                on_speeds.setToZero()
        return np.frombuffer(b"".join(memory)).reshape(len(self._paths), self._mobods, NUMBERS), generalized

    def _system_jacobian(self, state: osim.State) -> Array:
        storage = osim.Matrix()
        self._model.getMatterSubsystem().calcSystemJacobian(state, storage)
        return np.asarray(storage.to_numpy())


class _ForceSums:
    """A vector to which OpenSim adds forces on mobilized bodies.

    Its numbers are read from memory, where they lie one after the other: its accessors take as long as a path.

    Args:
        mobods: number of mobilized bodies.
        in_memory: whether the numbers lie so; where they do not, accessors are used.

    Attributes:
        vector: the vector.
    """

    def __init__(self, mobods: int, in_memory: bool) -> None:
        self._mobods, self._bytes = mobods, 8 * NUMBERS * mobods
        self.vector = osim.VectorOfSpatialVec(mobods, osim.SpatialVec(osim.Vec3(0.0), osim.Vec3(0.0)))
        self._address: int | None = int(self.vector.get(0).this) if in_memory else None

    def taken(self) -> bytes:
        """Return the forces, which are zero then: moments and forces (mobilized bodies, 6) as memory holds them."""
        if self._address is None:
            forces = [self.vector.get(mobod) for mobod in range(self._mobods)]
            memory = b"".join(force.get(k).to_numpy().tobytes() for force in forces for k in range(2))
        else:
            memory = ctypes.string_at(self._address, self._bytes)
        self._clear()
        return memory

    def _clear(self) -> None:
        if self._address is None:
            nothing = osim.SpatialVec(osim.Vec3(0.0), osim.Vec3(0.0))
            for mobod in range(self._mobods):
                self.vector.set(mobod, nothing)
        else:
            ctypes.memset(self._address, 0, self._bytes)


def forces_lie_in_memory(mobods: int) -> bool:
    """Return whether the numbers of a vector of so many spatial vectors lie one after the other, from the first on."""
    vector = osim.VectorOfSpatialVec(mobods, osim.SpatialVec(osim.Vec3(1.0, 2.0, 3.0), osim.Vec3(4.0)))
    first, expected = vector.get(0), np.tile([1.0, 2.0, 3.0, 4.0, 4.0, 4.0], mobods)
    if first.thisown or int(vector.get(mobods - 1).this) - int(first.this) != 8 * NUMBERS * (mobods - 1):
        return False
    return ctypes.string_at(int(first.this), expected.nbytes) == expected.tobytes()


def _acts_on_speeds(path: osim.AbstractGeometryPath) -> bool:
    """Return whether a tension may exert generalized forces besides those on bodies, as moving points make it do."""
    points_path = osim.GeometryPath.safeDownCast(path)
    if points_path is None or points_path.getConcreteClassName() != "GeometryPath":
        return True
    return any(point.getConcreteClassName() not in FIXED_POINTS for point in points_path.getPathPointSet())
