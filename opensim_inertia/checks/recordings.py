"""A motion and external loads as they would be read for a model, and what the tests of each find."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from .._core.diagnostics import Diagnostic, raise_or_warn
from .._core.errors import InertiaError, MotionError
from .._core.opensim import quiet
from ..analyses.inverse_dynamics.doubts import jump_doubts
from ..analyses.inverse_dynamics.inputs import Inputs
from ..model import InertialModel
from ..model.recorded_motion import broken_constraints, recorded_motion
from ..opensim_model.reading.motion import Motion, motion_name, named_table
from ..opensim_model.reading.recorded_table import recorded_units
from ..opensim_model.setups.acting_forces import acting_forces
from ..opensim_model.setups.load_units import unit_findings
from ..opensim_model.setups.loads import Loads
from ..options import Recording
from .loads import doubts_of_loads
from .motion import doubts_of_motion
from .subject import Subject

__all__ = ["input_notes", "recording_findings"]


def recording_findings(
    subject: Subject,
    motion: str | os.PathLike[str] | pd.DataFrame | None,
    external_loads: str | os.PathLike[str] | None,
    cutoff: float | None,
    time_range: tuple[float, float] | None,
    forces_to_exclude: Sequence[str],
) -> list[Diagnostic]:
    """Return what is wrong with a motion and with external loads; what cannot be read is a finding, too.

    Args:
        subject: the model.
        motion: a file of coordinates or a table of them.
        external_loads: a file of external loads.
        cutoff: low-pass cut-off with which the motion would be filtered [Hz]; None for no filter.
        time_range: first and last time at which they would be used [s].
        forces_to_exclude: names, groups or keywords of model forces that would not act.
    """
    findings: list[Diagnostic] = []
    recording = Recording("" if motion is None else motion, cutoff=cutoff, time_range=time_range)
    recorded: Motion | None = None
    loads: Loads | None = None
    with quiet():
        if motion is not None:
            try:
                table = named_table(motion)
                columns, of_units = recorded_units(subject.model, table)
                findings += [*of_units, *doubts_of_motion(columns, of_units)]
                if not _has_error(findings):  # a motion with errors may be one that no spline leads through
                    inertial = InertialModel(subject.model, {})
                    recorded = recorded_motion(inertial, recording, table)
                    findings += [*recorded.findings, *broken_constraints(inertial, recorded, motion_name(motion))]
            except InertiaError as error:
                findings.append(_refused("reading the motion", motion_name(motion), error))
        if external_loads is not None:
            try:
                loads = Loads(external_loads)
                of_units = unit_findings(loads, subject.model, None if recorded is None else recorded.span)
                findings += [*of_units, *doubts_of_loads(subject.model, loads, of_units, recorded, thorough=True)]
                findings += _frames(loads)
                if recorded is not None and len(loads.times):
                    uncovered = loads.uncovered(recorded.times, extrapolated=False)
                    findings += [replace(each, severity="note") for each in uncovered]
            except InertiaError as error:
                findings.append(_refused("reading the loads", Path(external_loads).name, error))
        if recorded is not None:
            try:
                answered = np.ones(len(recorded), dtype=bool) if loads is None else loads.covered(recorded.times)
                rows = np.flatnonzero(answered)
                solved, system = recorded.at(rows), (inertial.model, inertial.coordinates)
                excluded, of_forces = acting_forces(*system, solved, loads, forces_to_exclude)
                findings += of_forces
                if len(rows) and not _has_error(findings):
                    inputs = Inputs(table, recorded, recorded.span, answered, solved, rows, loads, excluded, ())
                    findings += jump_doubts(inertial, recording, inputs)[1]
            except InertiaError as error:
                findings.append(_refused("forces and jumps", subject.name, error))
    return findings


def input_notes(inertial: InertialModel, recording: Recording) -> list[str]:
    """Warn of what is doubtful in a recording beside what analyses look at themselves, and return what was said.

    Args:
        inertial: the model.
        recording: the motion with its external loads, and how they are read; ``strict`` refuses what is doubtful.

    Raises:
        MotionError: a load cannot be what acts on the model, or ``strict``; FileFormatError: a file is missing or
            malformed.
    """
    table = named_table(recording.motion)
    columns, of_units = recorded_units(inertial.kinematics.model, table, inertial.coordinates)
    findings = doubts_of_motion(columns, of_units)
    if recording.external_loads is not None and not _has_error(of_units):
        motion = recorded_motion(inertial, recording, table)
        loads = Loads(recording.external_loads, motion.span)
        of_units = unit_findings(loads, inertial.model, motion.span)
        covered = motion.at(np.flatnonzero(loads.covered(motion.times)))
        if len(covered):
            findings += doubts_of_loads(inertial.model, loads, of_units, covered, like=inertial.kinematics)
    return raise_or_warn(findings, MotionError, recording.strict)


def _has_error(findings: list[Diagnostic]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def _refused(check: str, name: str, error: InertiaError) -> Diagnostic:
    return Diagnostic("error", check, name, "cannot be used: " + str(error), ("correct the named part",))


def _frames(loads: Loads) -> list[Diagnostic]:
    """Return findings of loads whose point is given in the frame of a body that is neither ground nor their own."""
    findings = []
    for name, (body, _, point_in) in loads.bodies.items():
        if point_in not in (None, "ground", body):
            text = f"the load '{name}' acts on '{body}', and its point is given in the frame of '{point_in}'"
            cure = ("set <point_expressed_in_body> to ground, where force plates measure",)
            findings.append(Diagnostic("warning", "frames of loads", loads.path.name, text, cure))
    return findings
