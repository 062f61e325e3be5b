"""The command line, run in this process or in one of its own, and the demo's files to work on."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import pytest
from oracles.program import PROGRAM

import opensim_inertia
from opensim_inertia.cli import main
from opensim_inertia.demo import write_demo


@pytest.fixture(autouse=True)
def pictures_without_ticks() -> Iterator[None]:
    """Leave ticks out, whose layout is half of the time of a command; whole pictures have tests of their own."""
    settings = dict.fromkeys(("xtick.bottom", "xtick.labelbottom", "ytick.left", "ytick.labelleft"), False)
    with matplotlib.rc_context(settings):
        yield


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Demo:
    folder: Path
    model: Path
    motion: Path
    setup: Path
    masses: Path


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """Run ``main`` in this process, in a folder of its own; what OpenSim's C++ prints is captured too."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = main([str(a) for a in arguments])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def refused(cli: Callable[..., Outcome]) -> Callable[..., str]:
    """Run ``main``, which must fail with one line on stderr and leave nothing in the working directory."""

    def run(*arguments: object) -> str:
        outcome = cli(*arguments)
        assert outcome.code == 2
        assert outcome.err.startswith("opensim-inertia: error: ")
        assert outcome.err.count("\n") == 1
        assert "Traceback" not in outcome.err
        assert list(Path.cwd().iterdir()) == []
        return outcome.err

    return run


def program(folder: Path, *arguments: object) -> subprocess.Popen[str]:
    package = str(Path(opensim_inertia.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": package, "MPLBACKEND": "Agg"}
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes)


@pytest.fixture
def start(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    return lambda *arguments: program(tmp_path, *arguments)


@pytest.fixture(scope="session")
def demo_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_demo(tmp_path_factory.mktemp("demo_files") / "demo")


@pytest.fixture
def demo(demo_files: dict[str, Path], tmp_path: Path) -> Demo:
    """The demo's files, in a folder of the test's own."""
    folder = tmp_path / "demo"
    shutil.copytree(demo_files["model"].parent, folder)
    return Demo(folder, **{what: folder / file.name for what, file in demo_files.items()})


@pytest.fixture(scope="session")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Demo, Path, Outcome]:
    """The demo, solved once by ``opensim-inertia id --trc`` as a program: its files, those written, what it said."""
    here = tmp_path_factory.mktemp("ran")
    demo = Demo(here / "demo", **write_demo(here / "demo"))
    process = program(here, "id", demo.setup, "--masses", demo.masses, "--out", "results", "--trc")
    out, err = process.communicate(timeout=120)
    assert {path.name for path in here.iterdir()} == {"demo", "results"}
    return demo, here / "results", Outcome(process.returncode, out, err)
