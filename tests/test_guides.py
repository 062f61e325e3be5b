"""The commands and snippets of README and guides: all have commands, options and names that exist, and most are run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

import opensim as osim
import pytest
from conftest import model_path, slow_except
from oracles.docs_scripts import load_script

import opensim_inertia as oi
from opensim_inertia.cli import command_parser, main

ROOT = Path(__file__).resolve().parents[1]
TUTORIAL = ROOT / "docs" / "tutorial.md"
PAGES = [ROOT / "README.md", TUTORIAL, *sorted((ROOT / "docs" / "guides").glob("*.md"))]
WALK = Path("Pipelines/Gait10dof18musc")


def blocks(page: Path, language: str) -> list[str]:
    """Return the fenced blocks of a page that are in a language, which is empty for commands."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def commands() -> list[str]:
    """Return the program's command lines in fenced blocks and in sentences, without those that leave something out."""
    found = []
    for page in PAGES:
        lines = [line for block in blocks(page, "") for line in block.splitlines()]
        prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        lines += [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", prose)]
        found += [line.split("&& ")[-1] for line in lines if re.match(r"(.* && )?opensim-inertia \S+ \S", line)]
    return sorted({line for line in found if "..." not in line})


@pytest.mark.parametrize("line", commands())
def test_commands_have_options_that_exist(line: str) -> None:
    assert command_parser().parse_args(shlex.split(line, comments=True)[1:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_names_exist_and_blocks_are_python(page: Path) -> None:
    for block in blocks(page, "python"):
        compile(block, str(page), "exec")
    names = set(re.findall(r"\boi\.((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)", page.read_text(encoding="utf-8")))
    for name in names:
        assert attrgetter(name)(oi) is not None


def walk() -> dict[str, object]:
    """Put the files of a walk into the working folder, by the names that the guides use; return what blocks take."""
    loads = model_path(WALK / "ExperimentalData" / "subject01_walk_grf.xml").parent
    for file in loads.glob("subject01_walk_grf.*"):
        shutil.copy(file, ".")
    shutil.copy("subject01_walk_grf.xml", "grf.xml")
    for name in ("walk_ik.mot", "walk.mot"):
        shutil.copy(model_path(WALK / "OutputReference" / "IK" / "subject01_walk_IK.mot"), name)
    for name in ("subject01.osim", "model.osim"):
        shutil.copy(model_path(WALK / "OutputReference" / "subject01.osim"), name)
    model = osim.Model("subject01.osim")
    residuals = osim.ForceSet()
    for coordinate in ("pelvis_tilt", "pelvis_tx", "pelvis_ty", "lumbar_extension"):
        actuator = osim.CoordinateActuator(coordinate)
        actuator.setName(f"residual_{coordinate}")
        actuator.setOptimalForce(1000.0)
        residuals.cloneAndAppend(actuator)
    residuals.printToXML("residuals.xml")
    return {"model": model, "inertial": oi.InertialModel(model, oi.estimate_masses(model))}


def arm() -> dict[str, object]:
    """Put the model of an arm into the working folder; return what blocks take."""
    shutil.copy(model_path("Models/Arm26/arm26.osim"), "arm26.osim")
    model = osim.Model("arm26.osim")
    masses = oi.estimate_masses(model)
    inertial = oi.InertialModel(model, masses)
    return {"model": model, "masses": masses, "inertial": inertial, "state": inertial.initial_state()}


#: What the blocks of a page need, and how many of them are run: others fetch data.
RUN: dict[str, tuple[Callable[[], dict[str, object]], int]] = {
    "README": (walk, 1),
    "checking": (walk, 1),
    "inverse-dynamics": (walk, 1),
    "masses-and-strain": (walk, 1),
    "method-developers": (walk, 3),
    "recruitment": (walk, 1),
    "simulation": (arm, 1),
    "posture-and-stability": (arm, 1),
    "neural-control": (arm, 1),
    "gradients": (arm, 1),
}


@pytest.mark.parametrize("name", slow_except({"checking", "masses-and-strain"}, RUN))
def test_blocks_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As they stand, one after another, where the files that they name are a real model's; README's prints its text."""
    (page,) = (page for page in PAGES if page.stem == name)
    if name == "gradients":
        pytest.importorskip("torch")
    if name in ("recruitment", "posture-and-stability"):
        pytest.importorskip("daqp")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    prepare, count = RUN[name]
    names: dict[str, object] = {"oi": oi, "osim": osim}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.InertiaWarning)
        names |= prepare()
        for block in blocks(page, "python")[:count]:
            code, _, _ = block.partition("best = ")  # the optimisation itself takes minutes
            exec(compile(code, str(page), "exec"), names)
    if name == "README":
        printed = capsys.readouterr().out.splitlines()
        assert [line for line in blocks(page, "text")[0].splitlines() if line not in printed] == []


@pytest.mark.slow
def test_the_tutorial_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Blocks are run in their order; each line of a block of output was printed since the one before it."""
    for package in ("daqp", "distributed", "pyarrow"):
        pytest.importorskip(package)
    (tmp_path / "tutorial").mkdir()
    shutil.copytree(ROOT / "tests" / "data", tmp_path / "tests" / "data")
    monkeypatch.chdir(tmp_path / "tutorial")
    monkeypatch.setenv("COLUMNS", "100")
    names: dict[str, object] = {}
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```$", TUTORIAL.read_text(encoding="utf-8"), re.M | re.S):
        if language == "python":
            exec(compile(block, str(TUTORIAL), "exec"), names)
        elif language == "text":
            printed = capsys.readouterr().out.splitlines()
            assert [line for line in block.splitlines() if line not in printed] == []
        else:
            assert main(shlex.split(block)[1:]) in (0, 2)  # 2: the check of a mistake


@pytest.mark.slow
def test_the_demo_prints_the_numbers_of_its_guide(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--out", str(tmp_path)]) == 0
    assert load_script("stated_numbers").differing("opensim-inertia demo", capsys.readouterr().out) == []


@pytest.mark.slow
def test_the_page_for_matlab_runs_in_octave(tmp_path: Path) -> None:
    """The example prints what the page says, and draws where Octave can."""
    octave = shutil.which("octave-cli")
    if octave is None or os.name == "nt":
        pytest.skip("needs Octave")
    page = ROOT / "docs" / "guides" / "matlab.md"
    command = tmp_path / "bin" / "opensim-inertia"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m opensim_inertia "$@"\n')
    command.chmod(0o755)
    shutil.copy(ROOT / "examples" / "plot_band.m", tmp_path)
    before = "set(0, 'defaultfigurevisible', 'off'); printf('%d toolkits\\n', numel(available_graphics_toolkits()));"
    (tmp_path / "script.m").write_text("\n".join([before, "system('opensim-inertia demo');", *blocks(page, "matlab")]))
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": str(Path(oi.__file__).parents[1])}
    printed = subprocess.run(
        [octave, "--no-gui", "script.m"], cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE
    ).stdout.splitlines()
    text = " ".join(page.read_text(encoding="utf-8").split())
    (said,) = re.findall(r"prints `([^`]+)` and `([^`]+)`", text)
    assert [line for line in said if line not in printed] == []
    if "0 toolkits" in printed:
        pytest.skip("needs gnuplot for the picture of Octave")
    assert (tmp_path / "results" / "ankle_angle_r.png").stat().st_size > 10_000


def test_the_paper_cites_all_that_it_lists_and_shows_pictures_that_exist() -> None:
    paper = ROOT / "paper"
    if not paper.is_dir():
        pytest.skip("a source distribution has no paper")
    text, listed = ((paper / f"paper.{kind}").read_text(encoding="utf-8") for kind in ("md", "bib"))
    assert set(re.findall(r"@(\w+:\w+)", text)) == set(re.findall(r"^@\w+\{(\S+),$", listed, re.MULTILINE))
    pictures = re.findall(r"!\[.*\]\((.*)\)", text)
    assert len(pictures) == 2 and all((paper / picture).is_file() for picture in pictures)
