"""The motion against OpenSim: its filter, its splines, and whole runs of its Inverse Dynamics Tool."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from oracles import trials

from opensim_inertia.errors import MotionError
from opensim_inertia.files import read_motion_table, read_table, write_table
from opensim_inertia.opensim_model.reading.motion import load_motion, load_poses

VALUE_TOLERANCE = 1e-12  # rad or m. Both solve the same banded equations in double precision; measured 1e-14.
"""Relative to the largest over all coordinates: rounding, amplified twice by the step; measured 3e-11."""
PRINT_TOLERANCE = 2e-8  # The tool prints eight decimals

WALK_2392, WALK_10, RUN_HAMNER = (trials.TRIALS[name][:2] for name in ("gait2392_walk", "gait10dof_walk", "hamner_run"))
EVERYTHING = (-1e3, 1e3)
"""s. Finite times beyond a recording ask for what the filter adds to it, as for OpenSim's tool."""


@dataclass(frozen=True)
class Recording:
    model: osim.Model
    state: osim.State
    path: Path
    names: tuple[str, ...]


@cache
def recording(model: Path, motion: Path) -> Recording:
    loaded = osim.Model(str(model))
    state = loaded.initSystem()
    coordinates = loaded.getCoordinateSet()
    names = tuple(coordinates.get(i).getName() for i in range(coordinates.getSize()))
    return Recording(loaded, state, motion, names)


@pytest.fixture
def walk(opensim_models: Path) -> Recording:
    return recording(*(opensim_models / file for file in WALK_10))


@pytest.fixture
def table(walk: Recording) -> pd.DataFrame:
    return read_table(walk.path)


def run_tool(recorded: Recording, folder: Path, cutoff: float | None, time_range: tuple[float, float]) -> pd.DataFrame:
    return trials.run_tool(recorded.model, recorded.path, None, cutoff, time_range, folder, ("ALL",))


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
    opensim_models: Path,
    tmp_path: Path,
    files: tuple[str, str],
    cutoff: float | None,
    time_range: tuple[float, float],
) -> None:
    """OpenSim's solver, given our coordinates, speeds and accelerations, gives what the tool writes."""
    recorded = recording(*(opensim_models / file for file in files))
    tool = run_tool(recorded, tmp_path, cutoff, time_range)
    names = [label.rsplit("_", 1)[0] for label in tool.columns]
    assert sorted(names) == sorted(recorded.names)
    motion = load_motion(recorded.path, recorded.model, names, cutoff, time_range)
    assert len(motion) == len(tool)
    np.testing.assert_allclose(motion.times, tool.index, rtol=0, atol=PRINT_TOLERANCE)

    model, state = recorded.model, osim.State(recorded.state)
    forces = model.getForceSet()
    for i in range(forces.getSize()):
        forces.get(i).setAppliesForce(state, False)
    solver = osim.InverseDynamicsSolver(model)
    coordinates = [model.getCoordinateSet().get(name) for name in names]
    for row in {0, len(motion) // 3, len(motion) - 1}:
        for coordinate, q, u in zip(coordinates, motion.q[row], motion.u[row], strict=True):
            coordinate.setValue(state, q, False)
            coordinate.setSpeedValue(state, u)
        solved = solver.solve(state, osim.Vector.createFromMat(motion.udot[row])).to_numpy()
        assert np.abs(solved).max() > 10
        np.testing.assert_allclose(solved, tool.iloc[row], rtol=1e-9, atol=PRINT_TOLERANCE)


@pytest.mark.parametrize("cutoff", [None, 6.0])
def test_infinite_ends_are_the_recordings(walk: Recording, tmp_path: Path, cutoff: float | None) -> None:
    """And where OpenSim's tool then solves more rows, as many as a note says, those that are here are the tool's."""
    motion = load_motion(walk.path, walk.model, walk.names, cutoff, (-np.inf, np.inf))
    default = load_motion(walk.path, walk.model, walk.names, cutoff)
    for name in ("times", "q", "u", "udot"):
        np.testing.assert_array_equal(getattr(motion, name), getattr(default, name))
    tool = run_tool(walk, tmp_path, cutoff, (-np.inf, np.inf))
    notes = [finding.text for finding in motion.findings]
    if cutoff is None:
        assert notes == [] and len(tool) == len(motion)
        return
    others = len(tool) - len(motion)
    assert others > 0.9 * len(motion)
    assert (
        f"from {tool.index[0]:.4g}" in notes[0] and f"the {others} rows beyond the recording are left out" in notes[0]
    )
    assert motion.findings == default.findings and {finding.severity for finding in motion.findings} == {"note"}
    first = int(np.argmin(np.abs(tool.index - motion.times[0])))
    np.testing.assert_allclose(tool.index[first : first + len(motion)], motion.times, rtol=0, atol=PRINT_TOLERANCE)
    one_sided = load_motion(walk.path, walk.model, walk.names, cutoff, (1.0, np.inf))
    np.testing.assert_array_equal(one_sided.times, motion.times[-len(one_sided) :])


def test_rows_beyond_the_recording_are_noted(walk: Recording) -> None:
    recorded = read_table(walk.path).index
    motion = load_motion(walk.path, walk.model, walk.names, 6.0, (recorded[0] - 0.4, recorded[0] + 0.1))
    (note,) = (finding.text for finding in motion.findings)
    outside = (motion.times < recorded[0] - np.diff(recorded).max()).sum()
    assert 10 < outside < len(motion)
    assert note.startswith(f"{outside} of the {len(motion)} rows") and f"which goes from {recorded[0]:.6g} to" in note
    within = load_motion(walk.path, walk.model, walk.names, 6.0, (recorded[0], recorded[0] + 0.1))
    assert within.findings == ()


@pytest.mark.parametrize("cutoff", [None, 6.0])
def test_uneven_times_are_evened_out_as_opensim_does(walk: Recording, tmp_path: Path, cutoff: float | None) -> None:
    times = np.delete(np.arange(40) * 0.01 + 0.002 * np.sin(np.arange(40)), [7, 8, 21])
    values = np.column_stack([np.sin(7 * times + k) for k in range(len(walk.names))])
    path = tmp_path / "uneven.mot"
    write_table(pd.DataFrame(values, index=times, columns=list(walk.names)), path)
    storage = osim.Storage(str(path))
    if cutoff is not None:
        storage.pad(storage.getSize() // 2)
        storage.lowpassIIR(cutoff)
    motion = load_motion(path, walk.model, walk.names, cutoff, EVERYTHING)
    assert len(motion) == storage.getSize()
    assert cutoff is None or len(motion) > 2 * len(times)
    for column, name in enumerate(walk.names):
        expected = osim.ArrayDouble()
        storage.getDataColumn(storage.getStateIndex(name), expected)
        np.testing.assert_allclose(motion.q[:, column], expected.getAsVector().to_numpy(), rtol=0, atol=VALUE_TOLERANCE)


def test_table_and_file_are_the_same_motion(walk: Recording, table: pd.DataFrame) -> None:
    from_file = load_motion(walk.path, walk.model, walk.names, 6.0)
    from_table = load_motion(table, walk.model, walk.names, 6.0)
    np.testing.assert_array_equal(from_file.udot, from_table.udot)
    knee = walk.names.index("knee_angle_r")
    in_radians = table.copy()
    in_radians.attrs["inDegrees"] = False
    as_given = load_motion(in_radians, walk.model, walk.names)
    np.testing.assert_allclose(as_given.q[:, knee], table["knee_angle_r"], rtol=0, atol=1e-12)
    converted = load_motion(table, walk.model, walk.names)
    np.testing.assert_allclose(converted.q[:, knee], np.deg2rad(table["knee_angle_r"]), rtol=0, atol=1e-12)


def test_missing_coordinates_take_their_default(walk: Recording, table: pd.DataFrame, tmp_path: Path) -> None:
    """As in the tool, which says so in its log only."""
    path = tmp_path / "partial.mot"
    write_table(table.drop(columns=["pelvis_ty", "knee_angle_l"]), path)
    partial = Recording(walk.model, walk.state, path, walk.names)
    motion = load_motion(path, walk.model, walk.names, None, (0.5, 0.6))
    assert set(motion.missing) == {"pelvis_ty", "knee_angle_l"}
    height = walk.names.index("pelvis_ty")
    default = walk.model.getCoordinateSet().get("pelvis_ty").getDefaultValue()
    assert default > 0.5
    np.testing.assert_array_equal(motion.q[:, height], default)
    np.testing.assert_array_equal(motion.u[:, height], 0.0)
    np.testing.assert_array_equal(motion.udot[:, height], 0.0)
    assert len(run_tool(partial, tmp_path, None, (0.5, 0.6))) == len(motion)


def test_the_tool_ignores_state_paths_which_are_read_here(walk: Recording, table: pd.DataFrame, tmp_path: Path) -> None:
    """OpenSim's tool solves the default pose for them; here they are the same motion, to the bit."""
    paths = {name: walk.model.getCoordinateSet().get(name).getAbsolutePathString() + "/value" for name in walk.names}
    run_folder, rest_folder = tmp_path / "run", tmp_path / "rest"
    states = table.rename(columns=paths)
    speeds = table.rename(columns={name: path.replace("/value", "/speed") for name, path in paths.items()}) * 7
    activations = pd.DataFrame({"/forceset/soleus_r/activation": 0.5}, index=table.index)
    write_table(pd.concat([states, speeds, activations], axis=1), tmp_path / "paths.sto", in_degrees=True)
    write_table(table[["knee_angle_r"]] * 0, tmp_path / "rest.sto")
    both = [
        run_tool(Recording(walk.model, walk.state, tmp_path / file, walk.names), folder, None, (0.5, 0.6))
        for file, folder in (("paths.sto", run_folder), ("rest.sto", rest_folder))
    ]
    np.testing.assert_array_equal(both[0].to_numpy(), both[1].to_numpy())
    ours = load_motion(tmp_path / "paths.sto", walk.model, walk.names, 6.0)
    plain = load_motion(walk.path, walk.model, walk.names, 6.0)
    assert ours.missing == ()
    for name in ("times", "q", "u", "udot"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(plain, name))
    times, poses = load_poses(tmp_path / "paths.sto", walk.model, walk.names)
    np.testing.assert_array_equal(times, table.index)
    np.testing.assert_array_equal(poses, load_poses(walk.path, walk.model, walk.names)[1])
    radians = read_motion_table(tmp_path / "paths.sto", walk.model)
    np.testing.assert_array_equal(radians[paths["knee_angle_r"]], poses[:, walk.names.index("knee_angle_r")])


def with_cell(table: pd.DataFrame, value: float) -> pd.DataFrame:
    table.iloc[3, table.columns.get_loc("hip_flexion_r")] = value
    return table


def with_time(table: pd.DataFrame, row: int, time: float) -> pd.DataFrame:
    times = np.array(table.index)
    times[row] = time
    return table.set_index(pd.Index(times))


@pytest.mark.parametrize("repeated", ["marker", "hip_flexion_r"])
def test_only_repeated_columns_that_are_used_are_refused(walk: Recording, repeated: str, tmp_path: Path) -> None:
    table, path = read_table(walk.path), tmp_path / "motion.mot"
    further = pd.DataFrame(1.0, index=table.index, columns=["a", "b"])
    write_table(pd.concat([table, further], axis=1), path, in_degrees=table.attrs["inDegrees"])
    path.write_text(path.read_text().replace("\ta\tb\n", f"\t{repeated}\t{repeated}\n"))
    if repeated in walk.names:
        with pytest.raises(MotionError, match="column 'hip_flexion_r' is there more than once"):
            load_motion(path, walk.model, walk.names)
    else:
        np.testing.assert_array_equal(
            load_motion(path, walk.model, walk.names).q, load_motion(walk.path, walk.model, walk.names).q
        )


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda t: with_cell(t, np.nan), "'hip_flexion_r' is nan at time"),
        (lambda t: with_cell(t, np.inf), "'hip_flexion_r' is inf at time"),
        (lambda t: t.assign(hip_flexion_r="bent"), "'hip_flexion_r' holds something that is not a number"),
        (lambda t: t.set_index(t.index.to_numpy().round(1)), "times must increase"),
        (lambda t: with_time(t, 4, t.index[1]), "times must increase"),
        (lambda t: with_time(t, 4, np.nan), "time of row 5"),
        (lambda t: with_time(t, len(t) - 1, 1e30), "the time of row .* is 1e.30 s; expected times in seconds"),
        (lambda t: with_time(t, 0, -1e17), "the time of row 1 is -1e.17 s; expected times in seconds"),
        (lambda t: t.set_index(pd.Index(1e300 * np.arange(1.0, len(t) + 1))), "expected times in seconds, up to 1e.12"),
        (
            lambda t: with_time(t.set_index(t.index + 1e9), 4, 1e9 + t.index[3] + 2e-7),
            "rows 4 and 5., which rounding hardly tells apart",
        ),
        (lambda t: t.iloc[:5], "5 rows; at least 6"),
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
    walk: Recording, table: pd.DataFrame, spoil: Callable[[pd.DataFrame], pd.DataFrame], message: str
) -> None:
    """Also where a filter mirrors the times at both ends, and evens them out."""
    for cutoff in (None, 6.0):
        with pytest.raises(MotionError, match=message.replace("?", r"\?")):
            load_motion(spoil(table), walk.model, walk.names, cutoff)


def test_a_row_that_repeats_a_time_is_no_row(walk: Recording, table: pd.DataFrame) -> None:
    """As OpenSim's RRA writes its last row: twice, at one time or 6.7e-14 s apart."""
    model, names = walk.model, walk.names
    once = load_motion(table, model, names, 6.0)
    time = table.index[-1]
    for later in (time, time + 6.7e-14):
        twice = pd.concat([table, table.iloc[[-1]].set_axis([later])])
        twice.attrs.update(table.attrs)
        read = load_motion(twice, model, names, 6.0)
        for name in ("times", "q", "u", "udot"):
            np.testing.assert_array_equal(getattr(read, name), getattr(once, name))
        (note,) = [finding for finding in read.findings if finding.check == "times"]
        assert note.severity == "note" and f"row {len(table) + 1} repeats" in note.text and "one row" in note.text
        twice.iloc[-1, 0] += 1.0
        read = load_motion(twice, model, names, 6.0)
        np.testing.assert_array_equal(read.udot, once.udot)
        (warning,) = [finding for finding in read.findings if finding.check == "times"]
        assert warning.severity == "warning" and f"by 1 in column '{table.columns[0]}'" in warning.text


def test_a_single_pose_is_sent_where_poses_are_solved(walk: Recording, table: pd.DataFrame) -> None:
    with pytest.raises(MotionError, match=r"1 rows; .*opensim-inertia posture.*InertialModel\.evaluate"):
        load_motion(table.iloc[:1], walk.model, walk.names)
    with pytest.raises(MotionError, match="3 rows; at least 6 are needed to differentiate$"):
        load_motion(table.iloc[:3], walk.model, walk.names)


@pytest.mark.slow
def test_what_the_filter_leaves_of_long_recordings_is_said(table: pd.DataFrame, walk: Recording) -> None:
    """OpenSim's limit of 100 000 rows, padding included, at a recording of as many rows whose times are rounded."""
    rows = 100_000
    long = pd.DataFrame({"pelvis_ty": np.sin(np.arange(rows) / 300)}, index=np.arange(rows) / 60)
    motion = load_motion(long, walk.model, ["pelvis_ty"], cutoff=6.0)
    (finding,) = [finding for finding in motion.findings if finding.check == "resampling"]
    assert "30 rows a second of 60" in finding.text and finding.severity == "note"
    assert abs(len(motion) - rows / 2) <= 2
    with pytest.raises(MotionError, match="too few for a cut-off of 20 Hz"):
        load_motion(long, walk.model, ["pelvis_ty"], cutoff=20.0)
    even = long.set_index(np.arange(rows) / 64)
    unfiltered = load_motion(even, walk.model, ["pelvis_ty"], cutoff=6.0)
    assert len(unfiltered) == rows and not [finding for finding in unfiltered.findings if finding.check == "resampling"]
    assert not [
        finding for finding in load_motion(table, walk.model, walk.names, 6.0).findings if finding.check == "resampling"
    ]
