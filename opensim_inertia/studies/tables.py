"""Tables of a study: curves, peaks, means over trials, and contrasts of conditions.

Trials are averaged within a subject first, then subjects, without doubtful points; deviations are between subjects. The
mean band is the mean of the trials' bands, exact if all share the unknown masses and belly positions.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, combinations, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd

from .._core.arrays import Array
from .._core.errors import MissingPackageError, first_of
from ..files.atomic import writing
from .tasks import GRID, LABELS, Failure, Task, texts
from .worker import FAILURES, KINDS, MEANS, Span, Store, TaskResult

try:
    import pyarrow as pa
    import pyarrow.csv as pc
    import pyarrow.parquet as pq
except ImportError as error:
    raise MissingPackageError("studies need", "pyarrow", "study") from error

if TYPE_CHECKING:
    from .config import Section

#: Key of the assumptions in a file's metadata.
KEY = b"opensim_inertia"
TYPES = {"text": pa.dictionary(pa.int32(), pa.string()), "number": pa.float64(), "count": pa.int64()}
NAMED = ("quantity", "name", "unit")
#: Columns of all tables of tasks; the cut-off is in Hz, empty without a filter.
TASK_COLUMNS = dict.fromkeys((*LABELS, *GRID, *NAMED), "text") | {"cutoff": "number"}
#: Columns of peaks on provenance.
MADE = {"model": "text", "muscles": "count", "muscle mass [kg]": "number", "opensim_inertia": "text", "result": "text"}
#: Columns of peaks that contrasts compare.
SIZES = ["lumped peak", "largest difference", "largest difference [%]", "difference RMS"]
#: Column of the requested cut-off.
ASKED = "cutoff asked for"
CONTRAST_COLUMNS = dict.fromkeys(("condition", "reference", *GRID, *NAMED, "size"), "text") | {"subjects": "count"}
CONTRAST_COLUMNS |= dict.fromkeys(("difference", "lower", "upper"), "number")
#: Largest angle [degrees] between the directions of equal coordinates; number of names in notes.
APART, MOST_NAMED = 60.0, 10

Group = tuple[str, tuple[str | float, ...]]
Label = tuple[str, str, str]


class Collected(NamedTuple):
    """Tables for the page, notes, and coordinates of the base."""

    means: pd.DataFrame
    peaks: pd.DataFrame  # with the requested cut-off
    contrasts: pd.DataFrame
    notes: list[str]
    on_base: set[str]


def _write(
    path: Path, columns: Mapping[str, str], assumptions: Mapping[str, Any], frames: Iterable[pd.DataFrame], text: bool
) -> None:
    """Write a table as .parquet, and with ``text`` as .csv, one frame after the other."""
    metadata = {KEY: json.dumps(assumptions, sort_keys=True)}
    schema = pa.schema([(name, TYPES[kind]) for name, kind in columns.items()], metadata)
    beside = path.with_suffix(".csv")
    if not text:
        beside.unlink(missing_ok=True)
    with ExitStack() as stack:
        temporary = [stack.enter_context(writing(file)) for file in ((path, beside) if text else (path,))]
        sinks = [stack.enter_context(file.open("wb")) for file in temporary]  # pyarrow would leave a file open
        writers = [stack.enter_context(pq.ParquetWriter(sinks[0], schema, compression="zstd"))]
        writers += [stack.enter_context(pc.CSVWriter(sink, schema)) for sink in sinks[1:]]
        for frame in frames:
            rows = pa.Table.from_pandas(frame.reindex(columns=schema.names), schema, preserve_index=False)
            for writer in writers:
                writer.write_table(rows)


def read_parquet(path: Path) -> pd.DataFrame:
    """Return a table written by a study; ``attrs["provenance"]`` has its assumptions."""
    table = pq.read_table(path)
    frame = table.to_pandas()
    frame.attrs["provenance"] = json.loads((table.schema.metadata or {}).get(KEY, b"{}"))
    return frame


def averaged(result: TaskResult, spans: Sequence[Sequence[Span]], points: int) -> Array:
    """Return means (5, points, n), as in :data:`MEANS`, of curves over their spans [s]; NaN without results."""
    answered, sure = result.answered, result.sure
    times, every = result.times[answered], np.stack([sure[kind][answered] for kind in KINDS])
    slack = float(np.diff(times).max()) if len(times) > 1 else 0.0
    found: dict[Span, Array] = {}
    for start, end in set(chain(*spans)):
        if times[0] - slack <= start < end <= times[-1] + slack:
            at = np.linspace(start, end, points)
            found[start, end] = np.apply_along_axis(partial(np.interp, at, times), 1, every)
    curves = np.full((len(MEANS), points, len(spans)), np.nan)
    for i, own in enumerate(spans):
        if known := [found[span][..., i] for span in own if span in found]:
            curves[:-1, :, i] = np.ma.masked_invalid(known).mean(axis=0).filled(np.nan)
    curves[-1] = curves[KINDS.index("inertial")] - curves[KINDS.index("lumped")]
    return curves


def _add(sums: Array, trials: Sequence[Array]) -> None:
    """Add the mean of trials (5, points) to counts, means and squared deviations by Welford's method."""
    curve = np.ma.masked_invalid(trials).mean(axis=0).filled(np.nan)
    known, mean, squares = sums
    known += np.isfinite(curve)
    change = np.nan_to_num(curve - mean)
    mean += change / np.maximum(known, 1)
    squares += change * np.nan_to_num(curve - mean)


def collect(store: Store, tasks: Sequence[Task], settings: Section, assumptions: Mapping[str, Any]) -> Collected:
    """Write the study's tables, and return all except the curves."""
    points, text = settings.curves.points, settings.output.csv
    shared = _shared_times(store, tasks, settings.curves.axis)
    over = "time" if shared else "percent"
    peaks: list[pd.DataFrame] = []
    left_out, on_base = dict[str, None](), set[str]()
    sums: dict[Group, dict[Label, Array]] = {}
    counts = Counter[tuple[Group, Label, str]]()
    directions: dict[tuple[Group, Label], tuple[str, Array]] = {}
    differing: dict[tuple[str, str], str] = {}

    def curves() -> Iterator[pd.DataFrame]:
        for _, own in groupby(tasks, key=lambda task: task.trial.subject):
            of_subject: dict[tuple[Group, Label], list[Array]] = {}
            for task in own:
                result, trial = store.read(task.key), task.trial
                peaks.append(_peaks(task, result))
                yield _curves(task, result)
                span = shared.get(trial.condition)
                cycles = [(span,) if span else result.cycles_of(name, trial.events) for name in result.names]
                on_base.update(name for name, is_so in zip(result.names, result.on_base, strict=True) if is_so)
                if np.isnan(found := averaged(result, cycles, points)).all():
                    left_out[trial.id] = None
                    continue
                for i, label in enumerate(zip(result.quantities, result.names, result.units, strict=True)):
                    key = (trial.condition, task.grid), label
                    of_subject.setdefault(key, []).append(found[:, :, i])
                    other, direction = directions.setdefault(key, (trial.id, result.directions[i]))
                    if direction @ result.directions[i] < np.cos(np.radians(APART)):
                        differing.setdefault((trial.condition, label[1]), f"in '{other}' and '{trial.id}'")
            for (group, label), trials in of_subject.items():
                _add(sums.setdefault(group, {}).setdefault(label, np.zeros((3, *trials[0].shape))), trials)
                counts.update({(group, label, "subjects"): 1, (group, label, "trials"): len(trials)})

    curve_columns = TASK_COLUMNS | dict.fromkeys(("time", "percent", *KINDS), "number")
    _write(store.table("curves"), curve_columns, assumptions, curves(), text)
    table = pd.concat(peaks, ignore_index=True)
    peak_columns = {str(name): "number" for name in table if name not in {*TASK_COLUMNS, *MADE, ASKED}}
    _write(store.table("peaks"), TASK_COLUMNS | peak_columns | MADE, assumptions, [table], text)
    table["cutoff"] = table.pop(ASKED)
    frames = []
    for (condition, grid), by_label in sums.items():
        for label, (known, mean, squares) in by_label.items():
            if (condition, label[1]) in differing:
                continue
            spread = np.sqrt(np.where(known > 1, squares / np.maximum(known - 1, 1), np.nan))
            values: dict[str, Any] = dict(zip(MEANS, np.where(known > 0, mean, np.nan), strict=True))
            values |= zip((f"sd {name}" for name in MEANS), spread, strict=True)
            values[over] = np.linspace(*shared.get(condition, (0.0, 100.0)), points)
            values |= {what: counts[(condition, grid), label, what] for what in ("subjects", "trials")}
            values |= zip(("condition", *GRID, *NAMED), (condition, *texts(grid), *label), strict=True)
            frames.append(pd.DataFrame(values))
    columns = dict.fromkeys(("condition", *GRID, *NAMED), "text") | {"subjects": "count", "trials": "count"}
    columns |= dict.fromkeys((over, *MEANS, "sd lumped", "sd inertial", "sd difference"), "number")
    means = pd.concat(frames) if frames else pd.DataFrame(columns=list(columns))
    _write(store.table("mean_curves"), columns, assumptions, [means], text)
    compared = contrasts(table, assumptions["uncertainty"]["level"])
    _write(store.table("contrasts"), CONTRAST_COLUMNS, assumptions, [compared], text)
    notes = []
    if left_out:
        why = "no cycle, or motion or external loads that do not span it" if over == "percent" else "no time in common"
        notes.append(f"Not in mean curves ({why}): {first_of(left_out, MOST_NAMED)}.")
    if differing:
        pairs = {where: [name for (_, name), own in differing.items() if own == where] for where in differing.values()}
        which = first_of((f"{', '.join(names)} {where}" for where, names in pairs.items()), MOST_NAMED, "; ")
        notes.append(f"Not in mean curves (coordinates of one name move in different directions): {which}.")
    return Collected(means, table, compared, notes, on_base)


def _shared_times(store: Store, tasks: Sequence[Task], axis: str | None) -> dict[str, Span]:
    """Return the common time span of trials by condition; empty for means over cycles."""
    spans: dict[str, Span] = {}
    for task in tasks if axis != "cycle" else ():
        result = store.read(task.key)
        if axis is None and result.cycles_of("", task.trial.events):
            return {}
        first, last = result.span
        start, end = spans.get(task.trial.condition, (-np.inf, np.inf))
        spans[task.trial.condition] = (max(start, first), min(end, last))
    return spans


def _named(task: Task, result: TaskResult, repeats: int) -> dict[str, Any]:
    """Return the columns that identify the rows of a task."""
    each = zip(NAMED, (result.quantities, result.names, result.units), strict=True)
    columns: dict[str, Any] = {name: np.repeat(np.array(column, dtype=object), repeats) for name, column in each}
    columns |= zip((*LABELS, *GRID), (*task.trial.labels, *texts(task.grid)), strict=True)
    return columns | {"cutoff": np.nan if task.cutoff is None else task.cutoff}


def _curves(task: Task, result: TaskResult) -> pd.DataFrame:
    rows, count = len(result.times), len(result.names)
    values: dict[str, Any] = {kind: curve.T.ravel() for kind, curve in result.sure.items()}
    values["time"] = np.tile(result.times, count)
    percent = np.full((count, rows), np.nan)
    for i, name in enumerate(result.names):
        for start, end in result.cycles_of(name, task.trial.events):
            place = 100.0 * (result.times - start) / (end - start)
            within = (place >= 0.0) & (place <= 100.0) | (task.trial.events is not None)
            percent[i, within] = place[within]
    values["percent"] = percent.ravel()
    return pd.DataFrame(_named(task, result, rows) | values)


def _peaks(task: Task, result: TaskResult) -> pd.DataFrame:
    origin = result.provenance
    made = {
        "model": origin["model"]["name"],
        "muscles": origin["muscles with mass"],
        "muscle mass [kg]": origin["muscle mass [kg]"],
        "opensim_inertia": origin["versions"]["opensim_inertia"],
        "result": task.key,
        ASKED: texts(task.grid)[-1],
    }
    values = dict(zip(result.peak_columns, result.peaks.T, strict=True))
    values |= {name: np.nan for name in SIZES if name not in values}  # all values may be doubtful
    return pd.DataFrame(_named(task, result, 1) | values | made)


def contrasts(peaks: pd.DataFrame, level: float) -> pd.DataFrame:
    """Return differences of peaks between conditions, as means over subjects with both, with t intervals."""
    from scipy.special import stdtrit

    by, found = [*GRID, *NAMED, "size"], [pd.DataFrame(columns=list(CONTRAST_COLUMNS))]
    sizes = peaks.melt(["condition", "subject", *by[:-1]], SIZES, "size").assign(value=lambda rows: rows["value"].abs())
    wide = sizes.groupby([*by, "subject", "condition"], sort=False)["value"].mean().unstack("condition", sort=False)
    for reference, condition in combinations(wide.columns, 2):
        change = (wide[condition] - wide[reference]).dropna().groupby(by, sort=False)
        table = change.agg(subjects="count", difference="mean", sem="sem").reset_index()
        half = stdtrit(table["subjects"] - 1.0, 0.5 + level / 2) * table["sem"]
        ends = {"lower": table["difference"] - half, "upper": table["difference"] + half}
        found.append(table.assign(condition=condition, reference=reference, **ends))
    return pd.concat(found[1:] or found)


def write_failures(store: Store, failures: Sequence[Failure]) -> pd.DataFrame:
    """Write the table of failures, possibly without rows, and return it."""
    rows = [(*f.trial.labels, *f.grid, f.trial.setup, f.error, f.message) for f in failures]
    table = pd.DataFrame(rows, columns=[*LABELS, *GRID, "setup", "error", "message"])
    with writing(store.folder / FAILURES) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n")
    return table
