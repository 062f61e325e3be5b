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
from ..._core.scratch import ScratchArrays
from ...model import InertialModel
from ...muscles.masses.rigid import parameters, rigid_regressors
from ...opensim_model.reading import Motion, StateKinematics
from ...paths.kernel.evaluation import StateBatch
from .bellies import GivenUp, excess_forces, shared_out
from .parts import BandParts, MuscleParts, Relief
from .residuals import BaseRecorder
from .rigid_solver import RigidSolver
from .sliding_parts import PARTS, parts_of_rows
from .summary_text import NO_CHANGE
from .unknown import Unknown
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
        keep: keep the parts of single muscles.
        unknown: what a band covers; None for no band.
        splits: find the parts of what slides.
        band_over_time: solve bellies in other places at rows spread over the motion, and not only at those that
            :meth:`band_parts` is asked for.
        scratch: makes the arrays of the parts of single muscles.
    """

    def __init__(
        self,
        inertial: InertialModel,
        motion: Motion,
        keep: bool,
        unknown: Unknown | None,
        splits: bool = True,
        band_over_time: bool = True,
        scratch: ScratchArrays | None = None,
    ) -> None:
        self._inertial, self._motion = inertial, motion
        self._scratch = ScratchArrays() if scratch is None else scratch
        self._gravity = inertial.model.getGravity().to_numpy().copy()
        T, nu = len(motion), len(inertial.coordinate_names)
        self.rigid, self.given_up, self.frozen, self.inertial = (np.zeros((T, nu)) for _ in range(4))
        placement = inertial.placement
        self._segments = tuple(placement.transfers)
        given_up, muscles = ([getattr(t, k) for t in placement.transfers.values()] for k in ("given_up", "muscles"))
        both = np.array([given_up, muscles]).reshape(2, len(self._segments), 4, 4)
        self._of_segments = np.moveaxis(parameters(both), 0, -1)  # (S, 10, 2)
        self._moved = np.zeros((len(self._segments), nu))
        self.wobble = np.zeros((T, nu))
        self.sliding = np.zeros((len(PARTS), T, nu)) if splits else None
        self._unknown = unknown
        self.parts: MuscleParts | None = None
        if keep:
            own = self._scratch.zeros((T, len(inertial.muscle_names), nu))
            regressors = self._scratch.zeros((T, len(self._segments), nu, 10))
            relief = Relief(regressors, self._given_up(), shared_out(placement), self._given_up_for_strands())
            self.parts = MuscleParts(own, np.zeros((T, nu)), relief=relief)
        self._over_time = band_over_time or unknown is None or unknown.bellies.strands is None
        spread_rows = np.linspace(0, T - 1, min(T, VARIED_ROWS) if self._over_time else 0)
        self._sampled = np.unique(spread_rows.round().astype(int))
        self._solved: list[_Solved] = []

    def _given_up(self) -> GivenUp:
        """Return what segments give up for each muscle."""
        placement = self._inertial.placement
        return GivenUp(placement.muscle_of_part, self._donors, parameters(placement.given_up_by_part)[None])

    def _given_up_for_strands(self) -> GivenUp | None:
        """Return what they give up for the muscles that vary, as strands; None where none varies."""
        if self._unknown is None or self._unknown.bellies.strands is None:
            return None
        bellies = self._unknown.bellies
        parts = bellies.varied_parts
        of_varied = np.searchsorted(bellies.varied, bellies.muscles[parts])
        return GivenUp(of_varied, self._donors[parts], bellies.given_up[parts] + bellies.of_strands)

    @property
    def _donors(self) -> NDArray[np.intp]:
        """Number of the segment that gives up each part of the muscles' mass, (parts,)."""
        return np.array([self._segments.index(name) for name in self._inertial.placement.donors], dtype=np.intp)

    @property
    def moved_by_segment(self) -> dict[str, dict[str, float]]:
        """What each segment moves at most that gives up otherwise than its muscles are, by coordinate [N m or N]."""
        names = self._inertial.coordinate_names
        return {
            segment: {name: float(v) for name, v in zip(names, largest, strict=True) if v > NO_CHANGE}
            for segment, largest in zip(self._segments, self._moved, strict=True)
            if (largest > NO_CHANGE).any()
        }

    @property
    def by_kind(self) -> dict[str, Array]:
        """The generalized forces (T, nu) by where muscle mass is."""
        return {
            "lumped": self.rigid + self.given_up,
            "moved": self.rigid + self.frozen,
            "inertial": self.rigid + self.inertial + self.wobble if self.wobble.any() else self.rigid + self.inertial,
        }

    def add_wobble(self, wobbling: Wobbling, keeps_band: bool) -> WobbleRecord:
        """Add what swinging makes, all rows having been solved, and return it."""
        record, muscles = wobbling.solve(keeps_band)
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
        with bar, self._inertial.evaluation.notes.gathered():
            for start in range(0, rows_in_all, CHUNK):
                rows = slice(start, min(start + CHUNK, rows_in_all))
                self.rigid[rows], read = solver.solve(range(rows.start, rows.stop), None if base is None else base.see)
                kinematics = read.stacked()
                states = read.states(kinematics)
                self.rigid[rows] -= solver.applied(rows, kinematics)
                if base is not None:
                    base.add(rows, kinematics, solver.bodies)
                touched = StateBatch(solver.narrowed(states))
                self.add(rows, touched, kinematics)
                if wobbling is not None:
                    wobbling.add(states, self._motion.udot[rows], touched)
                self._scratch.release()
                bar.update(len(states))

    def add(self, rows: slice, states: Sequence[StateKinematics], kinematics: StateKinematics) -> None:
        """Add what muscle mass makes at some rows, whose rigid forces are known, from their kinematics.

        Args:
            rows: the rows.
            states: of the bodies that muscles touch.
            kinematics: the same, stacked; further bodies may come after these.
        """
        inertial = self._inertial
        if not inertial.muscle_names:
            return
        udot = self._motion.udot[rows]
        regressors = self._regressors(kinematics, udot, None if self.parts is None else rows)
        of_segments = regressors @ self._of_segments
        summed = of_segments.sum(axis=1)
        self.given_up[rows], self.frozen[rows] = summed[..., 0], summed[..., 1]
        moved = np.abs(of_segments[..., 1] - of_segments[..., 0])
        self._moved = np.maximum(self._moved, moved.max(axis=0))
        if self.sliding is None:
            self.inertial[rows] = inertial.evaluation.inverse(states, udot)
            return
        each, self.sliding[:, rows] = parts_of_rows(
            inertial, states, kinematics, udot, self.frozen[rows], self._gravity
        )
        self.inertial[rows] = each.sum(axis=1)
        if self.parts is None:
            return
        self.parts.own[rows] = each
        self.parts.excess[rows] = excess_forces(inertial.placement, regressors)
        if self._unknown is not None:
            first, last = np.searchsorted(self._sampled, (rows.start, rows.stop))
            here = self._sampled[first:last] - rows.start
            if len(here):
                self._solve_strands(rows.start + here, [states[i] for i in here])

    def band_parts(self, solver: RigidSolver, wanted: NDArray[np.intp]) -> BandParts | None:
        """Return what the band is made of, strands being solved at the rows that were sampled and at those wanted.

        Paths that OpenSim leads are not asked for: their muscles do not vary.
        """
        if self._unknown is None or self.parts is None:
            return None
        more = np.setdiff1d(wanted, self._sampled)
        if len(more) and self._unknown.bellies.strands is not None:
            self._solve_strands(more, [solver.kinematics(int(row)) for row in more])
        rows = np.concatenate([solved.rows for solved in self._solved])
        order = np.argsort(rows)
        blocks = tuple(solved.strands for solved in self._solved)
        return BandParts(self._unknown.bellies, rows[order], blocks, order, self.parts, self._over_time)

    def _regressors(self, kinematics: StateKinematics, udot: Array, rows: slice | None) -> Array:
        """Return regressors of all segments (R, S, nu, 10), which are kept if ``rows`` says for which rows."""
        out = None if rows is None or self.parts is None or self.parts.relief is None else self.parts.relief.regressors
        where = None if out is None else out[rows]
        bodies = self._inertial.kinematics.bodies
        return rigid_regressors(bodies, self._segments, kinematics, udot, self._gravity, where)

    def _solve_strands(self, rows: NDArray[np.intp], states: list[StateKinematics]) -> None:
        """Keep what muscles' masses need as strands at rows (R,)."""
        assert self._unknown is not None
        bellies = self._unknown.bellies
        if bellies.strands is None:
            self._solved.append(_Solved(rows, np.zeros((0, len(rows), 0, self.rigid.shape[1]))))
            return
        udot, which = self._motion.udot[rows], bellies.varied.tolist()
        of_maps = self._inertial.evaluation.inverse_of_maps(states, udot, which, bellies.strands.maps_by_node)
        self._solved.append(_Solved(rows, of_maps))


class _Solved(NamedTuple):
    """Rows (R,) of a motion, and what muscles' masses need as strands there, (strands, R, V, nu)."""

    rows: NDArray[np.intp]
    strands: Array
