"""The tables of a study, made of the results of its tasks, of which one is read at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from ..files.atomic import writing
from .means import MEANS, Axis, MeanCurve, Means
from .parquet import growing
from .store import CURVES, FAILURES, KINDS, MEAN_CURVES, PEAKS, Store, TaskResult
from .tasks import GRID, Failure, Task

__all__ = ["Collected", "collect", "write_failures"]

LABELS = ("trial", "subject", "condition")
NAMED = ("quantity", "name", "unit")
#: Columns of all tables of tasks: a cut-off in Hz, empty for no filter.
TASK_COLUMNS = dict.fromkeys((*LABELS, *GRID, *NAMED), "text") | {"cutoff": "number"}
#: Columns of peaks that say how a result was made.
MADE = {"model": "text", "muscles": "count", "muscle mass [kg]": "number", "opensim_inertia": "text", "result": "text"}


@dataclass(frozen=True)
class Collected:
    """Contents of a study's tables."""

    axis: Axis
    means: tuple[MeanCurve, ...]
    left_out: tuple[str, ...]
    on_base: frozenset[str]


def collect(
    store: Store,
    tasks: Sequence[Task],
    kind: str,
    points: int,
    assumptions: Mapping[str, Any],
    after_each: Callable[[], object] = lambda: None,
) -> Collected:
    """Write the tables of curves, peaks and mean curves."""
    axis = Axis(kind, points, _shared_times(store, tasks) if kind == "time" else {})
    means = Means(axis)
    curve_columns = TASK_COLUMNS | dict.fromkeys(("time", "percent", *KINDS), "number")
    peak_columns = TASK_COLUMNS | dict.fromkeys(_peak_columns(store, tasks), "number") | MADE
    with ExitStack() as open_files:
        curves = open_files.enter_context(growing(store.folder / CURVES, curve_columns, assumptions))
        peaks = open_files.enter_context(growing(store.folder / PEAKS, peak_columns, assumptions))
        for task in tasks:
            result = store.read(task.key)
            curves.add(_curves(task, result))
            peaks.add(_peaks(task, result))
            means.add(task, result)
            after_each()
    mean_curves = tuple(means.curves())
    _write_means(store, axis, mean_curves, assumptions)
    return Collected(axis, mean_curves, tuple(means.left_out), frozenset(means.on_base))


def _shared_times(store: Store, tasks: Sequence[Task]) -> dict[str, tuple[float, float]]:
    """Return the time that all trials of a condition have, by condition."""
    spans: dict[str, tuple[float, float]] = {}
    for task in tasks:
        first, last = store.span(task.key)
        start, end = spans.get(task.trial.condition, (-np.inf, np.inf))
        spans[task.trial.condition] = (max(start, first), min(end, last))
    return spans


def _peak_columns(store: Store, tasks: Sequence[Task]) -> list[str]:
    """Return the columns of peaks, of each tool's first result."""
    first: dict[bool, Task] = {}
    for task in tasks:
        first.setdefault(task.recruitment is None, task)
    return list(dict.fromkeys(name for task in first.values() for name in store.read(task.key).peak_columns))


def _same(task: Task) -> dict[str, Any]:
    """Return the columns that are the same in all rows of a task."""
    trial, cutoff = task.trial, np.nan if task.cutoff is None else task.cutoff
    return dict(zip(LABELS, (trial.id, trial.subject, trial.condition), strict=True)) | _grid(task.grid, cutoff)


def _grid(grid: Sequence[str | float], cutoff: float | None = None) -> dict[str, Any]:
    """Return assumptions as texts by column, but for a cut-off that is given."""
    texts = [each if isinstance(each, str) else f"{each:g}" for each in grid]
    return dict(zip(GRID, texts, strict=True)) | ({} if cutoff is None else {"cutoff": cutoff})


def _names(result: TaskResult, repeats: int) -> dict[str, Any]:
    each = zip(NAMED, (result.quantities, result.names, result.units), strict=True)
    return {name: np.repeat(np.array(texts, dtype=object), repeats) for name, texts in each}


def _curves(task: Task, result: TaskResult) -> dict[str, Any]:
    rows, count = len(result.times), len(result.names)
    start, end = task.trial.events or (np.nan, np.nan)
    values: dict[str, Any] = {kind: curve.T.ravel() for kind, curve in result.sure.items()}
    values["time"] = np.tile(result.times, count)
    values["percent"] = 100.0 * (values["time"] - start) / (end - start)
    return _names(result, rows) | values | _same(task)


def _peaks(task: Task, result: TaskResult) -> dict[str, Any]:
    origin = result.provenance
    made = {
        "model": origin["model"]["name"],
        "muscles": origin["muscles with mass"],
        "muscle mass [kg]": origin["muscle mass [kg]"],
        "opensim_inertia": origin["versions"]["opensim_inertia"],
        "result": task.key,
    }
    values = dict(zip(result.peak_columns, result.peaks.T, strict=True))
    return _names(result, 1) | values | _same(task) | made


def _write_means(store: Store, axis: Axis, means: Sequence[MeanCurve], assumptions: Mapping[str, Any]) -> None:
    """Write the table of mean curves, a row for each point of each curve, with deviations between subjects."""
    over = "percent" if axis.kind == "cycle" else "time"
    deviations = [f"sd {name}" for name in MEANS if name not in ("lower", "upper")]
    columns = dict.fromkeys(("condition", *GRID, *NAMED), "text") | {"subjects": "count", "trials": "count"}
    columns |= dict.fromkeys((over, *MEANS, *deviations), "number")
    with growing(store.folder / MEAN_CURVES, columns, assumptions) as table:
        for curve in means:
            condition, grid = curve.group
            values: dict[str, Any] = dict(zip(MEANS, curve.mean, strict=True))
            values |= {f"sd {name}": each for name, each in zip(MEANS, curve.deviation, strict=True)}
            values |= {over: axis.places(condition), "subjects": curve.subjects, "trials": curve.trials}
            same = _grid(grid) | dict(zip(NAMED, curve.label, strict=True))
            table.add(values | same | {"condition": condition})


def write_failures(store: Store, failures: Sequence[Failure]) -> None:
    """Write the table of failures, which has no rows where there are none."""
    rows = [
        (f.trial.id, f.trial.subject, f.trial.condition, *f.grid, f.trial.setup, f.error, f.message) for f in failures
    ]
    table = pd.DataFrame(rows, columns=[*LABELS, *GRID, "setup", "error", "message"])
    with writing(store.folder / FAILURES) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n")
