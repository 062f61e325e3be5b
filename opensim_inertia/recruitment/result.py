"""The result of muscle recruitment: arrays and names, and the tables, files and pictures that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from ..arrays import Array
from ..checks import check_choice
from .rows import STATUSES, Answer

__all__ = ["RecruitmentResult"]


@dataclass(frozen=True)
class RecruitmentResult:
    """Activations and forces of a motion (see :func:`recruit`), for one or several places of muscle mass.

    Attributes:
        times: (T,) [s].
        coordinate_names: the k independent coordinates, each of which has an equation.
        rotational: per such coordinate, whether its force is a moment.
        free: coordinates whose equations were left out.
        muscles: names of the muscles, the first of the ``actuators``, which are all n: muscles, other actuators of the
            model and of files, and reserves (``<coordinate>_reserve``).
        lower, upper: bounds of the controls (n,).
        strengths: force per unit of control, (T, n) [N or N m].
        passive_forces: of the muscles' fibres, (T, muscles) [N]; zero unless asked for.
        answers: what was found, by where muscle mass is.
        kind: which of the answers the tables show; :meth:`of` shows another.
        criterion, power, secondary: as asked.
        provenance: versions, options and inputs, as JSON knows them; "masses" is the mass table.
    """

    times: Array
    coordinate_names: tuple[str, ...]
    rotational: tuple[bool, ...]
    free: tuple[str, ...]
    muscles: tuple[str, ...]
    actuators: tuple[str, ...]
    lower: Array
    upper: Array
    strengths: Array
    passive_forces: Array
    answers: Mapping[str, Answer]
    kind: str
    criterion: str
    power: float
    secondary: str
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def of(self, kind: str) -> RecruitmentResult:
        """Return the same result with its tables showing another place of muscle mass.

        Raises:
            OptionError: that place was not asked for.
        """
        return replace(self, kind=check_choice("kind", kind, self.answers))

    @property
    def answer(self) -> Answer:
        """The answer that the tables show, as arrays."""
        return self.answers[self.kind]

    @property
    def activations(self) -> pd.DataFrame:
        """The muscles' activations, index time [s]."""
        return self.controls.loc[:, list(self.muscles)]

    @property
    def controls(self) -> pd.DataFrame:
        """The controls of all actuators, of which activations are the muscles', index time [s]."""
        return self._table(self.answer.controls)

    @property
    def forces(self) -> pd.DataFrame:
        """The forces of all actuators [N or N m]; those of muscles act along their tendons, passive fibres included."""
        forces = self.answer.controls * self.strengths
        forces[:, : len(self.muscles)] += self.passive_forces
        return self._table(forces)

    @property
    def missing(self) -> pd.DataFrame:
        """Forces asked for less those made [N m or N], by independent coordinate; of free ones what acts there."""
        return pd.DataFrame(self.answer.missing, index=self._index(), columns=list(self.coordinate_names))

    @property
    def status(self) -> pd.Series:
        """What became of each row: "solved", "infeasible" or "failed", index time [s]."""
        return pd.Series([STATUSES[i] for i in self.answer.status], index=self._index(), name="status")

    @property
    def objective(self) -> pd.Series:
        """The criterion's value at each row; of min/max the largest activation of a muscle."""
        return pd.Series(self.answer.objective, index=self._index(), name=self.criterion)

    def _index(self) -> pd.Index:
        return pd.Index(self.times, name="time")

    def _table(self, values: Array) -> pd.DataFrame:
        return pd.DataFrame(values, index=self._index(), columns=list(self.actuators))
