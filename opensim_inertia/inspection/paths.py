"""The tests that take seconds: what segments give up for their muscles, and smooth paths over the range of motion."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from .._core.checks import silenced
from .._core.errors import InertiaError, Option, UnsupportedPathError
from .._core.findings import Finding
from .._core.warnings import InertiaWarning
from ..model import InertialModel
from ..muscles.masses import default_donors, estimate_masses, reference_pose
from ..muscles.masses.donors import SMALLEST_DONOR
from ..muscles.masses.segments import LEAST_KEPT
from ..muscles.masses.stretches import mass_by_segment
from ..paths.wrapping import WrapPlan
from .subject import Subject

__all__ = ["path_findings"]

#: A remainder further than this share of its second moments from the segment as published is worth a warning.
GREAT_RESIDUAL = 0.25


def path_findings(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong once muscles have estimated masses: segments too light for them, paths that jump or differ.

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
        yield from _light_segments(subject, table)
        try:
            inertial = InertialModel(subject.model, table, unsupported="massless")
        except UnsupportedPathError as error:
            yield Finding("warning", "paths", subject.name, str(error))
            return
        except InertiaError as error:
            yield Finding("warning", "masses", subject.name, f"muscles of estimated masses cannot be: {error}")
            return
    for name in inertial.left_massless:
        text = "its path has no points along which mass could lie: it stays without mass"
        yield Finding("note", "paths", subject.label("muscle", name), text, (Option("path_model", "model.osim"),))
    moved = ("the part 'moved' of results says what that changes",)
    for of_group, sentence in inertial.placement.groups:
        severity = "warning" if of_group.residual > 0.01 else "note"
        yield Finding(severity, "remainder", subject.label("segment", of_group.name), sentence, moved)
    for transfer in inertial.placement.transfers.values():
        if transfer.is_projected and transfer.residual > 0.01:
            text = (
                f"without its muscles no physical body would be left of its {transfer.published.mass:.3g} kg; "
                f"{100 * transfer.residual:.1f} % of its second moments are added"
            )
            severity = "warning" if transfer.residual > GREAT_RESIDUAL else "note"
            place = subject.label("segment", transfer.name)
            yield Finding(severity, "remainder", place, text, moved)
    yield from _plan_findings(subject, inertial.wraps)


def _light_segments(subject: Subject, table: pd.DataFrame) -> Iterator[Finding]:
    """Yield segments that are too light for the muscles that lie in them, of which the masses are in a table.

    Here even bodies that pass on what lies in them count, but not for what is little of the whole model.
    """
    model, state = reference_pose(subject.model)
    lying = default_donors(model, state, table["muscle"], without={}, smallest=0.0)
    placed = table[table["muscle"].isin(list(lying))]
    masses = mass_by_segment(placed.assign(segment=placed["muscle"].map(lying))).groupby("segment", sort=False)["mass"]
    least = SMALLEST_DONOR * sum(body.mass for body in subject.bodies.values())
    for name, mass in masses.sum().items():
        if mass < least:
            continue
        segment_mass = subject.bodies[name].mass if name in subject.bodies else 0.0
        share = mass / segment_mass if segment_mass > 0 else float("inf")
        if share < 1 - LEAST_KEPT:
            continue
        percent = f"{100 * share:.0f} %"
        text = f"its muscles, {mass:.3g} kg, are {percent} of its {segment_mass:.3g} kg; bone, skin and fat are 30 %"
        cure = (
            "its neighbours give up with it; if masses are wrong, correct them, or make muscles lighter with ",
            Option("overdrawn", "scale"),
        )
        yield Finding("warning", "segments lighter than their muscles", subject.label("segment", str(name)), text, cure)


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
