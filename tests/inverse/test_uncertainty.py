"""The band: what is drawn, against models that are built anew with what was drawn."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.real_models import original, table

import opensim_inertia as oi
from opensim_inertia.inverse import InverseDynamicsResult
from opensim_inertia.inverse.parts import PlacementVariant
from opensim_inertia.inverse.uncertainty import PLACEMENTS, band, draw

SAME = 1e-9
"""Relative to the largest difference: the same terms, summed in another order."""
ROWS = 11

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.ShortBellyWarning")


def swing(rows: int = ROWS) -> pd.DataFrame:
    times = np.arange(rows) * 0.05
    return pd.DataFrame(
        {"r_shoulder_elev": 0.4 * np.sin(5 * times), "r_elbow_flex": 1.2 + 0.8 * np.sin(8 * times)}, index=times
    )


@cache
def light(root: Path) -> pd.DataFrame:
    """Masses so small that the humerus can give up all that is drawn: what the band takes for granted."""
    masses = table(root, "arm26").copy()
    masses["mass"] *= 0.4
    return masses


@cache
def arm(root: Path, strain: str = "aponeurosis") -> oi.InertialModel:
    return oi.InertialModel(original(root, "arm26"), light(root), strain)


@cache
def solved(root: Path) -> InverseDynamicsResult:
    return oi.inverse_dynamics(arm(root), swing())


def stacked(result: InverseDynamicsResult, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Differences (3, muscles, T) and rest (3, T) of a coordinate where every row is solved at every placement."""
    assert result.parts is not None
    total, rest = result.parts.total[:, :, column].T, result.parts.excess[:, column]
    differences, rests = [total, total.copy(), total], [rest, rest, rest]
    for place, variant in zip((0, 2), result.variants, strict=True):
        np.testing.assert_array_equal(variant.rows, np.arange(len(result.times)))
        differences[place] = total.copy()
        differences[place][variant.muscles] += variant.change[:, :, column].T
        rests[place] = rest + variant.excess_change[:, column]
    return np.stack(differences), np.stack(rests)


# -- what is drawn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cv", "common"), [(0.25, 0.5), (0.5, 0.2), (0.1, 1.0)])
def test_factors_on_masses_are_spread_as_said(cv: float, common: float) -> None:
    """Mean and spread within five standard errors of 50000 draws, which are about 0.005 of the spread each."""
    factors = oi.Uncertainty(cv, common, draws=50_000).mass_factors(4)
    assert factors.shape == (50_000, 4) and (factors > 0).all()
    np.testing.assert_allclose(factors.mean(axis=0), 1.0, rtol=0, atol=5 * cv / np.sqrt(50_000))
    np.testing.assert_allclose(factors.std(axis=0), cv, rtol=0.05)
    correlation = np.corrcoef(np.log(factors).T)[np.triu_indices(4, 1)]
    np.testing.assert_allclose(correlation, common, rtol=0, atol=0.02)


def test_lengths_of_aponeuroses_are_uniform_between_the_ends() -> None:
    weights = oi.Uncertainty(draws=50_000).placement_weights()
    np.testing.assert_allclose(weights.sum(axis=1), 1.0, rtol=1e-14)
    assert (weights >= 0).all() and (np.count_nonzero(weights, axis=1) <= 2).all()
    factor = weights @ PLACEMENTS
    histogram, _ = np.histogram(factor, bins=10, range=(0.5, 1.5))
    assert histogram.sum() == 50_000
    np.testing.assert_allclose(histogram, 5000, rtol=0, atol=5 * np.sqrt(5000))


def test_ends_are_quantiles() -> None:
    rng = np.random.default_rng(1)
    differences, rest = rng.normal(size=(3, 4, 7)), rng.normal(size=(3, 7))
    differences[:, :, 2], rest[:, 2] = 0.0, 0.0
    for u in (oi.Uncertainty(), oi.Uncertainty(level=0.5, draws=1234, seed=3)):
        drawn = draw(differences, rest, u)
        assert drawn.shape == (7, u.draws)
        outside = 50 * (1 - u.level)
        expected = np.percentile(drawn, [outside, 100 - outside], axis=1, method="nearest")
        np.testing.assert_allclose(band(differences, rest, u), expected, rtol=1e-12)
        smooth = np.percentile(drawn, [outside, 100 - outside], axis=1)
        np.testing.assert_allclose(expected, smooth, rtol=0, atol=0.02 * np.ptp(drawn))


def test_many_columns_are_drawn_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    differences, rest = rng.normal(size=(3, 4, 50)), rng.normal(size=(3, 50))
    at_once = band(differences, rest, oi.Uncertainty())
    monkeypatch.setattr("opensim_inertia.inverse.uncertainty.MOST_AT_ONCE", 7000)
    np.testing.assert_allclose(band(differences, rest, oi.Uncertainty()), at_once, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mass_cv", -0.1),
        ("mass_cv", float("nan")),
        ("common", 1.5),
        ("level", "95"),
        ("level", True),
        ("draws", 10),
        ("draws", 10**9),
        ("draws", 100.0),
        ("seed", -1),
        ("seed", None),
    ],
)
def test_values_that_are_not_allowed(name: str, value: object) -> None:
    with pytest.raises(oi.OptionError, match=name):
        oi.Uncertainty(**{name: value})  # type: ignore[arg-type]


# -- against models built anew -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_drawn_differences_are_those_of_models_built_anew(opensim_models: Path) -> None:
    """Masses of six draws and aponeuroses of all three factors: the drawn answer interpolates between their answers."""
    result, masses = solved(opensim_models), light(opensim_models)
    assert [v.factor for v in result.variants] == [0.5, 1.5]
    u = oi.Uncertainty()
    factors, weights = u.mass_factors(len(result.muscles)), u.placement_weights()
    assert tuple(masses["muscle"]) == result.muscles
    drawn = [draw(*stacked(result, column), u) for column in (0, 1)]
    scale = max(np.abs(d).max() for d in drawn)
    for d in range(6):
        heavier = masses.copy()
        heavier["mass"] *= factors[d]
        answers = []
        for place in PLACEMENTS:
            lengths = arm(opensim_models).architecture.items()
            longer = {name: min(place * a.aponeurosis, a.slack_length) for name, a in lengths}
            anew = arm(opensim_models).rebuilt(aponeuroses=longer, masses=heavier)
            assert (anew.segments["residual"] == 0).all()
            one = oi.inverse_dynamics(anew, swing(), band=False)
            answers.append(one.inertial_forces - one.lumped_forces)
        expected = np.tensordot(weights[d], answers, 1).T
        np.testing.assert_allclose([column[:, d] for column in drawn], expected, rtol=0, atol=SAME * scale)


def test_no_spread_of_masses_and_places_is_no_width(opensim_models: Path) -> None:
    for strain in ("uniform", "rigid_tendon"):
        result = oi.inverse_dynamics(arm(opensim_models, strain), swing(), band=oi.Uncertainty(mass_cv=0.0))
        assert result.variants == ()
        difference = result.inertial_forces - result.lumped_forces
        scale = np.abs(difference).max()
        for i, name in enumerate(result.coordinate_names):
            made = result.band(name)
            for end in ("lower", "upper"):
                np.testing.assert_allclose(made[end], made["inertial"], rtol=0, atol=SAME * scale)
            np.testing.assert_array_equal(made["inertial"], result.inertial_forces[:, i])
    placed = oi.inverse_dynamics(arm(opensim_models), swing(), band=oi.Uncertainty(mass_cv=0.0)).band("r_elbow_flex")
    assert (placed["upper"] - placed["lower"]).max() > 0.05 * scale


def test_band_is_the_same_each_time_and_holds_the_answer(opensim_models: Path) -> None:
    first = solved(opensim_models)
    again = oi.inverse_dynamics(arm(opensim_models), swing())
    for name in first.coordinate_names:
        pd.testing.assert_frame_equal(first.band(name), again.band(name), check_exact=True)
        made = first.band(name)
        assert (made["lower"] < made["inertial"]).all() and (made["inertial"] < made["upper"]).all()
    other = oi.inverse_dynamics(arm(opensim_models), swing(), band=oi.Uncertainty(seed=5)).band("r_elbow_flex")
    mine = first.band("r_elbow_flex")
    width = (mine["upper"] - mine["lower"]).max()
    gap = np.abs(other - mine).max().max()
    assert 0 < gap < 0.1 * width  # 2000 draws
    pd.testing.assert_frame_equal(first.summary(), again.summary(), check_exact=True)


def test_ends_at_peaks_are_the_bands(opensim_models: Path) -> None:
    result = solved(opensim_models)
    summary = result.summary()
    for i, name in enumerate(result.coordinate_names):
        at = int(np.abs(result.lumped_forces[:, i]).argmax())
        made = result.band(name).iloc[at] - result.lumped_forces[at, i]
        scale = abs(made["upper"])
        assert summary.loc[name, "lower at peak"] == pytest.approx(made["lower"], abs=1e-9 * scale + 1e-12)
        assert summary.loc[name, "upper at peak"] == pytest.approx(made["upper"], abs=1e-9 * scale + 1e-12)


def test_between_rows_the_change_is_interpolated(opensim_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("opensim_inertia.inverse.solve.VARIED_ROWS", 5)
    coarse, fine = oi.inverse_dynamics(arm(opensim_models), swing()), solved(opensim_models)
    for few, all_ in zip(coarse.variants, fine.variants, strict=True):
        assert set(few.rows) == {*np.linspace(0, ROWS - 1, 5).round().astype(int), *coarse.peak_rows}
        assert len(few.rows) < ROWS
        count = len(coarse.muscles)
        own, rest = few.at(few.rows, 1, count)
        np.testing.assert_array_equal(own[few.muscles], few.change[:, :, 1].T)
        np.testing.assert_array_equal(rest, few.excess_change[:, 1])
        scale = np.abs(all_.change).max()
        np.testing.assert_allclose(own, all_.at(few.rows, 1, count)[0], rtol=0, atol=SAME * scale)
        own, _ = few.at(np.arange(ROWS), 1, count)
        for muscle, values in zip(few.muscles, few.change[:, :, 1].T, strict=True):
            expected = np.interp(np.arange(ROWS), few.rows, values)
            np.testing.assert_allclose(own[muscle], expected, rtol=0, atol=1e-14)
    each, pairs = coarse.variants[0].at(np.array([3, 4]), np.array([0, 1]), count), np.arange(2)
    for k in pairs:
        np.testing.assert_array_equal(each[0][:, k], coarse.variants[0].at(np.array([3 + k]), k, count)[0][:, 0])


def test_interpolation_by_hand() -> None:
    change = np.arange(3.0)[:, None, None] * np.ones((3, 2, 1))
    variant = PlacementVariant(0.5, np.array([0, 2, 6]), np.array([0, 2]), change, 10 * change[:, 0])
    own, rest = variant.at(np.arange(7), 0, 3)
    np.testing.assert_allclose(own[0], [0, 0.5, 1, 1.25, 1.5, 1.75, 2], rtol=1e-15)
    np.testing.assert_array_equal(own[1], 0.0)
    np.testing.assert_allclose(rest, 10 * own[2], rtol=1e-15)
    alone = replace(variant, rows=np.array([0]), change=change[:1] + 3, excess_change=change[:1, 0])
    np.testing.assert_array_equal(alone.at(np.array([0]), 0, 3)[0][:, 0], [3, 0, 3])


def test_without_a_band(opensim_models: Path) -> None:
    result = oi.inverse_dynamics(arm(opensim_models), swing(), band=False)
    assert result.uncertainty is None and result.variants == () and result.provenance["band"] is None
    assert "lower at peak" not in result.summary()
    for ask in (lambda: result.band("r_elbow_flex"), lambda: result.difference_band("r_elbow_flex")):
        with pytest.raises(oi.OptionError, match="band"):
            ask()
    with pytest.raises(oi.OptionError, match="band='yes'.*Uncertainty"):
        oi.inverse_dynamics(arm(opensim_models), swing(), band="yes")  # type: ignore[arg-type]
    np.testing.assert_array_equal(result.inertial_forces, solved(opensim_models).inertial_forces)


def test_muscles_whose_paths_come_from_opensim_stay_where_they_are(opensim_models: Path) -> None:
    masses = light(opensim_models)
    inertial = oi.InertialModel(original(opensim_models, "arm26"), masses, wrapping="opensim")
    led = set(inertial.wraps.opensim)
    assert led
    result = oi.inverse_dynamics(inertial, swing())
    made = result.band("r_elbow_flex")
    assert (made["upper"] > made["lower"]).all()
    for variant in result.variants:
        assert led.isdisjoint(inertial.muscle_names[i] for i in variant.muscles)
