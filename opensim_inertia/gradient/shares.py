"""What each kind of parameter takes from an objective's slope over the right-hand side: (df/dp)^T slope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..equations.linearization import Linearization
from ..equations.muscle_derivatives import MuscleSlopes
from ..equations.system import System
from ..forward.integrators import Stage
from ..inertial import InertialModel
from ..masses.rigid import rigid_inverse
from ..reading import StateKinematics
from .parameters import Excitations, Forces
from .properties import ModelProperty

#: Steps of properties, relative to their size; and the size below which it no longer counts.
PROPERTY_STEP = 1e-6
SMALLEST_PROPERTY = 1e-2


class _Unprojected:
    """Of parameters that leave OpenSim's mass matrix, the metric of projections, as it is."""

    def add_correction(self, t: float, q: Array, correction: Array, push: Array) -> None:
        """Nothing."""


class ForceShare(_Unprojected):
    """Of generalized forces."""

    needs_controls = False

    def __init__(self, parameter: Forces, inertial: InertialModel) -> None:
        self._parameter = parameter
        self._which = [inertial.coordinate_names.index(name) for name in parameter.names]
        self.gradient = np.zeros(parameter.shape)

    def add(self, stage: Stage, at: Linearization, slope: Array) -> None:
        """Add a stage's."""
        per_force = at.push(slope)[self._which]
        self.gradient += np.multiply.outer(per_force, self._parameter.weights(stage[0]))


class ExcitationShare(_Unprojected):
    """Of excitations and other controls."""

    needs_controls = True

    def __init__(self, parameter: Excitations, control_names: Sequence[str]) -> None:
        self._parameter = parameter
        self._which = [list(control_names).index(name) for name in parameter.names]
        self.gradient = np.zeros(parameter.shape)

    def add(self, stage: Stage, at: Linearization, slope: Array) -> None:
        """Add a stage's."""
        assert at.controls is not None
        per_control = at.controls[:, self._which].T @ slope
        self.gradient += np.multiply.outer(per_control, self._parameter.weights(stage[0]))


class _Remainders:
    """Of parameters on which what is left of segments depends.

    Args:
        inertial: the model.
        changes: how pseudo-inertias of segments change with each parameter, by segment.
    """

    def __init__(self, inertial: InertialModel, changes: Sequence[Mapping[str, Array]]) -> None:
        self._inertial, self._changes = inertial, changes
        self._gravity = inertial.model.getGravity().to_numpy().copy()
        self._scratch = inertial.initial_state()

    def forces(self, frame: StateKinematics, udot: Array, push: Array) -> Array:
        """Change of the segments' inverse dynamics with each parameter, along ``push`` (nu,); (parameters,)."""
        return self._along(frame, udot, self._gravity, push)

    def momentum(self, t: float, q: Array, velocities: Array, push: Array) -> Array:
        """Change of the segments' mass matrix with each parameter, between two vectors (nu,); (parameters,)."""
        frame = self._inertial.kinematics.read(_at_rest(self._inertial, self._scratch, t, q))
        return self._along(frame, velocities, np.zeros(3), push)

    def _along(self, frame: StateKinematics, udot: Array, gravity: Array, push: Array) -> Array:
        forces = rigid_inverse(self._inertial.kinematics.bodies, self._changes, [frame], udot[None], gravity)
        return np.array([force[0] @ push for force in forces])


class MassShare:
    """Of muscles' masses: what a muscle gets, its segment gives up."""

    needs_controls = False

    def __init__(self, muscles: Sequence[str], inertial: InertialModel) -> None:
        self._inertial = inertial
        self._which = [inertial.muscle_names.index(name) for name in muscles]
        masses = inertial.placement.frozen[:, 3, 3]
        self._masses = masses[self._which]
        changes = inertial.placement.left_along(inertial.placement.frozen / masses[:, None, None])
        self._remainders = _Remainders(inertial, [changes[i] for i in self._which])
        self.gradient = np.zeros(len(self._which))

    def add(self, stage: Stage, at: Linearization, slope: Array) -> None:
        """Add a stage's."""
        push = at.push(slope)
        gets = self._inertial.evaluation.inverse_each([at.frame], at.udot[None])[0, self._which] @ push / self._masses
        self.gradient -= gets + self._remainders.forces(at.frame, at.udot, push)

    def add_correction(self, t: float, q: Array, correction: Array, push: Array) -> None:
        """Add a projection's: OpenSim's mass matrix has what segments are left with."""
        self.gradient -= self._remainders.momentum(t, q, correction, push)


class MapShare:
    """Of constants of material maps: where bellies lie, and how long aponeuroses are.

    Args:
        muscles: names.
        directions: how the constants ``proximal``, ``phi`` and ``aponeurosis`` of each muscle's map change with its
            parameter, (muscles, 3).
        inertial: the model.
    """

    needs_controls = False

    def __init__(self, muscles: Sequence[str], directions: Array, inertial: InertialModel) -> None:
        self._inertial, self._directions = inertial, directions
        self._which = [inertial.muscle_names.index(name) for name in muscles]
        changes = np.zeros_like(inertial.placement.frozen)
        changes[self._which] = np.einsum("mc,mcij->mij", directions, inertial.placement.frozen_by_map()[self._which])
        along = inertial.placement.left_along(changes)
        self._remainders = _Remainders(inertial, [along[i] for i in self._which])
        self.gradient = np.zeros(len(self._which))

    def add(self, stage: Stage, at: Linearization, slope: Array) -> None:
        """Add a stage's."""
        push = at.push(slope)
        by_map = self._inertial.evaluation.inverse_by_map(at.frame, at.udot)[self._which]
        moved = np.einsum("mc,mcu,u->m", self._directions, by_map, push)
        self.gradient -= moved + self._remainders.forces(at.frame, at.udot, push)

    def add_correction(self, t: float, q: Array, correction: Array, push: Array) -> None:
        """Add a projection's."""
        self.gradient -= self._remainders.momentum(t, q, correction, push)


class _Pair(NamedTuple):
    """Systems in which properties are moved up and down, and by how much."""

    which: list[int]
    muscles: list[str]
    systems: tuple[System, System]
    steps: Array


class PropertyShare:
    """Of model properties, by differences between models in which they are moved.

    What a muscle's own properties change is that muscle's alone, so that one of each muscle is moved at a time.

    Args:
        properties: which.
        values: their values.
        make: the system for a model in which some properties have other values, by their numbers.
        inertial: the model.
    """

    needs_controls = False

    def __init__(
        self,
        properties: Sequence[ModelProperty],
        values: Array,
        make: Callable[[dict[int, float]], System],
        inertial: InertialModel,
    ) -> None:
        self._pairs = []
        groups: dict[str, list[int]] = {}
        for i, p in enumerate(properties):
            groups.setdefault(f"{p.name}[{p.index}]" if p.muscle else p.path, []).append(i)
        for which in groups.values():
            steps = PROPERTY_STEP * np.maximum(np.abs(values[which]), SMALLEST_PROPERTY)
            up, down = (make({i: values[i] + s * h for i, h in zip(which, steps, strict=True)}) for s in (1.0, -1.0))
            muscles = [name for i in which if (name := properties[i].muscle)]
            self._pairs.append(_Pair(which, muscles, (up, down), steps))
        self._slopes = {id(p): tuple(MuscleSlopes(s) for s in p.systems) for p in self._pairs if p.muscles}
        self._remainders = {id(p): _of_pair(p, inertial) for p in self._pairs if p.muscles}
        self.gradient = np.zeros(len(properties))

    def add(self, stage: Stage, at: Linearization, slope: Array) -> None:
        """Add a stage's."""
        for pair in self._pairs:
            if pair.muscles:
                self.gradient[pair.which] += self._of_muscles(pair, stage, at, slope)
            else:
                up, down = (system.rhs(*stage) for system in pair.systems)
                self.gradient[pair.which] += (up - down) @ slope / (2 * pair.steps)

    def add_correction(self, t: float, q: Array, correction: Array, push: Array) -> None:
        """Add a projection's."""
        for pair in self._pairs:
            if pair.muscles:
                self.gradient[pair.which] -= self._remainders[id(pair)].momentum(t, q, correction, push)
            else:
                changed = []
                for system in pair.systems:
                    state = _at_rest(system.inertial, system.state, t, q)
                    system.model.realizePosition(state)
                    changed.append(system.inertial.kinematics.mass_matrix(state) @ correction)
                self.gradient[pair.which] -= push @ (changed[0] - changed[1]) / (2 * pair.steps)

    def _of_muscles(self, pair: _Pair, stage: Stage, at: Linearization, slope: Array) -> Array:
        up, down = self._slopes[id(pair)]
        change = up.answer(*stage) - down.answer(*stage)
        push = at.push(slope)
        along = at.arms @ push
        acting = [m.getName() for m in up.muscles]
        massive = up.system.inertial.muscle_names
        carried = np.zeros(0)
        if massive:
            moved = [s.inertial.evaluation.inverse_each([at.frame], at.udot[None])[0] for s in pair.systems]
            carried = (moved[0] - moved[1]) @ push
        result = np.zeros(len(pair.muscles))
        for k, name in enumerate(pair.muscles):
            if name in acting:
                i = acting.index(name)
                rows = up.own[i]
                result[k] += along[i] * change[i, 0] + slope[rows] @ change[i, 1 : 1 + len(rows)]
            if name in massive:
                result[k] -= carried[massive.index(name)]
        return result / (2 * pair.steps) - self._remainders[id(pair)].forces(at.frame, at.udot, push)


def _of_pair(pair: _Pair, inertial: InertialModel) -> _Remainders:
    """What is left of segments as one property of each muscle changes: by the muscle's mass at the reference pose."""
    up, down = (system.inertial.placement.frozen for system in pair.systems)
    along = inertial.placement.left_along(up - down)
    names = inertial.muscle_names
    changes: list[dict[str, Array]] = []
    for name, step in zip(pair.muscles, pair.steps, strict=True):
        own = along[names.index(name)] if name in names else {}
        changes.append({segment: change / (2 * step) for segment, change in own.items()})
    return _Remainders(inertial, changes)


def _at_rest(inertial: InertialModel, state: osim.State, t: float, q: Array) -> osim.State:
    """A state, set to a pose without speed."""
    state.setTime(t)
    state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
    state.setU(osim.Vector(len(inertial.coordinate_names), 0.0))
    return state
