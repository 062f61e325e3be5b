"""A study from its configuration to its results: places of its tables, failed tasks, tables and arrays."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from .._core.checks import shows_bar, warn
from .._core.errors import StudyError, UnknownNameError, first_of
from .._core.provenance import versions
from .._core.representation import Described
from .._core.warnings import FailedTasksWarning
from ..analyses.inverse_dynamics.band import PLACES
from ..analyses.inverse_dynamics.summary import EXPECTED
from ..reports import Link, Table, write_document_page
from .tasks import GRID, LABELS, Failure, Task, batches, expand, read_trials, texts
from .worker import CURVES, DIFFERENCE, FAILURES, INDEX, MEAN_CURVES, MEANS, PEAKS, Outcome, Store, TaskResult, do_batch

if TYPE_CHECKING:
    from .config import Section


#: Failures that a warning describes.
MOST_NAMED = 3
#: Quantities in a picture, assumptions in it, pictures, and rows of tables on the page, at most.
MOST_PANELS, MOST_ASSUMED, MOST_PICTURES, MOST_ROWS = 6, 8, 20, 2000


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

        Without events a trial's cycle is all of its time with an answer. All results are read.

        Args:
            quantity: "generalized force", or of recruitment "activation", "force" or "reaction".
            points: how many points a cycle has.

        Raises:
            MissingPackageError: xarray is not installed. UnknownNameError: no result has that quantity. StudyError: no
                trial spans its events.
        """
        from .._core.xarray import xr
        from .tables import interpolated

        found, times = [], {}
        percent, quantities = np.linspace(0.0, 100.0, points), dict[str, None]()
        for task in self.tasks:
            result = self.of(task)
            quantities |= dict.fromkeys(result.quantities)
            first, last = task.trial.events or result.span
            at = np.linspace(first, last, points)
            if (curves := interpolated(result, at)) is None:
                continue
            times[task.trial.id] = at
            where = dict(zip(("trial", *GRID), (task.trial.id, *texts(task.grid)), strict=True))
            for name, i in result.curves_of(quantity):
                values = dict(zip(MEANS, curves[:, :, i], strict=True))
                found.append(pd.DataFrame(values | where | {"name": name, "percent": percent}))
        if quantity not in quantities:
            raise UnknownNameError("quantity", quantity, quantities)
        if not found:
            raise StudyError("no trial has answers from its first event to its last")
        view = xr.Dataset.from_dataframe(pd.concat(found).set_index(["trial", *GRID, "name", "percent"]))
        of_trials = {task.trial.id: task.trial for task in self.tasks}
        trials = [of_trials[str(name)] for name in view["trial"].to_numpy()]
        return view.assign_coords(
            subject=("trial", [trial.subject for trial in trials]),
            condition=("trial", [trial.condition for trial in trials]),
            time=(("trial", "percent"), np.stack([times[trial.id] for trial in trials])),
        ).assign_attrs(quantity=quantity)

    def _read(self, name: str) -> pd.DataFrame:
        from .tables import read_parquet

        return read_parquet(self.folder / name)


def study(
    config: str | os.PathLike[str] | Mapping[str, Any],
    client: Any = None,
    out: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    cluster: Mapping[str, Any] | None = None,
) -> StudyResult:
    """Run a study: every trial under every combination of assumptions, in parallel, and collect tables of all.

    Each task, one trial under one combination, gives what a single run of ``opensim-inertia id`` or ``recruit`` gives,
    to the bit. Its result has a file of its own, named by a hash of its options and of what its input files hold. What
    is there already is not computed again, so that a study that was interrupted goes on where it stopped, and one to
    which trials were added computes these only. A task that fails is a row of ``failures.csv``; the study goes on.

    The documentation (``docs/guides/studies.md``) explains each key of the configuration.

    Args:
        config: a TOML file, or the same as a dict, whose paths are relative to the working folder.
        client: a ``distributed.Client`` whose workers shall do the tasks; default: as the configuration says, which by
            default is processes of this machine. A script that starts these needs ``if __name__ == "__main__":``.
        out: folder of the results; default: as the configuration says, or ``<name>_results`` beside the file.
        progress: show a bar; default: on a terminal.
        cluster: ``scheduler``, ``workers`` or ``wait`` in place of what the configuration's section of that name says.

    Returns:
        the results, of which the tables are in ``out``.

    Raises:
        MissingPackageError: a package of the extra "study" is not installed.
        FileFormatError, UnknownNameError, StudyError: the configuration is wrong; the message names file and key.
        OutputError: the folder holds another study, or cannot be written.
        ClusterError: the scheduler cannot be reached, or its workers cannot do the tasks.
    """
    from . import tables  # if PyArrow is missing, this says so first
    from .config import SECTIONS, SUFFIX, read_config

    settings, folder, where = read_config(config, cluster)
    trials = read_trials(settings, folder, where)
    named = out if out is not None else folder / (settings.out or f"{settings.name}{SUFFIX}")
    store = Store(os.path.abspath(os.path.expanduser(named)))
    store.claim(settings.name, [trial.id for trial in trials])
    tasks, failures = expand(settings, trials)
    outcomes = _computed(settings, store, tasks, client, shows_bar(progress))
    errors = {outcome.key: (outcome.error, outcome.message) for outcome in outcomes if outcome.error}
    done: list[Task] = []
    for task in tasks:
        if store.has(task.key, False):
            done.append(task)
        else:
            error, message = errors.get(task.key, ("MissingResult", "a worker gave no result"))
            failures.append(Failure(task.trial, task.grid, error, message))
    if failures:
        by_message = {(f.trial.id, f.message): f for f in failures}
        descriptions = first_of((f"trial '{f.trial.id}': {f.message}" for f in by_message.values()), MOST_NAMED, "; ")
        warn(FailedTasksWarning(f"{len(failures)} of {len(done) + len(failures)} tasks failed: {descriptions}"))
    kept: dict[str, Any] = {name: dict(settings[name]) for name in SECTIONS if name not in ("cluster", "output")}
    for name in ("table", "reference"):
        if kept["masses"][name] is not None:
            kept["masses"][name] = Path(kept["masses"][name]).name
    assumptions = {"study": settings.name, **versions(), **kept}
    store.remove_temporary_files()
    tables.write_failures(store, failures)
    collected: tuple[pd.DataFrame, list[str], set[str]] | None = None
    if done:
        collected = tables.collect(store, done, settings.curves.axis, settings.curves.points, assumptions)
    else:  # those of an earlier run
        for table in (CURVES, PEAKS, MEAN_CURVES):
            (store.folder / table).unlink(missing_ok=True)
    _write_index(store, settings.name, assumptions, done, failures, collected, settings.output.pictures)
    cpu_seconds = sum(outcome.seconds for outcome in outcomes)
    return StudyResult(store.folder, tuple(done), tuple(failures), len(outcomes), cpu_seconds, assumptions)


def _computed(settings: Section, store: Store, tasks: Sequence[Task], client: Any, shows: bool) -> list[Outcome]:
    """Compute the tasks that have no result, in this process or in those of a client."""
    cluster = settings.cluster
    unique = {task.key: task for task in tasks}.values()
    open_tasks = [task for task in unique if not store.has(task.key, task.report)]
    if not open_tasks:
        return []
    found: list[Outcome] = []
    with tqdm(total=len(open_tasks), disable=not shows, unit="task", desc="study") as bar:

        def done(outcomes: list[Outcome]) -> None:
            found.extend(outcomes)
            bar.update(len(outcomes))

        if client is None and cluster.workers == 0:
            for batch in batches(open_tasks, 1):
                done(do_batch(batch, str(store.folder), versions()["opensim_inertia"]))
            return found
        from .cluster import connected, processes_of, run

        try:
            with connected(cluster.scheduler, cluster.workers, cluster.wait, client) as connection:
                if shows:
                    tqdm.write(f"dashboard: {connection.dashboard_link}", file=sys.stderr)
                groups = batches(open_tasks, processes_of(connection))
                run(connection, str(store.folder), groups, cluster.wait, done)
        finally:
            if client is None and cluster.scheduler is None:  # all who write have ended, perhaps by being killed
                store.remove_temporary_files()
    return found


def _write_index(
    store: Store,
    name: str,
    assumptions: Mapping[str, Any],
    tasks: Sequence[Task],
    failures: Sequence[Failure],
    collected: tuple[pd.DataFrame, list[str], set[str]] | None,
    pictures: bool,
) -> None:
    """Write the page and its pictures."""
    links: list[str | Link] = [f"{len(tasks)} tasks done, {len(failures)} failed. Tables:"]
    for file in sorted(path.name for path in store.folder.glob("[!.]*") if path.suffix in (".parquet", ".csv")):
        links += [" ", Link(file, file)]
    sections: list[tuple[str, list[Any]]] = [("", [links])]
    if collected is not None:
        means, left_out, on_base = collected
        sections += _pictures(store, means, on_base, assumptions) if pictures else []
        if left_out:
            some = ", ".join(left_out[:10]) + (" and others" if left_out[10:] else "")
            why = "as their motion, or its external loads, do not span them"
            sections.append(("", [f"Not in mean curves, {why}: {some}."]))
    if failures:
        failed = [(f.trial.id, *texts(f.grid), f.error, f.message) for f in failures]
        sections.append(("Failures", [_table("Tasks that failed", ("trial", *GRID, "error", "message"), failed)]))
    done: list[tuple[str | Link, ...]] = []
    for task in tasks:
        target = store.report(task.key).relative_to(store.folder).as_posix()
        done.append((*task.trial.labels, *texts(task.grid), Link("report", target) if task.report else ""))
    sections.append(("Trials", [_table("Tasks that were done", (*LABELS, *GRID, ""), done)]))
    rows = [
        (f"{name}, {key}" if key else name, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for name, section in sorted(assumptions.items())
        for key, value in (section.items() if isinstance(section, dict) else [("", section)])
        if value not in (None, [])
    ]
    sections.append(("What was assumed", [Table("Options and versions", ("option", "value"), rows)]))
    write_document_page(store.folder / INDEX, f"Study {name}", sections)


def _pictures(
    store: Store, means: pd.DataFrame, on_base: Collection[str], assumptions: Mapping[str, Any]
) -> list[tuple[str, list[Any]]]:
    """Draw the mean curves of each condition and quantity, and return a section for each."""
    unknown = assumptions["uncertainty"]
    about = (
        f"Difference: inertial - lumped. Band: {100 * unknown['level']:g} % of draws, masses with a coefficient of "
        f"variation of {100 * unknown['mass_cv']:g} %{PLACES if unknown['placement'] else ''}. "
        f"opensim_inertia {assumptions['opensim_inertia']}."
    )
    drawn = means[means["quantity"].isin(("generalized force", "activation"))]
    tables = list(drawn.groupby(["condition", "quantity"], sort=False))[:MOST_PICTURES]
    sections = []
    for number, ((condition, quantity), table) in enumerate(tables, 1):
        file = store.folder / f"mean_curves_{number}.png"
        trials = f"{table['trials'].iloc[0]} trials of {table['subjects'].iloc[0]} subjects"
        _draw(table, on_base, f"Condition {condition}: {trials}. {about}", file)
        picture = Link(f"mean {quantity} of condition {condition}", file.name)
        sections.append((f"{condition}: {quantity}, {trials}", [[picture]]))
    return sections


def _draw(table: pd.DataFrame, on_base: Collection[str], caption: str, file: Path) -> None:
    """Draw a condition's mean curves: joints first, of these expected ones, then those that change most."""
    from ..plotting.forces import draw_means

    combinations = dict(list(table.groupby(list(GRID), sort=False)))
    drawn = list(combinations)[:MOST_ASSUMED]
    if len(combinations) > len(drawn):
        caption += f" {len(combinations) - len(drawn)} more combinations of assumptions are in the tables."
    by_label = [dict(list(combinations[each].groupby(["name", "unit"], sort=False))) for each in drawn]

    def rank(label: tuple[str, str]) -> tuple[bool, bool, bool, float]:
        change = by_label[0][label][DIFFERENCE].to_numpy()
        return label[0] in on_base, label[1] == "N", not EXPECTED.search(label[0]), -float(np.nansum(change**2))

    labels = [label for label in sorted(by_label[0], key=rank) if all(label in each for each in by_label)]
    panels = {
        label: [{name: each[label][name].to_numpy() for name in (*MEANS, "sd inertial")} for each in by_label]
        for label in labels[:MOST_PANELS]
    }
    over, text = ("percent", "% of the cycle") if "percent" in table else ("time", "time [s]")
    varied = [name for name in GRID if table[name].nunique() > 1] or [GRID[0]]
    assumed = [", ".join(_assumption(name, each[GRID.index(name)]) for name in varied) for each in drawn]
    draw_means(next(iter(by_label[0].values()))[over].to_numpy(), text, assumed, panels, caption, file)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str | Link]]) -> Table:
    """Return a table of the first rows, and how many more there are."""
    return Table(title, head, rows[:MOST_ROWS], f"and {len(rows) - MOST_ROWS} more" if rows[MOST_ROWS:] else "")


def _assumption(name: str, value: str) -> str:
    return f"{name} {value}{' Hz' if name == 'cutoff' and value[0].isdigit() else ''}"
