"""Every test of a model, a motion and external loads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from .._core.choices import NO_ACTUATORS
from .._core.diagnostics import Diagnostic, by_severity
from .._core.errors import OPENSIM_ERRORS, ModelError, opensim_reason
from .._core.opensim import osim, quiet
from ..opensim_model.reading.motion import motion_name
from .bodies import body_findings
from .check_result import CheckResult
from .coordinates import coordinate_findings, massless_findings
from .document import document_findings, unreadable_findings
from .muscles import fibre_findings, muscle_findings, path_findings, range_findings, unsupported_findings
from .recordings import recording_findings
from .sides import side_findings
from .subject import Subject

__all__ = ["check", "check_as_used", "model_findings"]

#: Tests of a model that cost less than reading it, which commands make before they compute.
CHEAP: tuple[Callable[[Subject], Iterator[Diagnostic]], ...] = (
    body_findings,
    massless_findings,
    muscle_findings,
    coordinate_findings,
)
#: Those that only `check` makes, and of these the ones that take seconds. Commands warn of short fibres themselves.
FURTHER: tuple[Callable[[Subject], Iterator[Diagnostic]], ...] = (fibre_findings, side_findings, unsupported_findings)
THOROUGH: tuple[Callable[[Subject], Iterator[Diagnostic]], ...] = (range_findings, path_findings)


def model_findings(model: osim.Model | str | os.PathLike[str] | Subject) -> list[Diagnostic]:
    """Return findings of the quick tests of a model: impossible bodies and muscles, coordinates.

    Args:
        model: a model, which is not modified, its file, or what was made ready for tests of it.

    Raises:
        ModelError: OpenSim cannot read or initialise the model.
    """
    subject = model if isinstance(model, Subject) else Subject.of(model)
    return by_severity(_run_tests(subject, CHEAP))


def check(
    model: osim.Model | str | os.PathLike[str],
    motion: str | os.PathLike[str] | pd.DataFrame | None = None,
    external_loads: str | os.PathLike[str] | None = None,
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
    thorough: bool = True,
) -> CheckResult:
    """Look for errors and doubts in a model, a motion and external loads.

    Inverse dynamics is solved only where a motion jumps, to tell which forces that changes.

    Args:
        model: a model, which is not modified, or its ``.osim`` file. Of a file, names are also looked at that OpenSim
            changes, or does not find, when it reads it.
        motion: ``.mot`` or ``.sto`` file of coordinates, or a DataFrame (index time [s], radians and metres).
        external_loads: OpenSim external loads XML.
        cutoff: low-pass cut-off with which the motion would be filtered [Hz]; None for no filter.
        time_range: first and last time at which they would be used [s]; default: the whole motion.
        thorough: also make the tests that take seconds: fibres and paths over the range of motion, and muscles heavier
            than their segments.

    Returns:
        what was found, the worst first. A model that OpenSim cannot read is a finding, too.
    """
    return check_as_used(model, motion, external_loads, cutoff, time_range, thorough)


def check_as_used(
    model: osim.Model | str | os.PathLike[str],
    motion: str | os.PathLike[str] | pd.DataFrame | None,
    external_loads: str | os.PathLike[str] | None,
    cutoff: float | None,
    time_range: tuple[float, float] | None,
    thorough: bool,
    forces_to_exclude: Sequence[str] = NO_ACTUATORS,
) -> CheckResult:
    """Look for what is wrong as :func:`check` does, where a setup says which model forces do not act."""
    findings: list[Diagnostic] = []
    inputs, tests = {}, ["model"]
    if not isinstance(model, osim.Model):
        inputs["model"] = str(model)
        findings += document_findings(Path(model))
    subject = _subject(model, findings)
    if subject is not None:
        findings += _run_tests(subject, (*CHEAP, *FURTHER))
        for kind, source in (("motion", motion), ("external loads", external_loads)):
            if source is not None:
                inputs[kind] = motion_name(source)
                tests.append(kind)
        findings += recording_findings(subject, motion, external_loads, cutoff, time_range, forces_to_exclude)
        if thorough and not any(finding.severity == "error" for finding in findings):
            tests.append("paths")
            findings += _run_tests(subject, THOROUGH)
    return CheckResult(tuple(by_severity(findings)), inputs, tuple(tests))


def _subject(model: osim.Model | str | os.PathLike[str], findings: list[Diagnostic]) -> Subject | None:
    """Return a model made ready; add a finding instead where OpenSim cannot read it, and names do not tell why."""
    try:
        return Subject.of(model)
    except ModelError as error:
        name = model.getName() if isinstance(model, osim.Model) else Path(model).name
        if not isinstance(model, osim.Model):
            findings += unreadable_findings(Path(model))
        text = str(error).removeprefix(f"{model}: ")
        cure = ("give each body that moves mass and inertia, or weld it",) if "massless" in text else ()
        findings.append(Diagnostic("error", "reading the model", name, text, cure))
        return None


def _run_tests(subject: Subject, tests: tuple[Callable[[Subject], Iterator[Diagnostic]], ...]) -> list[Diagnostic]:
    """Return findings of some tests; a test that OpenSim ends is a finding."""
    findings: list[Diagnostic] = []
    with quiet():
        for test in tests:
            try:
                findings += test(subject)
            except OPENSIM_ERRORS as error:
                reason = opensim_reason(error)
                findings.append(
                    Diagnostic("error", "reading the model", subject.name, f"OpenSim cannot use it: {reason}")
                )
    return findings
