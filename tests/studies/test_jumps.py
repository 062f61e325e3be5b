"""A study of a trial with a jump: values that inverse dynamics marks are in no table of curves, and in no mean."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="studies need it")

import opensim_inertia as oi

KNEE = "knee_angle_r"


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")
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
