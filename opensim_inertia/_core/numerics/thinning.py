"""Selection of rows of long curves for pictures: few enough to draw quickly, with every peak in its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Array

__all__ = ["MOST_DRAWN", "drawn_rows"]

MOST_DRAWN = 4000
"""Rows of a plot, at most: the spans of two or three curves are no wider than a pixel of the pictures that we save."""


def drawn_rows(curves: Sequence[Array], most: int = MOST_DRAWN) -> NDArray[np.intp]:
    """Return the numbers, in ascending order, of rows that show the course of curves, at most ``most`` of them.

    All rows where these are few enough. Otherwise the rows are taken in spans of equal numbers of rows. Of each span
    those rows are kept at which one of the curves is least or greatest, and one at which a curve has no value, if there
    is one; the first and the last row of all are kept, too. So the curves through these rows have every extreme at its
    time, and their gaps.

    Args:
        curves: one or more, (T,) each.
        most: the largest number of rows, at least 2 for the ends and 3 for each curve.
    """
    rows = len(curves[0])
    if rows <= most:
        return np.arange(rows)
    spans = max(1, (most - 2) // (2 * len(curves) + 1))
    width = -(-rows // spans)
    starts = np.arange(0, rows, width)
    chosen_rows = [np.array([0, rows - 1])]
    missing = np.zeros(rows, dtype=bool)
    for curve in curves:
        unknown = np.isnan(curve)
        missing |= unknown
        for sign in (1.0, -1.0):
            chosen_rows.append(
                starts + _in_spans(np.where(unknown, -np.inf, sign * curve), width, -np.inf).argmax(axis=1)
            )
    gaps = _in_spans(missing, width, False)
    chosen_rows.append((starts + gaps.argmax(axis=1))[gaps.any(axis=1)])
    return np.unique(np.concatenate(chosen_rows))


def _in_spans(values: NDArray[Any], width: int, fill: float) -> NDArray[Any]:
    """Return values (T,) as (spans, width), the last span filled up."""
    return np.pad(values, (0, -len(values) % width), constant_values=fill).reshape(-1, width)
