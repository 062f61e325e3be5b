"""The uncertainty of an answer: its spread over the masses and the places of bellies, which nobody knows exactly.

The difference that muscles make is a sum over muscles, linear in their masses, and over strands of their fibres. So
draws need no other solution. Mass: each muscle's is its own by a factor, lognormal with a mean of one, a coefficient of
variation of 25 %, and half of the variance of its logarithm common to all muscles (specific tension and density are
guessed once for all of them). Placement, for all muscles alike: aponeuroses are 0 to 1.5 of their length, within what
the slack length allows, and the free tendon at the origin is up to half of all free tendon, both uniformly; in a tenth
of the draws tendons are rigid, without aponeuroses and as they are at the origin. Paths stay those of the model. Seeds
are fixed: the same input gives the same band.
"""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np

from ..._core.arrays import Array, product
from ...muscles.material.strands import LARGEST_SHARE, LONGEST
from ...options.recording import Uncertainty
from .bellies import Bellies, Places
from .parts import DifferenceParts

__all__ = [
    "PLACES",
    "RIGID",
    "band",
    "described_band",
    "draw",
    "drawn",
    "mass_factors",
    "places",
    "said_of_places",
]

#: Numbers that are drawn at once, at most.
MOST_AT_ONCE = 2**22

#: The part of draws in which tendons are rigid.
RIGID = 0.1

#: What is drawn of the places of bellies, for people to read after other things.
PLACES = (
    f", aponeuroses 0 to {LONGEST:g} of their length, up to {100 * LARGEST_SHARE:g}\xa0% of free tendon at the origin, "
    f"rigid tendons in {100 * RIGID:g}\xa0% of draws"
)

#: Differences from which on several threads pay, which go on looking for work for a while.
_MANY = 128


def mass_factors(uncertainty: Uncertainty, muscles: int) -> Array:
    """Return factors on the masses, (draws, muscles)."""
    rng = np.random.default_rng([uncertainty.seed, 1])
    shared = rng.standard_normal((uncertainty.draws, 1))
    individual = rng.standard_normal((uncertainty.draws, muscles))
    sigma, common = np.sqrt(np.log1p(uncertainty.mass_cv**2)), uncertainty.common
    return np.exp(sigma * (np.sqrt(common) * shared + np.sqrt(1 - common) * individual) - 0.5 * sigma**2)


def places(uncertainty: Uncertainty) -> Places:
    """Return the places of bellies, for all draws."""
    rng = np.random.default_rng([uncertainty.seed, 2])
    lengths, shares, rigid = rng.uniform(size=(3, uncertainty.draws))
    placed = rigid >= RIGID
    return Places(np.where(placed, LONGEST * lengths, 0.0), np.where(placed, shares, 0.0))


def said_of_places(bellies: Bellies | None) -> str:
    """Return :data:`PLACES` where the bellies of a model are placed, else nothing."""
    return "" if bellies is None or bellies.strands is None else PLACES


def described_band(uncertainty: Uncertainty, bellies: Bellies) -> dict[str, Any]:
    """Return a band's options, as types of JSON."""
    placed: dict[str, Any] = {}
    if bellies.strands is not None:
        placed = {"aponeurosis": [0.0, LONGEST], "free tendon at the origin": [0.0, LARGEST_SHARE]}
        placed["rigid tendons"] = RIGID
    return asdict(uncertainty) | placed


@lru_cache(maxsize=2)
def drawn(uncertainty: Uncertainty, bellies: Bellies | None, muscles: int) -> Array:
    """Return random weights (muscles + strands V, draws) of parts of a difference; without bellies, of masses alone."""
    factors = mass_factors(uncertainty, muscles).T
    if bellies is None:
        return factors
    return bellies.weights(factors, places(uncertainty) if uncertainty.placement else None).stacked


def draw(parts: DifferenceParts, weights: Array) -> Array:
    """Return draws of n differences, (n, draws), by the weights of their parts."""
    flat = parts.stacked
    adding = flat.any(axis=1)
    if not adding.all():
        weights, flat = weights[adding], flat[adding]
    return flat.T @ weights if flat.shape[1] >= _MANY else product(np.ascontiguousarray(flat.T), weights)


def band(parts: DifferenceParts, uncertainty: Uncertainty, bellies: Bellies | None) -> tuple[Array, Array]:
    """Return the lower and upper end (n,) of the band around differences.

    Args:
        parts: the parts that the differences are sums of.
        uncertainty: the distribution of masses and places.
        bellies: of the model; None: masses alone are drawn.
    """
    weights = drawn(uncertainty, bellies, len(parts.muscles))
    count = weights.shape[1]
    outside = 0.5 * (1.0 - uncertainty.level)
    ends = [round(share * (count - 1)) for share in (outside, 1.0 - outside)]
    lower, upper = np.zeros((2, parts.muscles.shape[1]))
    changing = np.flatnonzero(parts.muscles.any(axis=0) | parts.strands.any(axis=(0, 1)))
    step = max(1, MOST_AT_ONCE // count)
    for start in range(0, len(changing), step):
        chunk = changing[start : start + step]
        differences = draw(DifferenceParts(*(part[..., chunk] for part in parts)), weights)
        # Asked for both ends at once, NumPy takes four times as long.
        for end, values in zip(ends, (lower, upper), strict=True):
            differences.partition(end, axis=1)
            values[chunk] = differences[:, end]
    return lower, upper
