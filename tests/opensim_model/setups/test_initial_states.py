"""Initial states from a file: as OpenSim's own tool reads them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import model_path
from oracles.forward_tool import run_tool

from opensim_inertia.errors import FileFormatError, UnknownNameError
from opensim_inertia.files import ForwardSetup, write_table
from opensim_inertia.opensim_model.setups.driven_model import read_initial_states

ELBOW, SHOULDER = "/jointset/r_elbow/r_elbow_flex", "/jointset/r_shoulder/r_shoulder_elev"


def write_states(path: Path, columns: dict[str, list[float]], in_degrees: bool = False) -> None:
    times = pd.Index(np.arange(len(next(iter(columns.values())))) * 0.01, name="time")
    write_table(pd.DataFrame(columns, index=times), path, in_degrees=in_degrees)


def initialised(path: Path) -> tuple[osim.Model, osim.State]:
    model = osim.Model(str(path))
    return model, model.initSystem()


@pytest.mark.parametrize("initial_time", [-1e-7, 0.0, 0.01, 0.0199, 0.02, 0.0200001])
def test_initial_states_are_opensims(
    setup_of: Callable[..., ForwardSetup], tmp_path: Path, arm26: Path, initial_time: float
) -> None:
    """New and old names side by side; between rows OpenSim takes the earlier one and starts there."""
    columns = {
        f"{ELBOW}/value": [0.5, 0.7, 0.9],
        "r_elbow_flex_u": [-1.0, -2.0, 3.0],
        "r_shoulder_elev": [0.1, 0.2, 0.3],
        "BRA.activation": [0.3, 0.4, 0.5],
        "TRIlat/activation": [0.2, 0.25, 0.3],
        "/forceset/BRA/fiber_length": [0.08, 0.085, 0.09],
        "BIClong.fiber_length": [0.12, 0.125, 0.13],
    }
    write_states(tmp_path / "s.sto", columns)
    setup = setup_of(states_file="s.sto", initial_time=initial_time, final_time=initial_time + 0.001)
    model, state = initialised(arm26)
    defaults, _ = read_initial_states(setup.states_file, model, state, setup.time_range[0])
    states, _ = run_tool(setup)
    assert state.getTime() == states.index[0]
    assert state.getTime() == {-1e-7: 0.0, 0.0199: 0.01, 0.0200001: 0.02}.get(initial_time, initial_time)
    for name in states.columns:
        assert model.getStateVariableValue(state, name) == pytest.approx(states[name].iloc[0], rel=1e-12, abs=1e-15)
    row = round(state.getTime() / 0.01)
    assert model.getStateVariableValue(state, f"{ELBOW}/speed") == columns["r_elbow_flex_u"][row]
    assert len(defaults) == 16 - len(columns)
    assert f"{SHOULDER}/speed" in defaults
    assert "/forceset/TRIlat/fiber_length" in defaults


def test_states_in_degrees(tmp_path: Path, arm26: Path) -> None:
    """Values and speeds, by new and old names; what is no angle stays. OpenSim's own tool refuses such a file."""
    for value, speed in ((f"{ELBOW}/value", f"{ELBOW}/speed"), ("r_elbow_flex", "r_elbow_flex_u")):
        write_states(tmp_path / "s.sto", {value: [90.0], speed: [-180.0], "BRA.activation": [0.5]}, in_degrees=True)
        model, state = initialised(arm26)
        read_initial_states(tmp_path / "s.sto", model, state, 0.0)
        assert model.getStateVariableValue(state, f"{ELBOW}/value") == pytest.approx(np.pi / 2, rel=1e-15)
        assert model.getStateVariableValue(state, f"{ELBOW}/speed") == pytest.approx(-np.pi, rel=1e-15)
        assert model.getStateVariableValue(state, "/forceset/BRA/activation") == 0.5
        with pytest.raises(RuntimeError, match="not degrees"):
            model.formStateStorage(osim.Storage(str(tmp_path / "s.sto")), osim.Storage())


def test_states_that_cannot_be_used_are_named(tmp_path: Path, arm26: Path) -> None:
    path = tmp_path / "s.sto"
    model, state = initialised(arm26)
    before = state.getY().to_numpy().copy()
    with pytest.raises(FileFormatError, match="no such file"):
        read_initial_states(path, model, state, 0.0)
    write_states(path, {"r_elbow_flex": [0.5, 0.6, 0.7]})
    for time in (-0.001, 0.0201, np.nan):
        with pytest.raises(FileFormatError, match=r"from 0 to 0.02 s; the initial time .* is not in it"):
            read_initial_states(path, model, state, time)
    for label, near in (
        ("r_elbow_flx", "'r_elbow_flex'"),
        ("BRA.activaton", "'BRA.activation'"),
        ("/jointset/r_elbow/r_elbow_flx/value", f"'{ELBOW}/value'"),
        ("knee_r_u", "there are|did you mean"),
    ):
        write_states(path, {"r_shoulder_elev": [0.5], label: [0.5]})
        with pytest.raises(UnknownNameError, match=f"state variable '{label}' in states .*s.sto.*({near})"):
            read_initial_states(path, model, state, 0.0)
    header = "s\nversion=1\nnRows=1\nnColumns=3\ninDegrees=no\nendheader\n"
    path.write_text(header + "time\tr_elbow_flex\tr_elbow_flex\n0\t0.5\t0.6\n")
    with pytest.raises(FileFormatError, match="column 'r_elbow_flex' is there more than once"):
        read_initial_states(path, model, osim.State(state), 0.0)
    text = "s\nversion=1\nnRows=2\nnColumns=2\ninDegrees=no\nendheader\ntime\tr_elbow_flex\n{}\t0.5\n{}\tnan\n"
    path.write_text(text.format(0.0, 1.0))
    read_initial_states(path, model, earlier := osim.State(state), 0.5)
    assert earlier.getTime() == 0.0
    with pytest.raises(FileFormatError, match="column 'r_elbow_flex' is nan at time 1 s"):
        read_initial_states(path, model, state, 1.0)
    path.write_text(text.format(0.0, 1.0).replace("nan", "1e20"))
    with pytest.raises(FileFormatError, match=r"column 'r_elbow_flex' is 1e\+20 at time 1 s, which is no angle"):
        read_initial_states(path, model, state, 1.0)
    path.write_text(text.format(1.0, 0.0))
    with pytest.raises(FileFormatError, match="times are not finite, or decrease"):
        read_initial_states(path, model, state, 0.5)
    np.testing.assert_array_equal(state.getY().to_numpy(), before)


def test_locked_coordinates_keep_their_values(tmp_path: Path) -> None:
    """As OpenSim does it: the file says nothing against a lock."""
    model, state = initialised(model_path("Models/Rajagopal/Rajagopal2016.osim"))
    write_states(tmp_path / "s.sto", {"mtp_angle_r": [0.2], "knee_angle_r": [0.2]})
    read_initial_states(tmp_path / "s.sto", model, state, 0.0)
    coordinates = model.getCoordinateSet()
    assert coordinates.get("mtp_angle_r").getLocked(state)
    assert coordinates.get("mtp_angle_r").getValue(state) == coordinates.get("mtp_angle_r").getDefaultValue()
    assert coordinates.get("knee_angle_r").getValue(state) == 0.2


def test_rows_at_the_same_time_that_differ_are_refused(tmp_path: Path, arm26: Path) -> None:
    """As where all times are 0: OpenSim takes the last row, whatever the user meant. Equal rows do no harm."""
    header = (
        f"states\nversion=1\nnRows={{}}\nnColumns=3\ninDegrees=no\nendheader\ntime\t{ELBOW}/value\t{SHOULDER}/value\n"
    )
    first, last = "0\t0.5\t0.1\n", "0\t0.7\t0.2\n"
    (tmp_path / "zero.sto").write_text(header.format(3) + first + last + last)
    (tmp_path / "equal.sto").write_text(header.format(2) + last + last)
    model, state = initialised(arm26)
    with pytest.raises(
        FileFormatError, match=r"has 3 rows at 0 s that differ, rows 1 to 3; expected times that increase"
    ):
        read_initial_states(tmp_path / "zero.sto", model, state, 0.0)
    read_initial_states(tmp_path / "equal.sto", model, state, 0.0)
