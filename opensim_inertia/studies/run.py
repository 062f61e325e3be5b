"""A study from its configuration to its results: places of its tables, failed tasks, tables and arrays."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from .._core.checks import shows_bar, warn
from .._core.errors import UnknownNameError, first_of
from .._core.provenance import versions
from .._core.representation import Described
from .._core.warnings import FailedTasksWarning
from .store import CURVES, FAILURES, INDEX, MEAN_CURVES, PEAKS, Store, TaskResult
from .tasks import GRID, Batch, Failure, Task, batches, expand, read_trials, texts
from .worker import Outcome, do_batch

if TYPE_CHECKING:
    from .config import Section

__all__ = ["StudyResult", "study"]

#: Failures that a warning describes.
MOST_NAMED = 3


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
        from .tables import MEANS, interpolated

        results = {task: self.of(task) for task in self.tasks}
        quantities = dict.fromkeys(each for result in results.values() for each in result.quantities)
        if quantity not in quantities:
            raise UnknownNameError("quantity", quantity, quantities)
        trials = {task.trial.id: task.trial for task in self.tasks}
        coordinates: dict[str, Any] = {"trial": list(trials)}
        coordinates |= {name: list(dict.fromkeys(texts(t.grid)[i] for t in self.tasks)) for i, name in enumerate(GRID)}
        names = (name for result in results.values() for name, _ in result.curves_of(quantity))
        coordinates |= {"name": list(dict.fromkeys(names)), "percent": np.linspace(0.0, 100.0, points)}
        shape = [len(values) for values in coordinates.values()]
        arrays = {kind: np.full(shape, np.nan) for kind in MEANS}
        times = np.full((len(trials), points), np.nan)
        for task, result in results.items():
            first, last = task.trial.events or (float(result.times[0]), float(result.times[-1]))
            at = np.linspace(first, last, points)
            curves = interpolated(result, at)
            if curves is None:
                continue
            labels = (task.trial.id, *texts(task.grid))
            where = tuple(coordinates[name].index(each) for name, each in zip(("trial", *GRID), labels, strict=True))
            times[where[0]] = at
            for name, i in result.curves_of(quantity):
                for kind, curve in zip(MEANS, curves[:, :, i], strict=True):
                    arrays[kind][(*where, coordinates["name"].index(name))] = curve
        further = {
            "subject": ("trial", [trial.subject for trial in trials.values()]),
            "condition": ("trial", [trial.condition for trial in trials.values()]),
            "time": (("trial", "percent"), times),
        }
        variables = {kind: (list(coordinates), values) for kind, values in arrays.items()}
        return xr.Dataset(variables, coordinates | further, {"quantity": quantity})

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
    from .index import write_index

    settings, folder, where = read_config(config, cluster)
    trials = read_trials(settings, folder, where)
    named = out if out is not None else folder / (settings.out or f"{settings.name}{SUFFIX}")
    store = Store(os.path.abspath(os.path.expanduser(named)))
    store.claim(settings.name, [trial.id for trial in trials])
    tasks, failures = expand(settings, trials)
    outcomes = _computed(settings, store, tasks, client, shows_bar(progress))
    errors = {outcome.key: (outcome.error, outcome.message) for outcome in outcomes if outcome.error}
    present = store.present()
    done = [task for task in tasks if task.key in present]
    for task in tasks:
        if task.key not in present:
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
    collected, curves = None, settings.curves
    if done:
        with tqdm(total=len(done), disable=not shows_bar(progress), unit="result", desc="tables") as bar:
            collected = tables.collect(store, done, curves.axis, curves.points, assumptions, bar.update)
    else:  # those of an earlier run
        for table in (CURVES, PEAKS, MEAN_CURVES):
            (store.folder / table).unlink(missing_ok=True)
    write_index(store, settings.name, assumptions, done, failures, collected, settings.output.pictures)
    cpu_seconds = sum(outcome.seconds for outcome in outcomes)
    return StudyResult(store.folder, tuple(done), tuple(failures), len(outcomes), cpu_seconds, assumptions)


def _computed(settings: Section, store: Store, tasks: Sequence[Task], client: Any, shows: bool) -> list[Outcome]:
    """Compute the tasks that have no result, in this process or in those of a client."""
    present, cluster = store.present(), settings.cluster
    open_tasks = {
        task.key: task
        for task in tasks
        if task.key not in present or (task.report and not store.report(task.key).is_file())
    }
    if not open_tasks:
        return []
    found: list[Outcome] = []
    version = versions()["opensim_inertia"]

    def shared(processes: int) -> list[Batch]:
        groups = batches(list(open_tasks.values()), processes)
        return [Batch(str(store.folder), tuple(group), version) for group in groups]

    with tqdm(total=len(open_tasks), disable=not shows, unit="task", desc="study") as bar:

        def done(batch: Batch, outcomes: Sequence[Outcome]) -> None:
            found.extend(outcomes)
            bar.update(len(batch.tasks))

        if client is None and cluster.workers == 0:
            for batch in shared(1):
                done(batch, do_batch(batch))
            return found
        from .cluster import connected, processes_of, run

        try:
            with connected(cluster.scheduler, cluster.workers, cluster.wait, client) as connection:
                if shows:
                    tqdm.write(f"dashboard: {connection.dashboard_link}", file=sys.stderr)
                run(connection, shared(processes_of(connection)), cluster.wait, done)
        finally:
            if client is None and cluster.scheduler is None:  # all who write have ended, perhaps by being killed
                store.remove_temporary_files()
    return found
