"""Evaluation of the kernel: inertia, forces and kinematics of muscle mass at states given as arrays.

Remarks about muscles go to the analysis's collector ``seen``, if given.
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

#: Material points (chi, xi); states; indices of muscles, None for all; collector of remarks.
Points = Sequence[tuple[float, float]]
States = Sequence[StateKinematics]
Which = Sequence[int] | None
Seen = MuscleRemarks | None

Answer = TypeVar("Answer")

#: The kernel's remarks: muscles with limited fibre length; (state, muscle, doubt).
Remarks = tuple[Sequence[int], Sequence[tuple[int, int, str]]]


#: Parts of muscles: index of each part's muscle, and its range of mass from the origin (0 to 1).
MassParts = tuple[list[int], list[tuple[float, float]]]

#: Frozen parts under other material maps: index of each part's muscle in the call, index of its body, and parameters
#: (sets, parts, 10) in the body frame.
FrozenParts = tuple[list[int], list[int], Array]

#: dM and h + g_m.
AddedTerms = tuple[Array, Array]


@dataclass(frozen=True, eq=False, repr=False)
class InertialTerms(Described):
    """Terms that muscle mass sliding along paths adds to the equations of motion at one state.

    Terms are those of mass sliding along paths minus those of the same mass frozen to donor segments, or of the muscles
    alone if nothing is subtracted. Axes are those of ``InertialModel.coordinate_names``.

    ``(M + added_mass_matrix) udot = f + h + gravity``, with M and f of the published model (Wang et al. 2022, eq. 7).
    SI units: kg m^2 for a pair of rotational coordinates, and so on.

    Attributes:
        added_mass_matrix: dM = sum m J^T J minus that of frozen mass, (nu, nu), symmetric.
        h: quadratic velocity vector, h = -sum m J^T (Jdot u), with corner terms of continuous mass, (nu,).
        gravity: g_m = sum m J^T g, (nu,).
        kinetic_energy, potential_energy: [J]; potential energy is gravitational, zero at the ground's origin.
        muscles: terms of each muscle, if requested; else empty.
        notes: sentences about limited fibre lengths and missing smooth paths at this state.
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
        """Alias of ``added_mass_matrix``."""
        return self.added_mass_matrix

    @property
    def bias(self) -> Array:
        """Alias of ``h``, the quadratic velocity vector."""
        return self.h

    def description(self) -> dict[str, str]:
        """Return sizes, largest entries and energies of these inertial terms, by name."""
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


@dataclass(frozen=True, eq=False)
class MassPointKinematics:
    """Mass points of a muscle and their motion at one state, in ground.

    A continuous muscle is shown as ``points`` equal masses.

    Attributes:
        fractions: along the fibres, 0 at their proximal ends, (n,).
        masses: [kg], (n,).
        positions: [m], (n, 3).
        velocities: J u [m/s], (n, 3).
        jacobians: (n, 3, nu).
        jdot_u: acceleration at udot = 0 [m/s^2], (n, 3).
        starts: start of each fibre as a fraction of the proximal aponeurosis, (n,); undefined without aponeurosis.
    """

    fractions: Array
    masses: Array
    positions: Array
    velocities: Array
    jacobians: Array
    jdot_u: Array
    starts: Array


def _largest(values: Array) -> str:
    return f"{values.flat[abs(values).argmax()]:.4g}" if values.size else "none"


class Evaluation:
    """Effects of muscle mass along its path, minus effects of this mass fixed to bodies; ``which``: muscle indices."""

    def __init__(self, kernel: Kernel, muscles: Sequence[str], bodies: Sequence[str]) -> None:
        self.muscles, self.bodies = tuple(muscles), tuple(bodies)
        self.kernel = kernel
        self._body = {name: i for i, name in enumerate(self.bodies)}
        self._number = {name: i for i, name in enumerate(self.muscles)}

    # -- sums over muscles ---------------------------------------------------------------------------------------

    def terms(
        self, kinematics: StateKinematics, which: Which = None, subtract_frozen: bool = True, seen: Seen = None
    ) -> InertialTerms:
        """Return added mass matrix, quadratic velocity vector, gravity forces and energies of muscles at a state."""
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
        """Return mass matrix M + dM (nu, nu) and force M udot0 + h + g_m (nu,), with the muscles' inertia dM, velocity
        terms h and gravity g_m; udot0 excludes muscle mass.
        """
        lengths = {self._number[name]: length for name, length in (reported or {}).items()}
        state = State.of_system(*system_arrays, lengths=lengths)
        mass, force, remarks = named(self.kernel.equations, state, mass_matrix, udot0)
        self.note_at(seen, remarks, [time])
        return mass, force

    def inverse(self, states: States, udot: Array, which: Which = None, seen: Seen = None) -> Array:
        """Return generalized forces dM udot - h - g_m (T, nu) of muscles: inertia, velocity terms and gravity."""
        return self._noted(self.kernel.inverse, states, which, seen, np.ascontiguousarray(udot), which)[0]

    def inverse_on_carriers(self, states: States, udot: Array, seen: Seen = None) -> tuple[Array, Array]:
        """Return :meth:`inverse` as spatial forces on bodies (T, nb, 6) plus forces directly on coordinates (T, nu)."""
        call, bodies = self.kernel.inverse_on_carriers, len(self.bodies)
        forces = self._noted(call, states, None, seen, np.ascontiguousarray(udot), None)[0]
        return forces[:, : 6 * bodies].reshape(len(forces), bodies, 6), forces[:, 6 * bodies :]

    def inverse_each(self, states: States, udot: Array, which: Which = None, seen: Seen = None) -> Array:
        """Return the generalized forces of :meth:`inverse` for each muscle (T, muscles, nu), at ``udot`` (T, nu)."""
        return self._noted(self.kernel.inverse_each, states, which, seen, np.ascontiguousarray(udot), which)[0]

    def inverse_parts(
        self, states: States, udot: Array, weights: Sequence[float], seen: Seen = None
    ) -> tuple[Array, Array]:
        """Return :meth:`inverse_each`, and four sums over muscles (T, 4, nu): forces of masses ``weights`` [kg] that
        move at path lengthening speeds; these forces at udot = 0; velocity terms -h; gravity -g_m.
        """
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
        """Return forces (sets, T, muscles, nu) like :meth:`inverse_each`, for sets of maps that place mass on paths."""
        arguments = np.ascontiguousarray(udot), which, [[*map(vars, group)] for group in sets], frozen
        return self._noted(self.kernel.inverse_of_maps, states, which, seen, *arguments, doubts=False)[0]

    def pseudo_inertias_of_maps(
        self, kinematics: StateKinematics, parts: MassParts, sets: Sequence[Sequence[MaterialMap]], seen: Seen = None
    ) -> Array:
        """Return pseudo-inertias (sets, parts, 4, 4) in ground of muscle parts, for several sets of material maps."""
        (which, windows), maps = parts, [[*map(vars, group)] for group in sets]
        call = self.kernel.pseudo_inertia_of_maps
        return self._noted(lambda at: call(at[0], which, maps, windows), [kinematics], which, seen, doubts=False)[0]

    # -- derivatives ---------------------------------------------------------------------------------------------

    def inverse_along(
        self, kinematics: StateKinematics, udot: Array, directions: StateDirections, which: Which = None
    ) -> Array:
        """Return derivatives (D, nu) of :meth:`inverse` along D directions of the state, at constant ``udot`` (nu,)."""
        return named(self.kernel.inverse_along, self._state(kinematics), udot, Directions(*directions), which)

    def inverse_by_map(self, kinematics: StateKinematics, udot: Array, frozen_by_map: FrozenParts) -> Array:
        """Return force derivatives (muscles, 3, nu) by MaterialMap constants proximal, phi and aponeurosis."""
        return named(self.kernel.inverse_by_map, self._state(kinematics), udot, frozen_by_map)

    # -- muscles on their own ------------------------------------------------------------------------------------

    def pseudo_inertias(self, kinematics: StateKinematics, parts: MassParts | None = None, seen: Seen = None) -> Array:
        """Return the pseudo-inertias (parts, 4, 4) in ground of muscle parts; default: whole muscles."""
        which, windows = parts or (None, None)
        call = self.kernel.pseudo_inertia
        return self._noted(lambda at: call(at[0], which, windows), [kinematics], which, seen)[0]

    def pseudo_inertias_by_map(self, kinematics: StateKinematics, parts: MassParts) -> Array:
        """Return pseudo-inertia derivatives (parts, 3, 4, 4) with respect to MaterialMap proximal, phi, aponeurosis."""
        return named(self.kernel.pseudo_inertia_by_map, self._state(kinematics), *parts)

    def material_points(
        self, kinematics: StateKinematics, muscle: int, points: Points, jacobians: bool = True, seen: Seen = None
    ) -> tuple[Array, Array, Array, Array]:
        """Return positions, velocities (n, 3), Jacobians (n, 3, nu), Jdot u (n, 3) of n material points in ground."""
        x, v, J, a = self._noted(
            lambda at: self.kernel.mass_points(at[0], muscle, points, jacobians), [kinematics], [muscle], seen
        )
        return x, v, J, a

    def lengths(self, kinematics: StateKinematics, seen: Seen = None) -> Array:
        """Return (muscles, 4): lengths [m] of path, belly, fibre, and 1 if the fibre length is limited, else 0."""
        lengths = self.call(lambda at: self.kernel.lengths(at[0]), [kinematics], None, seen)
        self.note_at(seen, (np.flatnonzero(lengths[:, 3]).tolist(), ()), ())
        return lengths

    def path_lengths(self, kinematics: StateKinematics, which: Which = None) -> Array:
        """Return path lengths (muscles,) [m], NaN for a muscle without a path at this state."""
        numbers = range(len(self.muscles)) if which is None else which
        try:
            return self.kernel.lengths(self._state(kinematics, which), which)[:, 0]
        except RuntimeError:
            if len(numbers) == 1:
                return np.array([np.nan])
            return np.concatenate([self.path_lengths(kinematics, [muscle]) for muscle in numbers])

    def length_gradients(self, kinematics: StateKinematics) -> tuple[Array, Array]:
        """Return length derivatives by body twist (muscles, nb, 6) and, with bodies fixed, by speed (muscles, nu)."""
        gradients = self.call(lambda at: self.kernel.length_gradients(at[0]), [kinematics], None)
        bodies = 6 * len(self.bodies)
        return gradients[:, :bodies].reshape(len(gradients), len(self.bodies), 6), gradients[:, bodies:]

    # -- states and remarks --------------------------------------------------------------------------------------

    def _state(self, kinematics: StateKinematics, which: Which = None, seen: Seen = None) -> State:
        """Return a state for the kernel, with OpenSim's paths of muscles ``which`` if ``kinematics`` has any."""
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
        """Add the kernel's remarks on muscles (limited fibres, doubtful paths) to ``seen``, with state times [s]."""
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
        """Return arrays that the kernel function ``call`` computes for states; add the kernel's remarks to ``seen``."""
        *found, remarks = self.call(lambda at: call(at, *arguments), states, which, seen if doubts else None)
        self.note_at(seen, remarks if doubts else (remarks[0], ()), states)
        return found

    def call(self, call: Callable[[list[State]], Answer], states: States, which: Which, seen: Seen = None) -> Answer:
        """Return the result of kernel function ``call``; muscles without a smooth path use OpenSim's paths."""
        try:
            return call([self._state(kinematics, which, seen) for kinematics in states])
        except RuntimeError:
            settled = [self._with_fallbacks(kinematics, which, seen) for kinematics in states]
        return named(call, [self._state(kinematics, which, seen) for kinematics in settled])

    def _with_fallbacks(self, kinematics: StateKinematics, which: Which, seen: Seen) -> StateKinematics:
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
    return state if isinstance(state, float) else getattr(state.paths, "time", math.nan)


def named(call: Callable[..., Answer], *arguments: Any) -> Answer:
    """Return the result of a kernel function; raise :class:`ModelError` if the kernel raises an error."""
    try:
        return call(*arguments)
    except RuntimeError as error:
        raise ModelError(str(error)) from None
