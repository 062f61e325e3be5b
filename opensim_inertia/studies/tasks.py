"""The tasks of a study: trials times assumptions, as paths and options, named by a hash of all they depend on."""

from __future__ import annotations

import hashlib
import json
import os
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._core.checks import check_file, check_model_file, file_content
from .._core.choices import Distribution, Strain, WrappingKind
from .._core.errors import FileFormatError, InertiaError
from .._core.provenance import plain, versions
from ..files.setups import (
    InverseDynamicsSetup,
    StaticOptimizationSetup,
    plain_inverse_dynamics,
    read_inverse_dynamics_setup,
    read_static_optimization_setup,
)
from ..files.trial_folders import MOTIONS
from ..options.masses import MassOptions
from ..options.recording import Uncertainty
from .trials import Trial

if TYPE_CHECKING:
    from .config import Section

__all__ = ["GRID", "Batch", "Build", "Failure", "Task", "batches", "expand", "texts"]

#: Options by keyword, as something that is hashed.
Asked = tuple[tuple[str, Any], ...]
#: The assumptions that vary, in the order of columns.
GRID = ("strain", "placement", "wrapping", "cutoff")
#: Tasks in a batch, at most: a progress bar moves on, and what is lost with a worker stays small.
MOST_IN_BATCH = 32
#: Batches for each process, at least, where there are tasks enough: the last ones end at about the same time.
BATCHES_PER_PROCESS = 4


@dataclass(frozen=True)
class Build:
    """Inputs of an inertial model; tasks with equal inputs share it."""

    model: str
    force_sets: tuple[str, ...]  # replace the model's own
    masses: MassOptions
    strain: Strain
    placement: float | None  # share at the origin of what is not belly; None as strain and masses say
    wrapping: WrappingKind
    distribution: Distribution
    points: int
    smoothing: float | None


@dataclass(frozen=True, slots=True)
class Task:
    """One trial under one combination of assumptions."""

    key: str  # hash of options and of what the input files hold
    trial: Trial
    grid: tuple[str | float, ...]  # as asked for, in the order of GRID
    build: Build
    setup: InverseDynamicsSetup | StaticOptimizationSetup
    cutoff: float | None  # [Hz]; None for no filter
    recruitment: Asked | None  # None for inverse dynamics
    uncertainty: Uncertainty
    options: Asked  # of the recording and of answers
    report: bool  # whether a page about it is written, which the key does not depend on


@dataclass(frozen=True)
class Batch:
    """Tasks of one process, the folder of results that all workers see, and the version of this package."""

    folder: str
    tasks: tuple[Task, ...]
    version: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A task that has no result, and why."""

    trial: Trial
    grid: tuple[str | float, ...]
    error: str
    message: str


def texts(grid: Sequence[str | float]) -> list[str]:
    """Return assumptions as texts."""
    return [each if isinstance(each, str) else f"{each:g}" for each in grid]


def expand(config: Section, trials: Sequence[Trial]) -> tuple[list[Task], list[Failure]]:
    """Return the tasks of a study, sorted by subject, condition, trial and grid, and those that cannot be.

    The latter are the tasks of trials whose setup cannot be read, or names files that are missing.
    """
    grid = list(product(*(getattr(config.grid, name) for name in GRID)))
    tasks: list[Task] = []
    refused: list[Failure] = []
    hashed = cache(_hashed)  # the files of a study are read once
    for trial in sorted(trials, key=lambda trial: (trial.subject, trial.condition, trial.id)):
        try:
            tasks += _tasks_of(trial, grid, config, hashed)
        except (InertiaError, OSError) as error:
            refused += [Failure(trial, each, type(error).__name__, str(error)) for each in grid]
    return tasks, refused


def batches(tasks: Sequence[Task], processes: int) -> list[list[Task]]:
    """Return tasks in batches, each with one model where that leaves batches enough for all processes.

    Batches that share a model follow each other, those of one model and strain among them.
    """
    groups: dict[Build, list[Task]] = {}
    for task in sorted(tasks, key=lambda task: (task.build.model, str(task.build.masses), task.build.strain)):
        groups.setdefault(task.build, []).append(task)
    size = max(1, min(MOST_IN_BATCH, len(tasks) // max(1, BATCHES_PER_PROCESS * processes)))
    cut = [group[i : i + size] for group in groups.values() for i in range(0, len(group), size)]
    joined: list[list[Task]] = []
    for batch in cut:
        if joined and len(joined[-1]) + len(batch) <= size and joined[-1][0].build.model == batch[0].build.model:
            joined[-1].extend(batch)
        else:
            joined.append(list(batch))
    return joined


def _tasks_of(
    trial: Trial, grid: Sequence[tuple[Any, ...]], config: Section, hashed: Callable[[str], str]
) -> Iterator[Task]:
    """Yield the tasks of a trial, one for each combination of assumptions."""
    from .config import PLACES

    setup = _setup_of(trial)
    model, motion = setup.model_file, setup.coordinates_file
    if model is None or motion is None:
        raise FileFormatError(trial.setup, f"it names no {'model' if model is None else 'coordinates file'}")
    check_model_file(model)
    check_file(motion, "coordinates file")
    hashes = {role: hashed(file) for role, file in _inputs(setup, trial.masses).items()}
    options: Any = config.options
    recruitment: Asked | None = None
    force_sets: tuple[str, ...] = ()
    if isinstance(setup, StaticOptimizationSetup):
        recruitment = _asked(config.recruitment)
        force_sets = tuple(map(str, setup.force_set_files)) if setup.replace_force_set else ()
    for combination in grid:
        values = dict(zip(GRID, combination, strict=True))
        build = Build(
            model=str(model),
            force_sets=force_sets,
            masses=trial.masses,
            strain=values["strain"],
            placement=PLACES.get(values["placement"], values["placement"]),
            wrapping=values["wrapping"],
            distribution=options.distribution,
            points=options.points,
            smoothing=options.smoothing,
        )
        cutoff = {"setup": setup.cutoff, "none": None}.get(values["cutoff"], values["cutoff"])
        task = Task(
            key="",
            trial=trial,
            grid=combination,
            build=build,
            setup=setup,
            cutoff=cutoff,
            recruitment=recruitment,
            uncertainty=Uncertainty.of(dict(config.uncertainty)),
            options=_asked(options, {"distribution", "points", "smoothing"}),
            report=config.output.reports == "tasks" or (config.output.reports == "trials" and combination == grid[0]),
        )
        yield _named(task, hashes)


def _setup_of(trial: Trial) -> InverseDynamicsSetup | StaticOptimizationSetup:
    """Return a trial's setup, with the files that the trial replaces."""
    setup: InverseDynamicsSetup | StaticOptimizationSetup
    if trial.setup.lower().endswith(MOTIONS):
        setup = plain_inverse_dynamics(None, Path(trial.setup))
    elif file_content(Path(trial.setup))[0] == "AnalyzeTool":
        setup = read_static_optimization_setup(trial.setup)
    else:
        setup = read_inverse_dynamics_setup(trial.setup)
    motion = None if trial.motion is None else Path(trial.motion)
    if isinstance(setup, StaticOptimizationSetup):
        setup = setup.following(motion)
    return replace(
        setup,
        model_file=setup.model_file if trial.model is None else Path(trial.model),
        coordinates_file=motion or setup.coordinates_file,
        external_loads_file=setup.external_loads_file if trial.external_loads is None else Path(trial.external_loads),
    )


def _inputs(setup: InverseDynamicsSetup | StaticOptimizationSetup, masses: MassOptions) -> dict[str, str]:
    """Return the files that a task reads, by role; geometry changes no number."""
    files: dict[str, object] = {"model": setup.model_file, "motion": setup.coordinates_file}
    files |= {"masses": masses.table, "reference": masses.reference}
    if setup.external_loads_file is not None:
        loads = check_file(setup.external_loads_file, "external loads file")
        files |= {"loads": loads, "data of loads": _data_of(loads)}
    if isinstance(setup, StaticOptimizationSetup):
        files |= {f"forces {i}": file for i, file in enumerate(setup.force_set_files)} | {"speeds": setup.speeds_file}
    return {role: str(file) for role, file in files.items() if file is not None}


def _data_of(loads: Path) -> Path | None:
    """Return the file of measured forces that external loads name, if it is there."""
    try:
        name = (ElementTree.parse(loads).findtext(".//datafile") or "").strip()
    except (ElementTree.ParseError, OSError, ValueError, LookupError):
        return None  # whoever reads it says what is wrong
    file = loads.parent / name
    return file if name and file.is_file() else None


def _hashed(file: str) -> str:
    check_file(file, "file")
    with open(file, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _asked(section: Section, without: Container[str] = ()) -> Asked:
    """Return what a section of the configuration asks for, but for what is left to the setup."""
    values = {name: value for name, value in section.items() if name not in without and value not in (None, [])}
    return tuple((name, tuple(value) if isinstance(value, list) else value) for name, value in values.items())


def _named(task: Task, hashes: dict[str, str]) -> Task:
    """Return a task with its key: of options, contents of files and versions, and of no path or name."""
    content = asdict(task)
    trial, setup = content.pop("trial"), content.pop("setup")
    del content["key"], content["grid"], content["report"], trial
    for holder, names in (
        (content["build"], ("model", "force_sets")),
        (content["build"]["masses"], ("table", "reference")),
    ):
        for name in names:
            del holder[name]
    files = ("_file", "_files", "_directory")
    content["setup"] = {name: value for name, value in setup.items() if not name.endswith(files) and name != "name"}
    packages = versions()
    content |= {"files": hashes, "versions": {name: packages[name] for name in ("opensim_inertia", "opensim")}}
    text = json.dumps(plain(content), sort_keys=True, default=os.fspath)
    return replace(task, key=hashlib.sha256(text.encode()).hexdigest()[:32])
