"""The discrete adjoint: slopes of an objective carried back through the steps of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..arrays import Array
from ..equations.linearization import Linearization, Linearizer
from ..equations.projection import Projection, ProjectionShare
from ..equations.system import System
from ..forward.integrators import FixedStep, Stage


@dataclass(frozen=True)
class Step:
    """One step as it was made: its length [s], its stages, and where it ended before its projection."""

    length: float
    stages: tuple[Stage, ...]
    landed: Stage


class Share(ProjectionShare, Protocol):
    """What parameters take from the right-hand side's slope, and from projections."""

    needs_controls: bool

    def add(self, stage: Stage, at: Linearization, slope: Array) -> None:
        """Add (df/dp)^T slope at a stage, slope (ny,) being that of an objective over the right-hand side there."""


class Sweep:
    """The right-hand side's share in steps, transposed (see ``integrators.Rates``); what parameters take goes to
    ``shares``.
    """

    def __init__(self, linearizer: Linearizer, shares: list[Share]) -> None:
        self._linearizer, self._shares = linearizer, shares
        self._controls = any(share.needs_controls for share in shares)

    def explicit(self, stage: Stage, weight: float, slope: Array) -> Array:
        """weight (df/dy)^T slope."""
        at = self._at(stage)
        self._hand_out(stage, at, weight * slope)
        return np.asarray(weight * (at.jacobian.T @ slope))

    def implicit(self, stage: Stage, weight: float, slope: Array) -> Array:
        """(1 - weight df/dy)^-T slope."""
        at = self._at(stage)
        found = np.asarray(np.linalg.solve(np.eye(len(slope)) - weight * at.jacobian.T, slope), dtype=np.float64)
        self._hand_out(stage, at, weight * found)
        return found

    def _at(self, stage: Stage) -> Linearization:
        return self._linearizer.at(*stage, controls=self._controls)

    def _hand_out(self, stage: Stage, at: Linearization, slope: Array) -> None:
        for share in self._shares:
            share.add(stage, at, slope)


class Tape:
    """The steps of a simulation, kept as far as memory allows; from checkpoints between, steps are made again.

    Args:
        system: the equations.
        method: the integrator.
        times: where steps end, and first where they start (n + 1,) [s].
        accuracy: of implicit equations.
        most: steps that may be kept at a time.
    """

    def __init__(self, system: System, method: type[FixedStep], times: Array, accuracy: float, most: int) -> None:
        self._system, self._method, self._times, self._accuracy = system, method, times, accuracy
        self._most = max(1, most)
        self._checkpoints: list[Array] = []
        self._kept: list[Step] = []

    def record(self, y: Array) -> Iterator[Array]:
        """Run the simulation from y (ny,); gives the state after each step."""
        steps = len(self._times) - 1
        for first in range(0, steps, self._most):
            self._checkpoints.append(y)
            self._kept = []
            for step, after in self._run(first, y):
                self._kept.append(step)
                y = after
                yield after

    def backwards(self) -> Iterator[Step]:
        """The steps, the last one first."""
        last = len(self._checkpoints) - 1
        for i in range(last, -1, -1):
            first = i * self._most
            yield from reversed(self._kept if i == last else [s for s, _ in self._run(first, self._checkpoints[i])])

    def _run(self, first: int, y: Array) -> Iterator[tuple[Step, Array]]:
        """Up to ``most`` steps; Newton's method starts afresh, so that they come out the same every time."""
        times = self._times[first : first + self._most + 1].tolist()
        stepper = self._method(self._system, times[0], y, 1.0, self._accuracy)
        for start, end in zip(times, times[1:], strict=False):
            stepper.step_to(end)
            yield Step(end - start, stepper.stages, stepper.landed), stepper.y


def pull_back(
    tape: Tape,
    method: type[FixedStep],
    slopes: Array,
    sweep: Sweep,
    projection: Projection,
    advance: Callable[[], object],
) -> Array:
    """An objective's slope over the state (ny,) where the simulation starts.

    Args:
        tape: the simulation.
        method: its integrator.
        slopes: the objective's own over the state at the start and after every step (n + 1, ny).
        sweep: takes what parameters get.
        projection: on the constraints.
        advance: called after each step, to show progress.
    """
    slope = slopes[-1].copy()
    for i, step in enumerate(tape.backwards(), start=2):
        slope = projection.pull_back(*step.landed, slope)
        slope = method.pull_back(step.length, step.stages, slope, sweep)
        slope = slope + slopes[-i]
        advance()
    return slope
