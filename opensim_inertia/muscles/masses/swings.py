"""The columns of a mass table that say how bellies swing across their paths; all may be absent, and cells empty.

==========================  =========================================================================================
``wobble F0 [N]``           the tension that stands for what skin, fascia and neighbours hold a belly with, above 0
``wobble frequency [Hz]``   in its place: the frequency at which the belly swings, above 0
``wobble tension [N]``      the muscle's own force at which it has this frequency, 0 or more; empty: 0
``wobble damping``          share of the critical damping, 0 or more
==========================  =========================================================================================

Where a muscle has no value the options of :class:`~opensim_inertia.options.Wobble` hold. (docs/theory/wobble.md)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from ..._core.errors import MassError

__all__ = ["ABOVE_ZERO", "COLUMNS", "SwingValues", "check_swings", "swing_values"]

F0, FREQUENCY, TENSION, DAMPING = "wobble F0 [N]", "wobble frequency [Hz]", "wobble tension [N]", "wobble damping"
#: The columns, in the order in which they are written.
COLUMNS = (F0, FREQUENCY, TENSION, DAMPING)
#: Those in which 0 means nothing.
ABOVE_ZERO = (F0, FREQUENCY)


@dataclass(frozen=True)
class SwingValues:
    """A mass table's entries on the swinging of a belly; None for missing ones.

    Attributes:
        held: F0 [N].
        frequency: [Hz], at ``tension``.
        tension: the muscle's own force at which it has the frequency [N].
        damping: share of the critical damping.
    """

    held: float | None
    frequency: float | None
    tension: float
    damping: float | None

    def frequency_without_tension(self, muscle: str, per_square: float, otherwise: float) -> float:
        """Return the frequency [Hz] at which the belly swings where its muscle exerts no force.

        Args:
            per_square: F0 over the square of that frequency, ``8 B mu`` [N/Hz^2].
        """
        if self.held is not None:
            return math.sqrt(self.held / per_square)
        if self.frequency is None:
            return otherwise
        held = per_square * self.frequency**2 - self.tension
        if held <= 0.0:
            alone = math.sqrt(self.tension / per_square)
            raise MassError(
                f"muscle '{muscle}': '{FREQUENCY}' is {self.frequency:g} at '{TENSION}' {self.tension:g}, but as a "
                f"string under this tension alone its belly swings at {alone:.4g} Hz; expected a higher frequency or "
                "less tension"
            )
        return math.sqrt(held / per_square)

    @property
    def given(self) -> dict[str, float]:
        """The table's entries, by column."""
        values = dict(zip(COLUMNS, (self.held, self.frequency, self.tension, self.damping), strict=True))
        if self.frequency is None:
            del values[TENSION]
        return {column: value for column, value in values.items() if value is not None}


def check_swings(whose: str, cells: Mapping[str, float], place: str = "") -> None:
    """Raise :class:`MassError` for numbers of a belly, by column, that say one thing twice; NaN is empty."""
    given = {column for column, value in cells.items() if not math.isnan(value)}
    if {F0, FREQUENCY} <= given:
        raise MassError(f"{whose} has both '{F0}' and '{FREQUENCY}'{place}; expected one, as each gives the other")
    if TENSION in given and FREQUENCY not in given:
        raise MassError(f"{whose} has '{TENSION}' without '{FREQUENCY}'{place}, the frequency that it has there")


def swing_values(table: pd.DataFrame) -> dict[str, SwingValues]:
    """Return a checked mass table's entries on swinging bellies, by muscle; muscles without entries are absent."""
    present = [column for column in COLUMNS if column in table.columns]
    cells = table[present].to_numpy(dtype=float)
    values = {}
    for row in np.flatnonzero(~np.isnan(cells).all(axis=1)):
        by_column = {c: float(v) for c, v in zip(present, cells[row], strict=True) if not math.isnan(v)}
        held, frequency, tension, damping = (by_column.get(column) for column in COLUMNS)
        values[str(table["muscle"].iloc[row])] = SwingValues(held, frequency, tension or 0.0, damping)
    return values
