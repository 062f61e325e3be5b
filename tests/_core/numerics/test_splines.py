"""Natural splines, against SciPy's and against polynomials that they follow exactly."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_interp_spline

from opensim_inertia._core.arrays import NaturalSpline


@pytest.mark.parametrize("rows", [6, 7, 64, 301])
@pytest.mark.parametrize("degree", [3, 5])
def test_values_and_derivatives_are_scipys(degree: int, rows: int) -> None:
    """At rows that are not evenly spaced, between them and beyond."""
    rng = np.random.default_rng(rows)
    times = (np.arange(rows) + rng.uniform(-0.3, 0.3, rows)) / 60
    values = np.sin(9 * times[:, None] + [0.0, 1.0, 2.0])
    ours = NaturalSpline(times, values, degree)
    ends = [(order, np.zeros(3)) for order in (3, 4)]
    quintic = make_interp_spline(times, values, 5, bc_type=(ends, ends)) if degree == 5 else None
    theirs = quintic or CubicSpline(times, values, bc_type="natural")
    at = np.sort(rng.uniform(times[0] - 0.02, times[-1] + 0.02, 200))
    for order in range(3):
        expected = theirs(at, order)
        # SciPy's second derivatives of degree 5 are off by up to 5e-11 (by its BLAS), ours by 4e-12, by 40 digits
        close = 1e-10 if (degree, order) == (5, 2) else 3e-11
        np.testing.assert_allclose(ours(at, order), expected, rtol=0, atol=close * np.abs(expected).max())
    assert (ours(times)[:-1] == values[:-1]).all()
    for order in range(1, degree // 2 + 1):
        np.testing.assert_allclose(ours.rates[:, order - 1], ours(times, order), rtol=0, atol=1e-9)
