"""Paths that cannot carry mass; and slow tests: segments lighter than their muscles, and smooth paths."""

from __future__ import annotations

from collections.abc import Iterator

from .._core.checks import silenced
from .._core.errors import InertiaError, Option, UnsupportedPathError
from .._core.findings import Finding
from .._core.warnings import InertiaWarning
from ..model import InertialModel
from ..model.muscles import unsupported_paths
from ..muscles.masses import estimate_masses
from ..muscles.masses.stretches import light_segments
from ..paths.wrapping.plan import WrapPlan
from .subject import Subject

__all__ = ["path_findings", "unsupported_findings"]


def unsupported_findings(subject: Subject) -> Iterator[Finding]:
    """Yield muscles with paths that cannot carry mass; commands refuse them with the same words."""
    cure = (
        Option("unsupported", "massless"),
        " leaves them without mass; ",
        Option("path_model", "model.osim", "Wrapping"),
    )
    for name, error in unsupported_paths(subject.model, subject.coordinates).items():
        text = str(error).partition(": ")[2]
        yield Finding("error", "paths", subject.label("muscle", name), text, (*cure, " has other paths for them"))


def path_findings(subject: Subject) -> Iterator[Finding]:
    """Yield findings for estimated masses: segments lighter than their muscles, paths that jump or differ.

    Masses, and all else, are as commands estimate them by default.
    """
    if not subject.muscles:
        return
    with silenced(InertiaWarning):
        try:
            table = estimate_masses(subject.model)
        except InertiaError as error:
            yield Finding("warning", "masses", subject.name, f"masses cannot be estimated: {error}")
            return
        for sentence in light_segments({name: body.mass for name, body in subject.bodies.items()}, table):
            name, _, text = sentence.partition(": ")
            yield Finding("note", "segments lighter than their muscles", subject.label("segment", name), text)
        try:
            inertial = InertialModel(subject.model, table)
        except UnsupportedPathError as error:
            yield Finding("error", "paths", subject.name, str(error))
            return
        except InertiaError as error:
            yield Finding("warning", "masses", subject.name, f"muscles of estimated masses cannot be: {error}")
            return
    yield from _plan_findings(subject, inertial.wraps)


def _plan_findings(subject: Subject, plan: WrapPlan) -> Iterator[Finding]:
    """Yield paths over wrap objects that jump, that OpenSim leads, or that are elsewhere than OpenSim's."""
    see = ("`opensim-inertia wraps` draws and explains it",)
    for name, size in plan.jumps.items():
        text = f"the length of its path jumps by {1e3 * size:.1f} mm somewhere in the range of motion"
        yield Finding("warning", "paths that jump", subject.label("muscle", name), text, see)
    for name, reason in plan.opensim.items():
        yield Finding("note", "paths led by OpenSim", subject.label("muscle", name), reason, see)
    for name, difference in sorted(plan.different.items(), key=lambda item: -item[1].points):
        text = f"its smooth path is up to {1e3 * difference.points:.0f} mm from OpenSim's: {difference.reason}"
        yield Finding("note", "paths elsewhere than OpenSim's", subject.label("muscle", name), text, see)
    for name, share in plan.unconverged.items():
        text = f"OpenSim's own path has corners at {100 * share:.0f} % of poses, which it does not notice"
        yield Finding("note", "paths with corners", subject.label("muscle", name), text, see)
