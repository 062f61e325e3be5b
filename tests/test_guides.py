"""The commands and snippets of README and guides: all have commands, options and names that exist, and most are run."""

import argparse
import re
import shlex
import shutil
import warnings
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path

import pytest
from conftest import model_path, slow_except

import opensim_inertia as oi
from opensim_inertia._core.opensim import osim
from opensim_inertia.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guides").glob("*.md"))]
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
    name, *words = shlex.split(line, comments=True)[1:]
    (command,) = (command for command in COMMANDS if command.NAME == name)
    parser = argparse.ArgumentParser(allow_abbrev=False, exit_on_error=False)
    command.add_arguments(parser)
    assert parser.parse_args(words)


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
    "recruitment": (walk, 1),
    "simulation": (arm, 1),
    "posture-and-stability": (arm, 1),
    "neural-control": (arm, 1),
    "gradients": (arm, 1),
}


@pytest.mark.parametrize("name", slow_except({"checking", "masses-and-strain", "neural-control"}, RUN))
def test_blocks_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As they stand, one after another, where the files that they name are a real model's."""
    (page,) = (page for page in PAGES if page.stem == name)
    if name == "gradients":
        pytest.importorskip("torch")
    if name in ("recruitment", "posture-and-stability"):
        pytest.importorskip("daqp")
    monkeypatch.chdir(tmp_path)
    prepare, count = RUN[name]
    names: dict[str, object] = {"oi": oi, "osim": osim}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", oi.InertiaWarning)
        names |= prepare()
        for block in blocks(page, "python")[:count]:
            code, _, _ = block.partition("best = ")  # the optimisation itself takes minutes
            exec(compile(code, str(page), "exec"), names)
