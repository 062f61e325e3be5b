"""The tables of a study and mean curves over its trials; the one module that imports PyArrow.

Curves grow row group by row group from results of which one is read at a time. Mean curves are by condition and
assumption, normalised to a cycle or over the time that trials share. Trials are averaged within a subject first, then
subjects; deviations are between subjects. Points that jumps of a recording make doubtful are left out of both. The band
is the mean of the trials' bands: the band of the mean where unknown masses and bellies are the same for everybody, and
wider than it where they are not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from .._core.arrays import Array
from .._core.errors import MissingPackageError
from ..files.atomic import writing
from .tasks import GRID, LABELS, Failure, Task, texts
from .worker import CURVES, FAILURES, KINDS, MEAN_CURVES, MEANS, PEAKS, Store, TaskResult

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as error:
    raise MissingPackageError("studies need", "pyarrow", "study") from error

__all__ = ["Axis", "Collected", "MeanCurve", "collect", "interpolated", "read_parquet", "write_failures"]

#: Key of the assumptions among a file's metadata.
KEY = b"opensim_inertia"
TYPES = {"text": pa.dictionary(pa.int32(), pa.string()), "number": pa.float64(), "count": pa.int64()}
NAMED = ("quantity", "name", "unit")
#: Columns of all tables of tasks: a cut-off in Hz, empty for no filter.
TASK_COLUMNS = dict.fromkeys((*LABELS, *GRID, *NAMED), "text") | {"cutoff": "number"}
#: Columns of peaks that say how a result was made.
MADE = {"model": "text", "muscles": "count", "muscle mass [kg]": "number", "opensim_inertia": "text", "result": "text"}

Group = tuple[str, tuple[str | float, ...]]
Label = tuple[str, str, str]


def _write(
    path: Path, columns: Mapping[str, str], assumptions: Mapping[str, Any], frames: Iterable[pd.DataFrame]
) -> None:
    """Write a table, one row group after the other; columns that a frame lacks are empty there."""
    metadata = {KEY: json.dumps(assumptions, sort_keys=True)}
    schema = pa.schema([(name, TYPES[kind]) for name, kind in columns.items()], metadata)
    with writing(path) as temporary, pq.ParquetWriter(temporary, schema, compression="zstd") as writer:
        for frame in frames:
            rows = frame.reindex(columns=schema.names)
            writer.write_table(pa.Table.from_pandas(rows, schema, preserve_index=False))


def read_parquet(path: Path) -> pd.DataFrame:
    """Return a table that a study has written; ``attrs["provenance"]`` has its assumptions."""
    table = pq.read_table(path)
    frame = table.to_pandas()
    frame.attrs["provenance"] = json.loads((table.schema.metadata or {}).get(KEY, b"{}"))
    return frame


@dataclass(frozen=True)
class Axis:
    """The axis of mean curves: "cycle", or "time" with the span [s] that all trials of a condition share."""

    kind: str
    points: int
    spans: dict[str, tuple[float, float]] = field(default_factory=dict)

    def places(self, condition: str) -> Array:
        """Return percent of the cycle, or times [s], (points,)."""
        return np.linspace(*((0.0, 100.0) if self.kind == "cycle" else self.spans[condition]), self.points)

    def times(self, task: Task) -> Array | None:
        """Return the times (points,) of a task's points [s]; None where its condition's trials share no time."""
        span = task.trial.events if self.kind == "cycle" else self.spans.get(task.trial.condition)
        return None if span is None or not span[0] < span[1] else np.linspace(*span, self.points)


@dataclass(frozen=True)
class MeanCurve:
    """The mean curve of a condition and assumptions, by quantity, name and unit, over so many subjects and trials.

    ``mean`` and ``deviation`` are by :data:`MEANS`, (5, points); the latter is between subjects, NaN for a single one.
    """

    group: Group
    label: Label
    subjects: int
    trials: int
    mean: Array
    deviation: Array


def interpolated(result: TaskResult, times: Array) -> Array | None:
    """Return a result's curves at times, (5, points, n) as :data:`MEANS`, NaN beside doubtful rows.

    None where rows with an answer do not span the times; one row may lack at either end.
    """
    answered, sure = result.answered, result.sure
    known = result.times[answered]
    slack = float(np.diff(known).max()) if len(known) > 1 else 0.0
    if times[0] < known[0] - slack or times[-1] > known[-1] + slack:
        return None
    every = np.stack([sure[kind][answered] for kind in KINDS])
    curves = np.apply_along_axis(lambda values: np.interp(times, known, values), 1, every)
    difference = curves[KINDS.index("inertial")] - curves[KINDS.index("lumped")]
    return np.concatenate([curves, difference[None]])


def _add(sums: Array, trials: Sequence[Array]) -> None:
    """Add a subject's mean of trials (5, points) to numbers, means and squared deviations (3, 5, points) of subjects.

    By Welford's method: memory does not grow with the number of subjects.
    """
    is_known = np.isfinite(trials)
    new = is_known.any(axis=0)
    curve = np.nansum(trials, axis=0) / np.maximum(is_known.sum(axis=0), 1)
    known, mean, squares = sums
    known += new
    change = np.where(new, curve - mean, 0.0)
    mean += change / np.maximum(known, 1)
    squares += change * np.where(new, curve - mean, 0.0)


@dataclass(frozen=True)
class Collected:
    """Contents of a study's tables."""

    axis: Axis
    means: tuple[MeanCurve, ...]
    left_out: tuple[str, ...]
    on_base: frozenset[str]


def collect(store: Store, tasks: Sequence[Task], kind: str, points: int, assumptions: Mapping[str, Any]) -> Collected:
    """Write the tables of curves, peaks and mean curves."""
    axis = Axis(kind, points, _shared_times(store, tasks) if kind == "time" else {})
    peaks: list[pd.DataFrame] = []
    left_out, on_base = dict[str, None](), set[str]()
    sums: dict[Group, dict[Label, Array]] = {}
    counts = Counter[tuple[Group, Label, str]]()

    def curves() -> Iterator[pd.DataFrame]:
        for _, own in groupby(tasks, key=lambda task: task.trial.subject):
            of_subject: dict[tuple[Group, Label], list[Array]] = {}
            for task in own:
                result = store.read(task.key)
                peaks.append(_peaks(task, result))
                yield _curves(task, result)
                times = axis.times(task)
                found = None if times is None else interpolated(result, times)
                if found is None:
                    left_out[task.trial.id] = None
                    continue
                on_base.update(name for name, is_so in zip(result.names, result.on_base, strict=True) if is_so)
                for i, label in enumerate(zip(result.quantities, result.names, result.units, strict=True)):
                    of_subject.setdefault(((task.trial.condition, task.grid), label), []).append(found[:, :, i])
            for (group, label), trials in of_subject.items():
                _add(sums.setdefault(group, {}).setdefault(label, np.zeros((3, *trials[0].shape))), trials)
                counts.update({(group, label, "subjects"): 1, (group, label, "trials"): len(trials)})

    curve_columns = TASK_COLUMNS | dict.fromkeys(("time", "percent", *KINDS), "number")
    _write(store.folder / CURVES, curve_columns, assumptions, curves())
    table = pd.concat(peaks, ignore_index=True)
    peak_columns = dict.fromkeys(map(str, table.columns.difference([*TASK_COLUMNS, *MADE], sort=False)), "number")
    _write(store.folder / PEAKS, TASK_COLUMNS | peak_columns | MADE, assumptions, [table])
    means = []
    for group, by_label in sums.items():
        for label, (known, mean, squares) in by_label.items():
            spread = np.sqrt(np.where(known > 1, squares / np.maximum(known - 1, 1), np.nan))
            subjects, trials = (counts[group, label, what] for what in ("subjects", "trials"))
            means.append(MeanCurve(group, label, subjects, trials, np.where(known > 0, mean, np.nan), spread))
    _write_means(store, axis, means, assumptions)
    return Collected(axis, tuple(means), tuple(left_out), frozenset(on_base))


def _shared_times(store: Store, tasks: Sequence[Task]) -> dict[str, tuple[float, float]]:
    """Return the time that all trials of a condition have, by condition."""
    spans: dict[str, tuple[float, float]] = {}
    for task in tasks:
        first, last = store.read(task.key).span
        start, end = spans.get(task.trial.condition, (-np.inf, np.inf))
        spans[task.trial.condition] = (max(start, first), min(end, last))
    return spans


def _named(task: Task, result: TaskResult, repeats: int) -> dict[str, Any]:
    """Return the columns that name the rows of a task."""
    each = zip(NAMED, (result.quantities, result.names, result.units), strict=True)
    columns: dict[str, Any] = {name: np.repeat(np.array(column, dtype=object), repeats) for name, column in each}
    columns |= zip((*LABELS, *GRID), (*task.trial.labels, *texts(task.grid)), strict=True)
    return columns | {"cutoff": np.nan if task.cutoff is None else task.cutoff}


def _curves(task: Task, result: TaskResult) -> pd.DataFrame:
    rows, count = len(result.times), len(result.names)
    start, end = task.trial.events or (np.nan, np.nan)
    values: dict[str, Any] = {kind: curve.T.ravel() for kind, curve in result.sure.items()}
    values["time"] = np.tile(result.times, count)
    values["percent"] = 100.0 * (values["time"] - start) / (end - start)
    return pd.DataFrame(_named(task, result, rows) | values)


def _peaks(task: Task, result: TaskResult) -> pd.DataFrame:
    origin = result.provenance
    made = {
        "model": origin["model"]["name"],
        "muscles": origin["muscles with mass"],
        "muscle mass [kg]": origin["muscle mass [kg]"],
        "opensim_inertia": origin["versions"]["opensim_inertia"],
        "result": task.key,
    }
    values = dict(zip(result.peak_columns, result.peaks.T, strict=True))
    return pd.DataFrame(_named(task, result, 1) | values | made)


def _write_means(store: Store, axis: Axis, means: Sequence[MeanCurve], assumptions: Mapping[str, Any]) -> None:
    """Write the table of mean curves, a row for each point of each curve, with deviations between subjects."""
    over = "percent" if axis.kind == "cycle" else "time"
    deviations = [f"sd {name}" for name in MEANS if name not in ("lower", "upper")]
    columns = dict.fromkeys(("condition", *GRID, *NAMED), "text") | {"subjects": "count", "trials": "count"}
    columns |= dict.fromkeys((over, *MEANS, *deviations), "number")
    frames = []
    for curve in means:
        condition, grid = curve.group
        values: dict[str, Any] = dict(zip(MEANS, curve.mean, strict=True))
        values |= {f"sd {name}": each for name, each in zip(MEANS, curve.deviation, strict=True)}
        values |= {over: axis.places(condition), "subjects": curve.subjects, "trials": curve.trials}
        values |= dict(zip((*GRID, *NAMED), (*texts(grid), *curve.label), strict=True))
        frames.append(pd.DataFrame(values | {"condition": condition}))
    _write(store.folder / MEAN_CURVES, columns, assumptions, [pd.concat(frames)] if frames else [])


def write_failures(store: Store, failures: Sequence[Failure]) -> None:
    """Write the table of failures, which has no rows where there are none."""
    rows = [(*f.trial.labels, *f.grid, f.trial.setup, f.error, f.message) for f in failures]
    table = pd.DataFrame(rows, columns=[*LABELS, *GRID, "setup", "error", "message"])
    with writing(store.folder / FAILURES) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n")
