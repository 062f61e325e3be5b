"""Tables of a study: curves, peaks, means over trials, and contrasts of conditions.

Trials are averaged within a subject first, then subjects, without doubtful points; deviations are between subjects. The
mean band is the mean of the trials' bands, exact if all share the unknown masses and belly positions.
"""

from __future__ import annotations

import json
import pickle
import secrets
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
from .tasks import GRID, LABELS, Task, texts
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
CURVE_COLUMNS = TASK_COLUMNS | dict.fromkeys(("time", "percent", *KINDS), "number")
#: Columns of peaks on provenance.
MADE = {"model": "text", "muscles": "count", "muscle mass [kg]": "number", "opensim_inertia": "text", "result": "text"}
#: Columns of peaks that contrasts compare.
SIZES = ["lumped peak", "largest difference", "largest difference [%]", "difference RMS"]
#: Column of the requested cut-off.
ASKED = "cutoff asked for"
#: Columns of peaks that are not written: whether a trial is in no mean, or a coordinate moves the model; directions.
OUT, ON_BASE = "left out", "on base"
NOT_WRITTEN = (ASKED, OUT, ON_BASE, *"xyz")
CONTRAST_COLUMNS = dict.fromkeys(("condition", "reference", *GRID, *NAMED, "size"), "text") | {"subjects": "count"}
CONTRAST_COLUMNS |= dict.fromkeys(("difference", "lower", "upper"), "number")
#: Largest angle [degrees] between the directions of equal coordinates; number of names in notes.
APART, MOST_NAMED = 60.0, 10

#: Ending of parts of curves.
ARROW = ".arrow"

Key = tuple[str, tuple[str | float, ...], str, str, str]
"""Condition, assumptions, quantity, name and unit of a mean curve."""


class Collected(NamedTuple):
    """Tables and notes for a study's page, and names of coordinates that move the whole model."""

    means: pd.DataFrame
    peaks: pd.DataFrame  # with the requested cut-off
    contrasts: pd.DataFrame
    notes: list[str]
    on_base: set[str]


def _schema(columns: Mapping[str, str], assumptions: Mapping[str, Any]) -> Any:
    metadata = {KEY: json.dumps(assumptions, sort_keys=True)}
    return pa.schema([(name, TYPES[kind]) for name, kind in columns.items()], metadata)


def _rows(frame: pd.DataFrame, schema: Any) -> Any:
    """Return a DataFrame as an Arrow table of a schema; columns missing in the frame become empty."""
    return pa.Table.from_pandas(frame.reindex(columns=schema.names), schema, preserve_index=False)


def _write(store: Store, text: bool, assumptions: Any, name: str, columns: Mapping[str, str], tables: Any) -> None:
    """Write frames or batches of rows, one after the other, to a Parquet table and, if ``text``, to a .csv file."""
    path, schema = store.table(name), _schema(columns, assumptions)
    beside = path.with_suffix(".csv")
    if not text:
        beside.unlink(missing_ok=True)
    with ExitStack() as stack:
        temporary = [stack.enter_context(writing(file)) for file in ((path, beside) if text else (path,))]
        sinks = [stack.enter_context(file.open("wb")) for file in temporary]  # pyarrow would leave a file open
        writers = [stack.enter_context(pq.ParquetWriter(sinks[0], schema, compression="zstd"))]
        writers += [stack.enter_context(pc.CSVWriter(sink, schema)) for sink in sinks[1:]]
        for table in tables:
            rows = _rows(table, schema) if isinstance(table, pd.DataFrame) else table
            for writer in writers:
                writer.write(rows)


def read_parquet(path: Path) -> pd.DataFrame:
    """Return a table that a study wrote; ``attrs["provenance"]`` has the study's assumptions."""
    table = pq.read_table(path)
    frame = table.to_pandas()
    frame.attrs["provenance"] = json.loads((table.schema.metadata or {}).get(KEY, b"{}"))
    return frame


def averaged(result: TaskResult, spans: Sequence[Sequence[Span]], points: int) -> Array:
    """Return means of n curves over time spans (cycles): (5, points, n), 5 as in :data:`MEANS`; NaN without spans."""
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
            curves[:-1, :, i] = _mean(known)
    curves[-1] = curves[KINDS.index("inertial")] - curves[KINDS.index("lumped")]
    return curves


def _mean(curves: Any) -> Array:
    """Return the mean of arrays of one shape; NaN entries are ignored."""
    known = np.isfinite(curves).sum(axis=0)
    return np.asarray(np.nansum(curves, axis=0) / np.where(known, known, np.nan))


def _add(sums: dict[Key, Array], key: Key, more: Array) -> None:
    """Merge 5 curves' counts, means, squared deviations ``more`` (3, 5, points) into ``sums[key]`` (Chan et al.)."""
    n, mean, squares = sums.setdefault(key, np.zeros_like(more))
    every, change = n + more[0], more[1] - mean
    share = more[0] / np.maximum(every, 1)
    sums[key] = np.array([every, mean + change * share, squares + more[2] + change**2 * n * share])


def tabulate(
    tasks: Sequence[Task], folder: str, settings: Section, shared: Mapping[str, Span], assumptions: Mapping[str, Any]
) -> Path:
    """Write curves, peaks and curve statistics over subjects for :func:`collect`; return the path of the last two."""
    store, path = Store(Path(folder)), Path(folder) / f".part.{secrets.token_hex(6)}.pickle"
    peaks, sums, counts = list[pd.DataFrame](), dict[Key, Array](), Counter[tuple[Key, str]]()
    schema, options = _schema(CURVE_COLUMNS, assumptions), pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_stream(path.with_suffix(ARROW), schema, options=options) as writer:
        for _, own in groupby(tasks, key=lambda task: task.trial.subject):
            of_subject: dict[Key, list[Array]] = {}
            for task in own:
                result, trial = store.read(task.key), task.trial
                writer.write(_rows(_curves(task, result), schema))
                span = shared.get(trial.condition)
                cycles = [(span,) if span else result.cycles_of(name, trial.events) for name in result.names]
                found = averaged(result, cycles, settings.curves.points)
                is_out = bool(np.isnan(found).all())
                about = dict(zip("xyz", result.directions.T, strict=True)) | {OUT: is_out, ON_BASE: result.on_base}
                peaks.append(_peaks(task, result).assign(**about))
                for i, label in enumerate(zip(result.quantities, result.names, result.units, strict=True)):
                    if not is_out:
                        of_subject.setdefault((trial.condition, task.grid, *label), []).append(found[:, :, i])
            for key, trials in of_subject.items():
                mean = _mean(trials)
                _add(sums, key, np.array([np.isfinite(mean), np.nan_to_num(mean), np.zeros_like(mean)]))
                counts.update({(key, "subjects"): 1, (key, "trials"): len(trials)})
    path.write_bytes(pickle.dumps((pd.concat(peaks), sums, counts)))
    return path


def _tables(paths: Iterable[Path]) -> Iterator[Any]:
    for path in paths:
        with pa.memory_map(str(path.with_suffix(ARROW))) as file, pa.ipc.open_stream(file) as stream:
            yield from stream


def collect(
    paths: Sequence[Path], store: Store, settings: Section, shared: Mapping[str, Span], assumptions: Mapping[str, Any]
) -> Collected:
    """Combine files of :func:`tabulate` into the study's tables; return all tables except the curves."""
    over = "time" if shared else "percent"
    write = partial(_write, store, settings.output.csv, assumptions)
    peaks, sums, counts = list[pd.DataFrame](), dict[Key, Array](), Counter[tuple[Key, str]]()
    for path in paths:
        of_part, others, numbers = pickle.loads(path.read_bytes())
        peaks.append(of_part)
        counts += numbers
        for key, more in others.items():
            _add(sums, key, more)
    write("curves", CURVE_COLUMNS, _tables(paths))
    table = pd.concat(peaks, ignore_index=True)
    peak_columns = {str(name): "number" for name in table if name not in {*TASK_COLUMNS, *MADE, *NOT_WRITTEN}}
    write("peaks", TASK_COLUMNS | peak_columns | MADE, [table])
    table["cutoff"] = table.pop(ASKED)
    meant, by = table[~table[OUT]], ["condition", *GRID, *NAMED]
    firsts = meant.groupby(by, sort=False)[["trial", *"xyz"]].transform("first")
    apart = (meant[[*"xyz"]] * firsts[[*"xyz"]]).sum(axis=1, skipna=False) < np.cos(np.radians(APART))
    columns = (*(meant[name][apart] for name in ("condition", "name", "trial")), firsts["trial"][apart])
    differing: dict[tuple[str, str], str] = {}
    for condition, name, trial, other in zip(*columns, strict=True):
        differing.setdefault((condition, name), f"in '{other}' and '{trial}'")
    frames, groups = [], list(dict.fromkeys(key[:2] for key in sums))
    for key in sorted(sums, key=lambda key: groups.index(key[:2])):
        (condition, grid, *label), (known, mean, squares) = key, sums[key]
        if (condition, key[3]) in differing:
            continue
        spread = np.sqrt(np.where(known > 1, squares / np.maximum(known - 1, 1), np.nan))
        values: dict[str, Any] = dict(zip(MEANS, np.where(known > 0, mean, np.nan), strict=True))
        values |= zip((f"sd {name}" for name in MEANS), spread, strict=True)
        values[over] = np.linspace(*shared.get(condition, (0.0, 100.0)), settings.curves.points)
        values |= {what: counts[key, what] for what in ("subjects", "trials")}
        values |= zip(("condition", *GRID, *NAMED), (condition, *texts(grid), *label), strict=True)
        frames.append(pd.DataFrame(values))
    mean_columns = dict.fromkeys(("condition", *GRID, *NAMED), "text") | {"subjects": "count", "trials": "count"}
    mean_columns |= dict.fromkeys((over, *MEANS, "sd lumped", "sd inertial", "sd difference"), "number")
    means = pd.concat(frames) if frames else pd.DataFrame(columns=list(mean_columns))
    write("mean_curves", mean_columns, [means])
    compared = contrasts(table, assumptions["uncertainty"]["level"])
    write("contrasts", CONTRAST_COLUMNS, [compared])
    notes = []
    if table[OUT].any():
        why = "no cycle, or motion or external loads that do not span it" if over == "percent" else "no time in common"
        notes.append(f"Not in mean curves ({why}): {first_of(dict.fromkeys(table['trial'][table[OUT]]), MOST_NAMED)}.")
    if differing:
        pairs = {where: [name for (_, name), own in differing.items() if own == where] for where in differing.values()}
        which = first_of((f"{', '.join(names)} {where}" for where, names in pairs.items()), MOST_NAMED, "; ")
        notes.append(f"Not in mean curves (coordinates of one name move in different directions): {which}.")
    return Collected(means, table, compared, notes, set(table["name"][table[ON_BASE].astype(bool)]))


def shared_times(tasks: Sequence[Task], axis: str | None) -> dict[str, Span]:
    """Return the time span common to all trials of each condition; {} if means are over gait cycles."""
    if axis == "cycle" or (axis is None and any(task.has_cycle for task in tasks)):
        return {}
    spans: dict[str, Span] = {}
    for task in tasks:
        start, end = spans.get(task.trial.condition, task.span)
        spans[task.trial.condition] = (max(start, task.span[0]), min(end, task.span[1]))
    return spans


def _named(task: Task, result: TaskResult, repeats: int) -> dict[str, Any]:
    """Return the columns that identify a task's curves in a table, with ``repeats`` rows per curve."""
    each = zip(NAMED, (result.quantities, result.names, result.units), strict=True)
    columns: dict[str, Any] = {name: np.repeat(np.array(column, dtype=object), repeats) for name, column in each}
    columns |= zip((*LABELS, *GRID), (*task.trial.labels, *texts(task.grid)), strict=True)
    cutoff = result.provenance["cut-off [Hz]"]
    return columns | {"cutoff": np.nan if cutoff is None else cutoff}


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
    """Return differences of peaks between conditions: means over subjects with both conditions, and t intervals."""
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


def write_failures(store: Store, failed: Sequence[Task]) -> pd.DataFrame:
    """Write and return the table of failed tasks, even if no task failed."""
    rows = [(*task.trial.labels, *task.grid, task.trial.setup, task.error, task.message) for task in failed]
    table = pd.DataFrame(rows, columns=[*LABELS, *GRID, "setup", "error", "message"])
    with writing(store.folder / FAILURES) as temporary:
        table.to_csv(temporary, index=False, lineterminator="\n")
    return table
