"""Activation patterns that hold a posture, and the share of them that is stable (Bunderson et al. 2012, fig. 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.linalg import null_space

from ..._core.arrays import Array
from ..._core.checks import check_count
from ..._core.errors import ModelError, OptionError
from ..._core.representation import Described
from .activation_linear import ActivationLinear
from .equilibrium import Posture, check_posture
from .linearize import check_stiffness
from .result import decays

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


#: Patterns, and stiffnesses [largest isometric forces per optimal fibre length], if none are given.
PATTERNS = 1000
STIFFNESSES = tuple(np.round(np.arange(0.0, 5.01, 0.5), 2).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class StableShare(Described):
    """Which activation patterns of a posture are stable, over intrinsic stiffness.

    Attributes:
        muscles: names of the m muscles.
        patterns: activations (N, m).
        stiffnesses: intrinsic stiffnesses (G,) [largest isometric forces per optimal fibre length].
        eigenvalues: of each pattern at each stiffness, complex (G, N, n) [1/s].
        model: the model's name.
        provenance: what tells how this was made, see :meth:`InertialModel.provenance`.
    """

    muscles: tuple[str, ...]
    patterns: Array
    stiffnesses: Array
    eigenvalues: Array
    model: str = ""
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def description(self) -> Mapping[str, str]:
        """Return how many patterns there are, and the share at each stiffness."""
        shares = zip(self.stiffnesses, self.share, strict=True)
        return {
            "model": self.model,
            "patterns": f"{len(self.patterns)} of {len(self.muscles)} muscles",
            "stable": ", ".join(f"{100 * share:.3g} % at {stiffness:g}" for stiffness, share in shares),
        }

    @property
    def rightmost(self) -> Array:
        """The eigenvalue with the largest real part of each pattern at each stiffness, complex (G, N) [1/s]."""
        values = self.eigenvalues
        return np.asarray(np.take_along_axis(values, values.real.argmax(axis=-1)[..., None], -1)[..., 0])

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether each pattern is stable at each stiffness (G, N)."""
        return decays(self.eigenvalues)

    @property
    def share(self) -> Array:
        """The share of patterns that are stable at each stiffness (G,)."""
        return np.asarray(self.stable.mean(axis=1))

    def table(self) -> pd.DataFrame:
        """Return the share, and doubling times [s] of the fastest and the median unstable pattern, per stiffness."""
        growth = self.rightmost.real
        doubling = np.log(2) / np.where(growth > 0, growth, np.nan)
        some = ~np.isnan(doubling).all(axis=1)
        shortest, median = np.full(len(some), np.nan), np.full(len(some), np.nan)
        shortest[some], median[some] = np.nanmin(doubling[some], axis=1), np.nanmedian(doubling[some], axis=1)
        columns = {"stable_share": self.share, "shortest_doubling_time": shortest, "median_doubling_time": median}
        return pd.DataFrame(columns, index=pd.Index(self.stiffnesses, name="intrinsic_stiffness"))


def stable_share(
    p: Posture,
    stiffnesses: Sequence[float] | Array = STIFFNESSES,
    patterns: int | Array = PATTERNS,
    seed: int = 0,
    *,
    approximate: bool = False,
) -> StableShare:
    """Return which of many activation patterns that hold a posture are stable, over intrinsic stiffness.

    Args:
        p: the posture; its muscles have rigid tendons and no activation dynamics, as :class:`ActivationLinear` wants.
        stiffnesses: intrinsic stiffnesses [largest isometric forces per optimal fibre length] (G,).
        patterns: how many are drawn (:func:`sample_patterns`), or activations (N, m) in the order of ``p.activations``.
        seed: of the random numbers.
        approximate: as :class:`ActivationLinear` takes it.

    Raises:
        OptionError: a stiffness is not a number from 0 to 1e6, or a number or patterns that cannot be. ModelError: a
            muscle has activation dynamics or an elastic tendon.
    """
    gammas = np.asarray(stiffnesses, dtype=float).reshape(-1)
    if not len(gammas):
        raise OptionError("stiffnesses", stiffnesses, "at least one number")
    for gamma in gammas.tolist():
        check_stiffness(gamma, "stiffnesses")
    check_posture(p)
    muscles = set(p.activations)
    linear = ActivationLinear(
        p.inertial,
        p.state,
        excitations={name: value for name, value in p.excitations.items() if name not in muscles},
        forces=p.external_forces,
        point_forces=p.point_forces,
        approximate=approximate,
    )
    drawn = sample_patterns(p, patterns, seed) if isinstance(patterns, int | np.integer) else np.asarray(patterns)
    eigenvalues = np.array([linear.eigenvalues(drawn, gamma) for gamma in gammas.tolist()])
    name, provenance = p.inertial.model.getName(), p.provenance()
    return StableShare(linear.muscles, drawn, gammas, eigenvalues, name, provenance)
