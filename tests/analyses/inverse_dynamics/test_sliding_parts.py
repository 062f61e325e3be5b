"""Armature, coupling, velocity and gravity of what slides: against lengths, and motions that lack all but some."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.finite_differences import Array
from oracles.real_models import original
from oracles.two_links import BENT, two_links

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InertiaWarning")

PARTS = ("armature", "coupling", "velocity", "gravity")
SUMS = 1e-9  # Relative to the largest force that slides: rounding
DIFFERENCES = 1e-6  # Relative to the largest: second differences of lengths of 0.3 m over 1e-4 s; measured 2e-8
STEP = 1e-4
NONE = 1e-8  # Relative to the largest: what splines through samples of a polynomial make of a derivative that is zero


def polynomial_motion(names: list[str], q: Array, u: Array, a: Array) -> pd.DataFrame:
    """A motion of constant accelerations, which splines of the fifth degree have exactly; t = 0 is its row 10."""
    times = np.linspace(-0.1, 0.1, 21)
    return pd.DataFrame(q + times[:, None] * u + 0.5 * times[:, None] ** 2 * a, index=times + 0.1, columns=names)


@cache
def solved(root: Path | None, moving: bool, accelerated: bool) -> tuple[oi.InertialModel, object]:
    """A leg of which muscles wrap and cross two joints, or two links with a bent muscle, in such a motion."""
    if root is None:
        inertial = oi.InertialModel(two_links(BENT), {"mus": 1.0})
    else:
        model = original(root, "gait10dof18musc")
        inertial = oi.InertialModel(model, oi.estimate_masses(model))
    rng, n = np.random.default_rng(3), len(inertial.coordinate_names)
    q, u, a = rng.uniform(-0.3, 0.3, n), 3 * rng.standard_normal(n), 20 * rng.standard_normal(n)
    motion = polynomial_motion(list(inertial.coordinate_names), q, u * moving, a * accelerated)
    return inertial, oi.inverse_dynamics(inertial, motion, band=False, implausible="warn")


def at_zero(result: object) -> dict[str, Array]:
    table = result.parts_of_sliding  # type: ignore[attr-defined]
    return {part: table[part].to_numpy()[10] for part in PARTS}


@pytest.fixture(params=[None, "gait10dof18musc"])
def root(request: pytest.FixtureRequest) -> Path | None:
    return None if request.param is None else request.getfixturevalue("opensim_models")


def test_they_add_up_to_what_slides(root: Path | None) -> None:
    _, result = solved(root, True, True)
    table = result.parts_of_sliding
    assert list(table.columns.get_level_values(0).unique()) == list(PARTS)
    slides = result.difference
    total = sum(table[part] for part in PARTS)
    np.testing.assert_allclose(total, slides, rtol=0, atol=SUMS * np.abs(slides.to_numpy()).max())
    assert all(np.abs(table[part].to_numpy()).max() > 1e-3 * np.abs(slides.to_numpy()).max() for part in PARTS)


def test_the_armature_is_the_force_of_length_rates(root: Path | None) -> None:
    """sum m kappa (dL/dq) d2L/dt2 by differences of lengths along the motion; fibres take all of it: kappa = 1/3."""
    inertial, result = solved(root, True, True)
    motion = result.motion
    q, u, a = motion.q[10], motion.u[10], motion.udot[10]

    def lengths(pose: Array) -> Array:
        state = inertial.initial_state()
        inertial.coordinates.set_values(state, pose)
        return inertial.path_lengths(state)["path"].to_numpy()

    def moved(t: float) -> Array:
        return lengths(q + t * u + 0.5 * t**2 * a)

    second = (moved(STEP) - 2 * moved(0.0) + moved(-STEP)) / STEP**2
    step = 1e-6 * np.eye(len(q))
    gradients = np.array([(lengths(q + e) - lengths(q - e)) / 2e-6 for e in step])  # (nu, muscles)
    masses = np.array([inertial.muscles.masses[name] for name in inertial.muscle_names])
    expected = gradients @ (masses / 3 * second)
    np.testing.assert_allclose(at_zero(result)["armature"], expected, rtol=0, atol=DIFFERENCES * np.abs(expected).max())
    assert np.abs(expected).max() > 1e-4


def test_at_rest_there_is_gravity_alone(root: Path | None) -> None:
    _, moving = solved(root, True, True)
    _, resting = solved(root, False, False)
    slides = resting.difference.to_numpy()[10]
    size = np.abs(slides).max()
    np.testing.assert_allclose(at_zero(moving)["gravity"], slides, rtol=0, atol=SUMS * size)
    for part in PARTS[:3]:
        assert np.abs(at_zero(resting)[part]).max() < NONE * size


def test_velocity_needs_speeds_and_coupling_accelerations(root: Path | None) -> None:
    _, both = solved(root, True, True)
    _, uniform = solved(root, True, False)
    _, starting = solved(root, False, True)
    size = max(np.abs(values).max() for values in at_zero(both).values())
    assert np.abs(at_zero(uniform)["coupling"]).max() < NONE * size
    assert np.abs(at_zero(starting)["velocity"]).max() < NONE * size
    np.testing.assert_allclose(at_zero(both)["velocity"], at_zero(uniform)["velocity"], rtol=0, atol=NONE * size)
    np.testing.assert_allclose(at_zero(both)["coupling"], at_zero(starting)["coupling"], rtol=0, atol=NONE * size)


def test_coupling_and_armature_from_rest_are_the_mass_matrix(opensim_models: Path) -> None:
    inertial, result = solved(opensim_models, False, True)
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, result.motion.q[10])
    parts = at_zero(result)
    expected = inertial.evaluate(state).mass_matrix @ result.motion.udot[10]
    found = parts["armature"] + parts["coupling"]
    np.testing.assert_allclose(found, expected, rtol=0, atol=NONE * np.abs(expected).max())
    assert np.abs(expected).max() > 0.1
