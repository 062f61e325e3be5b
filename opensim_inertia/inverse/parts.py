"""The parts of single muscles in generalized forces, and how aponeuroses of other length change them: plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..arrays import Array

__all__ = ["MuscleParts", "PlacementVariant", "foremost"]


@dataclass(frozen=True)
class MuscleParts:
    """The parts of generalized forces that single muscles make [N m or N].

    Attributes:
        total: inertial less lumped, (T, muscles, nu).
        excess: what segments add that could not be conserved, which is no single muscle's, (T, nu).
    """

    total: Array
    excess: Array


@dataclass(frozen=True)
class PlacementVariant:
    """The change of these parts where aponeuroses are of another length; it is linear between its rows.

    Attributes:
        factor: the length of aponeuroses as a multiple of theirs.
        rows: numbers (R,) of the motion's rows at which it is known, the first and the last among them.
        muscles: numbers (V,) of the muscles that change.
        change: change of ``total``, (R, V, nu).
        excess_change: change of ``excess``, (R, nu).
    """

    factor: float
    rows: NDArray[np.intp]
    muscles: NDArray[np.intp]
    change: Array
    excess_change: Array

    def at(self, rows: NDArray[np.intp], columns: Any, muscles: int) -> tuple[Array, Array]:
        """Return the changes at pairs (n,) of a row and a coordinate, (muscles, n) and (n,)."""
        after = np.clip(np.searchsorted(self.rows, rows, side="left"), 1 if len(self.rows) > 1 else 0, None)
        before = np.maximum(after - 1, 0)
        width = np.maximum(self.rows[after] - self.rows[before], 1)
        weight = (rows - self.rows[before]) / width
        own = np.zeros((muscles, len(rows)))
        change = (1 - weight)[:, None] * self.change[before, :, columns] + weight[:, None] * self.change[
            after, :, columns
        ]
        own[self.muscles] = change.T
        rest = (1 - weight) * self.excess_change[before, columns] + weight * self.excess_change[after, columns]
        return own, rest


def foremost(table: pd.DataFrame, most: int) -> tuple[dict[str, Array], tuple[str, Array] | None]:
    """Return what the muscles add that add most, by name, and a label and the sum of all others; None for no others.

    Args:
        table: what each muscle adds (T,), a column each; columns of zeros are left out.
        most: how many muscles are shown apart.
    """
    table = table.loc[:, np.abs(table).max() > 0]
    order = list((table**2).mean().sort_values(ascending=False).index)
    shown = {str(name): table[name].to_numpy() for name in order[:most]}
    rest = order[most:]
    return shown, (f"{len(rest)} others", table[rest].sum(axis=1).to_numpy()) if rest else None
