"""Inverse dynamics of a recorded motion with lumped and with sliding muscle mass."""

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
from ..._core.diagnostics import Diagnostic, raise_or_warn
from ..._core.errors import MotionError, OptionError
from ..._core.warnings import LongMotionWarning
from ...model import InertialModel
from ...model.model import check_inertial
from ...opensim_model.reading.coordinates import base_coordinates, couplings
from ...options.recording import Recording, RecordingOptions, Uncertainty, Wobble, wobble_of
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

    from .wobble import WobbleRecord, Wobbling

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
    """Compute the generalized forces of a recorded motion, with lumped and with sliding muscle mass.

    Two results for one motion and its loads:

    * *lumped*: all mass is in the segments, as in the published model. The result equals that of OpenSim's Inverse
      Dynamics Tool, except for ball, free and ellipsoid joints: there OpenSim's tool is wrong (docs/theory/opensim.md).
    * *inertial*: muscle mass slides along the paths, ``tau = tau_lumped + dM udot - h - g_m`` (Wang et al. 2022, eq.
      7); dM, h and g_m are of sliding mass minus the same mass frozen to its donor segments.

    Rows near jumps of the recording are solved as recorded. ``result.doubtful`` marks the forces that jumps change;
    peaks and means exclude these.

    Rows without data of the external loads are not solved: all coordinates hold NaN there, since a load on one body is
    transmitted to all joints between the body and ground. ``result.answered`` marks the solved rows.

    Args:
        inertial: the model.
        recording: the motion with its external loads and options; or the motion alone, as a file or table. An infinite
            end of the time range is that of the recording. OpenSim's tool then also solves rows that its filter adds
            before and after; a finite time range beyond the recording requests these rows here. With ``strict`` some
            warnings are errors: a motion longer than the data of the external loads (:class:`LoadsRangeWarning`),
            constraints violated by more than 0.05 rad or 5 mm (:class:`BrokenConstraintWarning`), jumps that change
            forces, free coordinates without a column, and doubtful units (:class:`InputWarning`). ``result.notes``
            lists coordinates that follow their couplers and not the recording. :func:`~opensim_inertia.check` finds
            other doubts: gaps, ranges, and loads that do not fit the motion.
        forces_to_exclude: names, groups or keywords of model forces that do not act. ``result.notes`` list the forces
            that act or are left out, except muscles, with their largest effects. Contacts with ground do not act on
            bodies with external loads, unless "-Contacts" is given.
        band: compute the uncertainty band over masses and belly positions: True, False, or its options. A band needs
            ``per_muscle``.
        per_muscle: keep each muscle's part; for long motions in a temporary file. If the disk has no room, the parts
            are left out (:class:`LongMotionWarning`).
        implausible: treatment of implausible forces, such as moments above 20 N m per kg of body mass: "refuse" raises
            an error, "warn" returns them. Up to a tenth of the rows are not refused, but marked in ``result.doubtful``.
        progress: show a bar; default: on a terminal, for long motions.
        wobble: whether bellies wobble across their paths: True for default options, False, or the options. The forces
            of wobble are part of the inertial result, and alone in ``result.wobble``. Masses start at rest at the first
            row, which should be a tenth of a second before the time of interest. An :class:`InputWarning` is given if
            the motion's filter removes frequencies that excite the masses.
        reading: options of :class:`Recording`: ``external_loads="grf.xml", cutoff=6``.

    Raises:
        MotionError: the motion cannot be used, jumps change all forces, motion or loads are meaningless (angles in
            degrees, times in other units), or forces are implausible; FileFormatError: a file is missing or malformed;
            UnknownNameError: a force or a body of the loads is not in the model; OptionError: ``band`` has another
            type.
    """
    check_inertial(inertial)
    check_choice("implausible", implausible, IMPLAUSIBLE)
    if not isinstance(band, bool | Uncertainty):
        raise OptionError("band", band, "True, False or an Uncertainty")
    wobbles = wobble_of(wobble)
    excluded = (forces_to_exclude,) if isinstance(forces_to_exclude, str) else forces_to_exclude
    inputs, seen = Inputs.of(inertial, recording, excluded, **reading), inertial.remarks()
    keeps_parts, notes = _has_room_for_parts(inertial, inputs) if per_muscle else (False, [])
    uncertainty = (Uncertainty() if band is True else band or None) if keeps_parts else None
    bellies = None if uncertainty is None else Bellies.of(inertial, uncertainty.placement, seen)

    forces = ForceAccumulator(inertial, inputs.solved, seen, keeps_parts, bellies, splits=True)
    solver, base, wobbling, of_wobble = _solve(inertial, inputs, forces, wobbles, progress)
    swings = None if wobbling is None else forces.add_wobble(wobbling, bool(band))
    doubtful, found = _doubts(inertial, inputs, forces, base, implausible, seen)
    seen.warn()
    notes += [*of_wobble, *raise_or_warn(found, MotionError, inputs.options.strict)]

    result = _result(inertial, inputs, forces, swings, base, doubtful, found)
    result = replace(result, uncertainty=uncertainty, band_parts=forces.band_parts(solver, inputs.answered, result))
    seen.warn()  # of the band
    provenance = {
        **inputs.facts(inertial, seen, [*notes, *_effects(inertial, seen, result)]),
        "band": None if uncertainty is None or bellies is None else described_band(uncertainty, bellies),
        **({} if wobbling is None else {"wobble": wobbling.described()}),
        **residual_record(base, result.residual_rows()),
        **({} if inputs.answered.all() else {"rows without an answer": int((~inputs.answered).sum())}),
    }
    return replace(result, provenance=provenance)


def _solve(
    inertial: InertialModel, inputs: Inputs, forces: ForceAccumulator, wobbles: Wobble | None, progress: bool | None
) -> tuple[RigidSolver, BaseRecord | None, Wobbling | None, list[str]]:
    """Solve all rows and store forces in ``forces``; return solver, base motion, wobbling masses and notes."""
    motion, base = inputs.solved, BaseRecorder.of(inertial, inputs.solved, inputs.loads)
    beside = (*(() if base is None else base.bodies), *(() if wobbles is None else wobbles.carriers))
    solver = RigidSolver(inertial, motion, inputs.loads, inputs.excluded, beside)
    wobbling, notes = None, list[str]()
    if wobbles is not None:
        from .wobble import Wobbling

        wobbling = Wobbling(inertial, wobbles, solver.bodies, motion.times)
        notes = raise_or_warn(wobbling.check(inputs.options.cutoff), MotionError)
    _LOG.info("inverse dynamics at %d rows, %g to %g s", len(motion), motion.times[0], motion.times[-1])
    forces.add_all(solver, progress, base, wobbling)
    forces.to_coordinates()
    return solver, None if base is None else base.record, wobbling, notes


def _doubts(
    inertial: InertialModel,
    inputs: Inputs,
    forces: ForceAccumulator,
    base: BaseRecord | None,
    implausible: Implausible,
    seen: MuscleRemarks,
) -> tuple[NDArray[np.bool_], list[Diagnostic]]:
    """Return which forces (R, nu) are doubtful, and diagnostics of these forces."""
    doubtful, jumps = jump_doubts(inertial, inputs, forces.lumped)
    doubtful |= path_doubts(inertial, inputs.solved, forces, seen)
    net = any(name.upper() in ("ALL", "ACTUATORS", "MUSCLES") for name in inputs.excluded)
    beyond, too_large = force_findings(inertial, inputs, forces.by_kind, doubtful, implausible, net)
    return doubtful | beyond[:, None], [*jumps, *noise_findings(base, forces.lumped), *too_large]


def _result(
    inertial: InertialModel,
    inputs: Inputs,
    forces: ForceAccumulator,
    swings: WobbleRecord | None,
    of_base: BaseRecord | None,
    doubtful: NDArray[np.bool_],
    found: Sequence[Diagnostic],
) -> InverseDynamicsResult:
    """Return the result over all rows of the motion, without provenance and band."""
    coordinates, sliding = inertial.coordinates, forces.sliding
    coupled = couplings(inertial.model, coordinates, inputs.solved.q)
    of_rows = (forces.by_kind, coupled, forces.parts, swings, doubtful)
    by_kind, coupled, parts, swings, doubtful = over_all_rows(of_rows, inputs.answered)
    if sliding is not None:
        sliding = over_all_rows(sliding.swapaxes(0, 1), inputs.answered).swapaxes(0, 1)
    jumps = (one for one in found if one.check == "jumps")
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
        called_moments=coordinates.called_moments,
        base=of_base,
        wobble=swings,
        answered=inputs.answered,
        doubtful=doubtful,
        motion=replace(inputs.whole, findings=(*inputs.solved.findings, *jumps)),
    )


def _has_room_for_parts(inertial: InertialModel, inputs: Inputs) -> tuple[bool, list[str]]:
    """Return whether to keep each muscle's part of the forces, and a note if the temporary folder has no room."""
    size = 8 * len(inertial.muscle_names) * inputs.whole.q.size
    if not inertial.muscle_names or has_room(size):
        return bool(inertial.muscle_names), []
    text = (
        f"the parts of single muscles and the band are left out: they need {size / 2**30:.2g} GiB, and the folder for "
        "temporary files has no room (the environment variable TMPDIR names another folder)"
    )
    warn(LongMotionWarning(text))
    return False, [text]


def _effects(inertial: InertialModel, seen: MuscleRemarks, result: InverseDynamicsResult) -> list[str]:
    """Return notes on changes of peak joint moments by muscles with doubtful paths or limited fibre lengths."""
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
