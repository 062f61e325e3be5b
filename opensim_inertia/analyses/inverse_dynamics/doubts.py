"""Forces that jumps of a recording change through filter and spline, and by how much [N m or N].

The recording is compared with a copy without its jumps. The copy has the same rates between all other rows, is filtered
and differentiated like the recording, and stays at the recorded poses. So only the jumps change its forces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import MotionError, first_of
from ..._core.findings import Finding
from ...inspection.answers import model_mass
from ...inspection.jumps import coordinate_jumps
from ...model import InertialModel
from ...model.recorded_motion import recorded_motion
from ...opensim_model.reading import Coupling, Motion, NamedTable, recorded_columns
from ...opensim_model.setups.loads import Loads
from ...options import Recording
from .rigid_solver import RigidSolver
from .sums import Sums

__all__ = ["jump_doubts"]

SHARE, LEAST = 0.01, 1e-3
"""A jump counts if it changes a force by this share of its peak, and by this much per body mass [N m/kg, N/kg]."""
NOTHING = 1e-6
"""Smaller shares of the largest change of an acceleration, speed or pose change no force."""
MOST_NAMED = 3


def jump_doubts(
    inertial: InertialModel,
    recording: Recording,
    table: NamedTable,
    motion: Motion,
    solved: NDArray[np.intp],
    loads: Loads | None,
    forces_to_exclude: Sequence[str],
    coupled: Sequence[Coupling],
    lumped: Array,
) -> tuple[NDArray[np.bool_], list[Finding]]:
    """Return which forces (R, nu) jumps of the recording make doubtful, and a warning that says where and how much.

    Args:
        inertial, recording, loads, forces_to_exclude: as for :func:`~.solve.inverse_dynamics`.
        table: the recording.
        motion: the R rows that were solved.
        solved: their numbers among all rows of the recording's time range.
        coupled: coordinates that follow others.
        lumped: their forces (R, nu) [N m or N].

    Raises:
        MotionError: no row of any coordinate is left.
    """
    doubtful = np.zeros(lumped.shape, dtype=bool)
    smooth, offsets, jumps = _without_jumps(inertial, recording, table, motion.times, coupled)
    if smooth is None:
        return doubtful, []
    smooth = smooth.at(solved)
    calm = replace(smooth, q=smooth.q + offsets)
    changes = [np.abs(getattr(motion, name) - getattr(calm, name)).max(axis=1) for name in ("q", "u", "udot")]
    rows = np.flatnonzero(np.any([change > NOTHING * change.max(initial=0.0) for change in changes], axis=0))
    if not len(rows):
        return doubtful, []
    rest = calm.at(rows)
    sums = Sums(inertial, rest, keep=False, bellies=None, splits=False)
    sums.add_all(RigidSolver(inertial, rest, loads, forces_to_exclude), progress=False)
    sums.to_coordinates()
    undisturbed = lumped.copy()
    undisturbed[rows] = sums.by_kind["lumped"]
    change = np.abs(lumped - undisturbed)
    doubtful |= change > SHARE * np.abs(undisturbed).max(axis=0) + LEAST * model_mass(inertial)
    for coupling in coupled:
        doubtful[:, coupling.independent] |= doubtful[:, coupling.dependent]
    if not doubtful.any():
        return doubtful, []
    return doubtful, [_finding(inertial, table.origin, motion.times, doubtful, change, jumps)]


def _without_jumps(
    inertial: InertialModel, recording: Recording, table: NamedTable, times: Array, coupled: Sequence[Coupling]
) -> tuple[Motion | None, Array, dict[str, float]]:
    """Return the motion without jumps, how far poses at times (T,) have jumped (T, nu), and times of jumps."""
    names, coordinates = inertial.coordinate_names, inertial.coordinates
    columns, _ = recorded_columns(table, inertial.model, names)
    followers = {coupling.dependent for coupling in coupled}
    independent = [name for name in columns.columns if names.index(name) not in followers]
    places = [names.index(name) for name in independent]
    angles = np.array([not coordinates.translational[i] for i in places], dtype=bool)
    scale = np.where(angles & columns.attrs["inDegrees"], np.radians(1.0), 1.0)
    recorded = columns.index.to_numpy()
    jumps = coordinate_jumps(recorded, columns[independent].to_numpy() * scale, angles)
    if not jumps:
        return None, np.zeros(0), {}
    steps, kept = np.zeros((2, *columns[independent].shape))
    described = {}
    for jump in jumps:
        steps[jump.rows, jump.column], kept[jump.row, jump.column] = jump.steps, jump.steps.sum()
        before, after = map(float, recorded[jump.row - 1 : jump.row + 1])
        size = f"{jump.size:.3g} {'rad' if angles[jump.column] else 'm'}"
        described[f"'{independent[jump.column]}' by {size} from {before:.6g} to {after:.6g} s"] = after
    smooth = columns.copy()
    smooth[independent] = columns[independent].to_numpy() - steps.cumsum(axis=0) / scale
    smooth.attrs.update(columns.attrs)
    motion = recorded_motion(inertial, recording, NamedTable(smooth, table.origin))
    offsets = np.zeros((len(times), len(names)))
    at = np.clip(np.searchsorted(recorded, times + 1e-9, side="right") - 1, 0, len(recorded) - 1)
    offsets[:, places] = kept.cumsum(axis=0)[at]
    return motion, offsets, described


def _finding(
    inertial: InertialModel,
    origin: str,
    times: Array,
    doubtful: NDArray[np.bool_],
    change: Array,
    jumps: Mapping[str, float],
) -> Finding:
    """Return the warning, with the jumps in or near doubtful rows.

    Raises:
        MotionError: no row of any coordinate is left.
    """
    rows = np.flatnonzero(doubtful.any(axis=1))
    first, last = times[rows[0]], times[rows[-1]]
    step = 5 * (times[-1] - times[0]) / max(len(times) - 1, 1)
    near = [jump for jump, time in jumps.items() if first - step <= time <= last + step] or jumps
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
    cure = ("these rows are solved as recorded, marked as doubtful, and left out of peaks",)
    return Finding("warning", "jumps", origin, text, cure)
