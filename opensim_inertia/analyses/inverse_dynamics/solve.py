"""Inverse dynamics: the coordinates' forces for a given motion, with muscle mass lumped and sliding."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from ..._core.arrays import has_room
from ..._core.checks import check_choice, warn
from ..._core.choices import IMPLAUSIBLE, NO_ACTUATORS, Implausible
from ..._core.diagnostics import raise_or_warn
from ..._core.errors import MotionError, OptionError
from ..._core.warnings import LongMotionWarning
from ...model import InertialModel
from ...model.model import check_inertial
from ...opensim_model.reading.coordinates import base_coordinates, couplings
from ...options.recording import Recording, RecordingOptions, Uncertainty, Wobble
from ...paths.kernel.remarks import HELD, LOST, MuscleRemarks
from ...paths.wrapping.plan import DIFFERENT
from ..result import over_all_rows
from .band import Bellies, described_band, parts_at
from .doubts import force_findings, jump_doubts, path_doubts
from .inputs import Inputs
from .inverse_dynamics_result import InverseDynamicsResult
from .residuals import BaseRecord, BaseRecorder, noise_findings, residual_record
from .solver import ForceAccumulator, RigidSolver

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from .wobble import WobbleRecord

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
    **reading: Unpack[RecordingOptions],
) -> InverseDynamicsResult:
    """Compute the generalized forces of a recorded motion, beside those of OpenSim's Inverse Dynamics Tool.

    Two answers, for the same motion and loads:

    * *lumped*: all mass in the segments, as in the published model. OpenSim's own, but for joints whose speeds are not
      the rates of their coordinates (ball, free, ellipsoid): there OpenSim's tool is wrong (docs/theory/opensim.md).
    * *inertial*: muscle mass sliding along the paths, ``tau = tau_lumped + dM udot - h - g_m`` (Wang et al. 2022, eq.
      7), where dM, h and g_m are those of sliding mass less those of the same mass frozen to its donor segments.

    Rows that jumps of the recording reach are solved as recorded. ``result.doubtful`` says which forces jumps change,
    and peaks and means leave these out.

    Rows for which the external loads have no data are not solved: all coordinates have NaN there, since a load on
    one body is passed on to all joints between it and ground, and ``result.answered`` says which rows have an answer.

    Args:
        inertial: the model.
        recording: the motion with its external loads, and how they are read; or the motion alone, a file or table.
            A time range of infinite ends is that of the recording; OpenSim's tool then solves what its filter adds
            before and after as well, and times beyond the recording ask for that here. ``strict`` refuses a motion that
            goes on where the external loads have no data (:class:`LoadsRangeWarning`), one that breaks the model's
            constraints by more than 0.05 rad or 5 mm (:class:`BrokenConstraintWarning`), jumps that change forces,
            coordinates without a column that are free to move, and doubtful units (:class:`InputWarning`).
            ``result.notes`` says which coordinates follow their couplers and not the recording. What else is doubtful
            :func:`~opensim_inertia.check` finds: gaps, ranges, and loads that do not fit the motion.
        forces_to_exclude: names, groups or keywords of model forces that do not act. ``result.notes`` name each force
            that acts or is left out, muscles apart, with its largest effect. Contacts with ground do not act where
            external loads press the same body, unless "-Contacts" is among these.
        band: how sure the answer is, over masses and the places of bellies: True, False, or the uncertainty. There is
            none without the parts of single muscles.
        per_muscle: keep each muscle's part; of long motions in a file in the folder for temporary files, and where
            its disk has no room, there is a :class:`LongMotionWarning`.
        implausible: the treatment of forces that no body makes, such as moments beyond 20 N m per kg of body mass:
            "refuse", or "warn" to have them all the same. Up to a tenth of all rows are not refused, but marked in
            ``result.doubtful``.
        progress: show a bar; default: on a terminal, for long motions.
        wobble: whether bellies wobble across their paths, and how; True for the default options. Its forces are part
            of the inertial answer, and ``result.wobble`` has it alone. It starts from rest at the first row, so that a
            tenth of a second before the time of interest should be among the rows. A :class:`InputWarning` says where
            the motion's filter removes the motion that drives it.
        reading: options of :class:`Recording`, in its place or beside it: ``external_loads="grf.xml", cutoff=6``.

    Raises:
        MotionError: the motion cannot be used, jumps change all forces, motion or loads are meaningless (angles in
            degrees, times in other units), or no body makes the forces that come out; FileFormatError: a file is
            missing or malformed; UnknownNameError: a force or a body of the loads is not in the model; OptionError:
            ``band`` is of another type.
    """
    check_inertial(inertial)
    check_choice("implausible", implausible, IMPLAUSIBLE)
    if not isinstance(band, bool | Uncertainty):
        raise OptionError("band", band, "True, False or an Uncertainty")
    excluded = (forces_to_exclude,) if isinstance(forces_to_exclude, str) else tuple(forces_to_exclude)
    wobbles = None
    if wobble is not False:
        from ...options.recording import wobble_of

        wobbles = wobble_of(wobble)
    inputs, seen = Inputs.of(inertial, recording, excluded, **reading), inertial.remarks()
    motion, loads, options = inputs.solved, inputs.loads, inputs.options
    keeps_parts, notes = _has_room_for_parts(inertial, inputs) if per_muscle else (False, [])
    uncertainty = (Uncertainty() if band is True else band or None) if keeps_parts else None
    bellies = None if uncertainty is None else Bellies.of(inertial, uncertainty.placement, seen)

    base = BaseRecorder.of(inertial, motion, loads)
    beside = (*(() if base is None else base.bodies), *(() if wobbles is None else wobbles.carriers))
    solver = RigidSolver(inertial, motion, loads, inputs.excluded, beside)
    wobbling = None
    if wobbles is not None:
        from .wobble import Wobbling

        wobbling = Wobbling(inertial, wobbles, solver.bodies, motion.times)
        notes += raise_or_warn(wobbling.check(options.cutoff), MotionError)
    forces = ForceAccumulator(inertial, motion, seen, keeps_parts, bellies, splits=True)
    _LOG.info("inverse dynamics at %d rows, %g to %g s", len(motion), motion.times[0], motion.times[-1])
    forces.add_all(solver, progress, base, wobbling)
    forces.to_coordinates()
    swings = None if wobbling is None else forces.add_wobble(wobbling, bool(band))

    doubtful, jumps = jump_doubts(inertial, inputs, forces.lumped)
    doubtful |= path_doubts(inertial, motion, forces, seen)
    net = any(name.upper() in ("ALL", "ACTUATORS", "MUSCLES") for name in inputs.excluded)
    beyond, doubts = force_findings(inertial, inputs, forces.by_kind, doubtful, implausible, net)
    of_base = None if base is None else base.record
    seen.warn()
    notes += raise_or_warn([*jumps, *noise_findings(of_base, forces.lumped), *doubts], MotionError, options.strict)
    result = _result(inertial, inputs, forces, swings, of_base, doubtful | beyond[:, None], uncertainty)
    result = replace(result, motion=replace(inputs.whole, findings=(*motion.findings, *jumps)))

    rows = np.flatnonzero(inputs.answered)
    band_parts = forces.band_parts(solver, np.searchsorted(rows, result.peak_rows))
    if band_parts is not None and result.parts is not None:
        band_parts = replace(band_parts, rows=rows[band_parts.rows], muscles=result.parts)
    seen.warn()  # of what the band adds
    provenance = {
        **inputs.facts(inertial, seen, [*notes, *_effects(inertial, seen, result)]),
        "band": None if uncertainty is None or bellies is None else described_band(uncertainty, bellies),
        **({} if wobbling is None else {"wobble": wobbling.described()}),
        **residual_record(of_base, result.residual_rows()),
        **({} if inputs.answered.all() else {"rows without an answer": int((~inputs.answered).sum())}),
    }
    return replace(result, band_parts=band_parts, provenance=provenance)


def _result(
    inertial: InertialModel,
    inputs: Inputs,
    forces: ForceAccumulator,
    swings: WobbleRecord | None,
    of_base: BaseRecord | None,
    doubtful: NDArray[np.bool_],
    uncertainty: Uncertainty | None,
) -> InverseDynamicsResult:
    """Return solved forces over all rows, without provenance and the parts of a band."""
    coordinates, sliding = inertial.coordinates, forces.sliding
    coupled = couplings(inertial.model, coordinates, inputs.solved.q)
    of_rows = (forces.by_kind, coupled, forces.parts, swings, doubtful)
    by_kind, coupled, parts, swings, doubtful = over_all_rows(of_rows, inputs.answered)
    if sliding is not None:
        sliding = over_all_rows(sliding.swapaxes(0, 1), inputs.answered).swapaxes(0, 1)
    return InverseDynamicsResult(
        times=inputs.whole.times,
        coordinate_names=inertial.coordinate_names,
        rotational=coordinates.rotational,
        lumped_forces=by_kind["lumped"],
        inertial_forces=by_kind["inertial"],
        missing=inputs.solved.missing,
        on_base=base_coordinates(inertial.model, coordinates),
        couplings=coupled,
        muscles=() if parts is None else inertial.muscle_names,
        parts=parts,
        sliding_parts=sliding,
        uncertainty=uncertainty,
        called_moments=coordinates.called_moments,
        base=of_base,
        wobble=swings,
        answered=inputs.answered,
        doubtful=doubtful,
    )


def _has_room_for_parts(inertial: InertialModel, inputs: Inputs) -> tuple[bool, list[str]]:
    """Return whether the parts of single muscles can be kept, and a sentence if they have no room."""
    size = 8 * len(inertial.muscle_names) * inputs.whole.q.size
    if not inertial.muscle_names or has_room(size):
        return bool(inertial.muscle_names), []
    text = (
        f"what single muscles add, and the band, are left out: they would take {size / 2**30:.2g} GiB, for which "
        "the folder for temporary files has no room (the environment variable TMPDIR names another folder)"
    )
    warn(LongMotionWarning(text))
    return False, [text]


def _effects(inertial: InertialModel, seen: MuscleRemarks, result: InverseDynamicsResult) -> list[str]:
    """Return how much of the difference at a peak muscles make about which there are remarks, by kind of remark."""
    joints = [i for i in result.independent if result.rotational[i] and not (result.on_base and result.on_base[i])]
    if result.parts is None or not joints:
        return []
    different = tuple(inertial.wraps.different) if inertial.options.paths.warn_wraps else ()
    groups = {
        f"whose paths are more than {1e3 * DIFFERENT:.0f} mm from OpenSim's somewhere": different,
        "whose fibres were held": seen.muscles(HELD),
        "that had no smooth path somewhere": seen.muscles(LOST),
        "whose paths are in doubt somewhere": seen.muscles(),
    }
    columns, notes = np.arange(len(result.coordinate_names)), []
    parts = parts_at(result.parts.at, result.couplings, result.peak_rows, columns)
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
