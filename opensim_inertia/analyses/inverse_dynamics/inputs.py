"""A recording as an analysis solves it: its motion, its loads, the rows that both cover, and the forces that act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..._core.diagnostics import Diagnostic, raise_or_warn
from ..._core.errors import MotionError
from ...files.tables import Table
from ...model import InertialModel
from ...model.recorded_motion import broken_constraints, recorded_motion
from ...opensim_model.reading.motion import Motion
from ...opensim_model.reading.recorded_table import RecordedTable, named_table, recorded_units
from ...opensim_model.setups.acting_forces import acting_forces
from ...opensim_model.setups.loads import Loads, unit_findings
from ...options.recording import Recording


class ReadRecording(Recording):
    """A recording that has been read for a model, so that nobody reads it again; errors as of :meth:`Inputs.of`."""

    table: Table
    columns: RecordedTable | None
    of_units: list[Diagnostic]  # (with notes) doubts about the motion's units
    notes: list[str]
    recorded: Motion
    loads: Loads | None

    @classmethod
    def by(cls, inertial: InertialModel, recording: Recording) -> ReadRecording:
        """Return what has been read of a recording, or read it; meaningless units are refused."""
        if isinstance(recording, cls):
            return recording
        read, path = cls(**vars(recording)), recording.external_loads
        table = named_table(recording.motion)
        columns, of_units = recorded_units(inertial.kinematics.model, table, inertial.coordinates)
        notes = raise_or_warn(of_units, MotionError, recording.strict)
        recorded = recorded_motion(inertial, recording, table)
        loads = None if path is None else Loads(path, recorded.span)
        found = {"columns": columns, "of_units": of_units, "notes": notes}
        vars(read).update(found, table=table, recorded=recorded, loads=loads)
        return read


@dataclass(frozen=True, eq=False)
class Inputs:
    """A recording, read for a model.

    Attributes:
        table: the motion as it was recorded.
        whole: the T rows that were asked for.
        span: first and last time [s] of the recording's time range.
        answered: (T,), for which of them there are loads.
        solved: the R rows that are solved.
        rows: (R,), their numbers among all rows of the time range.
        loads: the external loads.
        excluded: model forces that do not act.
        notes: all that was said.
    """

    table: Table
    whole: Motion
    span: tuple[float, float]
    answered: NDArray[np.bool_]
    solved: Motion
    rows: NDArray[np.intp]
    loads: Loads | None
    excluded: tuple[str, ...]
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        inertial: InertialModel,
        recording: Recording,
        forces_to_exclude: Sequence[str],
        chosen: Callable[[Motion], NDArray[np.intp]] | None = None,
    ) -> Inputs:
        """Read a recording, and of its motion the ``chosen`` rows; refuse what has no answer, and warn of doubts.

        Raises:
            MotionError: motion or loads are meaningless; UnknownNameError: a force or a body of the loads is not in the
                model; FileFormatError: a file is missing or malformed.
        """
        read = ReadRecording.by(inertial, recording)
        table, recorded, loads = read.table, read.recorded, read.loads
        notes = [*read.notes, *raise_or_warn(recorded.findings, MotionError, recording.strict)]
        found = broken_constraints(inertial, recorded, table.origin)
        rows = np.arange(len(recorded)) if chosen is None else chosen(recorded)
        whole, answered = recorded.at(rows), np.ones(len(rows), dtype=bool)
        if loads is not None:
            answered = loads.covered(whole.times)
            found += loads.uncovered(whole.times, extrapolated=False)
            found += unit_findings(loads, inertial.model, whole.at(answered.nonzero()[0]).span)
        notes += raise_or_warn(found, MotionError, recording.strict)
        solved = whole.at(np.flatnonzero(answered))
        excluded, of_forces = acting_forces(inertial.model, inertial.coordinates, solved, loads, forces_to_exclude)
        notes = [*raise_or_warn(of_forces, MotionError, recording.strict), *notes]
        whole, solved = (replace(motion, findings=(*motion.findings, *of_forces)) for motion in (whole, solved))
        return cls(table, whole, recorded.span, answered, solved, rows[answered], loads, excluded, tuple(notes))
