"""A new option of recruitment is a new field: command line, studies and records have it without another line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import opensim_inertia
from opensim_inertia.demo import write_demo

PROGRAM = """
import sys
from dataclasses import dataclass
import opensim_inertia.options.recruitment as options
from opensim_inertia._core.options import above, option

@dataclass(frozen=True)
class Actuation(options.Actuation):
    made_up: float = option(0.5, "what nobody has heard of", unit="N", check=above(0), metavar="N")

options.Actuation = Actuation  # before anything else is imported, as if the field were written there
"""
COMMAND = """
from opensim_inertia.cli import main
raise SystemExit(main())
"""
STUDY = """
import json
import opensim_inertia as oi

def study(**recruitment):
    trial = {"setup": "recruit.xml", "id": "so", "masses": "masses.csv"}
    asked = {"reserves": 100.0, "free": ["base"], **recruitment}
    result = oi.study({"trial": [trial], "recruitment": asked, "cluster": {"workers": 0}, "out": sys.argv[1],
                       "output": {"reports": "none", "pictures": False}})
    return result.of(result.tasks[0]).provenance["made up"]

found = [study(), study(made_up=2.5)]
for wrong in ({"made_up": -1.0}, {"made_upp": 1.0}):
    try:
        study(**wrong)
    except oi.InertiaError as error:
        found.append(str(error))
print(json.dumps(found))
"""
SETUP = """<OpenSimDocument Version="40000"><AnalyzeTool name="swing"><model_file>{model}</model_file>
<results_directory>.</results_directory><coordinates_file>{motion}</coordinates_file>
<initial_time>0.1</initial_time><final_time>0.2</final_time><AnalysisSet><objects><StaticOptimization>
<on>true</on><step_interval>20</step_interval></StaticOptimization></objects></AnalysisSet></AnalyzeTool>
</OpenSimDocument>"""


def run(folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(Path(opensim_inertia.__file__).parents[1])}
    command = [sys.executable, "-c", PROGRAM + program, *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made_up")
    demo = write_demo(folder)
    (folder / "recruit.xml").write_text(SETUP.format(model=demo["model"], motion=demo["motion"]))
    (folder / "masses.csv").write_bytes(Path(demo["masses"]).read_bytes())
    return folder


def test_help_shows_it(folder: Path) -> None:
    shown = run(folder, COMMAND, "recruit", "--help-all")
    assert "--made-up N what nobody has heard of (default: 0.5)" in " ".join(shown.stdout.split())


@pytest.mark.slow
def test_the_command_line_takes_it_and_the_record_has_it(folder: Path) -> None:
    pytest.importorskip("daqp", reason="recruitment needs DAQP")
    for given, value in (((), 0.5), (("--made-up", "3"), 3.0)):
        arguments = ("recruit", "recruit.xml", "--masses", "masses.csv", "--reserves", "100", "--free", "base", *given)
        done = run(folder, COMMAND, *arguments, "--kind", "lumped", "--out", "out")
        assert done.returncode == 0, done.stderr
        assert json.loads((folder / "out" / "swing_run.json").read_text())["made up"] == value
    refused = run(folder, COMMAND, *arguments[:-1], "-3")
    assert refused.returncode == 2 and "--made-up -3.0: expected a number above 0" in refused.stderr


@pytest.mark.slow
def test_studies_take_it(folder: Path) -> None:
    for package in ("daqp", "distributed", "pyarrow"):
        pytest.importorskip(package)
    done = run(folder, STUDY, "study")
    assert done.returncode == 0, done.stderr
    default, chosen, wrong, unknown = json.loads(done.stdout.splitlines()[-1])
    assert (default, chosen) == (0.5, 2.5)
    assert "made_up is -1.0; expected a number above 0" in wrong and "'made_up'" in unknown
