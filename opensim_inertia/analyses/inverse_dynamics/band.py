"""The band: the spread of an answer over the masses and the places of bellies, as docs/theory/band.md has it.

The difference that muscles make is linear in their masses and in strands of their fibres: draws need no other solution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

#: Numbers that are drawn at once, at most, and weights.
MOST_AT_ONCE, FEW = 2**22, 256
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
    own: Array  # what muscles change as strands, (strands, R, V, nu)
    muscles: MuscleParts  # the parts of muscles as they are

    def strands_at(self, rows: NDArray[np.intp], columns: Any) -> Array:
        """Return additional changes by muscles as strands, (strands, V, n), at pairs (n,) of a row and a coordinate."""
        after = np.clip(np.searchsorted(self.rows, rows, side="left"), 1 if len(self.rows) > 1 else 0, None)
        before = np.maximum(after - 1, 0)
        width = np.maximum(self.rows[after] - self.rows[before], 1)
        weight = (rows - self.rows[before]) / width
        if not np.ndim(columns):
            places, inverse = np.unique(np.concatenate([before, after]), return_inverse=True)
            start, end = np.split(self._solved(places, columns)[..., inverse], 2, axis=-1)
        else:
            start, end = self._solved(before, columns), self._solved(after, columns)
        return (1 - weight) * start + weight * end

    def _solved(self, places: NDArray[np.intp], columns: Any) -> Array:
        """Return additional changes by strands, (strands, V, n), at rows (n,) of the solved ones."""
        # Advanced indices that a slice parts come first: (n, strands, V).
        values = np.moveaxis(self.own[:, places, :, columns], 0, -1)
        return values - self.muscles.own[self.rows[places], :, columns].T[self.bellies.varied]


class DifferenceParts(NamedTuple):
    """Parts of n differences, inertial less lumped."""

    muscles: Array  # what each muscle changes with its own mass, (muscles, n)
    strands: Array  # what muscles would change more as strands, (strands, V, n)


def difference_parts(
    muscles: MuscleParts,
    band_parts: BandParts | None,
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> DifferenceParts:
    """Return the parts whose weighted sums are differences, at rows (n,) and one coordinate, or one for each row."""
    strands = np.zeros((0, 0, len(rows)))
    if band_parts is not None:
        strands = parts_at(band_parts.strands_at, couplings, rows, columns)
    return DifferenceParts(parts_at(muscles.at, couplings, rows, columns), strands)


def parts_at(
    values_at: Callable[[NDArray[np.intp], Any], Array],
    couplings: Sequence[Coupling],
    rows: NDArray[np.intp],
    columns: Any,
) -> Array:
    """Return values (..., n) at rows (n,) and columns, with those of follower coordinates added to what they follow."""
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
def drawn(uncertainty: Uncertainty, bellies: Bellies | None, muscles: int) -> Array:
    """Return random weights (muscles + strands V, draws) of parts of a difference; without bellies, of masses alone."""
    factors = mass_factors(uncertainty, muscles).T
    if bellies is None or bellies.strands is None or not uncertainty.placement:
        return factors
    (lengths, shares), of_varied = places(uncertainty), factors[bellies.varied]
    weights = np.empty((muscles + STRANDS * len(of_varied), factors.shape[1]))
    weights[:muscles] = factors
    for start in range(0, factors.shape[1], FEW):  # all at once would take three times the memory
        few = slice(start, start + FEW)
        strands = bellies.strands.weights(lengths[few], shares[few]) * of_varied[:, few]
        weights[muscles:, few] = strands.reshape(-1, strands.shape[-1])
    return weights


def draw(parts: DifferenceParts, weights: Array) -> Array:
    """Return draws of n differences, (n, draws), by the weights of their parts."""
    flat = np.concatenate([part.reshape(-1, part.shape[-1]) for part in parts])
    adding = flat.any(axis=1)
    if not adding.all():
        weights, flat = weights[adding], flat[adding]
    return flat.T @ weights if flat.shape[1] >= _MANY else product(np.ascontiguousarray(flat.T), weights)


def band(parts: DifferenceParts, uncertainty: Uncertainty, bellies: Bellies | None) -> tuple[Array, Array]:
    """Return the lower and upper end (n,) of the band around differences; without bellies, masses alone are drawn."""
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
