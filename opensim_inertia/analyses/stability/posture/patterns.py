"""Activation patterns that hold a posture, drawn uniformly from all that do (hit and run)."""

from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from ...._core.arrays import Array
from ...._core.checks import check_count
from ...._core.errors import ModelError, OptionError
from .equilibrium import Posture, check_posture

__all__ = ["sample_patterns"]

#: Samples at most.
MOST = 10_000_000
#: Walks that go side by side.
WALKS = 1000
#: Vertices, per dimension, whose spread shapes the steps and among which walks start.
VERTICES = 4
#: Steps before the first sample and between samples, per dimension.
MIXING = 20
#: Singular values of effects below this share of the largest are none.
DEPENDENT = 1e-10


def sample_patterns(p: Posture, n: int, seed: int = 0) -> Array:
    """Return activation patterns (n, m) that hold a posture, distributed uniformly among all that do.

    They are points of the polytope ``{a : B a = c, lower <= a <= upper}``, B being the muscles' moments per unit of
    activation and c those that the posture asks for: exactly the patterns that hold it with rigid tendons. With elastic
    ones they hold it to some 1 %, and ``equilibrate(..., activations=...)`` finds the nearest that does. Controls of
    actuators that are no muscles stay those of the posture.

    Hit and run: walks start at random mixtures of vertices of the polytope, and their steps have its spread.

    Args:
        p: the posture.
        n: the number of patterns.
        seed: of the random numbers.

    Raises:
        OptionError: n is no such number. ModelError: only one pattern holds the posture, or there are no muscles.
    """
    check_posture(p)
    count = check_count("n", n, MOST)
    m = len(p.activations)
    _check_seed(seed)
    activations, B = np.array(list(p.activations.values())), p.effect[:, :m]
    lower, upper = p.bounds[:m].T
    free = null_space(B, rcond=DEPENDENT) if m else np.zeros((0, 0))
    if not free.shape[1]:
        raise ModelError("only one activation pattern holds the posture: there are no more muscles than moments")
    rng = np.random.default_rng(seed)
    vertices = _vertices(B, B @ activations, lower, upper, VERTICES * free.shape[1], rng)
    middle = vertices.mean(axis=0)
    spread = (vertices - middle) @ free
    left = np.linalg.svd(spread, full_matrices=False)
    shape = (left[2].T * left[1]) @ left[2] / np.sqrt(len(vertices))
    if left[1].max() < DEPENDENT:
        raise ModelError("only one activation pattern holds the posture: every other one is out of bounds")
    steps = free @ shape
    walks = min(count, WALKS)
    mixing = MIXING * free.shape[1]
    at = rng.dirichlet(np.ones(len(vertices)), walks) @ vertices
    samples = []
    for _ in range(-(-count // walks)):
        for _ in range(mixing):
            at = _stepped(at, steps @ rng.normal(size=(steps.shape[1], walks)), lower, upper, rng)
        at = np.clip(
            activations + (at - activations) @ free @ free.T, lower, upper
        )  # without the rounding of all steps
        samples.append(at)
    return np.concatenate(samples)[:count]


def _check_seed(seed: int) -> None:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise OptionError("seed", seed, "a whole number of at least zero")


def _vertices(B: Array, c: Array, lower: Array, upper: Array, n: int, rng: np.random.Generator) -> Array:
    """Return vertices (n, m) of the polytope, each the best one in a random direction."""
    from scipy.optimize import linprog  # only now: not every posture is asked for its patterns

    bounds = np.column_stack([lower, upper])
    size = float(np.abs(B).max())
    vertices = []
    for _ in range(n):
        answer = linprog(rng.normal(size=len(lower)), A_eq=B / size, b_eq=c / size, bounds=bounds, method="highs")
        if answer.status != 0:
            raise ModelError("no activation pattern within bounds holds the posture")
        vertices.append(answer.x)
    return np.array(vertices)


def _stepped(at: Array, along: Array, lower: Array, upper: Array, rng: np.random.Generator) -> Array:
    """Return walks (w, m) moved along directions (m, w), to places that are uniform between the bounds."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ends = np.stack([(lower - at) / along.T, (upper - at) / along.T])
    still = along.T == 0
    last = np.where(still, np.inf, ends.max(axis=0)).min(axis=1)
    first = np.where(still, -np.inf, ends.min(axis=0)).max(axis=1)
    length = np.clip(last - first, 0.0, None)
    reach = first + length * rng.uniform(size=len(at))
    return np.clip(at + reach[:, None] * along.T, lower, upper)
