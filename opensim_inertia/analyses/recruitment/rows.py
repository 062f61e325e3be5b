"""Recruitment at the rows of a motion, by one or several processes (docs/theory/recruitment.md)."""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, fields
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import shows_bar
from ..._core.errors import MotionError, opensim_reason
from ..._core.opensim import osim
from ..._core.processes import scratch_folder
from ..._core.workers import processors, starting_workers
from ..._kernel import fibre_length
from ...dynamics.load_sharing import LoadSharing
from ...dynamics.load_sharing.actuation import ModelActuators
from ...model import InertialModel
from ...opensim_model.reading.kinematics import StateKinematics
from ...opensim_model.reading.loading import initialise
from ...opensim_model.reading.motion import Motion
from ...opensim_model.setups.loads import Loads, switch_off
from ...options.recruitment import Actuation, Criterion
from ...paths.kernel.remarks import MuscleRemarks, Remark
from ..inverse_dynamics.solver import forces_on_speeds

#: Gauss points along the fibres, and along the aponeurosis.
POINTS, POINTS_OF_APONEUROSIS = 8, 4
#: Step along the fibres for the direction of the path.
STEP = 1e-4


class Ends:
    """Calculator of the tensions at origin and insertion of muscles with mass."""

    def __init__(self, inertial: InertialModel) -> None:
        """Collect muscles' mass points (Gauss points of continuous bellies), and two nearby points on each fibre."""
        self._inertial = inertial
        self._gravity = inertial.model.getGravity().to_numpy().copy()
        self._bellies = []
        for name in inertial.muscle_names:
            m = inertial.material_map(name)
            if name in inertial.muscles.explicit or not inertial.options.is_continuous:
                mass_points = inertial.muscles.shown_points(name)
                chi, xi, masses = mass_points.chi, mass_points.xi, mass_points.masses
            else:
                xi, xi_weight = _gauss(POINTS)
                chi, chi_weight = _gauss(POINTS_OF_APONEUROSIS if m.aponeurosis > 0 else 1)
                chi, xi = (grid.ravel() for grid in np.meshgrid(chi, xi))
                masses = inertial.muscles.masses[name] * np.outer(xi_weight, chi_weight).ravel()
            beside = xi, np.maximum(xi - STEP, 0.0), np.minimum(xi + STEP, 1.0)
            points = [(float(c), float(x)) for places in beside for c, x in zip(chi, places, strict=True)]
            self._bellies.append((m, vars(m), chi, xi, masses, points))

    def at(self, kinematics: StateKinematics, udot: Array) -> Array:
        """Return tension minus muscle force (n, 2) [N] at origin and insertion of the n muscles with mass."""
        evaluation, differences = self._inertial.evaluation, np.zeros((len(self._bellies), 2))
        lengths = evaluation.path_lengths(kinematics)
        for i, (m, record, chi, xi, masses, points) in enumerate(self._bellies):
            x, _, J, bias = evaluation.material_points(kinematics, i, points)
            n = len(masses)
            along = x[2 * n :] - x[n : 2 * n]
            along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
            point_forces = masses * ((J[:n] @ udot + bias[:n] - self._gravity) * along).sum(axis=1)
            stretch = fibre_length(record, float(lengths[i]))[1]
            share = (m.proximal + chi * m.aponeurosis) * (1.0 - stretch) + xi * stretch  # ds/dL of each point
            differences[i] = -((1.0 - share) * point_forces).sum(), (share * point_forces).sum()
        return differences


def _gauss(n: int) -> tuple[Array, Array]:
    """Return Gauss points and weights on [0, 1]."""
    points, weights = np.polynomial.legendre.leggauss(n)
    return 0.5 * (points + 1.0), 0.5 * weights


_LOG = logging.getLogger(__name__)

#: Status of rows, and those without a solution. Rows without known loads are not solved.
STATUSES = ("solved", "infeasible", "failed", "no loads")
INFEASIBLE = STATUSES[1:3]
#: Smaller shares of an actuator's largest effect are rounding.
NO_SHARE = 1e-9
#: Rows per model with external loads; OpenSim reads all rows of the loads at each.
BLOCK = 1000
#: Rows that start from each other's solution; the first starts alone, so that results do not depend on processes.
RUN = 8
#: Shorter motions show no progress bar.
SHORT_MOTION = 200
#: Rows times muscles per process.
OF_A_PROCESS = 200_000


@dataclass(frozen=True)
class Task:
    """Options of recruitment, picklable so that other processes can use them."""

    actuation: Actuation
    free: tuple[str, ...]
    kinds: tuple[str, ...]
    criterion: Criterion
    external_loads: Path | None
    span: tuple[float, float]
    joints: tuple[str, ...]
    ends: bool


@dataclass(frozen=True, eq=False)
class Answer:
    """Results of recruitment at T rows for one kind of muscle mass, lumped or inertial."""

    controls: Array  # controls of all actuators, (T, n)
    status: NDArray[np.int8]  # indices in :data:`STATUSES`, (T,); -1 is the last
    objective: Array  # (T,)
    generalized: Array  # required forces on speeds (T, nu) [N m or N]
    missing: Array  # missing forces on independent coordinates, (T, k)
    reactions: Array  # moment and force on child and parent, in ground, (T, joints, 2, 6) [N m, N]
    acceleration_error: Array  # error of accelerations with reactions, relative to the motion's largest, (T,)


@dataclass(frozen=True, eq=False)
class RowAnswers:
    """Results of recruitment at T rows: force per unit control, passive force, and :class:`Answer` by kind of mass."""

    strengths: Array  # force per unit of control, (T, n) [N or N m]
    passive: Array  # passive forces, (T, muscles) [N]
    acting: NDArray[np.bool_]  # (T, k), whether an actuator acts on an independent coordinate
    pulling: NDArray[np.bool_]  # (T, muscles), whether a muscle acts on a solved coordinate
    ends: Array  # tension minus force at origin and insertion, (T, muscles with mass, 2) [N]
    joint_frames: Array  # origin and rotation to ground of child and parent frames, (T, joints, 2, 12) [m]
    by_kind: dict[str, Answer]  # results by kind


def _set_row(inertial: InertialModel, state: osim.State, motion: Motion, row: int) -> None:
    """Set a state's time, coordinates and speeds to a row of a motion."""
    state.setTime(float(motion.times[row]))
    inertial.coordinates.set_values(state, motion.q[row])
    state.setU(osim.Vector.createFromMat(motion.u[row]))


class RowSolver:
    """Solver of recruitment at rows of a motion."""

    def __init__(
        self, inertial: InertialModel, task: Task, pose: Array, seen: MuscleRemarks, loads: Loads | None = None
    ) -> None:
        """Read the actuators from the model, and choose independent coordinates at a pose."""
        self._inertial, self._task, self.seen = inertial, task, seen
        self._sharing = LoadSharing(inertial, task.actuation, task.free, pose)
        self.actuation, self.independent = self._sharing.actuation, self._sharing.independent
        self.kept = self._sharing.kept
        self._state = inertial.initial_state()
        self._ends = Ends(inertial) if task.ends and inertial.muscle_names else None
        self._loads = loads
        if loads is None and task.external_loads is not None:
            self._loads = Loads(task.external_loads, task.span)

    def solve(self, motion: Motion, progress: bool | None = None) -> RowAnswers:
        """Return the results at all rows of a motion for all requested kinds of muscle mass."""
        task, inertial, joints = self._task, self._inertial, len(self._task.joints)
        excluded, rows = task.actuation.excluded, []
        required_forces = forces_on_speeds(inertial, motion, self._loads, excluded, self.seen, progress)
        answers = dict[str, Answer]()
        show = shows_bar(False if progress is None and len(motion) < SHORT_MOTION else progress)
        for row in tqdm(range(len(motion)), disable=not show, unit="row", desc="muscle recruitment"):
            if joints and row % BLOCK == 0:
                times = motion.times[row : row + BLOCK]
                reactions = ReactionSolver(inertial, self.actuation, task.joints, self._loads, excluded, times)
            at = self._sharing.at(float(motion.times[row]), motion.q[row], motion.u[row])
            before = answers if row % RUN else {}
            answers, frames, ends = {}, np.zeros((joints, 2, 12)), np.zeros((0, 2))
            for kind in task.kinds:
                required = required_forces[kind][row]
                near = before[kind].controls if before else None
                solution = self._sharing.solve(at, required, task.criterion, near)
                loads, error = np.zeros((joints, 2, 6)), 0.0
                if joints:
                    pulls = solution.activations * at.strengths
                    pulls[: len(at.passive)] += at.passive
                    unmet_forces = np.zeros(len(required))
                    unmet_forces[self.independent] = solution.missing
                    loads, frames, accelerations = reactions.at(motion, row, kind, pulls, unmet_forces)
                    deviation = np.abs(accelerations - motion.udot[row]).max()
                    error = deviation / max(1.0, float(np.abs(motion.udot[row]).max()))
                status = np.int8(STATUSES.index(solution.status))
                of_row = (solution.activations, status, solution.objective, required, solution.missing, loads, error)
                answers[kind] = Answer(*of_row)  # type: ignore[arg-type]
            if self._ends is not None:
                _set_row(inertial, self._state, motion, row)
                ends = self._ends.at(inertial.dynamics.read(self._state), motion.udot[row])
            rows.append(RowAnswers(at.strengths, at.passive, at.acting, at.pulling, ends, frames, answers))
        return _joined(rows, np.stack)

    def reached(self, motion: Motion, doubtful: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which controls (T, n) and coordinates (T, nu) are affected by the doubtful forces (T, nu)."""
        n, k = len(self.actuation.names), len(self.independent)
        acts, moves = np.zeros((k, n), dtype=bool), np.zeros((doubtful.shape[1], k), dtype=bool)
        for row in np.flatnonzero(doubtful.any(axis=1)):
            at = self._sharing.at(float(motion.times[row]), motion.q[row], motion.u[row])
            for seen, values in ((acts, np.abs(at.matrix)), (moves, np.abs(at.N))):
                seen |= values > NO_SHARE * values.max(axis=0, initial=0.0)
        acts[~self.kept] = False
        graph = np.block([[np.zeros((k, k), dtype=bool), acts], [acts.T, np.zeros((n, n), dtype=bool)]])
        group = connected_components(graph, directed=False)[1]
        together = group[:, None] == group[:k]  # (k + n, k)
        reached = (doubtful @ (moves & self.kept)) @ together.T
        return reached[:, k:], doubtful | (reached[:, :k] @ moves.T)


def answer_rows(
    inertial: InertialModel, task: Task, motion: Motion, solver: RowSolver, workers: int | None, progress: bool | None
) -> RowAnswers:
    """Return the results at all rows of a motion, by ``workers`` processes (None: a suitable number)."""
    if workers is None:
        workers = max(1, min(processors(), len(motion) * len(solver.actuation.muscles) // OF_A_PROCESS))
    workers = min(workers, -(-len(motion) // RUN))
    _LOG.info("muscle recruitment at %d rows by %d processes", len(motion), workers)
    if workers == 1:
        return solver.solve(motion, progress)
    ends = np.linspace(0, -(-len(motion) // RUN), workers + 1).round().astype(int) * RUN
    parts = [motion.at(np.arange(a, min(b, len(motion)))) for a, b in zip(ends[:-1], ends[1:], strict=True)]
    shared = pickle.dumps((inertial, task, motion.q[0]))  # not by the pool's thread, which would change the folder
    folder, others = os.getcwd(), active_children()
    with scratch_folder() as scratch, ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        try:
            with starting_workers(scratch):
                futures = [pool.submit(_solve_apart, shared, part, folder) for part in parts]
            waiting = set(futures)
            while waiting:  # for a second each time: on Windows an interrupt comes after it
                done, waiting = wait(waiting, timeout=1.0, return_when=FIRST_COMPLETED)
                _ = [future.result() for future in done]
        except BaseException:
            for process in set(active_children()).difference(others):
                process.terminate()
            raise
    answers, remarks = zip(*(future.result() for future in futures), strict=True)
    for each in remarks:
        solver.seen.update(each)
    return _joined(answers)


def _solve_apart(shared: bytes, motion: Motion, folder: str) -> tuple[RowAnswers, dict[Remark, set[float]]]:
    """Solve rows in another process, without warnings; return the results, and times [s] by remark on a muscle."""
    os.chdir(folder)
    inertial, task, pose = pickle.loads(shared)
    seen = inertial.remarks()
    return RowSolver(inertial, task, pose, seen).solve(motion, progress=False), seen.times


def _joined(parts: Sequence[RowAnswers], join: Callable[..., Any] = np.concatenate) -> RowAnswers:
    def joined(kind: type, pieces: Sequence[Any]) -> dict[str, Any]:
        return {f.name: join([getattr(p, f.name) for p in pieces]) for f in fields(kind) if f.name != "by_kind"}

    by_kind = {name: Answer(**joined(Answer, [p.by_kind[name] for p in parts])) for name in parts[0].by_kind}
    return RowAnswers(**joined(RowAnswers, parts), by_kind=by_kind)


GROUND = "ground"
AXES = np.eye(3)
#: Keywords of forces that always act, as recruited.
ACTUATED = ("ACTUATORS", "MUSCLES")


class ReactionSolver:
    """Solver of joint reactions to actuators, external loads, and muscle mass that moves along its path."""

    def __init__(
        self,
        inertial: InertialModel,
        actuation: ModelActuators,
        joints: Sequence[str],
        loads: Loads | None,
        excluded: Sequence[str],
        times: Array,
    ) -> None:
        """Copy the model, add actuators for the muscle mass's wrenches, and override the forces of all actuators."""
        self._inertial = inertial
        model = osim.Model(actuation.model)
        self._carriers = [b for b, body in enumerate(inertial.assembly.bodies) if body != GROUND]
        on_bodies = [name for b in self._carriers for name in _add_wrench(model, inertial.assembly.bodies[b])]
        on_coordinates = [f"muscle_mass_on_{name}" for name in inertial.coordinate_names]
        for name, actuator_name in zip(inertial.coordinate_names, on_coordinates, strict=True):
            coordinate_actuator = osim.CoordinateActuator(name)
            coordinate_actuator.setName(actuator_name)
            model.addForce(coordinate_actuator)
        initialise(model)
        state = osim.State(model.getWorkingState())
        if loads is not None:
            model, state = loads.added_to(model, times)
        self._model, self._state = model, state
        switch_off(model, state, [name for name in excluded if name.upper() not in ACTUATED])
        by_name = {a.getName(): a for a in map(osim.ScalarActuator.safeDownCast, model.getComponentsList()) if a}
        pulling = [name for name in actuation.names if name in by_name]  # reserves are not in the model
        self._pulling = [by_name[name] for name in [*pulling, *on_bodies, *on_coordinates]]
        for actuator in self._pulling:
            osim.Force.safeDownCast(actuator).setAppliesForce(state, True)
            actuator.overrideActuation(state, True)
        self._joints = [model.getJointSet().get(name) for name in joints]
        self._reserves = [inertial.coordinate_names.index(name) for name in actuation.reserves]
        self._at_rest = inertial.initial_state()

    def at(self, motion: Motion, row: int, kind: str, forces: Array, generalized: Array) -> tuple[Array, Array, Array]:
        """Return reactions on child and parent (joints, 2, 6), frames of both (joints, 2, 12), and accelerations (nu,).

        ``forces`` (n,) [N or N m] are of actuators, ``generalized`` (nu,) further forces on coordinates.
        """
        for state in (self._state, self._at_rest):
            _set_row(self._inertial, state, motion, row)
        wrenches = np.zeros((len(self._carriers), 6))
        generalized = generalized.copy()
        if kind == "inertial":
            kinematics, udot = self._inertial.dynamics.read(self._at_rest), motion.udot[row]
            on_bodies, on_coordinates = self._inertial.evaluation.inverse_on_carriers([kinematics], udot[None])
            wrenches, generalized = on_bodies[0, self._carriers], generalized - on_coordinates[0]
        count = len(forces) - len(self._reserves)
        generalized[self._reserves] += forces[count:]
        tensions = np.r_[forces[:count], -wrenches.ravel(), generalized]
        for actuator, tension in zip(self._pulling, tensions.tolist(), strict=True):
            actuator.setOverrideActuation(self._state, tension)
        try:
            self._model.realizeAcceleration(self._state)
        except RuntimeError as error:
            at = f"at time {motion.times[row]:.6g} s"
            raise MotionError(f"OpenSim cannot find joint reactions {at}: {opensim_reason(error)}") from None
        reactions, frames = np.zeros((len(self._joints), 2, 6)), np.zeros((len(self._joints), 2, 12))
        for i, joint in enumerate(self._joints):
            on_child = joint.calcReactionOnChildExpressedInGround(self._state)
            on_parent = joint.calcReactionOnParentExpressedInGround(self._state)
            for j, (load, frame) in enumerate(((on_child, joint.getChildFrame()), (on_parent, joint.getParentFrame()))):
                reactions[i, j] = np.r_[load.get(0).to_numpy(), load.get(1).to_numpy()]
                place = frame.getTransformInGround(self._state)
                rotation = [[place.R().get(r, c) for c in range(3)] for r in range(3)]
                frames[i, j] = np.r_[place.p().to_numpy(), np.ravel(rotation)]
        return reactions, frames, self._state.getUDot().to_numpy().copy()


def _add_wrench(model: osim.Model, body: str) -> list[str]:
    """Add actuators for a wrench on a body, and return their names."""
    names: list[str] = []
    for quantity in ("moment", "force"):
        for axis in AXES:
            names.append(f"muscle_mass_{quantity}_{len(names) % 3}_on_{body}")
            direction = osim.Vec3(*axis)
            if quantity == "moment":
                actuator = osim.TorqueActuator()
                actuator.set_bodyA(body)
                actuator.set_bodyB(GROUND)
                actuator.setAxis(direction)
                actuator.setTorqueIsGlobal(True)
            else:
                actuator = osim.PointActuator(body)
                actuator.set_point(osim.Vec3(0.0))
                actuator.set_direction(direction)
                actuator.set_force_is_global(True)
            actuator.setName(names[-1])
            model.addForce(actuator)
    return names
