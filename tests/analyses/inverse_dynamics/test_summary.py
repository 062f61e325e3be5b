"""The summary: signs, order of rows, folding, and values against direct computation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles.trials import short_walk

from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.opensim_model.reading.coordinates import Coupling

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


def by_hand(**more: object) -> InverseDynamicsResult:
    lumped = np.array([[1.0, 0.0], [-4.0, 0.0], [2.0, 0.0]])
    inertial = lumped + [[1.0, 0.5], [-1.5, -1.0], [-0.5, 0.0]]
    times = np.array([0.0, 0.1, 0.2])
    return InverseDynamicsResult(times, ("knee", "slide"), (True, False), lumped, inertial, **more)  # type: ignore[arg-type]


def test_values_by_hand() -> None:
    table = by_hand().summary()
    expected = {
        "unit": "N m",
        "lumped peak": -4.0,
        "peak time": 0.1,
        "difference at peak": -1.5,
        "difference at peak [%]": -37.5,
        "largest difference": -1.5,
        "time of largest": 0.1,
        "largest difference [%]": -37.5,
        "inertial peak": -5.5,
        "lumped RMS": np.sqrt(21 / 3),
        "inertial RMS": np.sqrt((4 + 5.5**2 + 2.25) / 3),
        "difference RMS": np.sqrt((1 + 1.5**2 + 0.25) / 3),
    }
    assert list(table.columns) == list(expected)
    for name, value in expected.items():
        assert table.loc["knee", name] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-14)), name
    slide = table.loc["slide"]
    assert slide["unit"] == "N" and slide["largest difference"] == -1.0
    assert np.isnan(slide["difference at peak [%]"]) and np.isnan(slide["largest difference [%]"])  # nothing to compare


def test_what_follows_is_folded_and_the_base_comes_last() -> None:
    slopes = np.array([1.0, 2.0, -1.0])
    folded = by_hand(couplings=(Coupling(1, 0, slopes),), on_base=(False, False)).summary()
    assert list(folded.index) == ["knee"]
    # difference of the knee [1, -1.5, -0.5] and the slide's [0.5, -1, 0] times the slopes
    assert folded.loc["knee", "difference RMS"] == pytest.approx(np.sqrt((1.5**2 + 3.5**2 + 0.5**2) / 3), rel=1e-14)
    assert folded.loc["knee", "difference at peak"] == pytest.approx(-3.5, rel=1e-14)
    assert list(by_hand(on_base=(True, False)).summary().index) == ["slide", "knee"]


def test_real_walk_against_its_tables(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    summary = result.summary()
    base = [name.startswith("pelvis_") for name in summary.index]
    assert sorted(base) == base and sum(base) == 3
    lumped, inertial = result.lumped, result.inertial
    for name, row in summary.iterrows():
        column = f"{name}_moment" if row["unit"] == "N m" else f"{name}_force"
        at = lumped[column].abs().idxmax()
        assert row["peak time"] == at and row["lumped peak"] == lumped.loc[at, column]
        assert row["difference at peak"] == pytest.approx((inertial - lumped).loc[at, column], abs=1e-12)
        difference = inertial[column] - lumped[column]
        assert row["largest difference"] == difference[difference.abs().idxmax()]
        assert row["lower at peak"] <= row["difference at peak"] <= row["upper at peak"]
