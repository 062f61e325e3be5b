"""Sobol indices of peaks: against closed forms, and an independent Saltelli estimate from models built anew."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.real_models import original, table
from scipy.interpolate import RegularGridInterpolator

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult, Uncertainty
from opensim_inertia.analyses.inverse_dynamics.parts import MuscleParts
from opensim_inertia.demo import write_demo
from opensim_inertia.studies.sensitivity import PeakFunction, sobol_of_peaks

OUTPUT = "ankle_angle_r: "


def test_closed_form_of_a_product_of_lognormals() -> None:
    """One row and two muscles that add a1 and a2: y = C (a1 O1 + a2 O2), C and O independent, lognormal, of mean 1."""
    adds = np.array([2.0, 1.0])
    zero = np.zeros((1, 1))
    unknown = Uncertainty(mass_cv=0.5, common=0.4, draws=4096, placement=False)
    result = InverseDynamicsResult(
        np.zeros(1), ("knee",), (True,), zero, np.array([[3.0]]), muscles=("a", "b"), uncertainty=unknown,
        parts=MuscleParts(adds[None, :, None], zero),
    )  # fmt: skip
    found = sobol_of_peaks(result, unknown)
    assert found.inputs == ("common mass factor", "mass of a", "mass of b")
    variance = np.log1p(0.5**2)
    of_common, of_own = np.expm1(0.4 * variance), np.expm1(0.6 * variance)
    own = adds**2 * of_own
    whole = (1 + of_common) * (adds.sum() ** 2 + own.sum()) - adds.sum() ** 2
    first = np.array([of_common * adds.sum() ** 2, *own]) / whole
    total = np.array([of_common * (adds.sum() ** 2 + own.sum()), *(own * (1 + of_common))]) / whole
    for row in range(2):  # lumped is 0: the inertial force is the difference
        np.testing.assert_allclose(found.first[row], first, atol=0.01)
        np.testing.assert_allclose(found.total[row], total, atol=0.01)
    table = found.to_dataframe()
    assert table.loc[("knee: inertial peak", "mass of a"), "first"] == found.first[0, 1]


@cache
def demo(folder: Path) -> tuple[oi.InertialModel, dict[str, Path]]:
    paths = write_demo(folder)
    return oi.InertialModel(paths["model"], paths["masses"]), paths


LENGTHS, SHARES = np.linspace(0.0, 1.5, 7), np.linspace(0.0, 1.0, 3)
"""Lengths of aponeuroses and shares of the free tendon with which models are built anew."""


def saltelli(n: int, seed: int, unknown: Uncertainty, parts: np.ndarray, lumped: np.ndarray) -> np.ndarray:
    """First-order and total indices (2, outputs, k) by Saltelli 2010, table 2 (b) and (f), with random numbers.

    Args:
        parts: what muscles add in models built anew, (lengths, shares, muscles, T); bilinear between these.
        lumped: the lumped force, (T,).
    """
    rng = np.random.default_rng(seed)
    muscles = parts.shape[2]
    sigma2 = np.log(1 + unknown.mass_cv**2)
    between = RegularGridInterpolator((LENGTHS, SHARES), parts)

    def drawn() -> np.ndarray:
        return np.column_stack([rng.standard_normal((n, 1 + muscles)), rng.uniform(size=(n, 3))])

    def peaks(x: np.ndarray) -> np.ndarray:
        z = np.sqrt(unknown.common) * x[:, :1] + np.sqrt(1 - unknown.common) * x[:, 1:-3]
        masses = np.exp(np.sqrt(sigma2) * z - sigma2 / 2)
        placed = x[:, -1] >= 0.1
        added = between(np.column_stack([1.5 * x[:, -3] * placed, x[:, -2] * placed]))
        added = (added * masses[:, :, None]).sum(axis=1)
        return np.array([np.abs(lumped + added).max(axis=1), np.abs(added).max(axis=1)])

    a, b = drawn(), drawn()
    of_a, of_b = peaks(a), peaks(b)
    both = np.concatenate([of_a, of_b], axis=1)
    mean, variance = both.mean(axis=1, keepdims=True), both.var(axis=1)
    first, total = np.empty((2, 2, a.shape[1]))
    for i in range(a.shape[1]):
        mixed = a.copy()
        mixed[:, i] = b[:, i]
        of_mixed = peaks(mixed)
        first[:, i] = ((of_b - mean) * (of_mixed - of_a)).mean(axis=1) / variance
        total[:, i] = 0.5 * ((of_a - of_mixed) ** 2).mean(axis=1) / variance
    return np.stack([first, total])


@pytest.mark.slow
def test_the_demos_ankle_converges_to_an_independent_estimate(tmp_path: Path) -> None:
    inertial, paths = demo(tmp_path)
    recording = oi.Recording(paths["motion"], time_range=(0.05, 0.55))
    errors = []
    estimate = None
    for draws in (128, 1024):
        unknown = Uncertainty(draws=draws)
        result = oi.inverse_dynamics(inertial, recording, band=unknown)
        found = sobol_of_peaks(result, unknown, ["ankle_angle_r"])
        if estimate is None:
            ankle = result.coordinate_names.index("ankle_angle_r")
            built = inertial.architecture
            grid = []
            for length in LENGTHS:
                lengths = {name: min(length * a.aponeurosis, a.slack_length) for name, a in built.items()}
                for share in SHARES:
                    half = dict.fromkeys(built, 0.5 * share)
                    other = inertial.rebuilt(half, lengths, masses=inertial.masses, plan=inertial.wraps)
                    alone = oi.inverse_dynamics(other, recording, band=False)
                    grid.append(alone.per_muscle[:, :, ankle])
            parts = np.array(grid).reshape(len(LENGTHS), len(SHARES), *grid[0].shape)
            estimate = saltelli(10_000, 5, unknown, parts, result.lumped_forces[:, ankle])
        assert found.outputs == (OUTPUT + "inertial peak", OUTPUT + "largest difference")
        assert found.inputs[0] == "common mass factor"
        assert found.inputs[-3:] == ("aponeurosis length", "free tendon at the origin", "rigid tendons")
        print(np.round(np.stack([found.first, found.total]), 3), np.round(estimate, 3), sep="\n")
        errors.append(np.abs(np.stack([found.first, found.total]) - estimate).max())
    print(f"largest error of an index: {errors[0]:.3f} with 128 draws, {errors[1]:.3f} with 1024")
    assert errors[1] < 0.05 and errors[1] < errors[0]  # the estimate's own random numbers make up to 0.03
    assert (found.total >= found.first - 0.03).all()


def test_samples_are_those_of_the_band(opensim_models: Path) -> None:
    """Unknowns that are those of draws give the drawn differences."""
    inertial = oi.InertialModel(original(opensim_models, "arm26"), table(opensim_models, "arm26"))
    times = np.arange(9) * 0.05
    swing = pd.DataFrame({"r_elbow_flex": 1.2 + 0.8 * np.sin(8 * times), "r_shoulder_elev": 0.0}, index=times)
    unknown = Uncertainty(draws=128)
    result = oi.inverse_dynamics(inertial, swing, band=unknown)
    assert result.band_parts is not None
    bellies, count = result.band_parts.bellies, len(result.muscles)
    shared = np.random.default_rng([unknown.seed, 1])
    normal = [shared.standard_normal((128, 1)).T, shared.standard_normal((128, count)).T]
    unknowns = np.concatenate([*normal, np.random.default_rng([unknown.seed, 2]).uniform(size=(3, 128))])
    weights = bellies.weights(unknown.mass_factors(count).T, unknown.places())
    for name in result.coordinate_names:
        function = PeakFunction(result, name, unknown)
        assert len(function.inputs) == 1 + count + 3
        differences = result.difference_parts(name).stacked.T @ weights.stacked
        peaks = function(unknowns)
        np.testing.assert_allclose(peaks[1], np.abs(differences).max(axis=0), rtol=1e-9)


def test_only_powers_of_two_are_taken(tmp_path: Path) -> None:
    inertial, paths = demo(tmp_path)
    result = oi.inverse_dynamics(inertial, oi.Recording(paths["motion"], time_range=(0.1, 0.15)))
    with pytest.raises(oi.errors.OptionError, match="a power of 2"):
        sobol_of_peaks(result, Uncertainty(draws=500))
    with pytest.raises(oi.errors.OptionError, match="parts of single muscles"):
        alone = oi.inverse_dynamics(inertial, oi.Recording(paths["motion"], time_range=(0.1, 0.15)), per_muscle=False)
        sobol_of_peaks(alone, Uncertainty(draws=128))


def test_without_placements_the_band_is_of_masses_alone(tmp_path: Path) -> None:
    inertial, paths = demo(tmp_path)
    recording = oi.Recording(paths["motion"], time_range=(0.1, 0.3))
    masses = oi.inverse_dynamics(inertial, recording, band=Uncertainty(draws=500, placement=False))
    assert masses.band_parts is not None and masses.band_parts.bellies.strands is None
    assert masses.provenance["band"]["placement"] is False
    factors = Uncertainty(draws=500).mass_factors(len(masses.muscles))
    ankle = masses.coordinate_names.index("ankle_angle_r")
    drawn = np.sort(factors @ masses.per_muscle[:, :, ankle], axis=0)
    lower, upper = masses.difference_band("ankle_angle_r")
    np.testing.assert_allclose([lower, upper], drawn[[round(0.025 * 499), round(0.975 * 499)]], rtol=1e-9, atol=1e-12)
    with pytest.raises(oi.errors.OptionError, match="placement"):
        Uncertainty(placement=1)  # type: ignore[arg-type]
