"""A part of a path that wraps, fitted: which of its points stand for it, in which bodies, by which polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.numerics.polynomial import Polynomials, Regression, all_terms, monomials_and_jacobian
from ...opensim_model.reading import ConditionalPoint, MovingPoint, StateKinematics
from ..wrapping import PolynomialSection
from ..wrapping.current_path import moved_apart
from .sampling import SampledPath

#: Shares of a part's length at which its curve is looked at.
SHARES: Array = np.linspace(0, 1, 49)
#: Points that stand for a part: as many as bring the polyline this close to the curve [m], at most so many.
SAG, MOST_POINTS = 2.5e-4, 14
#: Poses at which the polyline is compared with the curve.
SAG_POSES = 400
#: The highest total degree of the terms, by the number of coordinates.
DEGREES = {1: 20, 2: 10, 3: 7, 4: 6, 5: 5}
#: Of several coordinates, each alone may have a power up to the first, in terms in which the others have at most the
#: second together: paths have kinks where they touch.
HIGHEST, WITH_OTHERS = 12, 2
ROUGH_DEGREES = {1: 10, 2: 7, 3: 5}
FEWEST_DEGREE = 4
#: Numbers of terms that are tried, and the error of a point [m] that is small enough.
TERMS, SMALL = (20, 35, 50, 70, 90, 130, 180), 5e-4
#: Weight of the error of a slope, per range of the coordinates, beside that of a place; a steeper slope [m] is a jump.
SLOPE_WEIGHT, STEEPEST = 0.05, 2.0
#: Where the largest error is more than this [m], weights of poses grow with their errors, at most so many times.
ENOUGH, REWEIGHTED = 7e-4, 12
#: Beside jumps the largest error is that of all but this share of poses.
MOST_BESIDE_JUMPS = 0.98
#: Weight of a pose beyond a jump, of a mean pose 1.
BEYOND_JUMPS = 1e-3
#: Every so many poses one is not fitted, so that it tells how good the fit is.
HELD_OUT = 5


@dataclass(frozen=True)
class Span:
    """A part of a path that wraps.

    Attributes:
        first, last: indices of the path points between which it lies, which are there at every pose.
        coordinates: places of the coordinates that move it, on the axis of coordinates.
        bodies: those that carry its points and wrap objects.
    """

    first: int
    last: int
    coordinates: tuple[int, ...]
    bodies: tuple[str, ...]


def wrapped_spans(sampled: SampledPath, states: Sequence[StateKinematics]) -> list[Span]:
    """Return the parts of a path that wrap at some pose.

    Args:
        sampled: the path.
        states: a few of its poses, with their system Jacobians.
    """
    seen = sampled.seen
    always = [i for i, p in enumerate(seen.path.points) if not isinstance(p, ConditionalPoint)]
    always = sorted({0, *always, len(seen.path.points) - 1})
    bounds: list[list[int]] = []
    for first, last in sorted({arc.span for arc in seen.arcs}):
        begin, end = max(i for i in always if i <= first), min(i for i in always if i >= last)
        if bounds and begin < bounds[-1][1]:
            bounds[-1][1] = max(end, bounds[-1][1])
        else:
            bounds.append([begin, end])
    return [_span(sampled, states, begin, end) for begin, end in bounds]


def _span(sampled: SampledPath, states: Sequence[StateKinematics], first: int, last: int) -> Span:
    seen, names = sampled.seen, list(sampled.coordinate_names)
    points = seen.path.points[first : last + 1]
    surfaces = {arc.surface for arc in seen.arcs if first <= arc.span[0] and arc.span[1] <= last}
    bodies = tuple(dict.fromkeys([p.body for p in points] + [seen.surfaces[name].body for name in sorted(surfaces)]))
    at = [seen.poses.bodies.index(body) for body in bodies]
    moving = np.zeros(len(names), dtype=bool)
    for state in states:
        jacobian = state.jacobian.reshape(-1, 6, len(names))
        moving |= moved_apart([jacobian[b] for b in at], [state.position[b] for b in at]) > 1e-10
    for point in points:
        if isinstance(point, MovingPoint):
            moving[[names.index(f.coordinate) for f in point.functions if f.coordinate is not None]] = True
        elif isinstance(point, ConditionalPoint):
            moving[names.index(point.coordinate)] = True
    moving &= np.ptp(sampled.q, axis=0) > 1e-9
    return Span(first, last, tuple(np.flatnonzero(moving).tolist()), bodies)


class SpanFit:
    """One part of a path while it is fitted.

    Args:
        sampled: the path, looked at twice.
        span: the part.

    Attributes:
        z: values of its coordinates, (poses, n) [rad or m].
        curves: places at ``SHARES`` of its length in ground, (poses, shares, 3) [m].
    """

    def __init__(self, sampled: SampledPath, span: Span) -> None:
        assert sampled.beside is not None
        self.sampled, self.span = sampled, span
        self.z = sampled.q[:, list(span.coordinates)]
        self.curves = sampled.places(SHARES, span.first, span.last)[0]
        self._seen_by = {body: sampled.in_body(self.curves, body) for body in span.bodies}
        step = sampled.beside.q[:, list(span.coordinates)] - self.z
        length = np.linalg.norm(step / np.maximum(np.ptp(self.z, axis=0), 1e-9), axis=1)
        self._motions = step / length[:, None]  # of the length of the coordinates' ranges
        beside = sampled.beside.places(SHARES, span.first, span.last)[0]
        self._slopes = {
            body: (sampled.beside.in_body(beside, body) - places) / length[:, None, None]
            for body, places in self._seen_by.items()
        }

    def roughly(self, kept: Array) -> Array:
        """Return by how much places are off a first, smooth fit of poses ``kept``, (poses, places, 3) [m]."""
        places = self._targets(list(range(6, len(SHARES) - 1, 6)), kept)[1]
        model = Regression.of(self.z[kept], places[kept], degree=ROUGH_DEGREES.get(self.z.shape[1], FEWEST_DEGREE))
        fit = model.fit(np.arange(len(model.exponents)))
        return np.asarray((places - fit.values(self.z)).reshape(len(self.z), -1, 3))

    def fit(self, kept: Array) -> tuple[PolynomialSection, Array]:
        """Return the part fitted to the poses ``kept`` (poses,), and the largest error of its points (poses,) [m]."""
        some = np.flatnonzero(kept)
        shares = _knots(self.curves[some[:: max(1, len(some) // SAG_POSES)]])
        bodies, places, slopes = self._targets(shares, kept)
        fitted = np.logical_and(kept, np.abs(slopes).max(axis=1) < STEEPEST)
        fitted[::HELD_OUT] = False
        z = self.z[fitted]
        regression = Regression.of(
            z,
            places[fitted],
            slopes[fitted][:, :, None],
            exponents=_candidates(z.shape[1]),
            weights=np.array([1.0, SLOPE_WEIGHT]),
            motions=self._motions[fitted][:, :, None],
        )
        selected = regression.select(stop=0, most=min(TERMS[-1], fitted.sum() // 2)).terms
        best, least = regression.fit(selected[:1]), np.inf
        for count in TERMS:
            polynomials = regression.fit(selected[:count])
            errors = _distances(polynomials, self.z[kept], places[kept]).max(axis=1)
            worst = float(errors.max() if kept.all() else np.quantile(errors, MOST_BESIDE_JUMPS))
            if worst < 0.95 * least:
                best, least = polynomials, worst
            if worst < SMALL or count >= len(selected):
                break
        if least > ENOUGH or not kept.all():
            best = self._evened(best, places, slopes, fitted, kept)
        names = tuple(self.sampled.coordinate_names[c] for c in self.span.coordinates)
        section = PolynomialSection(self.span.first, self.span.last, names, bodies, best)
        return section, np.asarray(_distances(best, self.z, places).max(axis=1))

    def _evened(self, fit: Polynomials, places: Array, slopes: Array, fitted: Array, kept: Array) -> Polynomials:
        """Return polynomials of the same terms whose largest error is smaller: poses weigh more the further off.

        They do so no more than they must. Poses that are not ``kept`` weigh little: they hold the polynomials where
        nothing else does.
        """
        used = np.concatenate([np.flatnonzero(fitted), np.flatnonzero(np.logical_not(kept))])
        count = int(fitted.sum())
        z, targets = self.z[used], places[used]
        terms, rates = monomials_and_jacobian((z - fit.centre) / fit.scale, fit.exponents)
        along = np.einsum("ipt,pi->pt", rates, self._motions[used] / fit.scale)[:count]
        weights = np.ones(count)
        best, least = fit, np.inf
        for _ in range(REWEIGHTED):
            root = np.sqrt(np.append(weights, np.full(len(used) - count, BEYOND_JUMPS)))[:, None]
            rows = np.concatenate([root * terms, SLOPE_WEIGHT * along])
            wanted = np.concatenate([root * targets, SLOPE_WEIGHT * slopes[used[:count]]])
            fit = replace(fit, coefficients=np.linalg.lstsq(rows, wanted, rcond=None)[0])
            errors = _distances(fit, z[:count], targets[:count]).max(axis=1)
            if errors.max() < least:
                best, least = fit, float(errors.max())
            if least < ENOUGH:
                break
            weights *= errors / max(float(errors.mean()), 1e-12) + 0.1
        return best

    def _targets(self, shares: Sequence[int], kept: Array) -> tuple[tuple[str, ...], Array, Array]:
        """Return the body in which each of these places is fitted best, the places there, and their slopes.

        Places are (poses, 3 n) [m], slopes along the steps that were looked at.
        """
        z = (self.z - self.z.mean(axis=0)) / np.maximum(np.ptp(self.z, axis=0), 1e-9)
        terms = np.concatenate([np.ones((len(z), 1)), z, z**2], axis=1)[kept]
        bodies, columns, slopes = [], [], []
        for k in shares:
            left = {body: _left(terms, places[kept, k]) for body, places in self._seen_by.items()}
            bodies.append(min(left, key=lambda body: left[body]))
            columns.append(self._seen_by[bodies[-1]][:, k])
            slopes.append(self._slopes[bodies[-1]][:, k])
        return tuple(bodies), np.concatenate(columns, axis=1), np.concatenate(slopes, axis=1)


def _candidates(variables: int) -> NDArray[np.int64]:
    """Return the exponents (terms, variables) of the terms from which those of a fit are selected."""
    terms = all_terms(variables, DEGREES.get(variables, FEWEST_DEGREE))
    if variables < 3:
        return terms
    others = all_terms(variables - 1, WITH_OTHERS)
    high = np.concatenate(
        [
            np.insert(others, i, power, axis=1)
            for i in range(variables)
            for power in range(int(terms.sum(axis=1).max()) - WITH_OTHERS, HIGHEST + 1)
        ]
    )
    known = {tuple(row) for row in terms.tolist()}
    return np.concatenate([terms, np.array([row for row in high.tolist() if tuple(row) not in known])])


def _left(terms: Array, values: Array) -> float:
    return float(np.linalg.norm(values - terms @ np.linalg.lstsq(terms, values, rcond=None)[0]))


def _distances(polynomials: Polynomials, z: Array, places: Array) -> Array:
    return np.asarray(np.linalg.norm((polynomials.values(z) - places).reshape(len(z), -1, 3), axis=2))


def _knots(curves: Array) -> list[int]:
    """Return the shares, by number and without the ends, whose polyline is close to all curves (poses, shares, 3)."""
    chosen = [0, len(SHARES) // 2, len(SHARES) - 1]
    while len(chosen) < MOST_POINTS + 2:
        worst, at = SAG, -1
        for a, b in pairwise(chosen):
            if b - a > 1:
                apart = _beside(curves[:, a + 1 : b], curves[:, [a]], curves[:, [b]]).max(axis=0)
                if apart.max() > worst:
                    worst, at = float(apart.max()), a + 1 + int(apart.argmax())
        if at < 0:
            break
        chosen = sorted([*chosen, at])
    return chosen[1:-1]


def _beside(points: Array, start: Array, end: Array) -> Array:
    """Return how far points are from the straight lines between two places."""
    along = end - start
    size = np.maximum((along**2).sum(axis=-1, keepdims=True), 1e-30)
    share = np.clip(((points - start) * along).sum(axis=-1, keepdims=True) / size, 0, 1)
    return np.asarray(np.linalg.norm(points - start - share * along, axis=-1))
