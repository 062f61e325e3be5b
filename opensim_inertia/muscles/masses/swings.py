"""The columns of a mass table that say how bellies swing across their paths; all may be absent, and cells empty.

==========================  =========================================================================================
``wobble frequency [Hz]``   the frequency at which the belly swings where its muscle exerts no force, above 0
``wobble damping``          share of the critical damping, 0 or more
==========================  =========================================================================================

Where a muscle has no value the options of :class:`~opensim_inertia.options.Wobble` hold. (docs/theory/wobble.md)
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..._core.errors import MassError
from .bellies import as_number

__all__ = ["COLUMNS", "DAMPING", "FREQUENCY", "check_swings", "swing_cell", "swing_values"]

FREQUENCY, DAMPING = "wobble frequency [Hz]", "wobble damping"
#: The columns, in the order in which they are written.
COLUMNS = (FREQUENCY, DAMPING)


def swing_cell(muscle: str, column: str, value: object) -> float:
    """Return the number in a cell of one of the columns; NaN where it is empty.

    Raises:
        MassError: it is no number.
    """
    if value is None or value is pd.NA or (isinstance(value, str) and not value.strip()):
        return math.nan
    number = as_number(value)
    if number is None:
        raise MassError(f"muscle '{muscle}': '{column}' is {value!r}; expected a number, or nothing")
    return number


def check_swings(muscle: str, cells: Mapping[str, float], prefix: str = "", place: str = "") -> None:
    """Refuse numbers that no belly can have; NaN is empty.

    Args:
        muscle: its name.
        cells: numbers by column; others are empty.
        prefix: before the message, such as a file's name.
        place: after the number, such as its line.

    Raises:
        MassError: names muscle and column.
    """
    whose = f"{prefix}muscle '{muscle}'"
    for column, value in cells.items():
        least = "a finite number above 0" if column == FREQUENCY else "a finite number, 0 or more"
        if math.isinf(value) or value < 0.0 or (value == 0.0 and column == FREQUENCY):
            raise MassError(f"{whose}: '{column}' is {value:g}{place}; expected {least}, or an empty cell")


def swing_values(table: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Return a checked mass table's entries on swinging bellies, by muscle and column; those without are absent."""
    present = [column for column in COLUMNS if column in table.columns]
    cells = table[present].to_numpy(dtype=float)
    values = {}
    for row in np.flatnonzero(~np.isnan(cells).all(axis=1)):
        by_column = {c: float(v) for c, v in zip(present, cells[row], strict=True) if not math.isnan(v)}
        values[str(table["muscle"].iloc[row])] = by_column
    return values
