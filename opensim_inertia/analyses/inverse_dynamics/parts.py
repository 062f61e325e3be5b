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
        of_masses: what masses on springs on segments add, (T, nu); None where there are none.
    """

    total: Array
    excess: Array
    of_masses: Array | None = None


@dataclass(frozen=True)
class BandParts:
    """The parts that a band needs besides :class:`MuscleParts`.

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
    muscle_parts: MuscleParts,
    band_parts: BandParts | None,
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> DifferenceParts:
    """Return the parts whose weighted sums are differences, at rows (n,) of the motion.

    Args:
        muscle_parts: the parts of single muscles.
        band_parts: what else the band is made of; None: nothing.
        couplings: coordinates that are folded into those that they follow.
        rows: of the motion.
        columns: one coordinate, or one for each row.
    """
    muscles = _folded(lambda at, of: muscle_parts.total[at, :, of].T, couplings, rows, columns)
    if band_parts is None:
        return DifferenceParts(muscles, np.zeros((0, 0, len(rows))), np.zeros((0, 6, len(rows))))
    strands = _folded(band_parts.strands_at, couplings, rows, columns)
    moments = _folded(lambda at, of: np.moveaxis(band_parts.moments[at, of], 0, -1), couplings, rows, columns)
    return DifferenceParts(muscles, strands, moments)


def parts_at(
    muscle_parts: MuscleParts, couplings: Sequence[Coupling], rows: NDArray[np.intp], columns: Any
) -> tuple[Array, Array]:
    """Return the parts of muscles (muscles, n), and the excess of segments that could not be conserved (n,).

    Args:
        muscle_parts: the parts of single muscles.
        couplings, rows, columns: as for :func:`difference_parts`.
    """
    muscle_values = _folded(lambda at, of: muscle_parts.total[at, :, of].T, couplings, rows, columns)
    return muscle_values, _folded(lambda at, of: muscle_parts.excess[at, of], couplings, rows, columns)


def _folded(
    values_at: Callable[[NDArray[np.intp], Any], Array],
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> Array:
    """Return values (..., n) at rows (n,), with the values of follower coordinates added to those that they follow.

    Args:
        values_at: gives values (..., n) at rows (n,) and columns.
        couplings: which coordinate follows which, and its slope at each row.
        rows: of the motion, (n,).
        columns: one coordinate, or one for each row.
    """
    values = values_at(rows, columns)
    for c in couplings:
        leading = np.flatnonzero(np.broadcast_to(columns, rows.shape) == c.independent)
        if len(leading):
            at = rows[leading]
            values = values.copy()
            values[..., leading] += c.slopes[at] * values_at(at, c.dependent)
    return values


def foremost(table: pd.DataFrame, most: int) -> tuple[dict[str, Array], tuple[str, Array] | None]:
    """Return the curves (T,) of the muscles with the largest parts, by name, then a label and the sum of all others.

    The latter is None where there are no others.

    Args:
        table: what each muscle adds (T,), a column each; columns of zeros are left out.
        most: how many muscles are shown apart.
    """
    table = table.loc[:, np.abs(table).max() > 0]
    order = list((table**2).mean().sort_values(ascending=False).index)
    largest = {str(name): table[name].to_numpy() for name in order[:most]}
    remaining = order[most:]
    if not remaining:
        return largest, None
    return largest, (
        f"{len(remaining)} other{'s' * (len(remaining) > 1)}",
        table[remaining].sum(axis=1, skipna=False).to_numpy(),
    )
