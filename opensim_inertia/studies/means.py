"""Mean curves over trials, by condition and assumption: normalised to a cycle, or over the time that trials share.

Trials are averaged within a subject first, then subjects; deviations are between subjects. Points that jumps of a
recording make doubtful are left out of both. The band is the mean of the trials' bands: the band of the mean where
unknown masses and bellies are the same for everybody, and wider than it where they are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .store import KINDS, TaskResult
from .tasks import Task

__all__ = ["DIFFERENCE", "MEANS", "Axis", "MeanCurve", "Means", "interpolated"]

DIFFERENCE = "difference"
#: Names of the averaged curves.
MEANS = (*KINDS, DIFFERENCE)

Group = tuple[str, tuple[str | float, ...]]
Label = tuple[str, str, str]


@dataclass(frozen=True)
class Axis:
    """The axis of mean curves: "cycle", or "time" with the span [s] that all trials of a condition share."""

    kind: str
    points: int
    spans: dict[str, tuple[float, float]] = field(default_factory=dict)

    def places(self, condition: str) -> Array:
        """Return percent of the cycle, or times [s], (points,)."""
        return np.linspace(*((0.0, 100.0) if self.kind == "cycle" else self.spans[condition]), self.points)

    def times(self, task: Task) -> Array | None:
        """Return the times (points,) of a task's points [s]; None where its condition's trials share no time."""
        span = task.trial.events if self.kind == "cycle" else self.spans.get(task.trial.condition)
        return None if span is None or not span[0] < span[1] else np.linspace(*span, self.points)


@dataclass(frozen=True)
class MeanCurve:
    """A mean curve.

    Attributes:
        group: condition, and assumptions in the order of the grid.
        label: quantity, name and unit.
        subjects, trials: numbers of those in it.
        mean, deviation: by :data:`MEANS`, (5, points); the latter between subjects, NaN for a single one.
    """

    group: Group
    label: Label
    subjects: int
    trials: int
    mean: Array
    deviation: Array


def interpolated(result: TaskResult, times: Array) -> Array | None:
    """Return a result's curves at times, (5, points, n) as :data:`MEANS`; None where it does not span them.

    Rows without an answer count as rows that the motion does not have, and one row may lack at either end. Points
    beside doubtful ones are NaN.
    """
    answered, sure = result.answered, result.sure
    known = result.times[answered]
    slack = float(np.diff(known).max()) if len(known) > 1 else 0.0
    if times[0] < known[0] - slack or times[-1] > known[-1] + slack:
        return None
    every = np.stack([sure[kind][answered] for kind in KINDS])
    curves = np.apply_along_axis(lambda values: np.interp(times, known, values), 1, every)
    difference = curves[KINDS.index("inertial")] - curves[KINDS.index("lumped")]
    return np.concatenate([curves, difference[None]])


class _Running:
    """Mean and sum of squared deviations over the subjects known at each point (Welford's), (5, points)."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.mean, self.squares, self.known = np.zeros(shape), np.zeros(shape), np.zeros(shape, np.intp)
        self.subjects, self.trials = 0, 0

    def add(self, curve: Array, trials: int) -> None:
        self.subjects += 1
        self.trials += trials
        self.known += np.isfinite(curve)
        change = np.where(np.isfinite(curve), curve - self.mean, 0.0)
        self.mean += change / np.maximum(self.known, 1)
        self.squares += change * np.where(np.isfinite(curve), curve - self.mean, 0.0)


class Means:
    """Mean curves that grow trial by trial; memory does not grow with their number.

    Attributes:
        on_base: names of coordinates that move a whole model in ground.
        left_out: trials whose motion does not span the cycle, in the order in which they came.
    """

    def __init__(self, axis: Axis) -> None:
        self._axis = axis
        self._subject: str | None = None
        self._of_subject: dict[tuple[Group, Label], list[Array]] = {}
        self._running: dict[tuple[Group, Label], _Running] = {}
        self.on_base: set[str] = set()
        self.left_out: dict[str, None] = {}

    def add(self, task: Task, result: TaskResult) -> None:
        """Add a result; those of a subject must follow each other."""
        if task.trial.subject != self._subject:
            self._close()
            self._subject = task.trial.subject
        times = self._axis.times(task)
        curves = None if times is None else interpolated(result, times)
        if curves is None:
            self.left_out[task.trial.id] = None
            return
        group = (task.trial.condition, task.grid)
        self.on_base.update(name for name, is_so in zip(result.names, result.on_base, strict=True) if is_so)
        for i, label in enumerate(zip(result.quantities, result.names, result.units, strict=True)):
            self._of_subject.setdefault((group, label), []).append(curves[:, :, i])

    def _close(self) -> None:
        """Add the mean of a subject's trials to the means over subjects."""
        for key, curves in self._of_subject.items():
            self._running.setdefault(key, _Running(curves[0].shape)).add(_mean(np.stack(curves)), len(curves))
        self._of_subject.clear()

    def curves(self) -> Iterator[MeanCurve]:
        """Yield the mean curves, group by group."""
        self._close()
        groups = dict.fromkeys(group for group, _ in self._running)
        for group in groups:
            for (of, label), running in self._running.items():
                if of == group:
                    mean = np.where(running.known > 0, running.mean, np.nan)
                    spread = np.where(running.known > 1, running.squares / np.maximum(running.known - 1, 1), np.nan)
                    yield MeanCurve(group, label, running.subjects, running.trials, mean, np.sqrt(spread))


def _mean(curves: Array) -> Array:
    """Return the mean over the first axis of what is not NaN; NaN where nothing is."""
    known: NDArray[np.intp] = np.isfinite(curves).sum(axis=0)
    return np.where(known > 0, np.nansum(curves, axis=0) / np.maximum(known, 1), np.nan)
