"""Functions of a coordinate, read as piecewise cubics, against the live OpenSim functions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from opensim_inertia._opensim import osim
from opensim_inertia.reading.functions import PiecewiseCubic, evaluate, read_function

VALUE = 1e-11
"""Relative to the function's size: OpenSim evaluates the same cubic in another form."""
SLOPE, CURVATURE = 1e-9, 1e-7
"""Relative to the derivative's size: divided differences of nearly equal knots lose digits with each order."""


def derivative(cubic: PiecewiseCubic, x: float, order: int) -> float:
    i = int(np.searchsorted(cubic.breaks, x, side="right"))
    coefficients = np.polynomial.polynomial.polyder(cubic.pieces[i], order)
    return float(np.polynomial.polynomial.polyval(x - cubic.breaks[max(i - 1, 0)], coefficients))


def live(function: osim.Function, x: float, order: int) -> float:
    at = osim.Vector(1, float(x))
    return function.calcDerivative(osim.StdVectorInt([0] * order), at) if order else function.calcValue(at)


def check(function: osim.Function, cubic: PiecewiseCubic, inside: np.ndarray) -> np.ndarray:
    """Largest size of value, slope and curvature."""
    sizes = []
    for order, tolerance in enumerate((VALUE, SLOPE, CURVATURE)):
        exact = np.array([live(function, x, order) for x in inside])
        ours = np.array([evaluate(cubic, x) if order == 0 else derivative(cubic, x, order) for x in inside])
        np.testing.assert_allclose(ours, exact, rtol=0, atol=tolerance * max(np.abs(exact).max(), 1e-3))
        sizes.append(np.abs(exact).max())
    return np.array(sizes)


def spline(knots: np.ndarray, seed: int = 0) -> osim.SimmSpline:
    values, function = np.random.default_rng(seed).normal(size=knots.size), osim.SimmSpline()
    for x, y in zip(knots, values, strict=True):
        function.addPoint(float(x), float(y))
    return function


@pytest.mark.parametrize("count", [2, 3, 4, 7, 20])
def test_simm_splines(count: int) -> None:
    rng = np.random.default_rng(count)
    knots = np.sort(rng.uniform(-2, 1, count))
    function = spline(knots)
    cubic = read_function(function, -2.5, 1.5)
    assert cubic is not None and cubic.breaks.size == count and cubic.pieces.shape == (count + 1, 4)
    inside = rng.uniform(knots[0], knots[-1], 200)
    sizes = check(function, cubic, inside[np.abs(inside[:, None] - knots).min(axis=1) > 1e-6])
    assert sizes[0] > 0.1 and sizes[1] > 0.1 and (count == 2 or sizes[2] > 0.1)


def test_simm_spline_goes_on_straight_outside_its_knots() -> None:
    function = spline(np.linspace(-1, 1, 5))
    cubic = read_function(function, -3, 3)
    assert cubic is not None
    for x in (-2.9, -1.2, 1.2, 2.9):
        assert evaluate(cubic, x) == pytest.approx(live(function, x, 0), rel=VALUE)
        assert derivative(cubic, x, 1) == pytest.approx(live(function, x, 1), rel=SLOPE)
        assert derivative(cubic, x, 2) == 0.0
        assert abs(derivative(cubic, x, 1)) > 0.01


def scaled() -> osim.MultiplierFunction:
    inner = spline(np.linspace(-1, 1, 6))
    inner.thisown = False  # the multiple takes it
    return osim.MultiplierFunction(inner, 0.37)


def stepwise() -> osim.PiecewiseLinearFunction:
    function = osim.PiecewiseLinearFunction()
    for x, y in ((-1.0, 0.3), (-0.2, -0.4), (0.5, 0.9), (1.0, 0.1)):
        function.addPoint(x, y)
    return function


@pytest.mark.parametrize(
    "make",
    [
        scaled,
        stepwise,
        lambda: osim.LinearFunction(1.7, -0.3),
        lambda: osim.Constant(0.42),
        lambda: osim.PolynomialFunction(osim.Vector.createFromMat(np.array([0.3, -0.7, 0.2, 1.1]))),
    ],
)
def test_other_functions_of_a_cubic_kind(make: Callable[[], osim.Function]) -> None:
    function = make()
    cubic = read_function(function, -1.0, 1.0)
    assert cubic is not None
    inside = np.array([-0.97, -0.5, -0.31, 0.11, 0.77, 0.95])
    for order, tolerance in ((0, VALUE), (1, SLOPE)):
        exact = [live(function, x, order) for x in inside]
        ours = [evaluate(cubic, x) if order == 0 else derivative(cubic, x, order) for x in inside]
        np.testing.assert_allclose(ours, exact, rtol=0, atol=tolerance)
    assert abs(evaluate(cubic, 0.5)) > 0.1


def test_functions_that_are_not_cubic_are_refused() -> None:
    quintic = osim.PolynomialFunction(osim.Vector.createFromMat(np.array([1.0, 0, 0, 0, 0.3, 0.1])))
    for function in (osim.Sine(1.0, 3.0, 0.2), quintic):
        assert read_function(function, -1.0, 1.0) is None


@pytest.mark.parametrize("name", ["Gait2392_Simbody/gait2392_thelen2003muscle", "Leg6Dof9Musc/leg6dof9musc"])
def test_moving_points_of_real_models(opensim_models: Path, name: str) -> None:
    model = osim.Model(str(opensim_models / f"Models/{name}.osim"))
    model.initSystem()
    met, rng, largest = 0, np.random.default_rng(0), np.zeros(3)
    for muscle in model.getMuscles():
        points = osim.GeometryPath.safeDownCast(muscle.getPath()).getPathPointSet()
        for i in range(points.getSize()):
            moving = osim.MovingPathPoint.safeDownCast(points.get(i))
            for axis in "xyz" if moving is not None else "":
                function = getattr(moving, f"get_{axis}_location")()
                if not getattr(moving, f"has{axis.upper()}Coordinate")():
                    continue
                coordinate = getattr(moving, f"get{axis.upper()}Coordinate")()
                low, high = coordinate.getRangeMin(), coordinate.getRangeMax()
                cubic = read_function(function, low, high)
                assert cubic is not None
                inside = rng.uniform(low, high, 25)
                inside = inside[np.abs(inside[:, None] - cubic.breaks).min(axis=1) > 1e-6]
                largest = np.maximum(largest, check(function, cubic, inside))
                met += 1
    assert met > 5
    assert (largest > [0.01, 0.005, 0.005]).all()
