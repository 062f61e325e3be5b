"""Forces that jumps of a recording change through filter and spline, and by how much [N m or N].

The recording is compared with a copy without its jumps. The copy has the same rates between all other rows, is filtered
and differentiated like the recording, and stays at the recorded poses. So only the jumps change its forces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.diagnostics import Diagnostic
from ..._core.errors import MotionError, Option, first_of
from ...files.tables import rotations_to_radians
from ...model import InertialModel
from ...model.recorded_motion import recorded_motion
from ...opensim_model.reading.coordinates import couplings
from ...opensim_model.reading.jumps import motion_jumps, without_jumps
from ...opensim_model.reading.motion import Motion, recorded_columns
from ...opensim_model.reading.recorded_table import NamedTable
from ...opensim_model.setups.loads import Loads
from ...options.recording import Recording
from .implausible import model_mass
from .inputs import Inputs
from .rigid_solver import RigidSolver
from .sums import Sums

__all__ = ["jump_doubts"]

SHARE, LEAST = 0.01, 1e-3
"""A jump counts if it changes a force by this share of its peak, and by this much per body mass [N m/kg, N/kg]."""
RUGGED, STANDS_OUT = 95, 2.0
"""It is warned of if it changes one by more than this percentile of its changes from row to row, times this factor: a
recording that nobody filtered makes forces as rugged at all rows."""
NOTHING = 1e-6
"""Smaller shares of the largest change of an acceleration, speed or pose change no force."""
MOST_NAMED = 3


def jump_doubts(
    inertial: InertialModel, recording: Recording, inputs: Inputs, lumped: Array | None = None
) -> tuple[NDArray[np.bool_], list[Diagnostic]]:
    """Return which forces (R, nu) jumps of the recording make doubtful, and a finding that says where and how much.

    Args:
        inertial, recording: as for :func:`~.solve.inverse_dynamics`.
        inputs: the recording, read.
        lumped: the forces (R, nu) of the rows that are solved [N m or N]; default: they are solved here where the
            recording jumps.

    Raises:
        MotionError: no row of any coordinate is left.
    """
    motion = inputs.solved
    doubtful = np.zeros(motion.q.shape, dtype=bool)
    smooth, offsets, jumps = _without_jumps(inertial, recording, inputs.table, motion.times)
    if smooth is None:
        return doubtful, []
    smooth = smooth.at(inputs.rows)
    calm = replace(smooth, q=smooth.q + offsets)
    changes = [np.abs(getattr(motion, name) - getattr(calm, name)).max(axis=1) for name in ("q", "u", "udot")]
    rows = np.flatnonzero(np.any([change > NOTHING * change.max(initial=0.0) for change in changes], axis=0))
    if not len(rows):
        return doubtful, []
    acting = inputs.loads, inputs.excluded
    lumped = _forces(inertial, motion, *acting) if lumped is None else lumped
    undisturbed = lumped.copy()
    undisturbed[rows] = _forces(inertial, calm.at(rows), *acting)
    change = np.abs(lumped - undisturbed)
    doubtful |= change > SHARE * np.abs(undisturbed).max(axis=0) + LEAST * model_mass(inertial)
    for coupling in couplings(inertial.model, inertial.coordinates, motion.q[:1]):
        doubtful[:, coupling.independent] |= doubtful[:, coupling.dependent]
    if not doubtful.any():
        return doubtful, []
    rugged = np.percentile(np.abs(np.diff(undisturbed, n=2, axis=0)) / 2, RUGGED, axis=0) if len(motion) > 2 else 0.0
    severity = "warning" if (doubtful & (change > STANDS_OUT * rugged)).any() else "note"
    return doubtful, [_finding(severity, inertial, inputs.table.origin, motion.times, doubtful, change, jumps)]


def _forces(inertial: InertialModel, motion: Motion, loads: Loads | None, forces_to_exclude: Sequence[str]) -> Array:
    """Return the lumped forces (R, nu) [N m or N] of a motion."""
    sums = Sums(inertial, motion, None, keep=False, bellies=None, splits=False)
    sums.add_all(RigidSolver(inertial, motion, loads, forces_to_exclude), progress=False)
    sums.to_coordinates()
    return sums.lumped


def _without_jumps(
    inertial: InertialModel, recording: Recording, table: NamedTable, times: Array
) -> tuple[Motion | None, Array, dict[str, tuple[float, bool]]]:
    """Return the motion without jumps, how far poses at times (T,) have jumped (T, nu), and when which come back."""
    names, coordinates = inertial.coordinate_names, inertial.coordinates
    columns, _ = recorded_columns(table, inertial.model, names, recording.interpolate_jumps)
    jumps = motion_jumps(columns, inertial.model, coordinates)
    if not jumps:
        return None, np.zeros(0), {}
    recorded, described = columns.index.to_numpy(), {}
    for jump in jumps:
        before, after = map(float, recorded[jump.row - 1 : jump.row + 1])
        name = columns.columns[jump.columns[0]]
        unit = "m" if coordinates.translational[names.index(name)] else "rad"
        angles = f" (its angles by {jump.locked:.3g} rad, near gimbal lock)" if jump.locked else ""
        text = f"{jump.label} by {jump.size:.3g} {unit} from {before:.6g} to {after:.6g} s{angles}"
        described[text] = after, len(jump.away) > 0
    values, stays = without_jumps(recorded, columns.to_numpy(), jumps)
    smooth = pd.DataFrame(values, columns.index, columns.columns)
    smooth.attrs.update(columns.attrs)
    motion = recorded_motion(inertial, recording, NamedTable(smooth, table.origin))
    at = np.clip(np.searchsorted(recorded, times + 1e-9, side="right") - 1, 0, len(recorded) - 1)
    moved = pd.DataFrame(stays[at], columns=columns.columns)
    moved.attrs.update(columns.attrs)
    offsets = np.zeros((len(times), len(names)))
    offsets[:, [names.index(name) for name in moved]] = rotations_to_radians(moved, inertial.model)
    return motion, offsets, described


def _finding(
    severity: str,
    inertial: InertialModel,
    origin: str,
    times: Array,
    doubtful: NDArray[np.bool_],
    change: Array,
    jumps: Mapping[str, tuple[float, bool]],
) -> Diagnostic:
    """Return the finding, with the jumps in or near doubtful rows.

    Raises:
        MotionError: no row of any coordinate is left.
    """
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
