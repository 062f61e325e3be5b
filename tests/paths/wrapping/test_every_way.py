"""Axioms of mechanics in every way of wrapping, on real models."""

import warnings
from functools import cache
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from conftest import slow_except
from oracles.finite_differences import Array, christoffel_bias
from oracles.live_states import check_sums, close, state_at
from oracles.real_models import WRAPPING_MODELS

import opensim_inertia as oi
from opensim_inertia.warnings import WrappingFallbackWarning

CHRISTOFFEL = 1e-6  # Relative; what is asked for. Measured 5e-10.
OPENSIM_CHRISTOFFEL = 1e-4
"""Relative: OpenSim's path is differenced twice with its own path, and dM again by the test. Measured 4e-8."""

SAMPLE = {
    "arm26": ("TRIlong", "TRIlat", "TRImed", "BIClong", "BICshort", "BRA"),
    "rajagopal2016": ("addmagIsch_r", "gasmed_r", "glmax3_r", "psoas_r", "recfem_r", "semiten_r"),
}
DENSE = 4000  # Dense points against the continuous mass: 1 / (4 n^2) within parts of the path, 1 / n at corners

EVERY = pytest.mark.parametrize("wrapping", ["analytic", "neural", "opensim"])
REAL = pytest.mark.parametrize("name", slow_except({"arm26"}, WRAPPING_MODELS))


@cache
def real(root: Path, name: str, wrapping: str, distribution: str = "continuous", points: int = 7):  # type: ignore[no-untyped-def]
    model = osim.Model(str(root / WRAPPING_MODELS[name]))
    model.initSystem()
    masses = oi.estimate_masses(model, muscles=SAMPLE[name])
    with warnings.catch_warnings():
        if wrapping == "neural":  # arm26's ellipsoids have no network
            warnings.simplefilter("ignore", WrappingFallbackWarning)
        inertial = oi.InertialModel(model, masses, "uniform", distribution, points, wrapping)
    assert bool(inertial.wraps.opensim) == (wrapping == "opensim")
    return inertial


def motions(inertial: oi.InertialModel, count: int, seed: int) -> list[tuple[Array, Array]]:
    """Poses well within the ranges, and speeds."""
    rng = np.random.default_rng(seed)
    low, high = np.clip(inertial.coordinates.ranges.T, -1.2, 1.2)
    return [(low + (high - low) * rng.uniform(0.25, 0.75, low.size), rng.normal(size=low.size)) for _ in range(count)]


@EVERY
@REAL
def test_terms_are_sums_over_the_points(opensim_models: Path, name: str, wrapping: str) -> None:
    inertial = real(opensim_models, name, wrapping, "points")
    g = inertial.model.getGravity().to_numpy()
    for q, u in motions(inertial, 2, 1):
        state = state_at(inertial, q, u)
        check_sums(inertial.evaluate(state, subtract_frozen=False), inertial.mass_points(state).values(), g)


@pytest.mark.slow
@EVERY
@REAL
def test_continuous_mass_is_the_limit_of_points(opensim_models: Path, name: str, wrapping: str) -> None:
    count = DENSE // 10 if wrapping == "neural" else DENSE  # networks are slow
    continuous = real(opensim_models, name, wrapping)
    dense = real(opensim_models, name, wrapping, "points", count)
    for q, u in motions(continuous, 1, 2):
        ours, points = (one.evaluate(state_at(one, q, u), subtract_frozen=False) for one in (continuous, dense))
        close(points.mass_matrix, ours.mass_matrix, 1 / count)
        close(points.gravity, ours.gravity, 1 / count)


@EVERY
@REAL
def test_bias_is_the_christoffel_form(opensim_models: Path, name: str, wrapping: str) -> None:
    inertial = real(opensim_models, name, wrapping)

    def muscles(q: Array, u: Array | None = None) -> object:
        return inertial.evaluate(state_at(inertial, q, u), subtract_frozen=False)

    tolerance, step = (CHRISTOFFEL, 3e-5) if wrapping != "opensim" else (OPENSIM_CHRISTOFFEL, 3e-4)
    for q, u in motions(inertial, 1, 3):
        exact = christoffel_bias(lambda at: muscles(at).mass_matrix, q, u, step)
        close(muscles(q, u).bias, exact, tolerance)


@EVERY
@REAL
def test_inverse_is_what_evaluate_says(opensim_models: Path, name: str, wrapping: str) -> None:
    inertial = real(opensim_models, name, wrapping)
    for q, u in motions(inertial, 2, 4):
        udot = np.random.default_rng(5).normal(size=len(q))
        state = state_at(inertial, q, u)
        terms = inertial.evaluate(state)
        (tau,) = inertial.evaluation.inverse([inertial.dynamics.read(state)], udot[None])
        close(tau, terms.mass_matrix @ udot - terms.bias - terms.gravity, 1e-11)
