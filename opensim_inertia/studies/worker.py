"""Work of a worker: tasks one after the other, each result written whole as soon as it is there."""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from .._core.arrays import Array
from .._core.checks import silenced
from .._core.choices import Kind
from .._core.errors import ClusterError, InertiaError, ModelError
from .._core.opensim import quiet
from .._core.provenance import plain, versions
from .._core.warnings import InertiaWarning
from ..analyses.inverse_dynamics import InverseDynamicsResult, inverse_dynamics
from ..analyses.inverse_dynamics.inputs import ReadRecording
from ..analyses.inverse_dynamics.summary import summarise
from ..analyses.recruitment import RecruitmentResult, recruit
from ..checks import input_notes
from ..files.setups import StaticOptimizationSetup
from ..model import InertialModel
from ..muscles.masses.estimate import estimate_masses
from ..opensim_model.reading.loading import initialise, load_model
from ..opensim_model.setups.driven_model import add_force_sets
from ..options.modelling import Wrapping
from ..options.recording import Recording
from ..options.recruitment import CRITERIA, Actuation, RecruitmentOutputs
from ..options.wobble import Wobble
from ..reports import Code, Picture, Section, Table, table_of, write_document_page
from .store import Store, TaskResult
from .tasks import Batch, Build, Task

__all__ = ["Outcome", "do_batch"]

#: OpenSim, and the models of a process, are used by one thread at a time.
LOCK = RLock()
#: Number of models that a process keeps: a real one takes tens of megabytes.
KEPT = 4
#: Where muscle mass is in recruitment.
RECRUITED: tuple[Kind, ...] = ("inertial", "lumped")
#: Components of joint reactions, and their units.
COMPONENTS = {**dict.fromkeys(("fx", "fy", "fz"), "N"), **dict.fromkeys(("mx", "my", "mz"), "N m")}


@dataclass(frozen=True)
class Outcome:
    """The outcome of a task: its processor time [s], and class and message of an error, empty where there is none."""

    key: str
    seconds: float
    error: str = ""
    message: str = ""


def do_batch(batch: Batch) -> list[Outcome]:
    """Do the tasks of a batch that have no result yet, and return what became of them; after an error others go on."""
    mine = versions()["opensim_inertia"]
    if mine != batch.version:
        raise ClusterError(f"a worker has opensim_inertia {mine}, and the client {batch.version}")
    if not os.path.isdir(batch.folder):
        raise ClusterError(f"a worker does not see the folder of results '{batch.folder}'; it must be on a shared disk")
    store = Store(batch.folder)
    return [_do(task, store) for task in batch.tasks if not store.has(task.key, task.report)]


def _do(task: Task, store: Store) -> Outcome:
    start = time.process_time()
    try:
        with LOCK, silenced(InertiaWarning), quiet():
            result = _solved(task, _built(task.build))
            if isinstance(result, RecruitmentResult):
                numbers = _numbers_of_recruitment(task, result)
            else:
                numbers = _numbers_of_inverse(task, result)
            if task.report:
                _write_report(store.report(task.key), result)
            store.write(task.key, numbers)
    except Exception as error:  # whatever goes wrong with one task, the others go on
        message = str(error) if isinstance(error, InertiaError) else f"{type(error).__name__}: {error}"
        return Outcome(task.key, time.process_time() - start, type(error).__name__, " ".join(message.split()))
    return Outcome(task.key, time.process_time() - start)


def _solved(task: Task, inertial: InertialModel) -> InverseDynamicsResult | RecruitmentResult:
    """Return a task's result, with notes on its input among its warnings."""
    options, setup, asked = dict(task.options), task.setup, dict[str, Any]()
    if isinstance(setup, StaticOptimizationSetup):
        asked = {"accelerations": "speeds"} | setup.recruitment | dict(task.recruitment or ())
    given = options | asked | setup.recording | {"cutoff": task.cutoff}
    recording = ReadRecording.by(inertial, Recording.of(given))
    notes = input_notes(inertial, recording)
    result: InverseDynamicsResult | RecruitmentResult
    if isinstance(setup, StaticOptimizationSetup):
        result = recruit(
            inertial,
            recording,
            criterion=CRITERIA[asked["criterion"]].of(asked),
            actuation=Actuation.of(asked),
            kind=RECRUITED,
            outputs=RecruitmentOutputs.of(asked),
            implausible=options["implausible"],
            progress=False,
        )
    else:
        result = inverse_dynamics(
            inertial,
            recording,
            forces_to_exclude=setup.forces_to_exclude,
            band=task.uncertainty,
            implausible=options["implausible"],
            progress=False,
            wobble=Wobble.of(options) if options["wobble"] else False,
        )
    result.provenance["warnings"][:0] = notes
    return result


def _numbers_of_inverse(task: Task, result: InverseDynamicsResult) -> TaskResult:
    """Return generalized forces of independent coordinates, with those of coupled coordinates projected onto them."""
    wanted = result.independent
    names = [result.coordinate_names[i] for i in wanted]
    forces = {"lumped": result.lumped_forces, "inertial": result.inertial_forces}
    curves = {kind: result.folded(each)[:, wanted] for kind, each in forces.items()}
    nothing = np.full_like(curves["lumped"], np.nan)
    bands = [] if result.uncertainty is None else [result.band(name) for name in names]
    for end in ("lower", "upper"):
        curves[end] = np.column_stack([band[end] for band in bands]) if bands else nothing
    peaks = result.summary().drop(columns="unit")
    return TaskResult(
        times=result.times,
        quantities=["generalized force"] * len(names),
        names=names,
        units=["N m" if result.rotational[i] else "N" for i in wanted],
        on_base=[result.on_base[i] for i in wanted],
        curves=curves,
        doubtful=result.doubtful[:, wanted],
        peaks=peaks.to_numpy(dtype=float),
        peak_columns=list(peaks.columns),
        provenance=_provenance(task, result.provenance),
    )


def _numbers_of_recruitment(task: Task, result: RecruitmentResult) -> TaskResult:
    """Return activations, muscle forces and joint reactions."""
    muscles = list(result.muscles)
    labels = [("activation", name, "1") for name in muscles] + [("force", name, "N") for name in muscles]
    labels += [("reaction", f"{joint} {axis}", unit) for joint in result.joints for axis, unit in COMPONENTS.items()]
    curves: dict[str, Array] = {}
    for kind in RECRUITED:
        one = result.of(kind)
        reactions = [one.reaction(joint)[list(COMPONENTS)].to_numpy() for joint in one.joints]
        curves[kind] = np.hstack([one.activations.to_numpy(), one.forces[muscles].to_numpy(), *reactions])
    nothing = np.full_like(curves["lumped"], np.nan)
    curves |= dict.fromkeys(("lower", "upper"), nothing)
    rows = result.answered
    answered = {kind: curve[rows] for kind, curve in curves.items()}
    controls = result.doubtful[:, : len(muscles)]
    doubtful = np.hstack([controls, controls, np.repeat(result.doubtful_reactions, len(COMPONENTS), axis=1)])
    peaks = summarise(
        result.times[rows],
        [name for _, name, _ in labels],
        [True] * len(labels),
        range(len(labels)),
        answered["lumped"],
        answered["inertial"],
        None,
        doubtful=doubtful[rows],
    ).drop(columns="unit")
    return TaskResult(
        times=result.times,
        quantities=[quantity for quantity, _, _ in labels],
        names=[name for _, name, _ in labels],
        units=[unit for _, _, unit in labels],
        on_base=[False] * len(labels),
        curves=curves,
        doubtful=doubtful,
        peaks=peaks.to_numpy(dtype=float),
        peak_columns=list(peaks.columns),
        provenance=_provenance(task, result.provenance) | {"rows without a solution": result.unsolved},
    )


def _provenance(task: Task, provenance: Any) -> dict[str, Any]:
    """Return how a result was made: what the result says, its mass table as rows, and what the study chose."""
    origin = {**provenance, "masses": provenance["masses"].frame().to_dict("records")}
    masses = asdict(task.build.masses)
    for name in ("table", "reference"):
        masses[name] = None if masses[name] is None else Path(masses[name]).name
    return origin | {"mass options": masses, "share at the origin": task.build.placement}


def _write_report(path: Path, result: InverseDynamicsResult | RecruitmentResult) -> None:
    """Write a page about a result, and its picture beside it; the page last."""
    from ..plotting import plot

    picture = path.with_suffix(".png")
    plot(result, picture)
    origin = {key: value for key, value in result.provenance.items() if key != "masses"}
    motion = origin["motion"].get("file", "a motion")
    masses = result.provenance["masses"].frame()
    parts: dict[str, Picture | Table | Code] = {
        "": Picture(picture.name, f"curves of {motion}"),
        "Peaks": table_of(result.summary(), "Summary of the run"),
        "How it was made": Code(json.dumps(plain(origin), indent=1)),
        "Masses": table_of(masses, "Masses, donor segments and bellies that were used", index=False),
    }
    title = f"{origin['model']['name']}: {motion}"
    write_document_page(path, title, [Section(heading, [part]) for heading, part in parts.items()])


def _built(build: Build) -> InertialModel:
    """Return the inertial model of a task, which tasks with equal inputs share; the caller holds :data:`LOCK`."""
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
        strain=build.strain,
        wrapping=Wrapping(build.wrapping, build.smoothing),
        distribution=build.distribution,
        points=build.points,
        reference=masses.reference,
        unsupported=masses.unsupported,
    )
    if not inertial.muscle_names:
        raise ModelError(f"model '{Path(build.model).name}': no muscle has mass")
    return inertial
