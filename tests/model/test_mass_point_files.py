"""Mass points over a motion, read back as OpenSim's GUI reads them."""

from functools import cache
from pathlib import Path

import numpy as np
import opensim as osim
import pytest
from oracles.trials import recorded_motion

import opensim_inertia as oi

PRINTED = 1e-6  # m; markers are written in metres or millimetres with at least six digits
MUSCLES = ("soleus_r", "gastroc_r", "rect_fem_l")


@cache
def walking(root: Path) -> tuple[oi.InertialModel, Path]:
    folder = root / "Pipelines/Gait10dof18musc/OutputReference"
    model = osim.Model(str(folder / "subject01.osim"))
    return oi.InertialModel(model, dict.fromkeys(MUSCLES, 0.2), points=4), folder / "IK/subject01_walk_IK.mot"


def read_markers(path: Path) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Times and each marker's places [m], by OpenSim."""
    data = osim.MarkerData(str(path))
    data.convertToUnits(osim.Units("m"))
    names = data.getMarkerNames()
    frames = [data.getFrame(i) for i in range(data.getNumFrames())]
    times = np.array([frame.getFrameTime() for frame in frames])
    markers = {
        names.get(k): np.array([frame.getMarker(k).to_numpy().copy() for frame in frames])
        for k in range(names.getSize())
    }
    return times, markers


def test_read_back_by_opensim(opensim_models: Path, tmp_path: Path) -> None:
    inertial, motion = walking(opensim_models)
    path = tmp_path / "points.trc"
    oi.mass_points.write_mass_points(inertial, oi.Recording(motion, cutoff=6.0, time_range=(0.5, 0.8)), path)
    times, markers = read_markers(path)
    recorded = recorded_motion(inertial, motion, 6.0, (0.5, 0.8))
    np.testing.assert_allclose(times, recorded.times, rtol=0, atol=1e-6)
    assert list(markers) == [f"{muscle}_{k + 1}" for muscle in inertial.muscle_names for k in range(4)]
    state = inertial.initial_state()
    for row in (0, len(recorded) // 2, len(recorded) - 1):
        state.setQ(osim.Vector.createFromMat(recorded.q[row]))
        for muscle, points in inertial.mass_points(state).items():
            for k in range(4):
                exact = points.positions[k]
                np.testing.assert_allclose(markers[f"{muscle}_{k + 1}"][row], exact, rtol=0, atol=PRINTED)
    assert all(np.ptp(track, axis=0).max() > 0.01 for track in markers.values())


def test_errors_leave_nothing_behind(opensim_models: Path, tmp_path: Path) -> None:
    inertial, motion = walking(opensim_models)
    path = tmp_path / "points.trc"
    with pytest.raises(oi.errors.UnknownNameError, match="'soleus'.*'soleus_r'"):
        oi.mass_points.write_mass_points(inertial, motion, path, ["soleus"])
    with pytest.raises(oi.errors.MotionError, match="time range"):
        oi.mass_points.write_mass_points(inertial, oi.Recording(motion, time_range=(9.0, 8.0)), path)
    with pytest.raises(oi.errors.FileFormatError, match="no_such"):
        oi.mass_points.write_mass_points(inertial, tmp_path / "no_such.mot", path)
    (tmp_path / "file").write_text("")
    with pytest.raises(oi.errors.OutputError):
        oi.mass_points.write_mass_points(
            inertial, oi.Recording(motion, time_range=(0.5, 0.6)), tmp_path / "file" / "a.trc"
        )
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
