"""Checks of muscles, the function ``check`` that runs all checks, and its result."""

from __future__ import annotations

import json
import math
import os
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._core.checks import silenced
from .._core.choices import NO_ACTUATORS
from .._core.diagnostics import SEVERITIES, Diagnostic, by_severity
from .._core.errors import (
    OPENSIM_ERRORS,
    InertiaError,
    ModelError,
    Option,
    UnsupportedPathError,
    first_of,
    opensim_reason,
)
from .._core.opensim import osim, quiet
from .._core.representation import html_table
from .._core.warnings import InertiaWarning
from ..files.atomic import write_text
from ..model import InertialModel, unsupported_paths
from ..muscles.masses.donors import light_segments, mass_by_segment
from ..muscles.masses.estimate import estimated_masses
from ..opensim_model.reading.coordinates import random_poses
from ..opensim_model.reading.paths import PATH_LISTS
from .bodies import Subject, asymmetries, implausible_bodies, implausible_ranges, massless_coordinates
from .document import document_errors, unreadable_numbers

if TYPE_CHECKING:
    import pandas as pd

#: Numbers of places named in a table and in a warning.
MOST_PLACES, MOST_IN_WARNING = 6, 3
#: Largest number of similar findings that a table lists in full.
MOST_SHOWN = 3


@dataclass(frozen=True, repr=False)
class CheckResult:
    """Findings about a model, a motion and external loads.

    Attributes:
        findings: diagnostics, from most to least severe.
        inputs: names of the checked files, by kind.
        tests: checked parts: "model", "paths", "motion", "loads".
    """

    findings: tuple[Diagnostic, ...]
    inputs: dict[str, str]
    tests: tuple[str, ...]

    @property
    def worst(self) -> str | None:
        """The severity of the worst finding ("note", "warning" or "error"); None without findings."""
        return self.findings[0].severity if self.findings else None

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each severity, from error to note."""
        counter = Counter(finding.severity for finding in self.findings)
        return {severity: counter[severity] for severity in reversed(SEVERITIES)}

    @property
    def verdict(self) -> str:
        """A sentence with the number of findings of each severity."""
        parts = [f"{n} {severity}{'s' if n != 1 else ''}" for severity, n in self.counts.items() if n]
        if not parts:
            return "no problems found"
        meaning = {
            "error": "results would mean nothing",
            "warning": "results would be doubtful",
            "note": "nothing that makes results doubtful",
        }[self.worst or "note"]
        return f"{', '.join(parts)}: {meaning}"

    def table(self, width: int = 100, every: bool = False) -> str:
        """Return the findings as text, with at most two lines per kind of note unless ``every``.

        Args:
            width: largest length of a line.
            every: whether to list each finding in full.
        """
        lines = []
        for severity in reversed(SEVERITIES):
            of_severity = [finding for finding in self.findings if finding.severity == severity]
            for group in _groups(of_severity, every):
                lines += _lines(group, width, severity == "note" and not every)
        return "\n".join([*lines, "", self.verdict] if lines else [self.verdict])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"CheckResult({self.verdict})"

    def _repr_html_(self) -> str:
        head = ("severity", "test", "place", "measured", "cure")
        return html_table(self.verdict, head, map(_cells, self.findings), left=len(head))

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the findings as JSON text, and write it to ``path``, if given.

        The object has "worst", "counts", "inputs", "tests" and "findings", each with "severity", "check", "place",
        "text" and "cure".

        Raises:
            OutputError: the file cannot be written.
        """
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        if path is not None:
            # File names that are not UTF-8 are escaped.
            write_text(path, text + "\n", "backslashreplace")
        return text

    def to_dict(self) -> dict[str, Any]:
        """Return the findings as JSON types, as in :meth:`to_json`."""
        return {
            "worst": self.worst,
            "counts": self.counts,
            "inputs": self.inputs,
            "tests": list(self.tests),
            "findings": [
                dict(zip(("severity", "check", "place", "text", "cure"), _cells(finding), strict=True))
                for finding in self.findings
            ],
        }


def grouped(findings: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return one finding per kind, worst first, with the number and places of the other findings of the kind."""
    representatives = []
    for group in _groups(by_severity(findings), every=False):
        first = group[0]
        if len(group) > 1:
            other_places = _places(group[1:], MOST_IN_WARNING)
            cure = (*first.cure, *(". " if first.cure else ""), "`opensim-inertia check` lists all")
            text = f"{first.text} ({first.check}; {len(group) - 1} more: {other_places})"
            first = Diagnostic(first.severity, first.check, first.subject, text, cure, first.kind)
        representatives.append(first)
    return representatives


def _groups(findings: Sequence[Diagnostic], every: bool) -> list[list[Diagnostic]]:
    groups: dict[object, list[Diagnostic]] = {}
    for number, finding in enumerate(findings):
        groups.setdefault(number if every else (finding.severity, finding.check), []).append(finding)
    return list(groups.values())


def _lines(group: Sequence[Diagnostic], width: int, brief: bool) -> list[str]:
    """Return text lines about similar findings; if ``brief``, about two lines on the first finding only."""
    first, width = group[0], max(width, 40)
    head = f"{first.severity:<8} {first.check}" + (f" ({len(group)})" if len(group) > 1 else "")
    if brief:
        text = ": ".join(filter(None, (head[9:], first.subject.partition(", ")[2], first.text)))
        return [_filled(head[:9] + textwrap.shorten(text, 2 * width - 40, placeholder=" ..."), width, "")]
    spelled_out = group if len(group) <= MOST_SHOWN else group[:1]
    texts = [f"{finding.subject}: {finding.text}" for finding in spelled_out]
    if len(group) > len(spelled_out):
        texts.append(f"alike: {_places(group[1:], MOST_PLACES)}")
    if first.cure:
        texts.append(f"cure: {_cure(first)}")
    return [head, *(_filled(text, width, " " * 9) for text in texts)]


def _filled(text: str, width: int, indent: str) -> str:
    wrapper = textwrap.TextWrapper(width, indent, " " * 11, break_long_words=False, break_on_hyphens=False)
    return wrapper.fill(text)


def _places(findings: Sequence[Diagnostic], most: int) -> str:
    """Return findings' subjects (bodies, muscles, ...) as text without the file; ``most``: how many are named."""
    return first_of(dict.fromkeys(finding.subject.partition(", ")[2] or finding.subject for finding in findings), most)


def _cure(finding: Diagnostic) -> str:
    """Return a finding's remedy, with options as typed on the command line."""
    return "".join(
        f"--{part.name.replace('_', '-')} {part.value}"
        if isinstance(part, Option) and isinstance(part.value, str)
        else str(part)
        for part in finding.cure
    )


def _cells(finding: Diagnostic) -> tuple[str, str, str, str, str]:
    return finding.severity, finding.check, finding.subject, finding.text, _cure(finding)


SPEED = "maximum contraction velocity"
#: OpenSim's getter, unit, possible range and expected range, by quantity.
QUANTITIES = {
    "maximum isometric force": ("getMaxIsometricForce", "N", (0.0, math.inf), (0.5, 30000.0)),
    "optimal fibre length": ("getOptimalFiberLength", "m", (0.0, math.inf), (2e-3, 0.8)),
    "tendon slack length": ("getTendonSlackLength", "m", (-1e-12, math.inf), (-1.0, 1.2)),
    "pennation angle": ("getPennationAngleAtOptimalFiberLength", "rad", (-1e-9, math.pi / 2), (-1.0, 1.2)),
    SPEED: ("getMaxContractionVelocity", "optimal fibre lengths per second", (0.0, math.inf), (1.0, 50.0)),
}
#: Suffix of classes that ignore the inherited speed in favour of another property.
OTHER_SPEED = "_Deprecated"
#: Largest fibre length at the default pose [optimal fibre lengths].
LONGEST = 2.5
#: Range of active force [optimal fibre lengths], a tenth wider than in Millard 2013 (0.44 to 1.81).
LEAST_ACTIVE, MOST_ACTIVE = 0.4, 2.0
#: Number of random poses for fibre lengths.
POSES = 40
CURE = ("correct its tendon slack length, optimal fibre length or path points",)


def implausible_muscles(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of implausible muscle parameters."""
    for name, muscle in subject.muscles.items():
        place = subject.label("muscle", name)
        for quantity, (method, unit, possible, expected) in QUANTITIES.items():
            value = getattr(muscle, method)()
            if quantity == SPEED and muscle.getConcreteClassName().endswith(OTHER_SPEED):
                continue
            text, cure = f"its {quantity} is {value:.4g} {unit}", f"give it its {quantity} in {unit}"
            if not possible[0] < value < possible[1]:
                cure += ", or leave the muscle out"
                yield Diagnostic("error", quantity, place, f"{text}, which no muscle can have", (cure,))
            elif not expected[0] < value < expected[1]:
                text += f"; {expected[0]:g} to {expected[1]:g} were expected"
                yield Diagnostic("warning", quantity, place, text, (cure,))


def impossible_fibres(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of fibre lengths that are negative or very large at the default pose."""
    if not subject.muscles:
        text = "it has no muscles: nothing slides, and OpenSim's own answer is all there is"
        yield Diagnostic("note", "muscles", subject.name, text)
    state = osim.State(subject.state)
    subject.model.realizePosition(state)
    for name, muscle in subject.muscles.items():
        length, fibre = _lengths(muscle, state)
        if not math.isfinite(length) or 0 <= fibre <= LONGEST:
            continue
        text = f"at the default pose its fibres are {fibre:.2f} optimal fibre lengths long; at most 2 carry force"
        if fibre < 0:
            text = (
                f"at the default pose its path is {1e3 * length:.1f} mm long, less than its slack tendon of "
                f"{1e3 * muscle.getTendonSlackLength():.1f} mm: no length is left for fibres"
            )
        yield Diagnostic("warning", "fibres", subject.label("muscle", name), text, CURE)


def inactive_fibres(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of muscles whose fibres produce no active force over the range of motion."""
    state, table = osim.State(subject.state), subject.coordinates
    fibres: dict[str, list[float]] = {name: [] for name in subject.muscles}
    for pose in [table.values(state), *random_poses(subject.model, table, POSES)]:
        table.set_values(state, np.asarray(pose))
        try:
            subject.model.realizePosition(state)
        except OPENSIM_ERRORS:
            continue
        for name, muscle in subject.muscles.items():
            length, fibre = _lengths(muscle, state)
            if math.isfinite(length):
                fibres[name].append(fibre)
    for name, values in fibres.items():
        if values and not any(LEAST_ACTIVE <= fibre <= MOST_ACTIVE for fibre in values):
            text = (
                f"at none of {len(values)} poses of the range of motion can its fibres carry active force: they are "
                f"{min(values):.2f} to {max(values):.2f} optimal fibre lengths long; {LEAST_ACTIVE:g} to "
                f"{MOST_ACTIVE:g} were expected"
            )
            yield Diagnostic("warning", "fibres over the range", subject.label("muscle", name), text, CURE)


def _lengths(muscle: osim.Muscle, state: osim.State) -> tuple[float, float]:
    """Return a muscle's path length [m], and its fibre length [optimal lengths] with the tendon at slack length."""
    try:
        with PATH_LISTS:
            length = float(muscle.getLength(state))
    except OPENSIM_ERRORS:
        return math.nan, math.nan
    optimal = muscle.getOptimalFiberLength()
    along = length - muscle.getTendonSlackLength()
    height = 0.0 if along < 0 else optimal * math.sin(muscle.getPennationAngleAtOptimalFiberLength())
    return length, math.copysign(math.hypot(along, height), along) / optimal


def unsupported_muscles(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of muscles with path elements that cannot carry mass."""
    cure = (
        Option("unsupported", "massless"),
        " leaves them without mass; ",
        Option("path_model", "model.osim", "Wrapping"),
    )
    for name, error in unsupported_paths(subject).items():
        text = str(error).partition(": ")[2]
        yield Diagnostic("error", "paths", subject.label("muscle", name), text, (*cure, " has other paths for them"))


def doubtful_paths(subject: Subject) -> Iterator[Diagnostic]:
    """Yield diagnostics of segments too light for their muscles, and of paths that jump or differ from OpenSim's."""
    if not subject.muscles:
        return
    with silenced(InertiaWarning):
        try:
            table = estimated_masses(subject)
        except InertiaError as error:
            yield Diagnostic("warning", "masses", subject.name, f"masses cannot be estimated: {error}")
            return
        muscles, bodies = mass_by_segment(table), subject.bodies
        rows = [{"segment": n, "mass": bodies[n].mass, "muscles": m} for n, m in muscles.items() if n in bodies]
        for sentence in light_segments(rows):
            name, _, text = sentence.partition(": ")
            yield Diagnostic("note", "segments lighter than their muscles", subject.label("segment", name), text)
        try:
            plan = InertialModel(subject, table).wraps
        except UnsupportedPathError as error:
            yield Diagnostic("error", "paths", subject.name, str(error))
            return
        except InertiaError as error:
            yield Diagnostic("warning", "masses", subject.name, f"estimated masses cannot be used: {error}")
            return
    jump = "the length of its path jumps by {:.1f} mm somewhere in the range of motion"
    corners = "OpenSim's own path has corners at {:.0f} % of poses, which it does not notice"
    away = sorted(plan.different.items(), key=lambda item: -item[1].points)
    texts = {
        name: f"its smooth path is up to {1e3 * each.points:.0f} mm from OpenSim's: {each.reason}"
        for name, each in away
    }
    for severity, test, found in (
        ("warning", "paths that jump", {name: jump.format(1e3 * size) for name, size in plan.jumps.items()}),
        ("note", "paths led by OpenSim", plan.opensim),
        ("note", "paths elsewhere than OpenSim's", texts),
        ("note", "paths with corners", {name: corners.format(100 * share) for name, share in plan.unconverged.items()}),
    ):
        for name, text in found.items():
            cure = ("`opensim-inertia wraps` draws and explains it",)
            yield Diagnostic(severity, test, subject.label("muscle", name), text, cure)


Tests = tuple[Callable[[Subject], Iterator[Diagnostic]], ...]
#: Quick checks that commands run first.
CHEAP: Tests = (implausible_bodies, massless_coordinates, implausible_muscles, implausible_ranges)
#: Further checks of `check`, and slow ones. Commands warn of short fibres themselves.
FURTHER: Tests = (impossible_fibres, asymmetries, unsupported_muscles)
THOROUGH: Tests = (inactive_fibres, doubtful_paths)


def model_errors(model: osim.Model | str | os.PathLike[str] | Subject) -> list[Diagnostic]:
    """Check a model's bodies, muscles and coordinates quickly; return diagnostics, worst first."""
    subject = model if isinstance(model, Subject) else Subject.of(model)
    return by_severity(_run_tests(subject, CHEAP))


def check(
    model: osim.Model | str | os.PathLike[str],
    motion: str | os.PathLike[str] | pd.DataFrame | None = None,
    external_loads: str | os.PathLike[str] | None = None,
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
    thorough: bool = True,
    forces_to_exclude: Sequence[str] = NO_ACTUATORS,
) -> CheckResult:
    """Return findings about a model, a motion and external loads.

    Inverse dynamics is solved only for motions that jump, to find the affected forces.

    Args:
        model: a model, which is not modified, or its ``.osim`` file. Files are also checked for names that OpenSim
            changes or cannot resolve.
        motion: ``.mot`` or ``.sto`` file of coordinates, or a DataFrame (index time [s], radians and metres).
        external_loads: OpenSim external loads XML.
        cutoff: low-pass cut-off of the motion [Hz]; None for no filter.
        time_range: first and last time [s]; default: the whole motion.
        thorough: whether to run slow checks: fibres and paths over the range of motion, and muscles heavier than their
            segments.
        forces_to_exclude: names, groups or keywords of model forces to exclude.

    Returns:
        the findings, from the worst. An unreadable model is a finding, too.
    """
    findings: list[Diagnostic] = []
    inputs, tests = {}, ["model"]
    if not isinstance(model, osim.Model):
        inputs["model"] = str(model)
        findings += document_errors(Path(model))
    subject = None
    try:
        subject = Subject.of(model)
    except ModelError as error:
        name = model.getName() if isinstance(model, osim.Model) else Path(model).name
        if not isinstance(model, osim.Model):
            findings += unreadable_numbers(Path(model))
        text = str(error).removeprefix(f"{model}: ")
        cure = ("give each body that moves mass and inertia, or weld it",) if "massless" in text else ()
        findings.append(Diagnostic("error", "reading the model", name, text, cure))
    if subject is not None:
        findings += _run_tests(subject, (*CHEAP, *FURTHER))
        if motion is not None or external_loads is not None:
            from ..opensim_model.reading.recorded_table import motion_name
            from .recordings import recording_errors  # slow import

            named = {"motion": motion, "external loads": external_loads}
            inputs |= {kind: motion_name(source) for kind, source in named.items() if source is not None}
            tests += [kind for kind in named if kind in inputs]
            findings += recording_errors(subject, motion, external_loads, cutoff, time_range, forces_to_exclude)
        if thorough and not any(finding.severity == "error" for finding in findings):
            tests.append("paths")
            findings += _run_tests(subject, THOROUGH)
    return CheckResult(tuple(by_severity(findings)), inputs, tuple(tests))


def _run_tests(subject: Subject, tests: Tests) -> list[Diagnostic]:
    """Return the findings of ``tests`` on a model; an OpenSim error in a test becomes a finding."""
    findings: list[Diagnostic] = []
    with quiet():
        for test in tests:
            try:
                findings += test(subject)
            except OPENSIM_ERRORS as error:
                text = f"OpenSim cannot use it: {opensim_reason(error)}"
                findings.append(Diagnostic("error", "reading the model", subject.name, text))
    return findings
