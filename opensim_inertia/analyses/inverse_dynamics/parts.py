"""The parts of single muscles in generalized forces, and what else a band is made of: plain arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ...opensim_model.reading.coordinates import Coupling
from .bellies import Bellies

__all__ = ["BandParts", "DifferenceParts", "MuscleParts", "difference_parts", "foremost", "parts_at", "sure_rows"]


@dataclass(frozen=True)
class MuscleParts:
    """The parts of inertial - lumped that single muscles make [N m or N].

    Attributes:
        own: what muscles change by sliding, (T, muscles, nu).
        of_masses: what masses on springs on segments add, (T, nu); None where there are none.
        of_wobble: what muscles add that swing, (T, muscles, nu); None where none do.
    """

    own: Array
    of_masses: Array | None = None
    of_wobble: Array | None = None

    @property
    def total(self) -> Array:
        """All that muscles change, (T, muscles, nu)."""
        return self.own if self.of_wobble is None else self.own + self.of_wobble

    def at(self, rows: NDArray[np.intp], columns: Any) -> Array:
        """Return muscles' parts (muscles, n) at rows (n,) and one coordinate, or one for each row."""
        values = self.own[rows, :, columns].T
        return values if self.of_wobble is None else values + self.of_wobble[rows, :, columns].T


@dataclass(frozen=True)
class BandParts:
    """The parts that a band needs besides :class:`MuscleParts`.

    Attributes:
        bellies: the muscles whose bellies may lie elsewhere.
        rows: numbers (R,) of the motion's rows at which strands are solved, the first and the last among them; between
            them their differences from the muscles are linear.
        own: what muscles change as strands, in blocks (strands, rows, V, nu) of rows, R in all.
        order: place of each row among those of all blocks, (R,).
        muscles: the parts of muscles as they are.
    """

    bellies: Bellies
    rows: NDArray[np.intp]
    own: tuple[Array, ...]
    order: NDArray[np.intp]
    muscles: MuscleParts

    def strands_at(self, rows: NDArray[np.intp], columns: Any) -> Array:
        """Return additional changes by muscles as strands, (strands, V, n), at pairs (n,) of a row and a coordinate."""
        after = np.clip(np.searchsorted(self.rows, rows, side="left"), 1 if len(self.rows) > 1 else 0, None)
        before = np.maximum(after - 1, 0)
        width = np.maximum(self.rows[after] - self.rows[before], 1)
        weight = (rows - self.rows[before]) / width
        if not np.ndim(columns):
            places, inverse = np.unique(np.concatenate([before, after]), return_inverse=True)
            start, end = np.split(self._solved(places, columns)[..., inverse], 2, axis=-1)
        else:
            start, end = self._solved(before, columns), self._solved(after, columns)
        return (1 - weight) * start + weight * end

    def _solved(self, places: NDArray[np.intp], columns: Any) -> Array:
        """Return additional changes by strands, (strands, V, n), at rows (n,) of the solved ones."""
        values, at = np.empty((*self.own[0][:, 0, :, 0].shape, len(places))), self.order[places]
        first = 0
        for block in self.own:
            here = np.flatnonzero((at >= first) & (at < first + block.shape[1]))
            if len(here):
                of_column = columns if np.ndim(columns) == 0 else np.asarray(columns)[here]
                # Advanced indices that a slice parts come first: (n, strands, V).
                values[..., here] = np.moveaxis(block[:, at[here] - first, :, of_column], 0, -1)
            first += block.shape[1]
        return values - self.muscles.own[self.rows[places], :, columns].T[self.bellies.varied]


class DifferenceParts(NamedTuple):
    """Parts of n differences, inertial less lumped, in the order of :class:`~.bellies.Weights`.

    Attributes:
        muscles: what each muscle changes with its own mass, (muscles, n).
        strands: what muscles would change more as strands, (strands, V, n).
    """

    muscles: Array
    strands: Array

    @property
    def stacked(self) -> Array:
        """All parts, (muscles + strands V, n)."""
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
    muscles = parts_at(muscle_parts, couplings, rows, columns)
    if band_parts is None:
        return DifferenceParts(muscles, np.zeros((0, 0, len(rows))))
    return DifferenceParts(muscles, _folded(band_parts.strands_at, couplings, rows, columns))


def parts_at(muscle_parts: MuscleParts, couplings: Sequence[Coupling], rows: NDArray[np.intp], columns: Any) -> Array:
    """Return the parts of muscles (muscles, n); arguments as for :func:`difference_parts`."""
    return _folded(muscle_parts.at, couplings, rows, columns)


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


def sure_rows(table: pd.DataFrame, doubtful: NDArray[np.bool_]) -> pd.DataFrame:
    """Return a table with NaN in doubtful rows (T,)."""
    return table.mul(np.where(doubtful, np.nan, 1.0), axis=0) if doubtful.any() else table


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
