"""Neural paths in NumPy against finite differences, symmetries, and the kernel's own formula."""

import numpy as np
import pytest

from opensim_inertia.paths.neural import load_weights
from opensim_inertia.paths.neural.evaluate import SpanPaths, neural_spans
from opensim_inertia.paths.neural.training.accuracy import error_table
from opensim_inertia.paths.neural.training.planar import (
    PlanarSampling,
    ValidationSet,
    kernel_spans,
    planar_samples,
)

STEP = 1e-6  # central difference: truncation and rounding both below 1e-8
TOLERANCE = 2e-7


def segments(n: int = 200, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Origin, insertion [m] in general position, and fraction."""
    rng = np.random.default_rng(seed)
    origin = rng.uniform([-0.2, -0.1, -0.1], [-0.08, 0.1, 0.1], (n, 3))
    insertion = rng.uniform([0.08, -0.1, -0.1], [0.2, 0.1, 0.1], (n, 3))
    return origin, insertion, rng.uniform(0.05, 0.95, n)


@pytest.mark.parametrize(
    ("form", "surface", "side"),
    [("planar", "cylinder", 1.0), ("planar", "cylinder", -1.0), ("planar", "sphere", 1.0)]
    + [("segment", "cylinder", 1.0), ("direct", "cylinder", 1.0)],
)
def test_derivatives_against_finite_differences(form: str, surface: str, side: float, make_weights) -> None:
    weights, (p, q, a) = make_weights(form), segments()
    far = np.linalg.norm(np.cross(p, q), axis=1) / np.linalg.norm(q - p, axis=1) > 0.01  # of a sphere's centre
    p, q, a = p[far], q[far], a[far]

    def at(*ends: np.ndarray) -> SpanPaths:
        return neural_spans(weights, surface, 0.03, side, *ends)

    path = at(p, q, a)
    assert np.ptp(path.dx_dorigin) > 0.1
    for axis, step in enumerate(STEP * np.eye(3)):
        for ahead, behind, dx, dlength in (
            (at(p + step, q, a), at(p - step, q, a), path.dx_dorigin, path.dlength_dorigin),
            (at(p, q + step, a), at(p, q - step, a), path.dx_dinsertion, path.dlength_dinsertion),
        ):
            np.testing.assert_allclose((ahead.x - behind.x) / (2 * STEP), dx[:, :, axis], atol=TOLERANCE)
            if form != "direct":
                slope = (ahead.length - behind.length) / (2 * STEP)
                np.testing.assert_allclose(slope, dlength[:, axis], atol=TOLERANCE)
    slope = (at(p, q, a + STEP).x - at(p, q, a - STEP).x) / (2 * STEP)
    np.testing.assert_allclose(slope, path.dx_dfraction, atol=TOLERANCE)


def test_planar_paths_keep_the_ends_and_the_symmetries(make_weights) -> None:
    """Whatever the weights: ends exact, and the path turns, shifts, mirrors and scales with its segment."""
    weights, (p, q, a) = make_weights("planar"), segments()
    path = neural_spans(weights, "cylinder", 0.03, 1.0, p, q, a)
    for end, fraction in ((p, 0.0), (q, 1.0)):
        at_end = neural_spans(weights, "cylinder", 0.03, 1.0, p, q, np.full(len(a), fraction)).x
        np.testing.assert_allclose(at_end, end, atol=1e-15)
    np.testing.assert_allclose(path.x[:, 2], p[:, 2] + a * (q - p)[:, 2], atol=1e-15)
    c, s = np.cos(0.7), np.sin(0.7)
    turn, mirror = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.diag([1.0, -1.0, 1.0])
    for motion, side in ((turn, 1.0), (mirror, -1.0)):
        moved = neural_spans(weights, "cylinder", 0.03, side, p @ motion.T, q @ motion.T, a)
        np.testing.assert_allclose(moved.x, path.x @ motion.T, atol=1e-14)
        np.testing.assert_allclose(moved.length, path.length, atol=1e-14)
    twice = neural_spans(weights, "cylinder", 0.06, 1.0, 2 * p, 2 * q, a)
    np.testing.assert_allclose(twice.x, 2 * path.x, atol=1e-14)
    np.testing.assert_allclose(twice.dx_dorigin, path.dx_dorigin, atol=1e-13)


def test_sphere_is_a_cylinder_in_the_plane_of_centre_and_ends(make_weights) -> None:
    weights, (p, q, a) = make_weights("planar"), segments()
    p[:, 2] = q[:, 2] = 0
    sphere = neural_spans(weights, "sphere", 0.03, 1.0, p, q, a)
    side = np.sign(np.cross(p, q)[:, 2])
    cylinder = neural_spans(weights, "cylinder", 0.03, side, p, q, a)
    np.testing.assert_allclose(sphere.x, cylinder.x, atol=1e-14)
    np.testing.assert_allclose(sphere.length, cylinder.length, atol=1e-14)


def test_shipped_network_against_the_kernel() -> None:
    """The error table in the file is that of the weights in the file, on segments drawn anew."""
    weights = load_weights()
    table = error_table(weights, ValidationSet.draw(4_000, np.random.default_rng(5)))
    for name in ("position_mm", "jacobian_away_from_touch", "length_mm", "length_slope"):
        assert 0 < table[name]["mean"] < 1.2 * weights.errors[name]["mean"] < 0.06, name


class Fixed(PlanarSampling):
    """A sampling that draws given rows."""

    def __init__(self, rows: np.ndarray) -> None:
        object.__setattr__(self, "rows", rows)

    def draw(self, count: int, rng: np.random.Generator) -> np.ndarray:
        return self.rows


def test_derivatives_of_the_samples_against_their_values() -> None:
    """Inputs moved along a direction: the kernel's values change by the derivative. Samples are float32."""
    rng, step = np.random.default_rng(1), 1e-3
    rows = PlanarSampling(foot=(1.0, 20.0)).draw(500, rng)
    base = planar_samples(500, rng, Fixed(rows))
    moves = np.eye(4)[:, None] * np.stack([np.ones(500)] * 3 + [1 / (rows[:, 1] + rows[:, 2])], axis=1)
    for t, move in enumerate(step * moves):
        ahead, behind = (planar_samples(500, rng, Fixed(rows + sign * move)) for sign in (1, -1))
        for samples, plus, minus in zip(base, ahead, behind, strict=True):
            if t < len(samples.derivatives):
                slope = (plus.values.astype(float) - minus.values) / (2 * step)
                np.testing.assert_allclose(slope, samples.derivatives[t], atol=2e-3)
                assert abs(samples.derivatives[t]).max() > 0.05


def test_validation_set_is_what_it_says() -> None:
    valid = ValidationSet.draw(2_000, np.random.default_rng(0))
    exact = kernel_spans(valid.radius, valid.side, valid.origin, valid.insertion, valid.fraction)
    bent = exact.length > np.linalg.norm(valid.insertion - valid.origin, axis=1) + 1e-9
    assert 0.5 < bent.mean() < 0.95
    assert 0.05 < valid.near_touch.mean() < 0.4
    assert not (valid.near_touch & valid.away).any()
