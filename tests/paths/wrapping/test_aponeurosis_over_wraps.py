"""Fibres between aponeuroses over wrap surfaces: the exact sums against very many point masses.

A path of two points over one surface is smooth, so that no point mass passes a corner: sums over n x n points at the
middles of n x n parts of the material miss the integral by c / n^2, which Richardson's extrapolation takes away.
"""

import numpy as np
import pytest
from oracles.kernel_records import fixed, muscle, site, surface
from oracles.wrap_model import KINDS

from opensim_inertia import _kernel

FINE = 400  # Points along either material coordinate in the finest sum
SAME = 5e-8
"""Relative to the largest entry: what extrapolation leaves of the points' error, as Jacobians have a kink where the
path meets the surface, which lies between points. Without what slips, errors are above 1e-3."""
KINKED = 2 * FINE**-1.5
"""Relative, of h in the finest sum: accelerations jump by the path's curvature where it meets the surface, along a
slanted line of the square of material. Each row of points misses it by up to a point, rows at random."""
"""Relative: the same sums in another order, and Gauss points on the bend."""

#: Constants (phi, slack, proximal, shortest, hold_width, aponeurosis): bellies over all three zones of the trapezoid,
#: with aponeuroses shorter and longer than the fibres.
MAPS = {"P < B": (0.55, 0.0, 0.15, 0.0, 0.0, 0.7), "P > B": (0.35, 0.0, 0.1, 0.0, 0.0, 0.8)}


def state(seed: int) -> _kernel.State:
    """Three bodies that move freely, each with six speeds: two that carry ends, and the surface's between them."""
    rng = np.random.default_rng(seed)
    q, u = np.zeros(18), rng.normal(size=18)
    jacobian, bias = np.eye(18), rng.normal(size=(3, 6))
    return _kernel.State(q, u, np.tile(np.eye(3), (3, 1, 1)), np.zeros((3, 3)), jacobian, bias, bias)


def kernel(kind: str, constants: tuple[float, ...], points: int | None) -> _kernel.Kernel:
    lumps = None
    if points is not None:
        middles = (np.arange(points) + 0.5) / points
        lumps = [(chi, xi) for chi in middles for xi in middles], [0.3 / points**2] * points**2
    over = surface(kind, KINDS[kind].thick, 0.003, -1.0)
    path = [fixed(0, [-0.06, 0.008, 0.015]), fixed(2, [0.07, 0.004, -0.01])]
    sites = [site(over, 1, np.array(KINDS[kind].rotation), KINDS[kind].origin)]
    record = muscle("muscle", path, constants, 0.3, lumps, sites)
    return _kernel.Kernel(3, 18, np.array([0.3, -9.8, 0.5]), [record])


def terms(kernel: _kernel.Kernel, at: _kernel.State) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, float]:
    answer = kernel.evaluate(at)
    return answer.mass_matrix, answer.bias, answer.gravity, answer.kinetic, answer.potential


def error(value: np.ndarray, expected: np.ndarray) -> float:
    return float(np.abs(value - expected).max() / np.abs(expected).max())


@pytest.mark.slow
@pytest.mark.parametrize("constants", MAPS.values(), ids=MAPS)
@pytest.mark.parametrize("kind", KINDS)
def test_continuous_mass_is_the_limit_of_points(kind: str, constants: tuple[float, ...]) -> None:
    at = state(1)
    exact = terms(kernel(kind, constants, None), at)
    coarse, fine = (terms(kernel(kind, constants, n), at) for n in (FINE // 2, FINE))
    for what, a, b, c in zip(("dM", "h", "g_m", "T", "V"), exact, coarse, fine, strict=True):
        limit = c if what == "h" else (4 * np.asarray(c) - np.asarray(b)) / 3
        assert error(np.asarray(a), np.asarray(limit)) < (KINKED if what == "h" else SAME), what
        assert error(np.asarray(b), limit) > 0, "points are not exact"
