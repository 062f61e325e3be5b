"""Work of a study's processes: do tasks in sequence, and write each result to a file in the study's folder."""

from __future__ import annotations

import json
import os
import re
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.checks import silenced
from .._core.choices import Kind
from .._core.errors import ClusterError, InertiaError, ModelError, OutputError, listed
from .._core.opensim import osim, quiet
from .._core.provenance import plain, versions
from .._core.warnings import InertiaWarning
from ..analyses.inverse_dynamics import InverseDynamicsResult, inverse_dynamics
from ..analyses.inverse_dynamics.summary import summarise
from ..analyses.recruitment import RecruitmentResult, recruit
from ..checks.recordings import solve_checked
from ..files.atomic import check_writable, write_text, writing
from ..files.setups import StaticOptimizationSetup
from ..model import InertialModel
from ..muscles.masses.estimate import estimate_masses
from ..opensim_model.reading.coordinates import NO_MOTION
from ..opensim_model.reading.loading import initialise, load_model
from ..opensim_model.setups.driven_model import add_force_sets
from ..opensim_model.setups.loads import cycles_of, gait_cycles
from ..options.recording import Recording, Wobble
from ..options.recruitment import CRITERIA, Actuation, RecruitmentOutputs
from ..reports import report
from .tasks import Build, Inputs, Task, reader

if TYPE_CHECKING:
    from .config import Section

#: Names in the study's folder.
RECORD, TASKS, REPORTS, INDEX = "study.json", "tasks", "reports", "index.html"
ENDINGS = {TASKS: ".npz", REPORTS: ".html"}
#: Tables, each a .parquet and a .csv file.
TABLES = ("curves", "peaks", "mean_curves", "contrasts")
FAILURES = "failures.csv"
#: Pattern of temporary files.
TEMPORARY = re.compile(r"\..+\.[0-9a-f]{12}\.\w+")
#: Curves of a result, (T, n); NaN without results.
KINDS = ("lumped", "inertial", "lower", "upper")
#: Names of averaged curves.
MEANS = (*KINDS, "difference")
#: Texts and arrays of a result.
TEXTS = ("quantities", "names", "units", "peak_columns")
ARRAYS = ("times", "on_base", "directions", "doubtful", "peaks")
#: One thread at a time uses OpenSim and the models of a process.
LOCK = RLock()
#: Number of models that a process keeps; each takes tens of megabytes.
KEPT = 4
#: Kinds of muscle mass in recruitment.
RECRUITED: tuple[Kind, ...] = ("inertial", "lumped")
#: Components of joint reactions with units.
COMPONENTS = {**dict.fromkeys(("fx", "fy", "fz"), "N"), **dict.fromkeys(("mx", "my", "mz"), "N m")}


Span = tuple[float, float]
"""First and last time [s]."""
Numbers = tuple[list[tuple[str, str, str]], dict[str, Array], NDArray[np.bool_], pd.DataFrame]
"""Quantity, name and unit of n curves, these by KINDS (T, n), which values are doubtful (T, n), and peaks."""


@dataclass(frozen=True, eq=False)
class TaskResult:
    """Results of one task: n curves, each identified by quantity, name and unit."""

    times: Array  # (T,) [s]
    quantities: Sequence[str]  # "generalized force", "activation", "force" or "reaction"
    names: Sequence[str]
    units: Sequence[str]
    on_base: NDArray[np.bool_]  # (n,), whether a coordinate moves the whole model in ground
    directions: Array  # (n, 3), unit vectors in ground of coordinates' rotations or translations; NaN for other curves
    curves: Mapping[str, Array]  # by KINDS, (T, n); NaN also in rows without results
    doubtful: NDArray[np.bool_]  # (T, n), values that jumps of the recording change
    peaks: Array  # (n, columns)
    peak_columns: Sequence[str]
    provenance: Mapping[str, Any]  # versions, options, inputs, warnings, mass table

    @property
    def sure(self) -> dict[str, Array]:
        """Curves by kind, with NaN in place of values that jumps of the recording change."""
        return {kind: np.where(self.doubtful, np.nan, curve) for kind, curve in self.curves.items()}

    def cycles_of(self, name: str, events: Span | None) -> Sequence[Span]:
        """Return start and end [s] of a curve's cycles: ``events`` or, if None, foot contacts on the curve's side."""
        if events is not None:
            return (events,)
        return cycles_of(name, gait_cycles(self.provenance.get("gait events", ()), self.span))

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Whether each of T time steps has results, (T,)."""
        return np.asarray(np.isfinite(self.curves["lumped"]).all(axis=1))

    @property
    def span(self) -> Span:
        """First and last time [s] with results."""
        times = self.times[self.answered]
        return float(times[0]), float(times[-1])


@dataclass(frozen=True)
class Store:
    """Folder with the results, reports and tables of a study."""

    folder: Path

    def path(self, key: str, kind: str = TASKS) -> Path:
        """Return the file of a task's result or, for another ``kind``, of the task's report."""
        return self.folder / kind / key[:2] / f"{key}{ENDINGS[kind]}"

    def table(self, name: str) -> Path:
        """Return the Parquet file of a table."""
        return self.folder / f"{name}.parquet"

    def tables(self) -> list[Path]:
        """Return the Parquet and .csv files of all tables."""
        return [self.table(name).with_suffix(end) for name in TABLES for end in (".parquet", ".csv")]

    def has(self, key: str, report: bool) -> bool:
        """Return whether a task's result exists and, if ``report``, also the task's report."""
        return self.path(key).is_file() and (not report or self.path(key, REPORTS).is_file())

    def remove_temporary_files(self) -> None:
        """Remove temporary files of killed processes; no process may be writing."""
        for file in self.folder.rglob(".*"):
            if TEMPORARY.fullmatch(file.name):
                file.unlink(missing_ok=True)

    def write(self, key: str, result: TaskResult) -> None:
        """Write the result of a task to its file, atomically."""
        arrays: dict[str, Any] = {name: np.array(getattr(result, name), dtype=str) for name in TEXTS}
        arrays |= {name: getattr(result, name) for name in ARRAYS}
        arrays |= {name: result.curves[name] for name in KINDS}
        arrays["made"] = np.array(json.dumps(plain(dict(result.provenance)), allow_nan=False))
        with writing(self.path(key)) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, **arrays)

    def read(self, key: str) -> TaskResult:
        """Return the result of a task from its file; OutputError if the file is missing or damaged."""
        path = self.path(key)
        try:
            with path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            return TaskResult(
                curves={name: arrays[name] for name in KINDS},
                provenance=json.loads(str(arrays["made"])),
                **{name: arrays[name] for name in ARRAYS},
                **{name: arrays[name].tolist() for name in TEXTS},
            )
        except (OSError, ValueError, KeyError, IndexError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise OutputError(path, f"the result is damaged ({error}); remove it, and run the study again") from error

    def claim(self, name: str, trials: Sequence[str]) -> None:
        """Record a study's name and trials in the folder; OutputError if the folder belongs to another study."""
        record, why = self.folder / RECORD, ""
        if record.is_file():
            try:
                content = json.loads(record.read_text(encoding="utf-8"))
                other, known = str(content["name"]), sorted(content["trials"])
                if other != name:
                    why = f"it holds the results of study '{other}', not of '{name}'"
                elif set(known).isdisjoint(trials):
                    why = f"it holds the results of another study '{name}', with trials {listed(known[:3])}"
            except (OSError, ValueError, KeyError, TypeError) as error:
                why = f"'{RECORD}' in it is damaged ({error}); choose another folder"
        elif self.folder.is_dir() and (others := sorted(os.listdir(self.folder))):
            why = f"it holds '{others[0]}' and no study; choose another folder"
        if why:
            raise OutputError(self.folder, why)
        check_writable([*self.tables(), *map(self.folder.joinpath, (FAILURES, INDEX)), *self.folder.glob("*.png")])
        write_text(record, json.dumps({"name": name, "trials": trials}, indent=0))


def do_batch(batch: Sequence[Task], folder: str, settings: Section, version: str) -> list[Task]:
    """Compute the tasks without a stored result; return all tasks, failed ones with the error."""
    mine = versions()["opensim_inertia"]
    if mine != version:
        raise ClusterError(f"a worker has opensim_inertia {mine}, and the client {version}")
    if not os.path.isdir(folder):
        raise ClusterError(f"a worker does not see the folder of results '{folder}'; it must be on a shared disk")
    inputs = reader({task.trial.id: task.trial for task in batch}, settings)
    return [_do(task, inputs, Store(Path(folder))) for task in batch]


def _do(task: Task, inputs: Callable[[Task], Any], store: Store) -> Task:
    start, key, found, seconds = time.process_time(), "", None, None
    try:
        key, asked, notes = inputs(task)
        if not store.has(key, task.report):
            with LOCK, silenced(InertiaWarning), quiet():
                inertial = _built(asked.build)
                result = _solved(asked, inertial)
                if asked.per_kg and isinstance(result, InverseDynamicsResult):
                    result = result.per_kg()
                if task.report:
                    report(result, store.path(key, REPORTS))
                store.write(key, found := _numbers(asked, result, inertial.model))
            seconds = time.process_time() - start
    except Exception as error:  # other tasks continue after any error
        message = str(error) if isinstance(error, InertiaError) else f"{type(error).__name__}: {error}"
        seconds, message = time.process_time() - start, " ".join(message.split())
        return replace(task, key=key, seconds=seconds, error=type(error).__name__, message=message)
    found = found or store.read(key)  # damaged, it ends the study
    has_cycle = bool(found.cycles_of("", task.trial.events))
    return replace(task, key=key, seconds=seconds, notes=notes, span=found.span, has_cycle=has_cycle)


def _solved(task: Inputs, inertial: InertialModel) -> InverseDynamicsResult | RecruitmentResult:
    """Return the result of a task; warnings about the task's inputs are in the result's provenance."""
    options, setup, asked = dict(task.options), task.setup, dict[str, Any]()
    own: dict[str, Any] = {"implausible": options["implausible"], "progress": False}
    analysis: Callable[..., InverseDynamicsResult | RecruitmentResult] = inverse_dynamics
    if isinstance(setup, StaticOptimizationSetup):
        analysis = recruit
        asked = {"accelerations": "speeds"} | setup.recruitment | dict(task.recruitment)
        own |= {"criterion": CRITERIA[asked["criterion"]].of(asked), "actuation": Actuation.of(asked)}
        own |= {"kind": RECRUITED, "outputs": RecruitmentOutputs.of(asked)}
    else:
        wobble = Wobble.of(options) if options["wobble"] else False
        own |= {"forces_to_exclude": setup.forces_to_exclude, "band": task.uncertainty, "wobble": wobble}
    recording = Recording.of(options | asked | setup.recording | {"cutoff": task.cutoff})
    return solve_checked(analysis, inertial, recording, **own)


def _numbers(task: Inputs, result: InverseDynamicsResult | RecruitmentResult, model: osim.Model) -> TaskResult:
    """Return a result's curves, peaks and provenance; the mass table in the provenance becomes a list of rows."""
    origin = {**result.provenance, "masses": result.provenance["masses"].frame().to_dict("records")}
    masses = asdict(task.build.masses)
    masses |= {name: masses[name] and Path(masses[name]).name for name in ("table", "reference")}
    origin |= {"mass options": masses, "share at the origin": task.build.placement}
    if isinstance(result, RecruitmentResult):
        origin["rows without a solution"] = result.unsolved
        labels, curves, doubtful, peaks = _of_recruitment(result)
        on_base, directions = np.zeros(len(labels), dtype=bool), np.full((len(labels), 3), np.nan)
    else:
        labels, curves, doubtful, peaks = _of_inverse(result)
        on_base = np.array([result.on_base[i] for i in result.independent], dtype=bool)
        directions = _directions(model, [name for _, name, _ in labels])
    quantities, names, units = zip(*labels, strict=True)
    numbers, columns = peaks.to_numpy(dtype=float), list(peaks.columns)
    shared = result.times, quantities, names, units, on_base, directions, curves, doubtful
    return TaskResult(*shared, numbers, columns, origin)


def _of_inverse(result: InverseDynamicsResult) -> Numbers:
    """Return curves and peaks of generalized forces; project forces on coupled coordinates to independent ones."""
    wanted = result.independent
    labels = [("generalized force", result.coordinate_names[i], result.units[i]) for i in wanted]
    forces = {"lumped": result.lumped_forces, "inertial": result.inertial_forces}
    curves = {kind: result.folded(each)[:, wanted] for kind, each in forces.items()}
    bands = np.full((len(wanted), 2, len(result.times)), np.nan)
    if result.uncertainty is not None:
        bands = np.array([result.difference_band(name) for _, name, _ in labels])
    curves |= zip(("lower", "upper"), curves["lumped"] + bands.transpose(1, 2, 0), strict=True)
    return labels, curves, result.doubtful[:, wanted], result.summary().drop(columns="unit")


def _directions(model: osim.Model, names: Sequence[str]) -> Array:
    """Return unit vectors (n, 3) in ground along each coordinate's rotation or translation axis at the zero pose."""
    state, found = osim.State(model.getWorkingState()), np.full((len(names), 3), np.nan)
    state.updQ().setToZero()
    for i, name in enumerate(names):
        coordinate = model.getCoordinateSet().get(name)
        joint = coordinate.getJoint()
        state.updU().setToZero()
        coordinate.setSpeedValue(state, 1.0)
        model.realizeVelocity(state)
        child, parent = (f.getVelocityInGround(state) for f in (joint.getChildFrame(), joint.getParentFrame()))
        for velocity in (child.get(k).to_numpy() - parent.get(k).to_numpy() for k in (1, 0)):
            if (size := np.linalg.norm(velocity)) > NO_MOTION:
                found[i] = velocity / size
    return found


def _of_recruitment(result: RecruitmentResult) -> Numbers:
    """Return curves and peaks of activations, muscle forces and joint reactions."""
    muscles = list(result.muscles)
    labels = [("activation", name, "1") for name in muscles] + [("force", name, "N") for name in muscles]
    labels += [("reaction", f"{joint} {axis}", unit) for joint in result.joints for axis, unit in COMPONENTS.items()]
    curves: dict[str, Array] = {}
    for kind in RECRUITED:
        one = result.of(kind)
        reactions = [one.reaction(joint)[list(COMPONENTS)].to_numpy() for joint in one.joints]
        curves[kind] = np.hstack([one.activations.to_numpy(), one.forces[muscles].to_numpy(), *reactions])
    curves |= dict.fromkeys(("lower", "upper"), np.full_like(curves["lumped"], np.nan))
    rows, controls = result.answered, result.doubtful[:, : len(muscles)]
    doubtful = np.hstack([controls, controls, np.repeat(result.doubtful_reactions, len(COMPONENTS), axis=1)])
    names, units, places = [name for _, name, _ in labels], [unit for _, _, unit in labels], range(len(labels))
    about = result.times[rows], names, units, places, curves["lumped"][rows], curves["inertial"][rows], None
    peaks = pd.DataFrame(summarise(*about, doubtful=doubtful[rows]))
    return labels, curves, doubtful, peaks.drop(columns=["coordinate", "unit"])


def _built(build: Build) -> InertialModel:
    """Return the inertial model for ``build``, shared by tasks with equal inputs; the caller must hold :data:`LOCK`."""
    files = (build.model, *build.force_sets, build.masses.table, build.masses.reference)
    stats = [None if file is None else os.stat(file) for file in files]
    return _model(build, tuple(stat and (stat.st_mtime_ns, stat.st_size) for stat in stats))


@lru_cache(KEPT)
def _model(build: Build, stamps: tuple[tuple[int, int] | None, ...]) -> InertialModel:
    if build.placement is not None:
        given = _model(replace(build, placement=None), stamps)
        table = {"masses": given.masses} if given.options.strain_model.kind == "aponeurosis" else {}
        return given.rebuilt(dict.fromkeys(given.muscle_names, build.placement), plan=given.wraps, **table)
    masses, model = build.masses, load_model(build.model)
    if build.force_sets:
        initialise(model)
        add_force_sets(model, [Path(file) for file in build.force_sets], build.force_sets[0], replace=True)
    inertial = InertialModel(
        model,
        estimate_masses(model, **masses.arguments),
        **dict(build.options),
        reference=masses.reference,
        unsupported=masses.unsupported,
    )
    if not inertial.muscle_names:
        raise ModelError(f"model '{Path(build.model).name}': no muscle has mass")
    return inertial
