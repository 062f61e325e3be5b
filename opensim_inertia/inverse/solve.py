"""Inverse dynamics: the coordinates' forces for a given motion, with muscle mass lumped, moved, and sliding."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from .._opensim import osim
from ..arrays import Array
from ..checks import shows_bar, warn
from ..errors import InertiaWarning, MotionError, OptionError, opensim_reason
from ..inertial import InertialModel
from ..inertial.placement import Placement
from ..inertial.recorded_motion import constraint_notes, recorded_motion
from ..inspection.acting import loads_notes, motion_notes
from ..inspection.answers import answer_notes, force_findings
from ..masses.rigid import parameters, rigid_regressors
from ..material import MaterialMap
from ..provenance import describe_source
from ..reading import PATH_LISTS, Motion, StateKinematics, base_coordinates, couplings, motion_name, stacked
from ..setups.loads import Loads, switch_off
from .parts import MuscleParts, PlacementVariant
from .result import InverseDynamicsResult
from .uncertainty import PLACEMENTS, Uncertainty

_LOG = logging.getLogger(__name__)

#: States handed to the kernel at once.
CHUNK = 128
#: Motions shorter than this many rows show no progress bar.
SHORT_MOTION = 200
#: Rows at which shorter and longer aponeuroses are solved, at most, besides those of the lumped peaks; evenly spaced.
#: Between them the change is linear. That is coarse where a motion holds many strides; what masses make of the band,
#: which is most of it, is exact.
VARIED_ROWS = 200
#: Parts of single muscles are kept where they take at most this many bytes.
MOST_MEMORY = 2**30


class LongMotionWarning(InertiaWarning):
    """The parts of single muscles, and with them the band, are left out: they would take too much memory."""


def inverse_dynamics(
    inertial: InertialModel,
    motion: str | os.PathLike[str] | pd.DataFrame,
    external_loads: str | os.PathLike[str] | None = None,
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
    forces_to_exclude: str | Sequence[str] = ("Muscles",),
    progress: bool | None = None,
    band: bool | Uncertainty = True,
    per_muscle: bool = True,
    strict: bool = False,
    assemble: bool = False,
) -> InverseDynamicsResult:
    """Compute the generalized forces of a recorded motion, beside those of OpenSim's Inverse Dynamics Tool.

    Three answers, for the same motion and loads:

    * *lumped*: all mass in the segments, as in the model that was given. OpenSim's own.
    * *moved*: muscle mass at its place in the reference pose, but fixed to its donor segment. Where segments are
      conserved it is the lumped answer.
    * *inertial*: muscle mass sliding along the paths, ``tau = tau_rigid + dM udot - h - g_m`` (Wang et al. 2022, eq.
      7).

    Args:
        inertial: the model.
        motion: ``.mot`` or ``.sto`` file of coordinates, or a DataFrame (index time [s], radians and metres).
        external_loads: OpenSim external loads XML.
        cutoff: low-pass cut-off for the coordinates [Hz]; None for no filter.
        time_range: first and last time [s]; default: the whole motion.
        forces_to_exclude: names, groups or keywords of model forces that do not act.
        progress: show a bar; default: on a terminal, for long motions.
        band: how sure the answer is, over masses and the length of aponeuroses: True, False, or what to cover. There
            is none without the parts of single muscles.
        per_muscle: keep what each muscle adds, where that takes no more than 1 GiB; else there is a
            :class:`LongMotionWarning`.
        strict: refuse what else is warned of: a motion that goes on where the external loads have no data
            (:class:`LoadsRangeWarning`), loads that jump (:class:`LoadsJumpWarning`), a motion that breaks the model's
            constraints by more than 0.05 rad or 5 mm (:class:`BrokenConstraintWarning`), and whatever else makes
            motion or loads doubtful (``InputWarning``: jumps, gaps, ranges, units, bodies, momentum).
        assemble: project the motion on the constraints, as :func:`~opensim_inertia.inertial.recorded_motion` says.

    Raises:
        MotionError: the motion cannot be used, motion or loads are meaningless (angles in degrees, times in other
            units), or no body makes the forces that come out; FileFormatError: a file is missing or malformed;
            UnknownNameError: a force or a body of the loads is not in the model; OptionError: ``band`` is none of what
            it may be.
    """
    if not isinstance(band, bool | Uncertainty):
        raise OptionError("band", band, "True, False or an Uncertainty")
    inertial.evaluation.forget_notes()
    excluded = [forces_to_exclude] if isinstance(forces_to_exclude, str) else list(forces_to_exclude)
    notes = motion_notes(inertial.model, motion, strict)
    recorded = recorded_motion(inertial, motion, cutoff, time_range, assemble)
    notes += constraint_notes(inertial, recorded, motion_name(motion), strict)
    loads = None if external_loads is None else Loads(external_loads, recorded.span)
    notes += [] if loads is None else loads.warn(recorded.times, strict)
    notes += [] if loads is None else loads_notes(inertial, loads, recorded, strict)
    solver = _RigidSolver(inertial, loads, excluded)
    kept = per_muscle and bool(inertial.muscle_names)
    size = 8 * len(inertial.muscle_names) * recorded.q.size
    if kept and size > MOST_MEMORY:
        kept = False
        notes.append(f"what single muscles add, and the band, are left out: they would take {size / 2**30:.2g} GiB")
        warn(LongMotionWarning(notes[-1]))
    uncertainty = (Uncertainty() if band is True else band or None) if kept else None
    sums = _Sums(inertial, recorded, kept, uncertainty is not None and uncertainty.placement)
    _LOG.info("inverse dynamics at %d rows, %g to %g s", len(recorded), recorded.times[0], recorded.times[-1])
    sums.add_all(solver, progress)
    made, by_kind = inertial.provenance(), sums.by_kind
    net = any(name.upper() in ("ALL", "ACTUATORS", "MUSCLES") for name in excluded)
    notes += answer_notes(force_findings(inertial, recorded.times, by_kind, loads, net, cutoff), notes, strict)
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
        muscles=inertial.muscle_names if kept else (),
        parts=sums.parts,
        uncertainty=uncertainty,
        provenance={
            **made,
            "warnings": made["warnings"] + notes,
            "motion": describe_source(motion) | ({"projected on the constraints": True} if assemble else {}),
            "external loads": None
            if loads is None
            else describe_source(loads.path) | {"data": describe_source(loads.data)},
            "cut-off [Hz]": cutoff,
            "time range [s]": [float(recorded.times[0]), float(recorded.times[-1])],
            "forces excluded": excluded,
            "coordinates missing in the motion": list(recorded.missing),
            "band": None if uncertainty is None else asdict(uncertainty) | {"aponeurosis": sums.factors},
        },
        motion=recorded,
    )
    _LOG.debug("the band, from models with other bellies")
    return replace(result, variants=sums.vary(solver, result.peak_rows))


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
    sums = _Sums(inertial, motion, keep=False, vary=False)
    sums.add_all(_RigidSolver(inertial, loads, forces_to_exclude), progress)
    return sums.by_kind


class _Sums:
    """Sums up the generalized forces of a motion (T, nu), and keeps the parts of single muscles.

    Args:
        inertial: the model.
        motion: the motion.
        keep: keep the parts of single muscles.
        vary: also with shorter and longer aponeuroses.
    """

    def __init__(self, inertial: InertialModel, motion: Motion, keep: bool, vary: bool) -> None:
        self._inertial, self._motion = inertial, motion
        self._gravity = inertial.model.getGravity().to_numpy().copy()
        T, nu = len(motion), len(inertial.coordinate_names)
        self.rigid, self.given_up, self.frozen, self.inertial = (np.zeros((T, nu)) for _ in range(4))
        count = len(inertial.muscle_names)
        self.parts = MuscleParts(np.zeros((T, count, nu)), np.zeros((T, nu))) if keep else None
        self._placements: dict[float, Placement] = {}
        self._changes: list[_Changes] = []
        varied = self._scaled(1.0)
        self._varied = [i for i, name in enumerate(inertial.muscle_names) if name in varied]
        if keep and vary and self._varied:
            self._sampled = np.unique(np.linspace(0, T - 1, min(T, VARIED_ROWS)).round().astype(int))
            for factor in (PLACEMENTS[0], PLACEMENTS[-1]):
                self._placements[factor] = inertial.placement.placed_otherwise(self._scaled(factor))

    def _scaled(self, factor: float) -> dict[str, MaterialMap]:
        return self._inertial.muscles.aponeuroses_scaled(factor, self._inertial.wraps.opensim)

    @property
    def factors(self) -> list[float]:
        """The factors on the aponeuroses' lengths, besides 1."""
        return list(self._placements)

    @property
    def by_kind(self) -> dict[str, Array]:
        """The generalized forces (T, nu) by where muscle mass is."""
        return {
            "lumped": self.rigid + self.given_up,
            "moved": self.rigid + self.frozen,
            "inertial": self.rigid + self.inertial,
        }

    def add_all(self, solver: _RigidSolver, progress: bool | None) -> None:
        """Solve all rows; a bar is shown if asked for, or by default on a terminal for long motions."""
        rows_in_all = len(self._motion)
        show = shows_bar(False if progress is None and rows_in_all < SHORT_MOTION else progress)
        with tqdm(total=rows_in_all, disable=not show, unit="row", desc="inverse dynamics") as bar:
            for start in range(0, rows_in_all, CHUNK):
                rows = slice(start, min(start + CHUNK, rows_in_all))
                states = []
                for row in range(rows.start, rows.stop):
                    self.rigid[row], kinematics = solver.solve(self._motion, row)
                    states.append(kinematics)
                self.add(rows, states)
                bar.update(len(states))

    def add(self, rows: slice, states: Sequence[StateKinematics]) -> None:
        """Add what muscle mass makes at some rows, whose rigid forces are known."""
        inertial = self._inertial
        if not inertial.muscle_names:
            return
        seen, udot = stacked(states), self._motion.udot[rows]
        placement = inertial.placement
        regressors = self._regressors(seen, udot)
        for name, transfer in placement.transfers.items():
            self.given_up[rows] += regressors[name] @ parameters(transfer.given_up)
            self.frozen[rows] += regressors[name] @ parameters(transfer.muscles)
        if self.parts is None:
            self.inertial[rows] = inertial.evaluation.inverse(states, udot)
            return
        each = inertial.evaluation.inverse_each(states, udot)
        self.inertial[rows] = each.sum(axis=1)
        given_up = _given_up(placement, range(each.shape[1]), regressors)
        np.subtract(each, given_up, out=self.parts.total[rows])
        _add_excess(placement, regressors, self.parts.excess[rows])
        if self._placements:
            first, last = np.searchsorted(self._sampled, (rows.start, rows.stop))
            here = self._sampled[first:last] - rows.start
            if len(here):
                at = {name: regressor[here] for name, regressor in regressors.items()}
                self._vary_at(rows.start + here, [states[i] for i in here], at)

    def vary(self, solver: _RigidSolver, wanted: NDArray[np.intp]) -> tuple[PlacementVariant, ...]:
        """Return what other lengths of the aponeuroses change, at rows that were sampled and at those wanted.

        Paths that OpenSim leads are not asked for: their muscles are not varied.
        """
        if not self._placements:
            return ()
        more = np.setdiff1d(wanted, self._sampled)
        if len(more):
            states = [solver.kinematics(self._motion, int(row)) for row in more]
            self._vary_at(more, states, self._regressors(stacked(states), self._motion.udot[more]))
        rows = np.concatenate([changes.rows for changes in self._changes])
        order = np.argsort(rows)
        variants = []
        for i, factor in enumerate(self._placements):
            own, excess = (
                np.concatenate(parts)[order] for parts in zip(*(c.by_placement[i] for c in self._changes), strict=True)
            )
            variants.append(PlacementVariant(factor, rows[order], np.array(self._varied), own, excess))
        return tuple(variants)

    def _regressors(self, seen: StateKinematics, udot: Array) -> dict[str, Array]:
        donors = self._inertial.placement.transfers
        return rigid_regressors(self._inertial.kinematics.bodies, donors, seen, udot, self._gravity)

    def _vary_at(self, rows: NDArray[np.intp], states: list[StateKinematics], regressors: dict[str, Array]) -> None:
        """Keep what each other placement changes at rows (R,) whose parts are known, from regressors (R, nu, 10)."""
        assert self.parts is not None
        udot = self._motion.udot[rows]
        found = []
        for placed in self._placements.values():
            change = placed.evaluation.inverse_each(states, udot, self._varied)
            change -= _given_up(placed, self._varied, regressors)
            change -= self.parts.total[rows[:, None], self._varied]
            excess = -self.parts.excess[rows]
            _add_excess(placed, regressors, excess)
            found.append((change, excess))
        self._changes.append(_Changes(rows, found))


class _Changes(NamedTuple):
    """Rows (R,) of a motion, and by placement the change of parts (R, V, nu) that vary, and of the excess (R, nu)."""

    rows: NDArray[np.intp]
    by_placement: list[tuple[Array, Array]]


def _given_up(placement: Placement, which: Sequence[int], regressors: dict[str, Array]) -> Array:
    """Return forces (T, muscles, nu) of what segments gave up for some muscles, each of which has one donor."""
    numbers = parameters(placement.given_up_by_muscle)
    donors = [placement.donors[i] for i in which]
    rows, speeds, _ = next(iter(regressors.values())).shape
    forces = np.empty((rows, len(donors), speeds))
    for name in set(donors):
        mine = [k for k, donor in enumerate(donors) if donor == name]
        forces[:, mine] = numbers[[which[k] for k in mine]] @ regressors[name].swapaxes(1, 2)
    return forces


def _add_excess(placement: Placement, regressors: dict[str, Array], forces: Array) -> None:
    for name, matrix in placement.excess.items():
        forces += regressors[name] @ parameters(matrix)


class _RigidSolver:
    """Solves rows with OpenSim's InverseDynamicsSolver on the model whose segments have given up the muscles' mass."""

    def __init__(self, inertial: InertialModel, loads: Loads | None, excluded: Sequence[str]) -> None:
        self.dynamics = inertial.dynamics
        if loads is None:
            self.state = inertial.initial_state()
        else:
            model, self.state = loads.added_to(inertial.model)
            self.dynamics = self.dynamics.bound_to(model)
        self.model = self.dynamics.model
        switch_off(self.model, self.state, excluded)
        self.solver = osim.InverseDynamicsSolver(self.model)

    def solve(self, motion: Motion, row: int) -> tuple[Array, StateKinematics]:
        """Return the rigid generalized forces (nu,) and the kinematics of one row of the motion."""
        self._set(motion, row)
        try:
            with PATH_LISTS:
                tau = self.solver.solve(self.state, osim.Vector.createFromMat(motion.udot[row]))
        except RuntimeError as error:
            at = f"at time {motion.times[row]:.6g} s"
            raise MotionError(f"OpenSim cannot solve the motion {at}: {opensim_reason(error)}") from None
        return tau.to_numpy(), self.dynamics.read(self.state, realized=True)

    def kinematics(self, motion: Motion, row: int) -> StateKinematics:
        """Return the kinematics alone, without paths that OpenSim leads."""
        self._set(motion, row)
        return self.dynamics.kinematics.read(self.state)

    def _set(self, motion: Motion, row: int) -> None:
        self.state.setTime(float(motion.times[row]))
        self.dynamics.coordinates.set_values(self.state, motion.q[row])
        self.state.setU(osim.Vector.createFromMat(motion.u[row]))
