"""Inverse dynamics over a motion: rigid segments, external loads, and force changes by muscle mass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, large_zeros, write_rows
from ..._core.checks import shows_bar
from ..._core.errors import ModelError, MotionError, opensim_reason
from ..._core.opensim import osim
from ...model import InertialModel
from ...opensim_model.reading.kinematics import StateKinematics, WrappedPath, unstacked
from ...opensim_model.reading.motion import Motion
from ...opensim_model.reading.paths import PATH_LISTS
from ...opensim_model.setups.loads import GROUND, Loads, switch_off
from ...paths.kernel.remarks import MuscleRemarks
from .band import BandParts, Bellies, MuscleParts
from .residuals import BaseRecorder
from .summary import PARTS

if TYPE_CHECKING:
    from .inverse_dynamics_result import InverseDynamicsResult
    from .wobble import WobbleRecord, Wobbling

#: States per call of the kernel.
CHUNK = 128
#: Shorter motions show no progress bar.
SHORT_MOTION = 200
#: Longer motions are solved on a copy of the model without idle forces.
LONG_MOTION = 1000
#: Largest number of evenly spaced rows at which strands are solved, besides the lumped peaks. Belly positions are
#: interpolated linearly between them, which is coarse for long motions; the effect of masses is exact.
VARIED_ROWS = 200


class RigidSolver:
    """Rigid inverse dynamics by OpenSim's solver, with muscle mass in the segments and without ``excluded`` forces."""

    def __init__(
        self,
        inertial: InertialModel,
        motion: Motion,
        loads: Loads | None,
        excluded: Sequence[str],
        beside: Sequence[str] = (),
    ) -> None:
        self._motion = motion
        finite = np.isfinite(motion.q) & np.isfinite(motion.u)
        if not finite.all():
            name = inertial.coordinate_names[int(np.argwhere(~finite)[0, 1])]
            raise ModelError(f"the state is not finite at coordinate '{name}'")
        if loads is not None:
            loads.check_bodies(inertial.model)
        self._loads = None if loads is None else AppliedLoads(loads, motion.times)
        state = inertial.initial_state()
        self._binding = inertial.dynamics.check_state(state)
        switch_off(inertial.model, state, excluded)
        if len(motion) >= LONG_MOTION:
            self._binding, state = self._binding.without_idle_forces(state)
        self._few, self._state = self._binding.kinematics, state
        self._kinematics = self._few.also([*(() if self._loads is None else self._loads.bodies), *beside])
        self.bodies, self.model = self._kinematics.bodies, self._kinematics.model
        self._solver = osim.InverseDynamicsSolver(self.model)
        of_state = inertial.coordinates.slots, state.getNQ() + np.arange(state.getNU())
        self._y = state.getY().to_numpy().copy(), np.concatenate(of_state)

    def solve(
        self, rows: slice, see: Callable[[int, osim.Model, osim.State], None] | None = None
    ) -> tuple[Array, StateKinematics, list[Mapping[str, WrappedPath]]]:
        """Solve rows without loads; return forces (R, nu), kinematics and OpenSim's paths. Call ``see`` at each row."""
        motion, packed, paths = self._motion, [], []
        q, u, tau = motion.q[rows], motion.u[rows], np.empty(motion.q[rows].shape)
        for i, (row, y) in enumerate(zip(range(len(motion))[rows], self._values(rows), strict=True)):
            self._set(row, y)
            try:
                with PATH_LISTS:
                    solved = self._solver.solve(self._state, osim.Vector.createFromMat(motion.udot[row]))
            except RuntimeError as error:
                at = f"at time {motion.times[row]:.6g} s"
                raise MotionError(f"OpenSim cannot solve the motion {at}: {opensim_reason(error)}") from None
            tau[i] = solved.to_numpy()
            packed.append(self._kinematics.pack(self._state))
            paths.append(self._binding.paths(self._state, q[i], u[i]))
            if see is not None:
                see(row, self.model, self._state)
        return tau, self._kinematics.unpack(packed, q, u), paths

    def applied(self, rows: slice, kinematics: StateKinematics) -> Array | float:
        """Return the generalized forces (R, nu) of the external loads; 0 without loads."""
        return 0.0 if self._loads is None else self._loads.generalized(rows, kinematics, self.bodies)

    def kinematics(self, row: int) -> StateKinematics:
        """Return the kinematics of the muscles' bodies at a row; OpenSim-wrapped paths are left out."""
        self._set(row, self._values(slice(row, row + 1))[0])
        return self._few.read(self._state)

    def _values(self, rows: slice) -> Array:
        """Return all values of the state (R, ny) at rows."""
        y, places = self._y
        moving = np.concatenate([self._motion.q[rows], self._motion.u[rows]], axis=1)
        values = np.tile(y, (len(moving), 1))
        values[:, places] = moving
        return values

    def _set(self, row: int, y: Array) -> None:
        self._state.setTime(float(self._motion.times[row]))
        self._state.setY(osim.Vector.createFromMat(y))


class AppliedLoads:
    """External loads at rows of a motion; ``bodies``: names of bodies that loads act on or are expressed in."""

    def __init__(self, loads: Loads, times: Array) -> None:
        self._bodies = {name: bodies for name, bodies in loads.bodies.items() if bodies[0] != GROUND}
        self._values = loads.at(times)
        frame_names = (body for bodies in self._bodies.values() for body in bodies)
        self.bodies = tuple(dict.fromkeys(name for name in frame_names if name not in (None, GROUND)))

    def generalized(self, rows: slice, kinematics: StateKinematics, names: Sequence[str]) -> Array:
        """Return the generalized forces (R, nu) of all loads."""
        forces = np.zeros(kinematics.u.shape)
        for name, (body, force_frame, point_frame) in self._bodies.items():
            force, point, torque = (part[rows] for part in self._values[name])
            if force_frame != GROUND:
                rotation = kinematics.rotation[:, names.index(force_frame)]
                force, torque = (np.einsum("tij,tj->ti", rotation, vector) for vector in (force, torque))
            b = names.index(body)
            moment = torque
            if point_frame is not None:
                if point_frame != GROUND:
                    p = names.index(point_frame)
                    point = kinematics.position[:, p] + np.einsum("tij,tj->ti", kinematics.rotation[:, p], point)
                moment = torque + np.cross(point - kinematics.position[:, b], force)
            wrench = np.concatenate([moment, force], axis=1)
            forces += np.einsum("tij,ti->tj", kinematics.jacobian[:, 6 * b : 6 * b + 6], wrench)
        return forces


class ForceAccumulator:
    """Collects generalized forces (T, nu): if ``keep``, also by muscle; if ``splits``, by term, such as gravity."""

    def __init__(
        self,
        inertial: InertialModel,
        motion: Motion,
        seen: MuscleRemarks | None,
        keep: bool = False,
        bellies: Bellies | None = None,
        splits: bool = False,
    ) -> None:
        self._inertial, self._motion, self._seen = inertial, motion, seen
        T, nu = len(motion), len(inertial.coordinate_names)
        self.lumped, self.difference, self.wobble = (np.zeros((T, nu)) for _ in range(3))
        self.sliding = np.zeros((len(PARTS), T, nu)) if splits else None
        self._bellies = bellies
        self.parts: MuscleParts | None = None
        if keep:
            self.parts = MuscleParts(large_zeros((T, len(inertial.muscle_names), nu)))
        self._sampled = np.unique(np.linspace(0, T - 1, min(T, VARIED_ROWS)).round().astype(int))
        self._solved: list[tuple[NDArray[np.intp], Array]] = []

    @property
    def by_kind(self) -> dict[str, Array]:
        """Generalized forces (T, nu) by kind of muscle mass, "lumped" and "inertial"."""
        return {"lumped": self.lumped, "inertial": self.lumped + self.difference + self.wobble}

    def to_coordinates(self) -> None:
        """Convert forces on speeds into forces on coordinates, once all rows are solved."""
        if self._motion.maps is None:
            return
        arrays = [self.lumped, self.difference, *(() if self.parts is None else (self.parts.own,))]
        for array in (*arrays, *(() if self.sliding is None else self.sliding)):
            for start in range(0, len(array), CHUNK):
                rows = slice(start, start + CHUNK)
                array[rows] = self._motion.on_coordinates(array[rows], rows)

    def add_wobble(self, wobbling: Wobbling, keeps_band: bool) -> WobbleRecord:
        """Compute wobble after all rows are solved, add the forces, and return forces and displacements of wobble."""
        record, muscles = wobbling.solve(keeps_band, on_coordinates=self._motion.on_coordinates)
        self.wobble = record.forces
        if self.parts is not None:
            self.parts = replace(self.parts, of_wobble=muscles, of_masses=record.of_masses)
        return record

    def add_all(
        self,
        solver: RigidSolver,
        progress: bool | None,
        base: BaseRecorder | None = None,
        wobbling: Wobbling | None = None,
    ) -> None:
        """Solve all rows of the motion and store forces; meanwhile, ``base`` and ``wobbling`` collect kinematics."""
        rows_in_all = len(self._motion)
        show = shows_bar(False if progress is None and rows_in_all < SHORT_MOTION else progress)
        bar = None
        if show:
            from tqdm import tqdm  # slow import

            bar = tqdm(total=rows_in_all, unit="row", desc="inverse dynamics")
        with bar or nullcontext():
            for start in range(0, rows_in_all, CHUNK):
                rows = slice(start, min(start + CHUNK, rows_in_all))
                see = None if base is None else base.see
                self.lumped[rows], kinematics, paths = solver.solve(rows, see)
                self.lumped[rows] -= solver.applied(rows, kinematics)
                if base is not None:
                    base.add(rows, kinematics, solver.bodies)
                touched = unstacked(kinematics, paths, len(self._inertial.evaluation.bodies))
                self.add(rows, touched)
                if wobbling is not None:
                    wobbling.add(unstacked(kinematics, paths, len(solver.bodies)), self._motion.udot[rows], touched)
                if bar is not None:
                    bar.update(len(touched))

    def add(self, rows: slice, states: Sequence[StateKinematics]) -> None:
        """Compute and store force changes due to sliding muscles at motion rows, given the states at these rows."""
        inertial = self._inertial
        if not inertial.muscle_names:
            return
        udot = self._motion.udot[rows]
        if self.sliding is None:
            self.difference[rows] = inertial.evaluation.inverse(states, udot, seen=self._seen)
            return
        weights = inertial.muscles.rate_masses
        each, parts = inertial.evaluation.inverse_parts(states, udot, weights, self._seen)
        armature, of_rates, velocity, weight = np.moveaxis(parts, 1, 0)
        velocity, difference = velocity - of_rates, each.sum(axis=1)
        self.sliding[:, rows] = armature, difference - armature - velocity - weight, velocity, weight
        self.difference[rows] = difference
        if self.parts is None:
            return
        write_rows(self.parts.own, rows, each)
        if self._bellies is not None:
            first, last = np.searchsorted(self._sampled, (rows.start, rows.stop))
            here = self._sampled[first:last] - rows.start
            if len(here):
                at = rows.start + here
                own = self._motion.on_coordinates(each[here][:, self._bellies.varied], at)
                self._solve_strands(at, [states[i] for i in here], self._bellies, own)

    def band_parts(
        self, solver: RigidSolver, answered: NDArray[np.bool_], result: InverseDynamicsResult
    ) -> BandParts | None:
        """Return force differences by muscle and by strand (fibres with a common start), or None without a band."""
        bellies, numbers = self._bellies, np.flatnonzero(answered)
        if bellies is None or result.parts is None:
            return None
        more = np.setdiff1d(np.searchsorted(numbers, result.peak_rows), self._sampled)
        if len(more) and bellies.strands is not None:
            own = result.parts.own[numbers[more]][:, bellies.varied]
            self._solve_strands(more, [solver.kinematics(int(row)) for row in more], bellies, own)
        rows = np.sort(np.concatenate([rows for rows, _ in self._solved]))
        _, strands, varied, nu = self._solved[0][1].shape
        own = np.empty((nu, len(rows), strands, varied))
        for at, forces in self._solved:
            own[:, np.searchsorted(rows, at)] = np.moveaxis(forces, -1, 0)
        return BandParts(bellies, numbers[rows], own)

    def _solve_strands(
        self, rows: NDArray[np.intp], states: list[StateKinematics], bellies: Bellies, own: Array
    ) -> None:
        """Store, at R rows, forces of V muscles as strands (fibres with one start) - ``own`` forces (R, V, nu)."""
        strands = np.zeros((0, len(rows), len(bellies.varied), self.lumped.shape[1]))
        if bellies.strands is not None and bellies.frozen is not None:
            udot, which = self._motion.udot[rows], bellies.varied.tolist()
            maps = bellies.strands.maps_by_node
            evaluation = self._inertial.evaluation
            strands = evaluation.inverse_of_maps(states, udot, which, maps, bellies.frozen, self._seen)
        forces = self._motion.on_coordinates(strands.swapaxes(0, 1), rows)
        self._solved.append((rows, forces - own[:, None]))


def forces_on_speeds(
    inertial: InertialModel,
    motion: Motion,
    loads: Loads | None,
    excluded: Sequence[str],
    seen: MuscleRemarks | None = None,
    progress: bool | None = False,
) -> dict[str, Array]:
    """Return generalized forces (T, nu) conjugate to speeds, not coordinate rates, by kind: "lumped", "inertial"."""
    forces = ForceAccumulator(inertial, motion, seen)
    forces.add_all(RigidSolver(inertial, motion, loads, excluded), progress)
    return forces.by_kind
