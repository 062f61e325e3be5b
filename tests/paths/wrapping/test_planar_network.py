"""The NumPy reference of the network, with weights that mean nothing, against differences and symmetries."""

import numpy as np
import pytest
from oracles.planar_network import SpanPaths, network_spans

from opensim_inertia.paths.kernel.network import NetworkRecord

STEP = 1e-6  # central difference: truncation and rounding both below 1e-8
TOLERANCE = 2e-7


@pytest.fixture
def network() -> NetworkRecord:
    rng = np.random.default_rng(0)

    def layers(*widths: int):
        pairs = zip(widths[1:], widths[:-1], strict=True)
        return [{"weight": rng.normal(size=(m, k)) / k**0.5, "bias": 0.3 * rng.normal(size=m)} for m, k in pairs]

    return {"position": layers(4, 8, 5, 2), "length": layers(3, 8, 5, 1)}


def segments(n: int = 200, seed: int = 0) -> tuple[np.ndarray, ...]:
    """Origin, insertion [m] in general position, and fraction."""
    rng = np.random.default_rng(seed)
    origin = rng.uniform([-0.2, -0.1, -0.1], [-0.08, 0.1, 0.1], (n, 3))
    insertion = rng.uniform([0.08, -0.1, -0.1], [0.2, 0.1, 0.1], (n, 3))
    return origin, insertion, rng.uniform(0.05, 0.95, n)


@pytest.mark.parametrize(("surface", "side"), [("cylinder", 1.0), ("cylinder", -1.0), ("sphere", 1.0)])
def test_derivatives_against_finite_differences(surface: str, side: float, network: NetworkRecord) -> None:
    p, q, a = segments()
    far = np.linalg.norm(np.cross(p, q), axis=1) / np.linalg.norm(q - p, axis=1) > 0.01  # of a sphere's centre
    p, q, a = p[far], q[far], a[far]

    def at(*ends: np.ndarray) -> SpanPaths:
        return network_spans(network, surface, 0.03, side, *ends)

    path = at(p, q, a)
    assert np.ptp(path.dx_dorigin) > 0.1
    for axis, step in enumerate(STEP * np.eye(3)):
        for ahead, behind, dx, dlength in (
            (at(p + step, q, a), at(p - step, q, a), path.dx_dorigin, path.dlength_dorigin),
            (at(p, q + step, a), at(p, q - step, a), path.dx_dinsertion, path.dlength_dinsertion),
        ):
            np.testing.assert_allclose((ahead.x - behind.x) / (2 * STEP), dx[:, :, axis], atol=TOLERANCE)
            slope = (ahead.length - behind.length) / (2 * STEP)
            np.testing.assert_allclose(slope, dlength[:, axis], atol=TOLERANCE)
    slope = (at(p, q, a + STEP).x - at(p, q, a - STEP).x) / (2 * STEP)
    np.testing.assert_allclose(slope, path.dx_dfraction, atol=TOLERANCE)


def test_planar_paths_keep_the_ends_and_the_symmetries(network: NetworkRecord) -> None:
    """Whatever the weights: ends exact, and the path turns, shifts, mirrors and scales with its segment."""
    p, q, a = segments()
    path = network_spans(network, "cylinder", 0.03, 1.0, p, q, a)
    for end, fraction in ((p, 0.0), (q, 1.0)):
        at_end = network_spans(network, "cylinder", 0.03, 1.0, p, q, np.full(len(a), fraction)).x
        np.testing.assert_allclose(at_end, end, atol=1e-15)
    np.testing.assert_allclose(path.x[:, 2], p[:, 2] + a * (q - p)[:, 2], atol=1e-15)
    c, s = np.cos(0.7), np.sin(0.7)
    turn, mirror = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.diag([1.0, -1.0, 1.0])
    for motion, side in ((turn, 1.0), (mirror, -1.0)):
        moved = network_spans(network, "cylinder", 0.03, side, p @ motion.T, q @ motion.T, a)
        np.testing.assert_allclose(moved.x, path.x @ motion.T, atol=1e-14)
        np.testing.assert_allclose(moved.length, path.length, atol=1e-14)
    twice = network_spans(network, "cylinder", 0.06, 1.0, 2 * p, 2 * q, a)
    np.testing.assert_allclose(twice.x, 2 * path.x, atol=1e-14)
    np.testing.assert_allclose(twice.dx_dorigin, path.dx_dorigin, atol=1e-13)


def test_sphere_is_a_cylinder_in_the_plane_of_centre_and_ends(network: NetworkRecord) -> None:
    p, q, a = segments()
    p[:, 2] = q[:, 2] = 0
    sphere = network_spans(network, "sphere", 0.03, 1.0, p, q, a)
    side = np.sign(np.cross(p, q)[:, 2])
    cylinder = network_spans(network, "cylinder", 0.03, side, p, q, a)
    np.testing.assert_allclose(sphere.x, cylinder.x, atol=1e-14)
    np.testing.assert_allclose(sphere.length, cylinder.length, atol=1e-14)
