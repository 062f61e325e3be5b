"""Contributions of the kinds of parameters to a gradient: (df/dp)^T cotangent, and more where M depends on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from ...dynamics.equations.derivatives import Derivatives
from ...dynamics.equations.differences import PROPERTY_STEP, SMALLEST_PROPERTY, shifted
from ...dynamics.equations.muscle_derivatives import MuscleDerivatives
from ...dynamics.equations.system import System
from ...dynamics.integrators import Stage
from ...model import InertialModel
from ...muscles.masses.rigid import rigid_inverse
from ...opensim_model.reading import StateKinematics
from .interface import Contribution, Simulated
from .properties import ModelProperty

#: Weights (n,) of the n numbers of a signal at a time [s]; () for constants.
Weights = Callable[[float], Array]


class StartContribution(Contribution):
    """The contribution of some entries of the state at the start."""

    def __init__(self, entries: Sequence[int]) -> None:
        super().__init__((len(entries),))
        self._entries = list(entries)

    def add_start(self, cotangent: Array) -> None:
        """Add the cotangents of the entries."""
        self.gradient += cotangent[self._entries]


class ForceContribution(Contribution):
    """The contribution of generalized forces on some coordinates, which are sums of numbers times ``weights``."""

    def __init__(self, coordinates: Sequence[str], shape: tuple[int, ...], weights: Weights, system: System) -> None:
        super().__init__(shape)
        names = system.layout.coordinate_names
        self._weights, self._which = weights, [names.index(name) for name in coordinates]

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the forces at a stage do."""
        per_force = at.force_vjp(cotangent)[self._which]
        self.gradient += np.multiply.outer(per_force, self._weights(stage[0]))


class ExcitationContribution(Contribution):
    """The contribution of excitations and other controls, which are sums of numbers times ``weights``."""

    needs_controls = True

    def __init__(self, actuators: Sequence[str], shape: tuple[int, ...], weights: Weights, system: System) -> None:
        super().__init__(shape)
        names = system.drives.control_names
        self._weights, self._which = weights, [names.index(name) for name in actuators]

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the controls at a stage do."""
        assert at.controls is not None
        per_control = at.controls[:, self._which].T @ cotangent
        self.gradient += np.multiply.outer(per_control, self._weights(stage[0]))


class SpringContribution(Contribution):
    """The contribution of springs or dampers of mass that swings.

    Args:
        masses: numbers of the masses.
        are_dampers: whether they are dampers.
    """

    def __init__(self, masses: Sequence[int], are_dampers: bool) -> None:
        super().__init__((len(masses),))
        self._masses, self._are_dampers = list(masses), are_dampers

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what they do at a stage."""
        assert at.swings is not None
        slope = at.swings.by_damping if self._are_dampers else at.swings.by_stiffness
        each = slope * at.swings.residual_vjp(at.force_vjp(cotangent), cotangent)
        self.gradient += np.bincount(at.swings.masses, each)[self._masses]


class _Remainders:
    """Changes of what is left of segments, with parameters on which that depends.

    Args:
        inertial: the model.
        changes: how pseudo-inertias of segments change with each parameter, by segment.
    """

    def __init__(self, inertial: InertialModel, changes: Sequence[Mapping[str, Array]]) -> None:
        self._inertial, self._changes = inertial, changes
        self._gravity = inertial.model.getGravity().to_numpy().copy()
        self._scratch = inertial.initial_state()

    def forces_vjp(self, at: Derivatives, cotangent: Array) -> Array:
        """Return the change of the segments' inverse dynamics with each parameter (n,), along a cotangent (nu,)."""
        return self._along(at.kinematics, at.udot, self._gravity, cotangent)

    def momentum_vjp(self, t: float, q: Array, velocities: Array, cotangent: Array) -> Array:
        """Return the change of the segments' mass matrix with each parameter (n,), between two vectors (nu,)."""
        kinematics = self._inertial.kinematics.read(_at_rest(self._inertial, self._scratch, t, q))
        return self._along(kinematics, velocities, np.zeros(3), cotangent)

    def _along(self, kinematics: StateKinematics, udot: Array, gravity: Array, cotangent: Array) -> Array:
        forces = rigid_inverse(self._inertial.kinematics.bodies, self._changes, [kinematics], udot[None], gravity)
        return np.array([force[0] @ cotangent for force in forces])


class _MuscleContribution(Contribution):
    """The contribution of one parameter of each of some muscles, which changes what is left of its donor segment.

    Args:
        muscles: names.
        inertial: the model.
        changes: how the pseudo-inertia of each part of the mass of each muscle of the model at the reference pose
            changes with its parameter, (all parts, 4, 4).
    """

    def __init__(self, muscles: Sequence[str], inertial: InertialModel, changes: Array) -> None:
        super().__init__((len(muscles),))
        self._inertial = inertial
        self._which = [inertial.muscle_names.index(name) for name in muscles]
        along = inertial.placement.left_along(changes)
        self._remainders = _Remainders(inertial, [along[i] for i in self._which])

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        """Add what the parameters do in a projection: OpenSim's mass matrix has what segments are left with."""
        self.gradient -= self._remainders.momentum_vjp(t, q, correction, cotangent)


class MassContribution(_MuscleContribution):
    """The contribution of muscles' masses: what a muscle gets, its donor segment gives up."""

    def __init__(self, muscles: Sequence[str], inertial: InertialModel) -> None:
        placement = inertial.placement
        masses = placement.of_muscles(placement.frozen[:, 3, 3])
        super().__init__(muscles, inertial, placement.frozen / masses[placement.muscle_of_part][:, None, None])
        self._masses = masses[self._which]

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the masses do at a stage."""
        force = at.force_vjp(cotangent)
        gets = (
            self._inertial.evaluation.inverse_each([at.kinematics], at.udot[None])[0, self._which]
            @ force
            / self._masses
        )
        self.gradient -= gets + self._remainders.forces_vjp(at, force)


class MapContribution(_MuscleContribution):
    """The contribution of constants of material maps: where bellies lie, and how long aponeuroses are.

    Args:
        muscles: names.
        directions: how the constants ``proximal``, ``phi`` and ``aponeurosis`` of each muscle's map change with its
            parameter, (muscles, 3).
        inertial: the model.
    """

    def __init__(self, muscles: Sequence[str], directions: Array, inertial: InertialModel) -> None:
        which = [inertial.muscle_names.index(name) for name in muscles]
        placement = inertial.placement
        of_muscles = np.zeros((len(inertial.muscle_names), directions.shape[1]))
        of_muscles[which] = directions
        changes = np.einsum("pc,pcij->pij", of_muscles[placement.muscle_of_part], placement.frozen_by_map())
        super().__init__(muscles, inertial, changes)
        self._directions = directions

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the maps do at a stage."""
        force = at.force_vjp(cotangent)
        by_map = self._inertial.evaluation.inverse_by_map(at.kinematics, at.udot)[self._which]
        moved = np.einsum("mc,mcu,u->m", self._directions, by_map, force)
        self.gradient -= moved + self._remainders.forces_vjp(at, force)


class _Pair(NamedTuple):
    """Systems in which properties are moved up and down, and by how much."""

    which: list[int]
    muscles: list[str]
    systems: tuple[System, System]
    steps: Array


class DifferencedContribution(Contribution):
    """The contribution of numbers that change the model, by differences between models in which one of them is moved.

    Args:
        simulated: the simulation, whose values are the numbers.
    """

    def __init__(self, simulated: Simulated) -> None:
        super().__init__(simulated.values.shape)
        self._pairs = []
        for i, value in enumerate(simulated.values.tolist()):
            step = PROPERTY_STEP * max(abs(value), SMALLEST_PROPERTY)
            up, down = (simulated.with_values(shifted(simulated.values, i, s * step)) for s in (1.0, -1.0))
            self._pairs.append(((up, down), step))

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the numbers do at a stage."""
        self.gradient += [_rates_apart(systems, stage, cotangent) / (2 * step) for systems, step in self._pairs]

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        """Add what they do in a projection."""
        for i, (systems, step) in enumerate(self._pairs):
            self.gradient[i] -= _momenta_apart(systems, t, q, correction, cotangent) / (2 * step)


def _rates_apart(systems: tuple[System, System], stage: Stage, cotangent: Array) -> float:
    """Return by how much the right-hand sides of two systems differ at a stage, along a cotangent (ny,)."""
    up, down = (system.rhs(*stage) for system in systems)
    return float((up - down) @ cotangent)


def _momenta_apart(systems: tuple[System, System], t: float, q: Array, correction: Array, cotangent: Array) -> float:
    """Return by how much M of two systems differs at a pose, between a correction and a cotangent (nu,)."""
    changed = []
    for system in systems:
        state = _at_rest(system.inertial, system.state, t, q)
        system.model.realizePosition(state)
        changed.append(system.mass_matrix(state) @ correction)
    return float(cotangent @ (changed[0] - changed[1]))


class PropertyContribution(Contribution):
    """The contribution of model properties, by differences between models in which they are moved.

    What a muscle's own properties change is that muscle's alone, so that one of each muscle is moved at a time.

    Args:
        properties: the properties.
        simulated: the simulation, whose values are the properties'.
    """

    def __init__(self, properties: Sequence[ModelProperty], simulated: Simulated) -> None:
        super().__init__((len(properties),))
        self._pairs = []
        groups: dict[str, list[int]] = {}
        for i, p in enumerate(properties):
            groups.setdefault(f"{p.name}[{p.index}]" if p.muscle else p.path, []).append(i)
        for which in groups.values():
            steps = PROPERTY_STEP * np.maximum(np.abs(simulated.values[which]), SMALLEST_PROPERTY)
            moved = np.stack([simulated.values, simulated.values])
            moved[0, which] += steps
            moved[1, which] -= steps
            up, down = (simulated.with_values(values) for values in moved)
            muscles = [name for i in which if (name := properties[i].muscle)]
            self._pairs.append(_Pair(which, muscles, (up, down), steps))
        inertial = simulated.system.inertial
        self._derivatives = {id(p): tuple(MuscleDerivatives(s) for s in p.systems) for p in self._pairs if p.muscles}
        self._remainders = {id(p): _remainders_of(p, inertial) for p in self._pairs if p.muscles}

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the properties do at a stage."""
        for pair in self._pairs:
            if pair.muscles:
                self.gradient[pair.which] += self._of_muscles(pair, stage, at, cotangent)
            else:
                self.gradient[pair.which] += _rates_apart(pair.systems, stage, cotangent) / (2 * pair.steps)

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        """Add what they do in a projection."""
        for pair in self._pairs:
            if pair.muscles:
                remainders = self._remainders[id(pair)]
                self.gradient[pair.which] -= remainders.momentum_vjp(t, q, correction, cotangent)
            else:
                momenta = _momenta_apart(pair.systems, t, q, correction, cotangent)
                self.gradient[pair.which] -= momenta / (2 * pair.steps)

    def _of_muscles(self, pair: _Pair, stage: Stage, at: Derivatives, cotangent: Array) -> Array:
        """Return what one property of each muscle of a pair contributes to the gradient at a stage, (muscles,).

        It acts through the muscle's force and the rates of its states, through the inertia of its mass along the path,
        and through what is left of the segments that gave the mass up.
        """
        up, down = self._derivatives[id(pair)]
        change = up.response(*stage) - down.response(*stage)
        force = at.force_vjp(cotangent)
        along = at.tension_vjp(cotangent)
        acting = [m.getName() for m in up.muscles]
        massive = up.system.inertial.muscle_names
        carried = np.zeros(0)
        if massive:
            moved = [s.inertial.evaluation.inverse_each([at.kinematics], at.udot[None])[0] for s in pair.systems]
            carried = (moved[0] - moved[1]) @ force
        result = np.zeros(len(pair.muscles))
        for k, name in enumerate(pair.muscles):
            if name in acting:
                i = acting.index(name)
                rows = up.state_entries[i]
                result[k] += along[i] * change[i, 0] + cotangent[rows] @ change[i, 1 : 1 + len(rows)]
            if name in massive:
                result[k] -= carried[massive.index(name)]
        return result / (2 * pair.steps) - self._remainders[id(pair)].forces_vjp(at, force)


def _remainders_of(pair: _Pair, inertial: InertialModel) -> _Remainders:
    """Return the remainders of segments as one property of each muscle changes its mass at the reference pose."""
    up, down = (system.inertial.placement.frozen for system in pair.systems)
    along = inertial.placement.left_along(up - down)
    names = inertial.muscle_names
    changes: list[dict[str, Array]] = []
    for name, step in zip(pair.muscles, pair.steps, strict=True):
        changes_of_segments = along[names.index(name)] if name in names else {}
        changes.append({segment: change / (2 * step) for segment, change in changes_of_segments.items()})
    return _Remainders(inertial, changes)


def _at_rest(inertial: InertialModel, state: osim.State, t: float, q: Array) -> osim.State:
    """Set a state to a pose (nq,) without speed, and return it."""
    state.setTime(t)
    state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
    state.setU(osim.Vector(len(inertial.coordinate_names), 0.0))
    return state
