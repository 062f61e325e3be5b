"""Evaluation of the kernel: inertia, forces and kinematics of the muscles' mass at states given as arrays.

Remarks about muscles go to the collector ``seen`` of the analysis that asks, if it gives one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._kernel import Directions, GivenPath, Kernel, State
from ...muscles.masses.rigid import parameters
from ...muscles.material import MaterialMap
from ...opensim_model.reading.kinematics import StateDirections, StateKinematics, SystemArrays, WrappedPath
from ..wrapping.opensim_path import FallbackPaths
from .description import map_record
from .remarks import DOUBTS, HELD, LOST, MuscleRemarks
from .terms import InertialTerms

#: Material points (chi, xi) of a muscle; states; numbers of muscles, None for all; where remarks are collected.
Points = Sequence[tuple[float, float]]
States = Sequence[StateKinematics]
Which = Sequence[int] | None
Seen = MuscleRemarks | None

Answer = TypeVar("Answer")

#: What the kernel remarks: muscles whose fibres are held; numbers of a state and a muscle, and what is in doubt there.
Remarks = tuple[Sequence[int], Sequence[tuple[int, int, str]]]


class MassParts(NamedTuple):
    """Parts of muscles' masses."""

    which: list[int]  # number of the muscle that each is of
    windows: list[tuple[float, float]]  # shares of that muscle's mass between which it lies, counted from the origin


class FrozenParts(NamedTuple):
    """Frozen mass of some muscles with several sets of material maps."""

    muscles: list[int]  # place of each part's muscle among those that are asked for, (parts,)
    bodies: list[int]  # number of the body that each part is frozen to, (parts,)
    matrices: Array  # pseudo-inertias (sets, parts, 4, 4) in the bodies' frames

    @property
    def record(self) -> tuple[list[int], list[int], Array]:
        """The parts as the kernel takes them."""
        return self.muscles, self.bodies, parameters(self.matrices)


class Evaluation:
    """Sliding mass less frozen mass of muscles, by number (default: all), at states; ModelError names a muscle."""

    def __init__(self, kernel: Kernel, muscles: Sequence[str], bodies: Sequence[str]) -> None:
        self.muscles, self.bodies = tuple(muscles), tuple(bodies)
        self.kernel = kernel
        self._body = {name: i for i, name in enumerate(self.bodies)}
        self._number = {name: i for i, name in enumerate(self.muscles)}

    # -- sums over muscles ---------------------------------------------------------------------------------------

    def terms(
        self, kinematics: StateKinematics, which: Which = None, subtract_frozen: bool = True, seen: Seen = None
    ) -> InertialTerms:
        """Return the added mass matrix, quadratic velocity vector, gravity and energies at a state."""
        answer = self.call(lambda at: self.kernel.evaluate(at[0], which, subtract_frozen), [kinematics], which, seen)
        self.note_at(seen, answer.remarks, [_time_of(kinematics)])
        for array in (answer.mass_matrix, answer.bias, answer.gravity):
            array.setflags(write=False)
        return InertialTerms(answer.mass_matrix, answer.bias, answer.gravity, answer.kinetic, answer.potential)

    def equations(
        self,
        system_arrays: SystemArrays,
        mass_matrix: Array,
        udot0: Array,
        time: float = math.nan,
        reported: Mapping[str, float] | None = None,
        seen: Seen = None,
    ) -> tuple[Array, Array]:
        """Return M + dM (nu, nu) and M udot0 + h + g_m (nu,) at a state without OpenSim's paths, at a time [s]."""
        state = State.of_system(*system_arrays, lengths=self._numbered(reported or {}))
        mass, force, remarks = named(self.kernel.equations, state, mass_matrix, udot0)
        self.note_at(seen, remarks, [time])
        return mass, force

    def inverse(self, states: States, udot: Array, which: Which = None, seen: Seen = None) -> Array:
        """Return dM udot - h - g_m at T states, (T, nu); ``udot`` is (T, nu)."""
        return self._noted(self.kernel.inverse, states, which, seen, np.ascontiguousarray(udot), which)[0]

    def inverse_on_carriers(self, states: States, udot: Array, seen: Seen = None) -> tuple[Array, Array]:
        """Return the forces that :meth:`inverse` projects: on bodies (T, nb, 6), and on coordinates (T, nu)."""
        call, bodies = self.kernel.inverse_on_carriers, len(self.bodies)
        forces = self._noted(call, states, None, seen, np.ascontiguousarray(udot), None)[0]
        return forces[:, : 6 * bodies].reshape(len(forces), bodies, 6), forces[:, 6 * bodies :]

    def inverse_each(self, states: States, udot: Array, which: Which = None, seen: Seen = None) -> Array:
        """Return dM udot - h - g_m of each muscle at T states, (T, muscles, nu); ``udot`` is (T, nu)."""
        return self._noted(self.kernel.inverse_each, states, which, seen, np.ascontiguousarray(udot), which)[0]

    def inverse_parts(
        self, states: States, udot: Array, weights: Sequence[float], seen: Seen = None
    ) -> tuple[Array, Array]:
        """Return :meth:`inverse_each`, and (T, 4, nu): sum w L_q^T L'' with w [kg], the same at rest, -h, -g_m."""
        arguments = np.ascontiguousarray(udot), list(weights)
        each, parts = self._noted(self.kernel.inverse_parts, states, None, seen, *arguments)
        return each, parts

    # -- muscles laid otherwise along the same paths ---------------------------------------------------------------

    def inverse_of_maps(
        self,
        states: States,
        udot: Array,
        which: Sequence[int],
        sets: Sequence[Sequence[MaterialMap]],
        frozen: FrozenParts,
        seen: Seen = None,
    ) -> Array:
        """Return :meth:`inverse_each` (sets, T, which, nu) with sets of other maps; no path may be OpenSim's."""
        udot, maps = np.ascontiguousarray(udot), [[map_record(m) for m in group] for group in sets]
        tau, (clamped, _) = self.call(
            lambda batch: self.kernel.inverse_of_maps(batch, udot, which, maps, frozen.record), states, which
        )
        self.note_at(seen, (clamped, ()), ())
        return tau

    def pseudo_inertias_of_maps(
        self, kinematics: StateKinematics, parts: MassParts, sets: Sequence[Sequence[MaterialMap]], seen: Seen = None
    ) -> Array:
        """Return :meth:`pseudo_inertias` of parts for sets of other maps, one for each part, (sets, parts, 4, 4)."""
        which, windows = parts
        maps = [[map_record(m) for m in group] for group in sets]
        masses, (clamped, _) = self.call(
            lambda at: self.kernel.pseudo_inertia_of_maps(at[0], which, maps, windows), [kinematics], which
        )
        self.note_at(seen, (clamped, ()), ())
        return masses

    # -- derivatives ---------------------------------------------------------------------------------------------

    def inverse_along(
        self, kinematics: StateKinematics, udot: Array, directions: StateDirections, which: Which = None
    ) -> Array:
        """Return derivatives (D, nu) of dM udot - h - g_m along D directions with ``udot`` (nu,) held."""
        return named(self.kernel.inverse_along, _kernel_state(kinematics), udot, Directions(*directions), which)

    def inverse_by_map(self, kinematics: StateKinematics, udot: Array, frozen_by_map: FrozenParts) -> Array:
        """Return derivatives (muscles, 3, nu) of dM udot - h - g_m by ``proximal``, ``phi`` and ``aponeurosis``."""
        return named(self.kernel.inverse_by_map, _kernel_state(kinematics), udot, frozen_by_map.record)

    # -- muscles on their own ------------------------------------------------------------------------------------

    def pseudo_inertias(self, kinematics: StateKinematics, parts: MassParts | None = None, seen: Seen = None) -> Array:
        """Return each muscle's mass, or parts of it, as rigid bodies in ground: pseudo-inertias (parts, 4, 4)."""
        which, windows = parts or (None, None)
        call = self.kernel.pseudo_inertia
        return self._noted(lambda at: call(at[0], which, windows), [kinematics], which, seen)[0]

    def pseudo_inertias_by_map(self, kinematics: StateKinematics, parts: MassParts) -> Array:
        """Return their derivatives (parts, 3, 4, 4) with respect to the constants of :meth:`inverse_by_map`."""
        return named(self.kernel.pseudo_inertia_by_map, _kernel_state(kinematics), *parts)

    def material_points(
        self, kinematics: StateKinematics, muscle: int, points: Points, jacobians: bool = True, seen: Seen = None
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions, velocities, Jacobians (n, 3, nu) or (0, 3, nu), and Jdot u (n, 3) of material points."""
        x, v, J, a = self._noted(
            lambda at: self.kernel.mass_points(at[0], muscle, points, jacobians), [kinematics], [muscle], seen
        )
        return x, v, J, a

    def lengths(self, kinematics: StateKinematics, seen: Seen = None) -> Array:
        """Return lengths of path, belly and fibres [m], and whether these are held (1 or 0), (muscles, 4)."""
        lengths = self.call(lambda at: self.kernel.lengths(at[0]), [kinematics], None, seen)
        self.note_at(seen, (np.flatnonzero(lengths[:, 3]).tolist(), ()), ())
        return lengths

    def path_lengths(self, kinematics: StateKinematics, which: Which = None) -> Array:
        """Return the lengths of muscles' paths (muscles,) [m], NaN without a path."""
        numbers = range(len(self.muscles)) if which is None else which
        try:
            return self.kernel.lengths(self._state(kinematics, which), which)[:, 0]
        except RuntimeError:
            if len(numbers) == 1:
                return np.array([np.nan])
            return np.concatenate([self.path_lengths(kinematics, [muscle]) for muscle in numbers])

    def length_gradients(self, kinematics: StateKinematics) -> tuple[Array, Array]:
        """Return gradients of lengths by bodies' twists (muscles, nb, 6) and speeds of sliding points (muscles, nu)."""
        gradients = self.call(lambda at: self.kernel.length_gradients(at[0]), [kinematics], None)
        bodies = 6 * len(self.bodies)
        return gradients[:, :bodies].reshape(len(gradients), len(self.bodies), 6), gradients[:, bodies:]

    # -- states and remarks --------------------------------------------------------------------------------------

    def _state(self, kinematics: StateKinematics, which: Iterable[int] | None = None, seen: Seen = None) -> State:
        """Return a state as the kernel takes it, with OpenSim's paths of the muscles asked for."""
        paths = kinematics.paths
        lengths = self._numbered(paths.reported) if isinstance(paths, FallbackPaths) else {}
        if not paths:
            return _kernel_state(kinematics, lengths=lengths)
        names = {i: self.muscles[i] for i in (range(len(self.muscles)) if which is None else which)}
        given = {i: paths[name] for i, name in names.items() if name in paths}
        if seen is not None:
            for i, path in given.items():
                for remark in path.remarks:
                    seen.add(names[i], remark, _time_of(kinematics))
        return _kernel_state(kinematics, {i: _kernel_path(path, self._body) for i, path in given.items()}, lengths)

    def _numbered(self, reported: Mapping[str, float]) -> dict[int, float]:
        """Return OpenSim's lengths [m] at a state by the muscles' numbers."""
        return {self._number[name]: length for name, length in reported.items()}

    def note_at(self, seen: Seen, remarks: Remarks, times: Sequence[float]) -> None:
        """Collect the kernel's remarks about muscles at states of these times [s]."""
        if seen is not None:
            clamped, doubts = remarks
            seen.update({(self.muscles[muscle], HELD): () for muscle in clamped})
            for state, muscle, doubt in doubts:
                seen.add(self.muscles[muscle], DOUBTS[doubt], times[state])

    def _noted(
        self, call: Callable[..., tuple[Any, ...]], states: States, which: Which, seen: Seen, *arguments: Any
    ) -> list[Array]:
        """Return the arrays of the kernel's answer, whose last part are remarks."""
        *found, remarks = self.call(lambda at: call(at, *arguments), states, which, seen)
        self.note_at(seen, remarks, [_time_of(k) for k in states] if remarks[1] else [])
        return found

    def call(self, call: Callable[[list[State]], Answer], states: States, which: Which, seen: Seen = None) -> Answer:
        """Return the kernel's answer at states, with OpenSim's paths of lost muscles; ModelError: it has none."""
        try:
            return call([self._state(kinematics, which, seen) for kinematics in states])
        except RuntimeError:
            settled = [self._with_fallbacks(kinematics, which, seen) for kinematics in states]
        return named(call, [self._state(kinematics, which, seen) for kinematics in settled])

    def _with_fallbacks(self, kinematics: StateKinematics, which: Which, seen: Seen) -> StateKinematics:
        """Return the state with OpenSim's paths of all muscles that need one."""
        while True:
            try:
                self.kernel.lengths(self._state(kinematics, which, seen), which)
                return kinematics
            except RuntimeError as error:
                name = next((name for name in self.muscles if str(error).startswith(f"muscle '{name}': ")), "")
                paths = kinematics.paths.with_path(name) if isinstance(kinematics.paths, FallbackPaths) else None
                if paths is None:
                    raise ModelError(str(error)) from None
                kinematics = kinematics._replace(paths=paths)
                if seen is not None:
                    seen.add(name, LOST, _time_of(kinematics))


def _time_of(kinematics: StateKinematics) -> float:
    """Return the time of a state [s], NaN if it is not known."""
    return kinematics.paths.time if isinstance(kinematics.paths, FallbackPaths) else math.nan


def _kernel_state(
    kinematics: StateKinematics,
    paths: Mapping[int, GivenPath] | None = None,
    lengths: Mapping[int, float] | None = None,
) -> State:
    """Return a state as the kernel takes it, with OpenSim's paths and lengths [m] by muscle number."""
    k = kinematics
    return State(k.q, k.u, k.rotation, k.position, k.jacobian, k.bias, k.simbody_bias, paths or {}, lengths or {})


def _kernel_path(path: WrappedPath, body: Mapping[str, int]) -> GivenPath:
    """Return the kernel's form of a path that OpenSim leads; the mapping gives places on the body axis."""
    arcs = [
        (body[a.body], np.ascontiguousarray(a.points), np.ascontiguousarray(a.jacobian), np.ascontiguousarray(a.bias))
        for a in path.arcs
    ]
    return GivenPath(path.sequence, arcs)


def named(call: Callable[..., Answer], *arguments: Any) -> Answer:
    """Return the kernel's answer; its errors, which name a muscle, become :class:`ModelError`."""
    try:
        return call(*arguments)
    except RuntimeError as error:
        raise ModelError(str(error)) from None
