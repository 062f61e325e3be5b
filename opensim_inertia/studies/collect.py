"""The tables of a study, made of the results of its tasks, of which one is read at a time."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..files.atomic import writing
from .means import MEANS, Axis, MeanCurve, Means
from .parquet import growing
from .store import CURVES, FAILURES, KINDS, MEAN_CURVES, PEAKS, Store, TaskResult
from .tasks import GRID, Failure, Task

__all__ = ["Collected", "collect", "write_failures"]

LABELS = ("trial", "subject", "condition")
#: The assumptions as columns: a cut-off in Hz, empty for no filter.
ASSUMED = dict.fromkeys(GRID, "text") | {"cutoff": "number"}
NAMED = {"quantity": "text", "name": "text", "unit": "text"}
CURVE_COLUMNS = dict.fromkeys(LABELS, "text") | ASSUMED | NAMED | dict.fromkeys(("time", "percent", *KINDS), "number")
#: What of a result's making is a column beside its peaks.
MADE = {"model": "text", "muscles": "count", "muscle mass [kg]": "number", "opensim_inertia": "text", "result": "text"}


@dataclass(frozen=True)
class Collected:
    """Contents of a study's tables.

    Attributes:
        axis: what mean curves are over.
        means: the mean curves.
        left_out: trials that are in no mean curve, as their motion does not span the cycle or the time others share.
        on_base: names of coordinates that move a whole model in ground.
    """

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
    """Write the tables of curves, peaks and mean curves.

    Args:
        store: where results are, and tables go.
        tasks: those with a result, all of a subject following each other.
        kind: "time" or "cycle", what mean curves are over.
        points: how many points mean curves have.
        assumptions: assumptions of the study, for the tables' metadata.
        after_each: called after each task.

    Raises:
        OutputError: a result is damaged, or a table cannot be written.
    """
    axis = Axis(kind, points, _shared_times(store, tasks) if kind == "time" else {})
    means = Means(axis)
    peak_columns = dict.fromkeys(_peak_columns(store, tasks), "number")
    columns = dict.fromkeys(LABELS, "text") | ASSUMED
    with ExitStack() as open_files:
        curves = open_files.enter_context(growing(store.folder / CURVES, CURVE_COLUMNS, assumptions))
        peaks = open_files.enter_context(
            growing(store.folder / PEAKS, columns | NAMED | peak_columns | MADE, assumptions)
        )
        for task in tasks:
            result = store.read(task.key)
            same = _same(task)
            _add_curves(curves, task, result, same)
            _add_peaks(peaks, task, result, same)
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
    columns: dict[str, None] = {}
    for task in first.values():
        columns |= dict.fromkeys(store.read(task.key).peak_columns)
    return list(columns)


def _same(task: Task) -> dict[str, Any]:
    """Return the columns that are the same in all rows of a task."""
    trial = task.trial
    grid = {
        name: value if isinstance(value, str) else f"{value:g}" for name, value in zip(GRID, task.grid, strict=True)
    }
    return {"trial": trial.id, "subject": trial.subject, "condition": trial.condition, **grid, "cutoff": task.cutoff}


def _add_curves(table: Any, task: Task, result: TaskResult, same: Mapping[str, Any]) -> None:
    rows, count = len(result.times), len(result.names)
    events = task.trial.events
    percent = None
    if events is not None:
        percent = np.tile(100.0 * (result.times - events[0]) / (events[1] - events[0]), count)
    named = {what: _repeated(getattr(result, of), rows) for what, of in _NAMES}
    sure = result.sure
    values = {kind: sure[kind].T.ravel() for kind in KINDS}
    table.add({**same, **named, **values, "time": np.tile(result.times, count), "percent": percent}, rows * count)


_NAMES = (("quantity", "quantities"), ("name", "names"), ("unit", "units"))


def _repeated(texts: Sequence[str], rows: int) -> Any:
    return np.repeat(np.array(texts, dtype=object), rows)


def _add_peaks(table: Any, task: Task, result: TaskResult, same: Mapping[str, Any]) -> None:
    values = dict(zip(result.peak_columns, result.peaks.T, strict=True))
    origin = {
        "model": result.provenance["model"]["name"],
        "muscles": result.provenance["muscles with mass"],
        "muscle mass [kg]": result.provenance["muscle mass [kg]"],
        "opensim_inertia": result.provenance["versions"]["opensim_inertia"],
        "result": task.key,
    }
    named = {what: _repeated(getattr(result, of), 1) for what, of in _NAMES}
    table.add({**same, **named, **values, **origin}, len(result.names))


def _write_means(store: Store, axis: Axis, means: Sequence[MeanCurve], assumptions: Mapping[str, Any]) -> None:
    """Write the table of mean curves, a row for each point of each curve, with deviations between subjects."""
    over = "percent" if axis.kind == "cycle" else "time"
    columns = {"condition": "text", **dict.fromkeys(GRID, "text"), **NAMED, "subjects": "count", "trials": "count"}
    columns |= {over: "number", **dict.fromkeys(MEANS, "number"), **{f"sd {name}": "number" for name in MEANS[:3]}}
    columns |= {f"sd {MEANS[-1]}": "number"}
    with growing(store.folder / MEAN_CURVES, columns, assumptions) as table:
        for curve in means:
            condition, grid = curve.group
            values = dict(zip(MEANS, curve.mean, strict=True))
            values |= {f"sd {name}": each for name, each in zip(MEANS, curve.deviation, strict=True)}
            same: dict[str, Any] = {
                name: f"{value:g}" if isinstance(value, float) else value
                for name, value in zip(GRID, grid, strict=True)
            }
            same |= dict(zip(NAMED, curve.label, strict=True))
            same |= {"condition": condition, "subjects": curve.subjects, "trials": curve.trials}
            table.add({**same, **values, over: axis.places(condition)}, axis.points)


def write_failures(store: Store, failures: Sequence[Failure]) -> None:
    """Write the table of failures, which has no rows where there are none.

    Raises:
        OutputError: it cannot be written.
    """
    with writing(store.folder / FAILURES) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow([*LABELS, *GRID, "setup", "error", "message"])
        for failed in failures:
            trial = failed.trial
            labels = [trial.id, trial.subject, trial.condition, *failed.grid, trial.setup]
            table.writerow([*labels, failed.error, failed.message])
