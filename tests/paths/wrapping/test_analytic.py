"""The analytic way of wrapping: the kernel's formula by itself, exact off touch and smooth through it."""

from typing import NamedTuple

import numpy as np
import pytest
from conftest import slow_except
from oracles.exact_geodesic import ExactPath, Kind, closed_form, exact_path, quadric
from oracles.finite_differences import Array, derivative, gradient
from oracles.kernel_records import spanned
from oracles.wrap_model import KINDS as EVERY_KIND

from opensim_inertia import _kernel

KINDS: tuple[Kind, ...] = ("cylinder", "sphere", "ellipsoid")
SHARES = np.array([0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95])
H = 1e-3  # m

EXACT = 1e-9  # m; what is asked for. Measured 3e-16.
DEVIATION = 0.16  # Times h: the ramp is 5/32 h above its corner, at touch, and nowhere more. Measured 0.15.
LENGTH = 1e-6
"""m, at h = 1 mm with leads of 4 cm and more: (0.156 h)^2 / 2 on each lead of l m costs 1e-8 / l. Measured 5e-7."""
HALVED = 0.51  # Largest jump between neighbours with half the step over that with the whole: 0.5 where J is Lipschitz
STAYS = 0.98  # The same where J jumps
KINK = 0.1  # Jump of J at touch without smoothing: at most 1, the share of an end's motion. Measured 0.15 to 0.93.
ENDS = 1e-7
"""Fourth-order stencils with steps of 1e-5 m across curvature radii of 1 mm: (1e-5 / 1e-3)^4 / 30, less with h = 1 mm's
smoothness; where a place passes a tangent point within the stencil, its second derivative jumps by 1 / r."""


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
    return _kernel.wrap_spans(spanned(chord.kind, chord.size, h, chord.turn(), quadrant=active), *ends, shares)


def random_chord(kind: Kind, rng: np.random.Generator, depth: float) -> Chord:
    """Radii of 1-4 cm, ends 20-50 cm apart; the line passes ``depth`` metres below the surface, if negative above."""
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


@pytest.mark.parametrize("h", slow_except({0.0, H}, [0.0, H, 2e-3]))
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


def line_beside(kind: str, depth: float) -> Chord:
    """The line of ``EVERY_KIND`` where it has come nearer to the surface by so much since it began to touch it."""
    of, way = EVERY_KIND[kind], np.array(EVERY_KIND[kind].way)
    p, q = (np.array(end) for end in of.ends)
    shifts = np.linspace(0.0, 0.04, 4001)[:, None]
    chord = Chord(kind, np.array(of.size), p, q, -way)  # type: ignore[arg-type]
    touches = ask(chord, 0.0, p + shifts * way, q + shifts * way, np.array([0.5]))[-1]
    shift = shifts[np.flatnonzero(touches)[0]] + depth
    return chord._replace(p=p + shift * way, q=q + shift * way)


def test_between_ends_next_to_an_ellipsoid_the_string_is_no_longer_than_the_lifted_chord() -> None:
    """Ends from a micrometre to kilometres off an ellipsoid of kilometres: next to it in units of its size."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        axes, fractions = 1000 * rng.uniform(1, 3, 3), np.linspace(0, 1, 500)[:, None, None]
        ways = rng.standard_normal((2, 60, 3))
        heights = 1 + 10 ** rng.uniform(-9, 0, (2, 60, 1))
        p, q = axes * heights * ways / np.linalg.norm(ways, axis=2, keepdims=True)
        length = _kernel.wrap_spans(spanned("ellipsoid", axes, H, -1.0), p, q, np.full(60, 0.5))[4]
        chord = p + fractions * (q - p)
        lifted = chord / np.minimum(np.linalg.norm(chord / axes, axis=2, keepdims=True), 1)
        longest = np.linalg.norm(np.diff(lifted, axis=0), axis=2).sum(axis=0)
        assert np.all(length < 1.001 * longest)  # measured 1.0002, by the chord's 500 pieces


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_derivatives_are_differences(kind: str) -> None:
    """Of places and length by both ends and the share; the length's are the unit tangents off the transition."""
    rng = np.random.default_rng(3)
    for depth in (3e-3, 0.4 * H, -0.3 * H):
        chord = random_chord(kind, rng, depth) if kind in KINDS else line_beside(kind, depth)  # type: ignore[arg-type]
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
        if depth > H and kind in KINDS:  # a torus' azimuth is OpenSim's, not the shortest path's
            assert all(touches)
            ends = ask(chord, H, chord.p[None], chord.q[None], np.array([1e-3, 1 - 1e-3]))[0]
            np.testing.assert_allclose(length_by_p[0], unit(chord.p - ends[0]), rtol=0, atol=1e-11)
            np.testing.assert_allclose(length_by_q[0], unit(chord.q - ends[1]), rtol=0, atol=1e-11)


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


@pytest.mark.slow
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
    shares, count = np.linspace(0, 1, 9), 0
    for degrees in np.linspace(150, 355, 12):
        q = ends(1, degrees, degrees)[0]
        middle = np.radians(degrees / 2)  # of the arc
        exact = closed_form("cylinder", radius, p, q, np.array([-np.cos(middle), np.sin(middle), 0]))
        x, *_, length, _, _, _ = ask(chord, 0.0, p[None], q[None], shares)
        np.testing.assert_allclose(x, [exact.place(s * exact.length) for s in shares], rtol=0, atol=EXACT)
        assert length[0] == pytest.approx(exact.length, rel=0, abs=EXACT)
        count += degrees > 180
    assert count > 8


@pytest.mark.parametrize("kind", ["sphere", "ellipsoid"])
def test_a_quadrant_holds_the_side_of_sphere_and_ellipsoid(kind: Kind) -> None:
    """Chords above and below the centre, both led over the top; without a quadrant each goes the short way."""
    size = np.array([0.03]) if kind == "sphere" else np.array([0.04, 0.02, 0.03])  # over the thin way: taut
    top, shares = np.array([0.0, 1.0, 0.0]), SHARES
    for below, above in ((0.004, True), (0.006, False), (-0.005, True), (-0.007, False)):  # none where it flips
        p, q = np.array([-0.16, below, 0.0]), np.array([0.14, below + 0.001, 0.001])
        for active, side in ((top, 1.0), (None, np.sign(below))):
            chord = Chord(kind, size, p, q, top * side * 0.03)
            exact = chord.exact()
            x, *_, length, _, _, touches = ask(chord, 0.0, p[None], q[None], shares, active)
            assert exact.confirmed and exact.touches and all(touches)
            np.testing.assert_allclose(x, places(exact), rtol=0, atol=EXACT)
            assert length[0] == pytest.approx(exact.length, rel=0, abs=EXACT)
            assert np.sign(x[3, 1]) == side, above
