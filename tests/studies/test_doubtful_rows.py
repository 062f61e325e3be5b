"""A study of trials with jumps, or whose loads end before their motions: such rows have no part in any number."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="studies need it")

from oracles.pushes import write_push

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import Uncertainty

pytestmark = [
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.LoadsRangeWarning"),
    pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning"),  # the push is no ground reaction
]

KNEE = "knee_angle_r"
END = 0.35
"""s. The last row of the loads; motions of the cohort go on."""


@pytest.fixture
def pushed(configured: Callable[..., dict[str, Any]], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The configuration of one trial whose loads are known until END."""
    times = np.arange(0.0, END + 1e-9, 0.005)
    push = write_push(tmp_path, "tibia_r", times, (9.0, 90.0, 1.0), (0.1, 0.1, 0.1))
    trial = configured()["trial"][0] | {"external_loads": str(push)}

    def make(**sections: Any) -> dict[str, Any]:
        return configured(grid={"cutoff": ["none"]}, trial=[trial], **sections)

    return make


def test_curves_are_nan_means_end_and_peaks_are_those_of_a_single_run(
    pushed: Callable[..., dict[str, Any]], cohort: Path, tmp_path: Path
) -> None:
    result = oi.study(pushed())
    assert result.failed == ()
    folder = cohort / "S1"
    setup = oi.files.read_inverse_dynamics_setup(folder / "setup_slow_1.xml")
    alone = oi.inverse_dynamics(
        oi.InertialModel(folder / "leg.osim", folder / "masses.csv"),
        oi.Recording(setup.coordinates_file, tmp_path / "push.xml", time_range=setup.time_range),
        band=Uncertainty(draws=128),
    )
    assert 0 < alone.answered.sum() < len(alone.times) - 10
    curves = result.curves()
    for name, rows in curves[curves["trial"] == "S1_slow_1"].groupby("name", observed=True):
        i = alone.coordinate_names.index(name)
        np.testing.assert_array_equal(rows["inertial"], alone.inertial_forces[:, i])
        np.testing.assert_array_equal(rows["lower"].isna(), ~alone.answered)
    peaks = result.peaks()
    summary = alone.summary().drop(columns="unit")
    own = peaks[peaks["trial"] == "S1_slow_1"].set_index("name")
    np.testing.assert_array_equal(own[list(summary.columns)], summary)
    assert own["peak time"].max() <= alone.times[alone.answered][-1]
    means = result.mean_curves()
    assert means["time"].max() <= END + 0.02 and means[["lumped", "inertial", "difference"]].notna().all(axis=None)


def test_a_cycle_beyond_the_loads_is_in_no_mean(pushed: Callable[..., dict[str, Any]]) -> None:
    configured = pushed(curves={"axis": "cycle", "points": 11})
    configured["trial"] = [trial | {"events": [0.1, END + 0.1]} for trial in configured["trial"]]
    with pytest.warns(oi.warnings.InputWarning, match=r"external loads that do not span it\): S1_"):
        result = oi.study(configured)
    assert not len(result.mean_curves())
    assert "external loads that do not span it): S1_" in result.index.read_text()


def test_curves_and_means_leave_out_what_inverse_dynamics_marks(
    configured: Callable[..., dict[str, Any]], cohort: Path, tmp_path: Path
) -> None:
    """At points that one of two trials has in doubt, the mean is that of the other alone."""
    folder = Path(shutil.copytree(cohort / "S1", tmp_path / "S1"))
    setup = oi.files.read_inverse_dynamics_setup(folder / "setup_slow_1.xml")
    table = oi.read_table(setup.coordinates_file)
    attrs = dict(table.attrs)
    table.iloc[len(table) // 2, table.columns.get_loc(KNEE)] += 30 if attrs["inDegrees"] else 0.5
    oi.write_table(table, setup.coordinates_file, in_degrees=attrs["inDegrees"])
    trials = [
        {"setup": str(place / "setup_slow_1.xml"), "id": name, "subject": name, "condition": "slow"}
        | {"masses": str(place / "masses.csv")}
        for name, place in (("jumps", folder), ("clean", cohort / "S1"))
    ]
    options = {"implausible": "warn"}
    grid = {"cutoff": [6.0]}
    result = oi.study(configured(trial=trials, grid=grid, options=options))
    assert result.failed == ()
    alone = oi.inverse_dynamics(
        oi.InertialModel(folder / "leg.osim", folder / "masses.csv"),
        oi.Recording(setup.coordinates_file, cutoff=6.0, time_range=setup.time_range),
        band=False,
        implausible="warn",
    )
    curves, marked = result.curves(), alone.doubtful[:, alone.coordinate_names.index(KNEE)]
    rows = {name: curves[(curves["trial"] == name) & (curves["name"] == KNEE)] for name in ("jumps", "clean")}
    assert 0 < marked.sum() < len(marked)
    np.testing.assert_array_equal(rows["jumps"]["lumped"].isna(), marked)
    assert rows["clean"]["lumped"].notna().all()
    means = result.mean_curves()
    mean = means[means["name"] == KNEE]
    assert mean["lumped"].notna().all()
    times = mean["time"].to_numpy()
    clean = np.interp(times, rows["clean"]["time"], rows["clean"]["lumped"])
    inside = np.interp(times, alone.times, marked) == 1
    assert inside.any()
    np.testing.assert_allclose(mean["lumped"].to_numpy()[inside], clean[inside], rtol=0, atol=1e-9)
    assert mean["sd inertial"][inside].isna().all() and mean["sd inertial"][~inside].notna().any()
