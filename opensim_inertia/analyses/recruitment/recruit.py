"""Muscle recruitment of a recorded motion: from coordinates and loads to activations, forces and joint reactions."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_count, check_file, check_names, warn_or_raise
from ..._core.choices import IMPLAUSIBLE, KINDS
from ..._core.errors import InertiaWarning, ModelError, MotionError, Option, OptionError, listed
from ..._core.findings import act_on
from ..._core.provenance import describe_source
from ...inspection.acting import loads_notes, motion_notes
from ...inspection.answers import activation_findings, answer_notes, force_findings
from ...model import InertialModel
from ...model.arguments import check_inertial
from ...model.model import for_run
from ...model.recorded_motion import constraint_notes, recorded_motion
from ...opensim_model.reading import Motion, base_coordinates, named_table
from ...opensim_model.setups.loads import Loads
from .recruitment_result import RecruitmentResult
from .rows import INFEASIBLE, STATUSES, RowAnswers, RowSolver, Task, answer_rows, with_unanswered_rows
from .solve import check_criterion

__all__ = ["AccelerationWarning", "IdleMuscleWarning", "InfeasibleWarning", "recruit"]

#: Names ``free`` may hold for the coordinates that move the whole model in ground.
BASE = "base"
#: Names all joints, in any case.
ALL = "all"
#: Most processes, and the most rows between two that are solved.
MOST_WORKERS, MOST_ROWS = 1024, 1_000_000
#: A force below this share of the largest is none [N m or N].
NO_FORCE = 1e-9
MOST_NAMED = 4
#: Accelerations that come out with joint reactions are the motion's within this share of the largest.
SAME = 1e-6


class InfeasibleWarning(InertiaWarning):
    """Muscles and reserves cannot make the forces that a motion needs at some rows."""


class IdleMuscleWarning(InertiaWarning):
    """Muscles act on no coordinate that is solved for, so that they stay at their least activation."""


class AccelerationWarning(InertiaWarning):
    """Joint reactions belong to accelerations that are not the motion's, which breaks the model's constraints."""


def recruit(
    inertial: InertialModel,
    motion: str | os.PathLike[str] | pd.DataFrame,
    external_loads: str | os.PathLike[str] | None = None,
    criterion: str = "polynomial",
    power: float = 2.0,
    secondary: str = "quadratic",
    actuators: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    reserves: Mapping[str, float] | float | None = None,
    free: str | Sequence[str] = (),
    kind: str | Sequence[str] = "inertial",
    physiology: bool = True,
    passive: bool = False,
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
    every: int = 1,
    joints: str | Sequence[str] = (),
    tension_ends: bool = False,
    accelerations: str = "coordinates",
    speeds: str | os.PathLike[str] | pd.DataFrame | None = None,
    forces_to_exclude: str | Sequence[str] = ("Actuators",),
    workers: int = 1,
    progress: bool | None = None,
    strict: bool = False,
    assemble: bool = False,
    as_recorded: bool = False,
    implausible: str = "refuse",
) -> RecruitmentResult:
    """Find which muscles carry the moments of a recorded motion, and how hard each of them works.

    At every row, activations a minimise a criterion G(a) with ``N^T R diag(F) a = N^T tau`` and ``lower <= a <= upper``
    (Damsgaard et al. 2006): tau are the forces of inverse dynamics, R the moment arms that OpenSim applies, F the
    muscles' strengths, and N spans the motions that the constraints leave free. Each row is solved by itself. Rows for
    which the external loads have no data are not: their status is "no loads", and all numbers are NaN.

    Args:
        inertial: the model.
        motion: ``.mot`` or ``.sto`` file of coordinates or states, or a DataFrame (index time [s], radians and metres).
        external_loads: OpenSim external loads XML.
        criterion, power, secondary: as for :func:`~opensim_inertia.solve_recruitment`.
        actuators: files of force sets that are added to the model, such as residual actuators.
        reserves: strengths of reserve actuators by coordinate [N m or N], or one number for all coordinates. They are
            not muscles: see ``muscles`` of :func:`~opensim_inertia.solve_recruitment`.
        free: coordinates whose forces need no actuator, or "base" for those that move the whole model in ground.
        kind: where muscle mass is, "inertial" (sliding along the paths), "moved" or "lumped"; or several, of which the
            first one is shown first. See :func:`~opensim_inertia.inverse_dynamics`.
        physiology: a muscle's strength is the active force of its fibres at its length and speed, with an inextensible
            tendon, as OpenSim's Static Optimization takes it; else its largest isometric force.
        passive: passive fibres pull too; OpenSim's Static Optimization leaves them out.
        cutoff: low-pass cut-off for the coordinates [Hz]; None for no filter.
        time_range: first and last time [s]; default, also of an infinite end: those of the recording.
        every: solve each ``every``-th row of the recording besides the first and last, as OpenSim's step interval does.
        joints: joints whose reactions are wanted, or "all".
        tension_ends: find the tensions at both ends of muscles with mass, which differ.
        accelerations: "coordinates", or "speeds" as OpenSim's Static Optimization takes them; see
            :func:`~opensim_inertia.opensim_model.reading.load_motion`.
        speeds: file or table of speeds [rad/s, m/s] at the motion's times, in place of the coordinates' derivatives; a
            file of states may be both motion and speeds. They exclude ``cutoff`` and ``assemble``.
        forces_to_exclude: names, groups or keywords of model forces that do not act; actuators never act twice.
        workers: processes that share the rows; the answer is the same.
        progress: show a bar; default: on a terminal, for long motions.
        strict: refuse what else is warned of, see :func:`~opensim_inertia.inverse_dynamics`, rows without a solution
            (:class:`InfeasibleWarning`), muscles that act on nothing (:class:`IdleMuscleWarning`), and accelerations
            that break constraints (:class:`AccelerationWarning`).
        assemble: project the motion on the constraints, as :func:`~opensim_inertia.model.recorded_motion` says.
        as_recorded: take coordinates that follow others by couplers as they were recorded, as for
            :func:`~opensim_inertia.inverse_dynamics`.
        implausible: what is done about forces and activations that no body makes: "refuse", or "warn".

    Raises:
        MissingPackageError: the solver is not installed.
        OptionError: an option has a value it cannot have; UnknownNameError: a coordinate or force is not in the model.
        ModelError: no actuator acts on a coordinate that needs one; a muscle has no strength, or cannot be evaluated.
        MotionError: the motion cannot be used; FileFormatError: a file is missing or malformed.
    """
    from ..._core.solvers import daqp  # noqa: F401 - if it is missing, say so first

    check_inertial(inertial)
    check_criterion(criterion, power, secondary)
    check_choice("implausible", implausible, IMPLAUSIBLE)
    kinds = (kind,) if isinstance(kind, str) else tuple(kind)
    if not kinds or len(set(kinds)) < len(kinds):
        raise OptionError("kind", kind, f"one of {listed(KINDS)}, or several that differ")
    for name in kinds:
        check_choice("kind", name, KINDS)
    every, workers = check_count("every", every, MOST_ROWS), check_count("workers", workers, MOST_WORKERS)
    files = [actuators] if isinstance(actuators, str | os.PathLike) else list(actuators)
    excluded = (forces_to_exclude,) if isinstance(forces_to_exclude, str) else tuple(forces_to_exclude)
    inertial = for_run(inertial)
    table = named_table(motion)
    notes = motion_notes(inertial, table, strict)
    recorded = recorded_motion(inertial, table, cutoff, time_range, assemble, accelerations, speeds, as_recorded)
    task = Task(
        actuators=tuple(check_file(os.path.abspath(file), "file of actuators") for file in files),
        reserves=reserves,
        free=_free(inertial, free),
        kinds=kinds,
        criterion=criterion,
        power=float(power),
        secondary=secondary,
        physiology=physiology,
        passive=passive,
        external_loads=None if external_loads is None else Path(os.path.abspath(external_loads)),
        span=recorded.span,
        excluded=tuple(dict.fromkeys(("Actuators", *excluded))),
        joints=_joints(inertial, joints),
        ends=tension_ends,
    )
    notes += act_on(recorded.findings, MotionError, strict)
    notes += constraint_notes(inertial, recorded, table.origin, strict)
    recorded = _every(recorded, every)
    loads = None if task.external_loads is None else Loads(task.external_loads, recorded.span)
    notes += [] if loads is None else loads.warn(recorded.times, strict, extrapolated=False)
    answered = np.ones(len(recorded), dtype=bool) if loads is None else loads.covered(recorded.times)
    solved = recorded.at(np.flatnonzero(answered))
    notes += [] if loads is None else loads_notes(inertial, loads, solved, strict)
    solver = RowSolver(inertial, task, recorded.q[0], solved.times, loads)
    found = answer_rows(inertial, task, solved, solver, workers, progress)
    names = tuple(inertial.coordinate_names[i] for i in solver.independent)
    by_kind = {name: answer.generalized for name, answer in found.by_kind.items()}
    doubts = force_findings(inertial, solved.times, by_kind, loads, cutoff=cutoff)
    for answer in found.by_kind.values():
        activations = answer.controls[:, : len(solver.actuation.muscles)]
        doubts += activation_findings(solved.times, solver.actuation.muscles, activations)
    notes += answer_notes(doubts, notes, strict, implausible)
    _check_acting(inertial, names, solver, found, kinds[0])
    notes += _idle(solver, found, task.free, strict)
    notes += _shortfall(names, solver, found, solved.times, kinds, strict)
    notes += _other_accelerations(found, solved.times, kinds, strict)
    found = with_unanswered_rows(found, answered)
    made = inertial.provenance()
    return RecruitmentResult(
        times=recorded.times,
        coordinate_names=names,
        rotational=tuple(inertial.coordinates.rotational[i] for i in solver.independent),
        free=task.free,
        muscles=solver.actuation.muscles,
        actuators=solver.actuation.names,
        lower=solver.actuation.lower,
        upper=solver.actuation.upper,
        strengths=found.strengths,
        passive_forces=found.passive,
        answers=found.by_kind,
        joints=task.joints,
        joint_bodies=_bodies(inertial, task.joints),
        joint_frames=found.joint_frames,
        carriers=inertial.muscle_names if tension_ends else (),
        ends=found.ends,
        kind=kinds[0],
        criterion=criterion,
        power=float(power),
        secondary=secondary,
        provenance={
            **made,
            "warnings": made["warnings"] + notes,
            "motion": describe_source(motion) | ({"projected on the constraints": True} if assemble else {}),
            "external loads": None if external_loads is None else describe_source(external_loads),
            "criterion": {"name": criterion, "power": float(power), "secondary": secondary},
            "actuators": [describe_source(file) for file in files],
            "reserves": dict(reserves) if isinstance(reserves, Mapping) else reserves,
            "free": task.free,
            "muscle physiology": physiology,
            "passive fibres": passive,
            "cut-off [Hz]": cutoff,
            "time range [s]": list(recorded.span),
            "every": every,
            "accelerations": accelerations,
            "speeds": None if speeds is None else describe_source(speeds),
            "forces excluded": task.excluded,
            "coordinates missing in the motion": list(recorded.missing),
        },
        motion=recorded,
    )


def _free(inertial: InertialModel, free: str | Sequence[str]) -> tuple[str, ...]:
    names = inertial.coordinate_names
    wanted = [free] if isinstance(free, str) else list(free)
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


def _every(motion: Motion, every: int) -> Motion:
    """Return the first row of a motion, the last one, and those whose number in the recording is a multiple."""
    asked = np.arange(len(motion)) + motion.first
    asked[[0, -1]] = 0
    return motion.at(np.flatnonzero(asked % every == 0))


def _check_acting(
    inertial: InertialModel, names: Sequence[str], solver: RowSolver, found: RowAnswers, kind: str
) -> None:
    """Refuse coordinates on which a force is needed and no actuator ever acts."""
    asked = np.abs(found.by_kind[kind].generalized[:, solver.independent])
    needed = asked.max(axis=0, initial=0.0) > NO_FORCE * asked.max(initial=0.0)
    alone = [names[i] for i in np.flatnonzero(needed & solver.kept & ~found.acting.any(axis=0)).tolist()]
    if not alone:
        return
    on_base = dict(zip(inertial.coordinate_names, base_coordinates(inertial.model, inertial.coordinates), strict=True))
    based = [name for name in alone if on_base[name]]
    others = [name for name in alone if name not in based][:MOST_NAMED]
    raise ModelError(
        f"no muscle or other actuator acts on {listed(alone)}, although forces are needed there: ",
        *(("add residual actuators (", Option("actuators", "residuals.xml"), "), ") if based else ()),
        "add reserves (",
        Option("reserves", dict.fromkeys(alone[:2], 1.0)),
        ") or leave these coordinates out (",
        Option("free", BASE if not others else ((BASE,) if based else ()) + tuple(others)),
        ")",
    )


def _idle(solver: RowSolver, found: RowAnswers, free: Sequence[str], strict: bool) -> list[str]:
    """Warn of muscles that act on no coordinate whose equation counts, and return what was said."""
    idle = [solver.actuation.muscles[i] for i in np.flatnonzero(~found.pulling.any(axis=0)).tolist()]
    if not idle:
        return []
    more = f" and {len(idle) - MOST_NAMED} more" if len(idle) > MOST_NAMED else ""
    left_out = {"locked": solver.actuation.locked, "free": free}
    why = "; ".join(f"{what}: {listed(names[:MOST_NAMED])}" for what, names in left_out.items() if names)
    message = (
        f"muscles {listed(idle[:MOST_NAMED])}{more} act on no coordinate that is solved for{why and f' ({why})'}, so "
        "that they stay at their least activation"
    )
    return [warn_or_raise(IdleMuscleWarning(message), ModelError(message) if strict else None)]


def _shortfall(
    names: Sequence[str], solver: RowSolver, found: RowAnswers, times: Array, kinds: Sequence[str], strict: bool
) -> list[str]:
    """Warn of rows without a solution, and return what was said."""
    notes = []
    for kind in kinds:
        answer = found.by_kind[kind]
        for status in INFEASIBLE:
            rows = np.flatnonzero(answer.status == STATUSES.index(status))
            if not len(rows):
                continue
            message: list[object] = [
                f"muscle recruitment ({kind}) {_told(status)} at {len(rows)} of {len(times)} rows, "
                f"from {times[rows[0]]:.6g} to {times[rows[-1]]:.6g} s"
            ]
            if status == "infeasible":
                missing = np.abs(np.where(solver.kept, answer.missing[rows], 0.0))
                worst = missing.max(axis=0)
                order = [i for i in np.argsort(-worst) if worst[i] > 1e-6 * max(1.0, worst.max())][:MOST_NAMED]
                units = [
                    "N m" if solver.actuation.coordinates.rotational[solver.independent[i]] else "N" for i in order
                ]
                told = "; ".join(
                    f"'{names[i]}' lacks up to {worst[i]:.4g} {unit} (at {times[rows[missing[:, i].argmax()]]:.6g} s, "
                    f"more than 1 % of that at {int((missing[:, i] > 0.01 * worst[i]).sum())} rows)"
                    for i, unit in zip(order, units, strict=True)
                )
                reserves = {names[i]: float(f"{1.05 * worst[i]:.2g}") for i in order}
                message += [f": {told}. ", Option("reserves", reserves), " would make up for it"]
            notes.append(warn_or_raise(InfeasibleWarning(*message), ModelError(*message) if strict else None))
    return notes


def _other_accelerations(found: RowAnswers, times: Array, kinds: Sequence[str], strict: bool) -> list[str]:
    """Warn of accelerations that come out with joint reactions and are not the motion's; return what was said."""
    errors = np.max([found.by_kind[kind].acceleration_error for kind in kinds], axis=0)
    if not errors.max(initial=0.0) > SAME:
        return []
    row = int(errors.argmax())
    message = (
        f"joint reactions belong to accelerations that differ from the motion's by up to {errors[row]:.2g} of the "
        f"largest (at {times[row]:.6g} s), because these break the model's constraints; ",
        Option("assemble", True),
        " projects the motion on them",
    )
    return [warn_or_raise(AccelerationWarning(*message), MotionError(*message) if strict else None)]


def _told(status: str) -> str:
    return "has no solution" if status == "infeasible" else "was not solved, though it has a solution,"
