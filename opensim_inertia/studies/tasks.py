"""Trials and tasks of a study; a hash of all inputs identifies a task."""

from __future__ import annotations

import csv
import glob
import hashlib
import json
import math
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import groupby, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from .._core.checks import check_file, check_model_file, file_content
from .._core.errors import FileFormatError, InertiaError, StudyError, UnknownNameError, nearest_file
from .._core.provenance import plain, versions
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
#: Tasks in a part of the tables, at least.
LEAST_IN_PART = 100
#: Regular expressions of wildcards.
WILD = {"**/": "(?:(.*)/)?", "*": "([^/]*)", "?": "([^/])"}
PART = re.compile(r"(\*\*/|\*|\?|\[[^\]]+\])")
#: Parts of a path with wildcards; their sets and letters.
WITH_WILD, LETTERS = re.compile(r"[^/\\]*[*?[][^/\\]*"), re.compile(r"\[(!?)([^\]]+)\]|([^\W\d_])")


@dataclass(frozen=True)
class Trial:
    """One recorded motion of a study; file names are absolute."""

    id: str  # unique in the study
    subject: str
    condition: str
    setup: str  # or the motion, without a setup
    events: tuple[float, float] | None  # start and end of the cycle [s]
    files: Mapping[str, Path]  # replace the setup's, by FILES
    masses: MassOptions

    @property
    def labels(self) -> tuple[str, str, str]:
        """The trial's identifier, subject and condition."""
        return self.id, self.subject, self.condition


@dataclass(frozen=True)
class Build:
    """Inputs from which a worker builds an inertial model; tasks with equal inputs share the model."""

    model: str
    force_sets: tuple[str, ...]  # replace the model's own
    masses: MassOptions
    options: tuple[tuple[str, Any], ...]  # strain, wrapping, distribution and points
    placement: float | None  # proximal share of the path outside the belly; None: by strain model and masses


@dataclass(frozen=True, slots=True)
class Task:
    """One trial under one combination of assumptions; a worker fills in the fields from ``key`` on."""

    trial: Trial
    grid: tuple[str | float, ...]  # as configured, in the order of GRID
    report: bool  # whether a page about it is written
    key: str = ""  # hash of its inputs, and name of its result
    seconds: float | None = None  # processor time; None for a result that was there
    error: str = ""  # class of an error, empty where there is none
    message: str = ""
    notes: Sequence[str] = ()  # on its input
    span: tuple[float, float] = (-math.inf, math.inf)  # first and last time with an answer [s]
    has_cycle: bool = False


@dataclass(frozen=True, slots=True)
class Inputs:
    """All inputs that affect the results of a task."""

    build: Build
    setup: InverseDynamicsSetup | StaticOptimizationSetup
    cutoff: float | None  # [Hz]; None: no filter
    recruitment: Mapping[str, Any]  # empty for inverse dynamics
    uncertainty: Uncertainty
    options: Mapping[str, Any]  # of the recording and of answers
    per_kg: bool  # whether forces of inverse dynamics are divided by the model's mass


def texts(grid: Sequence[str | float]) -> list[str]:
    """Return a task's assumptions as texts."""
    return [each if isinstance(each, str) else f"{each:g}" for each in grid]


def expand(config: Section, trials: Iterable[Trial]) -> list[Task]:
    """Return the tasks of a study, each trial under each combination of assumptions, sorted by subject."""
    grid, reports = list(product(*(getattr(config.grid, name) for name in GRID))), config.output.reports
    ordered = sorted(trials, key=lambda trial: (trial.subject, trial.condition, trial.id))
    reported = {"tasks": grid, "trials": grid[:1], "none": []}[reports]
    return [Task(trial, each, each in reported) for trial in ordered for each in grid]


def batches(tasks: Sequence[Task], processes: int) -> list[list[Task]]:
    """Return tasks in batches, ordered so that tasks with the same subject and model follow each other."""
    size = max(1, min(MOST_IN_BATCH, len(tasks) // max(1, BATCHES_PER_PROCESS * processes)))

    def model(task: Task) -> tuple[str, ...]:
        return task.trial.subject, str(task.trial.files.get("model")), *texts(task.grid[:-1])

    ordered = sorted(tasks, key=model)
    return [ordered[i : i + size] for i in range(0, len(ordered), size)]


def parts(tasks: Sequence[Task]) -> list[list[Task]]:
    """Split sorted tasks into lists with all tasks of a subject in one list, whatever the number of workers."""
    found: list[list[Task]] = [[]]
    for _, own in groupby(tasks, key=lambda task: task.trial.subject):
        if len(found[-1]) >= LEAST_IN_PART:
            found.append([])
        found[-1] += own
    return found


def reader(trials: Mapping[str, Trial], config: Section) -> Callable[[Task], tuple[str, Inputs, Sequence[str]]]:
    """Return a function that maps a task to hash, inputs and notes on files; the function reads each file once."""
    from .config import PLACES

    hashed, options = cache(_hashed), config.options

    @cache
    def read(name: str) -> tuple[Any, Mapping[str, str], Sequence[str]]:
        trial, notes = trials[name], list[str]()
        setup = _setup_of(trial, notes)
        model, motion = setup.model_file, setup.coordinates_file
        if model is None or motion is None:
            raise FileFormatError(trial.setup, f"it names no {'model' if model is None else 'coordinates file'}")
        check_model_file(model)
        check_file(motion, "coordinates file")
        return setup, {role: hashed(file) for role, file in _files(setup, trial.masses).items()}, notes

    def inputs(task: Task) -> tuple[str, Inputs, Sequence[str]]:
        setup, hashes, notes = read(task.trial.id)
        force_sets, recruitment = tuple[str, ...](), dict[str, Any]()
        if isinstance(setup, StaticOptimizationSetup):
            recruitment = _asked(config.recruitment)
            force_sets = tuple(map(str, setup.force_set_files)) if setup.replace_force_set else ()
        strain, place, wrapping, cutoff = cast(tuple[Any, ...], task.grid)
        built = {"strain": strain, "wrapping": Wrapping(wrapping, options.smoothing)}
        built |= {"distribution": options.distribution, "points": options.points}
        placement = PLACES.get(place, place)
        build = Build(str(setup.model_file), force_sets, task.trial.masses, tuple(built.items()), placement)
        cutoff = {"setup": setup.cutoff, "none": None}.get(cutoff, cutoff)
        asked = (
            recruitment,
            Uncertainty.of(config.uncertainty),
            _asked(options, {"distribution", "points", "smoothing"}),
        )
        found = Inputs(build, setup, cutoff, *asked, config.output.per_kg)
        return _key(found, hashes), found, notes

    return inputs


def _setup_of(trial: Trial, notes: list[str]) -> InverseDynamicsSetup | StaticOptimizationSetup:
    """Return a trial's setup with the trial's own files; for missing files found nearby, add notes to ``notes``."""
    path = Path(trial.setup)
    setup: Any
    if path.suffix.lower() in MOTIONS:
        setup = plain_inverse_dynamics(None, path)
    elif file_content(path)[0] == "AnalyzeTool":
        setup = read_static_optimization_setup(path).following(trial.files.get("motion"))
    else:
        setup = read_inverse_dynamics_setup(path)
    files = {field: trial.files.get(what) or _near(getattr(setup, field), path, notes) for what, field in FILES.items()}
    return replace(setup, **files)


def _near(file: Path | None, setup: Path, notes: list[str]) -> Path | None:
    """Return ``file`` or, if missing, the only file of this name near the setup, with a note in ``notes``."""
    if file is None or file.is_file() or (beside := file_beside(setup, file)) is None:
        return file
    notes.append(f"{setup}: its file '{file}' does not exist; '{beside}' is taken, which has its name")
    return beside


def _files(setup: InverseDynamicsSetup | StaticOptimizationSetup, masses: MassOptions) -> dict[str, str]:
    """Return the files that affect a task's results, by role."""
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
    with check_file(file, "file").open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _asked(section: Section, without: Container[str] = ()) -> dict[str, Any]:
    """Return the options of a section that have a value, except the names in ``without``."""
    return {name: value for name, value in section.items() if name not in without and value not in (None, [])}


def _key(inputs: Inputs, hashes: Mapping[str, str]) -> str:
    """Return a hash of a task's options, file contents and package versions; paths and names do not matter."""

    def without(values: dict[str, Any], *names: str) -> dict[str, Any]:
        return {k: v for k, v in values.items() if k not in names and not k.endswith(("_file", "_files", "_directory"))}

    content, packages = asdict(inputs), versions()
    content["setup"] = without(content["setup"], "name")
    content["build"] = build = without(content["build"], "model", "force_sets")
    build["masses"] = without(build["masses"], "table", "reference")
    content |= {"files": hashes, "versions": {name: packages[name] for name in ("opensim_inertia", "opensim")}}
    text = json.dumps(plain(content), sort_keys=True, default=os.fspath)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def read_trials(config: Section, folder: Path, where: str) -> list[Trial]:
    """Return the trials that a study's configuration lists."""
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
    """Yield path, values for templates and the trial's own files, per setup or motion file that ``pattern`` names.

    A folder gives all its trials, or those in ``names``; ``model`` is required if the folder has several models.
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
    """Return a glob pattern that matches lower and upper case."""

    def both(found: re.Match[str]) -> str:
        letters = found[2] or found[3]
        return f"[{found[1] or ''}{letters.lower()}{letters.upper()}]"

    return WITH_WILD.sub(lambda part: LETTERS.sub(both, part[0]), pattern)


def _expression(pattern: str, ignores_case: bool) -> re.Pattern[str]:
    """Return the regular expression of a glob pattern, with one group per wildcard."""
    parts = [re.escape(part) for part in PART.split(pattern)]
    parts[1::2] = [WILD.get(part, f"({part.replace('[!', '[^')})") for part in PART.findall(pattern)]
    return re.compile("".join(parts), re.IGNORECASE if ignores_case else 0)


def _fields(path: Path, groups: Sequence[str]) -> dict[str, str]:
    """Return the fields that templates may use: parts of a setup's path, and texts matched by wildcards."""
    name = "_".join(part for part in path.with_suffix("").parts if part not in ("..", path.anchor))
    return {"name": name, "stem": path.stem, "folder": path.absolute().parent.name} | {
        str(i): text for i, text in enumerate(groups, 1)
    }


def _filled(template: str, fields: Mapping[str, str], place: str) -> str:
    """Return a template after replacing names in braces by ``fields``; UnknownNameError for an unknown name."""
    missing = [name for name in re.findall(r"\{(\w*)\}", template) if name not in fields]
    if missing:
        raise UnknownNameError("field", f"{{{missing[0]}}}", [f"{{{name}}}" for name in fields], place)
    return re.sub(r"\{(\w+)\}", lambda field: fields[field[1]], template)


def _absolute(folder: Path, path: str) -> str:
    return os.path.abspath(folder / os.path.expanduser(path))


def _file(path: str | None, what: str, folder: Path, place: str) -> str | None:
    return None if path is None else str(check_file(_absolute(folder, path), f"{what} of {place}"))


def _masses(shared: Section, trial: Section, folder: Path, place: str) -> MassOptions:
    """Return a trial's mass options; ``shared`` has defaults for all trials, and paths become absolute."""
    values = dict(shared) | {name: getattr(trial, name) or getattr(shared, name) for name in ("height", "body_mass")}
    values["masses"] = _file(trial.masses or shared.table, "mass table", folder, place)
    values["reference"] = _file(trial.reference or shared.reference, "reference file", folder, place)
    try:
        return MassOptions.of({name: value for name, value in values.items() if value not in (None, [])})
    except InertiaError as error:
        raise StudyError(f"{place}: {error}") from error


def _with_events(trials: list[Trial], table: str | None, folder: Path) -> list[Trial]:
    """Return the trials; a trial without its own events gets the events in the file ``table``."""
    if table is None:
        return trials
    path = check_file(_absolute(folder, table), "table of events")
    events, known = dict[str, tuple[float, float]](), {trial.id for trial in trials}
    with path.open(newline="", encoding="utf-8-sig") as file:
        for row in (rows := csv.DictReader(file)):
            try:
                name, start, end = row["trial"], float(row["start"]), float(row["end"])
            except (KeyError, TypeError, ValueError):
                start = end = math.nan
            if not -math.inf < start < end < math.inf:
                expected = "columns trial, start and end, two times in seconds, start before end"
                raise FileFormatError(path, f"line {rows.line_num}: expected {expected}")
            if name not in known:
                raise UnknownNameError("trial", name, [trial.id for trial in trials], str(path))
            events[name] = (start, end)
    return [replace(trial, events=trial.events or events.get(trial.id)) for trial in trials]
