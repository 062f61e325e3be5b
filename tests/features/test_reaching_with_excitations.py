"""Reaching by muscles: excitations over time."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from oracles.gradients import slopes_along

torch = pytest.importorskip("torch")

EXAMPLE = "reaching_with_excitations"


#: Where Arm26 reaches, the length of its triceps over two ellipsoids is far from OpenSim's.
FAR_FROM_OPENSIM = pytest.mark.filterwarnings("ignore:muscle 'TRIlong'. its length is more than 10 mm off")


def outcome(reach, found) -> tuple[float, float]:
    """How far hand or foot is from the target [m], and the largest speed of a joint [rad/s]."""
    trajectory = reach.simulation()(excitations=torch.from_numpy(found.values["excitations"]))
    apart = torch.linalg.vector_norm(reach.point(trajectory, -1) - reach.place(reach.target)).item()
    return apart, trajectory.speeds()[-1].abs().max().item()


@pytest.mark.slow
def test_the_hand_rests_at_the_target(scene: ModuleType) -> None:
    """The arm's seven muscles. Measured after 12 iterations: 0.3 mm, 0.2 deg/s; at first 350 mm."""
    reach = scene.arm()
    found = reach.optimise()
    first = reach.start_values()
    history = found.history["objective"]
    apart, speed = outcome(reach, found)
    assert apart < 2e-3
    assert speed < 0.05
    assert found.objective < 1 < 1000 < history.iloc[0]
    assert found.history["gradient"].iloc[history.idxmin()] < 1e-2 * found.history["gradient"].iloc[0]
    excitations = found.values["excitations"]
    assert excitations.shape == first.shape == (7, scene.NODES)
    assert (excitations >= 0.01 - 1e-12).all() and (excitations <= 1 + 1e-12).all()
    assert found.trajectory.coordinates()["elbow_flexion"].min() > 0
    assert found.simulations <= 30


@pytest.mark.slow
def test_the_foot_comes_near_its_target(scene: ModuleType) -> None:
    """The leg's six muscles with elastic tendons. Measured 9 mm, 0.1 rad/s; at first 134 mm."""
    reach = scene.leg()
    found = reach.optimise()
    apart, speed = outcome(reach, found)
    assert found.objective < 0.03 * found.history["objective"].iloc[0]
    assert apart < 0.025
    assert speed < 0.3


@pytest.mark.slow
def test_gradients_reach_excitations_through_muscle_states(scene: ModuleType) -> None:
    """Along a direction in all excitations, by central differences; activations and fibre lengths lie between."""
    reach = scene.leg()
    simulation, objective = reach.simulation(), reach.objective()
    random = np.random.default_rng(5)
    start, along = random.uniform(0.1, 0.3, size=(6, 5)), random.normal(size=(6, 5))
    by_gradient, by_differences = slopes_along(simulation, objective, "excitations", start, along)
    assert by_gradient == pytest.approx(by_differences, rel=1e-6)


@pytest.mark.slow
@FAR_FROM_OPENSIM
def test_arm26_reaches(scene: ModuleType, opensim_models: Path) -> None:
    """OpenSim's own arm. Measured: from 364 to 0.43."""
    reach = scene.arm26(opensim_models)
    found = reach.optimise()
    assert found.history["objective"].iloc[0] > 300
    assert found.objective < 100


@pytest.mark.slow
@FAR_FROM_OPENSIM
def test_the_example_writes_its_files(run_example: Callable[[str], set[str]]) -> None:
    assert run_example("reaching_with_excitations") == {
        "reaching_with_excitations.png",
        "reaching_with_excitations.csv",
    }
