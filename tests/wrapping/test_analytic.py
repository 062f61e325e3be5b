"""The analytic way of wrapping: exact off touch, smooth through it, and mechanics as without wraps.

The kernel's formula is asked by itself first (``wrap_segments``, in the surface's frame), then through live models. The
references are geodesics from elsewhere (``exact_geodesic``), OpenSim's ``Scholz2015GeometryPath`` for several surfaces,
OpenSim's own torus, and differences.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from oracles.exact_geodesic import ExactPath, Kind, closed_form, exact_path, quadric
from oracles.finite_differences import Array, along_flow, christoffel_bias, derivative, gradient
from oracles.wrap_model import random_pose, wrap_model

import opensim_inertia as oi
from opensim_inertia import _kernel
from opensim_inertia._opensim import osim
from opensim_inertia.wrapping.plan import WrappingFallbackWarning

WRAPPINGS = ("analytic", "library", "neural")
KINDS: tuple[Kind, ...] = ("cylinder", "sphere", "ellipsoid")
SHARES = np.array([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
H = 1e-3  # m

EXACT = 1e-9
"""m; what is asked for. Measured 3e-16."""
DEVIATION = 0.16
"""Times h: the ramp is 5/32 h above its corner, at touch, and nowhere more. Measured 0.15."""
LENGTH = 1e-6
"""m, at h = 1 mm with leads of 4 cm and more: (0.156 h)^2 / 2 on each lead of l m costs 1e-8 / l. Measured 5e-7."""
HALVED = 0.51
"""Largest jump between neighbours with half the step over that with the whole: 0.5 where J is Lipschitz."""
STAYS = 0.98
"""The same where J jumps."""
KINK = 0.1
"""Jump of J at touch without smoothing: at most 1, the share of an end's motion. Measured 0.15 to 0.93."""
FIRST = 1e-8
"""m per rad or m: fourth-order stencils with steps of 2e-5, rounding 1e-16 / 2e-5."""
SECOND = 1e-6
"""Relative: second differences over 5e-5 s in a transition 2 mm wide, rounding 1e-16 / 2.5e-9."""
CHRISTOFFEL = 1e-6
"""Relative; what is asked for. Measured 5e-10."""
LIBRARY_CHRISTOFFEL = 1e-4
"""Relative: OpenSim's path is differenced twice by the library way, and dM again by the test. Measured 4e-8."""


def unit(x: Array) -> Array:
    return x / np.linalg.norm(x)


class Chord(NamedTuple):
    """A surface and a line that passes it at a known depth."""

    kind: Kind
    size: Array
    p: Array
    q: Array
    up: Array  # from the surface's centre to the side on which the line passes

    def turn(self) -> float:
        return 1.0 if self.p[0] * self.q[1] >= self.p[1] * self.q[0] else -1.0

    def exact(self) -> ExactPath:
        size = tuple(map(float, self.size)) if self.kind == "ellipsoid" else float(self.size[0])
        return exact_path(self.kind, size, self.p, self.q, self.up)

    def wrap(self, h: float, shares: Array = SHARES) -> tuple[Array, float]:
        x, *_, length, _, _, _ = ask(self, h, self.p[None], self.q[None], shares)
        return x, float(length[0])


def ask(chord: Chord, h: float, p: Array, q: Array, shares: Array, active: Array | None = None):  # type: ignore[no-untyped-def]
    """The kernel at every share of every row of ends (or one row of ends for all)."""
    n = max(len(p), len(q), len(shares))
    ends = (np.ascontiguousarray(np.broadcast_to(x, (n, 3))) for x in (p, q))
    shares = np.ascontiguousarray(np.broadcast_to(shares, n))
    return _kernel.wrap_segments(chord.kind, chord.size, chord.turn(), h, *ends, shares, active)


def random_chord(kind: Kind, rng: np.random.Generator, depth: float) -> Chord:
    """Radii of 1-4 cm, ends 20-50 cm apart; the line passes ``depth`` metres below the surface, if negative above.

    On ellipsoids where space is scaled to the unit sphere, in units of the largest half axis, as the smoothing is.
    """
    while True:
        axes = rng.uniform(0.01, 0.04, 3) if kind == "ellipsoid" else np.full(3, rng.uniform(0.01, 0.04))
        along = unit(rng.normal(size=3) * ([1, 1, 0.5] if kind == "cylinder" else 1))
        scaled = along / axes * ([1, 1, 0] if kind == "cylinder" else 1)
        up = unit(np.cross(scaled, [0.0, 0.0, 1.0] if kind == "cylinder" else rng.normal(size=3))) * axes
        foot = (1 - depth / axes.max()) * up
        length, part = rng.uniform(0.2, 0.5), rng.uniform(0.2, 0.8)
        p, q = foot - along * length * part, foot + along * length * (1 - part)
        a = quadric(kind, tuple(axes) if kind == "ellipsoid" else float(axes[0]))  # type: ignore[arg-type]
        if min(p @ (a * p), q @ (a * q)) > 1.3:
            return Chord(kind, axes if kind == "ellipsoid" else axes[:1], p, q, up)


def places(path: ExactPath) -> Array:
    return np.array([path.place(share * path.length) for share in SHARES])


# -- the path --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("h", [0.0, H, 2e-3])
@pytest.mark.parametrize("kind", KINDS)
def test_off_the_transition_it_is_the_exact_path(kind: Kind, h: float) -> None:
    rng = np.random.default_rng(1)
    # at the transition's edges, a little and far into the surface, and clear of it
    edge = max(h * (1 + 1e-6), 1e-4)  # nearer to touch OpenSim's solver fails
    depths = [edge, -edge, *rng.uniform(edge, 0.009, 20), *rng.uniform(-0.02, -edge, 6)]
    touched = 0
    for depth in depths:
        chord = random_chord(kind, rng, depth)
        exact = chord.exact()
        assert exact.confirmed and exact.touches == (depth > 0)
        x, length = chord.wrap(h)
        np.testing.assert_allclose(x, places(exact), rtol=0, atol=EXACT)
        assert length == pytest.approx(exact.length, rel=0, abs=EXACT)
        touched += exact.touches
    assert touched == 21


@pytest.mark.parametrize("kind", KINDS)
def test_in_the_transition_it_is_near_the_exact_path(kind: Kind) -> None:
    rng = np.random.default_rng(2)
    off, longer = [], []
    for depth in [1e-5, *rng.uniform(-H, H, 40)]:
        chord = random_chord(kind, rng, depth)
        exact = chord.exact()
        x, length = chord.wrap(H, np.linspace(0.0, 1.0, 41))
        reference = np.array([exact.place(share * exact.length) for share in np.linspace(0.0, 1.0, 41)])
        off.append(np.linalg.norm(x - reference, axis=1).max())
        longer.append(length - exact.length)
    assert 0.05 * H < max(off) < DEVIATION * H
    assert 1e-8 < np.max(np.abs(longer)) < LENGTH


@pytest.mark.parametrize("kind", [*KINDS, "torus"])
def test_derivatives_are_differences(kind: str) -> None:
    """Of places and length by both ends and the share; the length's are the unit tangents off the transition."""
    rng = np.random.default_rng(3)
    torus = np.array([0.05, 0.012])
    for depth in (3e-3, 0.4 * H, -0.3 * H):
        if kind == "torus":
            p, q = np.array([-0.1, 0.004, 0.075]), np.array([0.08, -0.01, -0.1])
            p[0], q[0] = 0.05 - 0.09 * np.cos(0.3), 0.05 - 0.1 * np.cos(0.5) - depth
            chord = Chord("torus", torus, p, q, np.array([1.0, 0, 0]))  # type: ignore[arg-type]
        else:
            chord = random_chord(kind, rng, depth)  # type: ignore[arg-type]
        shares = SHARES + 0.0123
        x, by_p, by_q, by_share, length, length_by_p, length_by_q, touches = ask(
            chord, H, chord.p[None], chord.q[None], shares
        )

        def at(z: Array, chord: Chord = chord, shares: Array = shares) -> Array:
            x, *_, length, _, _, _ = ask(chord, H, z[None, :3], z[None, 3:], shares)
            return np.column_stack([x, length])

        slope = gradient(at, np.concatenate([chord.p, chord.q]), 1e-5)
        np.testing.assert_allclose(np.concatenate([by_p, by_q], axis=2), slope[:, :3], rtol=0, atol=ENDS)
        np.testing.assert_allclose(np.hstack([length_by_p, length_by_q]), slope[:, 3], rtol=0, atol=ENDS)
        by_a = derivative(lambda t, c=chord, s=shares: ask(c, H, c.p[None], c.q[None], s + t)[0], 1e-5)
        np.testing.assert_allclose(by_share, by_a, rtol=0, atol=ENDS * length[0])
        if depth > H and kind != "torus":  # whose azimuth is OpenSim's, not the shortest path's
            assert all(touches)
            ends = ask(chord, H, chord.p[None], chord.q[None], np.array([1e-3, 1 - 1e-3]))[0]
            np.testing.assert_allclose(length_by_p[0], unit(chord.p - ends[0]), rtol=0, atol=1e-11)
            np.testing.assert_allclose(length_by_q[0], unit(chord.q - ends[1]), rtol=0, atol=1e-11)


ENDS = 1e-7
"""Fourth-order stencils with steps of 1e-5 m across curvature radii of 1 mm: (1e-5 / 1e-3)^4 / 30, less with h = 1 mm's
smoothness; where a place passes a tangent point within the stencil, its second derivative jumps by 1 / r."""


# -- through touch ---------------------------------------------------------------------------------------------------


def largest_jump(chord: Chord, h: float, p: Array, q: Array, active: Array | None = None) -> float:
    """Of J between neighbours of a sweep."""
    jumps = []
    for share in (0.1, 0.5, 0.9):
        _, by_p, by_q, *_ = ask(chord, h, p, q, np.array([share]), active)
        jumps.append(np.abs(np.diff(np.concatenate([by_p, by_q], axis=2), axis=0)).max())
    return float(max(jumps))


def near_end(kind: Kind, rng: np.random.Generator, gap: float) -> tuple[Chord, Array]:
    """One end ``gap`` metres off the surface, the other in its tangent plane; and the normal there."""
    chord = random_chord(kind, rng, 0.0)
    axes = np.broadcast_to(chord.size, 3) * [1, 1, kind != "cylinder"]
    foot = axes * unit(rng.normal(size=3) * [1, 1, kind != "cylinder"])
    normal = unit(np.divide(foot, axes**2, out=np.zeros(3), where=axes > 0))
    along = unit(np.cross(normal, [0.0, 0.0, 1.0] if kind == "cylinder" else rng.normal(size=3)))
    p = foot + gap * normal
    return Chord(kind, chord.size, p, p + 0.3 * along + [0.0, 0.0, 0.1 * (kind == "cylinder")], normal), normal


SWEEPS = {
    # the line moves through touch; an end is 0.1 mm off, the line turns about it; an end goes inside
    "line": lambda kind, rng: sweep_line(kind, rng),
    "end 0.1 mm off": lambda kind, rng: sweep_about(kind, rng, 1e-4),
    "end 0.01 mm off": lambda kind, rng: sweep_about(kind, rng, 1e-5),
    "end goes inside": lambda kind, rng: sweep_in(kind, rng),
    "end inside": lambda kind, rng: sweep_about(kind, rng, -5e-4),
}


def sweep_line(kind: Kind, rng: np.random.Generator):  # type: ignore[no-untyped-def]
    chord = random_chord(kind, rng, 0.0)
    up = unit(chord.up / (chord.size**2 if kind == "ellipsoid" else 1))
    return chord, lambda t: (chord.p + 2.5e-3 * t * up, chord.q + 2.5e-3 * t * up)


def sweep_about(kind: Kind, rng: np.random.Generator, gap: float):  # type: ignore[no-untyped-def]
    chord, normal = near_end(kind, rng, gap)
    return chord, lambda t: (chord.p[None], chord.q + (0.075 * t - 0.045) * normal)


def sweep_in(kind: Kind, rng: np.random.Generator):  # type: ignore[no-untyped-def]
    chord, normal = near_end(kind, rng, 0.0)
    return chord, lambda t: (chord.p + 3e-3 * t * normal, (chord.q - 0.03 * normal)[None])


@pytest.mark.parametrize("sweep", SWEEPS)
@pytest.mark.parametrize("kind", KINDS)
def test_jacobian_is_continuous_through_touch(kind: Kind, sweep: str) -> None:
    """Half the step, half the jump. Without smoothing the jump stays."""
    rng, kinks = np.random.default_rng(4), []
    for _ in range(3):
        chord, ends = SWEEPS[sweep](kind, rng)
        jumps = {
            h: [largest_jump(chord, h, *ends(np.linspace(-1, 1, n)[:, None])) for n in (801, 1601)] for h in (H, 0.0)
        }
        assert jumps[H][1] < HALVED * jumps[H][0]
        kinks.append(jumps[0.0])
    if sweep != "end inside":  # a level from the chord on: nothing to smooth
        assert all(fine > STAYS * coarse for coarse, fine in kinks)
        assert min(coarse for coarse, _ in kinks) > KINK


@pytest.mark.parametrize("kind", KINDS)
def test_typical_kink_without_smoothing(kind: Kind) -> None:
    """Radius 3 cm, ends 15 cm to both sides: J jumps by 0.4 to 0.7 of the end's motion, with h = 1 mm not at all."""
    size = np.array([0.03, 0.028, 0.032]) if kind == "ellipsoid" else np.array([0.03])
    t = np.linspace(-1, 1, 4001)[:, None]
    p, q = np.array([-0.15, size[-1 if kind != "ellipsoid" else 1], 0]), np.array([0.15, 0.0, 0])
    q[1] = p[1]
    chord = Chord(kind, size, p, q, np.array([0.0, 0.03, 0]))
    kink, smooth = (largest_jump(chord, h, p + 2e-3 * t * [0, 1, 0], q + 2e-3 * t * [0, 1, 0]) for h in (0.0, H))
    assert 0.4 < kink < 0.75
    assert smooth < 2e-3


# -- length, way round, quadrant -------------------------------------------------------------------------------------


def test_past_the_ends_of_a_finite_cylinder_it_lifts_off_smoothly() -> None:
    radius, half = 0.03, 0.025
    p, q = np.array([-0.15, 0.015, -0.01]), np.array([0.12, 0.02, 0.012])
    z = np.linspace(-0.06, 0.06, 4001)[:, None] * [0, 0, 1]

    def of_size(*size: float) -> Chord:
        return Chord("cylinder", np.array(size), p, q, np.array([0.0, 1, 0]))

    ps, qs, endless = p + z, q + z, of_size(radius)
    for chord in (endless, of_size(radius, 10.0)):  # far from its ends a long one is an endless one, which knows no z
        x, *_ = ask(chord, H, ps, qs, np.array([0.4]))
        home, *_ = ask(endless, H, p[None], q[None], np.array([0.4]))
        np.testing.assert_allclose(x - z, np.broadcast_to(home, x.shape), rtol=0, atol=1e-15)

    chord = of_size(radius, 2 * half)
    _, *_, length, _, _, touches = ask(chord, H, ps, qs, np.array([0.4]))
    exact = closed_form("cylinder", radius, p, q, np.array([0.0, 1, 0]))
    tangents = exact.tangents[:, 2][:, None] + z[:, 2]  # (2, n)
    within = np.abs(tangents).min(axis=0) < half - H
    beyond = (np.abs(tangents).min(axis=0) > half + H) & (np.sign(tangents[0]) == np.sign(tangents[1]))
    assert within.any() and beyond.any()
    np.testing.assert_allclose(length[within], exact.length, rtol=0, atol=1e-15)
    np.testing.assert_allclose(length[beyond], np.linalg.norm(q - p), rtol=0, atol=1e-15)
    assert all(np.asarray(touches)[within]) and not any(np.asarray(touches)[beyond])
    coarse, fine = (largest_jump(chord, H, ps[::every], qs[::every]) for every in (2, 1))
    assert fine < HALVED * coarse


def test_the_long_way_round_a_cylinder() -> None:
    """With the side held the path winds on beyond 180 degrees, smoothly and exactly, until the seam at a full turn."""
    radius, reach = 0.03, 0.1
    p = np.array([-reach, 0.0, 0.0])
    chord = Chord("cylinder", np.array([radius]), p, np.array([0.0, reach, 0.01]), np.array([0.0, 1, 0]))
    assert chord.turn() == -1

    def ends(n: int, first: float = 100.0, last: float = 355.0) -> Array:
        angle = np.radians(np.linspace(first, last, n))
        return np.column_stack([-reach * np.cos(angle), reach * np.sin(angle), np.full(n, 0.01)])

    coarse, fine = (largest_jump(chord, H, p[None], ends(n)) for n in (4001, 8001))
    assert fine < HALVED * coarse
    shares, kept = np.linspace(0, 1, 9), 0
    for degrees in np.linspace(150, 355, 12):
        q = ends(1, degrees, degrees)[0]
        middle = np.radians(degrees / 2)  # of the arc
        exact = closed_form("cylinder", radius, p, q, np.array([-np.cos(middle), np.sin(middle), 0]))
        x, *_, length, _, _, _ = ask(chord, 0.0, p[None], q[None], shares)
        np.testing.assert_allclose(x, [exact.place(s * exact.length) for s in shares], rtol=0, atol=EXACT)
        assert length[0] == pytest.approx(exact.length, rel=0, abs=EXACT)
        kept += degrees > 180
    assert kept > 8


@pytest.mark.parametrize("kind", ["sphere", "ellipsoid"])
def test_a_quadrant_holds_the_side_of_sphere_and_ellipsoid(kind: Kind) -> None:
    """Chords above and below the centre, both led over the top; without a quadrant each goes the short way."""
    size = np.array([0.03]) if kind == "sphere" else np.array([0.04, 0.02, 0.03])  # over the thin way: taut
    top, shares = np.array([0.0, 1.0, 0.0]), SHARES
    for below, above in ((0.002, True), (0.004, False), (-0.002, True), (-0.004, False)):
        p, q = np.array([-0.16, below, 0.0]), np.array([0.14, below + 0.001, 0.001])
        for active, side in ((top, 1.0), (None, np.sign(below))):
            chord = Chord(kind, size, p, q, top * side * 0.03)
            exact = chord.exact()
            x, *_, length, _, _, touches = ask(chord, 0.0, p[None], q[None], shares, active)
            assert exact.confirmed and exact.touches and all(touches)
            np.testing.assert_allclose(x, places(exact), rtol=0, atol=EXACT)
            assert length[0] == pytest.approx(exact.length, rel=0, abs=EXACT)
            assert np.sign(x[3, 1]) == side, above


def test_a_quadrant_holds_through_the_centre() -> None:
    """A chord that sweeps through a sphere's centre, in the plane of the path: the path moves on smoothly in it.

    Out of it J is as singular as the sphere's geodesics are at the centre: their plane swings.
    """
    top = np.array([0.0, 1.0, 0.0])
    chord = Chord("sphere", np.array([0.03]), np.array([-0.16, 0, 0]), np.array([0.14, 0, 0]), top)
    jumps = []
    for n in (2000, 4000):  # even: not the centre itself
        y = np.linspace(0.02, -0.02, n)[:, None] * top
        x, by_p, by_q, *_ = ask(chord, H, chord.p + y, chord.q + y, np.array([0.5]), top)
        assert x[:, 1].min() > 0.02
        jumps.append(np.abs(np.diff(np.concatenate([by_p, by_q], axis=2)[:, :2][:, :, [0, 1, 3, 4]], axis=0)).max())
    assert jumps[1] < HALVED * jumps[0]


# -- live models -----------------------------------------------------------------------------------------------------


def state_at(inertial: oi.InertialModel, q: Array, u: Array | None = None) -> osim.State:
    state = inertial.initial_state()
    state.setQ(osim.Vector.createFromMat(np.asarray(q, float)))
    state.setU(osim.Vector.createFromMat(np.zeros(len(q)) if u is None else np.asarray(u, float)))
    return state


MASSES = pd.DataFrame({"muscle": ["muscle"], "mass": [0.2], "segment": ["body"]})


@cache
def one_wrap(kind: str, quadrant: str = "all", wrapping: str = "analytic", distribution: str = "continuous"):  # type: ignore[no-untyped-def]
    model = wrap_model(kind, quadrant)
    return oi.InertialModel(model, MASSES, "uniform", distribution, 9, wrapping, belly=(0.0, 1.0))


#: Kinds and the quadrants with which one side is held in :func:`wrap_model`.
HELD = [("cylinder", "-y"), ("sphere", "all"), ("ellipsoid", "all"), ("torus", "-y")]


def bent_poses(kind: str, quadrant: str, count: int, seed: int) -> list[Array]:
    """Poses at which the smooth path bends, exactly or in its transition."""
    inertial, rng, found = one_wrap(kind, quadrant), np.random.default_rng(seed), []
    while len(found) < count:
        q = random_pose(rng)
        x = positions(inertial, q)
        straight = np.linalg.norm(x[-1] - x[0]) * 9 / 8
        if inertial.path_lengths(state_at(inertial, q))["path"].iloc[0] > straight * (1 + 1e-5):
            found.append(q)
    return found


def positions(inertial: oi.InertialModel, q: Array) -> Array:
    return inertial.mass_points(state_at(inertial, q), jacobians=False)["muscle"].positions


@pytest.mark.parametrize(("kind", "quadrant"), HELD)
def test_jacobians_and_accelerations_are_differences(kind: str, quadrant: str) -> None:
    inertial, rng = one_wrap(kind, quadrant), np.random.default_rng(5)
    assert not inertial.wraps.library
    for q in bent_poses(kind, quadrant, 4, 6):
        u = rng.normal(size=6)
        shown = inertial.mass_points(state_at(inertial, q, u))["muscle"]
        slope = gradient(lambda at: positions(inertial, at), q, 2e-5)
        np.testing.assert_allclose(shown.jacobians, slope, rtol=0, atol=FIRST)
        np.testing.assert_allclose(shown.velocities, shown.jacobians @ u, rtol=0, atol=1e-10)
        fine, coarse = (along_flow(lambda at: positions(inertial, at), q, u, h) for h in (5e-5, 1e-4))
        # J is continuous but Jdot u jumps by (speed)^2 / radius where a point slides over a tangent point
        smooth = np.abs(fine - coarse).max(axis=1) < SECOND * np.abs(fine).max()
        assert smooth.sum() >= 6
        np.testing.assert_allclose(shown.jdot_u[smooth], fine[smooth], rtol=0, atol=SECOND * np.abs(fine).max())


@pytest.mark.parametrize(("kind", "quadrant"), HELD)
def test_terms_are_lagrangian(kind: str, quadrant: str) -> None:
    inertial, rng = one_wrap(kind, quadrant), np.random.default_rng(7)
    for q in bent_poses(kind, quadrant, 2, 8):
        u = rng.normal(size=6)
        check_lagrangian(inertial, q, u, CHRISTOFFEL, 1e-4)


def check_lagrangian(inertial: oi.InertialModel, q: Array, u: Array, tolerance: float, step: float) -> None:
    terms = inertial.evaluate(state_at(inertial, q, u))
    exact = christoffel_bias(lambda at: inertial.evaluate(state_at(inertial, at)).mass_matrix, q, u, step)
    close(terms.bias, exact, tolerance)
    slope = gradient(lambda at: inertial.evaluate(state_at(inertial, at)).potential_energy, q, step)
    close(terms.gravity, -slope, tolerance)
    assert terms.kinetic_energy == pytest.approx(0.5 * u @ terms.mass_matrix @ u, rel=1e-11)
    assert np.linalg.eigvalsh(terms.mass_matrix).min() > -1e-12 * np.abs(terms.mass_matrix).max()


def close(ours: Array, theirs: Array, tolerance: float) -> None:
    """Equal relative to the largest entry, which is not zero."""
    scale = np.abs(theirs).max()
    assert scale > 1e-6
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * scale)


# -- OpenSim's torus -------------------------------------------------------------------------------------------------


TORUS_LENGTH, TORUS = 1e-5, 5e-4
"""m, length and places; OpenSim's tangent points are only near the cylinder along the ring that it wraps, and ours
touch smoothly (h = 1 mm). Measured 3e-6 and 3.2e-4."""


def torus_model() -> osim.Model:
    """A muscle from ground through a ring and over its tube to a body with three translations."""
    model, zero = osim.Model(), osim.Vec3(0)
    body = osim.Body("body", 1.0, zero, osim.Inertia(0.1, 0.1, 0.1))
    model.addBody(body)
    transform = osim.SpatialTransform()
    for k in (1, 2, 3):
        one = getattr(transform, f"upd_translation{k}")()
        one.setCoordinateNames(osim.ArrayStr(f"translation{k}", 1))
        one.set_function(osim.LinearFunction(1.0, 0.0))
    model.addJoint(osim.CustomJoint("to_body", model.getGround(), zero, zero, body, zero, zero, transform))
    wrap = osim.WrapTorus()
    wrap.setName("ring")
    wrap.set_inner_radius(0.01)
    wrap.set_outer_radius(0.05)
    wrap.thisown = False  # ground takes it
    model.updGround().addWrapObject(wrap)
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.1, 0.0)
    muscle.addNewPathPoint("start", model.getGround(), osim.Vec3(0.0, 0.01, -0.15))
    muscle.addNewPathPoint("end", body, osim.Vec3(0.09, -0.01, 0.12))
    model.addForce(muscle)
    model.finalizeConnections()
    osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(wrap)
    model.finalizeConnections()
    limit(model)
    return model


def test_torus_is_near_opensims() -> None:
    model = torus_model()
    ours, theirs = (oi.InertialModel(model, MASSES, "uniform", wrapping=way, belly=(0.0, 1.0)) for way in WRAPPINGS[:2])
    assert not ours.wraps.library
    rng, bends = np.random.default_rng(9), []
    for _ in range(20):
        q = rng.uniform(-0.02, 0.02, 3)
        lengths = [one.path_lengths(state_at(one, q))["path"].iloc[0] for one in (ours, theirs)]
        straight = np.linalg.norm(positions(theirs, q)[-1] - positions(theirs, q)[0]) * 20 / 19
        bends.append(lengths[1] - straight)
        assert lengths[0] == pytest.approx(lengths[1], rel=0, abs=TORUS_LENGTH)
        np.testing.assert_allclose(positions(ours, q), positions(theirs, q), rtol=0, atol=TORUS)
    assert max(bends) > 2e-3 and sum(bend > 1e-4 for bend in bends) > 10


# -- several surfaces on a segment -----------------------------------------------------------------------------------

#: Name, body, centre [m], radius [m], tilt of the axis out of z [rad], and the quadrant through which the path runs.
CYLINDERS = {
    "first": ("ground", (-0.12, 0.0, 0.0), 0.03, (0.1, 0.05, 0.0), "+y"),
    "second": ("A", (0.0, 0.03, 0.0), 0.03, (-0.05, 0.08, 0.0), "-y"),
    "third": ("B", (0.12, 0.0, 0.0), 0.035, (0.02, -0.1, 0.0), "+y"),
}
START, END = (-0.25, -0.05, 0.01), (0.28, -0.06, 0.0)
AXES = ("rotation3", "rotation1", "translation1", "translation2")


def chain_model(count: int, scholz: bool = False) -> osim.Model:
    """Bodies A, B and C, each free in four coordinates; a muscle from ground over cylinders on ground, A (and B) to C.

    ``scholz``: with an exact geodesic path "exact" over the same instead, its cylinders endless.
    """
    model, zero = osim.Model(), osim.Vec3(0)
    frames = {"ground": model.getGround()}
    for name in "ABC":
        body = osim.Body(name, 3.0, zero, osim.Inertia(0.1, 0.1, 0.1))
        model.addBody(body)
        transform = osim.SpatialTransform()
        for axis in AXES:
            one = getattr(transform, "upd_" + axis)()
            one.setCoordinateNames(osim.ArrayStr(f"{name}_{axis}", 1))
            one.set_function(osim.LinearFunction(1.0, 0.0))
        joint = osim.CustomJoint("to_" + name, model.getGround(), zero, zero, body, zero, zero, transform)
        model.addJoint(joint)
        frames[name] = body
    path = osim.Scholz2015GeometryPath()
    muscle = osim.Thelen2003Muscle("muscle", 100.0, 0.1, 0.1, 0.0)
    muscle.addNewPathPoint("start", frames["ground"], osim.Vec3(*START))
    muscle.addNewPathPoint("end", frames["C"], osim.Vec3(*END))
    path.appendPathPoint(frames["ground"], osim.Vec3(*START))
    model.addForce(muscle)
    for name, (body, centre, radius, tilt, quadrant) in list(CYLINDERS.items())[:count]:
        if scholz:
            surface = osim.ContactCylinder(radius, osim.Vec3(*centre), osim.Vec3(*tilt), frames[body], name)
            model.addContactGeometry(surface)
            path.appendObstacle(surface, osim.Vec3(0, radius * (1 if quadrant == "+y" else -1), 0))
            continue
        wrap = osim.WrapCylinder()
        wrap.setName(name)
        wrap.set_radius(radius)
        wrap.set_length(1.0)
        wrap.set_quadrant(quadrant)
        wrap.set_translation(osim.Vec3(*centre))
        wrap.set_xyz_body_rotation(osim.Vec3(*tilt))
        wrap.thisown = False  # the frame takes it
        frames[body].addWrapObject(wrap)
        model.finalizeConnections()
        osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath()).addPathWrap(wrap)
    path.appendPathPoint(frames["C"], osim.Vec3(*END))
    if scholz:
        path.setName("exact")
        model.addComponent(path)
    model.finalizeConnections()
    limit(model)
    return model


def limit(model: osim.Model) -> None:
    """Small ranges: 0.1 rad and 1 cm each way."""
    for coordinate in model.updCoordinateSet():
        most = 0.1 if "rotation" in coordinate.getName() else 0.01
        coordinate.setRangeMin(-most)
        coordinate.setRangeMax(most)


@cache
def chain(count: int, wrapping: str = "analytic", distribution: str = "continuous", points: int = 20):  # type: ignore[no-untyped-def]
    masses = {"muscle": 0.4}
    return oi.InertialModel(
        chain_model(count), masses, "uniform", distribution, points, wrapping, smoothing=H, belly=(0.0, 1.0)
    )


def chain_poses(inertial: oi.InertialModel, count: int, seed: int) -> Array:
    low, high = inertial.coordinates.ranges.T
    return low + (high - low) * np.random.default_rng(seed).uniform(0, 1, (count, low.size))


@pytest.mark.parametrize("count", [2, 3])
def test_several_wraps_are_exact_geodesics(count: int) -> None:
    """Against OpenSim's only path on true geodesics, in the same model."""
    inertial, model = chain(count), chain_model(count, scholz=True)
    state = model.initSystem()
    exact = osim.Scholz2015GeometryPath.safeDownCast(model.getComponent("exact"))
    sites = inertial.wraps.sites["muscle"]
    assert [s.surface.name for s in sites] == list(CYLINDERS)[:count]
    for q in chain_poses(inertial, 8, 1):
        state.setQ(osim.Vector.createFromMat(q))
        model.realizePosition(state)
        ours = inertial.path_lengths(state_at(inertial, q))["path"].iloc[0]
        assert ours == pytest.approx(exact.getLength(state), rel=0, abs=EXACT)
    del state


@pytest.mark.parametrize("count", [2, 3])
def test_several_wraps_have_no_corner(count: int) -> None:
    """The path's direction turns no faster than the smallest radius allows, between surfaces as well."""
    inertial, n = chain(count, points=3000), 3000
    for q in chain_poses(inertial, 2, 2):
        x = inertial.mass_points(state_at(inertial, q), jacobians=False)["muscle"].positions
        steps = np.diff(x, axis=0)
        ds = np.linalg.norm(steps, axis=1)
        np.testing.assert_allclose(ds, ds[0], rtol=1e-4)
        turns = np.linalg.norm(np.diff(steps / ds[:, None], axis=0), axis=1)
        assert turns.max() < 1.001 * ds[0] / 0.03
        assert (turns > 0.5 * ds[0] / 0.035).sum() > 10 * count * n / 3000
    wrapped = np.flatnonzero(turns > 1e-6)
    assert (np.diff(wrapped) > 1).sum() == count - 1  # as many runs as surfaces


@pytest.mark.parametrize("count", [2, 3])
def test_the_length_of_several_wraps_is_stationary(count: int) -> None:
    """It changes with the insertion only along the path's end: what lies between is as short as it can be."""
    model = chain_model(count)
    ends = oi.PointMasses(np.array([0.0, 1e-3, 1 - 1e-3, 1.0]), np.full(4, 0.1))
    inertial = oi.InertialModel(model, {"muscle": ends}, "uniform", smoothing=H, belly=(0.0, 1.0))
    for q in chain_poses(inertial, 3, 3):
        points = inertial.mass_points(state_at(inertial, q))["muscle"]
        slope = gradient(lambda at: inertial.path_lengths(state_at(inertial, at))["path"].to_numpy(), q, 1e-4)[0]
        tangent = unit(points.positions[3] - points.positions[2])
        last = [i for i, name in enumerate(inertial.coordinate_names) if name.startswith("C_")]
        assert len(last) == 4
        np.testing.assert_allclose(slope[last], (tangent @ points.jacobians[3])[last], rtol=0, atol=1e-9)
        assert np.abs(slope[last]).max() > 0.5


@pytest.mark.parametrize("count", [2, 3])
def test_derivatives_of_several_wraps(count: int) -> None:
    inertial, rng = chain(count, points=9), np.random.default_rng(4)
    for q in chain_poses(inertial, 2, 5):
        u = rng.normal(size=len(q))
        shown = inertial.mass_points(state_at(inertial, q, u))["muscle"]
        slope = gradient(lambda at: positions(inertial, at), q, 2e-5)
        np.testing.assert_allclose(shown.jacobians, slope, rtol=0, atol=FIRST)
        fine, coarse = (along_flow(lambda at: positions(inertial, at), q, u, h) for h in (1e-4, 2e-4))
        smooth = np.abs(fine - coarse).max(axis=1) < SECOND * np.abs(fine).max()
        assert smooth.sum() >= 5
        np.testing.assert_allclose(shown.jdot_u[smooth], fine[smooth], rtol=0, atol=SECOND * np.abs(fine).max())
        check_lagrangian(inertial, q, u, CHRISTOFFEL, 1e-4)


def test_surfaces_of_a_segment_join_smoothly() -> None:
    """The second of three surfaces is touched, then passed clear of: J goes on."""
    inertial = chain(3, points=9)
    lift = inertial.coordinate_names.index("A_translation2")

    def jumps(n: int) -> tuple[float, Array]:
        J, x = [], []
        for t in np.linspace(0.024, 0.036, n):
            q = np.zeros(len(inertial.coordinate_names))
            q[lift] = t
            shown = inertial.mass_points(state_at(inertial, q))["muscle"]
            J.append(shown.jacobians)
            x.append(shown.positions)
        return float(np.abs(np.diff(J, axis=0)).max()), np.array(x)

    (coarse, _), (fine, x) = jumps(241), jumps(481)
    assert fine < HALVED * coarse
    assert np.abs(np.diff(x[-20:], axis=0)).max() < 1e-12 < np.abs(np.diff(x[:20], axis=0)).max()  # off it, then on


# -- in every way of wrapping ----------------------------------------------------------------------------------------

MODELS = {"arm26": "Models/Arm26/arm26.osim", "rajagopal2016": "Models/Rajagopal/Rajagopal2016.osim"}
SAMPLE = {
    "arm26": ("TRIlong", "TRIlat", "TRImed", "BIClong", "BICshort", "BRA"),
    "rajagopal2016": ("addmagIsch_r", "gasmed_r", "glmax3_r", "psoas_r", "recfem_r", "semiten_r"),
}
#: Dense points against the continuous mass: 1 / (4 n^2) within parts of the path, 1 / n at corners.
DENSE = 4000


@cache
def real(root: Path, name: str, wrapping: str, distribution: str = "continuous", points: int = 7):  # type: ignore[no-untyped-def]
    model = osim.Model(str(root / MODELS[name]))
    model.initSystem()
    masses = oi.estimate_masses(model, muscles=list(SAMPLE[name]))
    with warnings.catch_warnings():
        if wrapping == "neural":  # arm26's ellipsoids have no network
            warnings.simplefilter("ignore", WrappingFallbackWarning)
        inertial = oi.InertialModel(model, masses, "uniform", distribution, points, wrapping)
    assert bool(inertial.wraps.library) == (wrapping == "library")
    return inertial


def motions(inertial: oi.InertialModel, count: int, seed: int) -> list[tuple[Array, Array]]:
    """Poses well within the ranges, and speeds."""
    rng = np.random.default_rng(seed)
    low, high = np.clip(inertial.coordinates.ranges.T, -1.2, 1.2)
    return [(low + (high - low) * rng.uniform(0.25, 0.75, low.size), rng.normal(size=low.size)) for _ in range(count)]


EVERY = pytest.mark.parametrize("wrapping", WRAPPINGS)
REAL = pytest.mark.parametrize("name", MODELS)


@EVERY
@REAL
def test_terms_are_sums_over_the_points(opensim_models: Path, name: str, wrapping: str) -> None:
    inertial = real(opensim_models, name, wrapping, "points")
    for q, u in motions(inertial, 2, 1):
        state = state_at(inertial, q, u)
        terms, shown = inertial.evaluate(state), inertial.mass_points(state).values()
        close(
            terms.mass_matrix, sum(np.einsum("k,kci,kcj->ij", p.masses, p.jacobians, p.jacobians) for p in shown), 1e-11
        )
        close(terms.bias, -sum(np.einsum("k,kci,kc->i", p.masses, p.jacobians, p.jdot_u) for p in shown), 1e-11)
        g = inertial.model.getGravity().to_numpy()
        close(terms.gravity, sum(np.einsum("k,kci,c->i", p.masses, p.jacobians, g) for p in shown), 1e-11)


@EVERY
@REAL
def test_continuous_mass_is_the_limit_of_points(opensim_models: Path, name: str, wrapping: str) -> None:
    count = DENSE // 10 if wrapping == "neural" else DENSE  # networks are slow
    continuous = real(opensim_models, name, wrapping)
    dense = real(opensim_models, name, wrapping, "points", count)
    for q, u in motions(continuous, 1, 2):
        ours, points = (one.evaluate(state_at(one, q, u)) for one in (continuous, dense))
        close(points.mass_matrix, ours.mass_matrix, 1 / count)
        close(points.gravity, ours.gravity, 1 / count)


@EVERY
@REAL
def test_bias_is_the_christoffel_form(opensim_models: Path, name: str, wrapping: str) -> None:
    inertial = real(opensim_models, name, wrapping)
    tolerance, step = (CHRISTOFFEL, 3e-5) if wrapping != "library" else (LIBRARY_CHRISTOFFEL, 3e-4)
    for q, u in motions(inertial, 1, 3):
        terms = inertial.evaluate(state_at(inertial, q, u))
        exact = christoffel_bias(lambda at: inertial.evaluate(state_at(inertial, at)).mass_matrix, q, u, step)
        close(terms.bias, exact, tolerance)


@EVERY
@REAL
def test_inverse_is_what_evaluate_says(opensim_models: Path, name: str, wrapping: str) -> None:
    inertial = real(opensim_models, name, wrapping)
    for q, u in motions(inertial, 2, 4):
        udot = np.random.default_rng(5).normal(size=len(q))
        state = state_at(inertial, q, u)
        terms = inertial.evaluate(state)
        inertial.set_wrapped_paths(inertial.make_wrapping(inertial.model), state)
        (tau,) = inertial.inverse([inertial.kinematics.read(state)], udot[None])
        close(tau, terms.mass_matrix @ udot - terms.bias - terms.gravity, 1e-11)


@pytest.mark.parametrize("count", [2, 3])
def test_inverse_over_several_wraps(count: int) -> None:
    inertial = chain(count)
    for q in chain_poses(inertial, 3, 6):
        u, udot = np.random.default_rng(7).normal(size=(2, len(q)))
        state = state_at(inertial, q, u)
        terms = inertial.evaluate(state)
        (tau,) = inertial.inverse([inertial.kinematics.read(state)], udot[None])
        close(tau, terms.mass_matrix @ udot - terms.bias - terms.gravity, 1e-11)


@EVERY
@REAL
def test_without_mass_nothing_is_added(opensim_models: Path, name: str, wrapping: str) -> None:
    model = osim.Model(str(opensim_models / MODELS[name]))
    model.initSystem()
    inertial = oi.InertialModel(model, dict.fromkeys(SAMPLE[name], 0.0), wrapping=wrapping)
    ((q, u),) = motions(inertial, 1, 8)
    terms = inertial.evaluate(state_at(inertial, q, u))
    assert not terms.mass_matrix.any() and not terms.bias.any() and not terms.gravity.any()
    for body, mine in zip(model.getBodySet(), inertial.model.getBodySet(), strict=True):
        assert body.getMass() == mine.getMass()
