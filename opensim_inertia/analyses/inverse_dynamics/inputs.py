"""Inputs of an analysis: recorded motion, external loads, rows with known loads, and active model forces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core.diagnostics import Diagnostic, raise_or_warn
from ..._core.errors import MotionError
from ..._core.provenance import describe_source, recorded_options
from ...files.tables import Table
from ...model import InertialModel
from ...model.recorded_motion import broken_constraints, recorded_motion
from ...opensim_model.reading.motion import Motion
from ...opensim_model.reading.recorded_table import RecordedTable, named_table, recorded_units
from ...opensim_model.setups.acting_forces import acting_forces
from ...opensim_model.setups.loads import Loads, gait_events, unit_findings
from ...options.recording import Recording, recording_of
from ...paths.kernel.remarks import MuscleRemarks


@dataclass(frozen=True, eq=False)
class ReadRecording:
    """A recorded motion with external loads, read for one model; several analyses can use it."""

    options: Recording
    table: Table
    columns: RecordedTable | None
    of_units: list[Diagnostic]  # (with notes) diagnostics of the motion's units
    notes: list[str]
    recorded: Motion
    loads: Loads | None

    @classmethod
    def of(cls, inertial: InertialModel, recording: Any, **changes: Any) -> ReadRecording:
        """Read a recording, or return it if it was read before; raise MotionError if its units cannot be right."""
        if isinstance(recording, cls):
            return recording
        options = recording_of(recording, **changes)
        table, path = named_table(options.motion), options.external_loads
        columns, of_units = recorded_units(inertial.kinematics.model, table, inertial.coordinates)
        notes = raise_or_warn(of_units, MotionError, options.strict)
        recorded = recorded_motion(inertial, options, table)
        return cls(
            options, table, columns, of_units, notes, recorded, None if path is None else Loads(path, recorded.span)
        )


@dataclass(frozen=True, eq=False)
class Inputs:
    """A recorded motion, the rows to solve, external loads, and excluded model forces."""

    options: Recording  # options of the recording
    table: Table  # the recorded motion
    whole: Motion  # the T requested rows
    span: tuple[float, float]  # first and last time [s] of the time range
    answered: NDArray[np.bool_]  # (T,), rows with loads
    solved: Motion  # the R solved rows
    rows: NDArray[np.intp]  # (R,), indices in the time range
    loads: Loads | None  # the external loads
    excluded: tuple[str, ...]  # excluded model forces
    notes: tuple[str, ...]  # notes and warnings

    @classmethod
    def of(
        cls,
        inertial: InertialModel,
        recording: Any,
        forces_to_exclude: Sequence[str],
        chosen: Callable[[Motion], NDArray[np.intp]] | None = None,
        **changes: Any,
    ) -> Inputs:
        """Read and check a recording; ``chosen`` returns the indices of requested rows (default: all).

        Raises:
            MotionError: motion or loads are meaningless; UnknownNameError: a force or a body of the loads is not in the
                model; FileFormatError: a file is missing or malformed.
        """
        read = ReadRecording.of(inertial, recording, **changes)
        table, recorded, loads, strict = read.table, read.recorded, read.loads, read.options.strict
        notes = [*read.notes, *raise_or_warn(recorded.findings, MotionError, strict)]
        found = broken_constraints(inertial, recorded, table.origin)
        rows = np.arange(len(recorded)) if chosen is None else chosen(recorded)
        whole, answered = recorded.at(rows), np.ones(len(rows), dtype=bool)
        if loads is not None:
            answered = loads.covered(whole.times)
            found += loads.uncovered(whole.times, extrapolated=False)
            found += unit_findings(loads, inertial.model, whole.at(answered.nonzero()[0]).span)
        notes += raise_or_warn(found, MotionError, strict)
        solved = whole.at(np.flatnonzero(answered))
        excluded, of_forces = acting_forces(inertial.model, inertial.coordinates, solved, loads, forces_to_exclude)
        notes = [*raise_or_warn(of_forces, MotionError, strict), *notes]
        whole, solved = (replace(motion, findings=(*motion.findings, *of_forces)) for motion in (whole, solved))
        of_rows = (whole, recorded.span, answered, solved, rows[answered], loads, excluded)
        return cls(read.options, table, *of_rows, tuple(notes))

    def facts(self, inertial: InertialModel, seen: MuscleRemarks, notes: Sequence[str]) -> dict[str, Any]:
        """Return the provenance of a result: model, options, inputs and warnings."""
        origin, gravity = inertial.provenance(inertial.notes_with(seen)), inertial.model.getGravity().to_numpy().copy()
        loads = self.loads
        of_loads = None if loads is None else describe_source(loads.path) | {"data": describe_source(loads.data)}
        return {
            **origin,
            **recorded_options(self.options),
            "external loads": of_loads,
            "time range [s]": list(self.span),
            "forces excluded": list(self.excluded),
            "coordinates missing in the motion": list(self.solved.missing),
            "mass of the model [kg]": model_mass(inertial),
            "gait events": [] if loads is None else gait_events(loads, gravity, self.span),
            "warnings": [*origin["warnings"], *self.notes, *notes],
        }


def model_mass(inertial: InertialModel) -> float:
    """Return the mass of the model [kg], plus the mass of muscles that no segment contains."""
    muscles = inertial.muscles
    added = sum(muscles.masses[name] for name, donors in muscles.donors.items() if not donors)
    return float(inertial.model.getTotalMass(inertial.model.getWorkingState())) + added
