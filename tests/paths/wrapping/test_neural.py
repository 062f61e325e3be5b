"""The neural way of wrapping: the shipped planar network through the kernel, over cylinders and spheres."""

import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from conftest import slow_except
from oracles import pendulum
from oracles.finite_differences import Array, along_flow, gradient
from oracles.kernel_records import fixed, muscle, site, spanned, surface
from oracles.live_states import FIRST, SECOND, check_lagrangian, positions, state_at
from oracles.pendulum import Geometry
from oracles.planar_network import SMOOTHING, RandomSpans, analytic_spans, network_spans
from oracles.wrap_model import MASSES, limit, random_pose, wrap_model
from scipy.spatial.transform import Rotation

import opensim_inertia as oi
from opensim_inertia import _kernel
from opensim_inertia.errors import ModelError, UnsupportedPathError
from opensim_inertia.paths.kernel.description import planar_network
from opensim_inertia.warnings import WrappingFallbackWarning

SAME = 1e-12
"""m, and 1 for slopes: the same sums in another order. Measured 1e-15, slopes 2e-13 (spheres, 0.05 r from centre)."""
HALVED = 0.51  # Largest jump between neighbours with half the step over that with the whole: 0.5 where J is Lipschitz
CLEAR, NEAR, FADE, LONGEST = 1.3, 0.1, 0.05, -0.9
"""Of the radius: where the bend fades out, by the chord's distance and by its foot's, half that width, and the end of
the long way."""
LENGTHS = {"cylinder": [0.03, 1.0], "sphere": [0.03]}
RADIUS = 0.03
KINDS = tuple(LENGTHS)


def ask(kind: str, p: Array, q: Array, shares: Array, turn: float = -1.0, radius: float = RADIUS, led: bool = True):  # type: ignore[no-untyped-def]
    """The kernel at every row: x, by p, by q, by share, length, its slopes, touches."""
    size = np.array([radius, *LENGTHS[kind][1:]])
    n = max(len(p), len(q), len(shares))
    ends = (np.ascontiguousarray(np.broadcast_to(x, (n, 3))) for x in (p, q))
    shares = np.ascontiguousarray(np.broadcast_to(shares, n))
    over = spanned(kind, size, SMOOTHING * radius, turn, network=planar_network() if led else None)
    return _kernel.wrap_spans(over, *ends, shares)


def chord(d: Array | float, f1: Array | float, f2: Array | float, rise: float = 0.0) -> tuple[Array, Array]:
    """Ends (n, 3) of chords along x that pass above, lengths of the radius; the path turns clockwise about z."""
    d, f1, f2 = np.broadcast_arrays(*map(np.atleast_1d, (d, f1, f2)))
    p, q = (RADIUS * np.stack([x, d, 0 * d], axis=1) for x in (-f1, f2))
    q[:, 2] += rise
    return p, q


@pytest.mark.parametrize("turn", [1.0, -1.0])
@pytest.mark.parametrize("kind", KINDS)
def test_kernel_is_the_numpy_reference(kind: str, turn: float) -> None:
    """Value, Jacobian, slope by the share and length, where nothing fades; turned about the axis, or in space."""
    rng, n = np.random.default_rng(1), 300
    d = rng.uniform(0.05 if kind == "sphere" else LONGEST + 0.02, CLEAR - FADE, n)
    p, q = chord(d, *rng.uniform(NEAR + FADE, 15, (2, n)))
    if turn > 0:
        p, q = q, p
    if kind == "cylinder":
        about = Rotation.from_rotvec(rng.uniform(-np.pi, np.pi, n)[:, None] * [0, 0, 1])
        p[:, 2], q[:, 2] = rng.uniform(-0.1, 0.1, (2, n))
    else:
        about = Rotation.random(n, random_state=2)
    p, q, shares = about.apply(p), about.apply(q), rng.uniform(0, 1, n)
    x, by_p, by_q, by_share, length, length_by_p, length_by_q, touches = ask(kind, p, q, shares, turn)
    reference = network_spans(planar_network(), kind, RADIUS, turn, p, q, shares)
    ours = (x, by_p, by_q, by_share, length, length_by_p, length_by_q)
    for array, expected in zip(ours, reference, strict=True):
        assert np.shape(array) == expected.shape
        np.testing.assert_allclose(array, expected, rtol=0, atol=SAME)
    assert all(touches)
    assert np.abs(x - p - shares[:, None] * (q - p)).max() > 0.01  # it bends
    assert np.abs(length - np.linalg.norm(q - p, axis=1)).max() > 1e-3


def test_it_is_as_near_the_analytic_path_as_asked_for() -> None:
    """On random realistic segments, like those by which the shipped file tells its errors."""
    s = RandomSpans.draw(3000, np.random.default_rng(20))
    exact = analytic_spans(s.radius, s.origin, s.insertion, s.fraction)
    rows = [
        ask("cylinder", p[None], q[None], np.array([a]), 1.0, r)
        for p, q, a, r in zip(s.origin, s.insertion, s.fraction, s.radius, strict=True)
    ]
    x, by_p, by_q = (np.array([row[i][0] for row in rows]) for i in range(3))
    off = 1e3 * np.linalg.norm(x - exact.x, axis=1)
    assert 1e-3 < off.mean() <= 0.025  # mm. Measured 0.0135
    assert np.quantile(off, 0.95) <= 0.1  # Measured 0.042
    slopes = np.concatenate([by_p - exact.dx_dorigin, by_q - exact.dx_dinsertion], axis=2)
    slopes = np.abs(slopes[:, :2][..., [0, 1, 3, 4]])  # in the plane; the others are exact
    assert slopes[s.away].mean() <= 0.0015  # Measured 0.00048, 95 % 0.0017
    assert s.away.sum() > 1500
    # so is its length, and it is not the analytic path itself
    lengths = np.array([row[4][0] for row in rows])
    assert 1e3 * np.abs(lengths - exact.length).mean() < 0.01


@pytest.mark.parametrize("kind", KINDS)
def test_exactly_straight_beyond(kind: str) -> None:
    """A chord that passes clear, or whose foot is at an end or beyond: to the last bit, and with a straight J."""
    share, one = np.array([0.3]), np.eye(3)
    edge = CLEAR + FADE + 1e-9
    for d, f1, f2 in ((edge, 5, 4), (3.0, 5, 4), (1.1, NEAR - FADE - 1e-9, 8), (1.1, 8, -2.0), (0.5, -1.0, 9)):
        p, q = chord(d, f1, f2, 0.01 if kind == "cylinder" else 0.0)
        x, by_p, by_q, by_share, length, length_by_p, _, touches = ask(kind, p, q, share)
        assert not any(touches)
        np.testing.assert_array_equal(x, p + (q - p) * share)
        np.testing.assert_array_equal(by_p[0], (1 - share) * one)
        np.testing.assert_array_equal(by_q[0], share * one)
        np.testing.assert_allclose(by_share, q - p, rtol=0, atol=1e-17)
        assert length[0] == pytest.approx(np.linalg.norm(q - p), rel=1e-15)
        np.testing.assert_allclose(length_by_p, (p - q) / length[0], rtol=0, atol=1e-15)
    assert any(ask(kind, *chord(CLEAR + FADE - 1e-3, 5, 4), share)[-1])


#: d, f1 and f2 over a sweep, t from 0 to 1, lengths of the radius.
SWEEPS = {
    "touch": lambda t: (0.6 + 0.6 * t, 5.0, 4.0),
    "clear": lambda t: (1.24 + 0.12 * t, 5.0, 4.0),
    "first foot": lambda t: (1.05, 0.04 + 0.12 * t, 5.0),
    "last foot": lambda t: (1.05, 5.0, 0.04 + 0.12 * t),
    "both feet": lambda t: (1.1, 0.04 + 0.12 * t, 0.16 - 0.02 * t),
    "all of it": lambda t: (-0.8 + 2.4 * t, 4.0, 6.0 - 3 * t),
}


@pytest.mark.parametrize("sweep", slow_except({"touch", "both feet"}, SWEEPS))
@pytest.mark.parametrize("kind", KINDS)
def test_jacobian_is_continuous_through_touch(kind: str, sweep: str) -> None:
    """Half the step, half the jump. Near a sphere's centre the plane of the path swings: left out."""

    def jump(n: int) -> float:
        t = np.linspace(0.5 if kind == "sphere" and sweep == "all of it" else 0.0, 1.0, n)
        p, q = chord(*SWEEPS[sweep](t))
        largest = 0.0
        for share in (0.1, 0.6):
            _, by_p, by_q, *_ = ask(kind, p, q, np.array([share]))
            J = np.concatenate([by_p, by_q], axis=2)
            assert np.ptp(J, axis=0).max() > 1e-5
            largest = max(largest, float(np.abs(np.diff(J, axis=0)).max()))
        return largest

    assert jump(801) < HALVED * jump(401)


def test_past_the_ends_of_a_finite_cylinder_it_is_straight() -> None:
    """As the formula: the model's cylinder is 4 cm long, the muscle passes 3 cm beyond its end."""
    p, q = chord(0.3, 5, 5)
    ends = p + [0.0, 0.0, 0.05], q + [0.0, 0.0, 0.05]
    size, share = np.array([RADIUS, 0.04]), np.array([0.5])
    cylinders = (spanned("cylinder", size, 6e-3, -1.0, network=n) for n in (None, planar_network()))
    formula, led = (_kernel.wrap_spans(cylinder, *ends, share) for cylinder in cylinders)
    assert not any(formula[-1])
    np.testing.assert_allclose(led[0], formula[0], rtol=0, atol=1e-4)


def test_clear_of_the_far_side_it_is_straight_where_there_is_no_long_way() -> None:
    """As the formula: a surface without a quadrant, which OpenSim leaves straight there."""
    lengths = []
    for led in (None, planar_network()):
        p, q = chord(-1.6, 5, 5)
        points = [fixed(0, x) for x in (p[0], q[0])]
        cylinder = surface("cylinder", (RADIUS, 1.0), 6e-3, -1.0, long_way=False, network=led)
        record = muscle("muscle", points, (1.0, 0.0, 0.0, 0.0, 0.0), 0.3, sites=[site(cylinder, 0)])
        kernel = _kernel.Kernel(1, 1, np.zeros(3), [record])
        arrays = (np.zeros(1), np.zeros(1), np.eye(3)[None], np.zeros((1, 3)), np.zeros((6, 1)), *np.zeros((2, 1, 6)))
        lengths.append(kernel.lengths(_kernel.State(*arrays))[0, 0])
    assert lengths == pytest.approx([10 * RADIUS] * 2, rel=1e-12)


def test_chord_beyond_the_learnt_long_way_is_named() -> None:
    g = replace(Geometry(), ranges=((-0.3, 0.3), (-0.2, 0.3)))
    inertial = oi.InertialModel(
        pendulum.opensim_model(g),
        pendulum.mass_table(g),
        oi.StrainModel("uniform", belly=(0.0, 1.0)),
        wrapping=oi.Wrapping("neural", strict=True),
    )
    beyond = 0
    for elbow in np.linspace(-1.2, 0.0, 25):
        q = np.array([0.0, elbow])
        d = float(pendulum.chord_distance(g, q)) / g.radius
        if d > LONGEST:
            assert np.isfinite(inertial.evaluate(state_at(inertial, q)).mass_matrix).all()
            continue
        beyond += 1
        for method in (inertial.evaluate, inertial.mass_points, inertial.path_lengths):
            with pytest.raises(ModelError, match="muscle 'muscle'.*wrap object"):
                method(state_at(inertial, q))
    assert 3 < beyond < 20


def test_opensims_path_where_there_is_no_other() -> None:
    """Without ``strict`` a run goes on there; it is told once, counted, and noted in results."""
    g = replace(Geometry(), ranges=((-0.3, 0.3), (-0.2, 0.3)))

    def made(wrapping: str) -> oi.InertialModel:
        model, masses = pendulum.opensim_model(g), pendulum.mass_table(g)
        return oi.InertialModel(model, masses, oi.StrainModel("uniform", belly=(0.0, 1.0)), wrapping=wrapping)

    inertial, opensim = made("neural"), made("opensim")
    q, u = np.array([0.0, -1.15]), np.array([0.7, -0.4])
    assert pendulum.chord_distance(g, q) / g.radius < LONGEST
    state, opensim_state = state_at(inertial, q, u), state_at(opensim, q, u)
    state.setTime(0.25)
    with pytest.warns(oi.warnings.LostPathWarning, match=r"muscle 'muscle': no smooth path .* \(time 0.25 s\)"):
        terms = inertial.evaluate(state)
    expected = opensim.evaluate(opensim_state)
    np.testing.assert_allclose(terms.mass_matrix, expected.mass_matrix, rtol=1e-12)
    np.testing.assert_allclose(terms.bias, expected.bias, rtol=1e-6)
    (note,) = terms.notes
    assert "at 1 state (time 0.25 s)" in note
    seen = inertial.remarks()
    for time in (0.5, 0.5, 0.75):  # not warned of again; each state once
        state.setTime(time)
        with warnings.catch_warnings():
            warnings.simplefilter("error", oi.warnings.LostPathWarning)
            inertial.evaluation.lengths(inertial.dynamics.read(state), seen)
            np.testing.assert_allclose(inertial.udot(state), opensim.udot(opensim_state), rtol=1e-6)
    (note,) = inertial.notes_with(seen)
    assert "no smooth path" in note and "at 2 states (time 0.5, 0.75 s)" in note
    assert not inertial.notes


CHRISTOFFEL = 1e-6  # Relative; what is asked for
HELD = [("cylinder", "-y"), ("sphere", "all")]
ENDS = oi.masses.PointMasses(np.linspace(0, 1, 9), np.full(9, 0.2 / 9))  # From end to end


@cache
def one_wrap(kind: str, quadrant: str, shown: bool = False) -> oi.InertialModel:
    masses = {"muscle": ENDS} if shown else MASSES
    inertial = oi.InertialModel(
        limit(wrap_model(kind, quadrant)),
        masses,
        oi.StrainModel("uniform", belly=(0.0, 1.0)),
        wrapping=oi.Wrapping("neural", strict=True),
    )
    assert not inertial.wraps.opensim
    (site,) = inertial.wraps.sites["muscle"]
    assert site.network
    return inertial


def passage(inertial: oi.InertialModel, q: Array) -> tuple[float, float, float]:
    """d, f1, f2 of the chord, lengths of the radius; d of a cylinder on its held side."""
    (site,) = inertial.wraps.sites["muscle"]
    rotation, origin = site.surface.in_body  # on ground
    flat = [1, 1, site.surface.kind == "sphere"]
    a, b = ((x - origin) @ rotation * flat / site.surface.size[0] for x in positions(inertial, q)[[0, -1]])
    t = (b - a) / np.linalg.norm(b - a)
    d = site.turn * np.cross(a, t)[2] if site.surface.kind == "cylinder" else np.linalg.norm(np.cross(a, t))
    return float(d), float(-a @ t), float(b @ t)


def poses(kind: str, quadrant: str, low: float, high: float, count: int) -> Iterator[Array]:
    """At which d / r is within these bounds, and the feet within what was learnt."""
    inertial, rng = one_wrap(kind, quadrant, True), np.random.default_rng(3)
    while count:
        q = random_pose(rng)
        try:
            d, f1, f2 = passage(inertial, q)
        except ModelError:  # beyond the long way
            continue
        if low < d < high and min(f1, f2) > 0.2:
            yield q
            count -= 1


@pytest.mark.parametrize("within", [(0.1, 0.8), (0.8, 1.2), (1.26, 1.34)])
@pytest.mark.parametrize(("kind", "quadrant"), HELD)
def test_jacobians_and_accelerations_are_differences(kind: str, quadrant: str, within: tuple[float, float]) -> None:
    """On the surface, through touch and where the bend fades. All points: a network's path has no tangent points."""
    inertial, rng = one_wrap(kind, quadrant, True), np.random.default_rng(5)
    for q in poses(kind, quadrant, *within, 2):
        u = rng.normal(size=6)
        points = inertial.mass_points(state_at(inertial, q, u))["muscle"]
        slope = gradient(lambda at: positions(inertial, at), q, 2e-5)
        np.testing.assert_allclose(points.jacobians, slope, rtol=0, atol=FIRST)
        np.testing.assert_allclose(points.velocities, points.jacobians @ u, rtol=0, atol=1e-10)
        # the directional derivative of J itself, and the second one of the places
        ahead, behind = (inertial.mass_points(state_at(inertial, q + s * u))["muscle"].jacobians for s in (1e-6, -1e-6))
        scale = np.abs(points.jdot_u).max()
        np.testing.assert_allclose(points.jdot_u, (ahead - behind) @ u / 2e-6, rtol=0, atol=SECOND * scale)
        second = along_flow(lambda at: positions(inertial, at), q, u, 5e-5)
        np.testing.assert_allclose(points.jdot_u, second, rtol=0, atol=SECOND * scale)


@pytest.mark.parametrize("within", [(0.1, 0.8), (0.8, 1.2), (1.26, 1.34)])
@pytest.mark.parametrize(("kind", "quadrant"), HELD)
def test_terms_are_lagrangian(kind: str, quadrant: str, within: tuple[float, float]) -> None:
    """The continuous mass: twenty Gauss points in h as in dM."""
    inertial, rng = one_wrap(kind, quadrant), np.random.default_rng(7)
    (q,) = poses(kind, quadrant, *within, 1)
    check_lagrangian(inertial, q, rng.normal(size=6), CHRISTOFFEL, 5e-5)


def test_ellipsoid_without_a_network_is_named() -> None:
    strain = oi.StrainModel("uniform", (0.0, 1.0))
    model = limit(wrap_model("ellipsoid"))
    with pytest.warns(WrappingFallbackWarning, match="muscle 'muscle'.*ellipsoid 'wrap'"):
        inertial = oi.InertialModel(model, MASSES, strain, wrapping="neural")
    with pytest.raises(UnsupportedPathError, match="muscle 'muscle'.*ellipsoid 'wrap'") as caught:
        oi.InertialModel(model, MASSES, strain, wrapping=oi.Wrapping("neural", strict=True))
    assert caught.value.muscle == "muscle"
    # what is used there instead is the analytic path
    analytic = oi.InertialModel(model, MASSES, oi.StrainModel("uniform", belly=(0.0, 1.0)))
    q = np.random.default_rng(1).uniform(-0.05, 0.05, 6)
    np.testing.assert_array_equal(positions(inertial, q), positions(analytic, q))
