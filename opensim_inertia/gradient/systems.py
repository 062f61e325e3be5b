"""The systems that a simulation's parameters make: its model with other numbers, its drives with present values."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..equations.system import System
from ..errors import ModelError
from ..forward.simulate import carry_over, start
from ..inertial import InertialModel
from ..masses.bellies import follow_muscles
from .differentiable import check_differentiable
from .parameters import (
    AponeurosisLength,
    BellyPlacement,
    Excitations,
    Forces,
    MuscleMasses,
    Parameter,
    Properties,
)

#: Parameters that a model is made of.
OF_MODEL = (MuscleMasses, BellyPlacement, AponeurosisLength, Properties)
#: Systems that are kept.
KEPT = 2


class Systems:
    """Makes systems for values of parameters.

    Args:
        inertial: the model.
        state: where simulations start: time, variables, locks and forces that are switched off.
        t_final: where they end [s].
        parameters: what is varied.
        values: what the model has.
        fixed: "excitations" and "forces" that are no parameters.
        loads: external loads XML.
    """

    def __init__(
        self,
        inertial: InertialModel,
        state: osim.State,
        t_final: float,
        parameters: Mapping[str, Parameter],
        values: dict[str, Array],
        fixed: Mapping[str, dict[str, Any]],
        loads: str | os.PathLike[str] | None,
    ) -> None:
        self._inertial, self._state, self._t_final, self._loads = inertial, state, t_final, loads
        self._parameters, self._values, self._fixed = parameters, values, fixed
        self._made: dict[bytes, System] = {}
        self.present = values

    def at(self, values: dict[str, Array]) -> System:
        """The system for values, which drives have from now on; the last few are kept."""
        self.present = values
        key = b"".join(values[name].tobytes() for name, p in self._parameters.items() if isinstance(p, OF_MODEL))
        if key not in self._made:
            while len(self._made) >= KEPT:
                self._made.pop(next(iter(self._made)))
            self._made[key] = self._make(values)
        return self._made[key]

    def moved(self, values: dict[str, Array], name: str, numbers: Mapping[int, float]) -> System:
        """A system in which some numbers of a parameter of the model are others."""
        array = values[name].copy()
        for i, number in numbers.items():
            array[i] = number
        return self._make({**values, name: array})

    def _make(self, values: dict[str, Array]) -> System:
        inertial = self._model(values)
        state = inertial.initial_state()
        if state.getNY() != self._state.getNY():
            raise ModelError("a property that is varied changes the number of the model's state variables")
        carry_over(self._inertial.model, self._state, inertial.model, state)
        excitations = {**self._fixed["excitations"], **self._signals(Excitations)}
        forces = {**self._fixed["forces"], **self._signals(Forces)}
        system, _, _ = start(inertial, state, self._t_final, excitations or None, forces or None, self._loads, False)
        check_differentiable(system.inertial)
        return system

    def _model(self, values: dict[str, Array]) -> InertialModel:
        """The model for values; itself where they are what it has."""
        changes: dict[str, Any] = {}
        same_geometry = True
        for name, parameter in self._parameters.items():
            if not isinstance(parameter, OF_MODEL) or np.array_equal(values[name], self._values[name]):
                continue
            numbers = values[name].tolist()
            if isinstance(parameter, MuscleMasses):
                table = changes.get("masses", self._inertial.masses).copy()
                for muscle, mass in zip(parameter.names, numbers, strict=True):
                    table.loc[table["muscle"] == muscle, "mass"] = mass
                changes["masses"] = table
            elif isinstance(parameter, BellyPlacement):
                changes.setdefault("proximal_shares", {}).update(zip(parameter.names, numbers, strict=True))
            elif isinstance(parameter, AponeurosisLength):
                changes.setdefault("aponeuroses", {}).update(zip(parameter.names, numbers, strict=True))
            else:
                model = changes.setdefault("model", self._inertial.original_model())
                for each, number in zip(parameter.bound(model), numbers, strict=True):
                    each.set(model, number)
                    same_geometry &= each.muscle is not None
        if not changes:
            return self._inertial
        if not self._inertial.has_explicit_points:  # the table knows the donor segments
            table = changes.setdefault("masses", self._inertial.masses)
            if "model" in changes:
                changes["masses"] = follow_muscles(table, self._inertial.model)
        if same_geometry:
            changes["wraps"] = self._inertial.wraps
        return self._inertial.rebuilt(**changes)

    def _signals(self, kind: type[Excitations] | type[Forces]) -> dict[str, Callable[[float], float]]:
        """Functions of time of the parameters' present values."""
        signals: dict[str, Callable[[float], float]] = {}
        for name, parameter in self._parameters.items():
            if isinstance(parameter, kind):
                group = _Signals(self, name, parameter)
                signals.update({what: partial(group, i) for i, what in enumerate(parameter.names)})
        return signals


class _Signals:
    """One parameter's functions of time; found for all of its names at once."""

    def __init__(self, owner: Systems, name: str, parameter: Excitations | Forces) -> None:
        self._owner, self._name, self._parameter = owner, name, parameter
        self._last: tuple[float, Array, list[float]] | None = None

    def __call__(self, i: int, t: float) -> float:
        values = self._owner.present[self._name]
        if self._last is None or self._last[0] != t or self._last[1] is not values:
            now = values if values.ndim == 1 else values @ self._parameter.weights(t)
            self._last = t, values, now.tolist()
        return self._last[2][i]
