"""Checks for forces disturbed by jumps of recordings or paths, and for impossibly large forces and activations.

The recording is compared with a copy without its jumps, which has the same rates between all other rows and stays at
the recorded poses, so that only the jumps change its forces.

The largest moments of human joints in the literature are 10 N m per kilogram of body mass, in landing. Beyond
:data:`MOMENT` at a joint the inputs are wrong; the limit grows with the extent of bodies larger than a person.
Residuals of the base, and models fixed to ground, whose mass says little of their load, have the limit :data:`ANY`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.choices import Implausible
from ..._core.diagnostics import Diagnostic
from ..._core.errors import MotionError, Option, first_of
from ...files.tables import Table, rotations_to_radians
from ...model import InertialModel
from ...model.recorded_motion import recorded_motion
from ...opensim_model.reading.coordinates import base_coordinates, couplings
from ...opensim_model.reading.jumps import motion_jumps, without_jumps
from ...opensim_model.reading.motion import Motion, recorded_columns
from ...opensim_model.setups.loads import Loads
from ...options.recording import Recording
from ...paths.kernel.remarks import MuscleRemarks
from ...paths.wrapping.opensim_path import LEAPS, SLIPS
from .inputs import Inputs, model_mass
from .solver import ForceAccumulator, forces_on_speeds

BoolArray = NDArray[np.bool_]
SHARE, LEAST = 0.01, 1e-3
"""A jump counts if it changes a force by this share of its peak, and by this much per body mass [N m/kg, N/kg]."""
RUGGED, STANDS_OUT = 95, 2.0
"""It is warned of if it changes one by more than this percentile of its changes from row to row, times this factor: a
recording that nobody filtered makes forces as rugged at all rows."""
NOTHING = 1e-6
"""Smaller shares of the largest change of an acceleration, speed or pose change no force."""
MOST_NAMED = 3
MOMENT, ANY = 20.0, 1000.0
"""No joint of a body that moves freely makes more, and no force is larger [N m or N, per kg of body mass]."""
PERSON = 2.0
"""The limit grows with the model's extent beyond that of a person [m]."""
ACTIVATION = 1e3
"""No muscle's activation is larger."""
FEW = 0.1
"""Of more rows beyond these limits the rest is no answer either."""


def jump_doubts(
    inertial: InertialModel, inputs: Inputs, lumped: Array | None = None
) -> tuple[BoolArray, list[Diagnostic]]:
    """Return which forces (R, nu) are changed by jumps of the recording, and a diagnostic if any force is changed."""
    motion = inputs.solved
    doubtful = np.zeros(motion.q.shape, dtype=bool)
    smooth, offsets, jumps = _without_jumps(inertial, inputs.options, inputs.table, motion.times)
    if smooth is None:
        return doubtful, []
    smooth = smooth.at(inputs.rows)
    calm = replace(smooth, q=smooth.q + offsets)
    changes = [np.abs(getattr(motion, name) - getattr(calm, name)).max(axis=1) for name in ("q", "u", "udot")]
    rows = np.flatnonzero(np.any([change > NOTHING * change.max(initial=0.0) for change in changes], axis=0))
    if not len(rows):
        return doubtful, []
    lumped = _lumped(inertial, motion, inputs) if lumped is None else lumped
    undisturbed = lumped.copy()
    undisturbed[rows] = _lumped(inertial, calm.at(rows), inputs)
    change = np.abs(lumped - undisturbed)
    doubtful = _counting(inertial, motion, change, undisturbed)
    if not doubtful.any():
        return doubtful, []
    rugged = np.percentile(np.abs(np.diff(undisturbed, n=2, axis=0)) / 2, RUGGED, axis=0) if len(motion) > 2 else 0.0
    severity = "warning" if (doubtful & (change > STANDS_OUT * rugged)).any() else "note"
    return doubtful, [_finding(severity, inertial, inputs.table.origin, motion.times, doubtful, change, jumps)]


def path_doubts(inertial: InertialModel, motion: Motion, forces: ForceAccumulator, seen: MuscleRemarks) -> BoolArray:
    """Return which forces (R, nu) are doubtful because OpenSim's path of a contributing muscle jumps at the row."""
    shares, parts = np.zeros(motion.q.shape), forces.parts
    for (muscle, remark), times in seen.times.items():
        if remark in (LEAPS, SLIPS):
            rows = np.isin(motion.times, list(times))
            own = forces.difference if parts is None else parts.own[:, inertial.muscle_names.index(muscle)]
            shares[rows] += np.abs(own[rows])
    return _counting(inertial, motion, shares, forces.lumped) if shares.any() else shares > 0.0


def _counting(inertial: InertialModel, motion: Motion, change: Array, forces: Array) -> BoolArray:
    """Return whether each ``change`` (R, nu) is large relative to ``forces``, or large on a coupled coordinate."""
    found: BoolArray = change > SHARE * np.abs(forces).max(axis=0) + LEAST * model_mass(inertial)
    for coupling in couplings(inertial.model, inertial.coordinates, motion.q[:1]):
        found[:, coupling.independent] |= found[:, coupling.dependent]
    return found


def _lumped(inertial: InertialModel, motion: Motion, inputs: Inputs) -> Array:
    """Return the generalized forces (R, nu) with muscles as rigid mass of segments [N m or N]."""
    forces = forces_on_speeds(inertial, motion, inputs.loads, inputs.excluded)
    return motion.on_coordinates(forces["lumped"])


def _without_jumps(
    inertial: InertialModel, recording: Recording, table: Table, times: Array
) -> tuple[Motion | None, Array, dict[str, tuple[float, bool]]]:
    """Return a jump-free motion (None: no jump), offsets (T, nu) of lasting jumps, and {jump: (time [s], is brief)}."""
    names, coordinates = inertial.coordinate_names, inertial.coordinates
    columns = recorded_columns(table, inertial.model, names, recording.interpolate_jumps)
    jumps = motion_jumps(columns, inertial.model, coordinates)
    if not jumps:
        return None, np.zeros(0), {}
    recorded, described = columns.times, {}
    for jump in jumps:
        before, after = map(float, recorded[jump.row - 1 : jump.row + 1])
        name = columns.labels[jump.columns[0]]
        unit = "m" if coordinates.translational[names.index(name)] else "rad"
        angles = f" (its angles by {jump.locked:.3g} rad, near gimbal lock)" if jump.locked else ""
        text = f"{jump.label} by {jump.size:.3g} {unit} from {before:.6g} to {after:.6g} s{angles}"
        described[text] = after, len(jump.away) > 0
    values, stays = without_jumps(recorded, columns.values, jumps)
    motion = recorded_motion(inertial, recording, replace(columns, values=values, findings=()))
    at = np.clip(np.searchsorted(recorded, times + 1e-9, side="right") - 1, 0, len(recorded) - 1)
    moved = rotations_to_radians(replace(columns, times=times, values=stays[at]), inertial.model)
    offsets = np.zeros((len(times), len(names)))
    offsets[:, [names.index(name) for name in moved.labels]] = moved.values
    return motion, offsets, described


def _finding(
    severity: str,
    inertial: InertialModel,
    origin: str,
    times: Array,
    doubtful: BoolArray,
    change: Array,
    jumps: Mapping[str, tuple[float, bool]],
) -> Diagnostic:
    """Return a diagnostic on jumps of the motion near doubtful forces; raise MotionError if all forces are doubtful."""
    rows = np.flatnonzero(doubtful.any(axis=1))
    first, last = times[rows[0]], times[rows[-1]]
    step = 5 * (times[-1] - times[0]) / max(len(times) - 1, 1)
    near = [jump for jump, (time, _) in jumps.items() if first - step <= time <= last + step] or jumps
    columns = sorted(np.flatnonzero(doubtful.any(axis=0)).tolist(), key=lambda i: -change[doubtful[:, i], i].max())
    effects = (
        f"{change[doubtful[:, i], i].max():.3g} {'N m' if inertial.coordinates.rotational[i] else 'N'} at "
        f"'{inertial.coordinate_names[i]}' ({doubtful[:, i].sum()} of {len(times)} rows)"
        for i in columns
    )
    text = (
        f"it jumps: {first_of(near, MOST_NAMED)}; this changes forces from {first:.6g} to {last:.6g} s by up "
        f"to {first_of(effects, MOST_NAMED)}"
    )
    if doubtful.all():
        raise MotionError(f"{origin}: {text}; no row is left; correct these cells, or choose another time range")
    cure: tuple[object, ...] = ("these rows are solved as recorded, marked as doubtful, and left out of peaks",)
    if any(comes_back for _, comes_back in jumps.values()):
        cure = (*cure, "; ", Option("interpolate_jumps", True, "Recording"), " mends those that come back at once")
    return Diagnostic(severity, "jumps", origin, text, cure)


def force_findings(
    inertial: InertialModel,
    inputs: Inputs,
    forces: Mapping[str, Array],
    doubtful_forces: BoolArray,
    implausible: Implausible,
    net: bool = True,
) -> tuple[BoolArray, list[Diagnostic]]:
    """Return which rows (R,) to mark for implausible forces, and a diagnostic of the first such force.

    Args:
        inertial, inputs: the model, and the recording with R solved rows.
        forces: (R, nu) [N m or N] by name; rows with NaN only are not solved.
        doubtful_forces: (R, nu), forces that are not checked.
        implausible: "refuse": an error, or marked rows if they are few; "warn": a warning.
        net: whether forces are sums over all muscles.
    """
    times, names = inputs.solved.times, inertial.coordinate_names
    marked = np.zeros(len(times), dtype=bool)
    forces = {kind: np.where(doubtful_forces, 0.0, each) for kind, each in forces.items()}
    unanswered = np.all([np.isnan(each).all(axis=1) for each in forces.values()], axis=0)
    for kind, each in forces.items():
        bad = np.argwhere(~np.isfinite(each) & ~unanswered[:, None])
        if len(bad):
            row, column = bad[0].tolist()
            text = f"the {kind} force at '{names[column]}' is {each[row, column]} at time {times[row]:.6g} s"
            return marked, [Diagnostic("error", "answer", "the answer", text, ("see the motion and the loads there",))]
    mass = model_mass(inertial)
    if not mass > 0:
        return marked, []
    on_base = np.array(base_coordinates(inertial.model, inertial.coordinates))
    rotational = np.array(inertial.coordinates.rotational)
    extent = _extent(inertial)
    joint = MOMENT * mass * max(1.0, extent / PERSON)
    moments = np.where(rotational & ~on_base & net, joint, ANY * mass)
    doubtful = None
    if net and not on_base.any():
        moments, doubtful = np.full(len(names), ANY * mass), moments + _largest(inputs.loads) * max(extent, 1.0)
    every = np.any([(np.abs(each) > moments).any(axis=1) for each in forces.values()], axis=0)
    refuses = implausible == "refuse"
    if refuses and every.mean() <= FEW:
        marked = every
    worst_severity = "error" if refuses and not marked.any() else "warning"
    for severity, limits in ((worst_severity, moments), ("warning", doubtful)):
        if limits is None:
            continue
        for kind, each in forces.items():
            beyond = np.argwhere(np.abs(each) > limits)
            if len(beyond):
                row, column = beyond[0].tolist()
                worst = np.unravel_index(int(np.nanargmax(np.abs(each) / limits)), each.shape)
                unit = "N m" if rotational[column] else "N"
                peak_unit = "N m" if rotational[worst[1]] else "N"
                text = (
                    f"no body makes the {kind} force at '{names[column]}' of {each[row, column]:.4g} {unit} at time "
                    f"{times[row]:.6g} s, {abs(each[row, column]) / mass:.3g} per kg of body mass ({mass:.4g} kg; "
                    f"expected at most {limits[column] / mass:.3g}); it begins there, and reaches {each[worst]:.4g} "
                    f"{peak_unit} at '{names[worst[1]]}' at {times[worst[0]]:.6g} s"
                )
                cure: tuple[object, ...] = ("see the motion (jumps, units, times) and the loads (units, times) there",)
                if inputs.options.cutoff is None:
                    cure += (", and filter the motion (", Option("cutoff", 6.0, "Recording"), ")")
                if severity == "error":
                    cure += ("; ", Option("implausible", "warn"), " gives such answers all the same")
                elif marked.any():
                    cure += (f"; {marked.sum()} of {len(times)} rows are marked as doubtful, and left out of peaks",)
                return marked, [Diagnostic(severity, "size of the answer", "the answer", text, cure)]
    return marked, []


def activation_findings(times: Array, muscles: Sequence[str], activations: Array) -> list[Diagnostic]:
    """Return a diagnostic of the first implausible value of activations (T, muscles), if any."""
    beyond = np.argwhere((np.abs(activations) > ACTIVATION) | np.isinf(activations))
    if not len(beyond):
        return []
    row, column = beyond[0].tolist()
    text = (
        f"no muscle has the activation {activations[row, column]:.4g}, which comes out for '{muscles[column]}' at time "
        f"{times[row]:.6g} s first"
    )
    cure = ("see the motion, the loads and the muscle's strength there",)
    return [Diagnostic("error", "answer", "the answer", text, cure)]


def _extent(inertial: InertialModel) -> float:
    """Return the diagonal [m] of the box around all bodies' origins at the default pose."""
    state = inertial.initial_state()
    inertial.model.realizePosition(state)
    places = [body.getPositionInGround(state).to_numpy().copy() for body in inertial.model.getBodySet()]
    return float(np.linalg.norm(np.ptp(places, axis=0))) if places else 0.0


def _largest(loads: Loads | None) -> float:
    """Return the sum of each load's largest absolute component, of force [N] or torque [N m]; 0 without loads."""
    if loads is None:
        return 0.0
    return sum(float(np.abs(loads.values(name)[:, [0, 1, 2, 6, 7, 8]]).max(initial=0.0)) for name in loads.columns)
