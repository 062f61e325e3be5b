"""The analysis ``recruit``: from a recorded motion to activations, forces and joint reactions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_file, check_names
from ..._core.choices import IMPLAUSIBLE, KINDS, CriterionName, Implausible, Kind
from ..._core.diagnostics import Diagnostic, raise_or_warn
from ..._core.errors import ModelError, MotionError, Option, OptionError, first_of, listed
from ..._core.options import whole
from ..._core.provenance import recorded_options
from ..._core.warnings import AccelerationWarning, IdleMuscleWarning, InfeasibleWarning
from ..._core.workers import MOST_WORKERS
from ...dynamics.load_sharing.programs import load_daqp
from ...model import InertialModel
from ...model.model import check_inertial
from ...opensim_model.reading.coordinates import base_coordinates
from ...opensim_model.reading.motion import Motion
from ...options.recording import Recording
from ...options.recruitment import Actuation, Criterion, RecruitmentOutputs, criterion_of
from ..inverse_dynamics.doubts import activation_findings, force_findings, jump_doubts
from ..inverse_dynamics.inputs import Inputs
from ..result import over_all_rows
from .recruitment_result import RecruitmentResult
from .rows import INFEASIBLE, STATUSES, RowAnswers, RowSolver, Task, answer_rows

if TYPE_CHECKING:
    import pandas as pd

#: Name, in ``free``, of all coordinates that move the whole model in ground.
BASE = "base"
#: Name of all joints, in any case.
ALL = "all"
#: Smaller forces, relative to the largest, count as zero.
NO_FORCE = 1e-9
MOST_NAMED = 4
#: Tolerance, relative to the largest, of accelerations with joint reactions against those of the motion.
SAME = 1e-6


def recruit(
    inertial: InertialModel,
    recording: Recording | str | os.PathLike[str] | pd.DataFrame,
    criterion: CriterionName | Criterion = "polynomial",
    actuation: Actuation | None = None,
    kind: Kind | Sequence[Kind] = "inertial",
    outputs: RecruitmentOutputs | None = None,
    implausible: Implausible = "refuse",
    workers: int | None = 1,
    progress: bool | None = None,
) -> RecruitmentResult:
    """Find muscle activations that produce the moments of a recorded motion.

    At every row, activations a minimise a criterion G(a) with ``N^T R diag(F) a = N^T tau`` and ``lower <= a <= upper``
    (Damsgaard et al. 2006): tau are the forces of inverse dynamics, R the moment arms of OpenSim's applied forces, F
    the muscles' strengths, and N spans the motions that the constraints allow. Rows are independent of each other.

    Rows without data of the external loads are not solved: their status is "no loads", and all numbers are NaN. Rows
    near jumps of the recording are solved as recorded; ``result.doubtful`` marks values that jumps change, and peaks
    exclude these.

    Args:
        inertial: the model.
        recording: the motion with its external loads and options; or the motion alone, as a file or table. With
            ``strict`` the warnings of :func:`~opensim_inertia.inverse_dynamics` are errors, and rows without a solution
            (:class:`InfeasibleWarning`), muscles that act on no coordinate (:class:`IdleMuscleWarning`), and
            accelerations that violate constraints (:class:`AccelerationWarning`).
        criterion: the minimised cost: :class:`~opensim_inertia.Polynomial`, :class:`~opensim_inertia.SoftSaturation` or
            :class:`~opensim_inertia.MinMax`, or a name.
        actuation: the actuators and their strengths; default: the model's muscles and actuators. Reserves are not
            muscles: see ``muscles`` of :func:`~opensim_inertia.recruitment.solve_recruitment`.
        kind: treatment of muscle mass: "inertial" (mass slides along the paths), "lumped", or both; tables show the
            first. See :func:`~opensim_inertia.inverse_dynamics`.
        outputs: further results, and the rows; default: no joint reactions, every row.
        implausible: treatment of implausible forces and activations: "refuse" raises an error, "warn" returns them. Up
            to a tenth of the rows with such forces are not refused, but marked in ``result.doubtful``.
        workers: number of processes; None: as many as there are processors, if rows take long. Results do not depend on
            it. A script with several processes must start its work below ``if __name__ == "__main__":``.
        progress: show a bar; default: on a terminal, for long motions.

    Raises:
        MissingPackageError: the solver is not installed.
        OptionError: an option is invalid; UnknownNameError: a coordinate or force is not in the model.
        ModelError: a coordinate needs an actuator and has none; a muscle has no strength, or cannot be evaluated.
        MotionError: the motion cannot be used; FileFormatError: a file is missing or malformed.
    """
    load_daqp()  # raises the error of a missing solver first
    check_inertial(inertial)
    criterion, actuation, outputs = criterion_of(criterion), actuation or Actuation(), outputs or RecruitmentOutputs()
    check_choice("implausible", implausible, IMPLAUSIBLE)
    kinds = (kind,) if isinstance(kind, str) else tuple(kind)
    if not kinds or len(set(kinds)) < len(kinds):
        raise OptionError("kind", kind, f"one of {listed(KINDS)}, or several that differ")
    for name in kinds:
        check_choice("kind", name, KINDS)
    if workers is not None:
        whole(1, MOST_WORKERS)("workers", workers)
    files = tuple(check_file(os.path.abspath(file), "file of actuators") for file in actuation.files)
    inputs = Inputs.of(inertial, recording, actuation.excluded, lambda motion: _every(motion, outputs.every))
    recorded, solved, loads, answered = inputs.whole, inputs.solved, inputs.loads, inputs.answered
    strict, external_loads = inputs.options.strict, inputs.options.external_loads
    task = Task(
        actuation=replace(actuation, actuators=files, forces_to_exclude=inputs.excluded),
        free=_free(inertial, actuation.free),
        kinds=kinds,
        criterion=criterion,
        external_loads=None if external_loads is None else Path(os.path.abspath(external_loads)),
        span=inputs.span,
        joints=_joints(inertial, outputs.joints),
        ends=outputs.tension_ends,
    )
    doubtful, jumps = jump_doubts(inertial, inputs)
    recorded = replace(recorded, findings=(*recorded.findings, *jumps))
    notes, seen = raise_or_warn(jumps, MotionError, strict), inertial.remarks()
    solver = RowSolver(inertial, task, recorded.q[0], seen, loads)
    answers = answer_rows(inertial, task, solved, solver, workers, progress)
    seen.warn()
    names = tuple(inertial.coordinate_names[i] for i in solver.independent)
    reached, doubtful = solver.reached(solved, doubtful)
    by_kind = {name: answer.generalized for name, answer in answers.by_kind.items()}
    beyond, doubts = force_findings(inertial, inputs, by_kind, doubtful, implausible)
    reached, doubtful = reached | beyond[:, None], doubtful | beyond[:, None]
    for answer in answers.by_kind.values():
        activations = np.where(reached, 0.0, answer.controls)[:, : len(solver.actuation.muscles)]
        doubts += activation_findings(solved.times, solver.actuation.muscles, activations)
    notes += raise_or_warn(doubts, MotionError, strict)
    _check_acting(inertial, names, solver, answers, kinds[0])
    unsolved = [*_idle(solver, answers, task.free), *_shortfall(names, solver, answers, solved.times, kinds)]
    notes += raise_or_warn(unsolved, ModelError, strict)
    notes += raise_or_warn(_other_accelerations(answers, solved.times, kinds), MotionError, strict)
    of_joints = _of_joints(inertial, task.joints, doubtful)
    answers, reached, of_joints = over_all_rows((answers, reached, of_joints), answered)
    return RecruitmentResult(
        times=recorded.times,
        coordinate_names=names,
        rotational=tuple(inertial.coordinates.rotational[i] for i in solver.independent),
        free=task.free,
        muscles=solver.actuation.muscles,
        actuators=solver.actuation.names,
        lower=solver.actuation.lower,
        upper=solver.actuation.upper,
        strengths=answers.strengths,
        passive_forces=answers.passive,
        answers=answers.by_kind,
        joints=task.joints,
        joint_bodies=_bodies(inertial, task.joints),
        joint_frames=answers.joint_frames,
        carriers=inertial.muscle_names if task.ends else (),
        ends=answers.ends,
        kind=kinds[0],
        criterion=criterion,
        provenance={
            **inputs.facts(inertial, seen, notes),
            **recorded_options(actuation, outputs),
            "criterion": {"name": criterion.name, **recorded_options(criterion)},
            "free": task.free,
            "time range [s]": list(recorded.span),
        },
        motion=recorded,
        answered=answered,
        doubtful=reached,
        doubtful_reactions=of_joints,
    )


def _free(inertial: InertialModel, free: Sequence[str]) -> tuple[str, ...]:
    names = inertial.coordinate_names
    wanted = list(free)
    if BASE in wanted and BASE not in names:
        wanted.remove(BASE)
        on_base = base_coordinates(inertial.model, inertial.coordinates)
        wanted += [name for name, is_base in zip(names, on_base, strict=True) if is_base]
    check_names("coordinate", wanted, names)
    return tuple(dict.fromkeys(wanted))


def _joints(inertial: InertialModel, joints: str | Sequence[str]) -> tuple[str, ...]:
    names = [joint.getName() for joint in inertial.model.getJointSet()]
    if isinstance(joints, str):
        joints = names if joints.lower() == ALL and joints not in names else [joints]
    check_names("joint", joints, names)
    return tuple(dict.fromkeys(joints))


def _bodies(inertial: InertialModel, joints: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the names of the child and parent body of each joint."""
    each = [inertial.model.getJointSet().get(name) for name in joints]
    frames = [(joint.getChildFrame(), joint.getParentFrame()) for joint in each]
    return tuple((c.findBaseFrame().getName(), p.findBaseFrame().getName()) for c, p in frames)


def _of_joints(inertial: InertialModel, joints: Sequence[str], doubtful: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether joint reactions (R, joints) are doubtful, given doubtful forces (R, nu)."""
    of_joints = np.zeros((len(doubtful), len(joints)), dtype=bool)
    for i, name in enumerate(joints):
        joint = inertial.model.getJointSet().get(name)
        members = [joint.get_coordinates(j).getName() for j in range(joint.numCoordinates())]
        columns = [inertial.coordinate_names.index(member) for member in members]
        of_joints[:, i] = (doubtful[:, columns] if columns else doubtful).any(axis=1)
    return of_joints


def _every(motion: Motion, every: int) -> NDArray[np.intp]:
    """Return indices of the rows to solve: the first, the last, and every ``every``-th row of the recording."""
    rows = np.arange(len(motion)) + motion.first
    rows[[0, -1]] = 0
    return np.flatnonzero(rows % every == 0)


def _check_acting(
    inertial: InertialModel, names: Sequence[str], solver: RowSolver, answers: RowAnswers, kind: str
) -> None:
    """Raise ModelError for coordinates that need a force and have no actuator."""
    forces = np.abs(answers.by_kind[kind].generalized[:, solver.independent])
    needed = forces.max(axis=0, initial=0.0) > NO_FORCE * forces.max(initial=0.0)
    alone = [names[i] for i in np.flatnonzero(needed & solver.kept & ~answers.acting.any(axis=0)).tolist()]
    if not alone:
        return
    on_base = dict(zip(inertial.coordinate_names, base_coordinates(inertial.model, inertial.coordinates), strict=True))
    based = [name for name in alone if on_base[name]]
    others = [name for name in alone if name not in based][:MOST_NAMED]
    raise ModelError(
        f"no muscle or other actuator acts on {listed(alone)}, although forces are needed there: ",
        *(("add residual actuators (", Option("actuators", "residuals.xml", "Actuation"), "), ") if based else ()),
        "add reserves (",
        Option("reserves", dict.fromkeys(alone[:2], 1.0), "Actuation"),
        ") or leave these coordinates out (",
        Option("free", BASE if not others else ((BASE,) if based else ()) + tuple(others), "Actuation"),
        ")",
    )


def _idle(solver: RowSolver, answers: RowAnswers, free: Sequence[str]) -> list[Diagnostic]:
    """Return a diagnostic of muscles that act on no solved coordinate."""
    idle = [solver.actuation.muscles[i] for i in np.flatnonzero(~answers.pulling.any(axis=0)).tolist()]
    if not idle:
        return []
    left_out = {"locked": solver.actuation.locked, "free": free}
    named = first_of((f"'{name}'" for name in idle), MOST_NAMED)
    why = "; ".join(f"{what}: {listed(names[:MOST_NAMED])}" for what, names in left_out.items() if names)
    text = (
        f"muscles {named} act on no coordinate that is solved for{why and f' ({why})'}, so "
        "that they stay at their least activation"
    )
    return [Diagnostic("warning", "muscles", "", text, kind=IdleMuscleWarning)]


def _shortfall(
    names: Sequence[str], solver: RowSolver, answers: RowAnswers, times: Array, kinds: Sequence[str]
) -> list[Diagnostic]:
    """Return diagnostics of rows without a solution."""
    found = []
    for kind in kinds:
        answer = answers.by_kind[kind]
        for status in INFEASIBLE:
            rows = np.flatnonzero(answer.status == STATUSES.index(status))
            if not len(rows):
                continue
            failed = "has no solution" if status == "infeasible" else "was not solved, though it has a solution,"
            text = (
                f"muscle recruitment ({kind}) {failed} at {len(rows)} of {len(times)} rows, "
                f"from {times[rows[0]]:.6g} to {times[rows[-1]]:.6g} s"
            )
            cure: tuple[object, ...] = ()
            if status == "infeasible":
                missing = np.abs(np.where(solver.kept, answer.missing[rows], 0.0))
                worst = missing.max(axis=0)
                order = [i for i in np.argsort(-worst) if worst[i] > 1e-6 * max(1.0, worst.max())][:MOST_NAMED]
                units = [
                    "N m" if solver.actuation.coordinates.rotational[solver.independent[i]] else "N" for i in order
                ]
                descriptions = "; ".join(
                    f"'{names[i]}' lacks up to {worst[i]:.4g} {unit} (at {times[rows[missing[:, i].argmax()]]:.6g} s, "
                    f"more than 1 % of that at {int((missing[:, i] > 0.01 * worst[i]).sum())} rows)"
                    for i, unit in zip(order, units, strict=True)
                )
                reserves = {names[i]: float(f"{1.05 * worst[i]:.2g}") for i in order}
                text = f"{text}: {descriptions}"
                cure = (Option("reserves", reserves, "Actuation"), " would make up for it")
            found.append(Diagnostic("warning", "rows", "", text, cure, InfeasibleWarning))
    return found


def _other_accelerations(answers: RowAnswers, times: Array, kinds: Sequence[str]) -> list[Diagnostic]:
    """Return a diagnostic if the accelerations computed with joint reactions differ from the motion's accelerations."""
    errors = np.max([answers.by_kind[kind].acceleration_error for kind in kinds], axis=0)
    if not errors.max(initial=0.0) > SAME:
        return []
    row = int(errors.argmax())
    text = (
        f"joint reactions belong to accelerations that differ from the motion's by up to {errors[row]:.2g} of the "
        f"largest (at {times[row]:.6g} s), because these break the model's constraints"
    )
    cure = (Option("assemble", True, "Recording"), " projects the motion on them")
    return [Diagnostic("warning", "accelerations", "", text, cure, AccelerationWarning)]
