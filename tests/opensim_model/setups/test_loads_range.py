"""External loads that end before the motion: rows beyond have no answer, where OpenSim extrapolates the loads."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from oracles.trials import gait10

import opensim_inertia as oi
from opensim_inertia.opensim_model.setups.loads import Loads

END = 0.9  # s
LAST = 1.2  # s


@pytest.fixture
def short_loads(opensim_models: Path, tmp_path: Path) -> Path:
    """The walk's external loads, whose data end at END."""
    loads = gait10(opensim_models)[2]
    data = Loads(loads).data
    table = oi.read_table(data)
    oi.write_table(table[table.index <= END], tmp_path / data.name)
    return Path(shutil.copy(loads, tmp_path / loads.name))


@pytest.mark.slow
def test_a_motion_beyond_its_loads_is_warned_of(opensim_models: Path, short_loads: Path, tmp_path: Path) -> None:
    inertial, motion, loads = gait10(opensim_models)
    with pytest.warns(oi.warnings.LoadsRangeWarning) as caught:
        result = oi.inverse_dynamics(inertial, oi.Recording(motion, short_loads, 6.0, (0.6, LAST)), band=False)
    said = str(caught[0].message)
    rows = oi.read_table(Loads(short_loads).data).index
    beyond = result.times[result.times > rows[-1] + np.diff(rows).max()]
    for number in (rows[0], rows[-1], result.times[-1], beyond[0]):
        assert f"{number:.6g}" in said
    assert f"the motion goes from {result.times[0]:.6g} to {result.times[-1]:.6g} s" in said
    assert f"{len(beyond)} of its {len(result.times)} rows" in said and 0 < len(beyond) < len(result.times)
    assert said.endswith("have no answer") and len(said) < 200
    np.testing.assert_array_equal(result.times[~result.answered], beyond)
    result.save(tmp_path / "out")
    assert said in json.loads((tmp_path / "out" / "inverse_dynamics_run.json").read_text())["warnings"]
    # where there are data the answers are the same
    whole = oi.inverse_dynamics(inertial, oi.Recording(motion, loads, 6.0, (0.6, LAST)), band=False)
    apart = np.abs(result.lumped_forces - whole.lumped_forces).max(axis=1)
    assert np.isnan(apart[~result.answered]).all()
    assert apart[result.times < END - 0.1].max() < 1e-6 * np.abs(whole.lumped_forces).max()


def test_loads_in_minutes_are_asked_about(opensim_models: Path, short_loads: Path) -> None:
    inertial, motion, _ = gait10(opensim_models)
    data = Loads(short_loads).data
    table = oi.read_table(data)
    oi.write_table(table.set_axis(0.6 + table.index / 60), data)
    with pytest.raises(oi.errors.MotionError, match=r"from 0.6 to 0.615 s only, .* have no answer; .* in seconds$"):
        oi.inverse_dynamics(inertial, oi.Recording(motion, short_loads, 6.0, (0.6, LAST + 0.3), strict=True))


def test_a_simulation_beyond_its_loads_is_warned_of(opensim_models: Path, short_loads: Path) -> None:
    inertial = gait10(opensim_models)[0]
    state = inertial.initial_state()
    state.setTime(END - 0.001)
    with pytest.warns(oi.warnings.LoadsRangeWarning, match=f"to {END + 0.02:g} s"):
        oi.simulate(
            oi.Problem(inertial, state, END + 0.02, external_loads=short_loads), oi.integrators.ForwardEuler(step=0.01)
        )
