"""The mass that swings in equations of motion: its displacements at a state, and what it adds there."""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.opensim import osim
from ...model import InertialModel
from ...model.wobble.building import swing_equations, swings_of
from ...model.wobble.equations import SwingTerms, swing_terms
from ...model.wobble.swings import SwingingMuscles, Swings
from ...model.wobble.tensions import StateTensions, TensionTable
from ...opensim_model.reading.kinematics import StateKinematics
from ...opensim_model.setups.driven_model import SWINGS
from ...options.wobble import Wobble
from ...paths.kernel.remarks import MuscleRemarks
from ...paths.kernel.swinging import EliminatedEquations, SwingEquations

__all__ = ["Swinging"]

#: What the axes of masses on springs are called.
AXES = "xyz"


class Group(NamedTuple):
    """Masses of one kind at a state: (S, n) coordinates and rates, and tensions (S,) [N]."""

    swings: Swings
    kinematics: StateKinematics
    z: Array
    rate: Array
    tension: Array


class Swinging:
    """Swinging masses of a system, with their displacements at the evaluated state.

    Args:
        inertial: the model.
        state: one of its states, which says which muscles act.
        wobble: how mass swings.

    Attributes:
        wobble: as given.
        groups: what swings.
        names: of all masses that swing.
        paths: of the displacements' coordinates among state variables, then of their rates.
        values: these numbers at the state that is evaluated.
    """

    def __init__(self, inertial: InertialModel, state: osim.State, wobble: Wobble) -> None:
        self.wobble = wobble
        self._bind(inertial, state)
        self.names = tuple(name for group in self.groups for name in group.names)
        labels = [label for group in self.groups for label in _labels(group)]
        self.paths = tuple(f"{SWINGS}{label}/{what}" for what in ("value", "speed") for label in labels)
        self.values = np.zeros(len(self.paths))

    def _bind(self, inertial: InertialModel, state: osim.State) -> None:
        self._inertial = inertial
        kinematics = inertial.kinematics
        self._wide = kinematics.also(self.wobble.carriers)
        self._is_wide = self._wide is not kinematics
        self.groups = swings_of(inertial, self.wobble, self._wide.bodies)
        self._equations: SwingEquations | None = None
        given = self.wobble.tension
        self._tension: StateTensions | TensionTable = (
            StateTensions(inertial, state) if given is None else TensionTable(inertial, given)
        )

    def again(self, inertial: InertialModel, state: osim.State) -> Swinging:
        """Return the same for equations of another run."""
        other = copy(self)
        other._bind(inertial, state)
        other.values = self.values.copy()
        return other

    @property
    def count(self) -> int:
        """The number of coordinates of all displacements."""
        return len(self.paths) // 2

    def check(self, first: float, last: float) -> None:
        """Raise :class:`MotionError` where tensions are not known from ``first`` to ``last`` [s]."""
        if isinstance(self._tension, TensionTable):
            self._tension.check(first, last)

    def split(self, values: Array) -> list[Array]:
        """Return coordinates, or numbers like them, (count,) by group, (S, n) each."""
        shapes = [(len(group.names), group.coordinates) for group in self.groups]
        ends = np.cumsum([0, *(s * n for s, n in shapes)])
        return [values[a:b].reshape(shape) for a, b, shape in zip(ends[:-1], ends[1:], shapes, strict=True)]

    def tensions(self, state: osim.State) -> Array:
        """Return the tensions (muscles,) [N] at a state; it is realized to dynamics where they are the muscles' own."""
        return self._tension.at(state)

    def at(self, state: osim.State, tensions: Array | None = None) -> list[Group]:
        """Return what swings at a state, which has the displacements of ``values``.

        The state is realized to velocity, and to dynamics where bellies are as tense as their muscles, unless their
        ``tensions`` (muscles,) [N] are given.
        """
        tensions = self.tensions(state) if tensions is None else tensions
        z, rate = (self.split(part) for part in self.values.reshape(2, -1))
        muscles = bool(self._inertial.muscle_names)
        kinematics = self._inertial.dynamics.read(state, realized=True) if muscles or not self._is_wide else None
        wide = self._wide.read(state, realized=True) if self._is_wide else kinematics
        found = []
        for group, its, its_rate in zip(self.groups, z, rate, strict=True):
            read, tension = wide, np.zeros(len(group.names))
            if isinstance(group, SwingingMuscles):
                read, tension = kinematics, tensions[group.muscles]
            assert read is not None
            found.append(Group(group, read, its, its_rate, tension))
        return found

    def terms(self, state: osim.State) -> list[SwingTerms]:
        """Return the groups' terms of the equations of motion at a state; see :meth:`at`."""
        return [swing_terms(*group) for group in self.at(state)]

    def equations(
        self, state: osim.State, rigid: tuple[Array, Array], seen: MuscleRemarks
    ) -> EliminatedEquations | None:
        """Return the equations of motion at a state by the kernel alone, or None where it cannot find them so.

        Args:
            state: realized to acceleration; it has the displacements of ``values``.
            rigid: M (nu, nu) and accelerations (nu,) without the muscles' mass.
            seen: collects remarks about muscles.

        Raises:
            ModelError: a path cannot carry its mass, and OpenSim's own cannot take its place.
        """
        binding = self._inertial.dynamics.binding
        if binding.wrapping is not None or not self._wide.is_direct:
            return None
        if self._equations is None:
            self._equations = swing_equations(self._inertial, self.groups, self._wide.bodies)
        arrays, z = self._wide.system_arrays(state), self.values.reshape(2, -1)
        try:
            return self._equations.at(arrays, rigid, z, self.tensions(state), state.getTime(), seen)
        except ModelError:
            if not binding.fallback.muscles:
                raise
            return None

    def displacements(self, state: osim.State) -> Array:
        """Return displacements in ground (S, 3) [m] at a state; see :meth:`at`."""
        still = np.zeros((1, len(self._inertial.coordinate_names)))
        parts = [np.zeros((0, 3))]
        for group, kinematics, z, _, _ in self.at(state):
            drive = group.drive([kinematics], still)
            parts.append(np.einsum("sij,sjk,sk->si", drive.body.rotation[0], drive.frame.basis[0], z))
        return np.concatenate(parts)


def _labels(group: Swings) -> list[str]:
    """Return the names of a group's coordinates, as parts of a path."""
    if isinstance(group, SwingingMuscles):
        return [f"{name}_{i}" for name in group.names for i in (1, 2)]
    return [f"{name.replace(' ', '_').replace('/', '_')}_{axis}" for name in group.names for axis in AXES]
