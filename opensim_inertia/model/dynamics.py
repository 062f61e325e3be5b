"""States of a model as input of the kernel, and accelerations with muscle mass."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from threading import Lock
from typing import Any

import numpy as np

from .._core.arrays import Array
from .._core.errors import OPENSIM_ERRORS, InertiaError, ModelError, OptionError, opensim_reason
from .._core.opensim import osim
from ..opensim_model.reading.components import constraints_of, model_muscles
from ..opensim_model.reading.coordinates import read_coordinates
from ..opensim_model.reading.kinematics import Kinematics, StateKinematics, WrappedPath
from ..opensim_model.reading.loading import ModelSystem, model_without_idle_forces
from ..opensim_model.reading.paths import PATH_LISTS, geometry_path, read_path
from ..paths.kernel.evaluation import AddedTerms, Evaluation
from ..paths.kernel.remarks import MuscleRemarks
from ..paths.wrapping.opensim_path import FallbackPaths, OpenSimPaths
from ..paths.wrapping.surfaces import read_surfaces
from .assembly import Assembly
from .constraints import solve_accelerations


class Binding:
    """Kinematics of a model's current Simbody system, and OpenSim's paths for muscles without smooth paths."""

    def __init__(self, assembly: Assembly, system: ModelSystem, strict: bool, like: Kinematics | None = None) -> None:
        model, coordinates = system.model, assembly.coordinates
        self.system = system
        self.kinematics = Kinematics(model, coordinates, assembly.bodies, like)
        paths, plan = {m.path.muscle: m.path for m in assembly.muscles}, assembly.plan
        led = [path for name, path in paths.items() if name in plan.opensim]
        smooth = {n: p for n, p in paths.items() if assembly.paths_are_own and plan.sites.get(n) and not p.is_cable}
        self.wrapping = OpenSimPaths(model, coordinates, led, strict) if led else None
        self.replaceable = {} if strict else smooth  # OpenSim's paths replace lost smooth ones
        self._replacing: dict[str, OpenSimPaths] = {}
        self._lock = Lock()
        watched, muscles = [name for name in smooth if name in plan.watched_lengths], model_muscles(model)
        self._watched = {name: geometry_path(muscles[name]) for name in watched}

    def paths(self, state: osim.State, q: Array, u: Array) -> Mapping[str, WrappedPath]:
        """Return OpenSim's paths, at a state realized to velocity, of the muscles that have no smooth path."""
        led = {} if self.wrapping is None else self.wrapping.paths(state)
        paths = FallbackPaths(led)
        paths.time, paths.reported = state.getTime(), self.lengths(state)
        paths.find = partial(self._find, time=paths.time, q=q, u=u)
        return paths

    def _find(self, muscle: str, time: float, q: Array, u: Array) -> WrappedPath | None:
        """Return OpenSim's path at a time, pose and speeds to replace a muscle's smooth path; None if not allowed."""
        if muscle not in self.replaceable:
            return None
        self.system.check_current()
        coordinates, state = self.kinematics.coordinates, self.system.new_state()
        with self._lock:
            if muscle not in self._replacing:
                path = self.replaceable[muscle]
                self._replacing[muscle] = OpenSimPaths(self.system.model, coordinates, [path])
        state.setTime(time)
        coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        self.system.model.realizeVelocity(state)
        return self._replacing[muscle].paths(state)[muscle]

    def lengths(self, state: osim.State) -> dict[str, float]:
        """Return OpenSim's ``getLength`` [m], by muscle, for muscles with a doubtful smooth path."""
        if not self._watched:
            return {}
        with PATH_LISTS:
            return {name: float(path.getLength(state)) for name, path in self._watched.items()}

    def without_idle_forces(self, state: osim.State) -> tuple[Binding, osim.State]:
        """Return binding and state of a model copy without inactive forces; self and state if no copy is possible."""
        bare = None if self.wrapping else model_without_idle_forces(self.system.model, state, self._watched)
        if bare is None:
            return self, state
        binding, (model, bare_state) = copy(self), bare
        binding.kinematics = Kinematics(model, self.kinematics.coordinates, self.kinematics.bodies, self.kinematics)
        muscles = model_muscles(model)
        binding._watched = {name: geometry_path(muscles[name]) for name in self._watched}
        return binding, bare_state

    @cached_property
    def constraints(self) -> tuple[osim.Constraint, ...]:
        """All constraints of the model, cached."""
        return constraints_of(self.system.model)


def check_unchanged(assembly: Assembly, model: osim.Model) -> None:
    """Raise ModelError if a model's coordinates, gravity, muscle paths or wrap objects differ from the assembly's."""
    name = model.getName()
    coordinates = read_coordinates(model, model.getWorkingState())
    for what in ("names", "slots", "nq"):
        if not _same(getattr(coordinates, what), getattr(assembly.coordinates, what)):
            raise _changed(name, "its coordinates")
    if not _same(model.getGravity().to_numpy(), assembly.gravity):
        raise _changed(name, "its gravity")
    muscles = model_muscles(model)
    for kernel_muscle in assembly.muscles:
        path = kernel_muscle.path
        muscle = f"muscle '{path.muscle}'"
        if path.muscle not in muscles:
            raise _changed(name, muscle)
        if not assembly.paths_are_own:
            continue
        try:
            now = read_path(muscles[path.muscle], coordinates)
            surfaces = read_surfaces(muscles[path.muscle]) if path.wraps else {}
        except InertiaError as error:
            raise _changed(name, f"{muscle} ({error})") from None
        sites = assembly.plan.sites.get(path.muscle, ())
        if not _same(now, path) or not all(_same(surfaces.get(s.surface.name), s.surface) for s in sites):
            raise _changed(name, f"the path of {muscle}")


def _changed(model: str, what: str) -> ModelError:
    return ModelError(
        f"model '{model}' was initialised anew, and {what} is not the one that the muscles with mass were made with: "
        "make a new InertialModel of the changed model"
    )


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if is_dataclass(one):
        parts = [field.name for field in fields(one)]
        return type(one) is type(other) and all(_same(getattr(one, part), getattr(other, part)) for part in parts)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


class Dynamics:
    """States and accelerations of a model with muscle mass, in the model's current Simbody system.

    ``strict``: OpenSim's paths never replace smooth ones. ``like``: kinematics of another copy of the model.
    ``native``: the plugin's component adds muscle mass.
    """

    def __init__(
        self,
        assembly: Assembly,
        model: osim.Model,
        strict: bool = False,
        like: Kinematics | None = None,
        evaluation: Evaluation | None = None,
        native: bool = False,
    ) -> None:
        self.assembly, self.model, self._native = assembly, model, native
        self.evaluation = assembly.evaluation if evaluation is None else evaluation
        self.coordinates = assembly.coordinates
        self._strict = strict
        self._last, self._lock = Binding(assembly, ModelSystem(model), strict, like), Lock()

    def bound_to(self, model: osim.Model) -> Dynamics:
        """Return these dynamics for another initialised copy of the model."""
        return Dynamics(self.assembly, model, self._strict, self._last.kinematics, self.evaluation, self._native)

    @property
    def binding(self) -> Binding:
        """Binding to the model's current system; raise ModelError if the model is uninitialised or changed."""
        if not self._last.system.is_current():
            with self._lock:
                if not self._last.system.is_current():
                    system = ModelSystem(self.model)
                    check_unchanged(self.assembly, self.model)
                    self._last = Binding(self.assembly, system, self._strict)
        return self._last

    # -- states --------------------------------------------------------------------------------------------------

    def state_at(self, q: Array, u: Array | None = None) -> osim.State:
        """Return a new state with coordinate values q and speeds u (nu,); default speeds: 0."""
        q, names = np.array(q, dtype=float), self.coordinates.names
        u = np.zeros(len(names)) if u is None else np.array(u, dtype=float)
        if not q.shape == u.shape == (len(names),):
            raise OptionError("state", q.shape, f"a state, or values and speeds of {len(names)} coordinates")
        state = self.binding.system.new_state()
        self.coordinates.set_values(state, q)
        state.setU(osim.Vector.createFromMat(u))
        return state

    def copy_state(self, state: osim.State) -> osim.State:
        """Return a copy of a state; the copy keeps the model alive."""
        return self.binding.system.copy(state)

    def check_state(self, state: osim.State) -> Binding:
        """Return the current :class:`Binding`; raise ModelError if the state belongs to another system."""
        binding = self.binding
        binding.system.check(state)
        return binding

    def read(self, state: osim.State, realized: bool = False) -> StateKinematics:
        """Return a state's kinematics; raise ModelError for states of another system and for non-finite values."""
        binding = self.check_state(state)
        try:
            kinematics = binding.kinematics.read(state, realized)
        except OPENSIM_ERRORS as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None
        self._check_finite(kinematics.q, kinematics.u)
        return kinematics._replace(paths=binding.paths(state, kinematics.q, kinematics.u))

    def _check_finite(self, q: Array, u: Array) -> None:
        finite = np.isfinite(q) & np.isfinite(u)
        if not finite.all():
            bad = int(np.argmin(finite))
            raise ModelError(f"the state is not finite at coordinate '{self.coordinates.names[bad]}'")

    # -- equations of motion -------------------------------------------------------------------------------------

    def added_terms(self, state: osim.State, seen: MuscleRemarks | None = None) -> AddedTerms:
        """Return muscles' mass matrix (nu, nu), velocity plus gravity forces (nu,); zeros if the plugin adds mass."""
        if self._native:
            n = len(self.coordinates.names)
            return np.zeros((n, n)), np.zeros(n)
        terms = self.evaluation.terms(self.read(state, realized=True), seen=seen)
        return terms.added_mass_matrix, terms.h + terms.gravity

    def realize_acceleration(self, state: osim.State) -> None:
        """Compute OpenSim's accelerations of a state; raise :class:`ModelError` if OpenSim raises an error."""
        try:
            with PATH_LISTS:
                self.model.realizeAcceleration(state)
        except RuntimeError as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None

    def accelerations(
        self,
        state: osim.State,
        udot0: Array,
        forces: Array | None = None,
        added: AddedTerms | None = None,
        seen: MuscleRemarks | None = None,
    ) -> Array:
        """Return accelerations (nu,) with muscle mass, from OpenSim's own ``udot0`` and additional ``forces`` (nu,)."""
        if self._native:
            assert forces is None, "forces besides the model's own are not for the plugin"
            return udot0
        binding = self.binding
        rigid = binding.kinematics.mass_matrix(state)
        mass, force = (
            self._equations(binding, state, rigid, udot0, seen) if added is None else _summed(rigid, udot0, added)
        )
        udot = solve_accelerations(self.model, state, mass, force if forces is None else force + forces, udot0)
        if not np.isfinite(udot).all():
            self._check_finite(self.coordinates.values(state), state.getU().to_numpy())
        return udot

    def finite_accelerations(
        self, state: osim.State, udot0: Array, forces: Array | None = None, seen: MuscleRemarks | None = None
    ) -> Array:
        """Return :meth:`accelerations`; raise :class:`ModelError` if an acceleration is not finite."""
        for whose, udot in (("OpenSim's own", udot0), ("the", self.accelerations(state, udot0, forces, seen=seen))):
            if not np.isfinite(udot).all():
                name = self.coordinates.names[int(np.argmin(np.isfinite(udot)))]
                raise ModelError(
                    f"at time {state.getTime():.6g} s: {whose} acceleration of coordinate '{name}' is not finite; "
                    "look for a muscle with an impossible fibre length, or a force that is not a number"
                )
        return udot

    def _equations(
        self, binding: Binding, state: osim.State, rigid: Array, udot0: Array, seen: MuscleRemarks | None
    ) -> tuple[Array, Array]:
        """Return mass matrix (nu, nu) and force (nu,) including muscle mass, as :meth:`Evaluation.equations` does."""
        if binding.wrapping is None and binding.kinematics.is_direct:
            arrays = binding.kinematics.system_arrays(state)
            try:
                return self.evaluation.equations(arrays, rigid, udot0, state.getTime(), binding.lengths(state), seen)
            except ModelError:
                if not binding.replaceable:
                    raise
        return _summed(rigid, udot0, self.added_terms(state, seen))


def _summed(rigid: Array, udot0: Array, added: AddedTerms) -> tuple[Array, Array]:
    mass, force = added
    return rigid + mass, rigid @ udot0 + force
