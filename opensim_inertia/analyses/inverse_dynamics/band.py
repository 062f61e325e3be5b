"""The band: the spread of an answer over the masses and the places of bellies (docs/theory/band.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array, product
from ...model import InertialModel
from ...muscles.material import LARGEST_SHARE, LONGEST, STRANDS, Strands
from ...opensim_model.reading.coordinates import Coupling
from ...options.recording import Uncertainty
from ...paths.kernel.evaluation import FrozenParts
from ...paths.kernel.remarks import MuscleRemarks

#: Differences, and weights, of which draws are made at once.
FEW = 64
#: The part of draws in which tendons are rigid.
RIGID = 0.1
#: What is drawn of the places of bellies, for people to read after other things.
PLACES = (
    f", aponeuroses 0 to {LONGEST:g} of their length, up to {100 * LARGEST_SHARE:g}\xa0% of free tendon at the origin, "
    f"rigid tendons in {100 * RIGID:g}\xa0% of draws"
)
#: Differences from which on several threads pay, which go on looking for work for a while.
_MANY = 128


@dataclass(frozen=True, eq=False)
class Bellies:
    """The muscles whose bellies may lie elsewhere: their numbers (V,), strands, and frozen mass as strands, if any."""

    strands: Strands | None
    varied: NDArray[np.intp]
    frozen: FrozenParts | None = None

    @classmethod
    def of(cls, inertial: InertialModel, placed: bool, seen: MuscleRemarks) -> Bellies:
        """Return the bellies of a model, of which none may lie elsewhere unless ``placed``, nor on OpenSim's paths."""
        muscles, held = inertial.muscles, {*inertial.muscles.explicit, *inertial.wraps.opensim}
        maps = {n: m for n, m in muscles.maps.items() if placed and m.aponeurosis > 0 and n not in held}
        varied = np.array([i for i, name in enumerate(inertial.muscle_names) if name in maps], dtype=np.intp)
        if not maps:
            return cls(None, varied)
        strands = Strands(maps)
        return cls(strands, varied, inertial.frozen.otherwise(varied.tolist(), strands.maps_by_node, seen))


@dataclass(frozen=True)
class MuscleParts:
    """The parts of inertial - lumped that single muscles make [N m or N]."""

    own: Array  # what muscles change by sliding, (T, muscles, nu)
    of_masses: Array | None = None  # what masses on springs on segments add, (T, nu)
    of_wobble: Array | None = None  # what muscles add that swing, (T, muscles, nu)

    @property
    def total(self) -> Array:
        """All that muscles change, (T, muscles, nu)."""
        return self.own if self.of_wobble is None else self.own + self.of_wobble

    def at(self, rows: NDArray[np.intp], columns: Any) -> Array:
        """Return muscles' parts (muscles, n) at rows (n,) and one coordinate, or one for each row."""
        values = self.own[rows, :, columns].T
        return values if self.of_wobble is None else values + self.of_wobble[rows, :, columns].T


@dataclass(frozen=True)
class BandParts:
    """The parts that a band needs besides :class:`MuscleParts`."""

    bellies: Bellies  # the muscles whose bellies may lie elsewhere
    rows: NDArray[np.intp]  # (R,), at which strands are solved, the first and last among them; linear between
    own: Array  # what muscles change as strands, (nu, R, strands, V)
    muscles: MuscleParts  # the parts of muscles as they are

    def at(self, couplings: Sequence[Coupling], rows: NDArray[np.intp], columns: Any) -> StrandParts:
        """Return additional changes by muscles as strands at pairs (n,) of a row and a coordinate."""
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
        values = self.own[of, places]
        values -= self.muscles.own[self.rows[places], :, of][:, None, self.bellies.varied]
        shares = np.stack([factor * part for _, factor in added for part in (1.0 - share, share)])
        return StrandParts(values, at.reshape(shares.shape), shares)


class StrandParts(NamedTuple):
    """Additional changes by muscles as strands: each of n differences has a weighted sum of k of r solved ones."""

    values: Array  # (r, strands, V)
    at: NDArray[np.intp]  # which of them are added, (k, n)
    shares: Array  # with which factors, (k, n)


class DifferenceParts(NamedTuple):
    """Parts of n differences, inertial less lumped."""

    muscles: Array  # changes by each muscle with its own mass, (muscles, n)
    strands: StrandParts | None


def parts_at(
    values_at: Callable[[NDArray[np.intp], Any], Array],
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> Array:
    """Return values (..., n) at rows (n,) and columns; those of followers count for the coordinates they follow."""
    values = values_at(rows, columns)
    for c in couplings:
        leading = np.flatnonzero(np.broadcast_to(columns, rows.shape) == c.independent)
        if len(leading):
            at, values = rows[leading], values.copy()
            values[..., leading] += c.slopes[at] * values_at(at, c.dependent)
    return values


def mass_factors(uncertainty: Uncertainty, muscles: int) -> Array:
    """Return factors on the masses, (draws, muscles)."""
    rng = np.random.default_rng([uncertainty.seed, 1])
    shared = rng.standard_normal((uncertainty.draws, 1))
    individual = rng.standard_normal((uncertainty.draws, muscles))
    sigma, common = np.sqrt(np.log1p(uncertainty.mass_cv**2)), uncertainty.common
    return np.exp(sigma * (np.sqrt(common) * shared + np.sqrt(1 - common) * individual) - 0.5 * sigma**2)


def places(uncertainty: Uncertainty) -> tuple[Array, Array]:
    """Return of all draws the lengths of aponeuroses as multiples of the muscles' own, and shares of free tendon."""
    rng = np.random.default_rng([uncertainty.seed, 2])
    lengths, shares, rigid = rng.uniform(size=(3, uncertainty.draws))
    placed = rigid >= RIGID
    return np.where(placed, LONGEST * lengths, 0.0), np.where(placed, shares, 0.0)


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
def drawn(uncertainty: Uncertainty, bellies: Bellies | None, muscles: int, precision: Any = np.float32) -> NDArray[Any]:
    """Return random weights (muscles + strands V, draws), in single precision, of parts of a difference."""
    factors = mass_factors(uncertainty, muscles).T.astype(precision)
    if bellies is None or bellies.strands is None or not uncertainty.placement:
        return factors
    (lengths, shares), of_varied = places(uncertainty), factors[bellies.varied]
    weights = np.empty((muscles + STRANDS * len(of_varied), factors.shape[1]), precision)
    weights[:muscles] = factors
    for start in range(0, factors.shape[1], FEW):  # all at once would take three times the memory
        few = slice(start, start + FEW)
        strands = bellies.strands.weights(lengths[few], shares[few]) * of_varied[:, few]
        weights[muscles:, few] = strands.reshape(-1, strands.shape[-1])
    return weights


def draw(parts: DifferenceParts, weights: NDArray[Any]) -> Iterator[tuple[slice, NDArray[Any]]]:
    """Yield rows of n differences and their draws (few, draws), by the weights of their parts."""
    own, of_own = _adding(parts.muscles.T, weights[: len(parts.muscles)])
    if parts.strands is not None:
        solved, at, shares = parts.strands
        of_strands = _product(*_adding(solved.reshape(len(solved), -1), weights[len(parts.muscles) :]))
    for start in range(0, len(own), FEW):
        few = slice(start, start + FEW)
        terms, of_terms = own[few], of_own
        if parts.strands is not None:
            added, places = np.unique(at[:, few], return_inverse=True)
            factors = np.zeros((len(terms), len(added)), weights.dtype)
            np.add.at(factors, (np.arange(len(terms)), places.reshape(len(at), -1)), shares[:, few])
            terms, of_terms = np.hstack([terms, factors]), np.vstack([of_own, of_strands[added]])
        yield few, _product(terms, of_terms)


def _adding(values: Array, weights: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the parts of values (n, parts) that are not zero, and their weights (parts, draws)."""
    adding = values.any(axis=0)
    return values[:, adding].astype(weights.dtype), weights[adding]


def _product(values: NDArray[Any], weights: NDArray[Any]) -> NDArray[Any]:
    return values @ weights if len(values) >= _MANY else product(values, weights)


def band(parts: DifferenceParts, uncertainty: Uncertainty, bellies: Bellies | None) -> tuple[Array, Array]:
    """Return the lower and upper end (n,) of the band around differences; without bellies, masses alone are drawn."""
    weights = drawn(uncertainty, bellies, len(parts.muscles))
    count = weights.shape[1]
    outside = 0.5 * (1.0 - uncertainty.level)
    ends = [round(share * (count - 1)) for share in (outside, 1.0 - outside)]
    lower, upper = np.zeros((2, parts.muscles.shape[1]))
    if parts.muscles.any() or (parts.strands is not None and parts.strands.values.any()):
        for few, differences in draw(parts, weights):
            # Asked for both ends at once, NumPy takes four times as long.
            for end, values in zip(ends, (lower, upper), strict=True):
                differences.partition(end, axis=1)
                values[few] = differences[:, end]
    return lower, upper
