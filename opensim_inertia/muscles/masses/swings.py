"""The columns of a mass table that say how bellies swing across their paths; all may be absent, and cells empty.

==========================  =========================================================================================
``wobble frequency [Hz]``   the frequency at which the belly swings where its muscle exerts no force, above 0
``wobble damping``          share of the critical damping, 0 or more
==========================  =========================================================================================

Where a muscle has no value the options of :class:`~opensim_inertia.options.Wobble` hold. (docs/theory/wobble.md)
"""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

__all__ = ["COLUMNS", "DAMPING", "FREQUENCY", "swing_values"]

FREQUENCY, DAMPING = "wobble frequency [Hz]", "wobble damping"
#: The columns, in the order in which they are written.
COLUMNS = (FREQUENCY, DAMPING)


def swing_values(table: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Return a checked mass table's entries on swinging bellies, by muscle and column; those without are absent."""
    present = [column for column in COLUMNS if column in table.columns]
    cells = table[present].to_numpy(dtype=float)
    values = {}
    for row in np.flatnonzero(~np.isnan(cells).all(axis=1)):
        by_column = {c: float(v) for c, v in zip(present, cells[row], strict=True) if not math.isnan(v)}
        values[str(table["muscle"].iloc[row])] = by_column
    return values
