"""Motions and loads as `check` reads them: clocks, times without loads, frames, columns, and what cannot be read."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import opensim_inertia as oi
from inspection.model_defects import replace
from inspection.trials import Trial, walk
from opensim_inertia.inspection import Finding


def checks(trial: Trial) -> dict[str, Finding]:
    return {finding.check: finding for finding in trial.check(thorough=False).findings}


@pytest.mark.parametrize("shift", [0.12, pytest.param(-0.3, marks=pytest.mark.slow)])
def test_the_shift_of_a_clock_is_measured(tmp_path: Path, shift: float) -> None:
    trial = walk(tmp_path)
    assert trial.forces is not None
    trial.forces["time"] += shift
    finding = checks(trial)["clocks"]
    words = finding.text.split("if they act ")[1].split(":")[0]
    assert words == f"{abs(shift):.2f} s {'earlier' if shift > 0 else 'later'}"
    assert finding.severity == "warning"


@pytest.mark.slow
def test_times_without_loads_are_counted(tmp_path: Path) -> None:
    """The walk has 151 rows over 2.5 s; of these, 30 are after 2 s."""
    trial = walk(tmp_path)
    assert trial.forces is not None and trial.motion is not None
    trial.forces = trial.forces[trial.forces["time"] < 2.0].reset_index(drop=True)
    step = float(trial.forces["time"].diff().median())
    last = float(trial.forces["time"].iloc[-1])
    count = int((trial.motion["time"] > last + step).sum())
    finding = checks(trial)["times without loads"]
    assert finding.severity == "note" and f"there are no loads for {count} of its " in finding.text
    folder = tmp_path
    result = oi.check(
        folder / "model.osim", folder / "motion.mot", folder / "loads.xml", time_range=(0.5, 1.5), thorough=False
    )
    assert "times without loads" not in {f.check for f in result.findings}


@pytest.mark.slow
def test_a_motion_without_some_coordinates(tmp_path: Path) -> None:
    trial = walk(tmp_path)
    assert trial.motion is not None
    trial.motion = trial.motion.drop(columns=["lumbar_extension"])
    finding = checks(trial)["missing coordinates"]
    assert finding.severity == "warning" and "lumbar_extension" in finding.text


@pytest.mark.slow
def test_what_cannot_be_read_is_a_finding_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    trial = walk(tmp_path)
    replace(trial.model(), "gravity", "0 -1.62 0")
    trial.check(thorough=False)
    (tmp_path / "motion.mot").write_text("nothing")
    (tmp_path / "forces.mot").unlink()
    result = oi.check(tmp_path / "model.osim", tmp_path / "motion.mot", tmp_path / "loads.xml", thorough=False)
    severities = {finding.check: finding.severity for finding in result.findings}
    assert severities["reading the motion"] == severities["reading the loads"] == "error"
    assert severities["gravity"] == "warning" and result.worst == "error"


@pytest.mark.slow
def test_tables_in_memory_are_looked_at(tmp_path: Path) -> None:
    trial = walk(tmp_path)
    assert trial.motion is not None
    table = trial.motion.set_index("time")
    assert isinstance(table, pd.DataFrame)
    trial.check(thorough=False)
    as_radians = oi.check(tmp_path / "model.osim", table, thorough=False)
    assert as_radians.worst == "error" and "degrees" in {f.check for f in as_radians.findings}
    table.attrs["inDegrees"] = True
    assert oi.check(tmp_path / "model.osim", table, thorough=False).worst is None
