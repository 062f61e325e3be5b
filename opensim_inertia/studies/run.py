"""A study from its configuration to its tables."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from .._core.checks import shows_bar, warn
from .._core.errors import first_of
from .._core.provenance import plain, versions
from .._core.warnings import FailedTasksWarning
from .result import StudyResult
from .store import Store
from .tasks import Batch, Failure, Task, batches, expand
from .trials import Trial, read_trials
from .worker import Outcome, do_batch

if TYPE_CHECKING:
    from .config import Config

__all__ = ["study"]

#: Failures that a warning describes.
MOST_NAMED = 3


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
    from . import parquet  # noqa: F401 - if it is missing, say so first
    from .config import SUFFIX, read_config

    settings, folder, where = read_config(config, cluster)
    trials = read_trials(settings, folder, where)
    named = out if out is not None else folder / (settings.out or f"{settings.name}{SUFFIX}")
    store = Store(os.path.abspath(os.path.expanduser(named)))
    store.claim(settings.name, [trial.id for trial in trials])
    tasks, failures = expand(settings, trials)
    run = _Run(settings, store, progress)
    errors = run.compute(tasks, client)
    present = store.present()
    done = [task for task in tasks if task.key in present]
    for task in tasks:
        if task.key not in present:
            error, message = errors.get(task.key, ("MissingResult", "a worker gave no result"))
            failures.append(Failure(task.trial, task.grid, error, message))
    _warn_of(failures, len(done))
    assumptions = _assumptions(settings)
    run.write(done, failures, assumptions)
    return StudyResult(store.folder, tuple(done), tuple(failures), run.computed, run.cpu_seconds, assumptions)


class _Run:
    """The computing of a study.

    Attributes:
        computed: how many tasks were computed.
        cpu_seconds: processor time that they took [s].
    """

    def __init__(self, settings: Config, store: Store, progress: bool | None) -> None:
        self._settings, self._store, self._shows = settings, store, shows_bar(progress)
        self.computed, self.cpu_seconds = 0, 0.0
        self._errors: dict[str, tuple[str, str]] = {}

    def compute(self, tasks: Sequence[Task], client: Any) -> dict[str, tuple[str, str]]:
        """Compute the tasks that have no result; return error and message of those that fail, by key."""
        present = self._store.present()
        open_tasks: dict[str, Task] = {}
        for task in tasks:
            if task.key not in present or (task.report and not self._store.report(task.key).is_file()):
                open_tasks.setdefault(task.key, task)
        with tqdm(total=len(open_tasks), disable=not self._shows, unit="task", desc="study") as bar:
            if open_tasks:
                self._compute(list(open_tasks.values()), client, bar)
        return self._errors

    def _compute(self, tasks: Sequence[Task], client: Any, bar: Any) -> None:
        """Compute tasks in this process, or in those of a client, and note processor time and errors."""
        cluster = self._settings.cluster

        def done(batch: Batch, outcomes: Sequence[Outcome]) -> None:
            for outcome in outcomes:
                self.computed += 1
                self.cpu_seconds += outcome.seconds
                if outcome.error:
                    self._errors[outcome.key] = (outcome.error, outcome.message)
            bar.update(len(batch.tasks))

        if client is None and cluster.workers == 0:
            for batch in self._batches(tasks, 1):
                done(batch, do_batch(batch))
            return
        from .cluster import connected, processes_of, run

        try:
            with connected(cluster.scheduler, cluster.workers, cluster.wait, client) as connection:
                if self._shows:
                    tqdm.write(f"dashboard: {connection.dashboard_link}", file=sys.stderr)
                run(connection, self._batches(tasks, processes_of(connection)), cluster.wait, done)
        finally:
            if client is None and cluster.scheduler is None:  # all who write have ended, perhaps by being killed
                self._store.remove_temporary_files()

    def _batches(self, tasks: Sequence[Task], processes: int) -> list[Batch]:
        version = versions()["opensim_inertia"]
        folder = str(self._store.folder)
        return [Batch(folder, tuple(each), version) for each in batches(tasks, processes)]

    def write(self, tasks: Sequence[Task], failures: Sequence[Failure], assumptions: Mapping[str, Any]) -> None:
        """Write tables, pictures and the first page, unless they are there and were made of the same."""
        curves, pictures = self._settings.curves, self._settings.output.pictures
        content = _content_hash(
            self._settings.name, tasks, failures, assumptions, [curves.axis, curves.points, pictures]
        )
        if self._store.is_written(content):
            return
        from .collect import collect, write_failures
        from .index import write_index

        write_failures(self._store, failures)
        collected = None
        if tasks:
            with tqdm(total=len(tasks), disable=not self._shows, unit="result", desc="tables") as bar:
                collected = collect(self._store, tasks, curves.axis, curves.points, assumptions, bar.update)
        write_index(self._store, self._settings.name, assumptions, tasks, failures, collected, pictures)
        self._store.tidy(tables=bool(tasks))
        self._store.mark_written(content)


def _content_hash(
    name: str,
    tasks: Sequence[Task],
    failures: Sequence[Failure],
    assumptions: Mapping[str, Any],
    options: Sequence[Any],
) -> str:
    """Return a hash of all that tables and the first page are made of, results by their keys."""
    done = [[task.key, *_label(task.trial), task.trial.events, task.grid, task.cutoff, task.report] for task in tasks]
    failed = [[*_label(each.trial), each.trial.setup, each.grid, each.error, each.message] for each in failures]
    text = json.dumps(plain([name, assumptions, options, done, failed]), sort_keys=True, default=str)
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


def _label(trial: Trial) -> tuple[str, str, str]:
    return trial.id, trial.subject, trial.condition


def _assumptions(settings: Config) -> dict[str, Any]:
    """Return the assumptions: versions, and the configuration without processes and output folder."""
    assumptions = settings.model_dump(mode="json", exclude={"trial", "out", "cluster", "output", "name"})
    for name in ("table", "reference"):
        if assumptions["masses"][name] is not None:
            assumptions["masses"][name] = Path(assumptions["masses"][name]).name
    return {"study": settings.name, **versions(), **assumptions}


def _warn_of(failures: Sequence[Failure], done: int) -> None:
    if not failures:
        return
    by_message = {(f.trial.id, f.message): f for f in failures}
    descriptions = first_of((f"trial '{f.trial.id}': {f.message}" for f in by_message.values()), MOST_NAMED, "; ")
    warn(FailedTasksWarning(f"{len(failures)} of {done + len(failures)} tasks failed: {descriptions}"))
