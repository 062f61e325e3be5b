"""The tensions that stiffen bellies: of a table over time, one for all muscles, or what the muscles have at a state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names, warn
from ..._core.diagnostics import raise_or_warn
from ..._core.errors import MotionError, OptionError
from ..._core.opensim import osim
from ..._core.warnings import InputWarning
from ...files.tables import check_unique, checked_numbers, load_table, without_repeats
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.recorded_table import check_spelling
from ..model import InertialModel

if TYPE_CHECKING:
    import pandas as pd

#: A table's forces push where they are below this [N]: less comes from rounding.
PUSHES = -1e-6
#: Times outside of a table by so little [s] are at its ends.
ROUNDING = 1e-9


class TensionTable:
    """Tensions of muscles with mass as given functions of time, linear between the rows of a table."""

    def __init__(self, inertial: InertialModel, source: str | os.PathLike[str] | pd.DataFrame | float) -> None:
        names = inertial.muscle_names
        self._is_constant = isinstance(source, int | float)
        if isinstance(source, int | float):
            self._what, self._times = "the tension", np.zeros(1)
            self._values = np.full((1, len(names)), float(source))
            return
        table = load_table(source, "the table of tensions")
        self._what, labels = table.origin, table.labels
        known = [name for name in names if name in labels]
        if not known:
            check_names("muscle with mass", labels, names)
        every = model_muscles(inertial.model)
        unused = {label: label for label in labels if label not in every}
        check_spelling([name for name in names if name not in known], unused, self._what, "muscle")
        check_unique(self._what, labels, known)
        table = without_repeats(table.columns([labels.index(name) for name in known]))
        raise_or_warn(table.findings, MotionError)
        self._times, forces = checked_numbers(table, lambda reason: MotionError(f"{self._what}: {reason}"))
        if not (forces >= PUSHES).all():
            pushes = known[int(np.argwhere(forces < PUSHES)[0, 1])]
            raise OptionError("wobble_tension", self._what, f"forces that pull; that of '{pushes}' pushes")
        if 0 < forces.max() <= 1:
            text = f"its largest tension is {forces.max():.3g} N; are these activations, in place of forces in newtons?"
            warn(InputWarning(f"{self._what}: {text}"))
        self._values = np.zeros((len(table), len(names)))
        self._values[:, [names.index(name) for name in known]] = np.maximum(forces, 0.0)

    def check(self, first: float, last: float) -> None:
        """Raise :class:`MotionError` where a motion from ``first`` to ``last`` [s] is not covered."""
        at = self._times
        if self._is_constant:
            return
        if not len(at) or first < at[0] - ROUNDING or last > at[-1] + ROUNDING:
            span = f"{at[0]:.6g} to {at[-1]:.6g} s" if len(at) else "no time"
            raise MotionError(f"{self._what} covers {span}, the motion {first:.6g} to {last:.6g} s")

    def over(self, times: Array) -> Array:
        """Return the tensions (T, muscles) [N] at times (T,) [s]; before and after the table those of its ends."""
        if self._is_constant:
            return np.repeat(self._values, len(times), axis=0)
        columns = [np.interp(times, self._times, column) for column in self._values.T]
        return np.column_stack([np.zeros((len(times), 0)), *columns])

    def at(self, state: osim.State) -> Array:
        """Return the tensions (muscles,) [N] at the time of a state."""
        return np.asarray(self.over(np.array([state.getTime()]))[0])


class StateTensions:
    """The tensions that muscles with mass have at a state, by OpenSim; those that do not act are not tense."""

    def __init__(self, inertial: InertialModel, state: osim.State) -> None:
        muscles = model_muscles(inertial.model)
        self._muscles: list[Any] = [muscles.get(name) for name in inertial.muscle_names]
        self.acting = [i for i, muscle in enumerate(self._muscles) if muscle is not None and muscle.appliesForce(state)]

    def at(self, state: osim.State) -> Array:
        """Return the tensions (muscles,) [N] at a state realized to dynamics; what pushes is not tense."""
        tension = np.zeros(len(self._muscles))
        for i in self.acting:
            tension[i] = max(0.0, self._muscles[i].getActuation(state))
        return tension
