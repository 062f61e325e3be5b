"""Kinematics of a state as arrays: transforms, system Jacobian and its bias."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from .components import FrameTransforms, physical_frame, unpack_transforms
from .coordinates import CoordinateTable
from .joints import BiasCorrection

#: Step [s] of differences of the Jacobian along the motion, for rates up to 1.
BIAS_STEP = 1e-5

#: Relative tolerance of Simbody's corrected bias.
BIAS_AGREEMENT = 1e-6


@dataclass(frozen=True, eq=False)
class Arc:
    """An arc of a path over a wrap object, as points at Chebyshev-Lobatto fractions of the arc's length."""

    body: str  # body of the wrap object; frame of the points
    points: Array  # (n, 3) [m]
    jacobian: Array  # (n, 3, nu), with respect to speeds
    bias: Array  # (n, 3) [m/s^2], accelerations at udot = 0


@dataclass(frozen=True)
class WrappedPath:
    """A muscle's path over wrap objects at one state: path points and arcs."""

    sequence: tuple[int, ...]  # from origin to insertion: indices of path points, or -1 - i for arc i
    arcs: tuple[Arc, ...]  # by index
    remarks: tuple[str, ...] = ()  # doubts about OpenSim's path at this state


class StateKinematics(NamedTuple):
    """Kinematics of nb bodies in ground, in SI units; spatial vectors are (angular, linear) at body origins."""

    q: Array  # (nu,), coordinate values; ``u``: speeds
    u: Array
    rotation: Array  # body to ground, (nb, 3, 3)
    position: Array  # body origins, (nb, 3)
    jacobian: Array  # rows of the system Jacobian, (6 nb, nu)
    bias: Array  # Jdot u, (nb, 6)
    simbody_bias: Array  # (nb, 6), Simbody's uncorrected Jdot u
    paths: Mapping[str, WrappedPath] = {}  # OpenSim's paths by muscle (``wrapping="opensim"``)


def stacked(states: Sequence[StateKinematics]) -> StateKinematics:
    """Stack arrays of several states along a new first axis; path data are left out."""
    return StateKinematics._make([*(np.stack(arrays) for arrays in zip(*(s[:-1] for s in states), strict=True)), {}])


def unstacked(rows: StateKinematics, paths: Sequence[Mapping[str, WrappedPath]], bodies: int) -> list[StateKinematics]:
    """Split stacked ``rows`` into states with ``paths`` and only the first bodies; ``bodies``: number of these."""
    moved = (array[:, :bodies] for array in (rows.bias, rows.simbody_bias))
    placed = rows.rotation[:, :bodies], rows.position[:, :bodies], rows.jacobian[:, : 6 * bodies]
    return [StateKinematics(*parts) for parts in zip(rows.q, rows.u, *placed, *moved, paths, strict=True)]


#: Transforms, system Jacobian, Simbody's bias, and the differenced bias if needed.
PackedKinematics = tuple[bytes, Array, Array, Array | None]
#: Values, speeds, addresses of transforms, mobilized bodies, system Jacobian, bias, Simbody's own bias.
SystemArrays = tuple[Array, Array, list[int], list[int], Array, Array, Array]


class StateDirections(NamedTuple):
    """Derivatives of a state's q, u and kinematics along D directions."""

    q: Array  # (D, nu), changes of values; ``u``: of speeds
    u: Array
    twist: Array  # (D, nb, 6), motion of bodies (angular, linear of the origin)
    jacobian: Array  # (D, 6 nb, nu), changes of the system Jacobian; ``bias`` (D, nb, 6): of Jdot u
    bias: Array
    simbody_bias: Array  # (D, nb, 6), changes of Simbody's uncorrected Jdot u

    @classmethod
    def zero(cls, n: int, kinematics: StateKinematics) -> StateDirections:
        """Return ``n`` directions with zero derivatives of q, u and kinematics."""
        templates = (kinematics.q, kinematics.u, kinematics.bias, kinematics.jacobian, *[kinematics.bias] * 2)
        return cls(*(np.zeros((n, *array.shape)) for array in templates))


class Kinematics:
    """Thread-safe reader of kinematics; ``knows_bias``: whether Simbody's bias Jdot u plus ``correction`` is right."""

    def __init__(
        self, model: osim.Model, coordinates: CoordinateTable, bodies: Sequence[str], like: Kinematics | None = None
    ) -> None:
        self.model = model
        self.bodies = tuple(bodies)
        self.coordinates = coordinates
        self._matter = model.getMatterSubsystem()
        frames = [physical_frame(model, b) for b in bodies]
        self._frames = FrameTransforms(frames)
        self._mobods = [int(f.getMobilizedBodyIndex()) for f in frames]
        self._rows = (6 * np.array(self._mobods, dtype=int)[:, None] + np.arange(6)).ravel()
        self._storage = ThreadStorage(model)
        self.correction = BiasCorrection(model, coordinates, self._mobods)
        if like is not None:
            self._frames.lie_in_memory = self.correction.frames.lie_in_memory = like._frames.lie_in_memory
        self.knows_bias = True
        self.knows_bias = self._check() if like is None else like.knows_bias

    def also(self, bodies: Iterable[str]) -> Kinematics:
        """Return a reader for all bodies of this reader and, after these, for further ``bodies``."""
        missing_bodies = [name for name in dict.fromkeys(bodies) if name not in self.bodies]
        if not missing_bodies:
            return self
        return Kinematics(self.model, self.coordinates, [*self.bodies, *missing_bodies], self if self.bodies else None)

    def read(self, state: osim.State, realized: bool = False) -> StateKinematics:
        """Return a state's kinematics; realize the state to velocity first unless ``realized``."""
        if not realized:
            self.model.realizeVelocity(state)
        q, u = self.coordinates.values(state), state.getU().to_numpy()
        rows = self.unpack([self.pack(state)], q[None], u[None])
        return StateKinematics(*(array[0] for array in rows[:-1]))

    def pack(self, state: osim.State) -> PackedKinematics:
        """Return the raw kinematics of a state realized to velocity, as input of :meth:`unpack`."""
        transforms = self._frames.pack(state) + self.correction.frames.pack(state)
        differenced = None if self.knows_bias else self.differenced_bias(state)
        return transforms, self._system_jacobian(state), self._system_bias(state), differenced

    def unpack(self, packed: Sequence[PackedKinematics], q: Array, u: Array) -> StateKinematics:
        """Return the kinematics of T packed states as arrays (T, ...), given their values q and speeds u (T, nu)."""
        transforms, jacobians, biases, differenced = zip(*packed, strict=True)
        (T, nb), (rotation, position) = (len(packed), len(self.bodies)), unpack_transforms(b"".join(transforms))
        rotation, position = rotation.reshape(T, -1, 3, 3), position.reshape(T, -1, 3)
        jacobian = np.empty((T, len(self._rows), u.shape[1]))
        for own, every in zip(jacobian, jacobians, strict=True):
            every.take(self._rows, axis=0, out=own, mode="clip")  # other modes copy once more
        bias = simbody_bias = np.stack(biases)[:, self._rows].reshape(T, nb, 6)
        if not self.knows_bias:
            bias = np.stack(differenced)
        elif self.correction.joints:
            bias = simbody_bias + self.correction.at(q, u, rotation[:, nb:], position[:, nb:], position[:, :nb])
        return StateKinematics(q, u, rotation[:, :nb], position[:, :nb], jacobian, bias, simbody_bias)

    def mass_matrix(self, state: osim.State) -> Array:
        """Return Simbody's mass matrix M (nu, nu) at a state realized to position."""
        storage = self._storage.mass_matrix
        self._matter.calcM(state, storage)
        return np.asarray(storage.to_numpy())

    @property
    def is_direct(self) -> bool:
        """Whether :meth:`system_arrays` can replace :meth:`read`: transforms lie in memory, ``knows_bias`` is true."""
        return self._frames.lie_in_memory and self.knows_bias

    def system_arrays(self, state: osim.State) -> SystemArrays:
        """Return q, u, transform addresses, body indices, J, corrected and Simbody's Jdot u at realized velocity."""
        jacobian, bias = self._system_jacobian(state), self._system_bias(state)
        simbody_bias = bias
        values, u, places = self.coordinates.values(state), state.getU().to_numpy(), self._frames.places(state)
        if self.correction.joints:
            bias = bias.copy()
            frames = (*self.correction.frames.read(state), self._frames.read(state)[1])
            bias[self._rows] += self.correction.at(values[None], u[None], *(array[None] for array in frames)).ravel()
        return values, u, places, self._mobods, jacobian, bias, simbody_bias

    def transforms(self, state: osim.State) -> tuple[Array, Array]:
        """Return rotations (nb, 3, 3) to ground and origins (nb, 3) [m] of bodies at a state realized to position."""
        return self._frames.read(state)

    def differenced_bias(self, state: osim.State) -> Array:
        """Return Jdot u (nb, 6) by central differences of J u along the motion, at constant u."""
        q, u, qdot = (v.to_numpy() for v in (state.getQ(), state.getU(), state.getQDot()))
        step = BIAS_STEP / max(1.0, float(np.abs(qdot).max(initial=0.0)))
        velocities, time, moved = [], state.getTime(), self._storage.state
        for sign in (1.0, -1.0):
            moved.setTime(time)
            moved.setQ(osim.Vector.createFromMat(q + sign * step * qdot))
            moved.setU(osim.Vector.createFromMat(u))
            self.model.realizePosition(moved)
            velocities.append(self.jacobian(moved) @ u)
        return ((velocities[0] - velocities[1]) / (2 * step)).reshape(-1, 6)

    def jacobian(self, state: osim.State) -> Array:
        """Return the bodies' system Jacobian (6 nb, nu) at a state realized to position."""
        return self._system_jacobian(state)[self._rows]

    def _system_jacobian(self, state: osim.State) -> Array:
        storage = self._storage.jacobian
        self._matter.calcSystemJacobian(state, storage)
        return np.asarray(storage.to_numpy())

    def _system_bias(self, state: osim.State) -> Array:
        storage = self._storage.bias
        self._matter.calcBiasForSystemJacobian(state, storage)
        return np.asarray(storage.to_numpy())

    def _check(self) -> bool:
        """Return whether corrected bias and :meth:`differenced_bias` agree; also check transforms read from memory."""
        if not self.bodies:
            return True
        rng = np.random.default_rng(0)
        lo, hi = np.clip(self.coordinates.ranges.T, [[-1.5], [-np.inf]], [[np.inf], [1.5]])  # moderate values
        state = self._storage.state
        for _ in range(3):
            q = lo + (hi - lo) * rng.uniform(0.2, 0.8, lo.size)
            u = rng.standard_normal(lo.size)
            self.coordinates.set_values(state, q)
            state.setU(osim.Vector.createFromMat(u))
            self.model.realizeVelocity(state)
            for frames in (self._frames, self.correction.frames):
                frames.check(state)
            known = self.read(state, realized=True).bias
            differenced = self.differenced_bias(state)  # changes the state
            if np.abs(differenced - known).max() > BIAS_AGREEMENT * max(1.0, np.abs(differenced).max()):
                return False
        return True


class ThreadStorage(threading.local):
    """Matrices, vector and state for OpenSim's output arguments, one set per thread."""

    def __init__(self, model: osim.Model) -> None:
        self.jacobian, self.mass_matrix, self.bias = osim.Matrix(), osim.Matrix(), osim.Vector()
        self._model = model

    @cached_property
    def state(self) -> osim.State:
        """A state of the model for intermediate computations."""
        return osim.State(self._model.getWorkingState())


class MomentArms:
    """Moment arms of paths, also over wrap objects, from OpenSim's path forces at unit tension."""

    def __init__(self, model: osim.Model, paths: Sequence[osim.AbstractGeometryPath]) -> None:
        self._model, self._paths = model, list(paths)
        self._nothing = osim.SpatialVec(osim.Vec3(0.0), osim.Vec3(0.0))
        self._matter = model.getMatterSubsystem()
        storage = osim.Matrix()
        model.realizePosition(model.getWorkingState())
        self._matter.calcSystemJacobian(model.getWorkingState(), storage)
        self._mobods = storage.nrow() // 6

    def at(self, state: osim.State, actuators: Sequence[osim.ScalarActuator] = ()) -> Array:
        """Return generalized forces (n, nu): of each path at unit tension, then of each actuator at the state."""
        arms, generalized = np.zeros((len(self._paths) + len(actuators), state.getNU())), osim.Vector()
        for row, (on_bodies, on_speeds) in zip(arms, self._forces(state, actuators), strict=True):
            self._matter.multiplyBySystemJacobianTranspose(state, on_bodies, generalized)
            np.add(generalized.to_numpy(), on_speeds, out=row)
        return arms

    def on_bodies(self, state: osim.State) -> tuple[Array, Array]:
        """Return forces of each path at unit tension: on mobilized bodies (paths, bodies, 6), on speeds (paths, nu)."""
        forces = np.zeros((len(self._paths), self._mobods, 2, 3))
        generalized = np.zeros((len(self._paths), state.getNU()))
        for path, (on_bodies, on_speeds) in enumerate(self._forces(state)):
            for mobod in range(self._mobods):
                forces[path, mobod] = [on_bodies.get(mobod).get(k).to_numpy() for k in range(2)]
            generalized[path] = on_speeds
        return forces.reshape(*forces.shape[:2], 6), generalized

    def _forces(
        self, state: osim.State, actuators: Sequence[osim.ScalarActuator] = ()
    ) -> Iterator[tuple[osim.VectorOfSpatialVec, Array]]:
        """Yield the forces on bodies and on speeds of each path at unit tension, then of each actuator at the state."""
        self._model.realizeVelocity(state)
        on_speeds = osim.Vector(state.getNU(), 0.0)
        for i, source in enumerate((*self._paths, *actuators)):
            on_bodies = osim.VectorOfSpatialVec(self._mobods, self._nothing)
            if i < len(self._paths):
                source.addInEquivalentForces(state, 1.0, on_bodies, on_speeds)
            else:
                source.computeForce(state, on_bodies, on_speeds)
            yield on_bodies, on_speeds.to_numpy()
            on_speeds.setToZero()
