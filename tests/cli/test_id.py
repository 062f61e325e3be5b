"""``opensim-inertia id``: real setups, options, and what is refused."""

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import slow_except

from opensim_inertia import InertialModel, Recording, StrainModel, inverse_dynamics, read_table, write_table
from opensim_inertia._core.opensim import osim, quiet
from opensim_inertia.files import read_inverse_dynamics_setup

KINDS = "lumped.sto inertial.sto curves.csv curves.sto summary.csv masses.csv run.json plot.png"
WRITTEN = {f"inverse_dynamics_{what}" for what in KINDS.split()}
REAL = {
    "gait2392": (
        "Gait2392_Simbody/subject01_Setup_InverseDynamics.xml",
        {"--model": "Gait2392_Simbody/OutputReference/subject01_simbody.osim"},
    ),
    "gait10dof18musc": (
        "Gait10dof18musc/ID/walk_Setup_ID.xml",
        {
            "--model": "Gait10dof18musc/OutputReference/subject01.osim",
            "--motion": "Gait10dof18musc/OutputReference/IK/subject01_walk_IK.mot",
        },
    ),
}


def names(folder: str | Path) -> set[str]:
    return {path.name for path in Path(folder).iterdir()}


@pytest.mark.parametrize("which", slow_except({"gait10dof18musc"}, REAL))
def test_lumped_is_opensims_own_answer(which: str, cli, opensim_models: Path, tmp_path: Path) -> None:
    pipelines = opensim_models / "Pipelines"
    setup_file, stand_ins = pipelines / REAL[which][0], {k: pipelines / v for k, v in REAL[which][1].items()}
    out = tmp_path / "results"
    outcome = cli("id", setup_file, *(x for pair in stand_ins.items() for x in pair), "--out", out)
    assert (outcome.code, outcome.err) == (0, "")
    assert names(out) == WRITTEN

    setup = read_inverse_dynamics_setup(setup_file)
    with quiet():
        tool = osim.InverseDynamicsTool(str(setup_file), False)
        model = osim.Model(str(stand_ins["--model"]))
        model.initSystem()
        tool.setModel(model)
        tool.setCoordinatesFileName(str(stand_ins.get("--motion", setup.coordinates_file)))
        tool.setExternalLoadsFileName(str(setup.external_loads_file))
        tool.setResultsDir(str(tmp_path))
        assert tool.run()
    fresh = read_table(tmp_path / setup.output_file.name)
    lumped = read_table(out / "inverse_dynamics_lumped.sto")
    assert list(lumped.columns) == list(fresh.columns)
    np.testing.assert_allclose(lumped.index, fresh.index, rtol=0, atol=6e-9)
    np.testing.assert_allclose(lumped.to_numpy(), fresh.to_numpy(), rtol=0, atol=1e-6)
    inertial = read_table(out / "inverse_dynamics_inertial.sto")
    assert np.abs(inertial - lumped).to_numpy().max() > 1.0
    assert "knee_angle_r" in outcome.out


def test_missing_files_of_a_setup_are_named_with_the_option(cli, refused, opensim_models: Path, tmp_path: Path) -> None:
    setup = opensim_models / "Pipelines" / REAL["gait10dof18musc"][0]
    shown = cli("id", setup, "--out", "results")
    assert shown.code == 2 and f"{Path('OutputReference', 'subject01.osim')}' is taken, which has its name" in shown.err
    (tmp_path / "alone").mkdir()
    shown = refused("id", shutil.copy(setup, tmp_path / "alone"), "--out", "results")
    assert "subject01.osim' does not exist" in shown
    assert "--model" in shown
    model = opensim_models / "Models" / "Gait10dof18musc" / "subject01.osim"
    shown = refused("id", setup, "--out", "results", "--model", model)
    assert "subject01_walk_IK.mot" in shown
    assert "--motion" in shown


@pytest.mark.slow
def test_residuals_are_judged_where_loads_act(cli, opensim_models: Path) -> None:
    """OpenSim's own walking trial: one line, the same in run.json; the demo has no loads, and no line."""
    name, stand_ins = REAL["gait10dof18musc"]
    files = [x for option, path in stand_ins.items() for x in (option, opensim_models / "Pipelines" / path)]
    setup, options = opensim_models / "Pipelines" / name, ("--no-band", "--no-warn-wraps", "--out", "results")
    outcome = cli("id", setup, *files, "--time-range", "0.6", "0.7", *options)
    text = " ".join(outcome.out.split())
    assert "residual forces at the pelvis: RMS " in text and "thresholds of Hicks et al. 2015" in text
    recorded = json.loads(Path("results/inverse_dynamics_run.json").read_text())["residuals"]
    assert recorded["verdict"] in text
    assert {row["component"] for row in recorded["table"]} == {"force x", "force y", "force", "moment z", "moment"}


@pytest.mark.parametrize(
    ("options", "keywords"),
    [
        (["--strain", "uniform", "--belly", "proximal"], {"strain": StrainModel("uniform", belly="proximal")}),
        pytest.param(
            ["--distribution", "points", "--points", "3"],
            {"distribution": "points", "points": 3},
            marks=pytest.mark.slow,
        ),
        pytest.param(["--reference", "MOTION"], {"reference": "MOTION"}, marks=pytest.mark.slow),
    ],
)
def test_model_options(demo, cli, options: list[str], keywords: dict) -> None:
    words = (demo.motion if word == "MOTION" else word for word in options)
    assert cli("id", demo.setup, "--masses", demo.masses, "--out", ".", *words).code == 0
    keywords = {name: demo.motion if value == "MOTION" else value for name, value in keywords.items()}
    setup = read_inverse_dynamics_setup(demo.setup)
    model = InertialModel(demo.model, demo.masses, **keywords)
    result = inverse_dynamics(model, Recording(demo.motion, time_range=setup.time_range))
    np.testing.assert_array_equal(read_table("inverse_dynamics_inertial.sto").to_numpy(), result.inertial.to_numpy())


@pytest.mark.slow
def test_cutoff_and_time_range(demo, cli) -> None:
    assert "no filter" in cli("id", demo.setup, "--out", "a").out
    assert "low-pass filter at 12 Hz" in cli("id", demo.setup, "--out", "b", "--cutoff", "12").out
    text = demo.setup.read_text().replace(">-1</lowpass", ">12</lowpass")
    demo.setup.write_text(text)
    assert "low-pass filter at 12 Hz" in cli("id", demo.setup, "--out", "c", "--time-range", "0.1", "0.3").out
    assert "no filter" in cli("id", demo.setup, "--out", "d", "--cutoff", "none").out
    assert "no filter" in cli("id", demo.setup, "--out", "e", "--cutoff", "-1").out
    a, b, c, d, e = (read_table(f"{name}/inverse_dynamics_inertial.sto") for name in "abcde")
    assert np.abs(a.to_numpy() - b.to_numpy()).max() > 1e-3
    np.testing.assert_allclose(c.index[[0, -1]], [0.1, 0.3], atol=1 / 120)
    pd.testing.assert_frame_equal(a, d)
    pd.testing.assert_frame_equal(a, e)


@pytest.mark.slow
def test_an_open_time_range_is_the_recordings(demo, cli, tmp_path: Path) -> None:
    """With a filter, OpenSim's tool then solves the rows that padding adds, too; one line says so."""
    lines = demo.setup.read_text().replace(">-1</lowpass", ">12</lowpass").splitlines()
    demo.setup.write_text("\n".join(line for line in lines if "time_range" not in line))
    outcome = cli("id", demo.setup, "--out", "results")
    assert outcome.code == 0
    assert "all of the recording" in outcome.out
    with quiet():
        tool = osim.InverseDynamicsTool(str(demo.setup), False)
        model = osim.Model(str(demo.model))
        model.initSystem()
        tool.setModel(model)
        tool.setCoordinatesFileName(str(demo.motion))
        tool.setResultsDir(str(tmp_path))
        assert tool.run()
    fresh, lumped = read_table(tmp_path / "id_swing.sto"), read_table("results/inverse_dynamics_lumped.sto")
    assert len(fresh) > len(read_table(demo.motion)) >= len(lumped)
    rows = np.searchsorted(fresh.index, lumped.index - 1e-7)
    np.testing.assert_allclose(lumped.index, fresh.index[rows], rtol=0, atol=1e-7)
    np.testing.assert_allclose(lumped.to_numpy(), fresh.to_numpy()[rows], rtol=0, atol=1e-6)
    said = " ".join(outcome.out.split())
    assert f"the {len(fresh) - len(lumped)} rows beyond the recording are left out here" in said
    first, last = fresh.index[0] - 1, fresh.index[-1] + 1
    beyond = ["--time-range", first, last, "--implausible", "warn"]  # the extrapolated motion is no motion of a body
    asked = cli("id", demo.setup, "--out", "all", *beyond)
    np.testing.assert_allclose(read_table("all/inverse_dynamics_lumped.sto"), fresh, rtol=0, atol=1e-6)
    assert "the filter extrapolates the motion there" in " ".join(asked.out.split())


@pytest.mark.slow
def test_misspelt_and_missing_coordinates(demo, cli, refused) -> None:
    table = read_table(demo.motion)
    misspelt, lacking = demo.folder / "misspelt.mot", demo.folder / "lacking.mot"
    write_table(table.rename(columns={"ankle_angle_r": "ankle_angel_r"}), misspelt)
    write_table(table.drop(columns="ankle_angle_r"), lacking)
    for command in (["id", demo.setup], ["rank", demo.model]):
        told = refused(*command, "--motion", misspelt)
        assert "coordinate 'ankle_angle_r', but column 'ankle_angel_r' nearly is" in told
    assert "'ankle_angle_r' at 0" in refused("id", demo.setup, "--motion", lacking, "--strict")
    assert "expected False where the motion is projected" in refused("id", demo.setup, "--assemble", "--as-recorded")
    outcome = cli("id", demo.setup, "--motion", lacking, "--out", "lacking", "--trc")
    assert outcome.code == 0 and outcome.err.count("no column for free coordinates, which rest") == 1
    assert "not in the motion, at rest in their default value: ankle_angle_r" in outcome.out


def test_jumps_are_mended_if_asked(demo, cli) -> None:
    """The record says so, a note names the rows, and the forces are those of the motion without the glitch."""
    table = read_table(demo.motion)
    row = len(table) // 2
    glitch, attrs = table.copy(), dict(table.attrs)
    glitch.iloc[row, glitch.columns.get_loc("knee_angle_r")] += 40 if attrs["inDegrees"] else 0.7
    glitch.attrs = attrs
    write_table(glitch, demo.folder / "glitch.mot", in_degrees=attrs["inDegrees"])
    quick = ("--no-band", "--no-picture", "--implausible", "warn")
    for name, options in (("clean", ()), ("recorded", ()), ("mended", ("--interpolate-jumps",))):
        motion = demo.motion if name == "clean" else demo.folder / "glitch.mot"
        outcome = cli("id", demo.setup, "--motion", motion, "--out", name, *quick, *options)
        assert outcome.code == 0 and ("it jumps" in outcome.err) == (name == "recorded")
    assert f"'knee_angle_r' in rows {row + 1} to {row + 1}" in " ".join(outcome.out.split())
    assert json.loads(Path("mended/inverse_dynamics_run.json").read_text())["jumps interpolated"] is True
    clean, recorded, mended = (
        read_table(f"{name}/inverse_dynamics_lumped.sto")["knee_angle_r_moment"].to_numpy()
        for name in ("clean", "recorded", "mended")
    )
    assert np.abs(mended - clean).max() < 1e-3 * np.abs(recorded - clean).max()


def test_zero_mass_changes_nothing(demo, cli, refused) -> None:
    demo.masses.write_text("muscle,mass\nsoleus_r,0\n")
    assert "no muscle has mass" in refused("id", demo.setup, "--out", "results", "--masses", demo.masses, "--trc")
    outcome = cli("id", demo.setup, "--out", "results", "--masses", demo.masses)
    assert outcome.code == 0
    lumped, inertial = (read_table(f"results/inverse_dynamics_{kind}.sto") for kind in ("lumped", "inertial"))
    pd.testing.assert_frame_equal(lumped, inertial)
    assert outcome.out.startswith("Muscle inertia changes nothing")


@pytest.mark.slow
def test_results_are_the_same_bytes_each_time(ran, cli) -> None:
    """Whether by a program or in this process."""
    demo, results, _ = ran
    assert cli("id", demo.setup, "--masses", demo.masses, "--out", "again", "--trc").code == 0
    assert names(Path("again")) == names(results)
    for name in names(results):
        if not name.endswith(".png"):
            assert Path("again", name).read_bytes() == (results / name).read_bytes(), name


@pytest.mark.slow
@pytest.mark.parametrize("given", slow_except(["table"], ["table", "estimate"]))
def test_unsupported_paths(demo, cli, refused, given: str) -> None:
    masses = ["--masses", demo.masses] if given == "table" else []
    text = demo.model.read_text()
    start = text.index("<GeometryPath", text.index('<Millard2012EquilibriumMuscle name="soleus_r">'))
    end = text.index("</GeometryPath>", start) + len("</GeometryPath>")
    path = (
        '<FunctionBasedPath name="path"><coordinate_paths>/jointset/ankle_r/ankle_angle_r</coordinate_paths>'
        "<length_function><MultivariatePolynomialFunction><coefficients>0.37 0.04</coefficients>"
        "<dimension>1</dimension><order>1</order></MultivariatePolynomialFunction></length_function>"
        "</FunctionBasedPath>"
    )
    demo.model.write_text(text[:start] + path + text[end:])
    shown = refused("id", demo.setup, "--out", "results", *masses)
    assert "muscle 'soleus_r': " in shown
    assert "FunctionBasedPath has no points" in shown
    outcome = cli("id", demo.setup, "--out", "results", *masses, "--unsupported", "massless")
    assert outcome.code == 0
    assert "3 muscles with mass" in outcome.out
    assert "their paths cannot carry mass: soleus_r" in outcome.out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "setup file does not exist"),
        ("", "not a well-formed XML"),
        ('<OpenSimDocument Version="40000"><InverseDyn', "not a well-formed XML"),
        (
            '<OpenSimDocument Version="40000"><InverseKinematicsTool name="x"/></OpenSimDocument>',
            "is a setup of OpenSim's Inverse Kinematics Tool, which no command reads; expected a setup of OpenSim's",
        ),
        (
            '<OpenSimDocument Version="40000"><InverseDynamicsTool name="x"/></OpenSimDocument>',
            "it names no model; give one with --model",
        ),
    ],
)
def test_bad_setups(refused, tmp_path: Path, content: str | None, message: str) -> None:
    setup = tmp_path / "setup.xml"
    if content is not None:
        setup.write_text(content)
    assert message in refused("id", setup, "--out", "results")


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        ("--model", None, "does not exist"),
        ("--model", "garbage", "OpenSim cannot read this model"),
        ("--motion", None, "does not exist"),
        ("--motion", "garbage", "not an OpenSim table"),
        ("--external-loads", None, "does not exist"),
        ("--external-loads", "<garbage", "has no <ExternalLoads>"),
        ("--external-loads", "<ExternalLoads", "OpenSim cannot read external loads"),
        ("--masses", None, "there is no such file"),
        ("--masses", "muscle,mass\nsoleus,0.3\n", "'opensim_inertia_demo_leg'; did you mean 'soleus_r'?"),
        ("--masses", "muscle,mass,segment\nsoleus_r,0.1,tibia\n", "did you mean 'tibia_r'"),
    ],
)
def test_bad_files(refused, demo, option: str, content: str | None, message: str) -> None:
    path = demo.folder / "bad file"
    if content is not None:
        path.write_text(content)
    assert message in refused("id", demo.setup, "--out", "results", option, path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--muscles", "soleus"], "did you mean 'soleus_r'?"),
        (
            ["--strain", "rigid_tendon", "--proximal-tendon", "2"],
            "2.0: expected a number from 0 to 1",
        ),
        (["--points", "0"], "expected a whole number from 1 to"),
        (["--specific-tension", "600000"], "600000 MPa is none of a muscle; did you mean '600000 Pa'?"),
        (["--method", "handsfield", "--height", "18", "--body-mass", "75"], "height in metres"),
        (["--cutoff", "1000"], "below half the sampling rate"),
        (["--time-range", "3", "4"], "outside of the motion"),
        (["--time-range", "0.4", "0.3"], "is empty"),
    ],
)
def test_bad_values(refused, demo, options: list[str], message: str) -> None:
    assert message in refused("id", demo.setup, "--out", "results", *options)


def test_unwritable_output_is_told_before_computing(refused, demo, monkeypatch: pytest.MonkeyPatch) -> None:
    def too_late(*_: object, **__: object) -> None:
        raise AssertionError("computed before checking")

    monkeypatch.setattr("opensim_inertia.cli.arguments.recording_of", too_late)
    before = {path: path.read_bytes() for path in demo.folder.iterdir()}
    for out in (demo.masses, demo.masses / "deeper"):
        assert "cannot write" in refused("id", demo.setup, "--out", out)
    assert {path: path.read_bytes() for path in demo.folder.iterdir()} == before
    (demo.folder / "inverse_dynamics_inertial.sto").mkdir()
    assert "inertial.sto: it is a folder" in refused("id", demo.setup)
    assert set(demo.folder.iterdir()) == {*before, demo.folder / "inverse_dynamics_inertial.sto"}


def test_inputs_are_not_overwritten(refused, demo) -> None:
    masses = demo.masses.rename(demo.folder / "inverse_dynamics_summary.csv")
    assert "it is an input" in refused("id", demo.setup, "--masses", masses)
