"""``opensim-inertia id``: files that it writes, single muscles, bands, formats of pictures, and what it says."""

from __future__ import annotations

import json
import logging
import re
from pathlib import Path
from typing import Any

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from cli.test_id import WRITTEN, names
from conftest import slow_except

from opensim_inertia import InertialModel, Recording, inverse_dynamics, read_table
from opensim_inertia.files import read_inverse_dynamics_setup, write_trc
from opensim_inertia.muscles.masses import read_masses

USUAL = WRITTEN - {"inverse_dynamics_plot.png"}


def test_usual_files_and_what_is_in_them(ran) -> None:
    demo, results, outcome = ran
    assert (outcome.code, outcome.err) == (0, "")
    assert "\nmodel 'opensim_inertia_demo_leg': 4 muscles with mass" in outcome.out
    assert "[info]" not in outcome.out and "[warning]" not in outcome.out
    assert names(results) == USUAL | {"inverse_dynamics_plot.png", "inverse_dynamics_mass_points.trc"}
    for name in names(results):
        assert name in outcome.out
    used = InertialModel(demo.model, demo.masses).masses
    pd.testing.assert_frame_equal(read_masses(results / "inverse_dynamics_masses.csv"), used, check_dtype=False)
    text = (results / "inverse_dynamics_run.json").read_text()
    run = json.loads(text)
    assert run["motion"]["file"] == demo.motion.name and run["band"]["level"] == 0.95
    assert str(demo.folder) not in text
    summary = pd.read_csv(results / "inverse_dynamics_summary.csv", index_col="coordinate")
    result = inverse_dynamics(
        InertialModel(demo.model, demo.masses),
        Recording(demo.motion, time_range=read_inverse_dynamics_setup(demo.setup).time_range),
    )
    for kind in ("lumped", "inertial"):
        written = read_table(results / f"inverse_dynamics_{kind}.sto")
        np.testing.assert_array_equal(written.to_numpy(), getattr(result, kind).to_numpy())
    pd.testing.assert_frame_equal(summary, result.summary(), rtol=1e-14, check_frame_type=False)
    assert outcome.out.startswith(result.summary_text())
    first, change = outcome.out.split(".\n")[0], summary["largest difference"]["hip_flexion_r"]
    assert "joint moments by at most" in first and abs(float(first.split()[8])) == pytest.approx(abs(change), rel=0.05)
    row = next(line for line in outcome.out.splitlines() if line.startswith("ankle_angle_r"))
    ankle = summary.loc["ankle_angle_r"]
    shown = ("lumped peak", "difference at peak", "lower at peak", "upper at peak", "difference at peak [%]")
    values = [f"{ankle[name]:+.{1 if '%' in name else 3}f}" for name in (*shown, "largest difference")]
    # after the name and "N m"; the band is "lower to upper"
    words = [word for word in row.split()[3:] if word != "to"]
    assert words == [*values, f"{ankle['time of largest']:.3f}"]


@pytest.mark.slow
def test_cycles_per_kilogram_and_all_coordinates(demo, cli) -> None:
    """The mean of one cycle is its curve; the band holds the difference."""
    Path("events.csv").write_text("time,side,event\n0.1,r,contact\n0.5,r,contact\n")
    options = ("--per-kg", "--cycles", "--events", "events.csv", "--all", "--explain")
    outcome = cli("id", demo.setup, "--out", "kg", *options)
    assert outcome.code == 0 and "pelvis_tx" in outcome.out and "Changes are inertial - lumped" in outcome.out
    assert cli("id", demo.setup, "--out", "results").code == 0
    mass = json.loads(Path("kg/inverse_dynamics_run.json").read_text())["forces divided by [kg]"]
    model = osim.Model(str(demo.model))
    assert mass == pytest.approx(sum(body.getMass() for body in model.getBodySet()))
    lumped = read_table("results/inverse_dynamics_lumped.sto")["knee_angle_r_moment"]
    cycle = pd.read_csv("kg/inverse_dynamics_cycles.csv", index_col="percent")
    at = np.interp(0.1 + 0.004 * cycle.index, lumped.index, lumped)
    np.testing.assert_allclose(cycle["knee_angle_r_lumped"], at / mass, atol=1e-9)
    assert cycle["knee_angle_r_lumped_sd"].isna().all()
    curves = pd.read_csv("kg/inverse_dynamics_curves.csv")
    assert (curves["hip_flexion_r_difference_lower"] <= curves["hip_flexion_r_difference_upper"]).all()
    pd.testing.assert_frame_equal(read_table("kg/inverse_dynamics_curves.sto"), curves.set_index("time"))


@pytest.mark.slow
def test_without_band(demo, cli) -> None:
    outcome = cli("id", demo.setup, "--masses", demo.masses, "--out", "results", "--no-band")
    assert (outcome.code, outcome.err) == (0, "")
    assert names("results") == USUAL | {"inverse_dynamics_plot.png"}
    assert "% band" not in outcome.out
    assert "lower at peak" not in pd.read_csv("results/inverse_dynamics_summary.csv")
    assert json.loads(Path("results/inverse_dynamics_run.json").read_text())["band"] is None


@pytest.mark.slow
@pytest.mark.parametrize("picture", slow_except(["svg"], ["png", "svg", "pdf"]))
def test_single_muscles_and_formats(demo, cli, picture: str) -> None:
    coordinates = ["ankle_angle_r", "knee_angle_r"]
    outcome = cli(
        "id", demo.setup, "--out", "results", "--picture", picture, "--per-muscle", *coordinates, coordinates[0]
    )
    assert (outcome.code, outcome.err) == (0, "")
    single = {f"inverse_dynamics_muscles_{c}.{end}" for c in coordinates for end in ("sto", picture)}
    assert names("results") == USUAL | single | {f"inverse_dynamics_plot.{picture}"}
    for name in names("results"):
        assert name in outcome.out
    lumped, inertial = (read_table(f"results/inverse_dynamics_{kind}.sto") for kind in ("lumped", "inertial"))
    for name in coordinates:
        file = f"results/inverse_dynamics_muscles_{name}.sto"
        parts = read_table(file)
        assert osim.Storage(file).getSize() == len(parts)
        difference = (inertial - lumped)[f"{name}_moment"]
        scale = np.abs(difference).max()
        assert scale > 0.01
        np.testing.assert_allclose(parts.sum(axis=1), difference, rtol=0, atol=1e-9 * scale)


@pytest.mark.slow
def test_files_that_exist_are_replaced_and_others_stay(demo, cli) -> None:
    """Among them the inputs, beside which the results are written if no folder is named."""
    (demo.folder / "notes.txt").write_text("mine")
    before = {path: path.read_bytes() for path in demo.folder.iterdir()}
    run = demo.folder / "inverse_dynamics_run.json"
    run.write_text("old")
    assert cli("id", demo.setup, "--masses", demo.masses).code == 0
    assert names(demo.folder) == USUAL | {"inverse_dynamics_plot.png"} | {path.name for path in before}
    assert {path: path.read_bytes() for path in before} == before
    json.loads(run.read_text())


def page_data(path: str) -> dict[str, Any]:
    """What the script of a report is given."""
    html = Path(path).read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(re.search(r'id="data">(.*?)</script>', html)[1])  # type: ignore[index]
    return data


def test_a_report_with_markers_events_and_missing_meshes(demo, cli) -> None:
    """What is missing is said once, before the model is described, and so before anything is computed."""
    model = osim.Model(str(demo.model))
    model.getBodySet().get("tibia_r").attachGeometry(osim.Mesh("lost.vtp"))
    model.finalizeConnections()
    model.printToXML("meshed.osim")
    times = np.linspace(0, 0.6, 7)
    write_trc("walk.trc", times, np.zeros((7, 1, 3)), ["A"])
    Path("events.csv").write_text("time,side,event\n0.1,r,contact\n0.5,r,contact\n")
    more = ("--model", "meshed.osim", "--report", "--markers", "walk.trc", "--events", "events.csv", "--no-picture")
    outcome = cli("id", demo.setup, "--masses", demo.masses, "--out", "results", *more, "--no-band")
    assert outcome.code == 0
    assert outcome.err.count("lost.vtp") == 1 and "--geometry" in outcome.err
    assert names("results") == USUAL | {"inverse_dynamics_report.html"}
    data = page_data("results/inverse_dynamics_report.html")
    assert data["gait"]["cycles"] == {"r": [[0.1, 0.5]]} and data["scene"]["markerNames"] == ["A"]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--geometry", "."], "--geometry has no effect here: it needs --report"),
        (["--report", "--geometry", "nowhere"], "--geometry nowhere: expected a folder"),
        (["--events", "late.csv"], "late.csv: its 2 events, from 8 to 9 s, hold no gait cycle between 0"),
        (["--cycles"], "the motion has no gait cycle: expected two contacts"),
        (["--report", "--events", "late.csv"], "late.csv: its 2 events, from 8 to 9 s, hold no gait cycle between 0"),
        (["--report", "--events", "absent.csv"], "absent.csv: file of events does not exist"),
        (["--report", "--markers", "late.trc"], "late.trc: the markers go from 8 to 9 s"),
        (["--coordinates", "knee_angle"], "unknown coordinate 'knee_angle' in --coordinates; did you mean"),
        (["--no-picture", "--coordinates", "knee_angle_r"], "--coordinates has no effect here: --no-picture is given"),
        (["--no-picture", "--picture", "pdf"], "not allowed with argument --no-picture"),
    ],
)
def test_what_a_report_cannot_show_is_refused_at_once(demo, refused, options: list[str], reason: str) -> None:
    (demo.folder / "late.csv").write_text("time,side,event\n8,r,contact\n9,r,contact\n")
    write_trc(demo.folder / "late.trc", [8.0, 9.0], np.zeros((2, 1, 3)), ["A"])
    places = [str(demo.folder / word) if word.startswith(("late", "absent")) else word for word in options]
    assert reason in refused("id", demo.setup, "--masses", demo.masses, "--out", "results", *places)


def test_the_picture_shows_what_is_asked_for(demo, cli) -> None:
    arguments = ("--masses", demo.masses, "--no-band", "--picture", "svg")
    for folder, more in (("a", ()), ("b", ("--coordinates", "knee_angle_r"))):
        assert cli("id", demo.setup, *arguments, "--out", folder, *more).code == 0
    usual, asked = (Path(folder, "inverse_dynamics_plot.svg").read_text() for folder in "ab")
    assert ">ankle angle r<" in usual and ">knee angle r<" in usual
    assert ">ankle angle r<" not in asked and ">knee angle r<" in asked


def test_bellies_that_swing(demo, cli, refused) -> None:
    """Forces and a table besides the usual files; options of what does not swing are refused."""
    assert "--wobble" in refused("id", demo.setup, "--wobble-frequency", "12")
    options = ("--no-band", "--no-picture", "--wobble", "--wobble-frequency", "12")
    masses = pd.read_csv(demo.masses)
    muscle = masses.loc[0, "muscle"]
    masses.assign(**{"wobble damping": [0.7, *[None] * (len(masses) - 1)]}).to_csv("masses.csv", index=False)
    outcome = cli("id", demo.setup, "--masses", "masses.csv", "--out", "swung", *options)
    assert outcome.code == 0
    assert names("swung") == USUAL | {"inverse_dynamics_wobble.sto", "inverse_dynamics_wobble.csv"}
    table = pd.read_csv("swung/inverse_dynamics_wobble.csv", index_col=0)
    np.testing.assert_allclose(table["median frequency [Hz]"], 12.0)
    added = read_table("swung/inverse_dynamics_wobble.sto").abs().max()
    assert added["knee_angle_r_moment"] > 1e-3
    assert table.loc[muscle, "damping"] == 0.7 and (table.drop(index=muscle)["damping"] == 0.2).all()
    record = json.loads(Path("swung/inverse_dynamics_run.json").read_text())["wobble"]
    assert record["frequency"] == 12.0 and record["by the mass table"] == {muscle: {"wobble damping": 0.7}}


@pytest.mark.slow
def test_a_model_and_a_motion_need_no_setup(demo, cli) -> None:
    outcome = cli("id", "--model", demo.model, "--motion", demo.motion, "--masses", demo.masses, "--no-band")
    assert (outcome.code, outcome.err) == (0, "")
    written = read_table(Path("inverse_dynamics_inertial.sto"))
    result = inverse_dynamics(InertialModel(demo.model, demo.masses), demo.motion, band=False)
    np.testing.assert_array_equal(written.to_numpy(), result.inertial_forces)
    files = {path.name for path in result.save("python").values()} | {"inverse_dynamics_plot.png"}
    assert files == {path.name for path in Path.cwd().glob("inverse_*")}


@pytest.mark.slow
def test_quiet_commands_say_nothing(demo, cli, tmp_path: Path) -> None:
    outcome = cli("id", demo.setup, "--out", tmp_path / "results", "--no-band", "--quiet")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    assert (tmp_path / "results" / "inverse_dynamics_inertial.sto").is_file()
    assert "does not exist" in cli("id", "absent.xml", "-q").err


@pytest.mark.slow
def test_verbose_commands_say_their_steps_and_leave_logging_as_it_was(demo, cli, tmp_path: Path) -> None:
    logger = logging.getLogger("opensim_inertia")
    before = (logger.level, list(logger.handlers))
    silent = cli("id", demo.setup, "--out", tmp_path / "results", "--no-band")
    said = cli("id", demo.setup, "--out", tmp_path / "results", "--no-band", "-v")
    assert said.out == silent.out and silent.err == ""
    lines = said.err.splitlines()
    assert lines[0] == f"opensim-inertia: loading the model {demo.model}"
    assert any("4 muscles on" in line for line in lines) and "inverse dynamics at 61 rows" in lines[-1]
    assert (logger.level, logger.handlers) == before
