"""Impossible parameters and fibres of muscles, and paths that cannot carry mass."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from .._core.checks import silenced
from .._core.diagnostics import Diagnostic
from .._core.errors import OPENSIM_ERRORS, InertiaError, Option, UnsupportedPathError
from .._core.opensim import osim
from .._core.warnings import InertiaWarning
from ..model import InertialModel, unsupported_paths
from ..muscles.masses.donors import light_segments, mass_by_segment
from ..muscles.masses.estimate import estimated_masses
from ..opensim_model.reading.coordinates import random_poses
from ..opensim_model.reading.paths import PATH_LISTS
from .bodies import Subject

SPEED = "maximum contraction velocity"
#: By quantity: OpenSim's method, its unit, limits of what it can be, and limits of what public models have.
QUANTITIES = {
    "maximum isometric force": ("getMaxIsometricForce", "N", (0.0, math.inf), (0.5, 30000.0)),
    "optimal fibre length": ("getOptimalFiberLength", "m", (0.0, math.inf), (2e-3, 0.8)),
    "tendon slack length": ("getTendonSlackLength", "m", (-1e-12, math.inf), (-1.0, 1.2)),
    "pennation angle": ("getPennationAngleAtOptimalFiberLength", "rad", (-1e-9, math.pi / 2), (-1.0, 1.2)),
    SPEED: ("getMaxContractionVelocity", "optimal fibre lengths per second", (0.0, math.inf), (1.0, 50.0)),
}
#: Classes of this name have another property for the speed, such as time_scale, and do not read the inherited one.
OTHER_SPEED = "_Deprecated"
#: At the default pose fibres are at most so many optimal fibre lengths.
LONGEST = 2.5
#: Between these there is active force (Millard 2013: 0.44 to 1.81; wider here by a tenth).
LEAST_ACTIVE, MOST_ACTIVE = 0.4, 2.0
#: Poses over the range of motion at which fibres are looked at.
POSES = 40
CURE = ("correct its tendon slack length, optimal fibre length or path points",)


def implausible_muscles(subject: Subject) -> Iterator[Diagnostic]:
    """Yield muscles with implausible parameters."""
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
    """Yield the muscles whose fibres are negative or far too long at the default pose; a note if there are none."""
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
    """Yield the muscles whose fibres can carry active force at no pose of the range of motion."""
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
    """Return lengths of a path [m], NaN if unknown, and of fibres beside a slack tendon [optimal lengths]."""
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
    """Yield muscles with paths that cannot carry mass; commands refuse them with the same words."""
    cure = (
        Option("unsupported", "massless"),
        " leaves them without mass; ",
        Option("path_model", "model.osim", "Wrapping"),
    )
    for name, error in unsupported_paths(subject.model, subject.coordinates).items():
        text = str(error).partition(": ")[2]
        yield Diagnostic("error", "paths", subject.label("muscle", name), text, (*cure, " has other paths for them"))


def doubtful_paths(subject: Subject) -> Iterator[Diagnostic]:
    """Yield segments lighter than their muscles, and paths that jump or differ, with masses as commands estimate."""
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
            yield Diagnostic("warning", "masses", subject.name, f"muscles of estimated masses cannot be: {error}")
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
