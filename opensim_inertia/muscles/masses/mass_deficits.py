"""Two remedies where muscles ask segments for more mass than they can give; sources of changed rows say so.

Every segment keeps a share of its published mass, :data:`LEAST_KEPT`: bone, skin and fat. No limb of the public models
that has enough for its muscles is asked for more than 63 % of its mass. A scapula of 0.50 kg is, of 1.43 kg
(ThoracoscapularShoulderModel), where the model's segments stand for bones more than for what lies around them.

* ``"scale"``: the muscles of such a segment are made lighter, all by the same factor.
* ``"neighbours"``: muscles of such a segment take another donor, its parent, and those first whose belly's middle at
  the reference pose is nearest to it, until what stays is no more than the segment can give. No mass changes. Bodies
  too light to be donors are passed over, and a parent may pass on in turn, up to the body that joins ground.
"""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pandas as pd

from ..._core.arrays import Array
from ..._core.checks import check_choice
from ..._core.choices import OVERDRAWN, Overdrawn
from ..._core.errors import SegmentMassError, UnsupportedPathError
from ...opensim_model.reading import model_muscles
from .bellies import table_architecture
from .donors import SMALLEST_DONOR, Reference, Skeleton, belly_midpoint, reference_pose

__all__ = ["LEAST_KEPT", "resolve_mass_deficits"]

LEAST_KEPT = 0.3
"""The share of its published mass that every segment keeps."""


def resolve_mass_deficits(
    table: pd.DataFrame, model: Any, overdrawn: Overdrawn, reference: Reference = None
) -> pd.DataFrame:
    """Return a mass table that asks no segment for more than it can give.

    Args:
        table: a complete mass table of the model.
        model: ``osim.Model``; not modified.
        overdrawn: one of :data:`~opensim_inertia._core.choices.OVERDRAWN`; "error" returns the table as it is.
        reference: the pose at which "neighbours" looks where bellies lie.

    Returns:
        the table, with ``attrs["overdrawn"]`` a sentence about each segment that was asked for too much.

    Raises:
        OptionError: ``overdrawn`` is none of these.
        SegmentMassError: with "neighbours", not even the parents have enough.
    """
    check_choice("overdrawn", overdrawn, OVERDRAWN)
    if overdrawn == "error":
        return table
    bodies = model.getBodySet()
    published = {bodies.get(i).getName(): float(bodies.get(i).getMass()) for i in range(bodies.getSize())}
    resolved = table.copy()
    sentences = (
        _scale(resolved, published) if overdrawn == "scale" else _move_to_parents(resolved, published, model, reference)
    )
    resolved.attrs = {**table.attrs, "overdrawn": sentences}
    return resolved


def _can_give(mass: float) -> float:
    return (1.0 - LEAST_KEPT) * mass


def _rows(table: pd.DataFrame, segment: str) -> list[Any]:
    return list(table.index[(table["segment"] == segment) & (table["mass"] > 0)])


def _scale(table: pd.DataFrame, published: dict[str, float]) -> list[str]:
    """Scale muscles' masses, and return a sentence about each of their segments."""
    sentences = []
    for segment, mass in published.items():
        rows = _rows(table, segment)
        requested = math.fsum(table.loc[rows, "mass"])
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
    middles = _middles(table, copy, state)
    least = max(SMALLEST_DONOR * math.fsum(published.values()), sys.float_info.min)
    sentences = []
    for segment in sorted(published, key=lambda name: -len(skeleton.ancestors(name))):
        mass, rows = published[segment], _rows(table, segment)
        requested = math.fsum(table.loc[rows, "mass"])
        if requested <= _can_give(mass):
            continue
        parents = [body for body in skeleton.ancestors(segment)[1:] if published.get(body, 0.0) >= least]
        if not parents:
            raise SegmentMassError(segment, mass, requested, "it has no parent segment that could give the rest")
        parent, count = parents[0], 0
        for row in sorted(rows, key=lambda row: skeleton.distance(parent, middles[table.at[row, "muscle"]])):
            if math.fsum(table.loc[_rows(table, segment), "mass"]) <= _can_give(mass):
                break
            table.at[row, "segment"] = parent
            table.at[row, "source"] += f"; given up by '{parent}' in place of '{segment}', which has too little"
            count += 1
        sentences.append(
            f"{count} muscles of segment '{segment}' are given up by '{parent}' in its place: it was asked for "
            f"{requested:.4g} of its {mass:.4g} kg, of which it keeps at least {100 * LEAST_KEPT:g} %"
        )
    return sentences


def _middles(table: pd.DataFrame, model: Any, state: Any) -> dict[str, Array]:
    """Return the middle of each muscle's belly in ground [m]; one whose path has no points is far from everything."""
    architectures = table_architecture(table, model)
    model.realizePosition(state)
    middles, muscles = {}, model_muscles(model)
    for name in table["muscle"]:
        try:
            middles[name] = belly_midpoint(muscles[name], state, architectures[name])[0]
        except UnsupportedPathError:
            middles[name] = np.full(3, np.inf)
    return middles
