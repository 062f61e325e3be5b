"""Generalized forces of a motion, summed up row by row, with what single muscles make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import shows_bar
from ..._core.scratch import large_zeros
from ...model import InertialModel
from ...opensim_model.reading.kinematics import StateKinematics
from ...opensim_model.reading.motion import Motion
from ...paths.kernel.remarks import MuscleRemarks
from .bellies import Bellies
from .parts import BandParts, MuscleParts
from .residuals import BaseRecorder
from .rigid_solver import RigidSolver
from .sliding_parts import PARTS, parts_of_rows
from .wobble import WobbleRecord, Wobbling

__all__ = ["Sums"]

#: States handed to the kernel at once.
CHUNK = 128
#: Motions shorter than this many rows show no progress bar.
SHORT_MOTION = 200
#: Rows at which bellies in other places are solved, at most, besides those of the lumped peaks; evenly spaced. Between
#: them what changes is linear. That is coarse where a motion holds many strides; what masses make of the band is exact.
VARIED_ROWS = 200


class Sums:
    """Sums up the generalized forces of a motion (T, nu), and keeps the parts of single muscles.

    Args:
        inertial: the model.
        motion: the motion.
        seen: collects remarks about muscles, if they are wanted.
        keep: keep the parts of single muscles.
        bellies: whose places a band covers; None for no band.
        splits: find the parts of what slides.
    """

    def __init__(
        self,
        inertial: InertialModel,
        motion: Motion,
        seen: MuscleRemarks | None,
        keep: bool,
        bellies: Bellies | None,
        splits: bool = True,
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
        self._solved: list[_Solved] = []

    @property
    def by_kind(self) -> dict[str, Array]:
        """The generalized forces (T, nu) by where muscle mass is."""
        return {"lumped": self.lumped, "inertial": self.lumped + self.difference + self.wobble}

    def to_coordinates(self) -> None:
        """Turn the forces on speeds into forces on coordinates of the same power, all rows having been solved."""
        if self._motion.maps is None:
            return
        arrays = [self.lumped, self.difference, *(() if self.parts is None else (self.parts.own,))]
        for array in (*arrays, *(() if self.sliding is None else self.sliding)):
            for start in range(0, len(array), CHUNK):
                rows = slice(start, start + CHUNK)
                array[rows] = self._motion.on_coordinates(array[rows], rows)

    def add_wobble(self, wobbling: Wobbling, keeps_band: bool) -> WobbleRecord:
        """Add what swinging makes, all rows having been solved, and return it."""
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
        """Solve all rows, and record them in ``base`` and for ``wobbling`` if there are such.

        A bar is shown if ``progress`` says so; by default, on a terminal for long motions.
        """
        rows_in_all = len(self._motion)
        show = shows_bar(False if progress is None and rows_in_all < SHORT_MOTION else progress)
        bar = tqdm(total=rows_in_all, disable=not show, unit="row", desc="inverse dynamics")
        with bar:
            for start in range(0, rows_in_all, CHUNK):
                rows = slice(start, min(start + CHUNK, rows_in_all))
                self.lumped[rows], read = solver.solve(range(rows.start, rows.stop), None if base is None else base.see)
                kinematics = read.stacked()
                states = read.states(kinematics)
                self.lumped[rows] -= solver.applied(rows, kinematics)
                if base is not None:
                    base.add(rows, kinematics, solver.bodies)
                touched = solver.narrowed(states)
                self.add(rows, touched)
                if wobbling is not None:
                    wobbling.add(states, self._motion.udot[rows], touched)
                bar.update(len(states))

    def add(self, rows: slice, states: Sequence[StateKinematics]) -> None:
        """Add what sliding muscles change at some rows, from states of the bodies that they touch."""
        inertial = self._inertial
        if not inertial.muscle_names:
            return
        udot = self._motion.udot[rows]
        if self.sliding is None:
            self.difference[rows] = inertial.evaluation.inverse(states, udot, seen=self._seen)
            return
        each, self.sliding[:, rows] = parts_of_rows(inertial, states, udot, self._seen)
        self.difference[rows] = each.sum(axis=1)
        if self.parts is None:
            return
        self.parts.own[rows] = each
        if self._bellies is not None:
            first, last = np.searchsorted(self._sampled, (rows.start, rows.stop))
            here = self._sampled[first:last] - rows.start
            if len(here):
                self._solve_strands(rows.start + here, [states[i] for i in here], self._bellies)

    def band_parts(self, solver: RigidSolver, wanted: NDArray[np.intp]) -> BandParts | None:
        """Return the parts of the band, with strands solved at the sampled and the wanted rows.

        Paths that OpenSim leads are not asked for: their muscles do not vary.
        """
        bellies = self._bellies
        if bellies is None or self.parts is None:
            return None
        more = np.setdiff1d(wanted, self._sampled)
        if len(more) and bellies.strands is not None:
            self._solve_strands(more, [solver.kinematics(int(row)) for row in more], bellies)
        rows = np.concatenate([solved.rows for solved in self._solved])
        order = np.argsort(rows)
        blocks = tuple(self._on_coordinates(solved) for solved in self._solved)
        return BandParts(bellies, rows[order], blocks, order, self.parts)

    def _on_coordinates(self, solved: _Solved) -> Array:
        """Return changes by muscles as strands, as forces on coordinates."""
        return np.swapaxes(self._motion.on_coordinates(np.swapaxes(solved.strands, 0, 1), solved.rows), 0, 1)

    def _solve_strands(self, rows: NDArray[np.intp], states: list[StateKinematics], bellies: Bellies) -> None:
        """Keep what muscles change as strands at rows (R,)."""
        strands = np.zeros((0, len(rows), len(bellies.varied), self.lumped.shape[1]))
        if bellies.strands is not None and bellies.frozen is not None:
            udot, which = self._motion.udot[rows], bellies.varied.tolist()
            maps = bellies.strands.maps_by_node
            evaluation = self._inertial.evaluation
            strands = evaluation.inverse_of_maps(states, udot, which, maps, bellies.frozen, self._seen)
        self._solved.append(_Solved(rows, strands))


class _Solved(NamedTuple):
    """Rows (R,) of a motion, and what muscles change as strands there, (strands, R, V, nu)."""

    rows: NDArray[np.intp]
    strands: Array
