"""The discrete adjoint: an objective's cotangents carried back through the steps of a simulation."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..._core.arrays import Array
from ...dynamics.equations.derivatives import Derivatives, Differentiator, Projection
from ...dynamics.equations.system import System
from ...dynamics.integrators import FixedStep, Stage
from ..forward_simulation.steppers import FixedSteps
from ..forward_simulation.trajectory import Trajectory
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


@dataclass(frozen=True)
class Run:
    """One simulation: its parameters' values, and what its gradient needs."""

    values: dict[str, Array]
    trajectory: Trajectory
    start: Array
    system: System
    steps: tuple[Step, ...]


def recorded(system: System, method: FixedStep, times: Array, y: Array) -> Iterator[tuple[Step, Array]]:
    """Run a simulation from y (ny,) along times (n + 1,) [s], and yield each step and the state after it."""
    stepper = FixedSteps(method, system, float(times[0]), y)
    for start, end in itertools.pairwise(times.tolist()):
        stepper.step_to(end)
        yield Step(end - start, stepper.stages, stepper.landed), stepper.y


def trajectory_vjp(
    steps: Sequence[Step],
    method: FixedStep,
    cotangents: Array,
    stages: StageAdjoint,
    projection: Projection,
    advance: Callable[[], object],
) -> Array:
    """Return the cotangent (ny,) of the projected state where the simulation starts.

    ``cotangents`` (n + 1, ny) are the objective's derivatives over the states; ``advance`` is called after each step.
    """
    cotangent = cotangents[-1].copy()
    for step, at_start in zip(reversed(steps), cotangents[-2::-1], strict=True):
        cotangent = projection.vjp(*step.landed, cotangent)
        cotangent = method.vjp(step.length, step.stages, cotangent, stages)
        cotangent = cotangent + at_start
        advance()
    return cotangent
