"""Inverse dynamics: the coordinates' forces for a given motion, with muscle mass lumped and sliding."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_choice, warn
from ..._core.choices import IMPLAUSIBLE, NO_ACTUATORS, Implausible
from ..._core.diagnostics import raise_or_warn
from ..._core.errors import MotionError, OptionError
from ..._core.provenance import describe_source, recorded_options
from ..._core.scratch import has_room, large_zeros
from ..._core.warnings import LongMotionWarning
from ...model import InertialModel
from ...model.arguments import check_inertial
from ...model.wobble.building import described_wobble
from ...opensim_model.reading.coordinates import base_coordinates, couplings
from ...opensim_model.reading.motion import Motion
from ...opensim_model.setups.gait import gait_events
from ...opensim_model.setups.loads import Loads
from ...options.recording import Recording, Uncertainty, recording_of
from ...options.wobble import Wobble, wobble_of
from ...paths.kernel.remarks import HELD, LOST, MuscleRemarks
from ...paths.wrapping.plan import DIFFERENT
from .bellies import Bellies
from .doubts import jump_doubts
from .implausible import force_findings, model_mass
from .inputs import Inputs
from .inverse_dynamics_result import InverseDynamicsResult
from .parts import MuscleParts, parts_at
from .residuals import BaseRecorder, noise_findings, residual_record
from .rigid_solver import RigidSolver
from .sums import Sums
from .uncertainty import described_band
from .wobble import Wobbling

_LOG = logging.getLogger(__name__)


def inverse_dynamics(
    inertial: InertialModel,
    recording: Recording | str | os.PathLike[str] | pd.DataFrame,
    forces_to_exclude: str | Sequence[str] = NO_ACTUATORS,
    band: bool | Uncertainty = True,
    per_muscle: bool = True,
    implausible: Implausible = "refuse",
    progress: bool | None = None,
    wobble: bool | Wobble = False,
) -> InverseDynamicsResult:
    """Compute the generalized forces of a recorded motion, beside those of OpenSim's Inverse Dynamics Tool.

    Two answers, for the same motion and loads:

    * *lumped*: all mass in the segments, as in the published model. OpenSim's own, but for joints whose speeds are not
      the rates of their coordinates (ball, free, ellipsoid): there OpenSim's tool is wrong (docs/theory/opensim.md).
    * *inertial*: muscle mass sliding along the paths, ``tau = tau_lumped + dM udot - h - g_m`` (Wang et al. 2022, eq.
      7), where dM, h and g_m are those of sliding mass less those of the same mass frozen to its donor segments.

    Rows that jumps of the recording reach are solved as recorded. ``result.doubtful`` says which forces jumps change,
    and peaks and means leave these out.

    Rows for which the external loads have no data are not solved: all coordinates have NaN there, since what acts on
    one body is passed on to all joints between it and ground, and ``result.answered`` says which rows have an answer.

    Args:
        inertial: the model.
        recording: the motion with its external loads, and how they are read; or the motion alone, a file or table. A
            time range of infinite ends is that of the recording; OpenSim's tool then solves what its filter adds before
            and after as well, and times beyond the recording ask for that here. ``strict`` refuses a motion that goes
            on where the external loads have no data (:class:`LoadsRangeWarning`), one that breaks the model's
            constraints by more than 0.05 rad or 5 mm (:class:`BrokenConstraintWarning`), jumps that change forces,
            coordinates without a column that are free to move, and doubtful units (:class:`InputWarning`).
            ``result.notes`` says which coordinates follow their couplers and not the recording. What else is doubtful
            :func:`~opensim_inertia.check` finds: gaps, ranges, and loads that do not fit the motion.
        forces_to_exclude: names, groups or keywords of model forces that do not act. ``result.notes`` name each force
            that acts or is left out, muscles apart, with its largest effect. Contacts with ground do not act where
            external loads press the same body, unless "-Contacts" is among these.
        band: how sure the answer is, over masses and the places of bellies: True, False, or what to cover. There is
            none without the parts of single muscles.
        per_muscle: keep what each muscle adds; of long motions in a file in the folder for temporary files, and where
            its disk has no room, there is a :class:`LongMotionWarning`.
        implausible: what is done about forces that no body makes, such as moments beyond 20 N m per kg of body mass:
            "refuse", or "warn" to have them all the same. Up to a tenth of all rows are not refused, but marked in
            ``result.doubtful``.
        progress: show a bar; default: on a terminal, for long motions.
        wobble: whether bellies swing across their paths, and how; True for the default options. What that adds is part
            of the inertial answer, and ``result.wobble`` has it alone. It starts from rest at the first row, so that a
            tenth of a second before what matters should be among the rows. A :class:`InputWarning` says where the
            motion's filter takes away what drives it.

    Raises:
        MotionError: the motion cannot be used, jumps change all forces, motion or loads are meaningless (angles in
            degrees, times in other units), or no body makes the forces that come out; FileFormatError: a file is
            missing or malformed; UnknownNameError: a force or a body of the loads is not in the model; OptionError:
            ``band`` is none of what it may be.
    """
    check_inertial(inertial)
    check_choice("implausible", implausible, IMPLAUSIBLE)
    if not isinstance(band, bool | Uncertainty):
        raise OptionError("band", band, "True, False or an Uncertainty")
    wobbles = wobble_of(wobble)
    seen = inertial.remarks()
    excluded = (forces_to_exclude,) if isinstance(forces_to_exclude, str) else tuple(forces_to_exclude)
    recording = recording_of(recording)
    strict = recording.strict
    inputs = Inputs.of(inertial, recording, excluded)
    recorded, loads, excluded, notes = inputs.solved, inputs.loads, inputs.excluded, list(inputs.notes)
    base = BaseRecorder.of(inertial, recorded, loads)
    beside = (*(() if base is None else base.bodies), *(() if wobbles is None else wobbles.carriers))
    solver = RigidSolver(inertial, recorded, loads, excluded, beside)
    wobbling = None if wobbles is None else Wobbling(inertial, wobbles, solver.bodies, recorded.times)
    notes += [] if wobbling is None else raise_or_warn(wobbling.check(recording.cutoff), MotionError)
    keeps_parts = per_muscle and bool(inertial.muscle_names)
    size = 8 * len(inertial.muscle_names) * inputs.whole.q.size
    if keeps_parts and not has_room(size):
        keeps_parts = False
        notes.append(
            f"what single muscles add, and the band, are left out: they would take {size / 2**30:.2g} GiB, for which "
            "the folder for temporary files has no room (the environment variable TMPDIR names another folder)"
        )
        warn(LongMotionWarning(notes[-1]))
    uncertainty = (Uncertainty() if band is True else band or None) if keeps_parts else None
    bellies = None if uncertainty is None else Bellies.of(inertial, uncertainty.placement, seen)
    sums = Sums(inertial, recorded, seen, keeps_parts, bellies)
    _LOG.info("inverse dynamics at %d rows, %g to %g s", len(recorded), recorded.times[0], recorded.times[-1])
    sums.add_all(solver, progress, base, wobbling)
    sums.to_coordinates()
    record = None if wobbling is None else sums.add_wobble(wobbling, bool(band))
    by_kind = sums.by_kind
    gravity = inertial.model.getGravity().to_numpy().copy()
    coupled = couplings(inertial.model, inertial.coordinates, recorded.q)
    doubtful, jumps = jump_doubts(inertial, recording, inputs, by_kind["lumped"])
    of_base = None if base is None else base.record
    noise = noise_findings(of_base, by_kind["lumped"])
    recorded = replace(recorded, findings=(*recorded.findings, *jumps))
    certain = {kind: np.where(doubtful, 0.0, forces) for kind, forces in by_kind.items()} if jumps else by_kind
    checked = (inertial, recorded.times, certain, loads, _are_net(excluded), recording.cutoff)
    beyond, doubts = force_findings(*checked, implausible)
    doubtful |= beyond[:, None]
    notes += raise_or_warn([*jumps, *noise, *doubts], MotionError, strict)
    result = InverseDynamicsResult(
        times=recorded.times,
        coordinate_names=inertial.coordinate_names,
        rotational=inertial.coordinates.rotational,
        lumped_forces=by_kind["lumped"],
        inertial_forces=by_kind["inertial"],
        missing=recorded.missing,
        on_base=base_coordinates(inertial.model, inertial.coordinates),
        couplings=coupled,
        muscles=inertial.muscle_names if keeps_parts else (),
        parts=sums.parts,
        sliding_parts=sums.sliding,
        uncertainty=uncertainty,
        motion=recorded,
        called_moments=inertial.coordinates.called_moments,
        base=of_base,
        wobble=record,
        doubtful=doubtful,
    )
    _LOG.debug("the band, from bellies in other places")
    residuals = residual_record(result.base, result.residuals())
    band_parts = sums.band_parts(solver, result.peak_rows)
    seen.warn()
    origin = inertial.provenance(inertial.notes_with(seen))  # the band's, too
    warnings = [*origin["warnings"], *notes, *_effects(inertial, seen, result)]
    provenance = {
        **origin,
        **recorded_options(recording),
        "external loads": None
        if loads is None
        else describe_source(loads.path) | {"data": describe_source(loads.data)},
        "time range [s]": list(inputs.span),
        "forces excluded": list(excluded),
        "coordinates missing in the motion": list(recorded.missing),
        "mass of the model [kg]": model_mass(inertial),
        "gait events": [] if loads is None else gait_events(loads, gravity, inputs.span),
        "band": None if uncertainty is None or bellies is None else described_band(uncertainty, bellies),
        **({} if wobbles is None else {"wobble": described_wobble(inertial, wobbles)}),
        **residuals,
        "warnings": warnings,
    }
    result = replace(result, band_parts=band_parts, provenance=provenance)
    return _with_unanswered_rows(result, replace(inputs.whole, findings=recorded.findings), inputs.answered)


def _effects(inertial: InertialModel, seen: MuscleRemarks, result: InverseDynamicsResult) -> list[str]:
    """Return how much of the difference at a peak muscles make about which there are remarks, by kind of remark."""
    joints = [i for i in result.independent if result.rotational[i] and not (result.on_base and result.on_base[i])]
    if result.parts is None or not joints:
        return []
    groups = {
        f"whose paths are more than {1e3 * DIFFERENT:.0f} mm from OpenSim's somewhere": (
            tuple(inertial.wraps.different) if inertial.options.paths.warn_wraps else ()
        ),
        "whose fibres were held": seen.muscles(HELD),
        "that had no smooth path somewhere": seen.muscles(LOST),
        "whose paths are in doubt somewhere": seen.muscles(),
    }
    parts = parts_at(result.parts, result.couplings, result.peak_rows, np.arange(len(result.coordinate_names)))
    notes = []
    for description, names in groups.items():
        if not names:
            continue
        group_parts = parts[[result.muscles.index(name) for name in names]].sum(axis=0)
        i = max(joints, key=lambda k: abs(float(group_parts[k])))
        single = f"the muscle {description} ({names[0]}) makes"
        subject = single if len(names) == 1 else f"the {len(names)} muscles {description} make"
        notes.append(
            f"{subject} {group_parts[i]:.2g} of the {parts[:, i].sum():.3g} {result.units[i]} by which muscles change "
            f"'{result.coordinate_names[i]}' where its lumped force is largest, and less at every other joint"
        )
    return notes


def generalized_forces(
    inertial: InertialModel,
    motion: Motion,
    loads: Loads | None,
    forces_to_exclude: Sequence[str],
    seen: MuscleRemarks,
    progress: bool | None = None,
) -> dict[str, Array]:
    """Return the forces on speeds (T, nu) of a motion that has been read, by kind: lumped and inertial.

    Args:
        inertial, forces_to_exclude, progress: as for :func:`inverse_dynamics`.
        motion: of all coordinates of the model.
        loads: external loads.
        seen: collects remarks about muscles.
    """
    sums = Sums(inertial, motion, seen, keep=False, bellies=None, splits=False)
    sums.add_all(RigidSolver(inertial, motion, loads, forces_to_exclude), progress)
    return sums.by_kind


def _are_net(excluded: Sequence[str]) -> bool:
    """Return whether generalized forces are net ones, the muscles being among the forces that do not act."""
    return any(name.upper() in ("ALL", "ACTUATORS", "MUSCLES") for name in excluded)


def _with_unanswered_rows(
    result: InverseDynamicsResult, motion: Motion, answered: NDArray[np.bool_]
) -> InverseDynamicsResult:
    """Return a result over all rows of a motion, with NaN wherever there is no answer.

    All coordinates of such a row have none: what acts on one body is passed on to all joints between it and ground.

    Args:
        result: of the rows that were solved.
        motion: with all T rows.
        answered: (T,), which of these were solved.
    """
    if answered.all():
        return result
    rows = np.flatnonzero(answered)

    def spread(values: Array) -> Array:
        wide = large_zeros((len(answered), *values.shape[1:]))
        wide[~answered], wide[rows] = np.nan, values
        return wide

    parts = None if result.parts is None else _spread_parts(result.parts, spread)
    band, sliding = result.band_parts, result.sliding_parts
    doubtful = np.zeros((len(answered), result.doubtful.shape[1]), dtype=bool)
    doubtful[rows] = result.doubtful
    provenance = {**result.provenance, "rows without an answer": int((~answered).sum())}
    return replace(
        result,
        times=motion.times,
        lumped_forces=spread(result.lumped_forces),
        inertial_forces=spread(result.inertial_forces),
        couplings=tuple(replace(c, slopes=spread(c.slopes)) for c in result.couplings),
        parts=parts,
        wobble=None if result.wobble is None else result.wobble.spread(spread),
        sliding_parts=None if sliding is None else np.stack([spread(part) for part in sliding]),
        band_parts=None if band is None or parts is None else replace(band, rows=rows[band.rows], muscles=parts),
        answered=answered,
        doubtful=doubtful,
        provenance=provenance,
        motion=motion,
    )


def _spread_parts(parts: MuscleParts, spread: Callable[[Array], Array]) -> MuscleParts:
    others = (None if x is None else spread(x) for x in (parts.of_masses, parts.of_wobble))
    return MuscleParts(spread(parts.own), *others)
