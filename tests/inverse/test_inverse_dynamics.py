"""Inverse dynamics against OpenSim's own tool, on whole trials, and the parts that we add against independent sums."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia._opensim import osim, quiet
from opensim_inertia.inverse import InverseDynamicsResult, load_motion

TOOL = 1e-6
"""N m or N. The tool prints eight decimals: measured 6e-9."""
FROZEN_POINTS_ERROR = 1e-9
"""Relative to the largest force: the same rigid bodies through Newton and Euler instead of Simbody; measured 1e-13."""
SUM = 1e-10
"""Relative to the largest force: the same terms, summed by the kernel in batches instead of state by state."""

GAIT2392, GAIT10, HAMNER = (f"Pipelines/{name}" for name in ("Gait2392_Simbody", "Gait10dof18musc", "Hamner"))
TRIALS = {
    "gait2392_walk": (
        f"{GAIT2392}/OutputReference/subject01_simbody.osim",
        f"{GAIT2392}/subject01_walk1_ik.mot",
        f"{GAIT2392}/subject01_walk1_grf.xml",
    ),
    "gait10dof_walk": (
        f"{GAIT10}/OutputReference/subject01.osim",
        f"{GAIT10}/OutputReference/IK/subject01_walk_IK.mot",
        f"{GAIT10}/ExperimentalData/subject01_walk_grf.xml",
    ),
    "hamner_run": (
        f"{HAMNER}/outputReference/subject02_scaled.osim",
        f"{HAMNER}/outputReference/ResultsIK/subject02_running_ik.mot",
        f"{HAMNER}/External_Loads.xml",
    ),
}

pytestmark = pytest.mark.filterwarnings("ignore::opensim_inertia.ShortBellyWarning")


def run_tool(
    model: osim.Model,
    motion: Path,
    loads: Path | None,
    cutoff: float | None,
    times: tuple[float, float],
    folder: Path,
    excluding: tuple[str, ...] = ("Muscles",),
) -> pd.DataFrame:
    """OpenSim's Inverse Dynamics Tool, run afresh."""
    tool = osim.InverseDynamicsTool()
    own = osim.Model(model)
    tool.setModel(own)
    tool.setCoordinatesFileName(str(motion))
    tool.setLowpassCutoffFrequency(-1.0 if cutoff is None else cutoff)
    tool.setStartTime(times[0])
    tool.setEndTime(times[1])
    excluded = osim.ArrayStr()
    for name in excluding:
        excluded.append(name)
    tool.setExcludedForces(excluded)
    if loads is not None:
        tool.setExternalLoadsFileName(str(loads))
    tool.setResultsDir(str(folder))
    tool.setOutputGenForceFileName("tool.sto")
    with quiet():
        assert tool.run()
    return oi.read_table(folder / "tool.sto")


def span(motion: Path) -> tuple[float, float]:
    times = oi.read_table(motion).index
    return float(times[0]), float(times[-1])


def bytes_of(model: osim.Model) -> str:
    return hashlib.sha256(model.dump().encode()).hexdigest()


@cache
def gait10(root: Path) -> tuple[oi.InertialModel, Path, Path]:
    """The small walking trial with every muscle inertial."""
    model, motion, loads = (root / file for file in TRIALS["gait10dof_walk"])
    live = osim.Model(str(model))
    return oi.InertialModel(live, oi.estimate_masses(live)), motion, loads


@cache
def short_walk(root: Path) -> InverseDynamicsResult:
    inertial, motion, loads = gait10(root)
    return oi.inverse_dynamics(inertial, motion, loads, 6.0, (0.5, 0.7))


# -- against OpenSim's tool ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cutoff", [None, 6.0])
@pytest.mark.parametrize("trial", TRIALS)
def test_lumped_answers_are_opensims_tool(
    opensim_models: Path, tmp_path: Path, trial: str, cutoff: float | None
) -> None:
    """No muscle mass, and all muscle mass put back where it came from, are both what stock OpenSim says."""
    file, motion, loads = (opensim_models / name for name in TRIALS[trial])
    model = osim.Model(str(file))
    stock = run_tool(model, motion, loads, cutoff, span(motion), tmp_path)
    assert np.abs(stock.to_numpy()).max() > 100

    massless = oi.InertialModel(model, {})
    none = oi.inverse_dynamics(massless, motion, loads, cutoff)
    assert list(none.inertial.columns) == list(stock.columns)
    np.testing.assert_allclose(none.times, stock.index, rtol=0, atol=1e-7)
    for kind in ("lumped", "moved", "inertial"):
        np.testing.assert_allclose(getattr(none, kind), stock, rtol=0, atol=TOOL)

    masses = oi.estimate_masses(model)
    assert masses["mass"].sum() > 5
    heavy = oi.inverse_dynamics(oi.InertialModel(model, masses), motion, loads, cutoff)
    np.testing.assert_allclose(heavy.lumped, stock, rtol=0, atol=TOOL)
    assert np.abs(heavy.inertial_forces - heavy.lumped_forces).max() > 1
    assert np.abs(heavy.moved_forces - heavy.lumped_forces).max() > 1


def test_wrapping_models_lumped_answer_is_opensims_solver(opensim_models: Path, tmp_path: Path) -> None:
    """Rajagopal2016: wraps, and a knee whose bias Simbody has wrong; the parts still add up to the tool's."""
    model = osim.Model(str(opensim_models / "Models/Rajagopal/Rajagopal2016.osim"))
    times = np.arange(12) * 0.02
    motion = pd.DataFrame(
        {"knee_angle_r": 0.5 + 0.4 * np.sin(9 * times), "hip_flexion_r": 0.3 * np.cos(7 * times)}, index=times
    )
    oi.write_table(motion, tmp_path / "swing.mot")
    stock = run_tool(model, tmp_path / "swing.mot", None, None, (0.0, 0.22), tmp_path)
    inertial = oi.InertialModel(model, oi.estimate_masses(model, muscles=["vaslat_r", "gasmed_r", "recfem_r"]))
    result = oi.inverse_dynamics(inertial, tmp_path / "swing.mot", time_range=(0.0, 0.22))
    np.testing.assert_allclose(result.lumped[list(stock.columns)], stock, rtol=0, atol=TOOL)
    assert np.abs(result.inertial_forces - result.lumped_forces).max() > 0.1


def test_moved_mass_is_opensims_own_rigid_body(opensim_models: Path, tmp_path: Path) -> None:
    """The "moved" answer equals stock OpenSim on a model to which the frozen muscles were welded as bodies."""
    inertial, motion, loads = gait10(opensim_models)
    by_hand = osim.Model(inertial.model)
    assert len(inertial.frozen) >= 5
    for name, added in inertial.frozen.items():
        i = added.inertia
        inertia = osim.Inertia(i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])
        meat = osim.Body(f"{name}_meat", added.mass, osim.Vec3(*added.center), inertia)
        by_hand.addBody(meat)
        by_hand.addJoint(osim.WeldJoint(f"{name}_weld", by_hand.getBodySet().get(name), meat))
    by_hand.finalizeConnections()
    stock = run_tool(by_hand, motion, loads, 6.0, (0.5, 0.7), tmp_path)
    result = short_walk(opensim_models)
    np.testing.assert_allclose(result.moved, stock, rtol=0, atol=TOOL)
    assert np.abs(result.moved_forces - result.lumped_forces).max() > 0.5
    original = osim.Model(str(opensim_models / TRIALS["gait10dof_walk"][0]))
    assert by_hand.getTotalMass(by_hand.initSystem()) == pytest.approx(
        original.getTotalMass(original.initSystem()), rel=1e-12
    )


def test_inertial_answer_is_stock_solver_plus_evaluate(opensim_models: Path) -> None:
    """tau = tau_rigid + dM udot - h - g_m, from ``evaluate`` state by state and stock OpenSim on ``.model``."""
    inertial, motion, _ = gait10(opensim_models)
    result = oi.inverse_dynamics(inertial, motion, None, 6.0, (0.5, 0.7))
    recorded = load_motion(motion, inertial.model, inertial.coordinate_names, 6.0, (0.5, 0.7))
    state = inertial.initial_state()
    forces = inertial.model.getForceSet()
    for i in range(forces.getSize()):
        if osim.Muscle.safeDownCast(forces.get(i)) is not None:
            forces.get(i).setAppliesForce(state, False)
    solver = osim.InverseDynamicsSolver(inertial.model)
    for row in range(len(recorded)):
        state.setTime(float(recorded.times[row]))
        state.setQ(osim.Vector.createFromMat(recorded.q[row]))
        state.setU(osim.Vector.createFromMat(recorded.u[row]))
        rigid = solver.solve(state, osim.Vector.createFromMat(recorded.udot[row])).to_numpy()
        terms = inertial.evaluate(state)
        added = terms.mass_matrix @ recorded.udot[row] - terms.bias - terms.gravity
        assert np.abs(added).max() > 1
        scale = np.abs(rigid).max()
        np.testing.assert_allclose(result.inertial_forces[row], rigid + added, rtol=0, atol=SUM * scale)


# -- the result ------------------------------------------------------------------------------------------------------


def test_result_is_labelled_as_opensims(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    assert "pelvis_tilt_moment" in result.column_names and "pelvis_tx_force" in result.column_names
    assert result.inertial.index.name == "time"
    both = result.to_dataframe()
    assert list(both.columns.get_level_values(0).unique()) == ["lumped", "moved", "inertial"]
    pd.testing.assert_frame_equal(both["moved"], result.moved)
    for array in (result.times, result.lumped_forces, result.moved_forces, result.inertial_forces):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    own = result.inertial
    own.iloc[0, 0] = 1e9  # a table is the user's own
    assert result.inertial.iloc[0, 0] != 1e9


def test_difference_is_moved_plus_sliding(opensim_models: Path) -> None:
    result = short_walk(opensim_models)
    moved = result.moved_forces - result.lumped_forces
    sliding = result.inertial_forces - result.moved_forces
    assert np.abs(moved).max() > 0.5 and np.abs(sliding).max() > 0.1
    np.testing.assert_allclose(moved + sliding, result.inertial_forces - result.lumped_forces, rtol=0, atol=1e-11)


def test_summary_by_hand() -> None:
    lumped = np.array([[1.0, 0.0], [-4.0, 0.0], [2.0, 0.0]])
    moved = lumped + [[1.0, 0.5], [0.0, 0.0], [-0.5, 0.0]]
    inertial = moved + [[0.0, 0.0], [-2.0, 1.0], [0.0, 0.0]]
    result = InverseDynamicsResult(np.array([0.0, 0.1, 0.2]), ("knee", "slide"), (True, False), lumped, moved, inertial)
    assert result.column_names == ("knee_moment", "slide_force")
    table = result.summary()
    knee = table.loc["knee"]
    expected = {
        "unit": "N m",
        "lumped peak": 4.0,
        "inertial peak": 6.0,
        "lumped RMS": np.sqrt(21 / 3),
        "inertial RMS": np.sqrt((4 + 36 + 2.25) / 3),
        "difference RMS": np.sqrt((1 + 4 + 0.25) / 3),
        "difference": 2.0,
        "moved": 1.0,
        "sliding": 2.0,
        "difference [%]": 50.0,
        "moved [%]": 25.0,
        "sliding [%]": 50.0,
        "peak change [%]": 50.0,
    }
    for name, value in expected.items():
        assert knee[name] == (value if isinstance(value, str) else pytest.approx(value, rel=1e-14)), name
    assert set(table.columns) == set(expected)
    slide = table.loc["slide"]
    assert slide["unit"] == "N" and slide["difference"] == 1.0 and slide["moved"] == 0.5
    assert np.isnan(slide["difference [%]"]) and np.isnan(slide["peak change [%]"])  # no lumped force to compare with


@pytest.mark.parametrize("kind", ["lumped", "moved", "inertial"])
def test_sto_is_read_back_by_opensim(opensim_models: Path, tmp_path: Path, kind: str) -> None:
    result = short_walk(opensim_models)
    path = tmp_path / f"{kind}.sto"
    result.to_sto(path, kind)
    table = osim.TimeSeriesTable(str(path))
    assert tuple(table.getColumnLabels()) == result.column_names
    np.testing.assert_allclose(table.getIndependentColumn(), result.times, rtol=1e-14, atol=0)
    np.testing.assert_allclose(table.getMatrix().to_numpy(), getattr(result, f"{kind}_forces"), rtol=1e-14, atol=1e-14)
    assert table.getTableMetaDataString("inDegrees") == "no"
    storage = osim.Storage(str(path))
    assert storage.getSize() == len(result.times)


def test_unknown_kind_and_unwritable_place(opensim_models: Path, tmp_path: Path) -> None:
    result = short_walk(opensim_models)
    with pytest.raises(oi.OptionError, match="'inertial'"):
        result.to_sto(tmp_path / "a.sto", "inert")
    (tmp_path / "file").write_text("not a folder")
    for write in (result.to_sto, result.plot, lambda path: result.save(path.parent)):
        with pytest.raises(oi.OutputError):
            write(tmp_path / "file" / "a.png")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


def test_plot_and_save(opensim_models: Path, tmp_path: Path) -> None:
    result = short_walk(opensim_models)
    figure = result.plot(tmp_path / "id.png", coordinates=["knee_angle_r", "pelvis_tx"])
    assert (tmp_path / "id.png").read_bytes().startswith(b"\x89PNG")
    drawn = figure.axes[0].lines
    knee = result.coordinate_names.index("knee_angle_r")
    np.testing.assert_array_equal(drawn[0].get_ydata(), result.lumped_forces[:, knee])
    np.testing.assert_array_equal(drawn[1].get_ydata(), result.inertial_forces[:, knee])
    assert figure.axes[0].get_ylabel() == "moment [N m]" and figure.axes[1].get_ylabel() == "force [N]"
    with pytest.raises(oi.UnknownNameError, match="knee_angle_r"):
        result.plot(tmp_path / "no.png", coordinates=["knee_angle"])
    assert not (tmp_path / "no.png").exists()

    (tmp_path / "out").mkdir()
    paths = result.save(tmp_path / "out", "walk_")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(p.name for p in paths.values())
    assert all(p.name.startswith("walk_") and p.stat().st_size > 100 for p in paths.values())
    summary = pd.read_csv(paths["summary"], index_col=0)
    assert summary.loc["knee_angle_r", "lumped peak"] == pytest.approx(
        result.summary().loc["knee_angle_r", "lumped peak"], rel=1e-12
    )


# -- nothing of the user's changes -----------------------------------------------------------------------------------


def test_inputs_are_untouched_and_answers_are_the_same_bits(opensim_models: Path) -> None:
    files = [opensim_models / name for name in TRIALS["gait10dof_walk"]]
    before = [file.read_bytes() for file in files]
    model = osim.Model(str(files[0]))
    model.initSystem()
    serialised = bytes_of(model)
    masses = oi.estimate_masses(model)
    kept = masses.copy()
    motion = oi.read_motion_table(files[1], model)
    frame = motion.copy()
    results = [
        oi.inverse_dynamics(oi.InertialModel(model, masses), motion, files[2], 6.0, (0.5, 0.7)) for _ in range(2)
    ]
    for kind in ("lumped_forces", "moved_forces", "inertial_forces"):
        assert getattr(results[0], kind).tobytes() == getattr(results[1], kind).tobytes()
    assert np.abs(results[0].inertial_forces).max() > 100
    assert bytes_of(model) == serialised
    pd.testing.assert_frame_equal(masses, kept)
    pd.testing.assert_frame_equal(motion, frame)
    assert [file.read_bytes() for file in files] == before


def test_repeated_runs_on_one_object_are_the_same_bits(opensim_models: Path) -> None:
    inertial, motion, loads = gait10(opensim_models)
    first = oi.inverse_dynamics(inertial, motion, loads, 6.0, (0.5, 0.7))
    oi.inverse_dynamics(inertial, motion, None, None, (1.0, 1.1))
    again = oi.inverse_dynamics(inertial, motion, loads, 6.0, (0.5, 0.7))
    assert first.inertial_forces.tobytes() == again.inertial_forces.tobytes()


def test_missing_coordinates_are_named(opensim_models: Path) -> None:
    inertial, motion, _ = gait10(opensim_models)
    table = oi.read_motion_table(motion, inertial.model).drop(columns=["knee_angle_l"])
    result = oi.inverse_dynamics(inertial, table, time_range=(0.5, 0.6))
    assert result.missing == ("knee_angle_l",)


def test_progress_bar_is_shown_on_demand(opensim_models: Path, capfd: pytest.CaptureFixture[str]) -> None:
    inertial, motion, _ = gait10(opensim_models)
    oi.inverse_dynamics(inertial, motion, time_range=(0.5, 0.6))
    assert "inverse dynamics" not in capfd.readouterr().err
    oi.inverse_dynamics(inertial, motion, time_range=(0.5, 0.6), progress=True)
    assert "inverse dynamics" in capfd.readouterr().err


# -- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("excluding", [(), ("All",), ("actuators",), ("soleus_r", "tib_ant_l")])
def test_excluded_forces_are_the_tools(opensim_models: Path, tmp_path: Path, excluding: tuple[str, ...]) -> None:
    """Where muscles act, and where ligaments and limits do not either. The tool keeps the external loads with "All"."""
    inertial, motion, loads = gait10(opensim_models)
    model = osim.Model(str(opensim_models / TRIALS["gait10dof_walk"][0]))
    stock = run_tool(model, motion, loads, None, (0.5, 0.55), tmp_path, excluding)
    result = oi.inverse_dynamics(inertial, motion, loads, None, (0.5, 0.55), forces_to_exclude=excluding)
    assert np.abs(stock.to_numpy()).max() > 100
    np.testing.assert_allclose(result.lumped, stock, rtol=0, atol=TOOL)


def test_forces_to_exclude(opensim_models: Path) -> None:
    inertial, motion, loads = gait10(opensim_models)
    arguments = (inertial, motion, loads, 6.0, (0.5, 0.6))
    muscles = oi.inverse_dynamics(*arguments)
    upper = oi.inverse_dynamics(*arguments, forces_to_exclude=["MUSCLES"])
    assert muscles.inertial_forces.tobytes() == upper.inertial_forces.tobytes()
    nothing = oi.inverse_dynamics(*arguments, forces_to_exclude=[])
    assert np.abs(nothing.inertial_forces - muscles.inertial_forces).max() > 1
    some = oi.inverse_dynamics(*arguments, forces_to_exclude=list(inertial.muscle_names))
    assert some.inertial_forces.tobytes() == muscles.inertial_forces.tobytes()
    with pytest.raises(oi.UnknownNameError, match="force to exclude 'soleus'.*'soleus_[lr]'"):
        oi.inverse_dynamics(*arguments, forces_to_exclude=["soleus"])


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
    with pytest.raises(oi.MotionError, match=message):
        oi.inverse_dynamics(inertial, spoil(oi.read_motion_table(motion, inertial.model)))


@pytest.mark.parametrize("time_range", [(0.7, 0.5), (90.0, 91.0), (np.nan, 1.0)])
def test_empty_time_range(opensim_models: Path, time_range: tuple[float, float]) -> None:
    inertial, motion, _ = gait10(opensim_models)
    with pytest.raises(oi.MotionError, match="time range"):
        oi.inverse_dynamics(inertial, motion, time_range=time_range)


def test_missing_motion_file(opensim_models: Path, tmp_path: Path) -> None:
    inertial, _, _ = gait10(opensim_models)
    with pytest.raises(oi.FileFormatError, match="no_such.mot"):
        oi.inverse_dynamics(inertial, tmp_path / "no_such.mot")


LOADS = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="30516"><ExternalLoads name="loads"><objects>
<ExternalForce name="push"><applied_to_body>{body}</applied_to_body>
<force_expressed_in_body>{frame}</force_expressed_in_body><point_expressed_in_body>ground</point_expressed_in_body>
<force_identifier>{column}</force_identifier><point_identifier>p</point_identifier>
</ExternalForce></objects><groups /><datafile>{data}</datafile></ExternalLoads></OpenSimDocument>
"""


def write_loads(folder: Path, body: str = "tibia_r", frame: str = "ground", column: str = "f", data: str = "loads.mot"):  # type: ignore[no-untyped-def]
    times = np.linspace(0, 3, 31)
    columns = {
        name: np.full(31, value) for name, value in zip(("fx", "fy", "fz", "px", "py", "pz"), range(1, 7), strict=True)
    }
    oi.write_table(pd.DataFrame(columns, index=times), folder / "loads.mot")
    path = folder / "loads.xml"
    path.write_text(LOADS.format(body=body, frame=frame, column=column, data=data))
    return path


def test_well_formed_loads_act(opensim_models: Path, tmp_path: Path) -> None:
    inertial, motion, _ = gait10(opensim_models)
    without = oi.inverse_dynamics(inertial, motion, time_range=(0.5, 0.6))
    pushed = oi.inverse_dynamics(inertial, motion, write_loads(tmp_path), time_range=(0.5, 0.6))
    vertical = inertial.coordinate_names.index("pelvis_ty")
    np.testing.assert_allclose(
        pushed.inertial_forces[:, vertical] - without.inertial_forces[:, vertical], -2.0, rtol=0, atol=1e-9
    )


@pytest.mark.parametrize(
    ("spoil", "error", "message"),
    [
        ({"body": "tibia"}, oi.UnknownNameError, "'tibia'.*'tibia_[lr]'"),
        ({"data": "no_such.mot"}, oi.FileFormatError, "no_such.mot"),
        ({"data": ""}, oi.FileFormatError, "data file"),
        ({"column": "g"}, oi.FileFormatError, "loads.xml"),
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
        oi.inverse_dynamics(inertial, motion, path, time_range=(0.5, 0.6))
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("text", [None, "", "<OpenSimDocument", "<a></a>", "not xml at all", "\x00\x01"])
def test_missing_or_malformed_loads_files(opensim_models: Path, tmp_path: Path, text: str | None) -> None:
    inertial, motion, _ = gait10(opensim_models)
    path = tmp_path / "loads.xml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(oi.FileFormatError, match="loads.xml"):
        oi.inverse_dynamics(inertial, motion, path, time_range=(0.5, 0.6))


@pytest.mark.parametrize("data", ["", "garbage\n", "endheader\ntime\tfx\n0\tx\n"])
def test_malformed_load_data(opensim_models: Path, tmp_path: Path, data: str) -> None:
    inertial, motion, _ = gait10(opensim_models)
    path = write_loads(tmp_path)
    (tmp_path / "loads.mot").write_text(data)
    with pytest.raises(oi.InertiaError):
        oi.inverse_dynamics(inertial, motion, path, time_range=(0.5, 0.6))
