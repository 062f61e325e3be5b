"""The motion against OpenSim: its filter, its splines, and whole runs of its Inverse Dynamics Tool."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import trials

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult
from opensim_inertia.errors import MotionError

VALUE_TOLERANCE = 1e-12  # rad or m. Both solve the same banded equations in double precision; measured 1e-14.
"""Relative to the largest over all coordinates: rounding, amplified twice by the step; measured 3e-11."""
PRINT_TOLERANCE = 2e-8  # The tool prints eight decimals

WALK_2392, WALK_10, RUN_HAMNER = (trials.TRIALS[name][:2] for name in ("gait2392_walk", "gait10dof_walk", "hamner_run"))
EVERYTHING = (-1e3, 1e3)
"""s. Finite times beyond a recording ask for what the filter adds to it, as for OpenSim's tool."""
ARRAYS = ("times", "q", "u", "udot")

pytestmark = pytest.mark.filterwarnings("ignore:.*rest at their default values")


@cache
def massless(path: Path) -> oi.InertialModel:
    return oi.InertialModel(path, {})


def solved(
    model: Path | oi.InertialModel,
    motion: Path | pd.DataFrame,
    cutoff: float | None = None,
    time_range: tuple[float, float] | None = None,
) -> InverseDynamicsResult:
    inertial = massless(model) if isinstance(model, Path) else model
    recording = oi.Recording(motion, cutoff=cutoff, time_range=time_range, as_recorded=True)
    return oi.inverse_dynamics(inertial, recording, band=False, implausible="warn")


@pytest.fixture
def walker(opensim_models: Path) -> oi.InertialModel:
    return massless(opensim_models / WALK_10[0])


@pytest.fixture
def walk(opensim_models: Path) -> Path:
    return opensim_models / WALK_10[1]


@pytest.fixture
def table(walk: Path) -> pd.DataFrame:
    return oi.read_table(walk)


def run_tool(
    inertial: oi.InertialModel, motion: Path, folder: Path, cutoff: float | None, time_range: tuple[float, float]
) -> pd.DataFrame:
    return trials.run_tool(inertial.original_model(), motion, None, cutoff, time_range, folder, ("ALL",))


@pytest.mark.parametrize(
    ("files", "cutoff", "time_range"),
    [
        (WALK_10, None, EVERYTHING),
        (WALK_10, 6.0, EVERYTHING),
        (WALK_10, 6.0, (0.512, 1.2345)),
        (WALK_10, None, (0.512, 1.2345)),
        (WALK_10, 15.0, (-0.4, 0.25)),
        (WALK_2392, 6.0, (0.4, 1.6)),
        (WALK_2392, None, (1.0, 7.0)),
        pytest.param(RUN_HAMNER, 15.0, (0.1, 0.333), marks=pytest.mark.slow),
        (RUN_HAMNER, None, (0.1, 0.333)),
    ],
)
def test_inverse_dynamics_tool_solves_the_same_rows(
    opensim_models: Path, tmp_path: Path, files: tuple[str, str], cutoff: float | None, time_range: tuple[float, float]
) -> None:
    model, motion = (opensim_models / file for file in files)
    tool = run_tool(massless(model), motion, tmp_path, cutoff, time_range)
    result = solved(model, motion, cutoff, time_range)
    np.testing.assert_allclose(result.times, tool.index, rtol=0, atol=PRINT_TOLERANCE)
    assert sorted(result.column_names) == sorted(tool.columns) and np.abs(tool.to_numpy()).max(axis=1).min() > 10
    np.testing.assert_allclose(result.lumped_forces, tool[list(result.column_names)], rtol=1e-9, atol=PRINT_TOLERANCE)


@pytest.mark.parametrize("cutoff", [None, 6.0])
def test_infinite_ends_are_the_recordings(
    walker: oi.InertialModel, walk: Path, tmp_path: Path, cutoff: float | None
) -> None:
    """And where OpenSim's tool then solves more rows, as many as a note says, those that are here are the tool's."""
    result, default = solved(walker, walk, cutoff, (-np.inf, np.inf)), solved(walker, walk, cutoff)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(result.motion, name), getattr(default.motion, name))
    tool, rows = run_tool(walker, walk, tmp_path, cutoff, (-np.inf, np.inf)), len(result.times)
    if cutoff is None:
        assert result.notes == () and len(tool) == rows
        return
    others = len(tool) - rows
    assert others > 0.9 * rows and result.notes == default.notes
    assert f"from {tool.index[0]:.4g}" in result.notes[0]
    assert f"the {others} rows beyond the recording are left out" in result.notes[0]
    first = int(np.argmin(np.abs(tool.index - result.times[0])))
    np.testing.assert_allclose(tool.index[first : first + rows], result.times, rtol=0, atol=PRINT_TOLERANCE)
    one_sided = solved(walker, walk, cutoff, (1.0, np.inf))
    np.testing.assert_array_equal(one_sided.times, result.times[-len(one_sided.times) :])


def test_rows_beyond_the_recording_are_noted(walker: oi.InertialModel, walk: Path, table: pd.DataFrame) -> None:
    recorded = table.index
    result = solved(walker, walk, 6.0, (recorded[0] - 0.4, recorded[0] + 0.1))
    (note,) = result.notes
    outside = (result.times < recorded[0] - np.diff(recorded).max()).sum()
    assert 10 < outside < len(result.times)
    assert f" {outside} of the {len(result.times)} rows" in note and f"which goes from {recorded[0]:.6g} to" in note
    assert solved(walker, walk, 6.0, (recorded[0], recorded[0] + 0.1)).notes == ()


@pytest.mark.parametrize("cutoff", [None, 6.0])
def test_uneven_times_are_evened_out_as_opensim_does(
    walker: oi.InertialModel, tmp_path: Path, cutoff: float | None
) -> None:
    times = np.delete(np.arange(40) * 0.01 + 0.002 * np.sin(np.arange(40)), [7, 8, 21])
    names = list(walker.coordinate_names)
    values = np.column_stack([0.1 * np.sin(7 * times + k) for k in range(len(names))])
    path = tmp_path / "uneven.mot"
    oi.write_table(pd.DataFrame(values, index=times, columns=names), path)
    storage = osim.Storage(str(path))
    if cutoff is not None:
        storage.pad(storage.getSize() // 2)
        storage.lowpassIIR(cutoff)
    motion = solved(walker, path, cutoff, EVERYTHING).motion
    assert motion is not None and len(motion) == storage.getSize()
    assert cutoff is None or len(motion) > 2 * len(times)
    for column, name in enumerate(names):
        expected = osim.ArrayDouble()
        storage.getDataColumn(storage.getStateIndex(name), expected)
        np.testing.assert_allclose(motion.q[:, column], expected.getAsVector().to_numpy(), rtol=0, atol=VALUE_TOLERANCE)


def test_table_and_file_are_the_same_motion(walker: oi.InertialModel, walk: Path, table: pd.DataFrame) -> None:
    """In degrees or in radians."""
    from_file, from_table = (solved(walker, each, 6.0).motion for each in (walk, table))
    np.testing.assert_array_equal(from_file.udot, from_table.udot)
    in_radians = oi.read_motion_table(walk, walker.original_model())
    converted, knee = solved(walker, table).motion.q, walker.coordinate_names.index("knee_angle_r")
    np.testing.assert_array_equal(solved(walker, in_radians).motion.q, converted)
    np.testing.assert_allclose(converted[:, knee], np.deg2rad(table["knee_angle_r"]), rtol=0, atol=1e-12)


def test_missing_coordinates_take_their_default(walker: oi.InertialModel, table: pd.DataFrame, tmp_path: Path) -> None:
    """As in the tool, which says so in its log only."""
    path = tmp_path / "partial.mot"
    oi.write_table(table.drop(columns=["pelvis_ty", "knee_angle_l"]), path)
    motion = solved(walker, path, None, (0.5, 0.6)).motion
    assert set(motion.missing) == {"pelvis_ty", "knee_angle_l"}
    height = walker.coordinate_names.index("pelvis_ty")
    default = walker.model.getCoordinateSet().get("pelvis_ty").getDefaultValue()
    assert default > 0.5
    for array, value in ((motion.q, default), (motion.u, 0.0), (motion.udot, 0.0)):
        np.testing.assert_array_equal(array[:, height], value)
    assert len(run_tool(walker, path, tmp_path, None, (0.5, 0.6))) == len(motion)


def test_the_tool_ignores_state_paths_which_are_read_here(
    walker: oi.InertialModel, walk: Path, table: pd.DataFrame, tmp_path: Path
) -> None:
    """OpenSim's tool solves the default pose for them; here they are the same motion, to the bit."""
    coordinates = walker.model.getCoordinateSet()
    paths = {name: coordinates.get(name).getAbsolutePathString() + "/value" for name in walker.coordinate_names}
    states = table.rename(columns=paths)
    speeds = table.rename(columns={name: path.replace("/value", "/speed") for name, path in paths.items()}) * 7
    activations = pd.DataFrame({"/forceset/soleus_r/activation": 0.5}, index=table.index)
    oi.write_table(pd.concat([states, speeds, activations], axis=1), tmp_path / "paths.sto", in_degrees=True)
    oi.write_table(table[["knee_angle_r"]] * 0, tmp_path / "rest.sto")
    both = [run_tool(walker, tmp_path / f"{x}.sto", tmp_path / x, None, (0.5, 0.6)) for x in ("paths", "rest")]
    np.testing.assert_array_equal(both[0].to_numpy(), both[1].to_numpy())
    ours, plain = (solved(walker, each, 6.0).motion for each in (tmp_path / "paths.sto", walk))
    assert ours.missing == ()
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(ours, name), getattr(plain, name))
    radians = oi.read_motion_table(tmp_path / "paths.sto", walker.model)
    poses = solved(walker, tmp_path / "paths.sto").motion.q
    np.testing.assert_array_equal(radians[paths["knee_angle_r"]], poses[:, ours.coordinate_names.index("knee_angle_r")])


def with_cell(table: pd.DataFrame, value: float) -> pd.DataFrame:
    table.iloc[3, table.columns.get_loc("hip_flexion_r")] = value
    return table


def with_time(table: pd.DataFrame, row: int, time: float) -> pd.DataFrame:
    times = np.array(table.index)
    times[row] = time
    return table.set_index(pd.Index(times))


@pytest.mark.parametrize("repeated", ["marker", "hip_flexion_r"])
def test_only_repeated_columns_that_are_used_are_refused(
    walker: oi.InertialModel, walk: Path, table: pd.DataFrame, repeated: str, tmp_path: Path
) -> None:
    path = tmp_path / "motion.mot"
    further = pd.DataFrame(1.0, index=table.index, columns=["a", "b"])
    oi.write_table(pd.concat([table, further], axis=1), path, in_degrees=table.attrs["inDegrees"])
    path.write_text(path.read_text().replace("\ta\tb\n", f"\t{repeated}\t{repeated}\n"))
    if repeated in walker.coordinate_names:
        with pytest.raises(MotionError, match="column 'hip_flexion_r' is there more than once"):
            solved(walker, path)
    else:
        np.testing.assert_array_equal(solved(walker, path).motion.q, solved(walker, walk).motion.q)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda t: with_cell(t, np.nan), "'hip_flexion_r' is nan at time"),
        (lambda t: with_cell(t, np.inf), "'hip_flexion_r' is inf at time"),
        (lambda t: t.assign(hip_flexion_r="bent"), "'hip_flexion_r' holds something that is not a number"),
        (lambda t: t.set_index(t.index.to_numpy().round(1)), "times must increase"),
        (lambda t: with_time(t, 4, t.index[1]), "times must increase"),
        (lambda t: with_time(t, 4, np.nan), "time of row 5"),
        (lambda t: with_time(t, len(t) - 1, 1e30), "the time jumps from .* to 1e.30 s"),
        (lambda t: with_time(t, 0, -1e17), "the time jumps from -1e.17 s"),
        (lambda t: t.set_index(pd.Index(1e300 * np.arange(1.0, len(t) + 1))), "write times in seconds"),
        (
            lambda t: with_time(t.set_index(t.index + 1e9), 4, 1e9 + t.index[3] + 2e-7),
            "rows 4 and 5.: the times are equal but for rounding",
        ),
        (
            lambda t: t.set_index(t.index + 1e13),
            "is 1e.13 s; expected times in seconds, up to 1e.12",
        ),
        (lambda t: t.iloc[:5], "5 rows; at least 6"),
        (lambda t: t.iloc[:3], "3 rows; at least 6 are needed to differentiate$"),
        (lambda t: t.iloc[:1], r"1 rows; .*opensim-inertia posture.*InertialModel\.evaluate"),
        (lambda t: t.iloc[:0], "0 rows"),
        (
            lambda t: t[["hip_flexion_r"]].rename(columns={"hip_flexion_r": "hip_flexion_R"}),
            "'hip_flexion_R' nearly is",
        ),
        (lambda t: t[[]], "it has no columns"),
        (lambda t: t[["pelvis_tx", "pelvis_tx"]], "'pelvis_tx' is there more than once"),
        (lambda t: t.set_index(pd.Index(["a"] * len(t))), "the index is not a time"),
    ],
)
def test_bad_motions_are_named(
    walker: oi.InertialModel, table: pd.DataFrame, spoil: Callable[[pd.DataFrame], pd.DataFrame], message: str
) -> None:
    """Also where a filter mirrors the times at both ends, and evens them out."""
    for cutoff in (None, 6.0):
        with pytest.raises(MotionError, match=message):
            solved(walker, spoil(table), cutoff)


def test_a_row_that_repeats_a_time_is_no_row(walker: oi.InertialModel, table: pd.DataFrame) -> None:
    """As OpenSim's RRA writes its last row: twice, at one time or 6.7e-14 s apart."""
    once, time = solved(walker, table, 6.0).motion, table.index[-1]
    for later in (time, time + 6.7e-14):
        twice = pd.concat([table, table.iloc[[-1]].set_axis([later])])
        twice.attrs.update(table.attrs)
        read = solved(walker, twice, 6.0)
        for name in ARRAYS:
            np.testing.assert_array_equal(getattr(read.motion, name), getattr(once, name))
        assert any(f"row {len(table) + 1} repeats" in note and "one row" in note for note in read.notes)
        twice.iloc[-1, 0] += 1.0
        with pytest.warns(oi.warnings.InputWarning, match=f"by 1 in column '{table.columns[0]}'"):
            read = solved(walker, twice, 6.0)
        np.testing.assert_array_equal(read.motion.udot, once.udot)


@pytest.mark.slow
def test_what_the_filter_leaves_of_long_recordings_is_said(walker: oi.InertialModel, table: pd.DataFrame) -> None:
    """OpenSim's limit of 100 000 rows, padding included, at a recording of as many rows whose times are rounded."""
    rows = 100_000
    long = pd.DataFrame({"pelvis_ty": 1 + 0.1 * np.sin(np.arange(rows) / 300)}, index=np.arange(rows) / 60)
    result = solved(walker, long, 6.0, (0.0, 1.0))
    assert any("30 rows a second of 60" in note for note in result.notes)
    assert np.diff(result.times) == pytest.approx(1 / 30, rel=1e-4)
    with pytest.raises(MotionError, match="too few for a cut-off of 20 Hz"):
        solved(walker, long, 20.0, (0.0, 1.0))
    for even in (long.set_index(np.arange(rows) / 64), table):
        assert not any("rows a second of" in note for note in solved(walker, even, 6.0, (0.0, 1.0)).notes)
