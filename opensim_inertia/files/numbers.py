"""The check of tables over time: finite numbers, and increasing times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from .._core.arrays import Array

__all__ = ["checked_numbers"]


def checked_numbers(
    table: pd.DataFrame, refuse: Callable[[str], Exception], fewest: int = 1, why: str = ""
) -> tuple[Array, Array]:
    """Return times (rows,) and values (rows, columns) of a table; refuse it unless all are finite and times increase.

    Args:
        table: the index is the time [s].
        refuse: makes the exception that is raised of what is wrong with the table; that names row and column.
        fewest: how many rows are enough.
        why: what they are needed for.
    """
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
    bad = np.argwhere(~np.isfinite(values))
    if len(bad):
        row, column = bad[0].tolist()
        raise refuse(
            f"column '{table.columns[column]}' is {values[row, column]} at time {times[row]:.6g} s (row {row + 1})"
        )
    return times, values
