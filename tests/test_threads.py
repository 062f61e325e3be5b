"""Several threads: on one model, on a model for each, and while models are made; every bit as in one thread."""

import pickle
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from conftest import slow_except
from oracles.demo_leg import build_leg
from oracles.live_states import answers, state_at
from oracles.real_models import original, random_motion, table
from oracles.two_links import two_links

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")

THREADS = 8


@pytest.fixture(autouse=True)
def switch_often() -> Iterator[None]:
    """Threads take turns after 10 us, not after 5 ms."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def same(ours: list[np.ndarray], theirs: list[np.ndarray]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(ours, theirs, strict=True))


def in_threads(work: Callable[[int], bool]) -> None:
    with ThreadPoolExecutor(THREADS) as pool:
        assert all(pool.map(work, range(THREADS)))


def check(models: list[oi.InertialModel], poses: int, rounds: int) -> None:
    """Thread k asks ``models[k % len(models)]`` at poses in an order of its own; alone, the first one answers."""
    motions = [random_motion(models[0], seed) for seed in range(poses)]
    alone = [answers(models[0], *motion) for motion in motions]

    def work(thread: int) -> bool:
        order = np.random.default_rng(thread).permutation(np.repeat(np.arange(poses), rounds))
        return all(same(answers(models[thread % len(models)], *motions[pose]), alone[pose]) for pose in order)

    in_threads(work)


@pytest.mark.slow
@pytest.mark.parametrize(("wrapping", "poses", "rounds"), [("analytic", 12, 4), ("opensim", 2, 1)])
@pytest.mark.parametrize("count", slow_except([3], [1, 3]))
def test_threads_get_the_bits_that_one_gets(
    opensim_models: Path, wrapping: str, poses: int, rounds: int, count: int
) -> None:
    model, masses = original(opensim_models, "arm26"), table(opensim_models, "arm26")
    check([oi.InertialModel(model, masses, wrapping=wrapping) for _ in range(count)], poses, rounds)


def test_simulations_on_one_model_are_those_of_one_thread() -> None:
    leg = build_leg()
    inertial = oi.InertialModel(leg, oi.estimate_masses(leg), reference={"knee_angle_r": -0.4})
    motions = [random_motion(inertial, seed) for seed in range(3)]

    def end(k: int) -> np.ndarray:
        run = oi.simulate(oi.Problem(inertial, state_at(inertial, *motions[k]), 0.01), "rk45", progress=False)
        return np.append(run.y[-1], run.energy().to_numpy()[-1])

    alone = [end(k) for k in range(3)]
    in_threads(lambda thread: np.array_equal(end(thread % 3), alone[thread % 3]))


@pytest.mark.slow
def test_models_made_in_threads_leave_no_filter_of_our_warnings_behind() -> None:
    """pandas itself may leave filters of other classes behind: it changes those of all threads while it reads types."""

    def ours() -> list[object]:
        return [entry for entry in warnings.filters if issubclass(oi.InertiaWarning, entry[2])]

    leg = build_leg()
    inertial = oi.InertialModel(leg, oi.estimate_masses(leg), reference={"knee_angle_r": -0.4})
    filters = ours()
    in_threads(lambda _: bool(pickle.loads(pickle.dumps(inertial)).rebuilt(strain="uniform").muscle_names))
    assert ours() == filters


def test_notes_of_several_threads_are_each_warned_of_once() -> None:
    model = two_links([(1, (0.05, -0.1, 0)), (2, (0.05, -0.1, 0))], slack=0.38, fibre=0.1)
    inertial = oi.InertialModel(model, {"mus": 0.5}, "rigid_tendon")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        in_threads(lambda _: bool(inertial.evaluate(state_at(inertial, np.array([0.0, 2.4]))).mass_matrix.any()))
    assert [w.category for w in told] == [oi.warnings.ShortBellyWarning] and inertial.notes == []
