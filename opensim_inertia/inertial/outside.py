"""A collection of the coordinates that left the ranges over which paths were fitted, and a warning for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Lock

import numpy as np

from ..arrays import Array
from ..checks import warn
from ..wrapping import FittedPath, PathFitWarning

#: A range is left by more than this share of it.
BEYOND = 1e-3


class OutsideRanges:
    """The coordinates that left a muscle's fitted ranges, each pair of which is warned of once.

    Args:
        fitted: fitted paths by muscle.
        coordinates: names along the axis of coordinates.
    """

    def __init__(self, fitted: Mapping[str, FittedPath], coordinates: Sequence[str]) -> None:
        self._names = tuple(coordinates)
        self._ranges = {muscle: path.ranges for muscle, path in fitted.items() if path.ranges}
        low, high = np.full(len(self._names), -np.inf), np.full(len(self._names), np.inf)
        for ranges in self._ranges.values():
            for name, (first, last) in ranges.items():
                at = self._names.index(name)
                low[at], high[at] = max(low[at], first), min(high[at], last)
        beyond = np.where(np.isfinite(high - low), BEYOND * np.abs(high - low), 0.0)
        self._low, self._high = low - beyond, high + beyond
        self._furthest: dict[tuple[str, str], float] = {}
        self._warned: set[tuple[str, str]] = set()
        self._noting = Lock()

    def note(self, q: Array) -> None:
        """Note what of coordinate values (nu,) [rad or m] lies outside."""
        if not self._ranges:
            return
        out = (q < self._low) | (q > self._high)
        if out.any():
            for at in np.flatnonzero(out).tolist():
                self._note(self._names[at], float(q[at]))

    def _note(self, coordinate: str, value: float) -> None:
        left = [m for m, ranges in self._ranges.items() if _beyond(value, ranges.get(coordinate, (-np.inf, np.inf)))]
        with self._noting:
            for muscle in left:
                key, bounds = (muscle, coordinate), self._ranges[muscle][coordinate]
                before = self._furthest.get(key, value)
                self._furthest[key] = max(value, before, key=lambda x: _beyond(x, bounds))
            new = [muscle for muscle in left if (muscle, coordinate) not in self._warned]
            self._warned |= {(muscle, coordinate) for muscle in new}
        if new:
            warn(PathFitWarning(_about(new, coordinate, value, [self._ranges[muscle][coordinate] for muscle in new])))

    def forget(self) -> None:
        """Forget what was noted."""
        self._furthest.clear()

    @property
    def notes(self) -> list[str]:
        """One sentence about each pair noted."""
        return [
            _about([muscle], coordinate, value, [self._ranges[muscle][coordinate]])
            for (muscle, coordinate), value in list(self._furthest.items())
        ]


def _beyond(value: float, bounds: tuple[float, float]) -> float:
    """Return how far a value lies outside bounds; 0 if it does not, or hardly."""
    low, high = bounds
    beyond = max(low - value, value - high)
    return beyond if beyond > BEYOND * (high - low) else 0.0


def _about(muscles: Sequence[str], coordinate: str, value: float, bounds: Sequence[tuple[float, float]]) -> str:
    low, high = max(first for first, _ in bounds), min(last for _, last in bounds)
    named = ", ".join(f"'{muscle}'" for muscle in muscles)
    many = f"muscles {named}: their paths were" if len(muscles) > 1 else f"muscle {named}: its path was"
    return (
        f"{many} fitted for coordinate '{coordinate}' from {low:.4g} to {high:.4g}, and is used at {value:.4g}; "
        "a polynomial may be anywhere there"
    )
