"""Inverse dynamics of motions and loads that are missing, malformed or of another model."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.pushes import push_xml
from oracles.trials import gait10

import opensim_inertia as oi

COLUMNS = ("fx", "fy", "fz", "px", "py", "pz")

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda t: t.assign(knee_angle_r=np.where(t.index == t.index[3], np.nan, t["knee_angle_r"])), "knee_angle_r"),
        (lambda t: t.rename(columns=lambda name: name + "_x"), "no column is named as a coordinate"),
        (lambda t: t.iloc[::-1], "times must increase"),
        (lambda t: t.iloc[:3], "at least 6"),
    ],
)
def test_bad_motions(opensim_models: Path, spoil, message: str) -> None:  # type: ignore[no-untyped-def]
    inertial, motion, _ = gait10(opensim_models)
    with pytest.raises(oi.errors.MotionError, match=message):
        oi.inverse_dynamics(inertial, spoil(oi.read_motion_table(motion, inertial.model)))


def test_empty_time_ranges_and_missing_files(opensim_models: Path, tmp_path: Path) -> None:
    inertial, motion, _ = gait10(opensim_models)
    for time_range in ((0.7, 0.5), (90.0, 91.0), (np.nan, 1.0)):
        with pytest.raises(oi.errors.MotionError, match="time range"):
            oi.inverse_dynamics(inertial, oi.Recording(motion, time_range=time_range))
    with pytest.raises(oi.errors.FileFormatError, match="no_such.mot"):
        oi.inverse_dynamics(inertial, tmp_path / "no_such.mot")


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        ({"body": "tibia"}, oi.errors.UnknownNameError, "'tibia'.*'tibia_[lr]'"),
        ({"data": "no_such.mot"}, oi.errors.FileFormatError, "no_such.mot"),
        ({"data": ""}, oi.errors.FileFormatError, "data file"),
        ({"column": "g"}, oi.errors.FileFormatError, "loads.xml"),
        ({"frame": "groundd"}, oi.InertiaError, "groundd"),
        ("<OpenSimDocument", oi.errors.FileFormatError, "loads.xml"),
        ("<a></a>", oi.errors.FileFormatError, "loads.xml"),
        ("\x00\x01", oi.errors.FileFormatError, "loads.xml"),
    ],
)
def test_bad_loads(
    opensim_models: Path, tmp_path: Path, spoil: dict[str, str] | str, error: type[Exception], message: str
) -> None:
    inertial, motion, _ = gait10(opensim_models)
    oi.write_table(pd.DataFrame(1.0, np.linspace(0, 3, 31), list(COLUMNS)), tmp_path / "loads.mot")
    path = tmp_path / "loads.xml"
    given = {"body": "tibia_r", "data": "loads.mot", "version": 30516}
    path.write_text(spoil if isinstance(spoil, str) else push_xml(**given | spoil))
    with pytest.raises(error, match=message):
        oi.inverse_dynamics(inertial, oi.Recording(motion, path, time_range=(0.5, 0.6)))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["loads.mot", "loads.xml"]
