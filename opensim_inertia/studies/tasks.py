"""Trials of a study and its tasks, identified by a hash of all inputs."""

from __future__ import annotations

import csv
import glob
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.checks import check_file, check_model_file, file_content, warn
from .._core.errors import FileFormatError, InertiaError, StudyError, UnknownNameError, nearest_file
from .._core.provenance import plain, versions
from .._core.warnings import InputWarning
from ..files.setups import (
    DATA,
    MOTIONS,
    InverseDynamicsSetup,
    StaticOptimizationSetup,
    file_beside,
    folder_trials,
    plain_inverse_dynamics,
    read_inverse_dynamics_setup,
    read_static_optimization_setup,
)
from ..options.masses import MassOptions
from ..options.modelling import Wrapping
from ..options.recording import Uncertainty

if TYPE_CHECKING:
    from .config import Section


#: Varied assumptions, in the order of columns.
GRID = ("strain", "placement", "wrapping", "cutoff")
#: Files of a trial that replace those of its setup.
FILES = {"model": "model_file", "motion": "coordinates_file", "external_loads": "external_loads_file"}
#: Columns that identify a trial.
LABELS = ("trial", "subject", "condition")
#: Largest batch of tasks, for progress and small losses with a worker.
MOST_IN_BATCH = 32
#: Smallest number of batches per process, so that processes end at about the same time.
BATCHES_PER_PROCESS = 4
#: Regular expressions of wildcards.
WILD = {"**/": "(?:(.*)/)?", "*": "([^/]*)", "?": "([^/])"}
PART = re.compile(r"(\*\*/|\*|\?|\[[^\]]+\])")
#: Parts of a path with wildcards; their sets and letters.
WITH_WILD, LETTERS = re.compile(r"[^/\\]*[*?[][^/\\]*"), re.compile(r"\[(!?)([^\]]+)\]|([^\W\d_])")


@dataclass(frozen=True)
class Trial:
    """One recorded motion of a study; paths are absolute."""

    id: str  # unique in the study
    subject: str
    condition: str
    setup: str  # or the motion, without a setup
    events: tuple[float, float] | None  # start and end of the cycle [s]
    files: Mapping[str, Path]  # replace the setup's, by FILES
    masses: MassOptions

    @property
    def labels(self) -> tuple[str, str, str]:
        """Identifier, subject and condition."""
        return self.id, self.subject, self.condition


@dataclass(frozen=True)
class Build:
    """Inputs of an inertial model; tasks with equal inputs share it."""

    model: str
    force_sets: tuple[str, ...]  # replace the model's own
    masses: MassOptions
    options: tuple[tuple[str, Any], ...]  # strain, wrapping, distribution and points
    placement: float | None  # proximal share of the path outside the belly; None: by strain model and masses


@dataclass(frozen=True, slots=True)
class Task:
    """One trial under one combination of assumptions."""

    key: str  # hash of options and contents of input files
    trial: Trial
    grid: tuple[str | float, ...]  # as configured, in the order of GRID
    build: Build
    setup: InverseDynamicsSetup | StaticOptimizationSetup
    cutoff: float | None  # [Hz]; None: no filter
    recruitment: Mapping[str, Any]  # empty for inverse dynamics
    uncertainty: Uncertainty
    options: Mapping[str, Any]  # of the recording and of results
    per_kg: bool  # divide forces of inverse dynamics by the model's mass
    report: bool  # write a page; not part of the key


@dataclass(frozen=True, slots=True)
class Failure:
    """A task without a result, with its error."""

    trial: Trial
    grid: tuple[str | float, ...]
    error: str
    message: str


def texts(grid: Sequence[str | float]) -> list[str]:
    """Return assumptions as texts."""
    return [each if isinstance(each, str) else f"{each:g}" for each in grid]


def expand(config: Section, trials: Sequence[Trial]) -> tuple[list[Task], list[Failure]]:
    """Return the sorted tasks of a study, and failures of trials that cannot be read."""
    grid = list(product(*(getattr(config.grid, name) for name in GRID)))
    tasks: list[Task] = []
    refused: list[Failure] = []
    hashed = cache(_hashed)  # reads each file once
    for trial in sorted(trials, key=lambda trial: (trial.subject, trial.condition, trial.id)):
        try:
            tasks += _tasks_of(trial, grid, config, hashed)
        except (InertiaError, OSError) as error:
            refused += [Failure(trial, each, type(error).__name__, str(error)) for each in grid]
    return tasks, refused


def batches(tasks: Sequence[Task], processes: int) -> list[list[Task]]:
    """Return tasks in batches, each with one model if there are enough batches."""
    size = max(1, min(MOST_IN_BATCH, len(tasks) // max(1, BATCHES_PER_PROCESS * processes)))
    joined: list[list[Task]] = []
    for _, group in groupby(sorted(tasks, key=lambda task: str(task.build)), key=lambda task: task.build):
        own = list(group)
        for batch in (own[i : i + size] for i in range(0, len(own), size)):
            if joined and len(joined[-1]) + len(batch) <= size and joined[-1][0].build.model == batch[0].build.model:
                joined[-1] += batch
            else:
                joined.append(batch)
    return joined


def _tasks_of(
    trial: Trial, grid: Sequence[tuple[Any, ...]], config: Section, hashed: Callable[[str], str]
) -> Iterator[Task]:
    """Yield the tasks of a trial, one per combination of assumptions."""
    from .config import PLACES

    setup = _setup_of(trial)
    model, motion = setup.model_file, setup.coordinates_file
    if model is None or motion is None:
        raise FileFormatError(trial.setup, f"it names no {'model' if model is None else 'coordinates file'}")
    check_model_file(model)
    check_file(motion, "coordinates file")
    hashes = {role: hashed(file) for role, file in _inputs(setup, trial.masses).items()}
    options, output = config.options, config.output
    recruitment: dict[str, Any] = {}
    force_sets: tuple[str, ...] = ()
    if isinstance(setup, StaticOptimizationSetup):
        recruitment = _asked(config.recruitment)
        force_sets = tuple(map(str, setup.force_set_files)) if setup.replace_force_set else ()
    uncertainty = Uncertainty.of(dict(config.uncertainty))
    asked = recruitment, uncertainty, _asked(options, {"distribution", "points", "smoothing"}), output.per_kg
    for combination in grid:
        strain, place, wrapping, cutoff = combination
        built = {"strain": strain, "wrapping": Wrapping(wrapping, options.smoothing)}
        built |= {"distribution": options.distribution, "points": options.points}
        build = Build(str(model), force_sets, trial.masses, tuple(built.items()), PLACES.get(place, place))
        cutoff = {"setup": setup.cutoff, "none": None}.get(cutoff, cutoff)
        report = output.reports == "tasks" or (output.reports == "trials" and combination == grid[0])
        yield _named(Task("", trial, combination, build, setup, cutoff, *asked, report), hashes)


def _setup_of(trial: Trial) -> InverseDynamicsSetup | StaticOptimizationSetup:
    """Return a trial's setup with the trial's files."""
    path = Path(trial.setup)
    setup: Any
    if path.suffix.lower() in MOTIONS:
        setup = plain_inverse_dynamics(None, path)
    elif file_content(path)[0] == "AnalyzeTool":
        setup = read_static_optimization_setup(path).following(trial.files.get("motion"))
    else:
        setup = read_inverse_dynamics_setup(path)
    files = {field: trial.files.get(what) or _near(getattr(setup, field), path) for what, field in FILES.items()}
    return replace(setup, **files)


def _near(file: Path | None, setup: Path) -> Path | None:
    """Return a setup's file, or if it is missing the only file of its name near the setup."""
    if file is None or file.is_file() or (beside := file_beside(setup, file)) is None:
        return file
    warn(InputWarning(f"{setup}: its file '{file}' does not exist; '{beside}' is taken, which has its name"))
    return beside


def _inputs(setup: InverseDynamicsSetup | StaticOptimizationSetup, masses: MassOptions) -> dict[str, str]:
    """Return the files that a task reads, by role, without geometry."""
    files: dict[str, object] = {"model": setup.model_file, "motion": setup.coordinates_file}
    files |= {"masses": masses.table, "reference": masses.reference}
    if setup.external_loads_file is not None:
        files["loads"] = loads = check_file(setup.external_loads_file, "external loads file")
        if (name := DATA.search(loads.read_bytes())) and (data := loads.parent / os.fsdecode(name[1])).is_file():
            files["data of loads"] = data
    if isinstance(setup, StaticOptimizationSetup):
        files |= {f"forces {i}": file for i, file in enumerate(setup.force_set_files)} | {"speeds": setup.speeds_file}
    return {role: str(file) for role, file in files.items() if file is not None}


def _hashed(file: str) -> str:
    check_file(file, "file")
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _asked(section: Section, without: Container[str] = ()) -> dict[str, Any]:
    """Return the options of a section that the setup does not decide."""
    return {name: value for name, value in section.items() if name not in without and value not in (None, [])}


def _named(task: Task, hashes: dict[str, str]) -> Task:
    """Return a task with its key: options, contents of files and versions, without paths and names."""

    def without(values: dict[str, Any], *names: str) -> dict[str, Any]:
        return {k: v for k, v in values.items() if k not in names and not k.endswith(("_file", "_files", "_directory"))}

    content, packages = without(asdict(task), "key", "trial", "grid", "report"), versions()
    content["setup"] = without(content["setup"], "name")
    content["build"] = build = without(content["build"], "model", "force_sets")
    build["masses"] = without(build["masses"], "table", "reference")
    content |= {"files": hashes, "versions": {name: packages[name] for name in ("opensim_inertia", "opensim")}}
    text = json.dumps(plain(content), sort_keys=True, default=os.fspath)
    return replace(task, key=hashlib.sha256(text.encode()).hexdigest()[:32])


def read_trials(config: Section, folder: Path, where: str) -> list[Trial]:
    """Return the trials of a study."""
    trials: list[Trial] = []
    by_id: dict[str, str] = {}
    for number, section in enumerate(config.trial, 1):
        place = f"{where}, [[trial]] number {number}"
        given = {what: _file(section[what], what.replace("_", " "), folder, place) for what in FILES if section[what]}
        files = {what: Path(file) for what, file in given.items() if file}
        setups = list(_setups(section.setup, section.trials or (), files.get("model"), folder, place))
        masses = _masses(config.masses, section, folder, place)
        for setup, fields, found in setups:
            name = _filled(section.id or fields["name"], fields, place)
            if name in by_id:
                cure = 'give each an id of its own, as id = "{folder}_{stem}"'
                raise StudyError(f"{place}: a trial called '{name}' is there already, of {by_id[name]}; {cure}")
            by_id[name] = setup
            subject = _filled(section.subject or name, fields, place)
            condition = _filled(section.condition or "all", fields, place)
            trials.append(Trial(name, subject, condition, setup, section.events, {**found, **files}, masses))
    return _with_events(trials, config.curves.events, folder)


def _setups(
    pattern: str, names: Sequence[str], model: Path | None, folder: Path, place: str
) -> Iterator[tuple[str, Mapping[str, str], Mapping[str, Path]]]:
    """Yield setups or motions of a path, pattern or folder, with :func:`_fields` and replaced files.

    Folders contain trials, all or with the given names, and a model if there are several.
    """
    expanded, expression = os.path.expanduser(pattern), None
    files = [expanded]
    if glob.has_magic(pattern) and not (folder / pattern).exists():
        ignores_case = _ignores_case(folder)
        expression = _expression(Path(expanded).as_posix(), ignores_case)
        wanted = _in_either_case(expanded) if ignores_case else expanded
        files = sorted(glob.glob(wanted, root_dir=folder, recursive=True))
        files = [file for file in files if os.path.isfile(folder / file)] or files
        if not files:
            near = nearest_file(folder / expanded)
            raise StudyError(f"{place}: no setup file matches '{pattern}' in {folder}{near}")
    for file in files:
        match = expression and expression.fullmatch(Path(file).as_posix())
        groups = match.groups(default="") if match else ()
        path = _absolute(folder, file)
        if not os.path.isdir(path):
            if names:
                raise StudyError(f"{place}, trials has no effect here: '{file}' is no folder")
            yield str(check_file(path, f"setup file of {place}")), _fields(Path(file), groups), {}
            continue
        for trial in folder_trials(path, names, model):
            found = {what: own.absolute() for what in FILES if (own := getattr(trial, what)) is not None}
            fields = _fields(Path(file) / f"{trial.name}.xml", groups) | {"folder": Path(path).name}
            fields["name"] = f"{fields['folder']}_{trial.name}"
            yield os.path.abspath(trial.setup or found["motion"]), fields, found


def _ignores_case(folder: Path) -> bool:
    """Return whether the file system of a folder ignores case."""
    for place in (here := Path(os.path.abspath(folder)), *here.parents):
        if (name := place.name.swapcase()) != place.name:
            return (other := place.with_name(name)).exists() and other.samefile(place)
    return False


def _in_either_case(pattern: str) -> str:
    """Return a pattern that matches letters of either case."""

    def both(found: re.Match[str]) -> str:
        letters = found[2] or found[3]
        return f"[{found[1] or ''}{letters.lower()}{letters.upper()}]"

    return WITH_WILD.sub(lambda part: LETTERS.sub(both, part[0]), pattern)


def _expression(pattern: str, ignores_case: bool) -> re.Pattern[str]:
    """Return the regular expression of a pattern, with a group per wildcard."""
    parts = [re.escape(part) for part in PART.split(pattern)]
    parts[1::2] = [WILD.get(part, f"({part.replace('[!', '[^')})") for part in PART.findall(pattern)]
    return re.compile("".join(parts), re.IGNORECASE if ignores_case else 0)


def _fields(path: Path, groups: Sequence[str]) -> dict[str, str]:
    """Return the fields of templates: parts of a setup's path, and numbered wildcards."""
    name = "_".join(part for part in path.with_suffix("").parts if part not in ("..", path.anchor))
    return {"name": name, "stem": path.stem, "folder": path.absolute().parent.name} | {
        str(i): text for i, text in enumerate(groups, 1)
    }


def _filled(template: str, fields: Mapping[str, str], place: str) -> str:
    """Return a template with fields in braces replaced; UnknownNameError for an unknown field."""
    missing = [name for name in re.findall(r"\{(\w*)\}", template) if name not in fields]
    if missing:
        raise UnknownNameError("field", f"{{{missing[0]}}}", [f"{{{name}}}" for name in fields], place)
    return re.sub(r"\{(\w+)\}", lambda field: fields[field[1]], template)


def _absolute(folder: Path, path: str) -> str:
    return os.path.abspath(folder / os.path.expanduser(path))


def _file(path: str | None, what: str, folder: Path, place: str) -> str | None:
    return None if path is None else str(check_file(_absolute(folder, path), f"{what} of {place}"))


def _masses(shared: Section, trial: Section, folder: Path, place: str) -> MassOptions:
    """Return a trial's muscle masses, or those of all trials, with absolute paths."""
    values = dict(shared) | {name: getattr(trial, name) or getattr(shared, name) for name in ("height", "body_mass")}
    values["masses"] = _file(trial.masses or shared.table, "mass table", folder, place)
    values["reference"] = _file(trial.reference or shared.reference, "reference file", folder, place)
    try:
        return MassOptions.of({name: value for name, value in values.items() if value not in (None, [])})
    except InertiaError as error:
        raise StudyError(f"{place}: {error}") from error


def _with_events(trials: list[Trial], table: str | None, folder: Path) -> list[Trial]:
    """Return trials with events from a table; events of a trial's own are kept."""
    if table is None:
        return trials
    path = check_file(_absolute(folder, table), "table of events")
    events: dict[str, tuple[float, float]] = {}
    with path.open(newline="", encoding="utf-8-sig") as file:
        for row in (rows := csv.DictReader(file)):
            try:
                name, start, end = row["trial"], float(row["start"]), float(row["end"])
            except (KeyError, TypeError, ValueError):
                start = end = math.nan
            if not -math.inf < start < end < math.inf:
                expected = "columns trial, start and end, two times in seconds, start before end"
                raise FileFormatError(path, f"line {rows.line_num}: expected {expected}")
            if name not in (known := [trial.id for trial in trials]):
                raise UnknownNameError("trial", name, known, str(path))
            events[name] = (start, end)
    return [replace(trial, events=trial.events or events.get(trial.id)) for trial in trials]
