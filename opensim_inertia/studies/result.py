"""Results of a study: places of its tables, failed tasks, and results as tables and arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._core.errors import UnknownNameError
from .._core.representation import Described
from .means import MEANS, interpolated
from .store import CURVES, FAILURES, INDEX, MEAN_CURVES, PEAKS, Store, TaskResult
from .tasks import GRID, Failure, Task

__all__ = ["StudyResult"]


@dataclass(frozen=True, repr=False)
class StudyResult(Described):
    """The results of a study (see :func:`study`).

    Attributes:
        folder: where everything is.
        tasks: the tasks that have a result.
        failed: those that have none, and why.
        computed: how many tasks were computed, and not found in the folder.
        cpu_seconds: processor time that these took [s].
        provenance: the configuration, but for who computes and where to, and versions.
    """

    folder: Path
    tasks: tuple[Task, ...]
    failed: tuple[Failure, ...]
    computed: int
    cpu_seconds: float
    provenance: Mapping[str, Any]

    def description(self) -> dict[str, str]:
        """Return the main facts of the study, by name."""
        return {
            "study": str(self.provenance["study"]),
            "tasks": f"{len(self.tasks)} done, {self.computed} of them now, {len(self.failed)} failed",
            "trials": str(len({task.trial.id for task in self.tasks})),
            "folder": str(self.folder),
        }

    @property
    def index(self) -> Path:
        """The first page."""
        return self.folder / INDEX

    def curves(self) -> pd.DataFrame:
        """Return all curves, tidy: a row for each trial, assumption, quantity, name and time; units are in a column.

        Columns ``lumped`` and ``inertial`` are the answers, ``lower`` and ``upper`` the ends of the band around the
        inertial one, ``percent`` the place between the trial's events. Forces on coupled coordinates are projected onto
        the coordinates that they follow.
        """
        return self._read(CURVES)

    def peaks(self) -> pd.DataFrame:
        """Return the peaks, signed, a row for each trial, assumption and curve, as a single run's summary has them."""
        return self._read(PEAKS)

    def mean_curves(self) -> pd.DataFrame:
        """Return mean curves over trials by condition and assumption, with bands and deviations between subjects."""
        return self._read(MEAN_CURVES)

    def failures(self) -> pd.DataFrame:
        """Return the tasks without a result, with error and message."""
        return pd.read_csv(self.folder / FAILURES, dtype=dict.fromkeys(("trial", "subject", *GRID), "str"))

    def of(self, task: Task) -> TaskResult:
        """Return the numbers of one task, and how they were made."""
        return Store(self.folder).read(task.key)

    def to_xarray(self, quantity: str = "generalized force", points: int = 101) -> Any:
        """Return curves as an ``xarray.Dataset``: trial, each assumption, name, and percent of the cycle.

        A trial without events has its first and last time as the cycle's. All results are read.

        Args:
            quantity: "generalized force", or of recruitment "activation", "force" or "reaction".
            points: how many points a cycle has.

        Raises:
            MissingPackageError: xarray is not installed. UnknownNameError: no result has that quantity.
        """
        from .._core.xarray import xr

        trials = list(dict.fromkeys(task.trial.id for task in self.tasks))
        values = {name: list(dict.fromkeys(task.grid[i] for task in self.tasks)) for i, name in enumerate(GRID)}
        results = {task: self.of(task) for task in self.tasks}
        quantities = dict.fromkeys(each for result in results.values() for each in result.quantities)
        if quantity not in quantities:
            raise UnknownNameError("quantity", quantity, quantities)
        names = list(
            dict.fromkeys(
                name
                for result in results.values()
                for of, name in zip(result.quantities, result.names, strict=True)
                if of == quantity
            )
        )
        dims = ["trial", *GRID, "name", "percent"]
        shape = [len(trials), *(len(each) for each in values.values()), len(names), points]
        arrays = {kind: np.full(shape, np.nan) for kind in MEANS}
        times = np.full((len(trials), points), np.nan)
        for task, result in results.items():
            span = task.trial.events or (float(result.times[0]), float(result.times[-1]))
            at = np.linspace(*span, points)
            curves = interpolated(result, at)
            if curves is None:
                continue
            place = trials.index(task.trial.id)
            times[place] = at
            where = (place, *(values[name].index(value) for name, value in zip(GRID, task.grid, strict=True)))
            for i, (of, name) in enumerate(zip(result.quantities, result.names, strict=True)):
                if of == quantity:
                    for kind, curve in zip(MEANS, curves[:, :, i], strict=True):
                        arrays[kind][(*where, names.index(name))] = curve
        by_id = {task.trial.id: task.trial for task in self.tasks}
        coordinates = {
            "trial": trials,
            **{name: [str(v) if isinstance(v, str) else f"{v:g}" for v in each] for name, each in values.items()},
            "name": names,
            "percent": np.linspace(0.0, 100.0, points),
            "subject": ("trial", [by_id[name].subject for name in trials]),
            "condition": ("trial", [by_id[name].condition for name in trials]),
            "time": (("trial", "percent"), times),
        }
        return xr.Dataset(
            {kind: (dims, values) for kind, values in arrays.items()}, coordinates, {"quantity": quantity}
        )

    def _read(self, name: str) -> pd.DataFrame:
        from .parquet import read_parquet

        return read_parquet(self.folder / name)
