"""Wobbling masses in equations of motion: displacements and terms at a state.

With coordinates q of the model, z (S n) of the displacements, and modal masses mu,

    M_qq qddot + M_qz zddot = f_q,    M_qz^T qddot + mu zddot = f_z

M_qq and f_q are added to those of the model without wobble (docs/theory/wobble.md).
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError
from ..._core.opensim import osim
from ...model import InertialModel
from ...model.swings import (
    EliminatedEquations,
    SwingingMuscles,
    Swings,
    TensionTable,
    state_tensions,
    swing_equations,
    swings_of,
)
from ...opensim_model.reading.kinematics import StateKinematics
from ...opensim_model.setups.driven_model import SWINGS
from ...options.recording import Wobble
from ...paths.kernel.remarks import MuscleRemarks


@dataclass(frozen=True, eq=False)
class SwingTerms:
    """Terms of S wobbling masses, with n displacement coordinates each, in the equations of motion."""

    mass_matrix: Array  # added to M, (nu, nu)
    coupling: Array  # M_qz, (nu, S, n)
    modal_mass: Array  # mu, (S,), modal masses
    force: Array  # added to the right-hand side of q, (nu,)
    own_force: Array  # right-hand side of z, (S, n)
    kinetic: float  # added to the kinetic energy [J]
    gravity: float  # added to the potential energy of gravity [J]
    elastic: float  # energy of the springs [J]
    damping_power: float  # power of the dampers [W]

    def reduced(self) -> tuple[Array, Array]:
        """Return additions to mass matrix (nu, nu) and forces (nu,) after elimination of displacement accelerations."""
        per = self.coupling / self.modal_mass[:, None]
        mass = self.mass_matrix - np.einsum("asi,bsi->ab", per, self.coupling)
        return mass, self.force - np.einsum("asi,si->a", per, self.own_force)

    def following(self) -> tuple[Array, Array]:
        """Return ``a`` (S n,) and ``B`` (S n, nu): accelerations of displacement coordinates are a - B udot."""
        per = self.coupling / self.modal_mass[:, None]
        return (self.own_force / self.modal_mass[:, None]).ravel(), np.ascontiguousarray(per.reshape(len(per), -1).T)


def swing_terms(
    swings: Swings, kinematics: StateKinematics, z: Array, rate: Array, tension: Array | float = 0.0
) -> SwingTerms:
    """Return terms of S masses in the equations of motion, given displacement coordinates z and rates (S, n)."""
    n, nu, values = swings.coordinates, len(kinematics.u), swings.values
    mu, states, udot = values.modal_mass, [kinematics] * (1 + nu), np.eye(1 + nu, nu, -1)
    k, c = (np.tile(x, (1, 1 + nu, 1)) for x in np.broadcast_arrays(*values.oscillator(tension)))
    y = np.tile(np.concatenate([z, rate], axis=-1), (1, 1 + nu, 1, 1))
    driven = swings.coefficients(states, udot)
    turning = np.einsum("tsij,sj->tsi", driven[:, :, :n], z) + np.einsum("tsij,sj->tsi", driven[:, :, n : 2 * n], rate)
    zddot = driven[:, :, 2 * n] - turning - k[0, ..., None] * z - c[0, ..., None] * rate
    exerted = swings.answers(states, udot, y, k, c)
    tau, d = exerted.summed[0], exerted.displacements[0]
    own, per = mu[:, None] * zddot[0], zddot[0] - zddot[1:]
    coupling = mu[:, None] * per
    mass = tau[1:] - tau[0] + np.einsum("asi,bsi->ab", per, coupling)
    force = np.einsum("asi,si->a", per, own) - tau[0]
    u, sizes = kinematics.u, np.stack([(z**2).sum(axis=1), (rate**2).sum(axis=1)])
    kinetic = 0.5 * u @ mass @ u + u @ np.einsum("asi,si->a", coupling, rate) + 0.5 * mu @ sizes[1]
    gravity = -values.moment @ d @ swings.gravity
    energies = (float(x) for x in (kinetic, gravity, 0.5 * (mu * k[0, 0]) @ sizes[0], (mu * c[0, 0]) @ sizes[1]))
    return SwingTerms(mass, coupling, mu, force, own, *energies)


#: Names of the axes of masses on springs.
AXES = "xyz"


class Group(NamedTuple):
    """S wobbling bellies or other masses at a state: displacement coordinates and rates (S, n), tensions (S,) [N]."""

    swings: Swings
    kinematics: StateKinematics
    z: Array
    rate: Array
    tension: Array


class Swinging:
    """Wobbling masses of a system, with displacements at the evaluated state."""

    def __init__(self, inertial: InertialModel, state: osim.State, wobble: Wobble) -> None:
        self.wobble = wobble
        self._bind(inertial, state)
        self.names = tuple(name for group in self.groups for name in group.names)
        labels = [label for group in self.groups for label in _labels(group)]
        self.paths = tuple(f"{SWINGS}{label}/{what}" for what in ("value", "speed") for label in labels)
        self.values = np.zeros(len(self.paths))

    def _bind(self, inertial: InertialModel, state: osim.State) -> None:
        self._inertial = inertial
        self._wide = inertial.kinematics.also(self.wobble.carriers)
        self._is_wide = self._wide is not inertial.kinematics
        self.groups = swings_of(inertial, self.wobble, self._wide.bodies)
        self._equations: Callable[..., EliminatedEquations] | None = None
        given = self.wobble.tension
        self._table = None if given is None else TensionTable(inertial, given)
        self.tensions = state_tensions(inertial, state) if self._table is None else self._table.at

    def again(self, inertial: InertialModel, state: osim.State) -> Swinging:
        """Return a copy bound to the model and state of another run."""
        other = copy(self)
        other._bind(inertial, state)
        other.values = self.values.copy()
        return other

    @property
    def count(self) -> int:
        """Number of displacement coordinates of all masses."""
        return len(self.paths) // 2

    def check(self, first: float, last: float) -> None:
        """Raise :class:`MotionError` unless muscle tensions are known from ``first`` to ``last`` [s]."""
        if self._table is not None:
            self._table.check(first, last)

    def split(self, values: Array) -> list[Array]:
        """Return ``values`` (count,), one per displacement coordinate, as one array (masses, coordinates) per group."""
        shapes = [(len(group.names), group.coordinates) for group in self.groups]
        ends = np.cumsum([0, *(s * n for s, n in shapes)])
        return [values[a:b].reshape(shape) for a, b, shape in zip(ends[:-1], ends[1:], shapes, strict=True)]

    def at(self, state: osim.State) -> list[Group]:
        """Return groups of wobbling masses at a state realized to velocity (to dynamics without ``wobble.tension``)."""
        tensions = self.tensions(state)
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
        """Return each group's terms in the equations of motion, at a state realized as for :meth:`at`."""
        return [swing_terms(*group) for group in self.at(state)]

    def equations(
        self, state: osim.State, rigid: tuple[Array, Array], seen: MuscleRemarks
    ) -> EliminatedEquations | None:
        """Return the kernel's equations without displacement accelerations; None if the kernel cannot give them."""
        binding = self._inertial.dynamics.binding
        if binding.wrapping is not None or not self._wide.is_direct:
            return None
        if self._equations is None:
            self._equations = swing_equations(self._inertial, self.groups, self._wide.bodies)
        arrays, z = self._wide.system_arrays(state), self.values.reshape(2, -1)
        try:
            return self._equations(arrays, rigid, z, self.tensions(state), state.getTime(), seen)
        except ModelError:
            if not binding.replaceable:
                raise
            return None

    def displacements(self, state: osim.State) -> Array:
        """Return displacements in ground (S, 3) [m], at a state realized as for :meth:`at`."""
        return np.concatenate([np.zeros((0, 3)), *(_in_ground(g, g.z[None])[0] for g in self.at(state))])


def _in_ground(group: Group, z: Array) -> Array:
    """Return displacements of S masses in ground (sets, S, 3) [m], given coordinates z (sets, S, n)."""
    y, states = np.concatenate([z, np.zeros_like(z)], axis=-1)[None], [group.kinematics] * len(z)
    rest = np.zeros((1, *z.shape[:2]))
    return group.swings.answers(states, np.zeros((len(z), len(group.kinematics.u))), y, rest, rest).displacements


def coordinates_of(group: Group, which: int, d: Array, speed: Array) -> tuple[Array, Array]:
    """Return coordinates and rates (n,) of mass ``which``, given its displacement and velocity (3,) in ground."""
    n, count = group.swings.coordinates, len(group.swings.names)
    basis = _in_ground(group, np.repeat(np.eye(n)[:, None], count, axis=1))[:, which]
    turning = group.swings.coefficients([group.kinematics], np.zeros((1, len(group.kinematics.u))))[0, which, n : 2 * n]
    z = basis @ d
    return z, basis @ speed - turning @ z / 2


def _labels(group: Swings) -> list[str]:
    """Return the names of a group's displacement coordinates, as in paths of state variables."""
    if isinstance(group, SwingingMuscles):
        return [f"{name}_{i}" for name in group.names for i in (1, 2)]
    return [f"{name.replace(' ', '_').replace('/', '_')}_{axis}" for name in group.names for axis in AXES]
