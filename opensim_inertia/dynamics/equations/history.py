"""The past of a simulation: states at all past times, by the integrator's interpolation."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

import numpy as np

from ..._core.arrays import Array

#: Gives the state (ny,) at a time [s] within one step.
Piece = Callable[[float], Array]


class History:
    """States until now, one piece for each step; before the first they are constant, or another history's."""

    def __init__(self, t: float, y: Array, before: History | None = None) -> None:
        self.start, self._first, self.before = t, np.array(y), before
        #: Times [s] at which rates jump of themselves, the start among them, and those of what was before.
        self.jumps: set[float] = {t} if before is None else {t, *before.jumps}
        self._ends: list[float] = []
        self._pieces: list[Piece] = []

    @property
    def end(self) -> float:
        """The time until which it is known [s]."""
        return self._ends[-1] if self._ends else self.start

    def append(self, end: float, piece: Piece) -> None:
        """Add a step that ends at a time [s]."""
        self._ends.append(end)
        self._pieces.append(piece)

    def clear(self) -> None:
        """Forget all steps, but not what was before them."""
        self._ends, self._pieces = [], []

    def at(self, t: float) -> Array:
        """Return the state (ny,) at a time [s]; after the end, the one there."""
        if t < self.start and self.before is not None:
            return self.before.at(t)
        if t <= self.start or not self._ends:
            return self._first
        t = min(t, self._ends[-1])
        return np.asarray(self._pieces[bisect_left(self._ends, t)](t))
