"""The summary: signs, order of rows, folding, and values against direct computation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.real_models import original
from oracles.trials import run_tool, short_walk

import opensim_inertia as oi
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


def test_signs_are_those_of_the_forces() -> None:
    one = by_hand()
    other = InverseDynamicsResult(
        one.times, one.coordinate_names, one.rotational, -one.lumped_forces, -one.inertial_forces
    )
    signed = [c for c in one.summary().columns if c not in ("unit", "peak time", "time of largest") and "RMS" not in c]
    for name in signed:
        opposite = 1.0 if name.endswith("[%]") else -1.0
        first, second = (r.summary().loc["knee", name] for r in (one, other))
        # A share is of the size of the peak: it keeps the difference's sign.
        assert second == pytest.approx(-first if opposite > 0 else opposite * first, rel=1e-14), name


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


def test_no_mass_is_opensims_tool(opensim_models: Path, tmp_path: Path) -> None:
    """With default options; the tool prints eight decimals, so that its own rounding is 5e-9 N m."""
    model = original(opensim_models, "arm26")
    times = np.arange(20) * 0.02
    motion = pd.DataFrame({"r_elbow_flex": 1 + 0.5 * np.sin(6 * times), "r_shoulder_elev": times}, index=times)
    oi.write_table(motion, tmp_path / "swing.mot")
    stock = run_tool(model, tmp_path / "swing.mot", None, None, (0.0, 1.0), tmp_path)
    result = oi.inverse_dynamics(oi.InertialModel(model, {}), tmp_path / "swing.mot")
    for kind in ("lumped", "inertial"):
        np.testing.assert_allclose(getattr(result, kind)[list(stock.columns)], stock, rtol=0, atol=1e-8)
    summary = result.summary()
    for name in ("difference at peak", "largest difference", "difference RMS"):
        assert (summary[name] == 0).all()
