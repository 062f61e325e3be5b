"""Functions of a coordinate, read as piecewise polynomials, against the live OpenSim functions."""

from collections.abc import Callable

import numpy as np
import opensim as osim
import pytest

from opensim_inertia.opensim_model.reading.functions import PiecewisePolynomial, evaluate, read_function, values_at

VALUE = 1e-11  # Relative to the function's size: OpenSim evaluates the same cubic in another form
SLOPE, CURVATURE = 1e-9, 1e-7
"""Relative to the derivative's size: divided differences of nearly equal knots lose digits with each order."""
SAMPLED = 1e-9
"""Of values, slopes (times the width of the range) and curvatures (times its square): what reading promises."""


def derivative(cubic: PiecewisePolynomial, x: float, order: int) -> float:
    i = int(np.searchsorted(cubic.breaks, x, side="right"))
    coefficients = np.polynomial.polynomial.polyder(cubic.pieces[i], order)
    return float(np.polynomial.polynomial.polyval(x - cubic.breaks[max(i - 1, 0)], coefficients))


def live(function: osim.Function, x: float, order: int) -> float:
    at = osim.Vector(1, float(x))
    return function.calcDerivative(osim.StdVectorInt([0] * order), at) if order else function.calcValue(at)


def both(function: osim.Function, read: PiecewisePolynomial, xs: np.ndarray, order: int) -> tuple[np.ndarray, ...]:
    """Values or derivatives of an order as they were read, and OpenSim's own."""
    ours = [evaluate(read, x) if order == 0 else derivative(read, x, order) for x in xs]
    return np.array(ours), np.array([live(function, x, order) for x in xs])


def spline(knots: np.ndarray, seed: int = 0) -> osim.SimmSpline:
    values, function = np.random.default_rng(seed).normal(size=knots.size), osim.SimmSpline()
    for x, y in zip(knots, values, strict=True):
        function.addPoint(float(x), float(y))
    return function


@pytest.mark.parametrize("count", [2, 3, 4, 7, 20])
def test_simm_splines(count: int) -> None:
    """Which go on straight outside their knots."""
    rng = np.random.default_rng(count)
    knots = np.sort(rng.uniform(-2, 1, count))
    function = spline(knots)
    cubic = read_function(function, -2.5, 1.5)
    assert cubic is not None and cubic.breaks.size == count and cubic.pieces.shape == (count + 1, 4)
    inside = rng.uniform(knots[0], knots[-1], 200)
    inside = inside[np.abs(inside[:, None] - knots).min(axis=1) > 1e-6]
    outside = np.concatenate([knots[0] - [0.9, 0.1], knots[-1] + [0.1, 0.9]])
    for order, tolerance in enumerate((VALUE, SLOPE, CURVATURE)):
        for xs in (inside, outside) if order < 2 else (inside,):
            ours, exact = both(function, cubic, xs, order)
            size = np.abs(exact).max()
            np.testing.assert_allclose(ours, exact, rtol=0, atol=tolerance * max(size, 1e-3))
            assert size > (0.01 if count > 2 or order < 2 else -1)
    assert all(derivative(cubic, x, 2) == 0 for x in outside)


def stepwise() -> osim.PiecewiseLinearFunction:
    function = osim.PiecewiseLinearFunction()
    for x, y in ((-1.0, 0.3), (-0.2, -0.4), (0.5, 0.9), (1.0, 0.1)):
        function.addPoint(x, y)
    return function


@pytest.mark.parametrize("make", [stepwise, lambda: multiple(spline(np.linspace(-1, 1, 6)), 0.37)])
def test_other_functions_with_knots(make: Callable[[], osim.Function]) -> None:
    cubic = read_function(function := make(), -1.0, 1.0)
    assert cubic is not None and abs(evaluate(cubic, 0.5)) > 0.1
    for order, tolerance in ((0, VALUE), (1, SLOPE)):
        ours, exact = both(function, cubic, np.array([-0.97, -0.5, -0.31, 0.11, 0.77, 0.95]), order)
        np.testing.assert_allclose(ours, exact, rtol=0, atol=tolerance)


def polynomial(*coefficients: float) -> osim.PolynomialFunction:
    """Highest power first."""
    return osim.PolynomialFunction(osim.Vector.createFromMat(np.array(coefficients)))


def multiple(inner: osim.Function, scale: float) -> osim.MultiplierFunction:
    inner.thisown = False  # the multiple takes it
    return osim.MultiplierFunction(inner, scale)


@pytest.mark.parametrize("degree", [0, 1, 2, 4, 5, 9, 14])
def test_polynomials_are_carried_exactly(degree: int) -> None:
    """Also where they are multiples, and far beyond the range."""
    coefficients = np.random.default_rng(degree).normal(size=degree + 1)
    for scale, function in ((1.0, polynomial(*coefficients)), (-2.5, multiple(polynomial(*coefficients), -2.5))):
        read = read_function(function, -1.0, 1.0)
        assert read is not None and read.reach == (-np.inf, np.inf)
        np.testing.assert_array_equal(read.pieces, np.tile(scale * coefficients[::-1], (2, 1)))
        x = np.array([-7.0, -1.0, -0.3, 0.0, 0.4, 1.0, 5.0])
        exact = scale * np.polyval(coefficients, x)
        np.testing.assert_allclose(evaluate(read, x), exact, rtol=1e-13, atol=1e-13 * np.abs(exact).max())


def gcv_spline(degree: int) -> osim.GCVSpline:
    function = osim.GCVSpline()
    function.setDegree(degree)
    for x in np.linspace(-1.0, 1.0, 9):
        function.addPoint(float(x), float(np.sin(3 * x) + 0.3 * np.cos(11 * x)))
    return function


def expression() -> osim.ExpressionBasedFunction:
    function = osim.ExpressionBasedFunction()
    function.setExpression("exp(-x*x)*sin(4*x)")
    function.setVariables(osim.StdVectorString(["x"]))
    return function


#: Functions that must be sampled, and whether OpenSim knows their second derivative.
SMOOTH: dict[str, tuple[Callable[[], osim.Function], bool]] = {
    "sine": (lambda: osim.Sine(1.0, 3.0, 0.2), True),
    "fast sine": (lambda: osim.Sine(0.02, 40.0, 0.2), True),
    "multiple of a sine": (lambda: multiple(osim.Sine(1.0, 3.0, 0.2), -0.7), True),
    "quintic spline": (lambda: gcv_spline(5), True),
    "heptic spline": (lambda: gcv_spline(7), True),
    "step": (lambda: osim.StepFunction(-0.3, 0.4, 0.1, 0.9), True),
    "expression": (expression, False),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SMOOTH))
def test_other_smooth_functions_are_sampled(name: str) -> None:
    """Values and both derivatives, over the range and over the margin that was asked for."""
    make, knows_curvature = SMOOTH[name]
    function, low, high, margin = make(), -0.8, 0.9, 1.0
    read = read_function(function, low, high, margin)
    assert read is not None and read.reach[0] <= low - 1.7 and read.reach[1] >= high + 1.7
    x = np.random.default_rng(0).uniform(low - 1.7, high + 1.7, 300)
    for order in range(3 if knows_curvature else 2):
        ours, exact = both(function, read, x, order)
        size = max(np.abs([live(function, argument, 0) for argument in x]).max(), 1e-3)
        bound = SAMPLED * max(size / (high - low) ** order, np.abs(exact).max())
        assert np.abs(ours - exact).max() < bound, order
        assert np.abs(exact).max() > 1e-3
    np.testing.assert_allclose(
        [evaluate(read, np.nextafter(b, -9)) for b in read.breaks], evaluate(read, read.breaks), atol=1e-11, rtol=1e-11
    )


def test_functions_without_end_are_not_sampled_without_end() -> None:
    """A polynomial's reach is all numbers; a sine's is what was sampled, and a range without end is refused."""
    sampled = read_function(osim.Sine(1.0, 3.0, 0.2), -1.0, 1.0)
    assert sampled is not None and sampled.reach == (-1.0, 1.0)
    assert read_function(osim.Sine(1.0, 3.0, 0.2), -np.inf, 1.0) is None
    assert read_function(osim.Sine(1.0, 3.0, 0.2), -1e6, 1e6) is None
    assert read_function(osim.Sine(1.0, 3.0, 0.2), 0.4, 0.4) is not None  # a coordinate that cannot move


def test_functions_with_jumps_or_kinks_are_refused() -> None:
    steps = osim.PiecewiseConstantFunction()
    for x, y in ((-1.0, 0.1), (0.1, 0.2), (0.8, 0.3)):
        steps.addPoint(x, y)
    kink = osim.ExpressionBasedFunction()
    kink.setExpression("abs(x-0.123)")
    kink.setVariables(osim.StdVectorString(["x"]))
    for function in (steps, kink):
        assert read_function(function, -1.0, 1.0) is None


def test_values_and_slopes_of_a_function_of_two_arguments() -> None:
    plane = osim.MultivariatePolynomialFunction(osim.Vector(3, 1.0), 2, 1)  # 1 + x + y
    points = np.random.default_rng(3).normal(size=(5, 2))
    np.testing.assert_allclose(values_at(plane, points), 1 + points.sum(axis=1), rtol=1e-15)
    for argument in (0, 1):
        np.testing.assert_allclose(values_at(plane, points, by=argument), np.ones(5), rtol=1e-15)
    assert values_at(plane, points[:0]).shape == values_at(spline(np.arange(4.0)), np.zeros(0)).shape == (0,)
