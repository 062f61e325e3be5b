"""The equations that values of parameters make: of the model with other numbers, under drives with other values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import silenced
from ..._core.warnings import LoadsRangeWarning
from ...dynamics.equations.differentiable import check_differentiable
from ...dynamics.equations.problem import Problem
from ...dynamics.equations.start import carry_over, resolved
from ...dynamics.equations.system import System
from .draft import Draft
from .interface import Parameter


class Systems:
    """Makes equations for values of parameters."""

    def __init__(
        self,
        problem: Problem,
        parameters: Mapping[str, Parameter],
        values: Mapping[str, Array],
    ) -> None:
        state = problem.inertial.initial_state()
        carry_over(problem.inertial.model, problem.state, problem.inertial.model, state)
        self._problem = replace(problem, state=state, equilibrate=False)
        self._parameters, self._values = parameters, values
        self._rebuilding = {name: p for name, p in parameters.items() if p.rebuilds}
        self._built: tuple[bytes, System] | None = None

    def at(self, values: Mapping[str, Array]) -> tuple[System, Array]:
        """Return the equations for values, and the state (ny,) at the start before its projection."""
        key = b"".join(values[name].tobytes() for name in self._rebuilding)
        if self._built is None or self._built[0] != key:
            self._built = key, self._build(values)
        return self._driven(self._built[1], values)

    def with_values(self, values: Mapping[str, Array], name: str, others: Array) -> System:
        """Return the equations for values in which one parameter has others."""
        changed = {**values, name: others}
        return self._driven(self._build(changed), changed)[0]

    def _build(self, values: Mapping[str, Array]) -> System:
        """Return the equations of the model for values; of the model itself where they are what it has."""
        draft = Draft(self._problem)
        for name, parameter in self._rebuilding.items():
            if not np.array_equal(values[name], self._values[name]):
                parameter.apply(values[name], draft)
        with silenced(LoadsRangeWarning):  # it was given of the problem
            ready = resolved(draft.finished())
        check_differentiable(ready.inertial)
        return System(ready)

    def _driven(self, built: System, values: Mapping[str, Array]) -> tuple[System, Array]:
        """Return the equations under the drives for values, and the start for values."""
        draft = Draft(built.problem)
        for name, parameter in self._parameters.items():
            if not parameter.rebuilds:
                parameter.apply(values[name], draft)
        system = built.driven(draft.finished())
        system.seen = built.seen.again()
        return system, draft.y
