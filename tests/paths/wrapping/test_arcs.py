"""Arcs on wrap surfaces against closed forms, and their lengths against what OpenSim says of its own arcs."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from numpy.polynomial import chebyshev

from opensim_inertia.opensim_model.reading.coordinates import read_coordinates
from opensim_inertia.opensim_model.reading.paths import geometry_path, read_path
from opensim_inertia.paths.wrapping.arcs import (
    CONTROLS,
    FRACTIONS,
    cylinder_arc,
    ellipsoid_arc,
    sphere_arc,
    torus_arc,
)
from opensim_inertia.paths.wrapping.opensim_path import OpenSimPaths

CONTROL = 1e-9  # Relative: 13 Chebyshev points on a turn of less than 3/2 pi
CHORDS = 1e-3  # Relative: OpenSim measures an ellipsoid's arc by chords of about 1 mm; measured 2e-4


def curve(points: np.ndarray) -> Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """The polynomial through the control points: places and derivatives by the fraction of length."""
    coefficients = chebyshev.chebfit(2 * FRACTIONS - 1, points, CONTROLS - 1)
    slope = chebyshev.chebder(coefficients)
    return lambda f: (chebyshev.chebval(2 * f - 1, coefficients).T, 2 * chebyshev.chebval(2 * f - 1, slope).T)


def length_and_spread(points: np.ndarray) -> tuple[float, float]:
    """Length of an arc, and how uneven its speed is, relative."""
    x, w = np.polynomial.legendre.leggauss(24)
    speed = np.linalg.norm(curve(points)(0.5 * (x + 1))[1], axis=1)
    total = float((speed * w).sum() / 2)
    return total, float(np.ptp(speed) / total)


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("turn", [0.1, 1.0, 3.0, 4.5])
def test_helix(turn: float, sense: float) -> None:
    radius, rise = 0.04, 0.03
    first = np.array([radius, 0.0, 0.01])
    last = np.array([radius * np.cos(sense * turn), radius * np.sin(sense * turn), 0.01 + rise])
    arc = cylinder_arc(first, last, first - [0.0, sense * 0.1, 0.0])
    np.testing.assert_allclose(arc[[0, -1]], [first, last], atol=1e-15)
    np.testing.assert_allclose(np.hypot(arc[:, 0], arc[:, 1]), radius, rtol=1e-14)
    length, spread = length_and_spread(arc)
    assert length == pytest.approx(np.hypot(radius * turn, rise), rel=CONTROL)
    assert spread < 2e-7  # the derivative loses digits with the turn
    place, _ = curve(arc)(np.array([0.37]))
    angle = sense * 0.37 * turn
    exact = [radius * np.cos(angle), radius * np.sin(angle), 0.01 + 0.37 * rise]
    np.testing.assert_allclose(place[0], exact, rtol=0, atol=radius * 2e-8)


@pytest.mark.parametrize("turn", [0.2, 1.5, 2.9, 4.0])
def test_great_circle(turn: float) -> None:
    rng = np.random.default_rng(1)
    radius = 0.05
    e1, e2, _ = np.linalg.qr(rng.normal(size=(3, 3)))[0].T
    first, last = radius * e1, radius * (np.cos(turn) * e1 + np.sin(turn) * e2)
    arc = sphere_arc(first, last, first - 0.1 * e2)
    np.testing.assert_allclose(arc[[0, -1]], [first, last], atol=1e-15)
    np.testing.assert_allclose(np.linalg.norm(arc, axis=1), radius, rtol=1e-14)
    length, spread = length_and_spread(arc)
    assert length == pytest.approx(radius * turn, rel=CONTROL)
    assert spread < 1e-6


def test_half_turn_on_a_sphere_goes_the_way_it_arrives() -> None:
    first, last = np.array([0.05, 0.0, 0.0]), np.array([-0.05, 0.0, 0.0])
    arc = sphere_arc(first, last, np.array([0.05, -0.1, 0.0]))
    assert length_and_spread(arc)[0] == pytest.approx(np.pi * 0.05, rel=CONTROL)
    assert arc[CONTROLS // 2, 1] > 0.049


def test_touch_has_no_length() -> None:
    point, before = np.array([0.03, 0.0, 0.01]), np.array([0.03, -0.1, 0.01])
    nearly = np.array([0.03 * np.cos(1e-9), -0.03 * np.sin(1e-9), 0.01])  # rounding puts it behind
    for arc in (cylinder_arc(point, point, before), cylinder_arc(point, nearly, before)):
        assert np.abs(arc - point).max() < 1e-8
    on_sphere = np.array([0.03, 0.0, 0.0])
    assert np.abs(sphere_arc(on_sphere, on_sphere, np.array([0.03, -0.1, 0.0])) - on_sphere).max() < 1e-14
    ellipsoid = ellipsoid_arc(on_sphere, on_sphere, on_sphere, np.array([0.03, 0.02, 0.01]))
    assert np.isfinite(ellipsoid).all() and np.abs(ellipsoid - on_sphere).max() < 1e-14


def test_plane_section_of_an_ellipsoid() -> None:
    axes = np.array([0.05, 0.03, 0.02])
    start, middle, end = (np.array([np.cos(a), np.sin(a), 0.0]) for a in (0.2, 1.0, 2.2))
    turn = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))[0]
    shift = turn @ np.array([0.0, 0.0, 0.6])  # a small circle of the unit sphere

    def on_surface(p: np.ndarray) -> np.ndarray:
        return axes * (shift + 0.8 * turn @ p)

    arc = ellipsoid_arc(on_surface(start), on_surface(end), on_surface(middle), axes)
    np.testing.assert_allclose(arc[[0, -1]], [on_surface(start), on_surface(end)], atol=1e-14)
    np.testing.assert_allclose(((arc / axes) ** 2).sum(axis=1), 1.0, rtol=1e-13)
    fine = np.linspace(0.2, 2.2, 20001)
    exact = np.array([on_surface(np.array([np.cos(a), np.sin(a), 0.0])) for a in fine])
    chords = np.linalg.norm(np.diff(exact, axis=0), axis=1)
    length, spread = length_and_spread(arc)
    assert length == pytest.approx(chords.sum(), rel=1e-7)
    assert spread < 1e-3
    assert length > 0.03


def test_torus_arc_is_a_helix_around_the_tube() -> None:
    ring, tube, azimuth, turn, rise = 0.05, 0.01, 0.7, 1.4, 0.002
    out, up = np.array([np.cos(azimuth), np.sin(azimuth), 0.0]), np.array([0.0, 0.0, 1.0])
    axis = np.cross(out, up)

    def place(angle: float, along: float) -> np.ndarray:
        # the inner side of the ring
        return ring * out + tube * (-np.cos(angle) * out + np.sin(angle) * up) + along * axis

    first, last = place(-turn / 2, -rise / 2), place(turn / 2, rise / 2)
    tangent = np.sin(-turn / 2) * out + np.cos(-turn / 2) * up
    arc = torus_arc(first, last, first - 0.05 * tangent, ring, tube)
    np.testing.assert_allclose(arc[[0, -1]], [first, last], atol=1e-9)
    assert length_and_spread(arc)[0] == pytest.approx(np.hypot(tube * turn, rise), rel=1e-6)


@cache
def wrapped(path: Path) -> tuple[osim.Model, osim.State, OpenSimPaths, np.ndarray]:
    model = osim.Model(str(path))
    state = osim.State(model.initSystem())
    coordinates = read_coordinates(model, state)
    paths = [p for m in model.getMuscles() if (p := read_path(m, coordinates)).wraps]
    return model, state, OpenSimPaths(model, coordinates, paths), np.clip(coordinates.ranges, -1.5, 1.5)


@pytest.mark.parametrize("name", ["Arm26/arm26", "Rajagopal/Rajagopal2016"])
def test_lengths_are_opensims_on_real_models(opensim_models: Path, name: str) -> None:
    """OpenSim adds these lengths to its path lengths; arcs of more than half a turn included."""
    model, state, opensim, ranges = wrapped(opensim_models / f"Models/{name}.osim")
    rng, count, longest = np.random.default_rng(0), 0, 0.0
    for _ in range(4):
        q = ranges[:, 0] + np.ptp(ranges, axis=1) * rng.uniform(0.1, 0.9, len(ranges))
        state.setQ(osim.Vector.createFromMat(q))
        model.realizeVelocity(state)
        for muscle, path in opensim.paths(state).items():
            current = geometry_path(model.getMuscles().get(muscle)).getCurrentPath(state)
            lengths = []
            for i in range(current.getSize()):
                wrap = osim.PathWrapPoint.safeDownCast(current.get(i))
                if wrap is not None and len(lengths) < 2 * len(path.arcs):
                    lengths.append(wrap.getWrapLength(state))
            opensim_lengths = lengths[1::2]  # the second point of a pair holds it
            assert len(opensim_lengths) == len(path.arcs) == sum(element < 0 for element in path.sequence)
            for arc, exact in zip(path.arcs, opensim_lengths, strict=True):
                ours, spread = length_and_spread(arc.points)
                assert ours == pytest.approx(exact, rel=CHORDS, abs=1e-7), (muscle, exact)
                assert spread < 1e-2
                count, longest = count + 1, max(longest, exact)
    assert count >= 6 and longest > 0.01
