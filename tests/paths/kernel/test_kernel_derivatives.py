"""Inverse dynamics by the kernel: against dM, h and g; its derivatives against central differences of itself."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from conftest import slow_except
from oracles import kernel_records
from oracles.finite_differences import Array, derivative
from oracles.kernel_records import fixed
from oracles.kernel_scenes import (
    BODIES,
    EXACT,
    MAPS,
    MASS,
    SAME,
    SHAPES,
    SPEEDS,
    SURFACES,
    UNIFORM,
    Directions,
    H,
    Scene,
    every_kind,
    kernel_of,
    muscle,
    over,
    path_of_every_kind,
    scene,
)
from oracles.live_states import state_at
from oracles.real_models import heavy, random_motion

import opensim_inertia as oi
from opensim_inertia import _kernel
from opensim_inertia.opensim_model.reading.kinematics import StateDirections, StateKinematics
from opensim_inertia.paths.kernel.description import planar_network

LIVE_STEP, LIVE = 1e-4, 1e-8  # rad, m, rad/s or m/s; relative. Measured 3e-10.


def each_and_all(seed: int = 1) -> Directions:
    """Every array on its own, then all together."""
    rng = np.random.default_rng(seed)
    whole = tuple(rng.standard_normal((7, *shape)) for shape in SHAPES)
    for i, array in enumerate(whole):
        array[[j for j in range(6) if j != i]] = 0.0
    return whole


def check(scene: Scene, kernel: _kernel.Kernel, directions: Directions | None = None) -> None:
    """Each direction relative to its own largest entry, or to tau's, which is what rounds; dM, h and g make tau."""
    directions = each_and_all() if directions is None else directions
    which = range(kernel.size)
    ours, exact = scene.along(kernel, directions, which), scene.differences(kernel, directions, which)
    terms, forces = kernel.evaluate(scene.state, which), scene.inverse(kernel, which)
    tau = np.abs(forces).max()
    expected = terms.mass_matrix @ scene.udot - terms.bias - terms.gravity
    np.testing.assert_allclose(forces, expected, rtol=0, atol=SAME * tau)
    assert np.abs(exact[-1]).max() > 0.1 * tau
    for one, other in zip(ours, exact, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=EXACT * max(tau, np.abs(other).max()))


@pytest.mark.parametrize("spread", [True, False], ids=["continuous", "points"])
@pytest.mark.parametrize("numbers", MAPS.values(), ids=MAPS)
def test_path_points_of_every_kind(numbers: Sequence[float], spread: bool) -> None:
    """The mass slides past corners, whose places on it move with the state."""
    for seed in range(3):
        at = scene(seed)
        check(at, kernel_of(every_kind(at, numbers, spread)))


@pytest.mark.parametrize("where", [-1.5, -0.8, 0.0, 0.8, 1.5])
@pytest.mark.parametrize("aponeurosis", [0.0, 0.3])
def test_held_fibres(where: float, aponeurosis: float) -> None:
    """Held, on the way there, and free; an aponeurosis goes on as before."""
    at, width = scene(), 0.01
    length = kernel_of(every_kind(at)).lengths(at.state)[0, 0]
    shortest = 0.04
    kernel = kernel_of(every_kind(at, (1.0, length - shortest - where * width, 0.4, shortest, width, aponeurosis)))
    assert kernel.lengths(at.state)[0, 3] == (where < 1)
    check(at, kernel)


@cache
def first_touch(name: str) -> float:
    """Shift at which the path begins to bend."""
    at, passing = scene(), SURFACES[name]
    straight = float(np.linalg.norm(np.subtract(*passing.ends)))
    for shift in np.arange(0, 0.04, 1e-4):
        length = over(at, passing, shift, UNIFORM, True).lengths(at.state)[0, 0]
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


@pytest.mark.parametrize("name", ["cylinder", "cylinder's end", "sphere"])
@pytest.mark.parametrize("shift", [0.017, 0.021, 0.035])
def test_planar_networks(name: str, shift: float) -> None:
    """Where the bend fades, near touch, and on the surface."""
    at = scene()
    for spread in (True, False):
        check(at, over(at, SURFACES[name], shift, UNIFORM, spread, planar_network()))


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
        at = scene(seed)
        ends = [(0, [-0.25, -0.05, 0.01]), (3, [0.28, -0.06, 0.0])]
        points = [fixed(b, at.station(b, x)) for b, x in ends]
        sites = [
            at.surface(body, kind, size, centre, sense, H)
            for body, (kind, size, centre, sense) in zip((1, 2, 0), surfaces, strict=False)
        ]
        check(at, kernel_of(muscle("chain", points, numbers, spread, sites)))


def test_directions_that_move_some_muscles_only() -> None:
    """A muscle between bodies 0 and 1, one between 2 and 3 and one of no mass; every body moves on its own."""
    at = scene()
    muscles = []
    for a, b in ((0, 1), (2, 3)):
        ends = [(a, [0.1, 0.2, 0.0]), (a, [0.0, 0.1, 0.05]), (b, [0.05, -0.1, 0.02])]
        muscles.append(muscle("one", [fixed(c, at.station(c, x)) for c, x in ends], UNIFORM, True))
    massless = kernel_records.muscle("massless", path_of_every_kind(at), UNIFORM, 0.0)
    kernel = kernel_of(*muscles, massless)
    directions = tuple(np.zeros((BODIES, *shape)) for shape in SHAPES)
    _, _, twist, dJ, dbias, _ = directions
    rng = np.random.default_rng(3)
    for b in range(BODIES):
        twist[b, b], dbias[b, b] = rng.standard_normal((2, 6))
        dJ[b, 6 * b : 6 * b + 6] = rng.standard_normal((6, SPEEDS))
    check(at, kernel, directions)
    first, second, massless = (at.along(kernel, directions, [i]) for i in range(3))
    assert not first[2:].any() and not second[:2].any() and not massless.any()
    assert first[:2].any(axis=1).all() and second[2:].any(axis=1).all()


def test_paths_from_outside_and_wrong_shapes_are_named() -> None:
    at = replace(scene(), paths={1: _kernel.GivenPath([0, 4])})
    soleus = kernel_records.muscle("soleus_r", path_of_every_kind(at), UNIFORM, MASS, path_is_given=True)
    kernel = kernel_of(every_kind(at), soleus)
    directions = each_and_all()
    with pytest.raises(RuntimeError, match="'soleus_r'.*opensim"):
        at.along(kernel, directions, [0, 1])
    with pytest.raises(RuntimeError, match="'soleus_r'.*opensim"):
        kernel.inverse_by_map(at.state, at.udot, ([], [], np.zeros((3, 0, 10))), [1])
    with pytest.raises(RuntimeError, match="'soleus_r'.*opensim"):
        kernel.pseudo_inertia_by_map(at.state, [1])
    assert at.inverse_each(kernel, [1]).any() and kernel.pseudo_inertia(at.state, [1])[0].any()
    names = ["q", "u", "twist", "jacobian", "bias", "bias"]
    for i, name in enumerate(names[1:], 1):
        short = tuple(x[:-1] if j == i else x for j, x in enumerate(directions))
        with pytest.raises(ValueError, match=name):
            at.along(kernel, short, [0])
    with pytest.raises(IndexError):
        at.along(kernel, directions, [2])


def check_live(inertial: oi.InertialModel, q: Array, u: Array, seed: int = 0) -> None:
    """Along every coordinate and every speed, with u = qdot: all that the state is made of moves as Simbody has it."""
    nu, udot = len(q), np.random.default_rng(seed).standard_normal(len(q))
    wrapped = set(inertial.wraps.opensim)
    which = [i for i, name in enumerate(inertial.muscle_names) if name not in wrapped]

    def read(dq: Array, du: Array) -> StateKinematics:
        return inertial.kinematics.read(state_at(inertial, q + dq, u + du))

    def slope(of: Callable[[StateKinematics], Array], step: float) -> Array:
        """Along the coordinates, then along the speeds."""
        none, eye = np.zeros(nu), np.eye(nu)
        by_q = [derivative(lambda t, e=e: of(read(t * e, none)), step) for e in eye]
        return np.stack(by_q + [derivative(lambda t, e=e: of(read(none, t * e)), step) for e in eye])

    here = read(np.zeros(nu), np.zeros(nu))
    dq, du = np.eye(2 * nu, nu), np.eye(2 * nu, nu, -nu)
    twist = np.concatenate([here.jacobian.T, np.zeros((nu, len(here.jacobian)))]).reshape(2 * nu, -1, 6)
    arrays = (slope(lambda at, name=name: getattr(at, name), 1e-3) for name in ("jacobian", "bias", "simbody_bias"))
    directions = StateDirections(dq, du, twist, *arrays)
    ours = inertial.evaluation.inverse_along(here, udot, directions, which)
    exact = slope(lambda at: inertial.evaluation.inverse([at], udot[None], which)[0], LIVE_STEP)
    assert np.abs(exact).max(axis=1).min() >= 0 and np.abs(exact).max() > 1e-3
    np.testing.assert_allclose(ours, exact, rtol=0, atol=LIVE * np.abs(exact).max())


@pytest.mark.parametrize("distribution", ["continuous", "points"])
@pytest.mark.parametrize("strain", ["uniform", "rigid_tendon", "aponeurosis"])
@pytest.mark.parametrize("name", slow_except(["arm26"], ["gait10dof18musc", "arm26", "leg6dof9musc"]))
def test_live_real_models(opensim_models: Path, name: str, strain: str, distribution: str) -> None:
    """Moving and conditional points, wraps that the kernel leads."""
    inertial = heavy(opensim_models, name, strain, distribution)
    check_live(inertial, *random_motion(inertial, 3))
