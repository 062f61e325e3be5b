"""The function ``study``, and results of studies."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from .._core.checks import shows_bar, warn
from .._core.errors import StudyError, UnknownNameError, first_of
from .._core.provenance import versions
from .._core.representation import Described
from .._core.warnings import FailedTasksWarning, InputWarning
from ..analyses.inverse_dynamics.band import PLACES
from ..analyses.inverse_dynamics.summary import EXPECTED, LARGEST, SHOWN, largest_change
from ..reports import Link, Table, write_document_page
from ..reports.content import number
from .tasks import GRID, LABELS, Task, batches, expand, parts, read_trials, texts
from .worker import FAILURES, INDEX, MEANS, REPORTS, Span, Store, TaskResult, do_batch

if TYPE_CHECKING:
    from .config import Section as Options
    from .tables import Collected


#: Failures that a warning describes.
MOST_NAMED = 3
#: Limits: quantities and assumptions per picture, pictures, and rows of tables on the page.
MOST_PANELS, MOST_ASSUMED, MOST_PICTURES, MOST_ROWS = 6, 8, 20, 2000

Section = tuple[str, list[Any]]
"""Heading and parts of a section of the page."""


@dataclass(frozen=True, repr=False)
class StudyResult(Described):
    """Results of a study (see :func:`study`).

    Attributes:
        folder: folder of all files.
        tasks: tasks with a result.
        failed: tasks without a result, with errors.
        computed: number of newly computed tasks.
        cpu_seconds: processor time of these [s].
        provenance: the configuration, without workers and folder, and versions.
        headline: a sentence on the largest change by muscle inertia; "" without a result.
    """

    folder: Path
    tasks: tuple[Task, ...]
    failed: tuple[Task, ...]
    computed: int
    cpu_seconds: float
    provenance: Mapping[str, Any]
    headline: str = ""

    def description(self) -> dict[str, str]:
        """Return the main facts of the study as text."""
        return {
            "study": str(self.provenance["study"]),
            "tasks": f"{len(self.tasks)} done, {self.computed} of them now, {len(self.failed)} failed",
            "trials": str(len({task.trial.id for task in self.tasks})),
            "folder": str(self.folder),
        }

    @property
    def index(self) -> Path:
        """The path of the study's main HTML page."""
        return self.folder / INDEX

    def curves(self) -> pd.DataFrame:
        """Return all curves as a tidy table: a row per trial, assumption, quantity, name and time.

        Columns ``lumped`` and ``inertial`` are the results, ``lower`` and ``upper`` the band around ``inertial``,
        ``percent`` the per cent of the cycle between the trial's events, or contacts of the curve's foot. Units are in
        a column. Forces on coupled coordinates are projected onto independent ones.
        """
        return self._read("curves")

    def peaks(self) -> pd.DataFrame:
        """Return signed peaks, a row per trial, assumption and curve, with the columns of a single run's summary."""
        return self._read("peaks")

    def mean_curves(self) -> pd.DataFrame:
        """Return mean curves by condition and assumption, uncertainty bands, and standard deviations over subjects."""
        return self._read("mean_curves")

    def contrasts(self) -> pd.DataFrame:
        """Return differences of peak sizes between conditions: means over the subjects with both conditions.

        Column ``difference`` is ``condition`` minus ``reference``; ``lower`` and ``upper`` are its confidence interval
        by Student's t, paired by subject, at the band's level.
        """
        return self._read("contrasts")

    def failures(self) -> pd.DataFrame:
        """Return the tasks that failed, with class and message of the error."""
        return pd.read_csv(self.folder / FAILURES, dtype=dict.fromkeys(("trial", "subject", *GRID), "str"))

    def of(self, task: Task) -> TaskResult:
        """Return the results and provenance of one task."""
        return Store(self.folder).read(task.key)

    def to_xarray(self, quantity: str = "generalized force", points: int = 101) -> Any:
        """Return curves as an ``xarray.Dataset`` over trial, assumption, name and percent of the cycle.

        Cycles are those of mean curves; without cycles a trial's whole time span is used. All results are read. Times
        are NaN for trials with several cycles.

        Args:
            quantity: "generalized force", or for recruitment "activation", "force" or "reaction".
            points: number of points of a cycle.

        Raises:
            MissingPackageError: xarray is not installed. UnknownNameError: no result has this quantity. StudyError: no
                trial spans its events.
        """
        from .._core.xarray import xr
        from .tables import averaged

        found, times = [], {}
        percent, quantities = np.linspace(0.0, 100.0, points), dict[str, None]()
        for task in self.tasks:
            result = self.of(task)
            quantities |= dict.fromkeys(result.quantities)
            spans = [result.cycles_of(name, task.trial.events) or (result.span,) for name in result.names]
            if np.isnan(curves := averaged(result, spans, points)).all():
                continue
            several = len({span for own in spans for span in own}) > 1
            times[task.trial.id] = np.full(points, np.nan) if several else np.linspace(*spans[0][0], points)
            where = dict(zip(("trial", *GRID), (task.trial.id, *texts(task.grid)), strict=True))
            for i, name in enumerate(result.names):
                if result.quantities[i] == quantity:
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

        return read_parquet(Store(self.folder).table(name))


def study(
    config: str | os.PathLike[str] | Mapping[str, Any],
    client: Any = None,
    out: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    cluster: Mapping[str, Any] | None = None,
) -> StudyResult:
    """Run a study: every trial under every combination of assumptions, in parallel, and collect tables.

    A task is one trial under one combination. Its results equal those of a single run of ``opensim-inertia id`` or
    ``recruit``, bit by bit. Each result is a file named by a hash of options and contents of input files; existing
    results are not computed again, so that an interrupted study continues. A failed task is a row of ``failures.csv``;
    the study continues.

    Args:
        config: a TOML file with the keys of ``docs/guides/studies.md``, or a dict; paths in a dict are relative to the
            working folder.
        client: a ``distributed.Client`` with workers for the tasks; default: as configured, else processes of this
            machine. A script that starts these needs ``if __name__ == "__main__":``.
        out: folder of the results; default: as configured, else ``<name>_results`` beside the file.
        progress: show a bar; default: on a terminal.
        cluster: ``scheduler``, ``workers`` or ``wait``, replacing those in the configuration's section.

    Returns:
        the results, with tables in ``out``.

    Raises:
        MissingPackageError: a package of the extra "study" is not installed.
        FileFormatError, UnknownNameError, StudyError: the configuration is wrong; the message names file and key.
        OutputError: the folder holds another study, or cannot be written.
        ClusterError: the scheduler cannot be reached, or its workers cannot do the tasks.
    """
    from . import tables  # a missing PyArrow raises its error first
    from .config import SECTIONS, SUFFIX, read_config
    from .config import Section as Options

    settings, folder, where = read_config(config, cluster)
    trials = read_trials(settings, folder, where)
    named = out if out is not None else folder / (settings.out or f"{settings.name}{SUFFIX}")
    store = Store(Path(named).expanduser().absolute())
    store.claim(settings.name, [trial.id for trial in trials])
    kept: dict[str, Any] = {name: dict(settings[name]) for name in SECTIONS if name not in ("cluster", "output")}
    masses = kept["masses"]
    masses |= {name: masses[name] and Path(masses[name]).name for name in ("table", "reference")}
    assumptions = {"study": settings.name, **versions(), **kept}
    asked, here = Options({name: settings[name] for name in SECTIONS}), str(store.folder)
    tasks = expand(settings, trials)
    headline, notes, sections = "", list[str](), list[Section]()
    with _workers(settings.cluster, store, client, shows_bar(progress)) as (compute, processes):
        found = compute(do_batch, batches(tasks, processes), here, asked, assumptions["opensim_inertia"])
        by_label = {(task.trial.id, task.grid): task for _, own in found for task in own}
        every = [by_label[task.trial.id, task.grid] for task in tasks]
        done = [task for task in every if not task.error]
        if done:
            shared, groups = tables.shared_times(done, settings.curves.axis), parts(done)
            about = here, asked, shared, assumptions
            written = {id(part): record for part, record in compute(tables.tabulate, groups, *about)}
            records = [written[id(part)] for part in groups]
            ((_, (headline, notes, sections)),) = compute(_collected, [records], *about)
        else:  # files of an earlier run
            for file in store.tables():
                file.unlink(missing_ok=True)
    failed = sorted((task for task in every if task.error), key=lambda task: task.key != "")
    if failed:
        by_message = {(task.trial.id, task.message): task for task in failed}
        descriptions = first_of((f"trial '{name}': {message}" for name, message in by_message), MOST_NAMED, "; ")
        warn(FailedTasksWarning(f"{len(failed)} of {len(every)} tasks failed: {descriptions}"))
    for note in dict.fromkeys([*(note for task in done for note in task.notes), *notes]):
        warn(InputWarning(note))
    seconds = [task.seconds for task in every if task.seconds is not None]
    _write_index(store, assumptions, done, tables.write_failures(store, failed), sections)
    return StudyResult(store.folder, tuple(done), tuple(failed), len(seconds), sum(seconds), assumptions, headline)


def _collected(
    records: Sequence[Path], folder: str, settings: Options, shared: Mapping[str, Span], assumptions: Mapping[str, Any]
) -> tuple[str, list[str], list[Section]]:
    """Write the study's tables; return the headline, notes, and the sections of the page."""
    from .tables import collect

    collected = collect(records, store := Store(Path(folder)), settings, shared, assumptions)
    level = settings.uncertainty.level
    headline = _headline(collected, level)
    sections: list[Section] = [("", [headline, *collected.notes]), ("Peaks", _peaks(collected, level))]
    sections += _pictures(store, collected, assumptions) if settings.output.pictures else []
    return headline, collected.notes, sections


@contextmanager
def _workers(cluster: Options, store: Store, client: Any, shows: bool) -> Iterator[tuple[Callable[..., Any], int]]:
    """Yield (compute, number of parallel tasks); ``compute`` runs batches on workers and returns the results."""
    with ExitStack() as stack:
        if client is None and cluster.scheduler is None:  # all who write end before, perhaps by being killed
            stack.callback(store.remove_temporary_files)
        run, processes = None, 1
        if client is not None or cluster.workers != 0:
            from .cluster import connected, processes_of, run_on

            connection = stack.enter_context(connected(cluster.scheduler, cluster.workers, cluster.wait, client))
            if shows:
                tqdm.write(f"dashboard: {connection.dashboard_link}", file=sys.stderr)
            run, processes = partial(run_on, connection, cluster.wait), processes_of(connection)

        def compute(do: Callable[..., Any], batches: Sequence[list[Any]], *arguments: Any) -> list[tuple[Any, Any]]:
            with tqdm(total=sum(map(len, batches)), disable=not shows, unit="task", desc="study") as bar:
                if run is not None:
                    return run(bar, do, batches, *arguments)
                found = []
                for batch in batches:
                    found.append((batch, do(batch, *arguments)))
                    bar.update(len(batch))
                return found

        yield compute, processes
    store.remove_temporary_files()


def _write_index(
    store: Store, assumptions: Mapping[str, Any], tasks: Sequence[Task], failed: pd.DataFrame, sections: list[Section]
) -> None:
    """Write the study's page: ``sections`` on results, then failures, tasks and options."""
    links: list[str | Link] = [f"{len(tasks)} tasks done, {len(failed)} failed. Tables:"]
    for file in sorted(path.name for path in store.folder.glob("[!.]*") if path.suffix in (".parquet", ".csv")):
        links += [" ", Link(file, file)]
    sections = [*sections[:1], ("", [links]), *sections[1:]]
    if len(failed):
        shown = failed.drop(columns=["subject", "condition", "setup"])
        sections.append(("Failures", [_table("Tasks that failed", shown)]))
    done = pd.DataFrame([(*task.trial.labels, *texts(task.grid)) for task in tasks], columns=[*LABELS, *GRID])
    pages = [task.report and store.path(task.key, REPORTS).relative_to(store.folder) for task in tasks]
    done[""] = [Link("report", page.as_posix()) if page else "" for page in pages]
    sections.append(("Trials", [_table("Tasks that were done", done)]))
    flat = pd.json_normalize(dict(assumptions), sep=", ").iloc[0].sort_index()
    texts_of = {name: ", ".join(map(str, value)) if isinstance(value, list) else value for name, value in flat.items()}
    assumed = pd.DataFrame(
        [each for each in texts_of.items() if each[1] not in (None, "")], columns=["option", "value"]
    )
    sections.append(("What was assumed", [_table("Options and versions", assumed)]))
    write_document_page(store.folder / INDEX, f"Study {assumptions['study']}", sections)


def _forces(table: pd.DataFrame, on_base: set[str]) -> pd.DataFrame:
    """Return table rows of generalized forces not in ``on_base``; if none, of all generalized and muscle forces."""
    moments = table[(table["quantity"] == "generalized force") & ~table["name"].isin(on_base)]
    return moments if len(moments) else table[table["quantity"].isin(("generalized force", "force"))]


def _headline(collected: Collected, level: float) -> str:
    """Return a sentence, with trial and varied assumptions, on the largest change by muscle inertia in all tasks."""
    peaks = _forces(collected.peaks, collected.on_base)
    if peaks["largest difference"].isna().all():
        return "All values are doubtful: see the reports."
    varied = [name for name in GRID if peaks[name].nunique() > 1]
    largest = peaks["largest difference"].abs().groupby(peaks["unit"]).idxmax().dropna()
    rows = peaks.loc[largest].to_dict("records")
    for row in rows:
        row["coordinate"] = ", ".join([f"{row['name']} of {row['trial']}", *(_assumption(n, row[n]) for n in varied)])
        if pd.isna(row.get(LARGEST[0])):  # a result without a band
            row.pop(LARGEST[0], None)
    return largest_change(rows, (), level)


def _peaks(collected: Collected, level: float) -> list[Table]:
    """Return page tables of peak sizes and contrasts between conditions, for the first combination of assumptions."""
    from .tables import SIZES

    sizes = SIZES[:-1]
    every, compared = (_forces(table, collected.on_base) for table in (collected.peaks, collected.contrasts))
    if every["name"].str.contains(SHOWN).any():
        every, compared = (table[table["name"].str.contains(SHOWN)] for table in (every, compared))
    grid = every[list(GRID)].iloc[0]
    first, compared = (table[(table[list(GRID)] == grid).all(axis=1)] for table in (every, compared))
    by, under = ["name", "unit", "condition"], ", ".join(map(_assumption, GRID, grid))
    groups = first.assign(**first[sizes].abs()).groupby([*by, "subject"], sort=False)[sizes].mean()
    groups = groups.groupby(by, sort=False)
    rows = groups.mean().map(number) + groups.std().map(lambda sd: "" if np.isnan(sd) else f" ± {number(sd)}")
    rows.insert(0, "subjects", groups.size().map(str))
    most = every["largest difference [%]"].abs().groupby([every[name] for name in by]).max()
    rows["at most [%]"] = most.map(number)
    note = "Sizes: means over subjects, ± standard deviation. At most: of any trial, under any assumptions."
    tables = [(f"Peaks, {under}", rows, note)]
    if len(compared):
        ends = compared["lower"].map(number) + " to " + compared["upper"].map(number)
        texts = compared["difference"].map(number) + (" (" + ends + ")").where(compared["subjects"] > 1, "")
        compared = compared.assign(contrast=compared["condition"] + " − " + compared["reference"], text=texts)
        rows = compared.pivot(index=["name", "unit", "contrast", "subjects"], columns="size", values="text")[sizes]
        note = f"Means over subjects with both conditions ({100 * level:g} % interval: Student's t of differences)."
        tables.append((f"Contrasts of sizes, {under}", rows, note))
    return [_table(title, rows.reset_index(), note) for title, rows, note in tables]


def _pictures(store: Store, collected: Collected, assumptions: Mapping[str, Any]) -> list[Section]:
    """Draw mean curves by condition and quantity, and return a section of the page for each picture."""
    unknown = assumptions["uncertainty"]
    about = (
        f"Difference: inertial - lumped. Band: {100 * unknown['level']:g} % of draws, masses with a coefficient of "
        f"variation of {100 * unknown['mass_cv']:g} %{PLACES if unknown['placement'] else ''}. "
        f"opensim_inertia {assumptions['opensim_inertia']}."
    )
    means = collected.means
    drawn = means[means["quantity"].isin(("generalized force", "activation"))]
    tables = list(drawn.groupby(["condition", "quantity"], sort=False))[:MOST_PICTURES]
    sections = []
    for k, ((condition, quantity), table) in enumerate(tables, 1):
        file = store.folder / f"mean_curves_{k}.png"
        trials = f"{table['trials'].iloc[0]} trials of {table['subjects'].iloc[0]} subjects"
        _draw(table, collected.on_base, f"Condition {condition}: {trials}. {about}", file)
        picture = Link(f"mean {quantity} of condition {condition}", file.name)
        sections.append((f"{condition}: {quantity}, {trials}", [[picture]]))
    return sections


def _draw(table: pd.DataFrame, on_base: set[str], caption: str, file: Path) -> None:
    """Draw a condition's mean curves: main limb coordinates (such as knee flexion) first, the base's last."""
    from ..plotting.forces import draw_means

    combinations = dict(list(table.groupby(list(GRID), sort=False)))
    drawn = list(combinations)[:MOST_ASSUMED]
    if len(combinations) > len(drawn):
        caption += f" {len(combinations) - len(drawn)} more combinations of assumptions are in the tables."
    by_label = [dict(list(combinations[each].groupby(["name", "unit"], sort=False))) for each in drawn]

    def rank(label: tuple[str, str]) -> tuple[bool, bool, bool, float]:
        name, unit = label
        change = float(np.nansum(by_label[0][label]["difference"] ** 2))
        return name in on_base, unit in ("N", "N/kg"), not EXPECTED.search(name), -change

    labels = [label for label in sorted(by_label[0], key=rank) if all(label in each for each in by_label)]
    panels = {
        label: [{name: each[label][name].to_numpy() for name in (*MEANS, "sd inertial")} for each in by_label]
        for label in labels[:MOST_PANELS]
    }
    over, text = ("percent", "% of the cycle") if "percent" in table else ("time", "time [s]")
    varied = [name for name in GRID if table[name].nunique() > 1] or [GRID[0]]
    assumed = [", ".join(_assumption(name, each[GRID.index(name)]) for name in varied) for each in drawn]
    draw_means(next(iter(by_label[0].values()))[over].to_numpy(), text, assumed, panels, caption, file)


def _table(title: str, table: pd.DataFrame, note: str = "") -> Table:
    """Return the first rows of a table for the page; the note counts further rows."""
    more = f"and {len(table) - MOST_ROWS} more" if len(table) > MOST_ROWS else ""
    rows = table[:MOST_ROWS].map(lambda cell: cell if isinstance(cell, Link) else str(cell))
    return Table(title, list(map(str, table)), rows.to_numpy().tolist(), f"{note} {more}".strip())


def _assumption(name: str, value: str) -> str:
    return f"{name} {value}{' Hz' if name == 'cutoff' and value[0].isdigit() else ''}"
