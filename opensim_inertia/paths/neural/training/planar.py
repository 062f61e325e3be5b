"""The planar problem that the shipped network learns, and its samples.

A span over a cylinder, or over a sphere in the plane of centre and ends, is a circle of radius r and a chord at the
signed distance d from its centre (positive: on the held side), whose foot lies f1 from the origin and f2 from the
insertion. Here r = 1. Targets come from the kernel's own formula.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...._core.arrays import Array
from ...._kernel import wrap_spans
from ..evaluate import SpanPaths
from .samples import TrainingSamples

__all__ = ["SMOOTHING", "PlanarSampling", "ValidationSet", "kernel_spans", "planar_samples"]

#: Half width h of the smoothed touch, of the radius.
SMOOTHING = 0.2


@dataclass(frozen=True)
class PlanarSampling:
    """Ranges from which training samples are drawn; lengths are in units of the radius.

    Attributes:
        foot: f1 and f2, uniform in their asinh.
        distance: d, a share ``anywhere`` of the samples uniform in it.
        touch: mean and deviation of the d of a share ``near_touch`` of the samples: the transition and its flanks.
        clear: d of all other samples, uniform in it: chords that pass well clear.
        beyond: share of the samples whose foot lies beyond the nearer end, as far as that end lay from it.
        gap: least distance of the ends from the circle.
    """

    foot: tuple[float, float] = (0.05, 60.0)
    distance: tuple[float, float] = (-0.95, 1.6)
    anywhere: float = 0.5
    touch: tuple[float, float] = (1.0, 0.25)
    near_touch: float = 0.4
    clear: tuple[float, float] = (1.2, 3.0)
    beyond: float = 0.06
    gap: float = 0.05

    def metadata(self) -> dict[str, Any]:
        """Return the ranges for the weight file."""
        return {"distribution": "planar, lengths of the radius", **asdict(self)}

    def draw(self, count: int, rng: np.random.Generator) -> Array:
        """Draw d, f1, f2, a, (count, 4)."""
        samples = np.empty((0, 4))
        while len(samples) < count:
            samples = np.concatenate([samples, self._candidates(count, rng)])
        return samples[:count]

    def _candidates(self, n: int, rng: np.random.Generator) -> Array:
        shares = rng.random(n)
        d = rng.uniform(*self.clear, n)
        d = np.where(shares < self.anywhere + self.near_touch, rng.normal(*self.touch, n), d)
        d = np.where(shares < self.anywhere, rng.uniform(*self.distance, n), d)
        f1, f2 = np.sinh(rng.uniform(np.arcsinh(self.foot[0]), np.arcsinh(self.foot[1]), (2, n)))
        beyond = rng.random(n) < self.beyond
        f1, f2 = np.where(beyond & (f1 < f2), -f1, f1), np.where(beyond & (f2 < f1), -f2, f2)
        a = rng.uniform(size=n)
        gap = np.hypot(np.minimum(abs(f1), abs(f2)), d) - 1
        low, high = self.distance[0], self.clear[1]
        return np.stack([d, f1, f2, a], axis=1)[(gap > self.gap) & (f1 + f2 > 0.2) & (low <= d) & (d <= high)]


def planar_samples(
    count: int, rng: np.random.Generator, sampling: PlanarSampling
) -> tuple[TrainingSamples, TrainingSamples]:
    """Draw samples for the position network and for the length network, in units of the radius.

    Position: x - chord(a), along the chord and towards the held side, with derivatives over d, f1, f2 and over a times
    the chord's length. Length: planar length - chord, with derivatives over d, f1, f2.
    """
    d, f1, f2, a = sampling.draw(count, rng).T
    zero, one, chord = np.zeros(count), np.ones(count), f1 + f2
    origin, insertion = np.stack([-f1, -d, zero], axis=1), np.stack([f2, -d, zero], axis=1)
    path = kernel_spans(one, one, origin, insertion, a)
    flip = np.array([1.0, -1.0])  # the chord runs along x, the held side is below
    x, over_p, over_q = path.x[:, :2] * flip, path.dx_dorigin[:, :2, :2], path.dx_dinsertion[:, :2, :2]
    over_p, over_q = over_p * flip[:, None] * flip, over_q * flip[:, None] * flip
    inputs = np.stack([d, np.arcsinh(f1), np.arcsinh(f2), a], axis=1)
    directions = np.stack([one, 1 / np.hypot(1, f1), 1 / np.hypot(1, f2), 1 / chord])[..., None] * np.eye(4)[:, None]
    derivatives = np.stack([
        over_p[..., 1] + over_q[..., 1] - [0.0, 1.0],
        -over_p[..., 0] - np.stack([a - 1, zero], axis=1),
        over_q[..., 0] - np.stack([a, zero], axis=1),
        path.dx_dfraction[:, :2] * flip / chord[:, None] - [1.0, 0.0],
    ])  # fmt: skip
    position = TrainingSamples(inputs, directions, x - np.stack([a * chord - f1, d], axis=1), derivatives)
    dp, dq = path.dlength_dorigin, path.dlength_dinsertion
    derivatives = np.stack([-dp[:, 1] - dq[:, 1], -dp[:, 0] - 1, dq[:, 0] - 1])[..., None]
    return position, TrainingSamples(inputs[:, :3], directions[:3, :, :3], (path.length - chord)[:, None], derivatives)


def kernel_spans(
    radius: Array, side: Array, origin: Array, insertion: Array, fraction: Array, smoothing: float = SMOOTHING
) -> SpanPaths:
    """Evaluate the kernel's own path over cylinders about z for n spans.

    Args:
        radius: radii of the cylinders, (n,) [m].
        side: +1 or -1, as for :func:`~opensim_inertia.paths.neural.evaluate.neural_spans`, (n,).
        origin, insertion: ends, (n, 3) [m].
        fraction: fractions of the path's length, (n,).
        smoothing: half width of the smoothed touch, of the radius; 0: the exact path, with its kink.
    """
    n = len(fraction)
    path = SpanPaths(*(np.empty((n, *shape)) for shape in ((3,), (3, 3), (3, 3), (3,), (), (3,), (3,))))
    for turn in (1.0, -1.0):
        rows = np.flatnonzero(side == turn)
        if len(rows):
            scale = radius[rows, None]
            cylinder = {"kind": "cylinder", "size": [1.0], "smoothing": smoothing, "turn": turn, "long_way": True}
            unit = wrap_spans(
                {**cylinder, "quadrant": np.zeros(3)}, origin[rows] / scale, insertion[rows] / scale, fraction[rows]
            )
            for ours, values in zip(path, unit[:7], strict=True):
                ours[rows] = np.asarray(values)
    return path._replace(
        x=path.x * radius[:, None], dx_dfraction=path.dx_dfraction * radius[:, None], length=path.length * radius
    )


@dataclass(frozen=True, eq=False)
class ValidationSet:
    """Random realistic spans over cylinders: attached and detached, on both sides of touch.

    All drawn uniformly, within the ranges below. The path goes counterclockwise and the chord roughly along x, so that
    networks without the symmetries see one side only, as over a muscle's range of motion.

    Attributes:
        radius, side, origin, insertion, fraction: arguments of :func:`kernel_spans`.
        near_touch: whether |r - d| < h, (n,).
        away: whether a sample is "away from touch": |r - d| > h, and the foot inside the chord by more than r / 2,
            (n,).
    """

    radius: Array
    side: Array
    origin: Array
    insertion: Array
    fraction: Array
    near_touch: NDArray[np.bool_]
    away: NDArray[np.bool_]

    #: Radius, and the chord's length in the plane across the axis [m].
    RADIUS: ClassVar = (0.01, 0.04)
    CHORD: ClassVar = (0.2, 0.5)
    #: Share of the chord before its foot; d / r.
    FOOT: ClassVar = (0.1, 0.9)
    DISTANCE: ClassVar = (-0.5, 1.5)
    #: From origin to insertion along the axis [m]; direction of the chord in the plane, from x [rad].
    RISE: ClassVar = (-0.05, 0.05)
    DIRECTION: ClassVar = (-np.pi / 4, np.pi / 4)
    #: Least distance of the ends from the surface, of the radius.
    GAP: ClassVar = 0.1

    @classmethod
    def draw(cls, count: int, rng: np.random.Generator, radius: float | None = None) -> ValidationSet:
        """Draw ``count`` spans, over cylinders of one radius [m] or of many."""
        sizes = cls.RADIUS if radius is None else (radius, radius)
        ranges = (sizes, cls.CHORD, cls.FOOT, cls.DISTANCE, cls.RISE, cls.DIRECTION)
        accepted = np.empty((0, len(ranges)))
        while len(accepted) < count:
            candidates = np.stack([rng.uniform(*bounds, count) for bounds in ranges], axis=1)
            r, chord, foot, d = candidates.T[:4]
            clear = np.hypot(chord * np.minimum(foot, 1 - foot), d * r) > (1 + cls.GAP) * r
            accepted = np.concatenate([accepted, candidates[clear]])
        r, chord, foot, d, rise, angle = accepted[:count].T
        t = np.stack([np.cos(angle), np.sin(angle), 0 * r], axis=1)
        side_direction = np.stack([t[:, 1], -t[:, 0], 0 * r], axis=1)
        origin = (d * r)[:, None] * side_direction - (foot * chord)[:, None] * t
        insertion = origin + chord[:, None] * t
        insertion[:, 2] += rise
        clear_of_ends = np.minimum(foot, 1 - foot) * chord > r / 2
        near = abs(1 - d) < SMOOTHING
        return cls(r, np.ones(count), origin, insertion, rng.uniform(size=count), near, ~near & clear_of_ends)

    @classmethod
    def metadata(cls) -> dict[str, Any]:
        """Return the ranges for the weight file."""
        ranges = {
            "radius_m": cls.RADIUS,
            "chord_m": cls.CHORD,
            "foot_share": cls.FOOT,
            "distance_per_radius": cls.DISTANCE,
            "rise_m": cls.RISE,
            "direction_rad": cls.DIRECTION,
        }
        return {
            **{name: list(bounds) for name, bounds in ranges.items()},
            "least_gap_per_radius": cls.GAP,
            "near_touch": f"|r - d| < h = {SMOOTHING} r",
            "away_from_touch": "|r - d| > h, foot inside the chord by more than r / 2",
        }
