"""Wang et al. 2022, section 4.4: a flick against a finger whose flexors lie in the forearm."""

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from models.finger import (
    BONES,
    COORDINATES,
    FOREARM,
    MUSCLE_MASS,
    PALM,
    PULLEYS,
    TENDONS,
    Tendon,
)

import opensim_inertia as oi

EXAMPLE = "finger_flick"


def put(inertial: oi.InertialModel, angles: np.ndarray) -> object:
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, angles)
    inertial.model.realizeVelocity(state)
    return state


def length_and_arms(tendon: Tendon, angles: np.ndarray) -> tuple[float, np.ndarray]:
    """Length [m] and moment arms -dL/dq (3,) of a tendon by trigonometry.

    Guides at (-d, -r) on the bone before a joint and (d, -r) on the one after it are rho = hypot(d, r) from the joint
    and stand 2 atan(d / r) - q apart.
    """
    length, arms = FOREARM + PALM - PULLEYS[0], np.zeros(3)
    for i, r in enumerate(tendon.arms):
        rho, half = np.hypot(PULLEYS[i], r), np.arctan2(PULLEYS[i], r) - angles[i] / 2
        length += 2 * rho * np.sin(half)
        arms[i] = rho * np.cos(half)
    for i, bone in enumerate(BONES[: len(tendon.arms) - 1]):
        start, end = (PULLEYS[i], -tendon.arms[i]), (bone.length - PULLEYS[i + 1], -tendon.arms[i + 1])
        length += np.hypot(end[0] - start[0], end[1] - start[1])
    return length, arms


@pytest.mark.parametrize("angles", [(0.0, 0.0, 0.0), (0.5, 0.5, 0.26), (-0.3, 1.2, 0.9)])
def test_lengths_and_added_inertia_are_those_of_trigonometry(scene: ModuleType, angles: tuple[float, ...]) -> None:
    """A belly in the fixed forearm moves along it: dM = m mean(c^2) r r^T with c its share of the tendon's speed."""
    q = np.array(angles)
    for name in ("uniform strain", "rigid tendon"):
        inertial = scene.finger(name)
        assert inertial.coordinate_names == COORDINATES
        state = put(inertial, q)
        lengths = inertial.path_lengths(state)["path"]
        expected = np.zeros((3, 3))
        for tendon in TENDONS:
            length, arms = length_and_arms(tendon, q)
            assert lengths[tendon.muscle] == pytest.approx(length, abs=1e-12)
            muscle = inertial.model.getMuscles().get(tendon.muscle)
            phi = muscle.getOptimalFiberLength() / (muscle.getOptimalFiberLength() + muscle.getTendonSlackLength())
            share = 1 / 3 if name == "rigid tendon" else 1 / 4 + phi**2 / 12  # mean square over the belly
            expected += MUSCLE_MASS * share * np.outer(arms, arms)
        np.testing.assert_allclose(inertial.evaluate(state).mass_matrix, expected, rtol=1e-9, atol=1e-18)


def test_the_flick_brings_its_work_and_then_energy_stays(scene: ModuleType) -> None:
    """With error control: what the force does is what the finger has, and keeps; bones' and muscles' share add up."""
    inertial = scene.finger("rigid tendon")
    first = oi.simulate(
        oi.Problem(inertial, t_final=0.002, forces=scene.flick(inertial, 10.0)),
        oi.integrators.Automatic(step=1e-4, accuracy=1e-9),
        progress=False,
    )
    energy, work = first.energy(), first.work()["forces"].iloc[-1]
    brought = energy["total"].iloc[-1] - energy["total"].iloc[0]
    assert brought == pytest.approx(work, rel=1e-6)
    assert energy["kinetic_muscles"].iloc[-1] > energy["kinetic_bones"].iloc[-1], "most of it is the muscles'"
    rest = oi.simulate(
        oi.Problem(inertial, first.final_state(), 0.022), oi.integrators.Automatic(accuracy=1e-9), progress=False
    ).energy()["total"]
    assert np.abs(rest - rest.iloc[0]).max() < 1e-6 * brought


@pytest.mark.slow
def test_muscles_make_the_finger_bear_a_harder_flick(scene: ModuleType) -> None:
    """The paper: 5 N lumped, 20 N inertial, four times as much; more if tendons are stiff.

    Measured 4.5, 14 and 17 N. Bounds: forces are tried in steps of 15 %, then halved twice; a chaotic motion may shift
    one or two steps on another machine. The bones' radii, the flick's direction and the 50 ms for which it is watched
    are not the paper's, which does not say; the order of uniform and stiff holds for these 50 ms, not for every choice.
    """
    found = {n: scene.threshold(scene.finger(n), halvings=2) for n in ("lumped", "uniform strain", "rigid tendon")}
    assert 3.7 < found["lumped"] < 5.5
    assert 12.0 < found["uniform strain"] < 24.0
    assert 2.8 < found["uniform strain"] / found["lumped"] < 5.0
    assert found["rigid tendon"] > found["uniform strain"]


def test_an_implicit_integrator_does_not_bear_the_lumped_flick_either(scene: ModuleType) -> None:
    """Backward Euler: at 10 N the lumped finger has no next step; with mass on all of the path it has."""
    assert scene.broken_after(scene.finger("lumped"), 10.0, "bdf1", 0.02) == 0.0
    assert np.isinf(scene.broken_after(scene.finger("mass on all of the path"), 10.0, "bdf1", 0.02))


@pytest.mark.slow
def test_the_example_writes_its_files(
    scene: ModuleType, run_example: Callable[[str], set[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its forces are tried in few steps, to save time."""
    fine = scene.threshold
    coarse = {"forces": scene.FORCES[::8], "halvings": 0}
    monkeypatch.setattr(scene, "threshold", lambda *given, **options: fine(*given, **options | coarse))
    assert run_example("finger_flick") == {"finger_flick.png", "finger_flick.csv"}
