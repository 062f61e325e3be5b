"""The uncertainty of an answer: its spread over the masses and the places of bellies, which nobody knows exactly.

The difference that muscles make is a sum over muscles, and linear in their masses. So draws of masses need no other
solution. Mass: each muscle's is its own by a factor, lognormal with a mean of one, a coefficient of variation of 25 %,
and half of the variance of its logarithm common to all muscles (specific tension and density are guessed once for all
of them). Placement: the length of all aponeuroses is 0.5 to 1.5 of its value, within what the slack length allows,
uniformly, and the answer is interpolated between three solutions. Seeds are fixed: the same input gives the same band.
A remainder that is no body is so at every mass that is drawn: its excess follows the placement, not the masses.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np

from ..arrays import Array
from ..errors import OptionError
from ..representation import html_table

#: Numbers that are drawn at once, at most.
MOST_AT_ONCE = 2**22

#: Factors on the length of aponeuroses between which an answer is interpolated; the second is the answer itself.
PLACEMENTS = (0.5, 1.0, 1.5)


@dataclass(frozen=True)
class Uncertainty:
    """The unknowns that a band covers, and how much of their spread.

    Attributes:
        mass_cv: coefficient of variation of each muscle's mass.
        common: part of the variance of its logarithm that all muscles have in common.
        level: part of the draws within the band.
        draws: how many draws there are.
        seed: seed of the random numbers.
        placement: whether the length of aponeuroses is unknown, too.
    """

    mass_cv: float = 0.25
    common: float = 0.5
    level: float = 0.95
    draws: int = 2000
    seed: int = 0
    placement: bool = True

    def __post_init__(self) -> None:
        for name, low, high in (("mass_cv", 0.0, 2.0), ("common", 0.0, 1.0), ("level", 0.0, 1.0)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
                raise OptionError(name, value, f"a number from {low:g} to {high:g}")
        for name, least, largest in (("draws", 100, 100_000), ("seed", 0, 2**63)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= largest:
                raise OptionError(name, value, f"a whole number from {least} to {largest}")
        if not isinstance(self.placement, bool):
            raise OptionError("placement", self.placement, "True or False")

    def _repr_html_(self) -> str:
        rows = [(name, f"{value:g}") for name, value in asdict(self).items()]
        return html_table("Uncertainty", ["what", "value"], rows)

    def mass_factors(self, muscles: int) -> Array:
        """Return factors on the masses, (draws, muscles)."""
        rng = np.random.default_rng([self.seed, 1])
        shared = rng.standard_normal((self.draws, 1))
        own = rng.standard_normal((self.draws, muscles))
        return self.factors_of(shared, own)

    def factors_of(self, shared: Array, own: Array) -> Array:
        """Return factors on the masses (..., muscles) of standard normal numbers.

        Args:
            shared: the number that all muscles have in common, (..., 1).
            own: each muscle's own, (..., muscles).
        """
        sigma = np.sqrt(np.log1p(self.mass_cv**2))
        return np.exp(sigma * (np.sqrt(self.common) * shared + np.sqrt(1 - self.common) * own) - 0.5 * sigma**2)

    def placement_weights(self) -> Array:
        """Return the weights of the solutions at :data:`PLACEMENTS`, (draws, 3)."""
        rng = np.random.default_rng([self.seed, 2])
        return weights_of(rng.uniform(PLACEMENTS[0], PLACEMENTS[-1], self.draws))


def weights_of(factors: Array) -> Array:
    """Return the weights of the solutions at :data:`PLACEMENTS`, (n, 3), for factors (n,) on aponeuroses' lengths."""
    return np.stack([np.interp(factors, PLACEMENTS, row) for row in np.eye(3)], axis=1)


def draw(differences: Array, rest: Array, uncertainty: Uncertainty) -> Array:
    """Return draws of a difference, (n, draws).

    Args:
        differences: what each muscle adds, with its own mass, (placements, muscles, n); one placement or those of
            :data:`PLACEMENTS`.
        rest: what does not depend on the masses, (placements, n).
        uncertainty: what is drawn.
    """
    of_muscles, of_rest = _weights(uncertainty, *differences.shape[:2])
    flat = differences.reshape(len(of_muscles), -1)
    adding = flat.any(axis=1)
    if not adding.all():
        of_muscles, flat = of_muscles[adding], flat[adding]
    # Not a product of matrices: for its few columns, threads would cost more than they save.
    return np.einsum("kd,kn->nd", of_muscles, flat) + np.einsum("pd,pn->nd", of_rest, rest)


@lru_cache(maxsize=4)
def _weights(uncertainty: Uncertainty, placements: int, muscles: int) -> tuple[Array, Array]:
    """Return weights of each muscle at each placement, (placements muscles, draws), and of each placement."""
    factors = uncertainty.mass_factors(muscles).T
    placed = np.ones((1, uncertainty.draws)) if placements == 1 else uncertainty.placement_weights().T
    return (placed[:, None] * factors).reshape(-1, uncertainty.draws), np.ascontiguousarray(placed)


def band(differences: Array, rest: Array, uncertainty: Uncertainty) -> tuple[Array, Array]:
    """Return the lower and upper end (n,) of the band around a difference; arguments are those of :func:`draw`."""
    outside = 0.5 * (1.0 - uncertainty.level)
    ends = [round(share * (uncertainty.draws - 1)) for share in (outside, 1.0 - outside)]
    lower, upper = np.zeros((2, rest.shape[1]))
    changing = np.flatnonzero(differences.any(axis=(0, 1)) | rest.any(axis=0))
    step = max(1, MOST_AT_ONCE // uncertainty.draws)
    for start in range(0, len(changing), step):
        some = changing[start : start + step]
        drawn = draw(differences[:, :, some], rest[:, some], uncertainty)
        drawn.partition(ends, axis=1)
        lower[some], upper[some] = drawn[:, ends[0]], drawn[:, ends[1]]
    return lower, upper
