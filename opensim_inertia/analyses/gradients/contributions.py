"""Contributions of the kinds of parameters to a gradient: (df/dp)^T cotangent, and more where M depends on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import OPENSIM_ERRORS, OptionError, UnknownNameError, opensim_reason
from ..._core.opensim import osim
from ...dynamics.equations.derivatives import Derivatives
from ...dynamics.equations.muscle_derivatives import MuscleDerivatives
from ...dynamics.equations.system import PROPERTY_STEP, SMALLEST_PROPERTY, System
from ...dynamics.integrators import Stage
from ...model import InertialModel
from .interface import Contribution, Simulated

_PATH = re.compile(r"^(?P<component>.*)/(?P<name>[^/\[\]]+)(\[(?P<index>\d+)\])?$")


class ModelProperty:
    """One number of a model."""

    def __init__(self, model: osim.Model, path: str) -> None:
        parts = _PATH.match(path)
        if parts is None:
            raise OptionError("Properties", path, "an OpenSim path such as '/bodyset/tibia_r/mass'")
        self.path = path
        self.component, self.name = parts["component"], parts["name"]
        self.index = None if parts["index"] is None else int(parts["index"])
        owner = self._owner(model)
        if not owner.hasProperty(self.name):
            known = [owner.getPropertyByIndex(i).getName() for i in range(owner.getNumProperties())]
            raise UnknownNameError("property", self.name, known, f"{owner.getConcreteClassName()} {path}")
        self.get(model)
        muscle = osim.Muscle.safeDownCast(owner)
        self.muscle: str | None = muscle.getName() if muscle is not None else None

    def get(self, model: osim.Model) -> float:
        """Return the number that a model has."""
        value, number = self._value(self._owner(model)), None
        parts = [value.get(i) for i in range(value.size())] if isinstance(value, osim.Vec3 | osim.Vec6) else []
        if self.index is None:
            number = value
        elif self.index < len(parts):
            number = parts[self.index]
        if isinstance(number, bool) or not isinstance(number, int | float):
            what = f"the index of one of its {len(parts)} numbers" if parts else "a property that is a number"
            raise OptionError("Properties", self.path, what)
        return float(number)

    def set(self, model: osim.Model, number: float) -> None:
        """Set the number in a model, which must be initialised anew."""
        owner, value = self._owner(model), float(number)
        if self.index is not None:
            value = self._value(owner)
            value.set(self.index, float(number))
        getattr(owner, f"set_{self.name}")(value)

    def _owner(self, model: osim.Model) -> Any:
        if self.component in ("", "/"):
            return model
        try:
            component = model.getComponent(self.component)
        except OPENSIM_ERRORS as error:
            paths = [c.getAbsolutePathString() for c in model.getComponentsList()]
            if self.component in paths:
                raise OptionError("Properties", self.path, opensim_reason(error)) from None
            raise UnknownNameError("component", self.component, paths, f"model '{model.getName()}'") from None
        kind = getattr(osim, component.getConcreteClassName(), None)
        return component if kind is None else kind.safeDownCast(component)

    def _value(self, owner: Any) -> Any:
        getter = getattr(owner, f"get_{self.name}", None)
        if getter is None:
            raise OptionError("Properties", self.path, "a property that OpenSim lets Python change")
        try:
            return getter()
        except TypeError:  # a list asks for an index
            raise OptionError("Properties", self.path, "a number or a vector of numbers") from None


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


class SignalContribution(Contribution):
    """The contribution of controls of actuators, or of generalized forces: sums of numbers times ``weights``."""

    def __init__(self, names: Sequence[str], shape: tuple[int, ...], weights: Weights, known: Sequence[str]) -> None:
        super().__init__(shape)
        self._weights, self._which = weights, [known.index(name) for name in names]

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the signals at a stage do."""
        self.gradient += np.multiply.outer(self._per_signal(at, cotangent), self._weights(stage[0]))

    def _per_signal(self, at: Derivatives, cotangent: Array) -> Array:
        return at.force_vjp(cotangent)[self._which]


class ExcitationContribution(SignalContribution):
    """The contribution of excitations and other controls."""

    needs_controls = True

    def _per_signal(self, at: Derivatives, cotangent: Array) -> Array:
        assert at.controls is not None
        return np.asarray(at.controls[:, self._which].T @ cotangent)


class MassContribution(Contribution):
    """The contribution of muscles' masses, in which forces are linear."""

    def __init__(self, muscles: Sequence[str], inertial: InertialModel) -> None:
        super().__init__((len(muscles),))
        self._evaluation = inertial.evaluation
        self._which = [inertial.muscle_names.index(name) for name in muscles]
        self._masses = np.array([inertial.muscles.masses[name] for name in muscles])

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add the change of rates with the masses at a stage."""
        forces = self._evaluation.inverse_each([at.kinematics], at.udot[None], self._which)[0]
        self.gradient -= forces @ at.force_vjp(cotangent) / self._masses


class MapContribution(Contribution):
    """The contribution of constants of material maps: places of bellies, and lengths of aponeuroses."""

    def __init__(self, muscles: Sequence[str], directions: Array, inertial: InertialModel) -> None:
        super().__init__((len(muscles),))
        self._evaluation, self._directions = inertial.evaluation, directions
        self._which = [inertial.muscle_names.index(name) for name in muscles]
        self._frozen_by_map = inertial.frozen.by_map()

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add the change of rates with the maps at a stage."""
        by_map = self._evaluation.inverse_by_map(at.kinematics, at.udot, frozen_by_map=self._frozen_by_map)
        forces = np.einsum("mc,mcu->mu", self._directions, by_map[self._which])
        self.gradient -= forces @ at.force_vjp(cotangent)


class _Pair(NamedTuple):
    """Systems in which properties are moved up and down, and by how much."""

    which: list[int]
    muscles: list[str]
    systems: tuple[System, System]
    steps: Array


class DifferencedContribution(Contribution):
    """The contribution of numbers that change the model, by differences between models in which they are moved.

    Properties of muscles change those muscles alone, so that one of each muscle is moved at a time; other numbers are
    moved one by one.
    """

    def __init__(self, simulated: Simulated, properties: Sequence[ModelProperty] = ()) -> None:
        super().__init__(simulated.values.shape)
        self._pairs = []
        owners = [p.muscle for p in properties] or [None] * len(simulated.values)
        groups: dict[object, list[int]] = {}
        for i, owner in enumerate(owners):
            groups.setdefault((properties[i].name, properties[i].index) if owner else i, []).append(i)
        for which in groups.values():
            steps = PROPERTY_STEP * np.maximum(np.abs(simulated.values[which]), SMALLEST_PROPERTY)
            moved = np.stack([simulated.values, simulated.values])
            moved[0, which] += steps
            moved[1, which] -= steps
            up, down = (simulated.with_values(values) for values in moved)
            muscles = [name for i in which if (name := owners[i])]
            self._pairs.append(_Pair(which, muscles, (up, down), steps))
        self._derivatives = {id(p): tuple(MuscleDerivatives(s) for s in p.systems) for p in self._pairs if p.muscles}

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add what the numbers do at a stage."""
        for pair in self._pairs:
            if pair.muscles:
                self.gradient[pair.which] += self._of_muscles(pair, stage, at, cotangent)
            else:
                up, down = (system.rhs(*stage) for system in pair.systems)
                self.gradient[pair.which] += float((up - down) @ cotangent) / (2 * pair.steps)

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        """Add what they do in a projection; M does not depend on muscles."""
        for pair in self._pairs:
            if not pair.muscles:
                up, down = (system.pose(t, q) for system in pair.systems)
                momenta = [s.mass_matrix(at) @ correction for s, at in zip(pair.systems, (up, down), strict=True)]
                self.gradient[pair.which] -= float(cotangent @ (momenta[0] - momenta[1])) / (2 * pair.steps)

    def _of_muscles(self, pair: _Pair, stage: Stage, at: Derivatives, cotangent: Array) -> Array:
        """Return contributions to the gradient at a stage, (muscles,), of one property of each muscle of a pair."""
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
        return result / (2 * pair.steps)
