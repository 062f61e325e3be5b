"""Gradients of whole simulations by central differences, and an objective whose own slopes are plain."""

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

import opensim_inertia as oi

from .finite_differences import Array

STEP = 1e-5  # Step of central differences along a direction, as a share of it


class Objective:
    """Something smooth of all states of a trajectory; every state variable counts, at the end and on the way."""

    def __init__(self, y: Array, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        size = 0.1 + np.abs(y).max(axis=0)
        self.end = rng.choice([-1.0, 1.0], len(size)) * rng.uniform(0.5, 1.5, len(size)) / size
        self.way = rng.uniform(0.5, 1.5, len(size)) / size**2

    def __call__(self, y: Array) -> float:
        """The objective of states (T, ny)."""
        return float(self.end @ y[-1] + 0.5 * np.mean(y**2 @ self.way))

    def slopes(self, y: Array) -> Array:
        slopes = y * self.way / len(y)
        slopes[-1] += self.end
        return slopes


def slope_along(function: Callable[[float], float], longest: float, lengths: int = 3) -> tuple[float, float]:
    """Slope of ``function`` at 0 by central differences, and how far it is from that of a neighbouring step.

    Of several step lengths, each a quarter of the one before, and of what two lengths make of fourth order
    (Richardson), that on which neighbours agree best: OpenSim's own wrapped paths jump by micrometres here and there,
    and long steps cross kinks, so that no single length serves.
    """
    second = [(function(h) - function(-h)) / (2 * h) for h in longest / 4.0 ** np.arange(lengths)]
    fourth = [fine + (fine - coarse) / 15 for coarse, fine in pairwise(second)]
    apart, best = min((abs(one - two), two) for one, two in (*pairwise(second), *pairwise(fourth)))
    return best, apart


def slopes_along(
    simulation: oi.DifferentiableSimulation, objective: Callable[[Any], Any], name: str, start: Array, along: Array
) -> tuple[float, float]:
    """Slope of an objective in PyTorch along a direction in a parameter, by its gradient and by central differences."""
    import torch

    _, gradient, _ = simulation.evaluate(objective, {name: start})
    with torch.no_grad():
        ends = [objective(simulation(**{name: torch.from_numpy(start + h * along)})).item() for h in (STEP, -STEP)]
    return float(np.sum(gradient[name] * along)), (ends[0] - ends[1]) / (2 * STEP)


def errors(
    simulation: oi.DifferentiableSimulation,
    moves: Mapping[str, Any],
    values: Mapping[str, Any] | None = None,
    objective: Objective | None = None,
) -> dict[str, float]:
    """Error of the adjoint gradient by parameter, against differences of the simulation along one move of each."""
    start = {n: np.array(v, dtype=float) for n, v in {**simulation.values, **(values or {})}.items()}
    run = simulation.run(start)
    objective = objective or Objective(run.trajectory.y)
    gradient = simulation.gradient(run, objective.slopes(run.trajectory.y))
    worst = {}
    for name, move in moves.items():
        rng = np.random.default_rng(len(worst))
        shape = start[name].shape
        along = rng.choice([-1.0, 1.0], shape) * rng.uniform(0.5, 1.0, shape) * np.asarray(move)

        def outcome(share: float, name: str = name, along: Array = along) -> float:
            return objective(simulation.run({**start, name: start[name] + share * along}).trajectory.y)

        slope, _ = slope_along(outcome, 1.0)
        size = float(np.abs(gradient[name] * along).sum())
        assert size > 0, f"{name} changes nothing"
        worst[name] = abs(float(np.sum(gradient[name] * along)) - slope) / size
    return worst
