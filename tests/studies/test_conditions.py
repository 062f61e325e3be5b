"""Cycles found by ground forces, forces per kilogram, contrasts of conditions, and knees that turn the other way."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles.pushes import push_xml
from scipy import stats

pytest.importorskip("pyarrow", reason="studies need it")

import opensim_inertia as oi

Configured = Callable[..., dict[str, Any]]
KNEE, ANKLE = "knee_angle_r", "ankle_angle_r"
CONTACTS = ((0.1, 0.17), (0.25, 0.31), (0.38, 0.45))
"""First and last time [s] of the foot on the ground: two whole cycles."""


@pytest.fixture
def stepping(configured: Configured, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The configuration of one trial whose foot is pushed upwards during its contacts, and of its mean cycle."""
    times = np.arange(0.0, 1.0, 0.001)
    is_on = np.any([(times >= start) & (times < end) for start, end in CONTACTS], axis=0)
    table = pd.DataFrame({f"{label}{axis}": 0.0 * times for label in "fp" for axis in "xyz"}, index=times)
    table["fy"] = np.where(is_on, 100.0, 0.0)
    oi.write_table(table, tmp_path / "steps.sto")
    (tmp_path / "steps.xml").write_text(push_xml("calcn_r", "steps.sto"))
    trial = configured()["trial"][0] | {"external_loads": str(tmp_path / "steps.xml")}
    trial |= {"setup": trial["setup"].replace("*", "slow_1"), "id": "steps", "condition": "slow"}
    return configured(trial=[trial], grid={"cutoff": "none"}, curves={"axis": "cycle", "points": 21})


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InertiaWarning")  # the pushes are no recorded step
@pytest.mark.parametrize("per_kg", [False, True])
def test_cycles_are_found_as_a_single_run_finds_them(
    stepping: dict[str, Any], cohort: Path, tmp_path: Path, per_kg: bool
) -> None:
    output = {"reports": "none", "pictures": False, "per_kg": per_kg}
    studied = oi.study(stepping | {"output": output})
    folder = cohort / "S1"
    setup = oi.files.read_inverse_dynamics_setup(folder / "setup_slow_1.xml")
    assert setup.coordinates_file is not None
    alone = oi.inverse_dynamics(
        oi.InertialModel(folder / "leg.osim", folder / "masses.csv"),
        oi.Recording(setup.coordinates_file, tmp_path / "steps.xml", time_range=setup.time_range),
        band=oi.options.Uncertainty(draws=128),
    )
    alone = alone.per_kg() if per_kg else alone
    assert len(alone.cycles_of(ANKLE)) == 2
    means, cycles = studied.mean_curves(), alone.cycles(21)
    for name in (KNEE, ANKLE):
        mean = means[means["name"] == name]
        assert set(mean["unit"]) == {"N m/kg" if per_kg else "N m"} and np.array_equal(mean["percent"], cycles.index)
        for column in ("lumped", "inertial", "difference"):
            np.testing.assert_allclose(mean[column], cycles[f"{name}_{column}"], rtol=1e-9, atol=1e-12)
        lower = cycles[f"{name}_lumped"] + cycles[f"{name}_difference_lower"]
        np.testing.assert_allclose(mean["lower"], lower, rtol=1e-9, atol=1e-12)
    curves = studied.curves()
    np.testing.assert_allclose(curves[curves["name"] == KNEE]["percent"], alone.curves()["percent_r"])
    summary = alone.summary().drop(columns="unit")
    np.testing.assert_array_equal(studied.peaks().set_index("name")[list(summary.columns)], summary)
    view = studied.to_xarray(points=21).sel(name=ANKLE).squeeze()
    np.testing.assert_allclose(view["inertial"], cycles[f"{ANKLE}_inertial"], rtol=1e-9, atol=1e-12)


def test_contrasts_are_paired_by_subject(configured: Configured) -> None:
    trials = [trial | {"condition": "{1}"} for trial in configured()["trial"]]
    studied = oi.study(configured(trial=trials, grid={"strain": ["aponeurosis", "uniform"]}))
    peaks, contrasts = studied.peaks(), studied.contrasts()
    rows = contrasts[(contrasts["name"] == ANKLE) & (contrasts["strain"] == "uniform")].set_index("size")
    of_ankle = peaks[(peaks["name"] == ANKLE) & (peaks["strain"] == "uniform")]
    sizes = {name: of_ankle.set_index(["condition", "subject"])[name].abs() for name in rows.index}
    assert set(rows["condition"]) == {"slow_1"} and set(rows["reference"]) == {"fast_1"}
    for name, of_size in sizes.items():
        slow, fast = of_size["slow_1"].sort_index(), of_size["fast_1"].sort_index()
        expected = stats.ttest_rel(slow, fast).confidence_interval(0.95)
        row = rows.loc[name]
        assert row["subjects"] == 2
        np.testing.assert_allclose(row["difference"], (slow - fast).mean(), rtol=1e-12)
        np.testing.assert_allclose([row["lower"], row["upper"]], expected, rtol=1e-9)
    page = studied.index.read_text()
    assert studied.headline.startswith("Muscle inertia changes joint moments by at most ") and studied.headline in page
    assert page.index(studied.headline) < page.index("Peaks, strain aponeurosis") < page.index("Contrasts of sizes")
    for name in ("curves", "peaks", "mean_curves", "contrasts"):
        table, text = getattr(studied, name)(), pd.read_csv(studied.folder / f"{name}.csv")
        numbers = list(table.select_dtypes("number"))
        assert list(text) == list(table)
        np.testing.assert_array_equal(text[numbers], table[numbers])


def test_a_coordinate_that_turns_the_other_way_is_in_no_mean(
    configured: Configured, cohort: Path, tmp_path: Path
) -> None:
    """The second subject's knee is the same hinge whose axis points to the other side, and so is its motion."""
    folder, text = tmp_path / "S2", (cohort / "S1" / "leg.osim").read_text()
    folder.mkdir()
    start, end = text.index('<PinJoint name="knee_r">'), text.index('<PinJoint name="ankle_r">')
    knee = text[start:end].replace("<orientation>0 0 0<", f"<orientation>{math.pi!r} 0 0<")
    knee = knee.replace("<range>-2.4434609527920612 0.087266462599716474<", "<range>-0.1 2.5<")
    (folder / "leg.osim").write_text(text[:start] + knee + text[end:])
    for name in ("setup_slow_1.xml", "masses.csv"):
        (folder / name).write_bytes((cohort / "S1" / name).read_bytes())
    motion = oi.read_table(cohort / "S1" / "slow_1.mot")
    motion[KNEE] = -motion[KNEE]
    oi.write_table(motion, folder / "slow_1.mot", in_degrees=motion.attrs["inDegrees"])
    trials = [
        {"setup": str(place / "setup_slow_1.xml"), "masses": str(place / "masses.csv"), "id": place.name}
        for place in (cohort / "S1", folder)
    ]
    with pytest.warns(oi.warnings.InputWarning, match=f"move in different directions.*: {KNEE} in 'S1' and 'S2'"):
        studied = oi.study(configured(trial=trials, grid={}))
    curves = studied.curves().pivot(index=["name", "time"], columns="trial", values="inertial")
    ankle, turned = curves.loc[ANKLE], curves.loc[KNEE]
    np.testing.assert_allclose(ankle["S1"], ankle["S2"], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(turned["S1"], -turned["S2"], rtol=1e-6, atol=1e-6)
    means = studied.mean_curves()
    assert set(means["name"]) == set(curves.index.get_level_values("name")) - {KNEE}
    assert f"{KNEE} in &#x27;S1&#x27; and &#x27;S2&#x27;" in studied.index.read_text()
