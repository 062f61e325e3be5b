"""OpenSim functions of one coordinate, read once as piecewise cubics that the kernel differentiates exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._opensim import osim
from ..arrays import Array

#: Largest difference accepted between an OpenSim function and the cubic read from it, relative to the function's size.
#: A cubic through a spline's own knots agrees to rounding; a function that is not piecewise cubic misses by far more.
AGREEMENT = 1e-11


@dataclass(frozen=True)
class PiecewiseCubic:
    """A cubic per interval, in powers of the distance from the interval's left break.

    Attributes:
        breaks: n increasing break points.
        pieces: coefficients, lowest power first, shape (n + 1, 4): below the first break (about it), between, above
            the last.
    """

    breaks: Array
    pieces: Array


def read_function(function: osim.Function, low: float, high: float) -> PiecewiseCubic | None:
    """Read a function of one variable on [low, high] and the knots it has.

    Returns:
        The piecewise cubic, or None if the function is not one (checked at points inside every piece).
    """
    concrete = _concrete(function)
    knots = _knots(concrete)
    breaks = np.array(knots if len(knots) > 0 else [low if np.isfinite(low) else 0.0], dtype=float)
    value = np.array([_value(concrete, x) for x in breaks])
    slope = np.array([_slope(concrete, x) for x in breaks])
    pieces = np.zeros((breaks.size + 1, 4))
    if len(knots) > 1:
        pieces[0, :2] = value[0], slope[0]
        pieces[-1, :2] = value[-1], slope[-1]
        for i in range(breaks.size - 1):
            pieces[i + 1] = _cubic(breaks[i], breaks[i + 1], concrete, value[i : i + 2], slope[i : i + 2])
    else:
        width = high - breaks[0] if np.isfinite(high) and high > breaks[0] else 1.0
        end = breaks[0] + width
        cubic = _cubic(
            breaks[0],
            end,
            concrete,
            np.array([value[0], _value(concrete, end)]),
            np.array([slope[0], _slope(concrete, end)]),
        )
        pieces[:] = cubic
    read = PiecewiseCubic(breaks, pieces)
    return read if _agrees(read, concrete, low, high) else None


def evaluate(cubic: PiecewiseCubic, x: Array) -> Array:
    """Return the values of a piecewise cubic at points of any shape."""
    i = np.searchsorted(cubic.breaks, x, side="right")
    t = x - cubic.breaks[np.maximum(i - 1, 0)]
    return np.asarray(np.polynomial.polynomial.polyval(t, np.moveaxis(cubic.pieces[i], -1, 0), tensor=False))


def _concrete(function: osim.Function) -> osim.Function:
    """Return the function as its own class, so that its knots can be read."""
    cls = getattr(osim, function.getConcreteClassName(), None)
    cast = cls.safeDownCast(function) if cls is not None and hasattr(cls, "safeDownCast") else None
    return function if cast is None else cast


def _knots(function: osim.Function) -> list[float]:
    if isinstance(function, osim.MultiplierFunction):
        return _knots(_concrete(function.getFunction()))
    if hasattr(function, "getNumberOfPoints"):
        return [function.getX(i) for i in range(function.getNumberOfPoints())]
    return []


def _value(function: osim.Function, x: float) -> float:
    return float(function.calcValue(osim.Vector(1, float(x))))


def _slope(function: osim.Function, x: float) -> float:
    order = osim.StdVectorInt()
    order.append(0)
    return float(function.calcDerivative(order, osim.Vector(1, float(x))))


def _cubic(x0: float, x1: float, function: osim.Function, value: Array, slope: Array) -> Array:
    """Return the Hermite cubic on an interval; of a piecewise linear function, whose knots have no slope, the line."""
    h = x1 - x0
    if isinstance(function, osim.PiecewiseLinearFunction):
        return np.array([value[0], (value[1] - value[0]) / h, 0.0, 0.0])
    rise = (value[1] - value[0]) / h
    return np.array(
        [value[0], slope[0], (3 * rise - 2 * slope[0] - slope[1]) / h, (slope[0] + slope[1] - 2 * rise) / h**2]
    )


def _agrees(cubic: PiecewiseCubic, function: osim.Function, low: float, high: float) -> bool:
    ends = [e for e in (low, high) if np.isfinite(e)]
    grid = np.unique(np.concatenate([cubic.breaks, ends]))
    inside = np.concatenate([grid] + [grid[:-1] + f * np.diff(grid) for f in (0.21, 0.5, 0.83)])
    inside = inside[(inside >= low) & (inside <= high)]
    exact = np.array([_value(function, x) for x in inside])
    ours = evaluate(cubic, inside)
    scale = max(1e-3, float(np.abs(exact).max(initial=0.0)))
    return bool(np.abs(ours - exact).max(initial=0.0) <= AGREEMENT * scale)
