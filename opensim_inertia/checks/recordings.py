"""Checks of recorded motions and external loads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic, raise_or_warn
from .._core.errors import InertiaError, MotionError, first_of
from .._core.opensim import osim, quiet
from .._core.warnings import LoadsJumpWarning
from ..analyses.inverse_dynamics.doubts import jump_doubts
from ..analyses.inverse_dynamics.inputs import Inputs, ReadRecording
from ..analyses.result import MotionResult
from ..model import InertialModel
from ..model.recorded_motion import broken_constraints, recorded_motion
from ..opensim_model.reading.coordinates import other_side
from ..opensim_model.reading.jumps import gaps
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.motion import Motion
from ..opensim_model.reading.recorded_table import RecordedTable, motion_name, named_table, recorded_units
from ..opensim_model.setups.acting_forces import acting_forces
from ..opensim_model.setups.loads import Loads, unit_findings
from ..options.recording import Recording
from .bodies import Subject
from .contacts import LoadedModel, misplaced_loads, rows_of_interest, slipping_feet
from .momentum import LoadFit, balance, momentum_imbalance, turned_column

if TYPE_CHECKING:
    import pandas as pd

Solved = TypeVar("Solved", bound=MotionResult)
#: Least jump relative to a load's size, and to the change of neighbouring rows.
LEAST, ABRUPT = 0.1, 5.0
#: Mean contacts shorter than this [rows] may last one row; then a spike needs this multiple of the load's size.
BRIEF, ALONE = 5.0, 2.0
#: A load acts above this share of its size.
ACTS = 0.1
#: Percentile that defines a load's size, robust to damaged rows.
USUAL = 95
#: Larger numbers are clipped, so that squares are finite.
LARGEST = 1e100


def doubts_of_loads(
    model: osim.Model,
    loads: Loads,
    of_units: Sequence[Diagnostic],
    motion: Motion | None = None,
    thorough: bool = False,
    like: Kinematics | None = None,
) -> list[Diagnostic]:
    """Return diagnostics of external loads, without unit checks; an empty list if ``of_units`` has an error."""
    if _has_error(of_units):
        return []
    findings = [*_empty(loads), *_load_jumps(loads, (-np.inf, np.inf) if motion is None else motion.span)]
    loaded = None if motion is None else LoadedModel(model, loads, like)
    moving = None if motion is None or loaded is None else loaded.along(motion, rows_of_interest(loaded, motion))
    if motion is None or loaded is None or moving is None:
        return findings
    sums = balance(loads, moving)
    findings += (contacts := misplaced_loads(loads, moving))
    if _has_error(contacts):
        return [*findings, *momentum_imbalance(loads, moving, sums)]
    turned = None if sums is None else turned_column(LoadFit.of(loaded, motion, moving, sums), thorough)
    return [*findings, *momentum_imbalance(loads, moving, sums, turned), *slipping_feet(model, loads, moving)]


def _empty(loads: Loads) -> Iterator[Diagnostic]:
    """Yield diagnostics of loads with one force column that is zero in all rows while the other two are not."""
    for name, labels in loads.columns.items():
        force = loads.values(name)[:, :3]
        empty = [label for label, column in zip(labels, force.T, strict=False) if label and not column.any()]
        if empty and np.count_nonzero(force.any(axis=0)) == 2:
            text = f"it is zero in all rows, although the load '{name}' acts along the other axes"
            place = f"{loads.data}: column '{empty[0]}'"
            yield Diagnostic("warning", "empty columns", place, text, ("see that the column was written",))


def _load_jumps(loads: Loads, span: tuple[float, float]) -> Iterator[Diagnostic]:
    first, last = np.searchsorted(loads.times, span) + (-1, 1)
    of_loads = [(name, *jump) for name in loads.columns for jump in load_jumps(loads.values(name))]
    jumps = [jump for jump in of_loads if first <= jump[1] <= last]
    if not jumps:
        return
    name, row, column, _ = max(jumps, key=lambda jump: jump[3])
    before, after = loads.values(name)[row - 1 : row + 1, column]
    more = f", and there are {len(jumps) - 1} more such jumps" if len(jumps) > 1 else ""
    text = (
        f"the load '{name}' jumps: column '{loads.columns[name][column]}' is {after:.6g} in row {row + 1} (at time "
        f"{loads.times[row]:.6g} s), after {before:.6g} in the row before{more}; if this is damage, the forces that "
        "come out there are wrong"
    )
    yield Diagnostic("warning", "jumps", str(loads.data), text, kind=LoadsJumpWarning)


def load_jumps(values: Array) -> list[tuple[int, int, float]]:
    """Return row, column and size of each jump in a load's ``values`` (rows, 9), largest first.

    A jump is a *spike*, a row that differs from both neighbours, or a *step* between two loaded rows.
    """
    values = np.clip(values, -LARGEST, LARGEST)
    force, torque = (np.linalg.norm(values[:, columns], axis=1) for columns in (slice(0, 3), slice(6, 9)))
    amount = force if force.any() else torque
    if not amount.any() or len(values) < 3:
        return []
    size = np.percentile(amount[amount > 0], USUAL, method="lower")  # robust to a single large row
    acts = amount > ACTS * size
    contacts = 1 + np.count_nonzero(np.diff(acts.astype(int)) > 0)
    lone_limit = LEAST if np.count_nonzero(acts) >= BRIEF * contacts else ALONE
    acts = np.concatenate([[True], acts, [True]])  # unknown beyond the ends
    change, across = (_changes(values, force, lag) / size for lag in (1, 2))
    padded = np.pad(change, ((1, 1), (0, 0)))
    spike = np.minimum(change[:-1], change[1:])  # at rows 1, 2, ...
    around = np.maximum(across, np.maximum(padded[:-3], padded[3:]))
    least = np.where(acts[1:-3] | acts[3:-1], LEAST, lone_limit)[:, None]
    spikes = np.argwhere((spike > least) & (spike > ABRUPT * around))
    around = np.maximum(padded[:-2], padded[2:])
    loaded = (acts[:-3] & acts[1:-2] & acts[2:-1] & acts[3:])[:, None]
    steps = np.argwhere(loaded & (change > LEAST) & (change > ABRUPT * around))  # from rows 0, 1, ... to the next
    jumps = []
    for before, quantity in np.concatenate([spikes, steps]).tolist():
        columns = np.abs(values[before + 1] - values[before])[3 * quantity : 3 * quantity + 3]
        jumps.append((before + 1, 3 * quantity + int(columns.argmax()), float(change[before, quantity])))
    return sorted(jumps, key=lambda jump: -jump[2])


def _changes(values: Array, force: Array, lag: int) -> Array:
    """Return sizes (rows - lag, 3) of the changes of force, moment and torque over ``lag`` rows."""
    changes = np.linalg.norm((values[lag:] - values[:-lag]).reshape(-1, 3, 3), axis=2)
    changes[:, 1] *= np.minimum(force[lag:], force[:-lag])
    return changes


#: Largest excess over a coordinate's range [rad, m].
BEYOND = np.radians(30.0), 0.1
#: Range of motion of resting coordinates [rad, m].
STILL = 1e-3
#: A side rests if the other moves by this factor more, and more than this [rad]; a note for more than this many
#: columns.
LESS, MUCH, FEW = 20.0, np.radians(10.0), 2
#: Numbers of equal rows of one coordinate, and of all, that are reported.
FROZEN_ROWS, REPEATED_ROWS = 10, 5
#: Number of gaps in a message.
MOST_NAMED = 3


def _still_columns(table: RecordedTable) -> Iterator[Diagnostic]:
    """Yield diagnostics of angles that rest while the other side's angle, or all other trunk angles, move."""
    counts, on_base = table.angles & ~table.resting, (table.on_base & ~table.resting).any()
    moves = {name: float(span) for name, span, one in zip(table.names, table.spans, counts, strict=True) if one}
    pairs = [(right, left) for right in moves if (left := other_side(right, moves)) is not None]
    cure, resting = "see that the column was recorded", list[tuple[str, str]]()
    for side in (0, 1):
        both = [(pair[side], pair[1 - side]) for pair in pairs]
        resting = [(one, other) for one, other in both if moves[other] > max(MUCH, LESS * moves[one])]
        if resting:
            name, moving = max(resting, key=lambda pair: moves[pair[1]])
            more = f"; so do {len(resting) - 1} other coordinates of this side" if len(resting) > 1 else ""
            text = (
                f"it moves by {np.degrees(moves[name]):.3g} degrees in all, where '{moving}' moves by "
                f"{np.degrees(moves[moving]):.3g} degrees{more}"
            )
            severity, unit = "note" if len(resting) > FEW else "warning", ", and in the unit that the header says"
            yield Diagnostic(severity, "still columns", f"{table.origin}: column '{name}'", text, (cure + unit,))
    alone = [name for name in moves if not any(name in pair for pair in pairs)]
    still = [name for name in alone if moves[name] < STILL]
    if pairs and on_base and len(still) == 1 and len(alone) > 1:
        text = (
            f"it moves by {np.degrees(moves[still[0]]):.2g} degrees in all, and is the only angle of pelvis and trunk "
            "that stands still"
        )
        lock = "; lock the coordinate in the model if it is meant to rest"
        yield Diagnostic("warning", "still columns", f"{table.origin}: column '{still[0]}'", text, (cure + lock,))


def doubts_of_motion(table: RecordedTable | None, of_units: list[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics of a recorded motion, without unit checks; an empty list if ``of_units`` has an error."""
    if table is None or _has_error(of_units):
        return []
    findings = [*_beyond_ranges(table), *_gaps(table), *_frozen(table)]
    in_doubt = any(finding.check == "degrees" for finding in of_units)
    return findings if in_doubt else [*findings, *_still_columns(table)]


def _gaps(table: RecordedTable) -> Iterator[Diagnostic]:
    rows = gaps(table.times)
    if not rows:
        return
    step = float(np.median(np.diff(table.times)))
    spans = (
        f"from {table.times[row]:.6g} to {table.times[row + 1]:.6g} s (rows {row + 1} and {row + 2})" for row in rows
    )
    text = (
        f"rows are missing {first_of(spans, MOST_NAMED)}, where others follow after {step:.3g} s; results there "
        "are a spline's guess"
    )
    cure = ("leave these times out of the time range, or fill the gap from the markers",)
    yield Diagnostic("warning", "gaps", table.origin, text, cure)


def _beyond_ranges(table: RecordedTable) -> Iterator[Diagnostic]:
    """Yield a diagnostic of the coordinates that exceed their ranges in the model by far."""
    low, high = table.ranges.T
    excess = np.maximum(low - table.values, table.values - high).clip(min=0)
    largest = excess.max(axis=0, initial=0.0)
    columns = np.flatnonzero((largest > np.where(table.angles, *BEYOND)) & ~table.on_base)
    if not len(columns):
        return
    worst = int(columns[np.argmax(largest[columns])])
    row = int(np.argmax(excess[:, worst]))
    unit = "rad" if table.angles[worst] else "m"
    more = f"; beyond theirs are {table.column_list(columns)}" if len(columns) > 1 else ""
    text = (
        f"it is {table.cell_value(row, worst)}, beyond the coordinate's range of {low[worst]:.3g} to "
        f"{high[worst]:.3g} {unit}{more}"
    )
    cure = ("see that the motion is of this model: signs and zeros of angles differ between models",)
    yield Diagnostic("warning", "ranges", table.cell(row, worst), text, cure)


def _frozen(table: RecordedTable) -> Iterator[Diagnostic]:
    """Yield a diagnostic of successive rows that are equal, in all coordinates or in one."""
    moving = np.flatnonzero(table.spans > STILL)
    if not len(moving):
        return
    same = np.diff(table.values[:, moving], axis=0) == 0
    first, count = _longest(same.all(axis=1))
    inside = 0 < first and first + count < len(same)
    if count >= REPEATED_ROWS:
        text = (
            f"rows {first + 1} to {first + count + 1} (from {table.times[first]:.6g} to "
            f"{table.times[first + count]:.6g} s) repeat each other in all coordinates"
        )
        cure = ("if this is where tracking was lost, leave it out",) if inside else ()
        yield Diagnostic("warning" if inside else "note", "frozen rows", table.origin, text, cure)
        return
    runs = [(*_longest(column), int(moving[i])) for i, column in enumerate(same.T)]
    runs = sorted((run for run in runs if run[1] >= FROZEN_ROWS), key=lambda run: -run[1])
    if runs:
        first, count, column = runs[0]
        more = f"; so do {len(runs) - 1} other columns at some time" if len(runs) > 1 else ""
        text = f"it stands still until {table.times[first + count]:.6g} s (row {first + count + 1}){more}"
        yield Diagnostic("note", "frozen rows", table.cell(first, column), text)


def _longest(same: NDArray[np.bool_]) -> tuple[int, int]:
    """Return start and length of the longest run of true entries, or (0, 0)."""
    starts, ends = np.flatnonzero(np.diff(np.pad(same.astype(np.int8), 1))).reshape(-1, 2).T
    longest = int(np.argmax(ends - starts)) if len(starts) else 0
    return (int(starts[longest]), int((ends - starts)[longest])) if len(starts) else (0, 0)


def recording_errors(
    subject: Subject,
    motion: str | os.PathLike[str] | pd.DataFrame | None,
    external_loads: str | os.PathLike[str] | None,
    cutoff: float | None,
    time_range: tuple[float, float] | None,
    forces_to_exclude: Sequence[str],
) -> list[Diagnostic]:
    """Return diagnostics of a motion, of external loads, and of both together with a model."""
    findings: list[Diagnostic] = []
    recording = Recording("" if motion is None else motion, cutoff=cutoff, time_range=time_range)
    recorded: Motion | None = None
    loads: Loads | None = None
    with quiet():
        if motion is not None:
            with _as_finding(findings, "reading the motion", motion_name(motion)):
                table = named_table(motion)
                columns, of_units = recorded_units(subject.model, table)
                findings += [*of_units, *doubts_of_motion(columns, of_units)]
                if not _has_error(findings):  # unusable motions may have no spline
                    inertial = InertialModel(subject.model, {})
                    recorded = recorded_motion(inertial, recording, table)
                    findings += [*recorded.findings, *broken_constraints(inertial, recorded, motion_name(motion))]
        if external_loads is not None:
            with _as_finding(findings, "reading the loads", Path(external_loads).name):
                loads = Loads(external_loads)
                of_units = unit_findings(loads, subject.model, None if recorded is None else recorded.span)
                findings += [*of_units, *doubts_of_loads(subject.model, loads, of_units, recorded, thorough=True)]
                findings += _frames(loads)
                if recorded is not None and len(loads.times):
                    uncovered = loads.uncovered(recorded.times, extrapolated=False)
                    findings += [replace(each, severity="note") for each in uncovered]
        if recorded is not None:
            with _as_finding(findings, "forces and jumps", subject.name):
                answered = np.ones(len(recorded), dtype=bool) if loads is None else loads.covered(recorded.times)
                rows = np.flatnonzero(answered)
                solved, system = recorded.at(rows), (inertial.model, inertial.coordinates)
                excluded, of_forces = acting_forces(*system, solved, loads, forces_to_exclude)
                findings += of_forces
                if len(rows) and not _has_error(findings):
                    inputs = Inputs(
                        recording, table, recorded, recorded.span, answered, solved, rows, loads, excluded, ()
                    )
                    findings += jump_doubts(inertial, inputs)[1]
    return findings


@contextmanager
def _as_finding(findings: list[Diagnostic], check: str, name: str) -> Iterator[None]:
    """Within a block, append errors of this package to ``findings`` instead of raising them."""
    try:
        yield
    except InertiaError as error:
        findings.append(Diagnostic("error", check, name, f"cannot be used: {error}", ("correct the named part",)))


def solve_checked(
    analysis: Callable[..., Solved], inertial: InertialModel, recording: Recording, **arguments: Any
) -> Solved:
    """Return the result of ``analysis`` for a recording; add warnings of :func:`input_notes` to its provenance."""
    read = ReadRecording.of(inertial, recording)
    notes = input_notes(inertial, read)
    result = analysis(inertial, read, **arguments)
    return replace(result, provenance={**result.provenance, "warnings": [*notes, *result.notes]})


def input_notes(inertial: InertialModel, recording: Recording | ReadRecording) -> list[str]:
    """Issue warnings about doubtful motion and loads, because analyses do not check them; return the warnings' texts.

    MotionError: a load cannot act on the model, or ``recording.strict``. FileFormatError: a file is malformed.
    """
    read = ReadRecording.of(inertial, recording)
    findings = doubts_of_motion(read.columns, read.of_units)
    if read.loads is not None:
        of_units = unit_findings(read.loads, inertial.model, read.recorded.span)
        covered = read.recorded.at(np.flatnonzero(read.loads.covered(read.recorded.times)))
        if len(covered):
            findings += doubts_of_loads(inertial.model, read.loads, of_units, covered, like=inertial.kinematics)
    return raise_or_warn(findings, MotionError, read.options.strict)


def _has_error(findings: Sequence[Diagnostic]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def _frames(loads: Loads) -> list[Diagnostic]:
    """Return diagnostics of loads with points given in the frame of a body other than ground or the loaded body."""
    text = "the load '{}' acts on '{}', and its point is given in the frame of '{}'"
    cure = ("set <point_expressed_in_body> to ground, where force plates measure",)
    return [
        Diagnostic("warning", "frames of loads", loads.path.name, text.format(name, body, point_in), cure)
        for name, (body, _, point_in) in loads.bodies.items()
        if point_in not in (None, "ground", body)
    ]
