"""The discrete adjoint: an objective's cotangents carried back through the steps of a simulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ...dynamics.equations.derivatives import Derivatives, Differentiator
from ...dynamics.equations.projection import Projection
from ...dynamics.equations.system import System
from ...dynamics.integrators import FixedStep, Stage
from ..forward_simulation.steppers import FixedSteps
from .interface import Contribution


@dataclass(frozen=True)
class Step:
    """One step as it was made: its length [s], its stages, and where it ended before its projection."""

    length: float
    stages: tuple[Stage, ...]
    landed: Stage


class StageAdjoint:
    """The vjp of the right-hand side in steps (see :class:`~opensim_inertia.dynamics.integrators.StageVjp`), which adds
    to the parameters' contributions.
    """

    def __init__(self, differentiator: Differentiator, contributions: Sequence[Contribution]) -> None:
        self._differentiator, self._contributions = differentiator, contributions
        self._controls = any(contribution.needs_controls for contribution in contributions)

    def explicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return weight (df/dy)^T cotangent; see :class:`StageVjp`."""
        at = self._at(stage)
        self._contribute(stage, at, weight * cotangent)
        return np.asarray(weight * (at.jacobian.T @ cotangent))

    def implicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return (1 - weight df/dy)^-T cotangent; see :class:`StageVjp`."""
        at = self._at(stage)
        matrix = np.eye(len(cotangent)) - weight * at.jacobian.T
        solution = np.asarray(np.linalg.solve(matrix, cotangent), dtype=np.float64)
        self._contribute(stage, at, weight * solution)
        return solution

    def _at(self, stage: Stage) -> Derivatives:
        return self._differentiator.at(*stage, controls=self._controls)

    def _contribute(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        for contribution in self._contributions:
            contribution.add_rates(stage, at, cotangent)


class Tape:
    """The steps of a simulation, kept as far as memory allows; from checkpoints between, steps are made again.

    Args:
        system: the equations.
        method: the integrator.
        times: where steps end, and first where they start (n + 1,) [s].
        most: steps that may be kept at a time.
    """

    def __init__(self, system: System, method: FixedStep, times: Array, most: int) -> None:
        self._system, self._method, self._times = system, method, times
        self._most = max(1, most)
        self._checkpoints: list[Array] = []
        self._kept: list[Step] = []

    def record(self, y: Array) -> Iterator[Array]:
        """Run the simulation from y (ny,), and yield the state after each step."""
        steps = len(self._times) - 1
        for first in range(0, steps, self._most):
            self._checkpoints.append(y)
            self._kept = []
            for step, after in self._run(first, y):
                self._kept.append(step)
                y = after
                yield after

    def backwards(self) -> Iterator[Step]:
        """Yield the steps, the last one first."""
        last = len(self._checkpoints) - 1
        for i in range(last, -1, -1):
            first = i * self._most
            yield from reversed(self._kept if i == last else [s for s, _ in self._run(first, self._checkpoints[i])])

    def _run(self, first: int, y: Array) -> Iterator[tuple[Step, Array]]:
        """Make up to ``most`` steps; Newton's method starts afresh, so that they come out the same every time."""
        times = self._times[first : first + self._most + 1].tolist()
        stepper = FixedSteps(self._method, self._system, times[0], y)
        for start, end in zip(times, times[1:], strict=False):
            stepper.step_to(end)
            yield Step(end - start, stepper.stages, stepper.landed), stepper.y


def trajectory_vjp(
    tape: Tape,
    method: FixedStep,
    cotangents: Array,
    stages: StageAdjoint,
    projection: Projection,
    advance: Callable[[], object],
) -> Array:
    """Return the cotangent (ny,) of the projected state where the simulation starts.

    Args:
        tape: the simulation.
        method: its integrator.
        cotangents: the objective's derivatives over the state at the start and after every step (n + 1, ny).
        stages: the vjp of the right-hand side.
        projection: that of the projection on the constraints.
        advance: called after each step, to show progress.
    """
    cotangent = cotangents[-1].copy()
    for i, step in enumerate(tape.backwards(), start=2):
        cotangent = projection.vjp(*step.landed, cotangent)
        cotangent = method.vjp(step.length, step.stages, cotangent, stages)
        cotangent = cotangent + cotangents[-i]
        advance()
    return cotangent
