"""Remedies where muscles ask segments for more mass than they can give; sources of changed rows say so.

Every segment keeps a share of its published mass, bone, skin and fat
(:data:`~opensim_inertia.muscles.masses.segments.LEAST_KEPT`). No limb of the public models that has enough for its
muscles is asked for more than 63 % of its mass. A scapula of 0.50 kg is, of 1.37 kg (ThoracoscapularShoulderModel),
where the model's segments stand for bones more than for what lies around them.

* ``"together"``: nothing changes in the table. What a segment cannot give, its neighbours give with it, where the
  masses are taken from the segments (:mod:`~opensim_inertia.muscles.masses.groups`).
* ``"scale"``: the muscles of such a segment are made lighter, all by the same factor.
* ``"neighbours"``: stretches of muscles in such a segment take another donor, its parent, the largest first, until
  what stays is no more than the segment can give. No mass changes. Bodies too light to be donors are passed over, and
  a parent may pass on in turn, up to the body that joins ground.
* ``"error"``: a segment that is asked for all of its mass or more is an error.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import pandas as pd

from ..._core.checks import check_choice
from ..._core.choices import OVERDRAWN, Overdrawn
from ..._core.errors import SegmentMassError
from ...opensim_model.reading import InitialisedModel
from .donors import SMALLEST_DONOR, Skeleton
from .reference import Reference, reference_pose
from .segments import LEAST_KEPT, requested_masses
from .stretches import mass_by_segment, read_stretches, stretches_text

__all__ = ["resolve_mass_deficits"]


def resolve_mass_deficits(
    table: pd.DataFrame, model: Any, overdrawn: Overdrawn, reference: Reference = None
) -> pd.DataFrame:
    """Return a mass table that asks no segment for more than it can give.

    Args:
        table: a complete mass table of the model.
        model: ``osim.Model``; not modified.
        overdrawn: one of :data:`~opensim_inertia._core.choices.OVERDRAWN`, see the module's text.
        reference: the pose at which "neighbours" looks where bellies lie.

    Returns:
        the table, with ``attrs["overdrawn"]`` a sentence about each segment that was asked for too much.

    Raises:
        OptionError: ``overdrawn`` is none of these.
        SegmentMassError: with "neighbours", not even the parents have enough; with "error", a segment has not.
    """
    check_choice("overdrawn", overdrawn, OVERDRAWN)
    if overdrawn == "together":
        return table
    bodies = (model.model if isinstance(model, InitialisedModel) else model).getBodySet()
    published = {bodies.get(i).getName(): float(bodies.get(i).getMass()) for i in range(bodies.getSize())}
    if overdrawn == "error":
        requested_masses(published, table)
        return table
    resolved = table.copy()
    sentences = (
        _scale(resolved, published) if overdrawn == "scale" else _move_to_parents(resolved, published, model, reference)
    )
    resolved.attrs = {**table.attrs, "overdrawn": sentences}
    return resolved


def _can_give(mass: float) -> float:
    return (1.0 - LEAST_KEPT) * mass


def _asked(table: pd.DataFrame, segment: str) -> dict[Any, float]:
    """Return the mass [kg] that each muscle asks of a segment, by row of a table."""
    stretches = mass_by_segment(table)
    of_segment = stretches[(stretches["segment"] == segment) & (stretches["mass"] > 0)]
    return of_segment.groupby(level=0, sort=False)["mass"].sum().to_dict()


def _scale(table: pd.DataFrame, published: dict[str, float]) -> list[str]:
    """Scale muscles' masses, and return a sentence about each of their segments."""
    sentences = []
    for segment, mass in published.items():
        asked = _asked(table, segment)
        requested, rows = math.fsum(asked.values()), list(asked)
        if requested <= _can_give(mass):
            continue
        factor = _can_give(mass) / requested
        remainder_text = f"so that segment '{segment}' keeps {100 * LEAST_KEPT:g} % of its {mass:.4g} kg"
        table.loc[rows, "mass"] *= factor
        table.loc[rows, "source"] += f"; times {factor:.6g}, {remainder_text}"
        sentences.append(f"{len(rows)} muscles of {requested:.4g} kg are scaled by {factor:.4g}, {remainder_text}")
    return sentences


def _move_to_parents(table: pd.DataFrame, published: dict[str, float], model: Any, reference: Reference) -> list[str]:
    """Replace donors by their parents, farthest from ground first; return a sentence about each segment."""
    copy, state = reference_pose(model, reference)
    skeleton = Skeleton.of(copy, state)
    least = max(SMALLEST_DONOR * math.fsum(published.values()), sys.float_info.min)
    sentences = []
    for segment in sorted(published, key=lambda name: -len(skeleton.ancestors(name))):
        mass, asked = published[segment], _asked(table, segment)
        requested = math.fsum(asked.values())
        if requested <= _can_give(mass):
            continue
        parents = [body for body in skeleton.ancestors(segment)[1:] if published.get(body, 0.0) >= least]
        if not parents:
            raise SegmentMassError(segment, mass, requested, "it has no parent segment that could give the rest")
        parent, count = parents[0], 0
        for row in sorted(asked, key=lambda row: -asked[row]):
            if math.fsum(asked.values()) <= _can_give(mass):
                break
            stretches = read_stretches(table.at[row, "segment"], table.at[row, "muscle"])
            table.at[row, "segment"] = stretches_text(
                [(parent if s.segment == segment else s.segment, s.share) for s in stretches]
            )
            table.at[row, "source"] += f"; given up by '{parent}' in place of '{segment}', which has too little"
            del asked[row]
            count += 1
        sentences.append(
            f"{count} muscles of segment '{segment}' are given up by '{parent}' in its place: it was asked for "
            f"{requested:.4g} of its {mass:.4g} kg, of which it keeps at least {100 * LEAST_KEPT:g} %"
        )
    return sentences
