"""Fits of wrapping parts of paths: the points that represent a part, their bodies and their polynomials."""

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
    samples = sampled.samples
    fixed = [i for i, p in enumerate(samples.path.points) if not isinstance(p, ConditionalPoint)]
    fixed = sorted({0, *fixed, len(samples.path.points) - 1})
    bounds: list[list[int]] = []
    for first, last in sorted({arc.span for arc in samples.arcs}):
        begin, end = max(i for i in fixed if i <= first), min(i for i in fixed if i >= last)
        if bounds and begin < bounds[-1][1]:
            bounds[-1][1] = max(end, bounds[-1][1])
        else:
            bounds.append([begin, end])
    return [_span(sampled, states, begin, end) for begin, end in bounds]


def _span(sampled: SampledPath, states: Sequence[StateKinematics], first: int, last: int) -> Span:
    """Return the part between two path points, with the bodies that carry it and the coordinates that move it."""
    samples, names = sampled.samples, list(sampled.coordinate_names)
    points = samples.path.points[first : last + 1]
    surfaces = {arc.surface for arc in samples.arcs if first <= arc.span[0] and arc.span[1] <= last}
    bodies = tuple(dict.fromkeys([p.body for p in points] + [samples.surfaces[name].body for name in sorted(surfaces)]))
    body_numbers = [samples.poses.bodies.index(body) for body in bodies]
    is_moving = np.zeros(len(names), dtype=bool)
    for state in states:
        jacobian = state.jacobian.reshape(-1, 6, len(names))
        is_moving |= moved_apart([jacobian[b] for b in body_numbers], [state.position[b] for b in body_numbers]) > 1e-10
    for point in points:
        if isinstance(point, MovingPoint):
            is_moving[[names.index(f.coordinate) for f in point.functions if f.coordinate is not None]] = True
        elif isinstance(point, ConditionalPoint):
            is_moving[names.index(point.coordinate)] = True
    is_moving &= np.ptp(sampled.q, axis=0) > 1e-9
    return Span(first, last, tuple(np.flatnonzero(is_moving).tolist()), bodies)


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
        assert sampled.stepped is not None
        self.sampled, self.span = sampled, span
        self.z = sampled.q[:, list(span.coordinates)]
        self.curves = sampled.places(SHARES, span.first, span.last)[0]
        self._curves_in_body = {body: sampled.in_body(self.curves, body) for body in span.bodies}
        step = sampled.stepped.q[:, list(span.coordinates)] - self.z
        length = np.linalg.norm(step / np.maximum(np.ptp(self.z, axis=0), 1e-9), axis=1)
        self._motions = step / length[:, None]  # of the length of the coordinates' ranges
        stepped = sampled.stepped.places(SHARES, span.first, span.last)[0]
        self._derivatives = {
            body: (sampled.stepped.in_body(stepped, body) - places) / length[:, None, None]
            for body, places in self._curves_in_body.items()
        }

    def roughly(self, included: Array) -> Array:
        """Return the errors (poses, places, 3) [m] of a first, smooth fit to the poses ``included`` (poses,)."""
        places = self._targets(list(range(6, len(SHARES) - 1, 6)), included)[1]
        model = Regression.of(
            self.z[included], places[included], degree=ROUGH_DEGREES.get(self.z.shape[1], FEWEST_DEGREE)
        )
        fit = model.fit(np.arange(len(model.exponents)))
        return np.asarray((places - fit.values(self.z)).reshape(len(self.z), -1, 3))

    def fit(self, included: Array) -> tuple[PolynomialSection, Array]:
        """Return the part fitted to the poses ``included`` (poses,), and its largest errors (poses,) [m]."""
        rows = np.flatnonzero(included)
        shares = _knots(self.curves[rows[:: max(1, len(rows) // SAG_POSES)]])
        bodies, places, derivatives = self._targets(shares, included)
        is_fitted = np.logical_and(included, np.abs(derivatives).max(axis=1) < STEEPEST)
        is_fitted[::HELD_OUT] = False
        z = self.z[is_fitted]
        regression = Regression.of(
            z,
            places[is_fitted],
            derivatives[is_fitted][:, :, None],
            exponents=_candidates(z.shape[1]),
            weights=np.array([1.0, SLOPE_WEIGHT]),
            motions=self._motions[is_fitted][:, :, None],
        )
        terms = regression.select(stop=0, most=min(TERMS[-1], is_fitted.sum() // 2)).terms
        best, least = regression.fit(terms[:1]), np.inf
        for count in TERMS:
            polynomials = regression.fit(terms[:count])
            errors = _distances(polynomials, self.z[included], places[included]).max(axis=1)
            worst = float(errors.max() if included.all() else np.quantile(errors, MOST_BESIDE_JUMPS))
            if worst < 0.95 * least:
                best, least = polynomials, worst
            if worst < SMALL or count >= len(terms):
                break
        if least > ENOUGH or not included.all():
            best = self._reweighted(best, places, derivatives, is_fitted, included)
        names = tuple(self.sampled.coordinate_names[c] for c in self.span.coordinates)
        section = PolynomialSection(self.span.first, self.span.last, names, bodies, best)
        return section, np.asarray(_distances(best, self.z, places).max(axis=1))

    def _reweighted(
        self, fit: Polynomials, places: Array, derivatives: Array, is_fitted: Array, included: Array
    ) -> Polynomials:
        """Return polynomials of the same terms with a smaller largest error, by iteratively reweighted least squares.

        Weights of poses grow with their errors until the largest error is below ``ENOUGH``. Poses that are not
        ``included`` have a small weight: they keep the polynomials bounded where there are no other poses.
        """
        rows_used = np.concatenate([np.flatnonzero(is_fitted), np.flatnonzero(np.logical_not(included))])
        count = int(is_fitted.sum())
        z, targets = self.z[rows_used], places[rows_used]
        terms, jacobian = monomials_and_jacobian((z - fit.centre) / fit.scale, fit.exponents)
        derivative_rows = np.einsum("ipt,pi->pt", jacobian, self._motions[rows_used] / fit.scale)[:count]
        weights = np.ones(count)
        best, least = fit, np.inf
        for _ in range(REWEIGHTED):
            root = np.sqrt(np.append(weights, np.full(len(rows_used) - count, BEYOND_JUMPS)))[:, None]
            rows = np.concatenate([root * terms, SLOPE_WEIGHT * derivative_rows])
            targets_weighted = np.concatenate([root * targets, SLOPE_WEIGHT * derivatives[rows_used[:count]]])
            fit = replace(fit, coefficients=np.linalg.lstsq(rows, targets_weighted, rcond=None)[0])
            errors = _distances(fit, z[:count], targets[:count]).max(axis=1)
            if errors.max() < least:
                best, least = fit, float(errors.max())
            if least < ENOUGH:
                break
            weights *= errors / max(float(errors.mean()), 1e-12) + 0.1
        return best

    def _targets(self, shares: Sequence[int], included: Array) -> tuple[tuple[str, ...], Array, Array]:
        """Return for n shares the bodies in which places are fitted best, the places, and their derivatives.

        Places are (poses, 3 n) [m]; derivatives, of the same shape, are along the steps of the samples.
        """
        z = (self.z - self.z.mean(axis=0)) / np.maximum(np.ptp(self.z, axis=0), 1e-9)
        terms = np.concatenate([np.ones((len(z), 1)), z, z**2], axis=1)[included]
        bodies, columns, derivatives = [], [], []
        for k in shares:
            residuals = {body: _residual(terms, places[included, k]) for body, places in self._curves_in_body.items()}
            bodies.append(min(residuals, key=lambda body: residuals[body]))
            columns.append(self._curves_in_body[bodies[-1]][:, k])
            derivatives.append(self._derivatives[bodies[-1]][:, k])
        return tuple(bodies), np.concatenate(columns, axis=1), np.concatenate(derivatives, axis=1)


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
    present = {tuple(row) for row in terms.tolist()}
    return np.concatenate([terms, np.array([row for row in high.tolist() if tuple(row) not in present])])


def _residual(terms: Array, values: Array) -> float:
    return float(np.linalg.norm(values - terms @ np.linalg.lstsq(terms, values, rcond=None)[0]))


def _distances(polynomials: Polynomials, z: Array, places: Array) -> Array:
    return np.asarray(np.linalg.norm((polynomials.values(z) - places).reshape(len(z), -1, 3), axis=2))


def _knots(curves: Array) -> list[int]:
    """Return the shares, by number and without the ends, whose polyline is close to all curves (poses, shares, 3)."""
    numbers = [0, len(SHARES) // 2, len(SHARES) - 1]
    while len(numbers) < MOST_POINTS + 2:
        worst, at = SAG, -1
        for a, b in pairwise(numbers):
            if b - a > 1:
                distances = _distances_from_line(curves[:, a + 1 : b], curves[:, [a]], curves[:, [b]]).max(axis=0)
                if distances.max() > worst:
                    worst, at = float(distances.max()), a + 1 + int(distances.argmax())
        if at < 0:
            break
        numbers = sorted([*numbers, at])
    return numbers[1:-1]


def _distances_from_line(points: Array, start: Array, end: Array) -> Array:
    """Return the distances (...,) [m] of points (..., 3) from the straight lines between ``start`` and ``end``."""
    along = end - start
    size = np.maximum((along**2).sum(axis=-1, keepdims=True), 1e-30)
    share = np.clip(((points - start) * along).sum(axis=-1, keepdims=True) / size, 0, 1)
    return np.asarray(np.linalg.norm(points - start - share * along, axis=-1))
