"""Inverse dynamics of motions and loads that are missing, malformed or of another model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.pushes import push_xml
from oracles.trials import gait10

import opensim_inertia as oi

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.ShortBellyWarning")


# -- motions -----------------------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("time_range", [(0.7, 0.5), (90.0, 91.0), (np.nan, 1.0)])
def test_empty_time_range(opensim_models: Path, time_range: tuple[float, float]) -> None:
    inertial, motion, _ = gait10(opensim_models)
    with pytest.raises(oi.errors.MotionError, match="time range"):
        oi.inverse_dynamics(inertial, oi.Recording(motion, time_range=time_range))


def test_missing_motion_file(opensim_models: Path, tmp_path: Path) -> None:
    inertial, _, _ = gait10(opensim_models)
    with pytest.raises(oi.errors.FileFormatError, match="no_such.mot"):
        oi.inverse_dynamics(inertial, tmp_path / "no_such.mot")


# -- loads -------------------------------------------------------------------------------------------------------------


def write_loads(
    folder: Path, body: str = "tibia_r", frame: str = "ground", column: str = "f", data: str = "loads.mot"
) -> Path:
    times = np.linspace(0, 3, 31)
    columns = {
        name: np.full(31, value) for name, value in zip(("fx", "fy", "fz", "px", "py", "pz"), range(1, 7), strict=True)
    }
    oi.write_table(pd.DataFrame(columns, index=times), folder / "loads.mot")
    path = folder / "loads.xml"
    path.write_text(push_xml(body, data, frame, column, version=30516))
    return path


@pytest.mark.filterwarnings("ignore::opensim_inertia.warnings.InputWarning")  # they are no ground reactions
def test_well_formed_loads_act(opensim_models: Path, tmp_path: Path) -> None:
    inertial, motion, _ = gait10(opensim_models)
    without = oi.inverse_dynamics(inertial, oi.Recording(motion, time_range=(0.5, 0.6)))
    pushed = oi.inverse_dynamics(inertial, oi.Recording(motion, write_loads(tmp_path), time_range=(0.5, 0.6)))
    vertical = inertial.coordinate_names.index("pelvis_ty")
    np.testing.assert_allclose(
        pushed.inertial_forces[:, vertical] - without.inertial_forces[:, vertical], -2.0, rtol=0, atol=1e-9
    )


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        ({"body": "tibia"}, oi.errors.UnknownNameError, "'tibia'.*'tibia_[lr]'"),
        ({"data": "no_such.mot"}, oi.errors.FileFormatError, "no_such.mot"),
        ({"data": ""}, oi.errors.FileFormatError, "data file"),
        ({"column": "g"}, oi.errors.FileFormatError, "loads.xml"),
        ({"frame": "groundd"}, oi.InertiaError, "groundd"),
    ],
)
def test_bad_loads(
    opensim_models: Path, tmp_path: Path, spoil: dict[str, str], error: type[Exception], message: str
) -> None:
    inertial, motion, _ = gait10(opensim_models)
    path = write_loads(tmp_path, **spoil)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(error, match=message):
        oi.inverse_dynamics(inertial, oi.Recording(motion, path, time_range=(0.5, 0.6)))
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("text", [None, "", "<OpenSimDocument", "<a></a>", "not xml at all", "\x00\x01"])
def test_missing_or_malformed_loads_files(opensim_models: Path, tmp_path: Path, text: str | None) -> None:
    inertial, motion, _ = gait10(opensim_models)
    path = tmp_path / "loads.xml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(oi.errors.FileFormatError, match="loads.xml"):
        oi.inverse_dynamics(inertial, oi.Recording(motion, path, time_range=(0.5, 0.6)))


@pytest.mark.parametrize("data", ["", "garbage\n", "endheader\ntime\tfx\n0\tx\n"])
def test_malformed_load_data(opensim_models: Path, tmp_path: Path, data: str) -> None:
    inertial, motion, _ = gait10(opensim_models)
    path = write_loads(tmp_path)
    (tmp_path / "loads.mot").write_text(data)
    with pytest.raises(oi.InertiaError):
        oi.inverse_dynamics(inertial, oi.Recording(motion, path, time_range=(0.5, 0.6)))
