"""Rows of a motion that have no answer, because no external loads are known there, put back into a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.scratch import large_zeros
from ...opensim_model.reading.motion import Motion
from .inverse_dynamics_result import InverseDynamicsResult
from .parts import MuscleParts

__all__ = ["with_unanswered_rows"]


def with_unanswered_rows(
    result: InverseDynamicsResult, motion: Motion, answered: NDArray[np.bool_]
) -> InverseDynamicsResult:
    """Return a result over all rows of a motion, with NaN wherever there is no answer.

    All coordinates of such a row have none: what acts on one body is passed on to all joints between it and ground.

    Args:
        result: of the rows that were solved.
        motion: with all T rows.
        answered: (T,), which of these were solved.
    """
    if answered.all():
        return result
    rows = np.flatnonzero(answered)

    def spread(values: Array) -> Array:
        wide = large_zeros((len(answered), *values.shape[1:]))
        wide[~answered], wide[rows] = np.nan, values
        return wide

    parts = None if result.parts is None else _spread_parts(result.parts, spread)
    band, sliding = result.band_parts, result.sliding_parts
    doubtful = np.zeros((len(answered), result.doubtful.shape[1]), dtype=bool)
    doubtful[rows] = result.doubtful
    provenance = {**result.provenance, "rows without an answer": int((~answered).sum())}
    return replace(
        result,
        times=motion.times,
        lumped_forces=spread(result.lumped_forces),
        inertial_forces=spread(result.inertial_forces),
        couplings=tuple(replace(c, slopes=spread(c.slopes)) for c in result.couplings),
        parts=parts,
        wobble=None if result.wobble is None else result.wobble.spread(spread),
        sliding_parts=None if sliding is None else np.stack([spread(part) for part in sliding]),
        band_parts=None if band is None or parts is None else replace(band, rows=rows[band.rows], muscles=parts),
        answered=answered,
        doubtful=doubtful,
        provenance=provenance,
        motion=motion,
    )


def _spread_parts(parts: MuscleParts, spread: Callable[[Array], Array]) -> MuscleParts:
    others = (None if x is None else spread(x) for x in (parts.of_masses, parts.of_wobble))
    return MuscleParts(spread(parts.own), *others)
