"""Inverse dynamics: the coordinates' forces for a given motion, with muscle mass lumped, moved, and sliding."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import check_choice, shows_bar, warn
from ..._core.choices import IMPLAUSIBLE, Implausible
from ..._core.errors import ModelError, MotionError, OptionError, opensim_reason
from ..._core.findings import act_on
from ..._core.opensim import osim
from ..._core.provenance import describe_source, recorded_options
from ..._core.warnings import LongMotionWarning
from ...inspection.acting import loads_notes, motion_notes
from ...inspection.answers import answer_notes, force_findings, model_mass
from ...model import InertialModel
from ...model.arguments import check_inertial
from ...model.model import for_run
from ...model.recorded_motion import constraint_notes, recorded_motion
from ...muscles.masses.rigid import parameters, rigid_regressors
from ...opensim_model.reading import (
    PATH_LISTS,
    Motion,
    StateKinematics,
    base_coordinates,
    couplings,
    named_table,
    stacked,
)
from ...opensim_model.setups.gait import gait_events
from ...opensim_model.setups.loads import Loads, switch_off
from ...options import Recording, Wobble
from ...options.recording import recording_of
from ...options.wobble import wobble_of
from .applied_loads import AppliedLoads
from .bellies import GivenUp, add_excess, forces_of_groups
from .effects import doubtful_muscles, effect_notes
from .inverse_dynamics_result import InverseDynamicsResult
from .parts import BandParts, MuscleParts, parts_at
from .residuals import BaseRecorder, residual_record
from .sliding_parts import PARTS, parts_of_rows
from .summary_text import NO_CHANGE
from .tensions import are_net
from .unanswered import with_unanswered_rows
from .uncertainty import Uncertainty
from .unknown import Unknown
from .wobble import WobbleRecord, Wobbling

_LOG = logging.getLogger(__name__)

#: States handed to the kernel at once.
CHUNK = 128
#: Motions shorter than this many rows show no progress bar.
SHORT_MOTION = 200
#: Rows at which bellies in other places are solved, at most, besides those of the lumped peaks; evenly spaced. Between
#: them what changes is linear. That is coarse where a motion holds many strides; what masses make of the band is exact.
VARIED_ROWS = 200
#: Parts of single muscles are kept where they take at most this many bytes.
MOST_MEMORY = 2**30


def inverse_dynamics(
    inertial: InertialModel,
    recording: Recording | str | os.PathLike[str] | pd.DataFrame,
    forces_to_exclude: str | Sequence[str] = ("Muscles",),
    band: bool | Uncertainty = True,
    per_muscle: bool = True,
    implausible: Implausible = "refuse",
    progress: bool | None = None,
    wobble: bool | Wobble = False,
) -> InverseDynamicsResult:
    """Compute the generalized forces of a recorded motion, beside those of OpenSim's Inverse Dynamics Tool.

    Three answers, for the same motion and loads:

    * *lumped*: all mass in the segments, as in the model that was given. OpenSim's own.
    * *moved*: muscle mass at its place in the reference pose, but fixed to its donor segment. Where segments are
      conserved it is the lumped answer.
    * *inertial*: muscle mass sliding along the paths, ``tau = tau_rigid + dM udot - h - g_m`` (Wang et al. 2022, eq.
      7).

    Rows for which the external loads have no data are not solved: all coordinates have NaN there, since what acts on
    one body is passed on to all joints between it and ground, and ``result.answered`` says which rows have an answer.

    Args:
        inertial: the model.
        recording: the motion with its external loads, and how they are read; or the motion alone, a file or table. A
            time range of infinite ends is that of the recording; OpenSim's tool then solves what its filter adds before
            and after as well, and times beyond the recording ask for that here. ``strict`` refuses a motion that goes
            on where the external loads have no data (:class:`LoadsRangeWarning`), loads that jump
            (:class:`LoadsJumpWarning`), a motion that breaks the model's constraints by more than 0.05 rad or 5 mm
            (:class:`BrokenConstraintWarning`), and whatever else makes motion or loads doubtful
            (:class:`InputWarning`): coordinates without a column that are free to move, jumps, gaps, ranges, units,
            bodies, momentum. ``result.notes`` says which coordinates follow their couplers and not the recording.
        forces_to_exclude: names, groups or keywords of model forces that do not act.
        band: how sure the answer is, over masses and the places of bellies: True, False, or what to cover. There is
            none without the parts of single muscles.
        per_muscle: keep what each muscle adds, where that takes no more than 1 GiB; else there is a
            :class:`LongMotionWarning`.
        implausible: what is done about forces that no body makes, such as moments beyond 20 N m per kg of body mass:
            "refuse", or "warn" to have them all the same.
        progress: show a bar; default: on a terminal, for long motions.
        wobble: whether bellies swing across their paths, and how; True for the default options. What that adds is part
            of the inertial answer, and ``result.wobble`` has it alone. It starts from rest at the first row, so that a
            tenth of a second before what matters should be among the rows. A :class:`InputWarning` says where the
            motion's filter takes away what drives it.

    Raises:
        MotionError: the motion cannot be used, motion or loads are meaningless (angles in degrees, times in other
            units), or no body makes the forces that come out; FileFormatError: a file is missing or malformed;
            UnknownNameError: a force or a body of the loads is not in the model; OptionError: ``band`` is none of what
            it may be.
    """
    check_inertial(inertial)
    check_choice("implausible", implausible, IMPLAUSIBLE)
    if not isinstance(band, bool | Uncertainty):
        raise OptionError("band", band, "True, False or an Uncertainty")
    wobbles = wobble_of(wobble)
    inertial = for_run(inertial)
    excluded = [forces_to_exclude] if isinstance(forces_to_exclude, str) else list(forces_to_exclude)
    recording = recording_of(recording)
    strict, external_loads = recording.strict, recording.external_loads
    table = named_table(recording.motion)
    notes = motion_notes(inertial, table, strict)
    recorded = recorded_motion(inertial, recording, table)
    notes += act_on(recorded.findings, MotionError, strict)
    notes += constraint_notes(inertial, recorded, table.origin, strict)
    loads = None if external_loads is None else Loads(external_loads, recorded.span)
    notes += [] if loads is None else loads.warn(recorded.times, strict, extrapolated=False)
    whole, answered = recorded, np.ones(len(recorded), bool) if loads is None else loads.covered(recorded.times)
    recorded = recorded.at(np.flatnonzero(answered))
    notes += [] if loads is None else loads_notes(inertial, loads, recorded, strict)
    base = BaseRecorder.of(inertial, recorded, loads)
    beside = (*(() if base is None else base.bodies), *(() if wobbles is None else wobbles.carriers))
    solver = _RigidSolver(inertial, recorded, loads, excluded, beside)
    wobbling = None if wobbles is None else Wobbling(inertial, wobbles, solver.bodies, recorded.times)
    notes += [] if wobbling is None else wobbling.check(recording.cutoff, excluded)
    keeps_parts = per_muscle and bool(inertial.muscle_names)
    size = 8 * (len(inertial.muscle_names) + 6 * len(inertial.placement.transfers)) * whole.q.size
    if keeps_parts and size > MOST_MEMORY:
        keeps_parts = False
        notes.append(f"what single muscles add, and the band, are left out: they would take {size / 2**30:.2g} GiB")
        warn(LongMotionWarning(notes[-1]))
    uncertainty = (Uncertainty() if band is True else band or None) if keeps_parts else None
    unknown = None if uncertainty is None else Unknown.of(inertial, uncertainty, notes)
    sums = _Sums(inertial, recorded, keeps_parts, unknown)
    _LOG.info("inverse dynamics at %d rows, %g to %g s", len(recorded), recorded.times[0], recorded.times[-1])
    sums.add_all(solver, progress, base, wobbling)
    notes += [] if wobbling is None else wobbling.recruit(recorded, sums.by_kind["inertial"])
    record = None if wobbling is None else sums.add_wobble(wobbling, bool(band))
    origin, by_kind = inertial.provenance(), sums.by_kind
    gravity = inertial.model.getGravity().to_numpy().copy()
    doubts = force_findings(inertial, recorded.times, by_kind, loads, are_net(excluded), recording.cutoff)
    notes += answer_notes(doubts, notes, strict, implausible)
    result = InverseDynamicsResult(
        times=recorded.times,
        coordinate_names=inertial.coordinate_names,
        rotational=inertial.coordinates.rotational,
        lumped_forces=by_kind["lumped"],
        moved_forces=by_kind["moved"],
        inertial_forces=by_kind["inertial"],
        missing=recorded.missing,
        on_base=base_coordinates(inertial.model, inertial.coordinates),
        couplings=couplings(inertial.model, inertial.coordinates, recorded.q),
        muscles=inertial.muscle_names if keeps_parts else (),
        parts=sums.parts,
        sliding_parts=sums.sliding,
        uncertainty=None if unknown is None else uncertainty,
        provenance={
            **origin,
            **recorded_options(recording),
            "external loads": None
            if loads is None
            else describe_source(loads.path) | {"data": describe_source(loads.data)},
            "time range [s]": list(whole.span),
            "forces excluded": excluded,
            "coordinates missing in the motion": list(recorded.missing),
            "mass of the model [kg]": model_mass(inertial),
            "gait events": [] if loads is None else gait_events(loads, gravity, whole.span),
            "band": None if unknown is None else unknown.described,
            "moved at most, by segment": sums.moved_by_segment,
            **({} if wobbling is None else {"wobble": wobbling.described}),
        },
        motion=recorded,
        called_moments=inertial.coordinates.called_moments,
        base=None if base is None else base.record,
        wobble=record,
    )
    _LOG.debug("the band, from bellies in other places")
    residuals = residual_record(result.base, result.residuals())
    band_parts = sums.band_parts(solver, result.peak_rows)
    warnings = [*inertial.provenance()["warnings"], *notes, *_effects(inertial, result)]  # those of the band, too
    result = replace(result, band_parts=band_parts, provenance={**result.provenance, **residuals, "warnings": warnings})
    return with_unanswered_rows(result, whole, answered)


def _effects(inertial: InertialModel, result: InverseDynamicsResult) -> list[str]:
    """Return what the muscles about which there is a note make of the difference at peaks, if their parts were kept."""
    groups = doubtful_muscles(inertial)
    if result.parts is None or not groups:
        return []
    every = np.arange(len(result.coordinate_names))
    parts, _ = parts_at(result.parts, result.couplings, result.peak_rows, every)
    joints = [i for i in result.independent if result.rotational[i] and not (result.on_base and result.on_base[i])]
    return effect_notes(groups, result.muscles, parts, result.coordinate_names, joints, result.units)


def generalized_forces(
    inertial: InertialModel,
    motion: Motion,
    loads: Loads | None,
    forces_to_exclude: Sequence[str],
    progress: bool | None = None,
) -> dict[str, Array]:
    """Return the generalized forces (T, nu) of a motion that has been read, by kind: lumped, moved and inertial.

    Args:
        inertial, forces_to_exclude, progress: as for :func:`inverse_dynamics`.
        motion: of all coordinates of the model.
        loads: external loads.
    """
    sums = _Sums(inertial, motion, keep=False, unknown=None, splits=False)
    sums.add_all(_RigidSolver(inertial, motion, loads, forces_to_exclude), progress)
    return sums.by_kind


class _Sums:
    """Sums up the generalized forces of a motion (T, nu), and keeps the parts of single muscles.

    Args:
        inertial: the model.
        motion: the motion.
        keep: keep the parts of single muscles.
        unknown: what a band covers; None for no band.
        splits: find the parts of what slides.
    """

    def __init__(
        self, inertial: InertialModel, motion: Motion, keep: bool, unknown: Unknown | None, splits: bool = True
    ) -> None:
        self._inertial, self._motion = inertial, motion
        self._gravity = inertial.model.getGravity().to_numpy().copy()
        T, nu = len(motion), len(inertial.coordinate_names)
        self.rigid, self.given_up, self.frozen, self.inertial = (np.zeros((T, nu)) for _ in range(4))
        self._moved: dict[str, Array] = {}
        count = len(inertial.muscle_names)
        self.parts = MuscleParts(np.zeros((T, count, nu)), np.zeros((T, nu))) if keep else None
        self.wobble = np.zeros((T, nu))
        self.sliding = np.zeros((len(PARTS), T, nu)) if splits else None
        self._unknown = unknown
        if unknown is not None:
            self._moments = np.zeros((T, nu, len(unknown.bellies.segments), 6))
            self._sampled = np.unique(np.linspace(0, T - 1, min(T, VARIED_ROWS)).round().astype(int))
            self._solved: list[_Solved] = []

    @cached_property
    def _given_up_by_muscle(self) -> GivenUp:
        """What segments give up for each muscle."""
        placement = self._inertial.placement
        return GivenUp(placement.muscle_of_part, placement.donors, parameters(placement.given_up_by_part)[None])

    @cached_property
    def _given_up_by_strands(self) -> GivenUp:
        """What they give up for the muscles that vary, as strands."""
        assert self._unknown is not None
        bellies = self._unknown.bellies
        parts = bellies.varied_parts
        of_varied = np.searchsorted(bellies.varied, bellies.muscles[parts])
        donors = [self._inertial.placement.donors[k] for k in parts]
        return GivenUp(of_varied, donors, bellies.given_up[parts] + bellies.of_strands)

    @property
    def moved_by_segment(self) -> dict[str, dict[str, float]]:
        """What each segment moves at most that gives up otherwise than its muscles are, by coordinate [N m or N]."""
        names = self._inertial.coordinate_names
        return {
            segment: {name: float(v) for name, v in zip(names, largest, strict=True) if v > NO_CHANGE}
            for segment, largest in self._moved.items()
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
            self.parts.total[:] += muscles
            self.parts = replace(self.parts, of_masses=record.of_masses)
        return record

    def add_all(
        self,
        solver: _RigidSolver,
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
                states = []
                for row in range(rows.start, rows.stop):
                    self.rigid[row], kinematics = solver.solve(row)
                    states.append(kinematics)
                    if base is not None:
                        base.see(row, solver.state)
                kinematics = stacked(states)
                self.rigid[rows] -= solver.applied(rows, kinematics)
                if base is not None:
                    base.add(rows, kinematics, solver.bodies)
                self.add(rows, solver.narrowed(states), kinematics)
                if wobbling is not None:
                    wobbling.add(states, self._motion.udot[rows])
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
        placement = inertial.placement
        regressors = self._regressors(kinematics, udot)
        for name, transfer in placement.transfers.items():
            given_up, frozen = (regressors[name] @ parameters(m) for m in (transfer.given_up, transfer.muscles))
            self.given_up[rows] += given_up
            self.frozen[rows] += frozen
            self._moved[name] = np.maximum(self._moved.get(name, 0.0), np.abs(frozen - given_up).max(axis=0))
        each = None if self.parts is None else inertial.evaluation.inverse_each(states, udot)
        self.inertial[rows] = inertial.evaluation.inverse(states, udot) if each is None else each.sum(axis=1)
        if self.sliding is not None:
            slides = self.inertial[rows] - self.frozen[rows]
            self.sliding[:, rows] = parts_of_rows(inertial, states, kinematics, udot, slides, self._gravity)
        if each is None or self.parts is None:
            return
        self._given_up_by_muscle.take_off(each[None], regressors)
        self.parts.total[rows] = each
        if placement.group_excess:
            self.parts.total[rows] += forces_of_groups(placement, regressors)
        add_excess(placement, regressors, self.parts.excess[rows])
        if self._unknown is not None:
            for k, name in enumerate(self._unknown.bellies.segments):
                self._moments[rows, :, k] = regressors[name][:, :, 4:]
            first, last = np.searchsorted(self._sampled, (rows.start, rows.stop))
            here = self._sampled[first:last] - rows.start
            if len(here):
                at = {name: regressor[here] for name, regressor in regressors.items()}
                self._solve_strands(rows.start + here, [states[i] for i in here], at)

    def band_parts(self, solver: _RigidSolver, wanted: NDArray[np.intp]) -> BandParts | None:
        """Return what the band is made of, strands being solved at the rows that were sampled and at those wanted.

        Paths that OpenSim leads are not asked for: their muscles do not vary.
        """
        if self._unknown is None:
            return None
        more = np.setdiff1d(wanted, self._sampled)
        if len(more) and self._unknown.bellies.strands is not None:
            states = [solver.kinematics(int(row)) for row in more]
            self._solve_strands(more, states, self._regressors(stacked(states), self._motion.udot[more]))
        rows = np.concatenate([solved.rows for solved in self._solved])
        strands = np.empty((len(self._solved[0].strands), len(rows), *self._solved[0].strands.shape[2:]))
        ordered = np.sort(rows)
        for solved in self._solved:
            strands[:, np.searchsorted(ordered, solved.rows)] = solved.strands
        return BandParts(self._unknown.bellies, ordered, strands, self._moments)

    def _regressors(self, kinematics: StateKinematics, udot: Array) -> dict[str, Array]:
        donors = self._inertial.placement.transfers
        return rigid_regressors(self._inertial.kinematics.bodies, donors, kinematics, udot, self._gravity)

    def _solve_strands(
        self, rows: NDArray[np.intp], states: list[StateKinematics], regressors: dict[str, Array]
    ) -> None:
        """Keep what strands differ by at rows (R,) whose parts are known, from regressors (R, nu, 10) of the donors."""
        assert self._unknown is not None and self.parts is not None
        bellies = self._unknown.bellies
        which = bellies.varied.tolist()
        if bellies.strands is None:
            self._solved.append(_Solved(rows, np.zeros((0, len(rows), 0, self.rigid.shape[1]))))
            return
        sets = bellies.strands.maps_by_node()
        strands = self._inertial.evaluation.inverse_of_maps(states, self._motion.udot[rows], which, sets)
        self._given_up_by_strands.take_off(strands, regressors)
        strands -= self.parts.total[rows[:, None], which]
        if self._inertial.placement.group_excess:
            strands += forces_of_groups(self._inertial.placement, regressors)[:, which]
        self._solved.append(_Solved(rows, strands))


class _Solved(NamedTuple):
    """Rows (R,) of a motion, and what strands differ by there, (strands, R, V, nu)."""

    rows: NDArray[np.intp]
    strands: Array


class _RigidSolver:
    """Solves rows with OpenSim's InverseDynamicsSolver on the model whose segments have given up the muscles' mass.

    Args:
        inertial: the model.
        motion: of all coordinates of the model.
        loads: external loads, which are no part of the model.
        excluded: names, groups or keywords of model forces that do not act.
        beside: bodies whose kinematics are asked for besides those that muscles touch.

    Attributes:
        model, state: the model, and its state at the row solved last.
        bodies: names along the body axis of the kinematics that are returned.
    """

    def __init__(
        self,
        inertial: InertialModel,
        motion: Motion,
        loads: Loads | None,
        excluded: Sequence[str],
        beside: Sequence[str] = (),
    ) -> None:
        self._motion, self._coordinates = motion, inertial.coordinates
        finite = np.isfinite(motion.q) & np.isfinite(motion.u)
        if not finite.all():
            name = inertial.coordinate_names[int(np.argwhere(~finite)[0, 1])]
            raise ModelError(f"the state is not finite at coordinate '{name}'")
        if loads is not None:
            loads.check_bodies(inertial.model)
        self._loads = None if loads is None else AppliedLoads(loads, motion.times)
        self.model, self.state = inertial.model, inertial.initial_state()
        self._binding = inertial.dynamics.check_state(self.state)
        self._few = self._binding.kinematics
        self._kinematics = self._few.also([*(() if self._loads is None else self._loads.bodies), *beside])
        self.bodies = self._kinematics.bodies
        switch_off(self.model, self.state, excluded)
        self._solver = osim.InverseDynamicsSolver(self.model)

    def solve(self, row: int) -> tuple[Array, StateKinematics]:
        """Return the rigid generalized forces (nu,) without external loads, and the kinematics of a row."""
        self._set(row)
        try:
            with PATH_LISTS:
                tau = self._solver.solve(self.state, osim.Vector.createFromMat(self._motion.udot[row]))
        except RuntimeError as error:
            at = f"at time {self._motion.times[row]:.6g} s"
            raise MotionError(f"OpenSim cannot solve the motion {at}: {opensim_reason(error)}") from None
        q, u = self._motion.q[row], self._motion.u[row]
        kinematics = self._kinematics.at(self.state, q, u)
        return tau.to_numpy(), kinematics._replace(paths=self._binding.paths(self.state, q, u))

    def applied(self, rows: slice, kinematics: StateKinematics) -> Array | float:
        """Return the generalized forces (R, nu) of the external loads at rows of these kinematics; 0 for no loads."""
        return 0.0 if self._loads is None else self._loads.generalized(rows, kinematics, self.bodies)

    def narrowed(self, states: list[StateKinematics]) -> list[StateKinematics]:
        """Return the same states with the bodies alone that muscles touch."""
        few = len(self._few.bodies)
        return states if len(self.bodies) == few else [state.first(few) for state in states]

    def kinematics(self, row: int) -> StateKinematics:
        """Return the kinematics of the bodies that muscles touch alone, without paths that OpenSim leads."""
        self._set(row)
        return self._few.read(self.state)

    def _set(self, row: int) -> None:
        self.state.setTime(float(self._motion.times[row]))
        self._coordinates.set_values(self.state, self._motion.q[row])
        self.state.setU(osim.Vector.createFromMat(self._motion.u[row]))
