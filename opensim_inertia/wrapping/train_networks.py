"""Networks for one wrap site of one model, trained over the muscle's own range of motion.

Cylinders and spheres need none: one network serves them all. Any other surface has a network of its own (form "segment"
of :mod:`~opensim_inertia.neural.weights`), which is good for the poses that it has seen.

The poses are random ones over the coordinates' ranges; locks and couplers are honoured. Each gives the ends of every
segment that may wrap the surface, in the surface's frame, wrapped or not. Where the segment wraps other surfaces as
well, the end towards each is where the kernel cuts it: in the middle of the straight run between the two. What is
learnt there, the target, is one of two:

``analytic`` (default): the kernel's own formula, smooth through touch and with an end inside the surface, with its
slopes along random changes of the ends. The ends are also shifted a little at random, so that the network holds beside
the poses that were drawn. Nothing near touch is thrown away: the target is smooth there.

``opensim``: OpenSim's live path, without slopes. As Wang et al. 2022 did, samples are thrown away whose path is on the
surface for less than 1 % of the segment, but not 0. So are those with an end inside the surface, where OpenSim goes
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

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BarycentricInterpolator
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree
from tqdm import tqdm

from .. import _kernel
from .._opensim import osim, quiet
from ..errors import InertiaError, check_choice
from ..neural import NeuralWeights
from ..neural.recipe import SEGMENT, Recipe
from ..reading import CoordinateTable, MusclePath, random_poses
from .arcs import CONTROLS, FRACTIONS
from .live_path import LivePath, PathShape
from .networks import PLANAR_KINDS
from .sites import SMOOTHING, WrapSite, survey
from .surfaces import Surface

if TYPE_CHECKING:  # they need PyTorch
    from ..neural.recipes import SegmentSamples

__all__ = ["COUNT", "TARGETS", "Job", "SiteSampler", "train_network", "wanted_networks"]

Array = NDArray[np.float64]

#: What is learnt, the default first.
TARGETS = ("analytic", "opensim")

#: Samples of a training, and how many of them share a pose; least number drawn at a time.
COUNT = 40_000
PER_POSE = 8
LEAST = 2_000

#: The ends' random shifts: deviation, of the surface's smallest radius. For the target "analytic".
SHIFT = 0.05

#: Slopes per sample, along random changes of the ends.
SLOPES = 1

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
        path: the muscle's.
        site: where it wraps.
    """

    path: MusclePath
    site: WrapSite

    @property
    def text(self) -> str:
        """For messages."""
        return f"muscle '{self.path.muscle}', {self.site.surface.kind} '{self.site.surface.name}'"


def wanted_networks(
    model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[MusclePath]
) -> tuple[list[Job], dict[str, str]]:
    """The wrap sites that need networks of their own, and by muscle why others cannot have any.

    Args:
        model: an initialised model; coordinates: its coordinates; muscles: paths, of which those that wrap matter.
    """
    seen = survey(model, coordinates, [path for path in muscles if path.wraps])
    jobs = [
        Job(path, site)
        for path in muscles
        if path.wraps
        for site in seen[path.muscle].sites
        if site.surface.kind not in PLANAR_KINDS
    ]
    return jobs, {name: found.reason for name, found in seen.items() if found.reason}


def train_network(
    model: osim.Model,
    coordinates: CoordinateTable,
    job: Job,
    recipe: Recipe = SEGMENT,
    target: str = TARGETS[0],
    count: int | None = None,
    **options: Any,
) -> NeuralWeights:
    """Train the network of a wrap site.

    Args:
        model: an initialised model; coordinates: its coordinates.
        job: from :func:`wanted_networks`.
        recipe: how to train; target: one of ``TARGETS``; count: training samples (default: ``COUNT``).
        options: see :func:`~opensim_inertia.neural.training.train`.

    Raises:
        MissingTorchError: PyTorch is not installed. InertiaError: nothing can be learnt there.
    """
    from ..neural._torch import torch
    from ..neural.recipes import train_segment

    sampler = SiteSampler(model, coordinates, job, target, progress=options.get("progress"))
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # networks this small are slower on several
    try:
        weights = train_segment(sampler, job.site.surface.kind, recipe, count or COUNT, sampler.metadata(), **options)
    finally:
        torch.set_num_threads(threads)
    return replace(weights, recipe={**weights.recipe, "sampling": sampler.metadata()})  # and what was left out


class SiteSampler:
    """Draws samples of the path over one surface: what :func:`~opensim_inertia.neural.recipes.train_segment` asks for.

    Attributes:
        left_out: share of the samples that were set apart by a leap of the path, of the first call.
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
        if target == "analytic" and job.site.surface.kind == "torus" and not job.site.long_way:
            raise InertiaError(f"{job.text}: its path leaves that side; only the target 'opensim' shows how")
        self._model, self._coordinates = model, coordinates
        self._live = LivePath(model, job.path)
        self._state = osim.State(model.getWorkingState())
        self._show = sys.stderr.isatty() if progress is None else progress
        self._shared = sum(surface.active for surface in self._live.surfaces.values()) > 1
        self.left_out: float | None = None

    def metadata(self) -> dict[str, Any]:
        """For the weight file."""
        surface, site = self.job.site.surface, self.job.site
        made = {"smoothing_m": self._smoothing, "end_shift_m": SHIFT * surface.thickness, "slopes": SLOPES}
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
            **(made if self.target == "analytic" else {"discarded_below": DISCARD}),
        }

    @property
    def _smoothing(self) -> float:
        """The default's, whatever a user's InertialModel asks for: networks have theirs built in."""
        return SMOOTHING * self.job.site.surface.thickness

    def __call__(self, count: int, rng: np.random.Generator) -> SegmentSamples:
        """``count`` samples."""
        draw = self._analytic if self.target == "analytic" else self._opensim
        parts: list[SegmentSamples] = []
        # never few at a time: leaps are told from sparse samples by their neighbours
        while sum(len(part.fraction) for part in parts) < count:
            parts.append(draw(max(LEAST, count + count // 8), rng))
        return _joined(parts, count)

    def _analytic(self, count: int, rng: np.random.Generator) -> SegmentSamples:
        from ..neural.recipes import SegmentSamples

        site, surface = self.job.site, self.job.site.surface
        seen = self._segments(-(-count // PER_POSE), rng, self._shared)
        ends = np.repeat(np.array([np.concatenate([one.p, one.q]) for one in seen]), PER_POSE, axis=0)
        ends = ends[rng.permutation(len(ends))[: max(count, 1)]]
        shift = SHIFT * surface.thickness
        spread = np.cov(ends.T) + shift**2 * np.eye(6)
        ends = ends + rng.normal(scale=shift, size=ends.shape)
        fraction = rng.uniform(size=len(ends))
        directions = rng.multivariate_normal(np.zeros(6), spread / SLOPES, (len(ends), SLOPES), method="cholesky")

        def path(share: Array) -> Any:
            return _kernel.wrap_segments(
                surface.kind,
                surface.size,
                site.turn,
                self._smoothing,
                np.ascontiguousarray(ends[:, :3]),
                np.ascontiguousarray(ends[:, 3:]),
                share,
                surface.quadrant,
            )

        x, dp, dq, _, length, lp, lq, _ = path(fraction)
        dx = np.einsum("nij,ntj->nti", np.concatenate([dp, dq], axis=2), directions)
        dlength = np.einsum("nj,ntj->nt", np.concatenate([lp, lq], axis=1), directions)
        finite = np.isfinite(dx).all(axis=(1, 2)) & np.isfinite(x).all(axis=1) & np.isfinite(dlength).all(axis=1)
        keep = finite & self._hang_together(ends, path(np.full(len(ends), 0.5))[0], finite)
        drawn = (ends[:, :3], ends[:, 3:], fraction, x, length, directions, dx, dlength)
        return SegmentSamples(*(values[keep] for values in drawn))

    def _opensim(self, count: int, rng: np.random.Generator) -> SegmentSamples:
        from ..neural.recipes import SegmentSamples

        seen = self._segments(-(-count // PER_POSE), rng, True)
        seen = [one for one in seen if (one.on_surface == 0 or one.on_surface >= DISCARD) and not one.inside]
        if not seen:
            raise InertiaError(f"{self.job.text}: an end lies inside it at every pose; nothing can be learnt")
        ends = np.array([np.concatenate([one.p, one.q]) for one in seen])
        middle = np.array([one.at(np.array([0.5]))[0] for one in seen])
        keep = np.flatnonzero(self._hang_together(ends, middle, np.ones(len(seen), dtype=bool)))
        fraction = rng.uniform(size=(len(keep), PER_POSE))
        x = np.concatenate([seen[i].at(a) for i, a in zip(keep, fraction, strict=True)])
        ends, length = (np.repeat(v[keep], PER_POSE, axis=0) for v in (ends, np.array([one.length for one in seen])))
        return SegmentSamples(ends[:, :3], ends[:, 3:], fraction.ravel(), x, length)

    def _hang_together(self, ends: Array, middle: Array, finite: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which samples belong to a large part of them, over which the path does not leap."""
        rows = np.flatnonzero(finite)
        result = np.zeros(len(ends), dtype=bool)
        if len(rows) == 0:
            raise InertiaError(f"{self.job.text}: no path was found at any pose")
        aside = (middle - 0.5 * (ends[:, :3] + ends[:, 3:]))[rows]
        far, near = cKDTree(ends[rows]).query(ends[rows], min(NEIGHBOURS + 1, len(rows)))
        far, near = far.reshape(len(rows), -1), near.reshape(len(rows), -1)
        leap = np.linalg.norm(aside[near] - aside[:, None], axis=2)
        linked = leap <= LEAP * self.job.site.surface.thickness + PER_END * far
        a, k = np.nonzero(linked)
        graph = coo_matrix((np.ones(len(a)), (a, near[a, k])), shape=(len(rows), len(rows)))
        part = connected_components(graph, directed=False)[1]
        size = np.bincount(part)
        result[rows] = (size >= min(SMALL * len(rows), size.max()))[part]
        if self.left_out is None:
            self.left_out = round(float(1 - result.mean()), 4)
        return result

    # -- poses ---------------------------------------------------------------------------------------------------

    def _segments(self, poses: int, rng: np.random.Generator, look: bool) -> list[_Segment]:
        """Every segment of the site at random poses; ``look`` at OpenSim's path, else only at its points."""
        seed = int(rng.integers(2**31))
        found: list[_Segment] = []
        with quiet():
            drawn = random_poses(self._model, self._coordinates, poses, seed)
            for q in tqdm(drawn, desc="poses", unit="pose", disable=not self._show, leave=False):
                self._coordinates.set_values(self._state, q)
                self._model.realizePosition(self._state)
                found += self._segments_now(look)
        return found

    def _segments_now(self, look: bool) -> list[_Segment]:
        site, surface, live, state = self.job.site, self.job.site.surface, self._live, self._state
        points = {
            i: live.in_surface(surface, x, state)
            for i, x in live.active_points(state).items()
            if site.first <= i <= site.last
        }
        arcs = self._arcs(live.shape(state)) if look else {}
        indices = list(points)
        return [
            _Segment.between(surface, points[i], points[j], arcs.get((i, j), []))
            for i, j in zip(indices[:-1], indices[1:], strict=True)
        ]

    def _arcs(self, shape: PathShape) -> dict[tuple[int, int], list[tuple[str, Array]]]:
        """Arcs by the path points between which they are: surface, and control points in this site's frame."""
        surface, state = self.job.site.surface, self._state
        result: dict[tuple[int, int], list[tuple[str, Array]]] = {}
        for place, code in enumerate(shape.sequence):
            if code >= 0:
                continue
            start = next(i for i in shape.sequence[place::-1] if i >= 0)
            end = next(i for i in shape.sequence[place:] if i >= 0)
            name = shape.surfaces[-1 - code]
            body = _body(self._model, self._live.surfaces[name].body).getTransformInGround(state)
            ground = [body.shiftFrameStationToBase(osim.Vec3(*x)).to_numpy() for x in shape.controls[-1 - code]]
            here = np.array([self._live.in_surface(surface, x, state) for x in ground])
            result.setdefault((start, end), []).append((name, here))
        return result


@dataclass(frozen=True)
class _Segment:
    """OpenSim's path between two ends at a pose, in the surface's frame.

    Attributes:
        p, q: the ends (3,).
        line: the path, as the corners of a fine polyline (n, 3).
        on_surface: share of its length that lies on the surface.
        inside: whether an end is inside.
    """

    p: Array
    q: Array
    line: Array
    on_surface: float
    inside: bool

    @classmethod
    def between(cls, surface: Surface, p: Array, q: Array, arcs: list[tuple[str, Array]]) -> _Segment:
        """Cut, where other surfaces are wrapped too, in the middle of the straight run to the neighbour."""
        own = next((k for k, (name, _) in enumerate(arcs) if name == surface.name), None)
        if own is not None:
            controls = arcs[own][1]
            before, after = [arc for _, arc in arcs[:own]], [arc for _, arc in arcs[own + 1 :]]
        else:
            # OpenSim passes it by: the straight run that does so the most closely
            corners = [p, *(x for _, arc in arcs for x in (arc[0], arc[-1])), q]
            nearest = [_nearest(surface, a, b) for a, b in zip(corners[::2], corners[1::2], strict=True)]
            k = int(np.argmin([np.linalg.norm(x / _scale(surface)) for x in nearest]))
            controls = nearest[k][None]
            before, after = [arc for _, arc in arcs[:k]], [arc for _, arc in arcs[k:]]
        if before:
            p = 0.5 * (before[-1][-1] + controls[0])
        if after:
            q = 0.5 * (controls[-1] + after[0][0])
        arc = _fine(controls) if own is not None else controls
        line = np.concatenate([p[None], arc, q[None]])
        steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
        inside = surface.kind == "ellipsoid" and any(float(np.linalg.norm(end / surface.size)) < 1 for end in (p, q))
        return cls(p, q, line, float(steps[1:-1].sum() / steps.sum()), inside)

    @property
    def length(self) -> float:
        """Of the whole segment [m]."""
        return float(np.linalg.norm(np.diff(self.line, axis=0), axis=1).sum())

    def at(self, fraction: Array) -> Array:
        """Points at fractions of the length (n, 3)."""
        s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.line, axis=0), axis=1))])
        return np.stack([np.interp(fraction * s[-1], s, column) for column in self.line.T], axis=1)


def _nearest(surface: Surface, a: Array, b: Array) -> Array:
    """The point between a and b nearest to the surface's centre, an ellipsoid's in units of its semi-axes."""
    scale = _scale(surface)
    u, v = a / scale, (b - a) / scale
    share = min(max(-float(u @ v) / max(float(v @ v), 1e-300), 0.0), 1.0)
    return np.asarray(a + share * (b - a))


def _scale(surface: Surface) -> Array:
    return surface.size if surface.kind == "ellipsoid" else np.ones(3)


#: Takes an arc's control points to points at even fractions of its length.
_EVEN: Array = BarycentricInterpolator(FRACTIONS, np.eye(CONTROLS))(np.linspace(0, 1, 201))


def _fine(controls: Array) -> Array:
    return np.asarray(_EVEN @ controls)


def _body(model: osim.Model, name: str) -> Any:
    return model.getGround() if name == "ground" else model.getBodySet().get(name)


def _joined(parts: Sequence[SegmentSamples], count: int) -> SegmentSamples:
    from ..neural.recipes import SegmentSamples

    def column(get: Callable[[SegmentSamples], Array | None]) -> Any:
        values = [get(part) for part in parts]
        return None if values[0] is None else np.concatenate([v for v in values if v is not None])[:count]

    return SegmentSamples(
        column(lambda s: s.origin),
        column(lambda s: s.insertion),
        column(lambda s: s.fraction),
        column(lambda s: s.x),
        column(lambda s: s.length),
        column(lambda s: s.directions),
        column(lambda s: s.dx),
        column(lambda s: s.dlength),
    )
