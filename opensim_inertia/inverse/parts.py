"""The parts of single muscles in generalized forces, and how aponeuroses of other length change them: plain arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..arrays import Array
from ..reading import Coupling

__all__ = ["MuscleParts", "PlacementVariant", "foremost", "parts_at", "parts_by_placement"]


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


def parts_by_placement(
    kept: MuscleParts,
    variants: Sequence[PlacementVariant],
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> tuple[Array, Array]:
    """Return parts of muscles (placements, muscles, n) and of none (placements, n) at rows (n,).

    Args:
        kept: the parts as solved.
        variants: those with other placements, before and after the one solved; none.
        couplings: coordinates that are folded into those that they follow.
        rows: of the motion.
        columns: one coordinate, or one for each row.
    """
    nominal, rest = parts_at(kept, couplings, rows, columns)
    differences, rests = [nominal], [rest]
    for place, variant in zip((0, 2), variants, strict=bool(variants)):
        change, excess = parts_at(kept, couplings, rows, columns, variant)
        differences.insert(place, nominal + change)
        rests.insert(place, rest + excess)
    return np.stack(differences), np.stack(rests)


def parts_at(
    kept: MuscleParts,
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
    variant: PlacementVariant | None = None,
) -> tuple[Array, Array]:
    """Return parts of muscles (muscles, n) and of none (n,), or a variant's change of them, at rows."""

    def read(at: NDArray[np.intp], of: Any) -> tuple[Array, Array]:
        if variant is None:
            return kept.total[at, :, of].T, kept.excess[at, of]
        return variant.at(at, of, kept.total.shape[1])

    own, rest = read(rows, columns)
    for c in couplings:
        mine = np.flatnonzero(np.broadcast_to(columns, rows.shape) == c.independent)
        if len(mine):
            at = rows[mine]
            add_own, add_rest = read(at, c.dependent)
            own, rest = own.copy(), rest.copy()
            own[:, mine] += c.slopes[at] * add_own
            rest[mine] += c.slopes[at] * add_rest
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
    return shown, (f"{len(rest)} others", table[rest].sum(axis=1, skipna=False).to_numpy()) if rest else None
