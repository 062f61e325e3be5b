"""``opensim-inertia recruit``: OpenSim's setups as they are, options, files, and what is refused."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from oracles import tutorial
from oracles.program import PROGRAM

import opensim_inertia as oi
from opensim_inertia.files import read_inverse_dynamics_setup

TABLES = [f"StaticOptimization_{kind}{what}.sto" for kind in ("", "lumped_") for what in ("activation", "force")]
OTHERS = "plot.png bounds.png summary.csv status.csv masses.csv run.json"
WRITTEN = {f"subject01_{name}" for name in (*TABLES, *OTHERS.split())}


@pytest.fixture
def folder(opensim_models: Path) -> Path:
    return opensim_models / tutorial.FOLDER


def test_the_tutorials_setup_is_read_as_it_is(folder: Path) -> None:
    setup = oi.files.read_static_optimization_setup(folder / tutorial.SETUP)
    assert setup.name == "subject01" and setup.time_range == (0.5, 1.999)
    assert (setup.every, setup.power, setup.physiology, setup.cutoff) == (10, 2.0, True, None)
    assert setup.force_set_files == (folder / tutorial.ACTUATORS,) and not setup.replace_force_set
    assert setup.external_loads_file == folder / tutorial.LOADS
    assert setup.coordinates_file == folder / tutorial.MOTION
    assert setup.results_directory == Path(f"{folder}/ResultsStaticOptimization") and setup.reactions == ()


def with_reactions(folder: Path, path: Path, **changes: str) -> Path:
    """The tutorial's two setups in one, which names its files by absolute paths."""
    tree = ElementTree.parse(folder / tutorial.SETUP)
    reaction = ElementTree.parse(folder / "setup_JointReaction.xml").getroot().find(".//JointReaction")
    tree.getroot().find(".//AnalysisSet/objects").append(reaction)
    files = {"model_file": tutorial.MODEL, "force_set_files": tutorial.ACTUATORS}
    files |= {"external_loads_file": tutorial.LOADS, "coordinates_file": tutorial.MOTION}
    for name, value in ({n: str(folder / file) for n, file in files.items()} | changes).items():
        for element in tree.iter(name):
            element.text = value
    tree.write(path)
    return path


def test_files_have_opensims_names_and_columns(cli, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    setup = with_reactions(folder, tmp_path / "setup.xml")
    out = tmp_path / "results"
    outcome = cli("recruit", setup, "--out", out, "--every", "300", "--criterion", "min_max")
    assert (outcome.code, outcome.err) == (0, "")
    assert {p.name for p in out.iterdir()} == WRITTEN | {"subject01_JointReaction_ReactionLoads.sto"}
    assert "all 6 rows are solved." in outcome.out and "criterion min max, quadratic below" in outcome.out
    reactions = oi.read_table(out / "subject01_JointReaction_ReactionLoads.sto")
    stock = tutorial.published(folder.parents[1], "JointReaction_ReactionLoads")
    assert list(reactions.columns) == list(stock.columns)
    activation = oi.read_table(out / "subject01_StaticOptimization_activation.sto")
    assert list(activation.columns) == list(
        tutorial.published(folder.parents[1], "StaticOptimization_activation").columns
    )
    forces = oi.read_table(out / "subject01_StaticOptimization_force.sto")
    assert np.isfinite(forces.to_numpy()).all()
    record = json.loads((out / "subject01_run.json").read_text())
    assert record["criterion"] == {"name": "min_max", "secondary": "quadratic"} and record["every"] == 300
    assert (pd.read_csv(out / "subject01_status.csv")["status"] == "solved").all()


@pytest.mark.slow
def test_options_replace_what_the_setup_says(cli, folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    outcome = cli(
        *("recruit", folder / tutorial.SETUP, "--model", folder / tutorial.MODEL, "--out", tmp_path / "results"),
        *("--time-range", "0.5", "0.55", "--every", "25", "--power", "3", "--kind", "lumped", "--joints", "hip_r"),
        *("--muscles", "soleus_*", "--picture", "svg"),
    )
    assert (outcome.code, outcome.err) == (0, "")
    result = tutorial.recruited(folder.parents[1], every=25, power=3, time_range=(0.5, 0.55))
    written = oi.read_table(tmp_path / "results" / "subject01_StaticOptimization_activation.sto")
    np.testing.assert_allclose(written, result.controls, atol=1e-7)
    assert (tmp_path / "results" / "subject01_bounds.svg").is_file()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="other signals there")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_interrupted_while_its_processes_start_it_ends_with_one_line(folder: Path, tmp_path: Path, name: str) -> None:
    """SIGINT reaches the processes, too, as Ctrl-C does; SIGTERM does not, as of a queue."""
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    psutil = pytest.importorskip("psutil")
    (temporary := tmp_path / "temporary").mkdir()
    words = [sys.executable, "-P", "-c", PROGRAM, "recruit", folder / tutorial.SETUP, "--every", "1", "--workers", "2"]
    words += ["--model", folder / tutorial.MODEL, "--out", tmp_path / "results"]
    places = {"PYTHONPATH": str(Path(oi.__file__).parents[1]), "TMPDIR": str(temporary)}
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "start_new_session": True, "text": True}
    process = subprocess.Popen(words, env=os.environ | places, **pipes)
    own = list[Any]()
    while process.poll() is None and sum(each.cpu_times().user > 0.2 for each in own) < 2:  # both import
        own = psutil.Process(process.pid).children()
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGTERM) if name == "SIGTERM" else os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert (process.returncode, said) == ({"SIGINT": 130, "SIGTERM": 143}[name], "opensim-inertia: interrupted\n")
    assert not psutil.wait_procs(own, timeout=10)[1]
    assert list(tmp_path.rglob("*")) == [temporary]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"on": "false"}, "it has no <StaticOptimization> or <JointReaction> that is on, among its analyses"),
        ({"on": "perhaps"}, "on of the StaticOptimization is 'perhaps'; expected true or false"),
        ({"step_interval": "0.5"}, "step_interval is 0.5; expected a whole number of at least 1"),
        ({"step_interval": "1e5000"}, "step_interval is inf; expected a whole number of at least 1"),
        ({"activation_exponent": "two"}, "activation_exponent of the StaticOptimization is 'two'; expected a number"),
        ({"activation_exponent": "0.5"}, "activation_exponent is 0.5; expected a finite number of at least 1"),
        ({"use_model_force_set": "false"}, "replaces all muscles by an actuator on each coordinate"),
        (
            {"states_file": "none.sto"},
            "coordinates file does not exist (named by the setup; give another with --motion)",
        ),
        ({"speeds_file": "none.sto"}, "speeds file does not exist"),
        ({"apply_on_bodies": "hand"}, "apply_on_bodies is 'hand'; expected one of child, parent"),
        ({"coordinates_file": ""}, "it names no coordinates file; give one with --motion"),
        ({"model_file": "none.osim"}, "does not exist (named by the setup; give another with --model)"),
        ({"force_set_files": "none.xml"}, "actuators file does not exist (named by the setup"),
    ],
)
def test_wrong_setups_are_named(refused, folder: Path, tmp_path: Path, changes: dict, told: str) -> None:
    assert told in refused("recruit", with_reactions(folder, tmp_path / "setup.xml", **changes))


def test_a_name_that_no_file_can_have_is_refused(refused, folder: Path, tmp_path: Path) -> None:
    setup = with_reactions(folder, tmp_path / "setup.xml")
    setup.write_text(re.sub(r'<AnalyzeTool name="[^"]*"', '<AnalyzeTool name="a/b"', setup.read_text()))
    assert "the tool's name is 'a/b', with which names of results begin" in refused("recruit", setup)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--power", "0.5"), "--power 0.5: expected a finite number of at least 1"),
        (("--workers", "0"), "--workers 0: expected a whole number from 1"),
        (("--workers", "1025"), f"a whole number from 1 to {61 if sys.platform == 'win32' else 1024}"),
        (("--every", "0"), "--every 0: expected a whole number from 1"),
        (("--criterion", "best"), "invalid choice: 'best'"),
        (("--reserves", "-1"), "--reserves"),
    ],
)
def test_wrong_options_are_named(refused, folder: Path, arguments: tuple, told: str) -> None:
    assert told in refused("recruit", folder / tutorial.SETUP, *arguments)


def test_another_tools_setup_is_refused(refused, demo) -> None:
    demo.setup.write_text(demo.setup.read_text().replace("InverseDynamicsTool", "ForwardTool"))
    assert "expected a setup of OpenSim's AnalyzeTool" in refused("recruit", demo.setup)
    assert "expected a setup file, or --model and --motion" in refused("recruit", "--model", demo.model)


def test_a_setup_of_inverse_dynamics_or_none_is_enough(cli, demo, tmp_path: Path) -> None:
    """No muscle crosses the demo's hip, whose reserves are its moments of inverse dynamics."""
    options = ("--masses", demo.masses, "--reserves", "100", "--free", "base", "--every", "4")
    times = read_inverse_dynamics_setup(demo.setup).time_range
    files = ("--model", demo.model, "--motion", demo.motion, "--time-range", *map(repr, times))
    for out, given in (("setup", (demo.setup, "--picture", "svg", "--report")), ("none", (*files, "--no-picture"))):
        outcome = cli("recruit", *given, *options, "--out", out)
        assert (outcome.code, outcome.err) == (0, "")
    inertial, recording = oi.InertialModel(demo.model, demo.masses), oi.Recording(demo.motion, time_range=times)
    moments = oi.inverse_dynamics(inertial, recording, band=False).inertial
    acting, outputs = oi.Actuation(reserves=100.0, free="base"), oi.options.RecruitmentOutputs(every=4)
    kinds = ("inertial", "lumped")
    python = oi.recruit(inertial, recording, actuation=acting, kind=kinds, outputs=outputs).save("python")
    tables = [oi.read_table(Path(out, python["force"].name)) for out in ("setup", "none", "python")]
    pictures = {"recruitment_plot.svg", "recruitment_bounds.svg", "recruitment_report.html"}
    assert "Muscle recruitment" in Path("setup/recruitment_report.html").read_text(encoding="utf-8")
    assert {path.name for path in Path("setup").iterdir()} == {path.name for path in python.values()} | pictures
    for table in tables:
        pd.testing.assert_frame_equal(table, tables[0])
        hip = moments.loc[table.index, "hip_flexion_r"].to_numpy()
        np.testing.assert_allclose(table["hip_flexion_r_reserve"], hip, rtol=0, atol=1e-9 * np.abs(hip).max())


@pytest.mark.slow
def test_without_its_solver_the_package_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['daqp'] = None\n"
        "import opensim_inertia as oi\n"
        "from opensim_inertia import *\n"
        "try: oi.recruitment.solve_recruitment([[1.0]], [0.5])\n"
        "except oi.InertiaError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == (
        "muscle recruitment, and postures, need the solver DAQP, which is not installed: "
        '`pip install "opensim_inertia[recruitment]"`\n'
    )
    (tmp_path / "daqp.py").write_text("raise ImportError('DLL load failed while importing daqp')")
    code = code.replace("sys.modules['daqp'] = None", f"sys.path.insert(0, {str(tmp_path)!r})")
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("DAQP, which is installed and cannot be loaded: DLL load failed while importing daqp\n")
