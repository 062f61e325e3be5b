"""Uncertainty band of inverse dynamics over muscle masses and belly positions (docs/theory/band.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, product
from ..._kernel import ranked
from ...model import InertialModel
from ...muscles.material import LARGEST_SHARE, LONGEST, STRANDS, Strands
from ...opensim_model.reading.coordinates import Coupling
from ...options.recording import Uncertainty
from ...paths.kernel.evaluation import FrozenParts
from ...paths.kernel.remarks import MuscleRemarks

#: Number of differences, or of draws, that are processed at once.
FEW = 64
#: Share of draws with rigid tendons.
RIGID = 0.1
#: Distributions of belly positions, as text after other options.
PLACES = (
    f", aponeuroses 0 to {LONGEST:g} of their length, up to {100 * LARGEST_SHARE:g}\xa0% of free tendon at the origin, "
    f"rigid tendons in {100 * RIGID:g}\xa0% of draws"
)
#: Fewest differences that are multiplied on several threads; their threads stay busy for a while after the product.
_MANY = 128


@dataclass(frozen=True, eq=False)
class Bellies:
    """V muscles with uncertain belly positions; each muscle is divided into strands (fibres with a common start)."""

    strands: Strands | None
    varied: NDArray[np.intp]
    frozen: FrozenParts | None = None

    @classmethod
    def of(cls, inertial: InertialModel, placed: bool, seen: MuscleRemarks) -> Bellies:
        """Return bellies of muscles with aponeuroses but no point masses or OpenSim path; none if not ``placed``."""
        muscles, held = inertial.muscles, {*inertial.muscles.explicit, *inertial.wraps.opensim}
        maps = {n: m for n, m in muscles.maps.items() if placed and m.aponeurosis > 0 and n not in held}
        varied = np.array([i for i, name in enumerate(inertial.muscle_names) if name in maps], dtype=np.intp)
        if not maps:
            return cls(None, varied)
        strands = Strands(maps)
        return cls(strands, varied, inertial.frozen.otherwise(varied.tolist(), strands.maps_by_node, seen))


@dataclass(frozen=True, eq=False)
class MuscleParts:
    """Contribution of each muscle to the force difference inertial - lumped [N m or N]."""

    own: Array  # by sliding, (T, muscles, nu)
    of_masses: Array | None = None  # by wobbling masses on segments, (T, nu)
    of_wobble: Array | None = None  # by wobbling muscles, (T, muscles, nu)

    @property
    def total(self) -> Array:
        """Contributions of muscles by sliding and wobble together, (T, muscles, nu)."""
        return self.own if self.of_wobble is None else self.own + self.of_wobble

    def at(self, rows: NDArray[np.intp], columns: Any) -> Array:
        """Return muscles' contributions (muscles, n) to n forces, each given by a motion row and a coordinate index."""
        values = self.own[rows, :, columns].T
        return values if self.of_wobble is None else values + self.of_wobble[rows, :, columns].T


@dataclass(frozen=True, eq=False)
class BandParts:
    """Changes of muscles' force differences, inertial - lumped, if bellies are strands (fibres with a common start)."""

    bellies: Bellies  # variable bellies
    rows: NDArray[np.intp]  # solved rows (R,), with the first and the last; linear between them
    own: Array  # parts as strands - parts with the muscles' own bellies, (nu, R, strands, V)

    def at(self, couplings: Sequence[Coupling], rows: NDArray[np.intp], columns: Any) -> StrandParts:
        """Return contributions by strand (group of fibres) to the n forces at (rows, columns), interpolated in time."""
        columns = np.broadcast_to(columns, rows.shape)
        after = np.clip(np.searchsorted(self.rows, rows, side="left"), 1 if len(self.rows) > 1 else 0, None)
        before = np.maximum(after - 1, 0)
        share = (rows - self.rows[before]) / np.maximum(self.rows[after] - self.rows[before], 1)
        added = [(columns, np.ones(len(rows)))]
        for c in couplings:
            leading = columns == c.independent
            if leading.any():
                added.append((np.full_like(columns, c.dependent), np.where(leading, c.slopes[rows], 0.0)))
        keys = [column * len(self.rows) + place for column, _ in added for place in (before, after)]
        wanted, at = np.unique(np.concatenate(keys), return_inverse=True)
        of, places = np.divmod(wanted, len(self.rows))
        shares = np.stack([factor * part for _, factor in added for part in (1.0 - share, share)])
        return StrandParts(self.own[of, places], at.reshape(shares.shape), shares)


class StrandParts(NamedTuple):
    """Contributions to n forces by strand (fibres with a common start), stored as weighted sums of ``values``."""

    values: Array  # solved changes, (r, strands, V)
    at: NDArray[np.intp]  # indices of the terms of each sum, (k, n)
    shares: Array  # weights of the terms, (k, n)


class DifferenceParts(NamedTuple):
    """Contributions of muscles, and strands (fibres with a common start), to n inertial minus lumped forces."""

    muscles: Array  # changes by each muscle with its own mass, (muscles, n)
    strands: StrandParts | None


def parts_at(
    values_at: Callable[[NDArray[np.intp], Any], Array],
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> Array:
    """Return ``values_at(rows, columns)`` (..., n), plus projected forces on coordinates that depend on ``columns``."""
    values = values_at(rows, columns)
    for c in couplings:
        leading = np.flatnonzero(np.broadcast_to(columns, rows.shape) == c.independent)
        if len(leading):
            at, values = rows[leading], values.copy()
            values[..., leading] += c.slopes[at] * values_at(at, c.dependent)
    return values


def mass_factors(uncertainty: Uncertainty, muscles: int) -> Array:
    """Return random factors of muscle masses, (draws, muscles)."""
    rng = np.random.default_rng([uncertainty.seed, 1])
    shared = rng.standard_normal((uncertainty.draws, 1))
    individual = rng.standard_normal((uncertainty.draws, muscles))
    sigma, common = np.sqrt(np.log1p(uncertainty.mass_cv**2)), uncertainty.common
    return np.exp(sigma * (np.sqrt(common) * shared + np.sqrt(1 - common) * individual) - 0.5 * sigma**2)


def places(uncertainty: Uncertainty) -> tuple[Array, Array]:
    """Return random aponeurosis lengths (as factors) and belly shifts (as shares of the largest), (draws,) each."""
    rng = np.random.default_rng([uncertainty.seed, 2])
    lengths, shares, rigid = rng.uniform(size=(3, uncertainty.draws))
    placed = rigid >= RIGID
    return np.where(placed, LONGEST * lengths, 0.0), np.where(placed, shares, 0.0)


def said_of_places(bellies: Bellies | None) -> str:
    """Return a text on the distributions of belly positions; "" if only masses vary."""
    return "" if bellies is None or bellies.strands is None else PLACES


def described_band(uncertainty: Uncertainty, bellies: Bellies) -> dict[str, Any]:
    """Return a band's options as JSON types."""
    placed: dict[str, Any] = {}
    if bellies.strands is not None:
        placed = {"aponeurosis": [0.0, LONGEST], "free tendon at the origin": [0.0, LARGEST_SHARE]}
        placed["rigid tendons"] = RIGID
    return asdict(uncertainty) | placed


@lru_cache(maxsize=2)
def drawn(uncertainty: Uncertainty, bellies: Bellies | None, muscles: int, precision: Any = np.float32) -> NDArray[Any]:
    """Return random factors (n, draws) of n contributions, by muscle, then by strand (fibres with a common start)."""
    factors = mass_factors(uncertainty, muscles).T.astype(precision)
    if bellies is None or bellies.strands is None or not uncertainty.placement:
        return factors
    (lengths, shares), of_varied = places(uncertainty), factors[bellies.varied]
    weights = np.empty((muscles + STRANDS * len(of_varied), factors.shape[1]), precision)
    weights[:muscles] = factors
    for start in range(0, factors.shape[1], FEW):  # limits memory
        few = slice(start, start + FEW)
        strands = bellies.strands.weights(lengths[few], shares[few]) * of_varied[:, few]
        weights[muscles:, few] = strands.reshape(-1, strands.shape[-1])
    return weights


def draw(parts: DifferenceParts, weights: NDArray[Any]) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield slices of the n differences, with samples (slice size, draws): sums of contributions times ``weights``."""
    own, of_terms = _adding(parts.muscles.T, weights[: len(parts.muscles)])
    muscles = len(of_terms)
    if parts.strands is not None:
        solved, at, shares = parts.strands
        of_strands = _product(*_adding(solved.reshape(len(solved), -1), weights[len(parts.muscles) :]))
        of_terms = np.vstack([of_terms, np.empty((min(len(at) * FEW, len(solved)), weights.shape[1]), weights.dtype)])
    for start in range(0, len(own), FEW):
        few = slice(start, start + FEW)
        terms = own[few]
        if parts.strands is not None:
            added, places = np.unique(at[:, few], return_inverse=True)
            factors = np.zeros((len(terms), len(added)), weights.dtype)
            np.add.at(factors, (np.arange(len(terms)), places.reshape(len(at), -1)), shares[:, few])
            of_terms[muscles : muscles + len(added)] = of_strands[added]
            terms = np.hstack([terms, factors])
        yield few, _product(terms, of_terms[: terms.shape[1]])


def _adding(values: Array, weights: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return columns of ``values`` (n, muscles or strands) with nonzero entries, and their ``weights`` (..., draws)."""
    adding = values.any(axis=0)
    if adding.all():
        return values.astype(weights.dtype), weights
    return values[:, adding].astype(weights.dtype), weights[adding]


def _product(values: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    return values @ weights if len(values) >= _MANY else product(values, weights)


def band(parts: DifferenceParts, uncertainty: Uncertainty, bellies: Bellies | None) -> tuple[Array, Array]:
    """Return lower and upper ends (n,) of the band around n force differences; without bellies only masses vary."""
    weights = drawn(uncertainty, bellies, len(parts.muscles))
    count = weights.shape[1]
    outside = 0.5 * (1.0 - uncertainty.level)
    ends = [round(share * (count - 1)) for share in (outside, 1.0 - outside)]
    values = np.zeros((parts.muscles.shape[1], 2))
    if parts.muscles.any():  # strands change no force that muscles do not
        for few, differences in draw(parts, weights):
            values[few] = ranked(differences, ends)
    return values[:, 0], values[:, 1]
