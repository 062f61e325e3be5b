"""The band: what is drawn, against models that are built anew with what was drawn."""

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.real_models import arm26_swing, original, table

import opensim_inertia as oi
from opensim_inertia._kernel import ranked
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.analyses.inverse_dynamics.band import (
    RIGID,
    draw,
    drawn,
    mass_factors,
    places,
)
from opensim_inertia.demo import write_demo
from opensim_inertia.options import Uncertainty

SAME = 1e-9  # Relative to the largest difference: the same terms, summed in another order
ROWS = 11

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@cache
def light(root: Path) -> pd.DataFrame:
    masses = table(root, "arm26").copy()
    masses["mass"] *= 0.4
    return masses


@cache
def arm(root: Path, strain: str = "aponeurosis") -> oi.InertialModel:
    return oi.InertialModel(original(root, "arm26"), light(root), strain)


@cache
def solved(root: Path) -> InverseDynamicsResult:
    return oi.inverse_dynamics(arm(root), arm26_swing(ROWS))


def draws_of(result: InverseDynamicsResult) -> list[np.ndarray]:
    assert result.band_parts is not None and result.uncertainty is not None
    draws = drawn(result.uncertainty, result.band_parts.bellies, len(result.muscles), np.float64)
    parts = [result.difference_parts(name) for name in result.coordinate_names]
    return [np.concatenate([values for _, values in draw(each, draws)]) for each in parts]


def built_anew(
    inertial: oi.InertialModel, factors: np.ndarray, length: float = 1.0, share: float = 0.0
) -> oi.InertialModel:
    """The model with other masses, aponeuroses of other length, and free tendon moved towards half of it proximally."""
    heavier = inertial.masses.copy()
    heavier["mass"] *= factors
    built = inertial.architecture
    lengths = {name: min(length * a.aponeurosis, a.slack_length) for name, a in built.items()}
    assert all(a.free_tendon_proximal == 0 for a in built.values())
    return inertial.rebuilt(dict.fromkeys(built, 0.5 * share), lengths, masses=heavier, plan=inertial.wraps)


def difference(inertial: oi.InertialModel) -> np.ndarray:
    result = oi.inverse_dynamics(inertial, arm26_swing(ROWS), band=False)
    return result.inertial_forces - result.lumped_forces


@pytest.mark.parametrize(("cv", "common"), [(0.25, 0.5), (0.5, 0.2), (0.1, 1.0)])
def test_factors_on_masses_are_spread_as_said(cv: float, common: float) -> None:
    """Mean and spread within five standard errors of 50000 draws, which are about 0.005 of the spread each."""
    factors = mass_factors(Uncertainty(cv, common, draws=50_000), 4)
    assert factors.shape == (50_000, 4) and (factors > 0).all()
    np.testing.assert_allclose(factors.mean(axis=0), 1.0, rtol=0, atol=5 * cv / np.sqrt(50_000))
    np.testing.assert_allclose(factors.std(axis=0), cv, rtol=0.05)
    correlation = np.corrcoef(np.log(factors).T)[np.triu_indices(4, 1)]
    np.testing.assert_allclose(correlation, common, rtol=0, atol=0.02)


def test_places_are_uniform_between_their_ends_but_for_rigid_tendons() -> None:
    """Counts within five standard errors."""
    draws = 50_000
    lengths, shares = places(Uncertainty(draws=draws))
    rigid = (lengths == 0) & (shares == 0)
    assert rigid.sum() == pytest.approx(RIGID * draws, abs=5 * np.sqrt(RIGID * draws))
    for values, largest in ((lengths[~rigid], 1.5), (shares[~rigid], 1.0)):
        histogram, _ = np.histogram(values, bins=10, range=(0.0, largest))
        assert histogram.sum() == len(values)
        np.testing.assert_allclose(histogram, len(values) / 10, rtol=0, atol=5 * np.sqrt(len(values) / 10))
    assert abs(np.corrcoef(lengths[~rigid], shares[~rigid])[0, 1]) < 5 / np.sqrt(draws)


def test_ranked_draws_are_the_sorted_ones() -> None:
    """Spread, skewed, tied, equal and single draws; a row that is not finite has no ends."""
    rng = np.random.default_rng(3)
    spread, tied = rng.standard_normal((50, 1000)), rng.integers(0, 4, (50, 200))
    for draws in (spread, np.exp(3.0 * spread), tied, np.full((2, 9), -3.0), spread[:, :1], spread[:0]):
        samples, last = draws.astype(np.float32), draws.shape[1] - 1
        ranks = [round(share * last) for share in (0.025, 0.5, 0.975, 1.0)]
        np.testing.assert_array_equal(ranked(samples, ranks), np.sort(samples, axis=1)[:, ranks])
    with_gaps = np.array([[1.0, np.nan, 2.0], [1.0, np.inf, 2.0], [3.0, 1.0, 2.0]], np.float32)
    np.testing.assert_array_equal(ranked(with_gaps, [0]), [[np.nan], [np.nan], [1.0]])
    with pytest.raises(ValueError, match="rank 3 of 3"):
        ranked(with_gaps, [3])


@pytest.mark.parametrize(
    ("name", "value"),
    [("mass_cv", -0.1), ("common", 1.5), ("level", "95"), ("draws", 10), ("seed", None), ("placement", 1)],
)
def test_values_that_are_not_allowed(name: str, value: object) -> None:
    with pytest.raises(oi.errors.OptionError, match=name):
        Uncertainty(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [8, pytest.param(60, marks=pytest.mark.slow)])
def test_draws_of_masses_are_models_built_anew(opensim_models: Path, count: int) -> None:
    """Masses so large that the humerus would be no body without them: the difference is linear all the same."""
    masses = table(opensim_models, "arm26").copy()
    masses["mass"] *= 1.35
    inertial = oi.InertialModel(original(opensim_models, "arm26"), masses)
    u = Uncertainty(draws=100, placement=False)
    result = oi.inverse_dynamics(inertial, arm26_swing(ROWS), band=u)
    anew = [difference(built_anew(inertial, factors)) for factors in mass_factors(u, len(masses))[:count]]
    scale = np.abs(anew).max()
    for column, values in enumerate(draws_of(result)):
        np.testing.assert_allclose(values[:, :count].T, np.array(anew)[..., column], rtol=0, atol=SAME * scale)


@pytest.mark.parametrize("count", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_draws_of_places_are_models_built_anew(opensim_models: Path, count: int) -> None:
    """Exactly where tendons are rigid; else five strands stand for a belly, with errors that the spread dwarfs."""
    u = Uncertainty(draws=100)
    result = oi.inverse_dynamics(arm(opensim_models), arm26_swing(ROWS), band=u)
    factors, placed = mass_factors(u, len(result.muscles)), places(u)
    rigid = np.flatnonzero(placed[0] == 0)[:2].tolist()
    drawn_here = draws_of(result)
    errors = []
    for d in (*rigid, *np.flatnonzero(placed[0] > 0)[:count].tolist()):
        anew = difference(built_anew(arm(opensim_models), factors[d], placed[0][d], placed[1][d]))
        for column, values in enumerate(drawn_here):
            error = np.abs(values[:, d] - anew[:, column])
            if d in rigid:
                assert error.max() < SAME * np.abs(anew).max()
            else:
                errors.append(error / np.ptp(values, axis=1).max())
    assert np.max(errors) < 0.06 and np.sqrt(np.mean(np.square(errors))) < 0.015
    rigid_tendon = arm(opensim_models, "rigid_tendon")
    heavier = rigid_tendon.masses.copy()
    heavier["mass"] *= factors[rigid[0]]
    anew = difference(rigid_tendon.rebuilt(masses=heavier))
    for column, values in enumerate(drawn_here):
        np.testing.assert_allclose(values[:, rigid[0]], anew[:, column], rtol=0, atol=SAME * np.abs(anew).max())


def test_what_swings_is_no_part_of_strands(opensim_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At rows of peaks neither, where strands are solved after all rows are."""
    monkeypatch.setattr("opensim_inertia.analyses.inverse_dynamics.solver.VARIED_ROWS", 5)
    results = [oi.inverse_dynamics(arm(opensim_models), arm26_swing(ROWS), wobble=wobble) for wobble in (False, True)]
    still, swinging = (result.band_parts for result in results)
    assert still is not None and swinging is not None and len(still.rows) > 5
    parts = results[1].parts
    assert parts is not None and parts.of_wobble is not None and parts.of_wobble[still.rows].any()
    for i in range(2):
        exact = still.at((), still.rows, i).values
        at_same = swinging.at((), still.rows, i).values
        np.testing.assert_allclose(at_same, exact, rtol=0, atol=SAME * np.abs(exact).max())


def test_without_placements_the_band_is_of_masses_alone(tmp_path: Path) -> None:
    paths = write_demo(tmp_path)
    inertial = oi.InertialModel(paths["model"], paths["masses"])
    recording = oi.Recording(paths["motion"], time_range=(0.1, 0.3))
    masses = oi.inverse_dynamics(inertial, recording, band=Uncertainty(draws=500, placement=False))
    assert masses.band_parts is not None and masses.band_parts.bellies.strands is None
    assert masses.provenance["band"]["placement"] is False
    factors = mass_factors(Uncertainty(draws=500), len(masses.muscles))
    ankle = masses.coordinate_names.index("ankle_angle_r")
    drawn = np.sort(factors @ masses.per_muscle[:, :, ankle], axis=0)
    lower, upper = masses.difference_band("ankle_angle_r")
    ends = drawn[[round(0.025 * 499), round(0.975 * 499)]]
    np.testing.assert_allclose(
        [lower, upper], ends, rtol=0, atol=1e-6 * np.abs(ends).max()
    )  # drawn in single precision
