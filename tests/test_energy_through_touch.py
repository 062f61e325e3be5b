"""Energy and motion of a double pendulum whose muscle touches and leaves a cylinder."""

from collections.abc import Callable

import numpy as np
import pytest
from oracles import pendulum
from oracles.pendulum import Geometry, LiveMachine, Machine, Motion, kernel_terms, simulate

import opensim_inertia as oi
from opensim_inertia import _kernel

SAME_MOTION = 1e-12  # relative; the same sums, by OpenSim and by hand
DRIFT = 1e-6  # of the largest kinetic energy, over ten touches
MEDIAN_DRIFT = 1e-7  # over random geometries
EXACT_OVER_SMOOTH = 1e3  # at least so many times larger are the exact path's jumps
MAIN = Geometry()
BELLY, DENSITY = 0.45, 1059.7  # m and kg/m^3: fibres of 0.3 m and half of a slack length of 0.3 m; muscle
SMOOTHING = np.sqrt(MAIN.muscle / (DENSITY * BELLY) / np.pi)
"""m, the default: the half thickness of a round belly, here less than the radius."""
NARROW = 0.1 * MAIN.radius  # m; the least that the default can be


def machine(g: Geometry, smoothing: float, wraps: bool = True) -> Machine:
    return Machine(g, kernel_terms(_kernel, g, smoothing, wraps))


def live_machine(g: Geometry, smoothing: float | None) -> LiveMachine:
    strain, way = oi.StrainModel("uniform", (0.0, 1.0)), oi.Wrapping(smoothing=smoothing, strict=True)
    model, masses = pendulum.opensim_model(g), pendulum.mass_table(g)
    return LiveMachine(g, oi.InertialModel(model, masses, strain, wrapping=way))


@pytest.fixture(scope="module")
def through_ten_touches() -> Motion:
    return simulate(live_machine(MAIN, None), 20.0, touches=10)


@pytest.mark.parametrize("smoothing", [None, 0.0])
def test_planar_machine_is_the_live_model(smoothing: float | None) -> None:
    live, planar = live_machine(MAIN, smoothing), machine(MAIN, SMOOTHING if smoothing is None else smoothing)
    rng = np.random.default_rng(0)
    (low, high), touching = np.array(MAIN.ranges).T, 0
    for _ in range(50):
        y = np.concatenate([rng.uniform(low, high), rng.normal(size=2) * [3, 6]])
        touching += pendulum.chord_distance(MAIN, y[:2]) < MAIN.radius
        got, expected = live(0.0, y), planar(0.0, y)
        assert np.abs(got - expected).max() < SAME_MOTION * np.abs(expected).max()
        for one, other in zip(live.energies(y[None]), planar.energies(y[None]), strict=True):
            assert np.abs(one - other).max() < 1e-12
    assert 10 < touching < 40


@pytest.mark.slow
def test_energy_stays_through_ten_touches(through_ten_touches: Motion) -> None:
    assert through_ten_touches.touches >= 10
    assert through_ten_touches.drift < DRIFT
    assert np.ptp(through_ten_touches.kinetic) > 0.3  # J: it swings
    assert NARROW < SMOOTHING < MAIN.radius
    near = np.abs(pendulum.chord_distance(MAIN, through_ten_touches.states[:, :2]) - MAIN.radius) < SMOOTHING
    assert near.sum() > 40  # steps within the transitions of ten touches and as many partings


@pytest.mark.slow
def test_exact_path_jumps(through_ten_touches: Motion) -> None:
    exact = simulate(live_machine(MAIN, 0.0), 20.0, touches=2)
    assert exact.drift > 0.05
    assert exact.drift > EXACT_OVER_SMOOTH * through_ten_touches.drift


WIDTHS = {
    "narrow": lambda g: 0.1 * g.radius,
    "wide": lambda g: min(np.sqrt(g.muscle / (DENSITY * BELLY) / np.pi), g.radius),
}


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_random_geometries_keep_their_energy(width: Callable[[Geometry], float]) -> None:
    drifts = []
    for _, motion, g in pendulum.touching_motions(lambda g: machine(g, width(g)), 4):
        exact = simulate(machine(g, 0.0), 20.0, touches=1)
        assert pendulum.keeps_its_side(g, exact.states[:, :2])
        assert motion.touches >= 10
        assert motion.drift < DRIFT
        assert exact.drift > EXACT_OVER_SMOOTH * motion.drift
        drifts.append(motion.drift)
    assert np.median(drifts) < MEDIAN_DRIFT


@pytest.mark.slow
def test_small_transitions_converge_to_refraction() -> None:
    """Linearly; what is left when the linear part is taken off is a hundred times less."""
    end = 2.5
    limit = pendulum.refracted_motion(machine(MAIN, 0.0, wraps=False), machine(MAIN, 0.0), end)
    assert len(limit.times) == 8  # four touches, four partings
    assert limit.drift < 1e-8
    assert np.abs(limit.rates).min() > 0.4  # m/s: transversal
    assert limit.jumps.min() > 0.1  # of the speeds: it matters
    widths = np.array([4e-3, 2e-3, 1e-3, 5e-4])
    ends = [simulate(machine(MAIN, h), end).states[-1] for h in widths]
    errors = np.array([np.linalg.norm(y - limit.end) for y in ends])
    assert np.abs(errors[:-1] / errors[1:] - 2).max() < 0.02
    assert np.linalg.norm(2 * ends[-1] - ends[-2] - limit.end) < 0.01 * errors[-1]
    # without refraction the exact path leads elsewhere
    unrefracted = simulate(machine(MAIN, 0.0), end).states[-1]
    assert np.linalg.norm(unrefracted - limit.end) > 100 * errors[-1]


def test_exact_mass_matrix_jumps_along_the_normal() -> None:
    """By n b^T + b n^T + c n n^T, n = grad d: motion along the surface is the same on either side."""
    g, q = MAIN, np.array([0.2, -0.3])
    for _ in range(20):  # Newton, onto the touch
        n = pendulum.distance_gradient(g, q)
        q = q - n / (n @ n) * (pendulum.chord_distance(g, q) - g.radius)
    across = np.array([-n[1], n[0]])
    inside, outside = (machine(g, 0.0).mass_matrix(q + s * n / (n @ n) * 1e-9) for s in (-1, 1))
    jump = inside - outside
    assert np.abs(jump).max() > 1e-3
    assert abs(across @ jump @ across) / (across @ across) < 1e-6 * np.abs(jump).max()
