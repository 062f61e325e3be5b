"""Evaluation of the kernel: inertia, forces and kinematics of the muscles' mass at states given as arrays.

Remarks about muscles go to the collector ``seen`` of the analysis that asks, if it gives one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.representation import Described
from ..._kernel import Directions, GivenPath, Kernel, State
from ...muscles.material import MaterialMap
from ...opensim_model.reading.kinematics import StateDirections, StateKinematics, SystemArrays
from ..wrapping.opensim_path import FallbackPaths
from .remarks import DOUBTS, HELD, LOST, MuscleRemarks

#: Material points (chi, xi) of a muscle; states; numbers of muscles, None for all; where remarks are collected.
Points = Sequence[tuple[float, float]]
States = Sequence[StateKinematics]
Which = Sequence[int] | None
Seen = MuscleRemarks | None

Answer = TypeVar("Answer")

#: What the kernel remarks: muscles whose fibres are held; numbers of a state and a muscle, and what is in doubt there.
Remarks = tuple[Sequence[int], Sequence[tuple[int, int, str]]]


#: Parts of muscles' masses: the muscle's number of each, and shares of its mass between which it lies, from the origin.
MassParts = tuple[list[int], list[tuple[float, float]]]

#: Frozen mass of some muscles with several sets of material maps: place of each part's muscle among those asked for,
#: number of the body that it is frozen to, and parameters (sets, parts, 10) in that body's frame.
FrozenParts = tuple[list[int], list[int], Array]

#: dM and h + g_m.
AddedTerms = tuple[Array, Array]


@dataclass(frozen=True, repr=False)
class InertialTerms(Described):
    """The terms that sliding muscles change in the equations of motion at one state.

    They are differences: mass that slides along the paths, less the same mass frozen to its donor segments; or terms
    of the muscles alone, where nothing is subtracted.

    Their axes are those of ``InertialModel.coordinate_names``.

    ``(M + added_mass_matrix) udot = f + h + gravity``, with M and f of the published model (Wang et al. 2022, eq. 7).
    SI units: kg m^2 for a pair of rotational coordinates, and so on.

    Attributes:
        added_mass_matrix: dM = sum m J^T J less the same of frozen mass, (nu, nu), symmetric.
        h: quadratic velocity vector, h = -sum m J^T (Jdot u), corner terms of the continuous mass included, (nu,).
        gravity: g_m = sum m J^T g, (nu,).
        kinetic_energy, potential_energy: [J]; the latter in gravity, zero at the ground's origin.
        muscles: the same per muscle, if asked for; else empty.
        notes: sentences about fibres that are held at this state, and smooth paths that are lost.
    """

    added_mass_matrix: Array
    h: Array
    gravity: Array
    kinetic_energy: float
    potential_energy: float
    muscles: Mapping[str, InertialTerms] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def mass_matrix(self) -> Array:
        """Another name of ``added_mass_matrix``."""
        return self.added_mass_matrix

    @property
    def bias(self) -> Array:
        """Another name of ``h``."""
        return self.h

    def description(self) -> dict[str, str]:
        """Return the main facts about the terms, by name."""
        size = len(self.h)
        lines = {
            "coordinates": str(size),
            "added_mass_matrix": f"({size}, {size}), largest entry {_largest(self.added_mass_matrix)}",
            "h": f"({size},), largest entry {_largest(self.h)}",
            "gravity": f"({size},), largest entry {_largest(self.gravity)}",
            "kinetic energy": f"{self.kinetic_energy:.6g} J",
            "potential energy": f"{self.potential_energy:.6g} J",
        }
        return lines | ({"muscles": str(len(self.muscles))} if self.muscles else {})


@dataclass(frozen=True)
class MassPointKinematics:
    """The mass points of a muscle and their motion at one state, in ground.

    A continuous muscle is shown by ``points`` equal ones.

    Attributes:
        fractions: along the belly's fibres, 0 at their proximal ends, (n,).
        masses: [kg], (n,).
        positions: [m], (n, 3).
        velocities: J u [m/s], (n, 3).
        jacobians: (n, 3, nu).
        jdot_u: acceleration at udot = 0 [m/s^2], (n, 3).
        starts: where those fibres start, as a share of the proximal aponeurosis, (n,); without aponeurosis of no
            meaning.
    """

    fractions: Array
    masses: Array
    positions: Array
    velocities: Array
    jacobians: Array
    jdot_u: Array
    starts: Array


def _largest(values: Array) -> str:
    """Return the entry that is largest in size."""
    return f"{values.flat[abs(values).argmax()]:.4g}" if values.size else "none"


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
        self.note_at(seen, answer.remarks, [kinematics])
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
        lengths = {self._number[name]: length for name, length in (reported or {}).items()}
        state = State.of_system(*system_arrays, lengths=lengths)
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
        arguments = np.ascontiguousarray(udot), which, [[*map(vars, group)] for group in sets], frozen
        return self._noted(self.kernel.inverse_of_maps, states, which, seen, *arguments, doubts=False)[0]

    def pseudo_inertias_of_maps(
        self, kinematics: StateKinematics, parts: MassParts, sets: Sequence[Sequence[MaterialMap]], seen: Seen = None
    ) -> Array:
        """Return :meth:`pseudo_inertias` of parts for sets of other maps, one for each part, (sets, parts, 4, 4)."""
        (which, windows), maps = parts, [[*map(vars, group)] for group in sets]
        call = self.kernel.pseudo_inertia_of_maps
        return self._noted(lambda at: call(at[0], which, maps, windows), [kinematics], which, seen, doubts=False)[0]

    # -- derivatives ---------------------------------------------------------------------------------------------

    def inverse_along(
        self, kinematics: StateKinematics, udot: Array, directions: StateDirections, which: Which = None
    ) -> Array:
        """Return derivatives (D, nu) of dM udot - h - g_m along D directions with ``udot`` (nu,) held."""
        return named(self.kernel.inverse_along, self._state(kinematics), udot, Directions(*directions), which)

    def inverse_by_map(self, kinematics: StateKinematics, udot: Array, frozen_by_map: FrozenParts) -> Array:
        """Return derivatives (muscles, 3, nu) of dM udot - h - g_m by ``proximal``, ``phi`` and ``aponeurosis``."""
        return named(self.kernel.inverse_by_map, self._state(kinematics), udot, frozen_by_map)

    # -- muscles on their own ------------------------------------------------------------------------------------

    def pseudo_inertias(self, kinematics: StateKinematics, parts: MassParts | None = None, seen: Seen = None) -> Array:
        """Return each muscle's mass, or parts of it, as rigid bodies in ground: pseudo-inertias (parts, 4, 4)."""
        which, windows = parts or (None, None)
        call = self.kernel.pseudo_inertia
        return self._noted(lambda at: call(at[0], which, windows), [kinematics], which, seen)[0]

    def pseudo_inertias_by_map(self, kinematics: StateKinematics, parts: MassParts) -> Array:
        """Return their derivatives (parts, 3, 4, 4) with respect to the constants of :meth:`inverse_by_map`."""
        return named(self.kernel.pseudo_inertia_by_map, self._state(kinematics), *parts)

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

    def _state(self, kinematics: StateKinematics, which: Which = None, seen: Seen = None) -> State:
        """Return a state as the kernel takes it, with OpenSim's paths of the muscles asked for."""
        k, paths, given = kinematics, kinematics.paths, {}
        for i in (range(len(self.muscles)) if which is None else which) if paths else ():
            if path := paths.get(self.muscles[i]):
                arcs = [
                    (self._body[a.body], *(np.ascontiguousarray(x) for x in (a.points, a.jacobian, a.bias)))
                    for a in path.arcs
                ]
                given[i] = GivenPath(path.sequence, arcs)  # type: ignore[arg-type]
                if seen is not None:
                    seen.update({(self.muscles[i], remark): (_time_of(k),) for remark in path.remarks})
        lengths = {self._number[name]: length for name, length in getattr(paths, "reported", {}).items()}
        return State(k.q, k.u, k.rotation, k.position, k.jacobian, k.bias, k.simbody_bias, given, lengths)

    def note_at(self, seen: Seen, remarks: Remarks, states: Sequence[StateKinematics | float]) -> None:
        """Collect the kernel's remarks about muscles at states, or at states of these times [s]."""
        if seen is not None:
            clamped, doubts = remarks
            seen.update({(self.muscles[muscle], HELD): () for muscle in clamped})
            for state, muscle, doubt in doubts:
                seen.update({(self.muscles[muscle], DOUBTS[doubt]): (_time_of(states[state]),)})

    def _noted(
        self,
        call: Callable[..., tuple[Any, ...]],
        states: States,
        which: Which,
        seen: Seen,
        *arguments: Any,
        doubts: bool = True,
    ) -> list[Array]:
        """Return the arrays of the kernel's answer, whose last part are remarks, of paths if ``doubts``."""
        *found, remarks = self.call(lambda at: call(at, *arguments), states, which, seen if doubts else None)
        self.note_at(seen, remarks if doubts else (remarks[0], ()), states)
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
                    seen.update({(name, LOST): (_time_of(kinematics),)})


def _time_of(state: StateKinematics | float) -> float:
    """Return the time of a state [s], NaN if it is not known."""
    return state if isinstance(state, float) else getattr(state.paths, "time", math.nan)


def named(call: Callable[..., Answer], *arguments: Any) -> Answer:
    """Return the kernel's answer; its errors, which name a muscle, become :class:`ModelError`."""
    try:
        return call(*arguments)
    except RuntimeError as error:
        raise ModelError(str(error)) from None
