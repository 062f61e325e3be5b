"""Objects bound to one Simbody system of a model, and the check that the model is unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from threading import Lock
from typing import Any

import numpy as np

from .._core.arrays import Array
from .._core.errors import InertiaError, ModelError
from .._core.opensim import osim
from ..opensim_model.reading.components import constraints_of, model_muscles
from ..opensim_model.reading.coordinates import read_coordinates
from ..opensim_model.reading.kinematics import Kinematics, WrappedPath
from ..opensim_model.reading.loading import ModelSystem
from ..opensim_model.reading.paths import PATH_LISTS, geometry_path, read_path
from ..paths.wrapping.opensim_path import FallbackPaths, FallbackPathSource, OpenSimPaths
from ..paths.wrapping.surfaces import read_surfaces
from .assembly import Assembly


class Binding:
    """Muscles with mass, bound to the system that a model has now; smooth paths that are ``strict`` are not replaced.

    Attributes:
        wrapping, fallback: OpenSim's paths of muscles without smooth paths (None: none), and where one is lost.
    """

    def __init__(self, assembly: Assembly, system: ModelSystem, strict: bool, like: Kinematics | None = None) -> None:
        model, coordinates = system.model, assembly.coordinates
        self.system = system
        self.kinematics = Kinematics(model, coordinates, assembly.bodies, like)
        led, replaceable = assembly.opensim, () if strict else assembly.replaceable
        self.wrapping = OpenSimPaths(model, coordinates, led, strict) if led else None
        self.fallback = FallbackPathSource(system, coordinates, replaceable)
        self._watched = {name: geometry_path(model_muscles(model)[name]) for name in assembly.watched_lengths}

    def paths(self, state: osim.State, q: Array, u: Array) -> Mapping[str, WrappedPath]:
        """Return OpenSim's paths at a state realized to velocity with q and u (nu,), and others on demand."""
        led = {} if self.wrapping is None else self.wrapping.paths(state)
        time = state.getTime()
        return FallbackPaths(led, partial(self.fallback.find, time=time, q=q, u=u), time, self.lengths(state))

    def lengths(self, state: osim.State) -> dict[str, float]:
        """Return ``getLength`` [m] of muscles that are led smoothly, but somewhere far from it, by muscle."""
        if not self._watched:
            return {}
        with PATH_LISTS:
            return {name: float(path.getLength(state)) for name, path in self._watched.items()}

    @cached_property
    def constraints(self) -> tuple[osim.Constraint, ...]:
        """All constraints among the model's components; looking through them takes as long as a dozen states."""
        return constraints_of(self.system.model)


class CurrentBinding:
    """The binding of muscles with mass to a model; made again after the model has been initialised again."""

    def __init__(self, assembly: Assembly, model: osim.Model, strict: bool, like: Kinematics | None = None) -> None:
        self._assembly, self._model, self._strict = assembly, model, strict
        self._last = Binding(assembly, ModelSystem(model), strict, like)
        self._lock = Lock()

    @property
    def last(self) -> Binding:
        """The last binding, to the model's system at that time."""
        return self._last

    def now(self) -> Binding:
        """Return the binding to the current system; ModelError: the model was changed, and not initialised since."""
        if not self._last.system.is_current():
            with self._lock:
                if not self._last.system.is_current():
                    system = ModelSystem(self._model)
                    check_unchanged(self._assembly, self._model)
                    self._last = Binding(self._assembly, system, self._strict)
        return self._last


def check_unchanged(assembly: Assembly, model: osim.Model) -> None:
    """Raise ModelError unless a model, initialised again, has the same coordinates, gravity, paths and wrap objects."""
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
    """Return whether plain data are the same to the last bit."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    if is_dataclass(one):
        parts = [field.name for field in fields(one)]
        return type(one) is type(other) and all(_same(getattr(one, part), getattr(other, part)) for part in parts)
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
