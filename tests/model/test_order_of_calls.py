"""What is evaluated depends on the state alone: not on what was asked before, nor on which model asked."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.live_states import state_at
from oracles.real_models import original, random_motion, table

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")
Array = np.ndarray

WRAPPINGS = ["analytic", "opensim"]
UDOT = np.array([3.0, -2.0])


@pytest.fixture(params=WRAPPINGS)
def arm(request: pytest.FixtureRequest, opensim_models: Path) -> oi.InertialModel:
    model = original(opensim_models, "arm26")
    return oi.InertialModel(model, table(opensim_models, "arm26"), wrapping=request.param)


def poses(arm: oi.InertialModel) -> list[tuple[Array, Array]]:
    return [random_motion(arm, seed) for seed in (1, 2, 3)]


def read(arm: oi.InertialModel, pose: tuple[Array, Array]) -> Any:
    return arm.dynamics.read(state_at(arm, *pose))


def questions(arm: oi.InertialModel) -> dict[str, Callable[[Any], list[Array]]]:
    """Everything that can be asked at a state, as arrays."""
    ask, every = arm.evaluation, range(len(arm.muscle_names))

    def terms(at: Any) -> list[Array]:
        found = ask.terms(at)
        return [found.mass_matrix, found.bias, found.gravity, np.array([found.kinetic_energy, found.potential_energy])]

    return {
        "terms": terms,
        "inverse": lambda at: [ask.inverse([at], UDOT[None])],
        "inverse of each": lambda at: [ask.inverse_each([at], UDOT[None])],
        "inverse of some": lambda at: [ask.inverse_each([at], UDOT[None], [2, 0])],
        "pseudo-inertias": lambda at: [ask.pseudo_inertias(at)],
        "material points": lambda at: [x for i in every for x in ask.material_points(at, i, [(0.2, 0.4), (0.8, 0.9)])],
        "lengths": lambda at: [ask.lengths(at), np.concatenate([ask.path_lengths(at, [i]) for i in every])],
    }


def same(ours: list[Array], theirs: list[Array]) -> bool:
    return all(np.array_equal(a, b) and np.abs(a).max() > 0 for a, b in zip(ours, theirs, strict=True))


@pytest.mark.slow
def test_any_order_of_calls_gives_the_same_bits(arm: oi.InertialModel) -> None:
    asked = questions(arm)
    states = [read(arm, pose) for pose in poses(arm)]
    first = {(name, i): ask(at) for i, at in enumerate(states) for name, ask in asked.items()}
    assert not same(first["terms", 0], first["terms", 1])
    order = [(name, i) for name in asked for i in range(len(states))]
    for name, i in np.random.default_rng(0).permutation(np.array(order, dtype=object)):
        arm.evaluate(state_at(arm, *poses(arm)[(i + 1) % len(states)]))
        assert same(asked[name](states[i]), first[name, i]), name


def test_several_states_at_once_are_each_on_its_own(arm: oi.InertialModel) -> None:
    states = [read(arm, pose) for pose in poses(arm)]
    udot = np.random.default_rng(4).normal(size=(len(states), len(UDOT)))
    for ask in (arm.evaluation.inverse, arm.evaluation.inverse_each):
        alone = [ask([at], one[None]) for at, one in zip(states, udot, strict=True)]
        assert np.array_equal(ask(states, udot), np.concatenate(alone))


def test_a_state_must_bring_the_paths_that_opensim_leads(opensim_models: Path) -> None:
    arm = oi.InertialModel(original(opensim_models, "arm26"), table(opensim_models, "arm26"), wrapping="opensim")
    without = arm.kinematics.read(state_at(arm, *poses(arm)[0]))
    arm.evaluate(state_at(arm, *poses(arm)[0]))
    for ask in questions(arm).values():
        with pytest.raises(oi.errors.ModelError, match=r"muscle '\w+': OpenSim leads its path"):
            ask(without)
    (straight,) = [i for i, muscle in enumerate(arm.muscle_names) if muscle not in arm.wraps.opensim]
    assert np.abs(arm.evaluation.inverse_each([without], UDOT[None], [straight])).min() > 0


def test_two_threads_that_share_a_kernel_get_the_bits_that_each_gets_alone(arm: oi.InertialModel) -> None:
    asked = questions(arm)
    states = [read(arm, pose) for pose in poses(arm)]
    alone = [[ask(at) for ask in asked.values()] for at in states]

    def work(order: list[int]) -> bool:
        return all(
            same(ask(states[i]), expected)
            for _ in range(20)
            for i in order
            for ask, expected in zip(asked.values(), alone[i], strict=True)
        )

    with ThreadPoolExecutor(2) as pool:
        assert all(pool.map(work, ([0, 1, 2], [2, 0, 1])))
