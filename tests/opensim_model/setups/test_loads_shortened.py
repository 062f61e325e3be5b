"""Long tables of external loads are shortened to what matters at the times wanted: the forces are the same."""

import json
import shutil
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from oracles.demo_leg import build_leg
from oracles.trials import data_of, gait10

import opensim_inertia as oi
from opensim_inertia.opensim_model.setups.loads import BESIDE, Loads

LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
<applied_to_body>calcn_r</applied_to_body><force_expressed_in_body>tibia_r</force_expressed_in_body>
<point_expressed_in_body>ground</point_expressed_in_body><force_identifier>force_</force_identifier>
<point_identifier>point_</point_identifier><torque_identifier>torque_</torque_identifier>
</ExternalForce></objects><groups /><datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"""


def forces(model: osim.Model, loads: Loads, time: float) -> np.ndarray:
    """Generalized forces that hold a model at rest against external loads."""
    model, state = loads.added_to(model)
    state.setTime(time)
    return osim.InverseDynamicsSolver(model).solve(state, osim.Vector(state.getNU(), 0.0)).to_numpy().copy()


@pytest.mark.parametrize(("start", "end"), slow_except({(1.0, 1.3)}, [(1.0, 1.3), (0.0, 0.1), (4.9, 5.5)]))
def test_forces_are_those_of_the_whole_table(tmp_path: Path, start: float, end: float) -> None:
    """Noise is the hardest for splines to forget, on rows that are not evenly spaced."""
    rng = np.random.default_rng(0)
    times = np.cumsum(rng.uniform(0.001, 0.004, 2000))
    columns = [f"{what}_{axis}" for what in ("force", "point", "torque") for axis in "xyz"]
    table = pd.DataFrame(100.0 * rng.normal(size=(len(times), 9)), index=times, columns=columns)
    oi.write_table(table, tmp_path / "grf.mot", in_degrees=False)
    (tmp_path / "loads.xml").write_text(LOADS)
    model = build_leg()
    model.initSystem()
    whole, short = Loads(tmp_path / "loads.xml"), Loads(tmp_path / "loads.xml", (start, end))
    for time in (start, end, 0.5 * (start + end)):
        expected = forces(model, whole, time)
        size = np.abs(expected).max()
        assert size > 100 and np.abs(forces(model, short, time) - expected).max() < 1e-11 * size
    beyond = (BESIDE + 200) * 0.004 + end
    if beyond < times[-1]:  # there rows have been left out
        assert np.abs(forces(model, short, beyond) - forces(model, whole, beyond)).max() > 1.0


@pytest.mark.parametrize(
    ("rewrite", "said"),
    [
        (lambda text: text.replace("inDegrees=no", "inDegrees=yes"), ""),
        (lambda text: text[text.index("time") :], ""),
        (lambda text: text.replace("nRows=50", "nRows=20"), "the header says 20 rows, the file has 50"),
        (lambda text: text.replace("endheader\n", "endheader  \n\n").replace("\n", "\r\n"), ""),
        (lambda text: text.replace("=50", "=51") + text.splitlines()[-1] + "\n", "row 51 repeats the time"),
    ],
)
def test_loads_are_the_same_however_their_table_is_written(tmp_path: Path, rewrite, said: str) -> None:
    """OpenSim itself would read 20 of 50 rows, or none; forces have no degrees that could be converted."""
    rng = np.random.default_rng(1)
    columns = [f"{what}_{axis}" for what in ("force", "point", "torque") for axis in "xyz"]
    table = pd.DataFrame(100.0 * rng.normal(size=(50, 9)), index=np.arange(50) / 100, columns=columns)
    oi.write_table(table, tmp_path / "grf.mot", in_degrees=False)
    (tmp_path / "loads.xml").write_text(LOADS)
    model = build_leg()
    model.initSystem()
    expected = forces(model, Loads(tmp_path / "loads.xml"), 0.45)
    (tmp_path / "grf.mot").write_text(rewrite((tmp_path / "grf.mot").read_text()), newline="")
    loads = Loads(tmp_path / "loads.xml")
    np.testing.assert_array_equal(forces(model, loads, 0.45), expected)
    assert [said in str(finding) for finding in loads.findings] == ([True] if said else [])


END = 0.9  # s
LAST = 1.2  # s


@pytest.fixture
def short_loads(opensim_models: Path, tmp_path: Path) -> Path:
    """The walk's external loads, whose data end at END."""
    loads = gait10(opensim_models)[2]
    data = data_of(loads)
    table = oi.read_table(data)
    oi.write_table(table[table.index <= END], tmp_path / data.name)
    return Path(shutil.copy(loads, tmp_path / loads.name))


@pytest.mark.slow
def test_a_motion_beyond_its_loads_is_warned_of(opensim_models: Path, short_loads: Path, tmp_path: Path) -> None:
    inertial, motion, loads = gait10(opensim_models)
    with pytest.warns(oi.warnings.LoadsRangeWarning) as caught:
        result = oi.inverse_dynamics(inertial, oi.Recording(motion, short_loads, 6.0, (0.6, LAST)), band=False)
    said = str(caught[0].message)
    rows = oi.read_table(data_of(short_loads)).index
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
    data = data_of(short_loads)
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
