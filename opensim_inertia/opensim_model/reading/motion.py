"""Recorded motions: coordinates, speeds and accelerations as in OpenSim's Inverse Dynamics Tool.

Steps of ``InverseDynamicsTool::run`` (4.6): padding and low-pass filter, conversion to radians, natural quintic splines
(``OpenSim::GCVSpline`` with zero error variance), values and derivatives in the time range.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, NaturalSpline, ReadOnly
from ..._core.checks import check_choice
from ..._core.choices import ACCELERATIONS, Accelerations
from ..._core.diagnostics import Diagnostic, raise_or_warn
from ..._core.errors import MotionError, OptionError, near_matches
from ..._core.opensim import osim
from ...files.tables import Table, checked_numbers, load_table, rotations_to_radians, without_repeats
from .joints import angular_velocities
from .jumps import continuous, mended
from .recorded_table import MotionSource, coordinate_columns, missing_coordinates, named_table

if TYPE_CHECKING:
    import pandas as pd

FEWEST_ROWS = 6
#: End of the message for a motion with one time.
SINGLE_POSE = (
    " to differentiate; a single pose is for `opensim-inertia posture` or, with speeds and accelerations, "
    "`InertialModel.evaluate`"
)
#: Largest time difference of matching coordinates and speeds [s].
SAME_TIME = 1e-9
#: Largest absolute time [s]; larger ones are in other units.
LATEST = 1e12
#: Row limit of ``Storage::resample``, and the ratio of time steps above which a note is given.
MOST_RESAMPLED_ROWS, RESAMPLED = osim.Storage.MAX_RESAMPLE_SIZE, 1.01


@dataclass(frozen=True, eq=False)
class Motion(ReadOnly):
    """A recorded motion at the T times to be solved, with read-only arrays."""

    coordinate_names: tuple[str, ...]  # names of the n columns
    times: Array  # (T,), strictly increasing [s]
    q: Array  # (T, n), coordinate values [rad, m]
    u: Array  # (T, n), speeds [rad/s, m/s], including angular velocities
    udot: Array  # (T, n), time derivatives of the speeds [rad/s^2, m/s^2]
    missing: tuple[str, ...]  # coordinates without a column, at their defaults
    first: int = 0  # index of the first time in the (filtered) recording
    findings: tuple[Diagnostic, ...] = ()  # diagnostics of reading
    #: Columns (k,) with speeds other than rates, and N^+ (T, k, k) from rates to speeds; None without.
    maps: tuple[NDArray[np.intp], Array] | None = None

    def __len__(self) -> int:
        return len(self.times)

    @property
    def span(self) -> tuple[float, float]:
        """First and last time [s]."""
        return float(self.times[0]), float(self.times[-1])

    def on_coordinates(self, forces: Array, rows: slice | NDArray[np.intp] = slice(None)) -> Array:
        """Return generalized forces on rates qdot, converted from ``forces`` (R, ..., n) on speeds u."""
        if self.maps is None:
            return forces
        columns, to_speeds = self.maps
        forces = forces.copy()
        forces[..., columns] = np.einsum("r...u,ruq->r...q", forces[..., columns], to_speeds[rows])
        return forces

    def at(self, rows: NDArray[np.intp]) -> Motion:
        """Return the motion at the times of the given rows."""
        if np.array_equal(rows, np.arange(len(self))):
            return self
        maps = None if self.maps is None else (self.maps[0], self.maps[1][rows])
        return replace(self, **{name: getattr(self, name)[rows] for name in ("times", "q", "u", "udot")}, maps=maps)


def load_motion(
    source: MotionSource,
    model: osim.Model,
    coordinate_names: Sequence[str],
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
    assembled: Callable[[Array, Array, NDArray[np.bool_]], Array] | None = None,
    accelerations: Accelerations = "coordinates",
    speeds: str | os.PathLike[str] | pd.DataFrame | None = None,
    interpolate_jumps: bool = False,
) -> Motion:
    """Return a motion, filtered and differentiated as in OpenSim's Inverse Dynamics Tool.

    Rows are the tool's: from the last one at or before the start of ``time_range`` [s] to the last at or before its
    end. With a cut-off [Hz] the motion is extended by reflection for half its duration at both ends. ``assembled`` maps
    times (rows,) [s], poses (rows, n) [rad, m] and a mask of recorded rows to poses that meet constraints. ``speeds``
    [rad/s, m/s] replace derivatives of coordinates that ``assembled`` does not change.
    """
    check_choice("accelerations", accelerations, ACCELERATIONS)
    names = list(coordinate_names)
    if speeds is not None and cutoff is not None:
        expected = "none where speeds are given, which belong to the coordinates as they are"
        raise OptionError("cutoff", cutoff, expected)
    table = recorded_columns(source, model, names, interpolate_jumps)
    recorded, values, origin, findings = table.times, table.values, table.origin, [*table.findings]
    try:
        start, end = (-math.inf, math.inf) if time_range is None else (float(bound) for bound in time_range)
    except (TypeError, ValueError) as error:
        raise MotionError(f"{origin}: time range {time_range!r}: expected two times in seconds") from error
    if not start <= end:
        raise MotionError(f"{origin}: the time range from {start:.6g} to {end:.6g} s is empty")
    if start > recorded[-1] or end < recorded[0]:
        raise MotionError(
            f"{origin}: the time range from {start:.6g} to {end:.6g} s is outside of the motion, "
            f"which goes from {recorded[0]:.6g} to {recorded[-1]:.6g} s"
        )
    times = recorded
    if cutoff is not None:
        times, values, resampled = _low_passed(recorded, values, cutoff, origin)
        findings += resampled
    poses, present = _poses(replace(table, times=times, values=values), model, names)
    changed = np.zeros(len(names), dtype=bool)
    if assembled is not None:
        as_read = poses
        inside = (times >= recorded[0] - SAME_TIME) & (times <= recorded[-1] + SAME_TIME)
        poses = assembled(times, as_read, inside)
        changed = (poses != as_read).any(axis=0)
        present = [i for i in range(len(names)) if i in present or changed[i]]
    derivatives = NaturalSpline(times, poses[:, present], 5).rates
    bounds = (start if math.isfinite(start) else recorded[0]), (end if math.isfinite(end) else recorded[-1])
    at = np.clip([start, end, *bounds], times[0], times[-1])  # for OpenSim's tool, and for this package
    # as ``Storage::findIndex``: last row at or before a time, or the first row
    every, last, first, until = np.maximum(np.searchsorted(times, at, side="right") - 1, 0).tolist()
    solved = slice(first, until + 1)
    rows = times[solved].copy()
    q, u, udot = (np.zeros((len(rows), len(names))) for _ in range(3))
    q[:] = poses[0]
    q[:, present], u[:, present] = poses[solved, present], derivatives[solved, 0]
    udot[:, present] = derivatives[solved, 1]
    rates = np.zeros(poses.shape)
    rates[:, present] = derivatives[:, 0]
    turning, maps, moving = angular_velocities(model, names), None, present
    if turning is not None:
        columns, speeds_of, text = turning
        u, udot, maps = speeds_of(q, u, udot)
        findings.append(Diagnostic("note", "speeds", origin, text))
        if accelerations == "speeds":
            rates = speeds_of(poses, rates, rates)[0]
            moving = sorted({*present, *columns.tolist()})
    if speeds is not None:
        measured = [i for i in present if not changed[i]]
        rates[:, measured] = _recorded_speeds(speeds, model, [names[i] for i in measured], times)
        u[:, measured] = rates[solved, measured]
    if accelerations == "speeds":
        udot[:, moving] = NaturalSpline(times, rates[:, moving], 5).rates[solved, 0]
    missing = tuple(name for i, name in enumerate(names) if i not in present)
    findings += missing_coordinates(model, missing, origin)
    if (omitted := last - every + 1 - len(rows)) > 0:
        text = (
            f"without a time range OpenSim's Inverse Dynamics Tool solves all that its filter makes, from "
            f"{times[every]:.6g} to {times[last]:.6g} s; the {omitted} rows beyond the recording are left out here"
        )
        findings.append(Diagnostic("note", "padding", origin, text))
    step = float(np.median(np.diff(recorded)))
    outside = rows[(rows < recorded[0] - step) | (rows > recorded[-1] + step)]
    if len(outside):
        text = (
            f"{len(outside)} of the {len(rows)} rows that are solved, from {outside[0]:.6g} to {outside[-1]:.6g} s, "
            f"are beyond the recording, which goes from {recorded[0]:.6g} to {recorded[-1]:.6g} s: the filter "
            "extrapolates the motion there, as OpenSim's tool does"
        )
        findings.append(Diagnostic("note", "padding", origin, text))
    return Motion(tuple(names), rows, q, u, udot, missing, first, tuple(findings), maps)


def recorded_columns(
    source: MotionSource, model: osim.Model, names: Sequence[str], interpolate_jumps: bool = False
) -> Table:
    """Return the motion's coordinate columns, with angles unwrapped and, if requested, isolated jumps interpolated."""
    table = coordinate_columns(named_table(source), model, names)
    why, origin = SINGLE_POSE if len(table) == 1 else " to differentiate", table.origin
    times, values = checked_numbers(table, lambda reason: MotionError(f"{origin}: {reason}"), FEWEST_ROWS, why)
    latest, shortest = int(np.argmax(np.abs(times))), int(np.argmin(np.diff(times)))
    if abs(times[latest]) > LATEST:
        raise MotionError(
            f"{origin}: the time of row {latest + 1} is {times[latest]:.6g} s; expected times in seconds, up to "
            f"{LATEST:g}"
        )
    if times[shortest + 1] - times[shortest] < 2 * np.spacing(3 * abs(times[latest])):  # the filter's limit
        raise MotionError(
            f"{origin}: {times[shortest]:.17g} s is followed by {times[shortest + 1]:.17g} s (rows {shortest + 1} and "
            f"{shortest + 2}): the times are equal but for rounding; expected the steps of a recording"
        )
    values, notes = continuous(values, table.labels, model, table.in_degrees, origin)
    table = replace(table, times=times, values=values, findings=(*table.findings, *notes))
    return mended(table, model) if interpolate_jumps else table


def load_poses(source: MotionSource, model: osim.Model, coordinate_names: Sequence[str]) -> tuple[Array, Array]:
    """Return a motion's times (rows,) [s] and coordinate values (rows, n) [rad, m], neither filtered nor unwrapped."""
    names = list(coordinate_names)
    table = coordinate_columns(named_table(source), model, names)
    times, values = checked_numbers(table, lambda reason: MotionError(f"{table.origin}: {reason}"))
    missing = [name for name in names if name not in table.labels]
    raise_or_warn(missing_coordinates(model, missing, table.origin), MotionError)
    return times, _poses(replace(table, values=values), model, names)[0]


def _poses(table: Table, model: osim.Model, names: list[str]) -> tuple[Array, list[int]]:
    """Return values (rows, n) [rad, m], with defaults for unrecorded coordinates, and indices of recorded ones."""
    poses = np.tile([model.getCoordinateSet().get(name).getDefaultValue() for name in names], (len(table), 1))
    columns = [names.index(label) for label in table.labels]
    poses[:, columns] = rotations_to_radians(table, model).values
    return poses, columns


def _recorded_speeds(
    source: str | os.PathLike[str] | pd.DataFrame, model: osim.Model, names: Sequence[str], times: Array
) -> Array:
    """Return a table's speeds (rows, names) [rad/s, m/s] of the coordinates ``names`` at times (rows,) [s]."""
    table = without_repeats(load_table(source, "the table of speeds"))
    origin, labels = table.origin, list(table.labels)
    if table.in_degrees:
        raise MotionError(f"{origin}: it is in degrees; expected speeds in rad/s and m/s, as OpenSim takes them")
    label_vector, places = osim.StdVectorString(labels), []
    for name in names:
        path = f"{model.getCoordinateSet().get(name).getAbsolutePathString()}/speed"
        places.append(osim.TableUtilities.findStateLabelIndex(label_vector, path))
        if places[-1] < 0:
            similar = near_matches(f"{name}_u", labels, most=1)
            hint = f"; there is '{similar[0]}'" if similar else ""
            raise MotionError(f"{origin}: no column is the speed of '{name}', such as '{name}_u'{hint}")
        if labels.count(labels[places[-1]]) > 1:
            raise MotionError(f"{origin}: column '{labels[places[-1]]}' is there more than once")
    own, fewest = table.columns(places), FEWEST_ROWS
    speed_times, values = checked_numbers(own, lambda reason: MotionError(f"{origin}: {reason}"), fewest)
    rows = np.clip(np.searchsorted(speed_times, times - SAME_TIME), 0, len(speed_times) - 1)
    off = np.abs(speed_times[rows] - times) > SAME_TIME
    if off.any():
        raise MotionError(f"{origin}: it has no row at {times[off][0]:.9g} s, at which the coordinates have one")
    return np.asarray(values[rows])


def _low_passed(recorded: Array, values: Array, cutoff: float, origin: str) -> tuple[Array, Array, list[Diagnostic]]:
    """Filter like ``Storage::pad(rows / 2)`` and ``Storage::lowpassIIR(cutoff)``; return times, filtered values, notes.

    MotionError: the cut-off is half the sampling rate or more.
    """
    if isinstance(cutoff, bool) or not isinstance(cutoff, (int, float, np.number)) or not math.isfinite(cutoff):
        raise MotionError(f"{origin}: cut-off {cutoff!r}: expected a frequency in Hz, or None for no filter")
    if cutoff <= 0:
        raise MotionError(f"{origin}: cut-off {cutoff:.6g} Hz must be positive; use None for no filter")
    nyquist = 0.5 / float(np.diff(recorded).min())
    if cutoff >= nyquist:
        raise MotionError(f"{origin}: cut-off {cutoff:.6g} Hz must be below half the sampling rate, {nyquist:.6g} Hz")
    padded = _as_table(recorded, values)
    osim.TableUtilities.pad(padded, len(recorded) // 2)
    times = np.array(padded.getIndependentColumn())
    values = padded.getMatrix().to_numpy()
    del padded  # frees memory
    step = float(np.diff(times).min())
    if (times[-1] - times[0]) / (len(times) - 1) - step > np.finfo(float).eps:
        step = max(step, (times[-1] - times[0]) / MOST_RESAMPLED_ROWS)
        steps = np.full(int((times[-1] - times[0]) / step) + 10, step)
        steps[0] = times[0]
        even = np.add.accumulate(steps)  # rounds as ``GCVSplineSet::constructStorage``
        even = even[even <= times[-1]]
        times, values = even, NaturalSpline(times, values, 5)(even)
    # Integer times make the spacing even; the cut-off is in cycles per row.
    filtered = _as_table(np.arange(len(times), dtype=float), values)
    osim.TableUtilities.filterLowpass(filtered, float(cutoff) * step, False)
    original, step = float(np.median(np.diff(recorded))), float(np.median(np.diff(times)))
    found = list[Diagnostic]()
    if step >= RESAMPLED * original:
        text = (
            "its times are not even to the last bit, and of such motions OpenSim's filter keeps "
            f"{MOST_RESAMPLED_ROWS} rows at most, with those that it adds before and after: here {1 / step:.4g} rows a "
            f"second of {1 / original:.4g}"
        )
        cure = "split the recording into shorter ones"
        if cutoff >= 0.5 / step:
            raise MotionError(f"{origin}: {text}; that is too few for a cut-off of {cutoff:.6g} Hz; {cure}")
        found = [Diagnostic("note", "resampling", origin, text, (cure,))]
    return times, filtered.getMatrix().to_numpy(), found


def _as_table(times: Array, values: Array) -> osim.TimeSeriesTable:
    labels = osim.StdVectorString([f"column {i}" for i in range(values.shape[1])])
    return osim.TimeSeriesTable(osim.StdVectorDouble(times.tolist()), osim.Matrix.createFromMat(values), labels)
