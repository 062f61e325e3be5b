"""The check of tables over time: finite numbers, and increasing times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic

__all__ = ["checked_numbers", "without_repeats"]

#: Times are one time that differ by no more, as a share of themselves and of the usual step: OpenSim's RRA writes its
#: last one twice so.
SAME, OF_STEP = 1e-12, 1e-6
#: Cells agree that differ by no more, as a share of their column's largest.
AGREE = 1e-6


def without_repeats(table: pd.DataFrame, origin: str) -> tuple[pd.DataFrame, list[Diagnostic]]:
    """Return a table without rows that have the time of the row before, and findings about them and the header.

    A table most of whose rows have such times stays as it is: its times have been rounded.
    """
    findings = [Diagnostic("note", "header", origin, text) for text in table.attrs.get("notes", ())]
    try:
        times, values = np.asarray(table.index, dtype=float), table.to_numpy(dtype=float)
    except (TypeError, ValueError):  # `checked_numbers` says where
        return table, findings
    with np.errstate(invalid="ignore"):
        steps = np.abs(np.diff(times))
        same = np.minimum(SAME * np.abs(times[1:]), OF_STEP * np.median(steps)) if len(steps) else steps
        repeats = np.pad(steps <= same, (1, 0))[: len(times)]
    rows = np.flatnonzero(repeats)
    if not len(rows) or 2 * len(rows) >= len(times):
        return table, findings
    kept = np.maximum.accumulate(np.where(repeats, 0, np.arange(len(times))))[rows]
    with np.errstate(invalid="ignore"):
        off = np.abs(values[rows] - values[kept])
        differs = ~(off <= AGREE * np.abs(values).max(axis=0, initial=0.0))
    more = f" ({len(rows)} rows do so)" if len(rows) > 1 else ""
    text = f"row {rows[0] + 1} repeats the time of the row before, {times[kept[0]]:.9g} s{more}"
    if not differs.any():
        finding = Diagnostic("note", "times", origin, f"{text}, and its values: they are one row")
    else:
        row, column = np.unravel_index(int(np.argmax(np.where(differs, off, -1.0))), off.shape)
        text += f", and differs: by {off[row, column]:.4g} in column '{table.columns[column]}' (row {rows[row] + 1})"
        cure = ("see which row is right; the first stands",)
        finding = Diagnostic("warning", "times", origin, text, cure)
    return table[~repeats], [*findings, finding]


def checked_numbers(
    table: pd.DataFrame, refuse: Callable[[str], Exception], fewest: int = 1, why: str = "", gaps: bool = False
) -> tuple[Array, Array]:
    """Return times (rows,) and values (rows, columns) of a table; refuse it unless finite, with increasing times."""
    try:
        times = np.array(table.index, dtype=float)
    except (TypeError, ValueError) as error:
        raise refuse(f"the index is not a time in seconds ({error})") from error
    if len(times) < fewest:
        raise refuse(f"{len(times)} rows; at least {fewest} are needed{why}")
    if not np.isfinite(times).all():
        raise refuse(f"the time of row {np.flatnonzero(~np.isfinite(times))[0] + 1} is not finite")
    steps = np.flatnonzero(~(np.diff(times) > np.finfo(float).eps))
    if len(steps):
        row = int(steps[0])
        raise refuse(
            f"times must increase; {times[row]:.9g} s is followed by {times[row + 1]:.9g} s (rows {row + 1} and "
            f"{row + 2})"
        )
    try:
        values = table.to_numpy(dtype=float)
    except (TypeError, ValueError) as error:
        kinds = table.dtypes.items()
        culprit = next((label for label, kind in kinds if not pd.api.types.is_numeric_dtype(kind)), table.columns[0])
        raise refuse(f"column '{culprit}' holds something that is not a number ({error})") from error
    bad = np.argwhere(~(np.isfinite(values) | (gaps & np.isnan(values))))
    if len(bad):
        row, column = bad[0].tolist()
        raise refuse(
            f"column '{table.columns[column]}' is {values[row, column]} at time {times[row]:.6g} s (row {row + 1})"
        )
    return times, values
