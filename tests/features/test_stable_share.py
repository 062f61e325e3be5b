"""Patterns of activation, and the share of them that is stable: the theorem of Kelvin, Tait and Chetaev."""

from dataclasses import replace
from functools import cache

import numpy as np
import opensim as osim
import pytest
from conftest import model_path
from oracles.planar_arm import POSE, arm, udot_of_activations

import opensim_inertia as oi

STIFFNESSES = np.arange(0.5, 5.01, 0.5)


@cache
def posture(gravity: float = 9.80665, massive: bool = True) -> oi.stability.Posture:
    return oi.equilibrate(arm("rigid", gravity, massive), POSE)


def test_patterns_hold_the_posture() -> None:
    p = posture()
    patterns = oi.stability.sample_patterns(p, 50, seed=3)
    assert patterns.shape == (50, 6)
    assert patterns.min() >= 0 and patterns.max() <= 1
    assert max(np.abs(udot_of_activations(p.inertial, p, a)).max() for a in patterns) < 1e-6
    np.testing.assert_array_equal(patterns, oi.stability.sample_patterns(p, 50, seed=3))
    assert np.abs(patterns - oi.stability.sample_patterns(p, 50, seed=4)).max() > 0.1
    assert np.linalg.matrix_rank(patterns - patterns.mean(axis=0), 1e-6) == 4


@pytest.mark.parametrize(("weights", "total"), [((1, 1, 1), 1.5), ((1, 2, 4), 3.0)])
def test_patterns_are_uniform(weights: tuple[float, ...], total: float) -> None:
    """Against rejection: a cube's slice, a polygon; means, covariances and quantiles within sampling error."""
    p = posture()
    names = list(p.activations)[:3]
    B = np.array([weights], dtype=float)
    held = np.full(3, total / sum(weights))
    small = replace(
        p,
        activations=dict(zip(names, held.tolist(), strict=True)),
        effect=B,
        bounds=np.column_stack([np.zeros(3), np.ones(3)]),
    )
    n = 10_000
    found = oi.stability.sample_patterns(small, n, seed=1)
    np.testing.assert_allclose(found @ B[0], total, atol=1e-9)
    rng = np.random.default_rng(0)
    plane = rng.uniform(size=(20 * n, 2))
    third = (total - plane @ B[0, :2]) / B[0, 2]
    exact = np.column_stack([plane, third])[(third >= 0) & (third <= 1)]
    np.testing.assert_allclose(found.mean(axis=0), exact.mean(axis=0), atol=5 * 0.3 / np.sqrt(n))
    np.testing.assert_allclose(np.cov(found.T), np.cov(exact.T), atol=5 * 0.1 / np.sqrt(n))
    for level in (0.05, 0.25, 0.75, 0.95):
        np.testing.assert_allclose(np.quantile(found, level, axis=0), np.quantile(exact, level, axis=0), atol=0.015)


def test_stability_without_gravity_does_not_depend_on_mass() -> None:
    """With damping, stiffness alone decides, pattern by pattern; rates do depend on mass."""
    lumped = oi.stability.stable_share(posture(0.0, False), STIFFNESSES, 500, seed=1)
    assert lumped.patterns.shape == (500, 6)
    assert (np.diff(lumped.share) >= 0).all() and lumped.share[0] < 0.2 < 0.8 < lumped.share[-1]
    assert (lumped.stable[1:] | ~lumped.stable[:-1]).all()  # pattern by pattern, too
    inertial = oi.stability.stable_share(posture(0.0), STIFFNESSES, lumped.patterns)
    np.testing.assert_array_equal(inertial.stable, lumped.stable)
    rates = np.abs(inertial.rightmost.real / lumped.rightmost.real - 1).max(axis=1)
    assert (rates > 1e-3).all()


@pytest.mark.slow
def test_share_of_arm26() -> None:
    """4000 patterns without gravity, ten stiffnesses; 0, 21.8, 74.6, 98.9 and 100 % at 0.5 to 2.5."""
    model = oi.stability.without_muscle_states(osim.Model(str(model_path("Models/Arm26/arm26.osim"))))
    model.setGravity(osim.Vec3(0))
    for muscle in model.getMuscles():
        muscle.setMinControl(0.0)
    pose = {"r_shoulder_elev": 0.2, "r_elbow_flex": 1.2}
    lumped = oi.stability.stable_share(oi.equilibrate(oi.InertialModel(model, {}), pose), STIFFNESSES, 4000)
    inertial = oi.InertialModel(model, oi.estimate_masses(model))
    for name, mass, muscles in inertial.segments.itertuples():  # segments without their muscles, of the same shape
        model.getBodySet().get(name).scaleMass(1 - muscles / mass)
    inertial = oi.InertialModel(model, inertial.masses.assign(segment=""), strain="rigid_tendon")
    found = oi.stability.stable_share(oi.equilibrate(inertial, pose), STIFFNESSES, lumped.patterns)
    assert (found.stable == lumped.stable).all()
    # of N patterns a share has a standard deviation of up to 0.5 / sqrt(N), theirs too
    np.testing.assert_allclose(found.share[:5], [0.0, 0.218, 0.746, 0.989, 1.0], rtol=0, atol=4 * 0.5 / np.sqrt(4000))
    rates = np.abs(found.rightmost.real / lumped.rightmost.real - 1).max(axis=1)
    assert rates.min() > 0.01 and 0.06 < rates.max() < 0.11


def test_bad_input_is_named() -> None:
    p = posture()
    for n in (0, -1, 1.5):
        with pytest.raises(oi.errors.OptionError, match="n="):
            oi.stability.sample_patterns(p, n)  # type: ignore[arg-type]
    with pytest.raises(oi.errors.OptionError, match="seed=-1"):
        oi.stability.sample_patterns(p, 3, seed=-1)
    for stiffnesses in ([], [-1.0], [np.nan]):
        with pytest.raises(oi.errors.OptionError, match="stiffnesses"):
            oi.stability.stable_share(p, stiffnesses, 10)
    with pytest.raises(oi.errors.OptionError, match="activations"):
        oi.stability.stable_share(p, [1.0], np.zeros((3, 5)))
    which = [0, 2]  # one muscle of each joint
    two = {name: p.activations[name] for name in ("shoulder_flexor", "elbow_flexor")}
    few = replace(p, activations=two, effect=p.effect[:, which], bounds=p.bounds[which])
    with pytest.raises(oi.errors.ModelError, match="only one activation pattern holds the posture"):
        oi.stability.sample_patterns(few, 10)
