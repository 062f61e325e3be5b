"""Derivatives of the kernel's inverse dynamics along directions of the state, against central differences of itself.

The kernel takes a state's arrays as they come, so most states here are made up: every array is nudged on its own, and
nothing but the kernel is differenced. Live models then say that the directions mean what Simbody means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from oracles.finite_differences import Array, derivative
from oracles.limbs import MASSES as LIMB_MASSES
from oracles.limbs import limbs
from oracles.live_states import state_at
from oracles.real_models import heavy, random_motion

import opensim_inertia as oi
from opensim_inertia import _kernel
from opensim_inertia.demo import build_leg
from opensim_inertia.kernel_input import kernel_network
from opensim_inertia.wrapping.networks import planar_network

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.RemainderWarning")  # segments are made up

STEP, EXACT = 2e-6, 1e-8
"""Of differences of fourth order, and relative to the largest entry; truncation is (2e-6 / 2e-3)^4 times some thousands
in touches 2 mm wide, rounding 1e-16 / 2e-6 times what cancels in a sum. Measured 2e-9 at worst."""
LIVE_STEP, LIVE = 1e-4, 1e-8
"""rad, m, rad/s or m/s; relative. Measured 3e-10."""
SAME = 1e-12
"""Relative: the same sum in another order."""
MIDPOINTS = 1e-6
"""kg m^2, kg m or kg: 400 by 400 points that stand for a belly of 0.3 kg, in a path with corners; measured TODO."""

BODIES, SPEEDS, MASS = 4, 6, 0.3
GRAVITY = np.array([0.5, -9.80665, 0.3])


# -- made-up states ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """One state's arrays in the kernel's order, and udot."""

    arrays: tuple[Array, ...]
    udot: Array

    def station(self, body: int, place: Sequence[float]) -> Array:
        """A place in ground, in the body's frame."""
        _, _, R, p, _, _ = self.arrays
        return np.ascontiguousarray(R[body].T @ (np.asarray(place, float) - p[body]))

    def surface(
        self, body: int, kind: str, size: Sequence[float], centre: Sequence[float], turn: float, smoothing: float,
        network: _kernel.PathNetwork | None = None,
    ) -> _kernel.WrapSurface:  # fmt: skip
        """A surface whose axes are ground's."""
        rotation = np.ascontiguousarray(self.arrays[2][body].T)
        origin = self.station(body, centre)
        return _kernel.WrapSurface(
            kind, np.array(size), smoothing, turn, np.zeros(3), True, body, rotation, origin, network
        )

    def inverse(self, kernel: _kernel.Kernel, which: Sequence[int]) -> Array:
        q, u, *rest = self.arrays
        return kernel.inverse(*(np.ascontiguousarray(x)[None] for x in (q, u, self.udot, *rest)), list(which))[0]

    def inverse_each(self, kernel: _kernel.Kernel, which: Sequence[int]) -> Array:
        q, u, *rest = self.arrays
        return kernel.inverse_each(*(np.ascontiguousarray(x)[None] for x in (q, u, self.udot, *rest)), list(which))[0]

    def along(self, kernel: _kernel.Kernel, directions: Directions, which: Sequence[int]) -> Array:
        return kernel.inverse_along(*self.arrays, self.udot, *directions, list(which))

    def nudged(self, direction: Sequence[Array], t: float) -> Scene:
        q, u, R, p, J, bias = self.arrays
        dq, du, twist, dJ, dbias = direction
        turned = np.stack([turn(t * w) @ r for w, r in zip(twist[:, :3], R, strict=True)])
        return Scene((q + t * dq, u + t * du, turned, p + t * twist[:, 3:], J + t * dJ, bias + t * dbias), self.udot)

    def differences(self, kernel: _kernel.Kernel, directions: Directions, which: Sequence[int]) -> Array:
        rows = zip(*directions, strict=True)
        return np.stack([derivative(lambda t, d=d: self.nudged(d, t).inverse(kernel, which), STEP) for d in rows])


#: dq, du, dtwist, djacobian, dbias, each with the directions on the first axis.
Directions = tuple[Array, Array, Array, Array, Array]


def turn(v: Array) -> Array:
    """Rotation by a vector, which is small."""
    w = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    angle = max(float(np.linalg.norm(v)), 1e-30)
    return np.eye(3) + np.sin(angle) / angle * w + 0.5 * (np.sin(angle / 2) / (angle / 2)) ** 2 * w @ w


def scene(seed: int = 0) -> Scene:
    rng = np.random.default_rng(seed)
    q, _ = np.linalg.qr(rng.standard_normal((BODIES, 3, 3)))
    rotation = np.ascontiguousarray(q * np.sign(np.linalg.det(q))[:, None, None])
    arrays = (
        rng.uniform(-0.5, 0.5, SPEEDS),
        rng.standard_normal(SPEEDS),
        rotation,
        rng.uniform(-0.05, 0.05, (BODIES, 3)),
        rng.standard_normal((6 * BODIES, SPEEDS)) * 0.5,
        rng.standard_normal((BODIES, 6)),
    )
    return Scene(arrays, rng.standard_normal(SPEEDS))


def each_and_all(seed: int = 1) -> Directions:
    """Every array on its own, then all together."""
    rng = np.random.default_rng(seed)
    shapes = [(SPEEDS,), (SPEEDS,), (BODIES, 6), (6 * BODIES, SPEEDS), (BODIES, 6)]
    whole = [rng.standard_normal((6, *shape)) for shape in shapes]
    for i, array in enumerate(whole):
        array[[j for j in range(5) if j != i]] = 0.0
    dq, du, twist, dJ, dbias = whole
    return dq, du, twist, dJ, dbias


def check(scene: Scene, kernel: _kernel.Kernel, directions: Directions | None = None) -> None:
    """Each direction relative to its own largest entry, or to tau's, which is what rounds."""
    directions = each_and_all() if directions is None else directions
    which = range(kernel.size)
    ours, exact = scene.along(kernel, directions, which), scene.differences(kernel, directions, which)
    tau = np.abs(scene.inverse(kernel, which)).max()
    assert np.abs(exact[-1]).max() > 0.1 * tau
    for one, other in zip(ours, exact, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=EXACT * max(tau, np.abs(other).max()))


#: phi, slack, proximal, shortest, hold_width, aponeurosis
UNIFORM = (0.6, 0.0, 0.3, 0.0, 0.0)
MAPS = {
    "uniform": UNIFORM,
    "rigid tendon": (1.0, 0.09, 0.4, 0.0, 0.0),
    "aponeurosis shorter than fibres": (1.0, 0.09, 0.2, 0.0, 0.0, 0.5),
    "aponeurosis longer than fibres": (0.5, 0.0, 0.1, 0.0, 0.0, 0.8),
}
#: Shares along the aponeurosis and along the fibres.
MATERIAL = list(zip([0.4, 0.9, 0.0, 0.6, 0.1, 1.0, 0.3], np.linspace(0.03, 0.96, 7).tolist(), strict=True))


def add(
    kernel: _kernel.Kernel, name: str, points: Sequence[_kernel.PathPoint], numbers: Sequence[float], spread: bool
) -> int:
    material = _kernel.MaterialMap(*numbers)
    if spread:
        return kernel.add_muscle(name, points, material, MASS)
    return kernel.add_muscle(name, points, material, MASS, MATERIAL, [MASS / 7] * 7)


# -- path points -------------------------------------------------------------------------------------------------------


def path_of_every_kind(at: Scene) -> list[_kernel.PathPoint]:
    """Fixed, moving with two coordinates, present by a condition, absent by another."""
    cubics = np.array([[0.0, 0.02, -0.03, 0.05], [0.01, 0.04, 0.02, -0.03]])
    functions = [
        _kernel.ScalarFunction(1, [0.0], cubics, -2.0, 2.0),
        _kernel.ScalarFunction(-1, [], np.array([[0.02, 0, 0, 0]]), -np.inf, np.inf),
        _kernel.ScalarFunction(2, [-0.7], cubics[::-1].copy(), -2.0, 2.0),
    ]
    frame = np.ascontiguousarray(at.arrays[2][1])
    return [
        _kernel.PathPoint.fixed(0, at.station(0, [0.1, 0.2, 0.0])),
        _kernel.PathPoint.moving(1, frame, at.station(1, [0.15, 0.1, 0.03]), functions),
        _kernel.PathPoint.conditional(1, at.station(1, [0.12, 0.05, 0.0]), 3, -1.0, 1.0),
        _kernel.PathPoint.conditional(3, at.station(3, [0.5, 0.0, 0.0]), 3, 1.0, 2.0),
        _kernel.PathPoint.fixed(2, at.station(2, [0.05, -0.1, 0.02])),
    ]


def muscle(at: Scene, numbers: Sequence[float] = UNIFORM, spread: bool = True) -> _kernel.Kernel:
    kernel = _kernel.Kernel(BODIES, SPEEDS, GRAVITY)
    add(kernel, "every kind", path_of_every_kind(at), numbers, spread)
    return kernel


@pytest.mark.parametrize("spread", [True, False], ids=["continuous", "points"])
@pytest.mark.parametrize("numbers", MAPS.values(), ids=MAPS)
def test_path_points_of_every_kind(numbers: Sequence[float], spread: bool) -> None:
    """The mass slides past corners, whose places on it move with the state."""
    for seed in range(3):
        at = scene(seed)
        check(at, muscle(at, numbers, spread))


@pytest.mark.parametrize("where", [-1.5, -0.8, 0.0, 0.8, 1.5])
@pytest.mark.parametrize("aponeurosis", [0.0, 0.3])
def test_held_fibres(where: float, aponeurosis: float) -> None:
    """Held, on the way there, and free; an aponeurosis goes on as before."""
    at, width = scene(), 0.01
    length = muscle(at).lengths(*at.arrays, [0])[0, 0]
    shortest = 0.04
    kernel = muscle(at, (1.0, length - shortest - where * width, 0.4, shortest, width, aponeurosis))
    assert kernel.lengths(*at.arrays, [0])[0, 3] == (where < 1)
    check(at, kernel)


# -- surfaces ----------------------------------------------------------------------------------------------------------

H = 2e-3  # m


@dataclass(frozen=True)
class Passing:
    """A straight line beside a surface at the origin, and the way in which it comes nearer."""

    kind: str
    size: tuple[float, ...]
    ends: tuple[tuple[float, float, float], tuple[float, float, float]]
    way: tuple[float, float, float]
    turn: float = -1.0


ACROSS = ((-0.1, 0.06, 0.02), (0.12, 0.055, -0.01))
SURFACES = {
    "cylinder": Passing("cylinder", (0.03, 1.0), ACROSS, (0, -1, 0)),
    "cylinder's end": Passing("cylinder", (0.03, 0.012), ACROSS, (0, -1, 0)),
    "sphere": Passing("sphere", (0.03,), ACROSS, (0, -1, 0)),
    "ellipsoid": Passing("ellipsoid", (0.05, 0.03, 0.02), ACROSS, (0, -1, 0)),
    "torus": Passing("torus", (0.05, 0.01), ((0.02, 0.01, -0.1), (0.022, -0.01, 0.12)), (1, 0, 0)),
}


def over(
    at: Scene, passing: Passing, shift: float, numbers: Sequence[float], spread: bool,
    network: _kernel.PathNetwork | None = None,
) -> _kernel.Kernel:  # fmt: skip
    """One muscle whose line has come nearer by so much."""
    p, q = (np.add(end, shift * np.array(passing.way)) for end in passing.ends)
    kernel = _kernel.Kernel(BODIES, SPEEDS, GRAVITY)
    ends = [_kernel.PathPoint.fixed(body, at.station(body, x)) for body, x in ((1, p), (2, q))]
    index = add(kernel, passing.kind, ends, numbers, spread)
    surface = at.surface(3, passing.kind, passing.size, [0, 0, 0], passing.turn, H, network)
    kernel.add_wrap(index, surface, 0, 1)
    return kernel


@cache
def first_touch(name: str) -> float:
    """Shift at which the path begins to bend."""
    at, passing = scene(), SURFACES[name]
    straight = float(np.linalg.norm(np.subtract(*passing.ends)))
    for shift in np.arange(0, 0.04, 1e-4):
        length = over(at, passing, shift, UNIFORM, True).lengths(*at.arrays, [0])[0, 0]
        if length > straight + 1e-13:
            return float(shift)
    raise AssertionError(f"{name} is never touched")


@pytest.mark.parametrize("further", [-0.5, 0.4, 1.0, 1.6, 5.0])
@pytest.mark.parametrize("name", SURFACES)
def test_surfaces_through_touch(name: str, further: float) -> None:
    """Clear, in the transition, and wrapped; ``further`` in lengths of the smoothing h since it began to bend."""
    for i, (numbers, spread) in enumerate((m, s) for m in MAPS.values() for s in (True, False)):
        at = scene(i % 4)
        check(at, over(at, SURFACES[name], first_touch(name) + further * H, numbers, spread))


def random_network() -> _kernel.PathNetwork:
    """One that no symmetry has been taken out of, with weights that mean nothing."""
    rng = np.random.default_rng(4)

    def layers(*widths: int) -> list[tuple[Array, Array]]:
        pairs = zip(widths[1:], widths[:-1], strict=True)
        scale = [1.0] * (len(widths) - 2) + [0.01]
        return [(s * rng.standard_normal(pair), s * rng.random(pair[0])) for s, pair in zip(scale, pairs, strict=True)]

    return _kernel.PathNetwork(False, layers(7, 12, 9, 3), layers(6, 8, 1))


@pytest.mark.parametrize("name", ["cylinder", "cylinder's end", "sphere"])
@pytest.mark.parametrize("shift", [0.017, 0.021, 0.035])
def test_planar_networks(name: str, shift: float) -> None:
    """Where the bend fades, near touch, and on the surface."""
    at = scene()
    for spread in (True, False):
        check(at, over(at, SURFACES[name], shift, UNIFORM, spread, kernel_network(planar_network())))


def test_other_networks() -> None:
    at = scene()
    for spread in (True, False):
        check(at, over(at, SURFACES["ellipsoid"], 0.02, UNIFORM, spread, random_network()))


#: Kind, size, centre and turn of surfaces over which one segment passes.
CHAINS = {
    "two": [("cylinder", (0.03, 1.0), (-0.12, 0, 0), -1.0), ("cylinder", (0.03, 1.0), (0, 0.03, 0), 1.0)],
    "three": [
        ("cylinder", (0.03, 1.0), (-0.12, 0, 0), -1.0),
        ("ellipsoid", (0.05, 0.03, 0.02), (0, 0.05, 0.005), 1.0),
        ("cylinder", (0.035, 1.0), (0.12, 0, 0), -1.0),
    ],
    "clear of one": [
        ("sphere", (0.03,), (-0.12, -0.035, 0.005), 1.0),
        ("cylinder", (0.02, 1.0), (0, -0.3, 0), -1.0),
        ("cylinder", (0.035, 1.0), (0.12, 0, 0), -1.0),
    ],
}


@pytest.mark.parametrize("spread", [True, False], ids=["continuous", "points"])
@pytest.mark.parametrize("numbers", [UNIFORM, MAPS["aponeurosis longer than fibres"]], ids=["uniform", "aponeurosis"])
@pytest.mark.parametrize("surfaces", CHAINS.values(), ids=CHAINS)
def test_several_surfaces_on_a_segment(
    surfaces: list[tuple[str, Array, Array, float]], numbers: Sequence[float], spread: bool
) -> None:
    for seed in range(2):
        at, kernel = scene(seed), _kernel.Kernel(BODIES, SPEEDS, GRAVITY)
        ends = [(0, [-0.25, -0.05, 0.01]), (3, [0.28, -0.06, 0.0])]
        add(kernel, "chain", [_kernel.PathPoint.fixed(b, at.station(b, x)) for b, x in ends], numbers, spread)
        for body, (kind, size, centre, sense) in zip((1, 2, 0), surfaces, strict=False):
            kernel.add_wrap(0, at.surface(body, kind, size, centre, sense, H), 0, 1)
        check(at, kernel)


# -- directions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 4, 9])
def test_any_number_of_directions(count: int) -> None:
    """They do not know of each other."""
    at, rng = scene(), np.random.default_rng(2)
    kernel = muscle(at)
    shapes = [(SPEEDS,), (SPEEDS,), (BODIES, 6), (6 * BODIES, SPEEDS), (BODIES, 6)]
    directions = tuple(rng.standard_normal((count, *shape)) for shape in shapes)
    together = at.along(kernel, directions, [0])
    assert together.shape == (count, SPEEDS)
    for i in range(count):
        alone = at.along(kernel, tuple(x[i : i + 1] for x in directions), [0])[0]
        np.testing.assert_allclose(together[i], alone, rtol=0, atol=SAME * np.abs(alone).max())


def test_directions_that_move_some_muscles_only() -> None:
    """A muscle between bodies 0 and 1, one between 2 and 3 and one of no mass; every body moves on its own."""
    at = scene()
    kernel = _kernel.Kernel(BODIES, SPEEDS, GRAVITY)
    for a, b in ((0, 1), (2, 3)):
        ends = [(a, [0.1, 0.2, 0.0]), (a, [0.0, 0.1, 0.05]), (b, [0.05, -0.1, 0.02])]
        add(kernel, "one", [_kernel.PathPoint.fixed(c, at.station(c, x)) for c, x in ends], UNIFORM, True)
    kernel.add_muscle("massless", path_of_every_kind(at), _kernel.MaterialMap(*UNIFORM), 0.0)
    directions = tuple(np.zeros((BODIES, *shape)) for shape in [(SPEEDS,)] * 2 + [(BODIES, 6)])
    dq, du, twist = directions
    dJ, dbias = np.zeros((BODIES, 6 * BODIES, SPEEDS)), np.zeros((BODIES, BODIES, 6))
    rng = np.random.default_rng(3)
    for b in range(BODIES):
        twist[b, b], dbias[b, b] = rng.standard_normal((2, 6))
        dJ[b, 6 * b : 6 * b + 6] = rng.standard_normal((6, SPEEDS))
    check(at, kernel, (dq, du, twist, dJ, dbias))
    first, second, massless = (at.along(kernel, (dq, du, twist, dJ, dbias), [i]) for i in range(3))
    assert not first[2:].any() and not second[:2].any() and not massless.any()
    assert first[:2].any(axis=1).all() and second[2:].any(axis=1).all()


def test_paths_from_outside_and_wrong_shapes_are_named() -> None:
    at = scene()
    kernel = muscle(at)
    kernel.add_muscle("soleus_r", path_of_every_kind(at), _kernel.MaterialMap(*UNIFORM), MASS, wraps=True)
    kernel.set_path(1, [0, 4], [])
    directions = each_and_all()
    with pytest.raises(RuntimeError, match="'soleus_r'.*library"):
        at.along(kernel, directions, [0, 1])
    with pytest.raises(RuntimeError, match="'soleus_r'.*library"):
        kernel.inverse_by_map(*at.arrays, at.udot, [1])
    with pytest.raises(RuntimeError, match="'soleus_r'.*library"):
        kernel.pseudo_inertia_by_map(*at.arrays, [1])
    assert at.inverse_each(kernel, [1]).any() and kernel.pseudo_inertia(*at.arrays, [1]).any()
    names = ["dq", "du", "dtwist", "djacobian", "dbias"]
    for i, name in enumerate(names[1:], 1):
        short = tuple(x[:-1] if j == i else x for j, x in enumerate(directions))
        with pytest.raises(ValueError, match=name):
            at.along(kernel, short, [0])
    with pytest.raises(IndexError):
        at.along(kernel, directions, [2])


# -- each muscle -------------------------------------------------------------------------------------------------------


MUSCLES = [
    (UNIFORM, True),
    ((0.95, 0.09, 0.4, 0.0, 0.0), False),
    ((0.95, 0.09, 0.3, 0.0, 0.0, 0.4), True),
    ((0.5, 0.0, 0.1, 0.0, 0.0, 0.8), False),
]
"""Maps, and whether the mass is continuous; a fifth muscle's fibres are on the way to being held, a sixth wraps."""
CONSTANTS = ("proximal", "phi", "aponeurosis")


def rebuilt(at: Scene, phi: float = 0.0, proximal: float = 0.0, aponeurosis: float = 0.0) -> _kernel.Kernel:
    """Six muscles, their maps' numbers changed by so much."""
    kernel = _kernel.Kernel(BODIES, SPEEDS, GRAVITY)

    def changed(a: float, b: float, c: float, held: float, width: float, e: float = 0.0) -> tuple[float, ...]:
        return a + phi, b, c + proximal, held, width, e + aponeurosis

    length = muscle(at).lengths(*at.arrays, [0])[0, 0]
    held = ((0.95, 0.95 * length - 0.04, 0.4, 0.04, 0.01, 0.3), True)
    for numbers, spread in [*MUSCLES, held]:
        add(kernel, "every kind", path_of_every_kind(at), changed(*numbers), spread)
    wrapped = SURFACES["cylinder"]
    p, q = (np.add(end, 0.03 * np.array(wrapped.way)) for end in wrapped.ends)
    ends = [_kernel.PathPoint.fixed(body, at.station(body, x)) for body, x in ((1, p), (2, q))]
    add(kernel, "wrapped", ends, changed(0.6, 0.0, 0.3, 0.0, 0.0, 0.4), True)
    kernel.add_wrap(5, at.surface(3, "cylinder", wrapped.size, [0, 0, 0], wrapped.turn, H), 0, 1)
    return kernel


def test_each_muscle_on_its_own() -> None:
    at = scene()
    kernel = rebuilt(at)
    each = at.inverse_each(kernel, [3, 0, 2, 1, 5, 4])
    assert each.shape == (6, SPEEDS)
    np.testing.assert_allclose(each[1], at.inverse(kernel, [0]), rtol=0, atol=SAME * np.abs(each[1]).max())
    whole = at.inverse(kernel, range(6))
    np.testing.assert_allclose(each.sum(axis=0), whole, rtol=0, atol=SAME * np.abs(each).max())


def test_each_muscle_at_several_states() -> None:
    """Stacked states do not know of each other."""
    scenes, which = [scene(seed) for seed in range(3)], [0, 2, 1]
    kernel = muscle(scenes[0])
    for numbers in list(MAPS.values())[2:]:
        add(kernel, "another", path_of_every_kind(scenes[0]), numbers, True)
    stacked = [np.stack([s.arrays[i] for s in scenes]) for i in range(6)]
    udot = np.stack([s.udot for s in scenes])
    found = kernel.inverse_each(*stacked[:2], udot, *stacked[2:], which)
    assert found.shape == (3, 3, SPEEDS)
    for one, at in zip(found, scenes, strict=True):
        np.testing.assert_allclose(one, at.inverse_each(kernel, which), rtol=0, atol=SAME * np.abs(one).max())


def test_each_muscle_by_its_map() -> None:
    """Two of the maps have no aponeurosis: what one that begins would change is there too."""
    at, which = scene(), [2, 0, 3, 1, 5, 4]
    ours = at_map = rebuilt(at).inverse_by_map(*at.arrays, at.udot, which)
    assert ours.shape == (6, 3, SPEEDS)
    for k, name in enumerate(CONSTANTS):
        exact = by_constant(lambda kernel: at.inverse_each(kernel, which), name, at)
        for one, other in zip(at_map[:, k], exact, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=EXACT * np.abs(other).max())


def by_constant(of: Callable[[_kernel.Kernel], Array], name: str, at: Scene) -> Array:
    """Slope over one constant of all maps; forwards where an aponeurosis begins, which cannot be negative."""
    both = derivative(lambda t: of(rebuilt(at, **{name: abs(t) if name == "aponeurosis" else t})), STEP)
    if name != "aponeurosis":
        return both
    h = 10 * STEP
    values = [of(rebuilt(at, aponeurosis=k * h)) for k in range(5)]
    return sum(c * v for c, v in zip((-25 / 12, 4, -3, 4 / 3, -1 / 4), values, strict=True)) / h


@pytest.mark.parametrize("seed", range(3))
def test_mass_as_a_rigid_body(seed: int) -> None:
    """Pseudo-inertias are sums over the mass points, exactly those of point masses; and many stand for a belly."""
    at = scene(seed)
    kernel, n = rebuilt(at), 400
    ours = kernel.pseudo_inertia(*at.arrays, range(6))
    middles = (np.arange(n) + 0.5) / n
    square = [(float(chi), float(xi)) for chi in middles for xi in middles]
    for i, (_, spread) in enumerate([*MUSCLES, (None, True), (None, True)]):
        x = kernel.mass_points(*at.arrays, i, square if spread else MATERIAL, False)[0]
        place = np.column_stack([x, np.ones(len(x))])
        exact = MASS / len(x) * place.T @ place
        np.testing.assert_allclose(ours[i], exact, rtol=0, atol=SAME if not spread else MIDPOINTS)
        np.testing.assert_array_equal(ours[i], ours[i].T)
        assert ours[i, 3, 3] == pytest.approx(MASS, rel=SAME)


def test_mass_as_a_rigid_body_by_its_map() -> None:
    at, which = scene(), [2, 0, 3, 1, 5, 4]
    ours = rebuilt(at).pseudo_inertia_by_map(*at.arrays, which)
    assert ours.shape == (6, 3, 4, 4)
    for k, name in enumerate(CONSTANTS):
        exact = by_constant(lambda kernel: kernel.pseudo_inertia(*at.arrays, which), name, at)
        assert (np.abs(exact).max(axis=(1, 2)) > 1e-4).all()
        np.testing.assert_allclose(ours[:, k], exact, rtol=0, atol=EXACT * np.abs(exact).max())
        np.testing.assert_allclose(ours[:, k, 3, 3], 0, atol=SAME)  # no mass is made


# -- live models -------------------------------------------------------------------------------------------------------


def check_live(inertial: oi.InertialModel, q: Array, u: Array, seed: int = 0) -> None:
    """Along every coordinate and every speed, with u = qdot: all that the state is made of moves as Simbody has it."""
    nu, udot = len(q), np.random.default_rng(seed).standard_normal(len(q))
    wrapped = set(inertial.wraps.library)
    which = [i for i, name in enumerate(inertial.muscle_names) if name not in wrapped]

    def arrays(dq: Array, du: Array) -> tuple[Array, ...]:
        frame = inertial.kinematics.read(state_at(inertial, q + dq, u + du))
        return frame.kernel_arguments()

    def slope(of: Callable[[tuple[Array, ...]], Array], step: float) -> Array:
        """Along the coordinates, then along the speeds."""
        none, eye = np.zeros(nu), np.eye(nu)
        by_q = [derivative(lambda t, e=e: of(arrays(t * e, none)), step) for e in eye]
        return np.stack(by_q + [derivative(lambda t, e=e: of(arrays(none, t * e)), step) for e in eye])

    here = arrays(np.zeros(nu), np.zeros(nu))
    dq, du = np.eye(2 * nu, nu), np.eye(2 * nu, nu, -nu)
    twist = np.concatenate([here[4].T, np.zeros((nu, len(here[4])))]).reshape(2 * nu, -1, 6)
    directions = (dq, du, twist, slope(lambda a: a[4], 1e-3), slope(lambda a: a[5], 1e-3))
    at = Scene(here, udot)
    ours = at.along(inertial._kernel, directions, which)
    exact = slope(lambda a: Scene(a, udot).inverse(inertial._kernel, which), LIVE_STEP)
    assert np.abs(exact).max(axis=1).min() >= 0 and np.abs(exact).max() > 1e-3
    np.testing.assert_allclose(ours, exact, rtol=0, atol=LIVE * np.abs(exact).max())


@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon", "aponeurosis"])
def test_live_limbs(strain: str) -> None:
    inertial = oi.InertialModel(limbs("custom"), LIMB_MASSES, strain)
    rng = np.random.default_rng(5)
    for _ in range(2):
        check_live(inertial, rng.uniform(-0.3, 0.3, 9), rng.standard_normal(9))


def test_live_demo() -> None:
    leg = build_leg()
    inertial = oi.InertialModel(leg, oi.estimate_masses(leg))
    check_live(inertial, *random_motion(inertial, 3))


@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon", "aponeurosis"])
@pytest.mark.parametrize("name", ["gait10dof18musc", "arm26", "leg6dof9musc"])
def test_live_real_models(opensim_models: Path, name: str, strain: str, distribution: str) -> None:
    """Moving and conditional points, wraps that the kernel leads."""
    inertial = heavy(opensim_models, name, strain, distribution)
    check_live(inertial, *random_motion(inertial, 3))
