"""Mean curves over trials, by condition and assumption: normalised to a cycle, or over the time that trials share.

Trials are averaged within a subject first, then subjects. The standard deviation is that between subjects. Points that
jumps of a recording make doubtful are left out of both. The band is
the mean of the trials' bands: that of the mean where what nobody knows of masses and bellies is the same for everybody,
and wider than it where it is not.
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
#: What is averaged.
MEANS = (*KINDS, DIFFERENCE)
#: Rows by which a motion may be shorter than its cycle at either end: one that was cut there begins with the next row.
SHORT = 1.0

Group = tuple[str, tuple[str | float, ...]]
Label = tuple[str, str, str]


@dataclass(frozen=True)
class Axis:
    """The axis of mean curves.

    Attributes:
        kind: "cycle" or "time".
        points: how many points there are.
        spans: with "time", first and last time [s] that all trials of a condition have, by condition.
    """

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
        subjects, trials: how many are in it.
        mean, deviation: by :data:`MEANS`, (5, points); the latter between subjects, NaN for a single one.
    """

    group: Group
    label: Label
    subjects: int
    trials: int
    mean: Array
    deviation: Array


def interpolated(result: TaskResult, times: Array) -> Array | None:
    """Return a result's curves at times, (5, points, n) in the order of :data:`MEANS`; None where it has not all.

    Rows without an answer count as rows that the motion does not have. Points beside doubtful ones are NaN.
    """
    answered = result.answered
    known_times = result.times[answered]
    sure = result.sure
    every = np.stack([sure[kind][answered] for kind in KINDS])
    slack = SHORT * float(np.diff(known_times).max()) if len(known_times) > 1 else 0.0
    if times[0] < known_times[0] - slack or times[-1] > known_times[-1] + slack:
        return None
    if len(known_times) == 1:
        curves = np.repeat(every, len(times), axis=1)
    else:
        before = np.clip(np.searchsorted(known_times, times, side="right") - 1, 0, len(known_times) - 2)
        share = np.clip((times - known_times[before]) / (known_times[before + 1] - known_times[before]), 0.0, 1.0)[
            :, None
        ]
        curves = (1 - share) * every[:, before] + share * every[:, before + 1]
    difference = curves[KINDS.index("inertial")] - curves[KINDS.index("lumped")]
    return np.concatenate([curves, difference[None]])


@dataclass
class _Sum:
    """The sum of curves of one subject, of how many at each point, and the labels of its columns."""

    labels: tuple[Label, ...]
    total: Array
    known: NDArray[np.intp]
    trials: int


@dataclass
class _Running:
    """Mean and sum of squared deviations over the subjects known at each point (Welford's), (5, points)."""

    mean: Array
    squares: Array
    known: NDArray[np.intp]
    subjects: int = 0
    trials: int = 0

    def add(self, curve: Array, trials: int) -> None:
        self.subjects += 1
        self.trials += trials
        self.known += np.isfinite(curve)
        change = np.where(np.isfinite(curve), curve - self.mean, 0.0)
        self.mean += change / np.maximum(self.known, 1)
        self.squares += change * np.where(np.isfinite(curve), curve - self.mean, 0.0)


class Means:
    """Mean curves that grow trial by trial; what is held does not grow with their number.

    Args:
        axis: what curves are over.

    Attributes:
        on_base: names of coordinates that move a whole model in ground.
        left_out: trials whose motion does not span the cycle, in the order in which they came.
    """

    def __init__(self, axis: Axis) -> None:
        self._axis = axis
        self._subject: str | None = None
        self._sums: dict[tuple[Group, tuple[Label, ...]], _Sum] = {}
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
        labels = tuple(zip(result.quantities, result.names, result.units, strict=True))
        sums = self._sums.get((group, labels))
        if sums is None:
            sums = self._sums[group, labels] = _Sum(labels, np.zeros_like(curves), np.zeros(curves.shape, np.intp), 0)
        sums.total += np.nan_to_num(curves)
        sums.known += np.isfinite(curves)
        sums.trials += 1

    def _close(self) -> None:
        """Add the mean of a subject's trials to the means over subjects."""
        together: dict[tuple[Group, Label], tuple[Array, NDArray[np.intp], int]] = {}
        for (group, labels), sums in self._sums.items():
            for i, label in enumerate(labels):
                total, known, trials = together.get((group, label), (0.0, 0, 0))
                sum_of_all = total + sums.total[:, :, i], known + sums.known[:, :, i], trials + sums.trials
                together[group, label] = sum_of_all
        for key, (total, known, trials) in together.items():
            none = np.zeros_like(total), np.zeros_like(total), np.zeros_like(known)
            mean = np.where(known > 0, total / np.maximum(known, 1), np.nan)
            self._running.setdefault(key, _Running(*none)).add(mean, trials)
        self._sums.clear()

    def curves(self) -> Iterator[MeanCurve]:
        """Yield the mean curves, group by group."""
        self._close()
        order: dict[Group, list[tuple[Label, _Running]]] = {}
        for (group, label), running in self._running.items():
            order.setdefault(group, []).append((label, running))
        for group, curves in order.items():
            for label, running in curves:
                mean = np.where(running.known > 0, running.mean, np.nan)
                spread = np.where(running.known > 1, running.squares / np.maximum(running.known - 1, 1), np.nan)
                yield MeanCurve(group, label, running.subjects, running.trials, mean, np.sqrt(spread))
