"""OpenSim functions of one coordinate as piecewise polynomials."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.polynomial import Chebyshev, Polynomial
from numpy.polynomial import polynomial as powers

from ..._core.arrays import Array
from ..._core.errors import OPENSIM_ERRORS
from ..._core.opensim import osim

#: Largest relative error of values of the polynomials.
AGREEMENT = 1e-11
#: Largest relative error of slopes, by the steepest slope or by size over width.
SLOPE_AGREEMENT = 5e-12
#: Lower limit of a function's size in relative errors.
SMALLEST = 1e-3

#: Degree of interpolants, largest number of bisections, and largest number of intervals.
DEGREE, HALVINGS, MOST_PIECES = 9, 24, 1000
#: Test points of an interpolant, as shares of its interval.
BETWEEN = np.array([0.03, 0.21, 0.34, 0.5, 0.67, 0.83, 0.96])
#: Test points beyond the range, as multiples of its width.
BEYOND = np.array([0.01, 0.4, 1.0, 3.0, 10.0])


@dataclass(frozen=True, eq=False)
class PiecewisePolynomial:
    """One polynomial per interval between breaks, in powers of x minus the interval's left break."""

    breaks: Array  # n >= 1 increasing breaks
    pieces: Array  # coefficients (n + 1, terms), lowest power first: below, between and above the breaks
    reach: tuple[float, float] = (-np.inf, np.inf)


def read_function(function: osim.Function, low: float, high: float, margin: float = 0.0) -> PiecewisePolynomial | None:
    """Return an OpenSim function on [low, high] as piecewise polynomials; None if the function is not smooth."""
    concrete = _concrete(function)
    coefficients = _coefficients(concrete)
    if coefficients is not None:
        polynomial = PiecewisePolynomial(np.zeros(1), np.array([coefficients, coefficients]))
        if _agrees(polynomial, concrete, low, high):
            return polynomial
    cubics = _cubics(concrete)
    if cubics is not None and _agrees(cubics, concrete, low, high):
        return _with_reach(cubics, concrete, low, high)
    if not (np.isfinite([low, high]).all() and low <= high):
        return None
    for widths in dict.fromkeys((margin, 0.0)):
        sampled = _sampled(concrete, low - widths * (high - low), high + widths * (high - low))
        if sampled is not None:
            return _with_reach(sampled, concrete, *sampled.reach)
    return None


def evaluate(polynomial: PiecewisePolynomial, x: Array) -> Array:
    """Return a piecewise polynomial's values at points x of any shape."""
    i = np.searchsorted(polynomial.breaks, x, side="right")
    t = x - polynomial.breaks[np.maximum(i - 1, 0)]
    return np.asarray(powers.polyval(t, np.moveaxis(polynomial.pieces[i], -1, 0), tensor=False))


def _concrete(function: osim.Function) -> osim.Function:
    """Return the function cast to its concrete class."""
    cls = getattr(osim, function.getConcreteClassName(), None)
    cast = cls.safeDownCast(function) if cls is not None and hasattr(cls, "safeDownCast") else None
    return function if cast is None else cast


def _coefficients(function: osim.Function) -> list[float] | None:
    """Return the coefficients of a polynomial function, lowest power first; None for other classes of functions."""
    if isinstance(function, osim.MultiplierFunction):
        inner = _coefficients(_concrete(function.getFunction()))
        return None if inner is None else [function.getScale() * c for c in inner]
    if isinstance(function, osim.Constant):
        return [function.getValue()]
    if isinstance(function, osim.LinearFunction):
        return [function.getIntercept(), function.getSlope()]
    if isinstance(function, osim.PolynomialFunction):
        return [float(c) for c in function.getCoefficients().to_numpy()[::-1]]
    if isinstance(function, osim.MultivariatePolynomialFunction) and function.getDimension() == 1:
        return [float(c) for c in function.getCoefficients().to_numpy()]
    return None


def _knots(function: osim.Function) -> list[float]:
    if isinstance(function, osim.MultiplierFunction):
        return _knots(_concrete(function.getFunction()))
    if isinstance(function, osim.StepFunction):
        return sorted({function.getStartTime(), function.getEndTime()})
    if hasattr(function, "getNumberOfPoints"):
        return [function.getX(i) for i in range(function.getNumberOfPoints())]
    return []


def values_at(function: osim.Function, xs: Array, by: int | None = None) -> Array:
    """Return a function's values at points (n,) or (n, arguments), or its derivatives by argument ``by`` there."""
    calculate = function.calcValue if by is None else partial(function.calcDerivative, osim.StdVectorInt([by]))
    points = xs[:, None] if xs.ndim == 1 else xs
    argument, values = osim.Vector(points.shape[1], 0.0), []  # reused for all points
    for row in points.tolist():
        for i, x in enumerate(row):
            argument.set(i, x)
        values.append(calculate(argument))
    return np.array(values, dtype=float)


# -- functions with knots -------------------------------------------------------------------------------------------


def _cubics(function: osim.Function) -> PiecewisePolynomial | None:
    """Return cubics between a function's knots, and lines beyond; None if the function has no increasing knots."""
    breaks = np.array(_knots(function), dtype=float)
    if breaks.size < 2 or not (np.diff(breaks) > 0).all():
        return None
    value, slope = values_at(function, breaks), values_at(function, breaks, by=0)
    pieces = np.zeros((breaks.size + 1, 4))
    pieces[0, :2] = value[0], slope[0]
    pieces[-1, :2] = value[-1], slope[-1]
    pieces[1:-1, 0], h = value[:-1], np.diff(breaks)
    rise, first, second = np.diff(value) / h, slope[:-1], slope[1:]
    if isinstance(function, osim.PiecewiseLinearFunction):  # slopes are undefined at knots
        pieces[1:-1, 1] = rise
    else:
        squares = np.array([step**2 for step in h])  # scalar powers round differently from array powers
        pieces[1:-1, 1], pieces[1:-1, 2] = first, (3 * rise - 2 * first - second) / h
        pieces[1:-1, 3] = (first + second - 2 * rise) / squares
    return PiecewisePolynomial(breaks, pieces)


def _agrees(polynomial: PiecewisePolynomial, function: osim.Function, low: float, high: float) -> bool:
    ends = [e for e in (low, high) if np.isfinite(e)]
    grid = np.array(sorted({*polynomial.breaks.tolist(), *ends}))
    widths = np.diff(grid)
    inside = np.concatenate([grid, *(grid[:-1] + f * widths for f in (0.21, 0.5, 0.83))])
    inside = inside[(inside >= low) & (inside <= high)]
    exact = values_at(function, inside)
    scale = max(SMALLEST, float(np.abs(exact).max(initial=0.0)))
    return bool(np.abs(evaluate(polynomial, inside) - exact).max(initial=0.0) <= AGREEMENT * scale)


def _with_reach(
    polynomial: PiecewisePolynomial, function: osim.Function, low: float, high: float
) -> PiecewisePolynomial:
    """Return the polynomial, valid on [low, high], or to infinity on a side where it fits ``function`` further out."""
    low, high = min(low, polynomial.breaks[0]), max(high, polynomial.breaks[-1])
    width = high - low if np.isfinite(high - low) else float(np.ptp(polynomial.breaks))
    reach = []
    for end, outwards in ((low, -1.0), (high, 1.0)):
        goes_on = not np.isfinite(end)
        if not goes_on:
            beyond = end + outwards * BEYOND * (width or 1.0)
            exact = values_at(function, beyond)
            scale = np.maximum(SMALLEST, np.abs(exact))
            goes_on = bool((np.abs(evaluate(polynomial, beyond) - exact) <= AGREEMENT * scale).all())
        reach.append(outwards * np.inf if goes_on else end)
    return PiecewisePolynomial(polynomial.breaks, polynomial.pieces, (reach[0], reach[1]))


# -- functions of other kinds ---------------------------------------------------------------------------------------


def _sampled(function: osim.Function, low: float, high: float) -> PiecewisePolynomial | None:
    """Return Chebyshev interpolants of a function on parts of [low, high]; None if the function is not smooth."""
    inner = [x for x in _knots(function) if low < x < high]
    ends = np.array([low, *inner, high])
    scan = np.linspace(low, high, 33)
    scale = max(SMALLEST, float(np.abs(values_at(function, scan)).max()))
    try:
        steepest = max(
            scale / (high - low) if high > low else np.inf, *np.abs(values_at(function, scan, by=0)).tolist()
        )
        pieces: list[tuple[float, Array]] = []
        intervals = [(a, b, 0) for a, b in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)][::-1]
        while intervals:
            a, b, depth = intervals.pop()
            coefficients, inside = _through_samples(function, a, b), a + BETWEEN * (b - a)
            value_error = np.abs(powers.polyval(inside - a, coefficients) - values_at(function, inside)).max()
            slopes = powers.polyval(inside - a, powers.polyder(coefficients))
            slope_error = np.abs(slopes - values_at(function, inside, by=0)).max()
            if value_error <= AGREEMENT * scale and slope_error <= SLOPE_AGREEMENT * steepest:
                pieces.append((a, coefficients))
            elif depth == HALVINGS or len(pieces) + len(intervals) >= MOST_PIECES:
                return None
            else:
                middle = (a + b) / 2
                intervals += [(middle, b, depth + 1), (a, middle, depth + 1)]
    except OPENSIM_ERRORS:  # OpenSim has no derivative of the function
        return None
    breaks = np.array([start for start, _ in pieces] + [high])
    rows = [coefficients for _, coefficients in pieces]
    last = Polynomial(rows[-1])(Polynomial([high - breaks[-2], 1.0])).coef
    rows = [rows[0], *rows, np.append(last, np.zeros(DEGREE + 1 - last.size))]
    return PiecewisePolynomial(breaks, np.array(rows), (low, high))


def _through_samples(function: osim.Function, a: float, b: float) -> Array:
    """Return the coefficients of a function's Chebyshev interpolant on [a, b], in powers of x - a."""
    nodes = np.cos(np.pi * np.arange(DEGREE + 1) / DEGREE)
    samples = values_at(function, (a + b) / 2 + (b - a) / 2 * nodes)
    series = Chebyshev(np.linalg.solve(np.polynomial.chebyshev.chebvander(nodes, DEGREE), samples))
    if b <= a:
        return np.append(samples[:1], np.zeros(DEGREE))
    local = series.convert(kind=Polynomial)(Polynomial([-1.0, 2 / (b - a)])).coef
    return np.append(local, np.zeros(DEGREE + 1 - local.size))
