"""Samples of the path over one wrap site of one model, from which the network of the site learns.

The poses are random ones over the coordinates' ranges; locks and couplers are honoured. Each gives the ends of every
span that may wrap the surface, in the surface's frame, wrapped or not. Where the span wraps other surfaces as well, the
end towards each is where the kernel cuts it: in the middle of the straight run between the two. The path that is learnt
there, the target, is one of two:

``analytic`` (default): the kernel's own formula, smooth through touch and with an end inside the surface, with its
derivatives along random changes of the ends. The ends are also shifted a little at random, so that the network holds
beside the poses that were drawn. Nothing near touch is thrown away: the target is smooth there.

``opensim``: OpenSim's current path, without derivatives. As Wang et al. 2022 did, samples are thrown away whose path is
on the surface for less than 1 % of the span, but not 0. So are those with an end inside the surface, where OpenSim goes
straight through it: the network goes on smoothly instead.

Arm26's ellipsoids, a minute each, errors on new samples of the same kind (mean, 95 %, largest, in mm): TRIlong analytic
0.018, 0.06, 0.5; opensim 0.080, 0.08, 5.7, with 11 % left out; BIClong analytic 0.040, 0.09, 0.4; opensim 0.005, 0.01,
0.7, without the 27 % of the poses at which an end is inside, and without shifted ends. So ``analytic`` is the default
for what it covers, and because it is the path of ``wrapping="analytic"``.

A path may jump from one side of a surface to the other within the range of motion. Where such a leap sets few poses
apart (:data:`SMALL`), they are left out, and the network goes on smoothly; what it says there is a guess. How many they
are is in the file, ``left_out``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from ...._core.arrays import Array
from ...._core.checks import check_choice
from ...._core.choices import TARGETS
from ...._core.errors import InertiaError
from ...._core.opensim import osim
from ...._kernel import wrap_spans
from ....opensim_model.reading import CoordinateTable, MusclePath
from ..current_spans import CurrentSpans
from ..survey import SMOOTHING, WrapSite

if TYPE_CHECKING:  # they need PyTorch
    from ...neural.training.spans import SpanSamples

__all__ = ["TARGETS", "Job", "SiteSampler"]

#: How many samples share a pose; least number drawn at a time.
PER_POSE = 8
LEAST = 2_000

#: The ends' random shifts: deviation, of the surface's smallest radius. For the target "analytic".
SHIFT = 0.05

#: Number of directions per sample, random changes of the ends, along which derivatives are learnt.
DIRECTIONS = 1

#: Samples on the surface for less than this share of their length, but not 0, are thrown away ("opensim").
DISCARD = 0.01

#: Samples hang together if their paths' middles differ by no more than this, of the smallest radius, plus so many times
#: their ends' difference; parts below this share of all samples are left out.
LEAP, PER_END, NEIGHBOURS = 0.1, 2.0, 12
SMALL = 0.1


@dataclass(frozen=True)
class Job:
    """A wrap site that needs a network of its own.

    Attributes:
        path: the muscle's path.
        site: where it wraps.
    """

    path: MusclePath
    site: WrapSite

    @property
    def text(self) -> str:
        """Words for messages."""
        return f"muscle '{self.path.muscle}', {self.site.surface.kind} '{self.site.surface.name}'"


class SiteSampler:
    """Draws samples of the path over one surface, as :func:`~opensim_inertia.paths.neural.training.spans.train_span`
    asks for them.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        job: the muscle's path and where it wraps.
        target: the path to learn, one of ``TARGETS``.
        progress: whether to show a bar; None: on a terminal.

    Attributes:
        left_out: share of the samples of the first call that were set apart by a leap of the path.

    Raises:
        InertiaError: nothing of this target can be learnt there.
    """

    def __init__(
        self,
        model: osim.Model,
        coordinates: CoordinateTable,
        job: Job,
        target: str = TARGETS[0],
        progress: bool | None = None,
    ) -> None:
        self.target = check_choice("target", target, TARGETS)
        self.job = job
        if target == "analytic" and job.site.surface.has_turn and not job.site.long_way:
            raise InertiaError(f"{job.text}: its path leaves that side; only the target 'opensim' shows how")
        self._model, self._coordinates = model, coordinates
        self._spans = CurrentSpans(model, coordinates, job.path, job.site, progress)
        self.left_out: float | None = None

    def metadata(self) -> dict[str, Any]:
        """Return the description of the samples for the weight file."""
        surface, site = self.job.site.surface, self.job.site
        details = {"smoothing_m": self._smoothing, "end_shift_m": SHIFT * surface.thickness, "slopes": DIRECTIONS}
        return {
            "target": self.target,
            "model": str(self._model.getName()),
            "muscle": self.job.path.muscle,
            "surface": surface.name,
            "size_m": surface.size.tolist(),
            "path_points": [point.name for point in self.job.path.points[site.first : site.last + 1]],
            "coordinates": {
                name: [float(low), float(high)]
                for name, (low, high) in zip(self._coordinates.names, self._coordinates.ranges, strict=True)
            },
            "left_out": self.left_out,
            **(details if self.target == "analytic" else {"discarded_below": DISCARD}),
        }

    @property
    def _smoothing(self) -> float:
        """Half width of the transition at touch [m]: the default, as networks have theirs built in."""
        return SMOOTHING * self.job.site.surface.thickness

    def __call__(self, count: int, rng: np.random.Generator) -> SpanSamples:
        """Draw ``count`` samples."""
        draw = self._analytic if self.target == "analytic" else self._opensim
        parts: list[SpanSamples] = []
        # never few at a time: leaps are told from sparse samples by their neighbours
        while sum(len(part.fraction) for part in parts) < count:
            parts.append(draw(max(LEAST, count + count // 8), rng))
        return _joined(parts, count)

    def _analytic(self, count: int, rng: np.random.Generator) -> SpanSamples:
        """Draw at most ``count`` samples of the kernel's path, with derivatives along random changes of the ends."""
        from ...neural.training.spans import SpanSamples

        site, surface = self.job.site, self.job.site.surface
        spans = self._spans.draw(-(-count // PER_POSE), rng, self._spans.shared)
        ends = np.repeat(np.array([np.concatenate([span.p, span.q]) for span in spans]), PER_POSE, axis=0)
        ends = ends[rng.permutation(len(ends))[: max(count, 1)]]
        shift = SHIFT * surface.thickness
        covariance = np.cov(ends.T) + shift**2 * np.eye(6)
        ends = ends + rng.normal(scale=shift, size=ends.shape)
        fraction = rng.uniform(size=len(ends))
        directions = rng.multivariate_normal(
            np.zeros(6), covariance / DIRECTIONS, (len(ends), DIRECTIONS), method="cholesky"
        )

        record = {
            "kind": surface.kind,
            "size": surface.size,
            "smoothing": self._smoothing,
            "turn": site.turn,
            "quadrant": surface.quadrant,
            "long_way": surface.has_turn,
        }

        def path(at: Array) -> Any:
            return wrap_spans(record, np.ascontiguousarray(ends[:, :3]), np.ascontiguousarray(ends[:, 3:]), at)

        x, dp, dq, _, length, lp, lq, _ = path(fraction)
        dx = np.einsum("nij,ntj->nti", np.concatenate([dp, dq], axis=2), directions)
        dlength = np.einsum("nj,ntj->nt", np.concatenate([lp, lq], axis=1), directions)
        finite = np.isfinite(dx).all(axis=(1, 2)) & np.isfinite(x).all(axis=1) & np.isfinite(dlength).all(axis=1)
        keep = finite & self._hang_together(ends, path(np.full(len(ends), 0.5))[0], finite)
        columns = (ends[:, :3], ends[:, 3:], fraction, x, length, directions, dx, dlength)
        return SpanSamples(*(values[keep] for values in columns))

    def _opensim(self, count: int, rng: np.random.Generator) -> SpanSamples:
        from ...neural.training.spans import SpanSamples

        spans = self._spans.draw(-(-count // PER_POSE), rng, True)
        spans = [span for span in spans if (span.on_surface == 0 or span.on_surface >= DISCARD) and not span.inside]
        if not spans:
            raise InertiaError(f"{self.job.text}: an end lies inside it at every pose; nothing can be learnt")
        ends = np.array([np.concatenate([span.p, span.q]) for span in spans])
        middle = np.array([span.at(np.array([0.5]))[0] for span in spans])
        keep = np.flatnonzero(self._hang_together(ends, middle, np.ones(len(spans), dtype=bool)))
        fraction = rng.uniform(size=(len(keep), PER_POSE))
        x = np.concatenate([spans[i].at(a) for i, a in zip(keep, fraction, strict=True)])
        ends, length = (np.repeat(v[keep], PER_POSE, axis=0) for v in (ends, np.array([span.length for span in spans])))
        return SpanSamples(ends[:, :3], ends[:, 3:], fraction.ravel(), x, length)

    def _hang_together(self, ends: Array, middle: Array, finite: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which samples belong to a large part of them over which the path does not leap, (n,)."""
        rows = np.flatnonzero(finite)
        result = np.zeros(len(ends), dtype=bool)
        if len(rows) == 0:
            raise InertiaError(f"{self.job.text}: no path was found at any pose")
        offsets = (middle - 0.5 * (ends[:, :3] + ends[:, 3:]))[rows]
        distances, neighbours = cKDTree(ends[rows]).query(ends[rows], min(NEIGHBOURS + 1, len(rows)))
        distances, neighbours = distances.reshape(len(rows), -1), neighbours.reshape(len(rows), -1)
        leap = np.linalg.norm(offsets[neighbours] - offsets[:, None], axis=2)
        is_linked = leap <= LEAP * self.job.site.surface.thickness + PER_END * distances
        a, k = np.nonzero(is_linked)
        graph = coo_matrix((np.ones(len(a)), (a, neighbours[a, k])), shape=(len(rows), len(rows)))
        part = connected_components(graph, directed=False)[1]
        size = np.bincount(part)
        result[rows] = (size >= min(SMALL * len(rows), size.max()))[part]
        if self.left_out is None:
            self.left_out = round(float(1 - result.mean()), 4)
        return result


def _joined(parts: Sequence[SpanSamples], count: int) -> SpanSamples:
    """Concatenate samples, and return the first ``count`` of them; fields that are None stay so."""
    from ...neural.training.spans import SpanSamples

    columns = ([getattr(part, field.name) for part in parts] for field in fields(SpanSamples))
    merged: Any = (None if values[0] is None else np.concatenate(values)[:count] for values in columns)
    return SpanSamples(*merged)
