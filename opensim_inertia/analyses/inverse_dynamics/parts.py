"""The parts of single muscles in generalized forces, and what else a band is made of: plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...opensim_model.reading import Coupling
from .bellies import Bellies

__all__ = ["BandParts", "DifferenceParts", "MuscleParts", "difference_parts", "foremost", "parts_at"]


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
class BandParts:
    """What a band is made of besides these parts.

    Attributes:
        bellies: the muscles' mass at the reference pose, and the segments that give it up.
        rows: numbers (R,) of the motion's rows at which strands are solved, the first and the last among them; between
            them what strands differ by is linear.
        strands: what muscles would add more as strands, (strands, R, V, nu).
        moments: forces (T, nu, S, 6) of a unit of the second moments that segments' remainders may lack.
    """

    bellies: Bellies
    rows: NDArray[np.intp]
    strands: Array
    moments: Array

    def strands_at(self, rows: NDArray[np.intp], columns: Any) -> Array:
        """Return the parts of strands (strands, V, n) at pairs (n,) of a row and a coordinate."""
        after = np.clip(np.searchsorted(self.rows, rows, side="left"), 1 if len(self.rows) > 1 else 0, None)
        before = np.maximum(after - 1, 0)
        width = np.maximum(self.rows[after] - self.rows[before], 1)
        weight = (rows - self.rows[before]) / width
        # Advanced indices that a slice parts come first: (n, strands, V).
        start, end = self.strands[:, before, :, columns], self.strands[:, after, :, columns]
        return np.moveaxis((1 - weight)[:, None, None] * start + weight[:, None, None] * end, 0, -1)


class DifferenceParts(NamedTuple):
    """What n differences, inertial less lumped, consist of, in the order of :class:`~.bellies.Weights`.

    Attributes:
        muscles: what each muscle adds with its own mass, (muscles, n).
        strands: what muscles would add more as strands, (strands, V, n).
        moments: forces of a unit of remainders' second moments, (S, 6, n).
    """

    muscles: Array
    strands: Array
    moments: Array

    @property
    def stacked(self) -> Array:
        """All parts, (muscles + strands V + 6 S, n)."""
        return np.concatenate([part.reshape(-1, part.shape[-1]) for part in self])


def difference_parts(
    kept: MuscleParts,
    more: BandParts | None,
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> DifferenceParts:
    """Return what differences consist of at rows (n,) of the motion.

    Args:
        kept: the parts of single muscles.
        more: what else the band is made of; None: nothing.
        couplings: coordinates that are folded into those that they follow.
        rows: of the motion.
        columns: one coordinate, or one for each row.
    """
    muscles = _folded(lambda at, of: kept.total[at, :, of].T, couplings, rows, columns)
    if more is None:
        return DifferenceParts(muscles, np.zeros((0, 0, len(rows))), np.zeros((0, 6, len(rows))))
    strands = _folded(more.strands_at, couplings, rows, columns)
    return DifferenceParts(
        muscles, strands, _folded(lambda at, of: np.moveaxis(more.moments[at, of], 0, -1), couplings, rows, columns)
    )


def parts_at(
    kept: MuscleParts, couplings: Sequence[Coupling], rows: NDArray[np.intp], columns: Any
) -> tuple[Array, Array]:
    """Return parts of muscles (muscles, n) and of none (n,) at rows (n,), as :func:`difference_parts` takes them."""
    own = _folded(lambda at, of: kept.total[at, :, of].T, couplings, rows, columns)
    return own, _folded(lambda at, of: kept.excess[at, of], couplings, rows, columns)


def _folded(
    read: Callable[[NDArray[np.intp], Any], Array],
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> Array:
    """Return what is read (..., n) at rows (n,), that of followers being added to what they follow."""
    values = read(rows, columns)
    for c in couplings:
        mine = np.flatnonzero(np.broadcast_to(columns, rows.shape) == c.independent)
        if len(mine):
            at = rows[mine]
            values = values.copy()
            values[..., mine] += c.slopes[at] * read(at, c.dependent)
    return values


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
