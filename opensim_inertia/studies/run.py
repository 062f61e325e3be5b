"""A study from its configuration to its tables."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from .._core.checks import shows_bar, warn
from .._core.errors import first_of
from .._core.provenance import versions
from .._core.warnings import FailedTasksWarning
from .result import StudyResult
from .store import CURVES, MEAN_CURVES, PEAKS, Store
from .tasks import Batch, Failure, Task, batches, expand
from .trials import read_trials
from .worker import Outcome, do_batch

if TYPE_CHECKING:
    from .config import Section

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
    outcomes = _computed(settings, store, tasks, client, shows_bar(progress))
    errors = {outcome.key: (outcome.error, outcome.message) for outcome in outcomes if outcome.error}
    present = store.present()
    done = [task for task in tasks if task.key in present]
    for task in tasks:
        if task.key not in present:
            error, message = errors.get(task.key, ("MissingResult", "a worker gave no result"))
            failures.append(Failure(task.trial, task.grid, error, message))
    _warn_of(failures, len(done))
    assumptions = _assumptions(settings)
    _write(settings, store, done, failures, assumptions, shows_bar(progress))
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


def _write(
    settings: Section,
    store: Store,
    tasks: Sequence[Task],
    failures: Sequence[Failure],
    assumptions: Mapping[str, Any],
    shows: bool,
) -> None:
    """Write tables, pictures and the first page."""
    from .collect import collect, write_failures
    from .index import write_index

    store.remove_temporary_files()
    write_failures(store, failures)
    collected, curves = None, settings.curves
    if tasks:
        with tqdm(total=len(tasks), disable=not shows, unit="result", desc="tables") as bar:
            collected = collect(store, tasks, curves.axis, curves.points, assumptions, bar.update)
    else:  # those of an earlier run
        for table in (CURVES, PEAKS, MEAN_CURVES):
            (store.folder / table).unlink(missing_ok=True)
    write_index(store, settings.name, assumptions, tasks, failures, collected, settings.output.pictures)


def _assumptions(settings: Section) -> dict[str, Any]:
    """Return the assumptions: versions, and the configuration without processes and output folder."""
    from .config import SECTIONS

    assumptions = {name: dict(settings[name]) for name in SECTIONS if name not in ("cluster", "output")}
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
