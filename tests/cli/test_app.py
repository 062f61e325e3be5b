"""The program itself: help, version, exit codes, interruption, warnings, where files go."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from conftest import slow_except
from oracles.demo_leg import swing_motion
from oracles.wrap_model import MASSES, wrap_model

import opensim_inertia
from opensim_inertia import InertialModel
from opensim_inertia._core.errors import Option
from opensim_inertia.cli import main, output, tidy_warnings
from opensim_inertia.errors import OutputError
from opensim_inertia.files import write_table
from opensim_inertia.warnings import InertiaWarning, WrappingFallbackWarning


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: COMMAND"),
        (["frobnicate"], "unknown command 'frobnicate'; there are 'check', 'id'"),
        (["recrut"], "unknown command 'recrut'; did you mean 'recruit'"),
        (["id", "x.xml", "--cutof", "6"], "unknown option '--cutof'; did you mean '--cutoff'? (see"),
        (["id", "x.xml", "--mas=m.csv"], "unknown option '--mas'; did you mean '--masses'?"),
        (["demo", "more"], "unrecognized arguments: more (see 'opensim-inertia demo"),
        (["id"], "expected a setup file"),
        (["id", "x.xml", "--method", "guess"], "invalid choice: 'guess'"),
        (["id", "x.xml", "--cutoff", "0"], "'0' is not a frequency"),
        (["id", "x.xml", "--filter", "15"], "unknown option '--filter'; did you mean '--cutoff'? (see"),
        (["check", "x.osim", "--grf", "loads.xml"], "unknown option '--grf'; did you mean '--external-loads'? (see"),
        (["id", "x.xml", "--output", "results"], "unknown option '--output'; did you mean '--out'? (see"),
    ],
)
def test_wrong_command_lines_are_one_line(refused: Callable[..., str], arguments: list[str], message: str) -> None:
    shown = refused(*arguments)
    assert message in shown
    assert "--help'" in shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--height", "1.8"], "--height has no effect here: it needs --method handsfield"),
        (["--height", "nan"], "--height nan: expected a number above 0"),
        (["--method", "handsfield"], "needs --height"),
        (
            ["--method", "handsfield", "--height", "1.8", "--specific-tension", "0.3"],
            "--specific-tension has no effect",
        ),
        (["--masses", "m.csv", "--method", "handsfield"], "--method has no effect here: --masses is given"),
        (["--belly", "proximal"], "--belly has no effect here: it needs --strain uniform"),
        (["--proximal-tendon", "0.5"], "--proximal-tendon has no effect here: it needs --strain rigid_tendon"),
    ],
)
def test_options_without_effect_are_refused(refused: Callable[..., str], arguments: list[str], message: str) -> None:
    assert message in refused("id", "x.xml", *arguments)


def test_module_runs(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(opensim_inertia.__file__).parents[1])}
    command = [sys.executable, "-m", "opensim_inertia", "--version"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == f"opensim-inertia {opensim_inertia.__version__}\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one child process")
@pytest.mark.parametrize("delay", slow_except([0.0], [0.0, 0.3]))  # s; all of it takes 0.9 s on a fast machine
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupt_leaves_nothing(demo, start, tmp_path: Path, delay: float, sent: signal.Signals, code: int) -> None:
    write_table(swing_motion(rate=10_000), demo.motion, in_degrees=False, name="long swing")
    program = start("id", demo.setup, "--out", tmp_path / "results" / "deep", "-v")
    assert any("inverse dynamics at" in line for line in iter(program.stderr.readline, ""))
    time.sleep(delay)
    program.send_signal(sent)
    _, err = program.communicate(timeout=60)
    assert program.returncode == code
    assert err == "opensim-inertia: interrupted\n"
    assert not (tmp_path / "results").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"demo"}


@pytest.mark.parametrize("made_of_it", [None, ValueError("Invalid bounding box")])
def test_interrupt_while_writing_leaves_nothing(
    demo, cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made_of_it: Exception | None
) -> None:
    """And so where a library forgets it and raises another error, as Matplotlib's C++ does."""

    def interrupt(*_: object, **__: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            if made_of_it is None:
                raise
        raise made_of_it or AssertionError

    monkeypatch.setattr("opensim_inertia.plotting.forces.plot_forces", interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background ignores SIGINT
    try:
        outcome = cli("id", demo.setup, "--out", tmp_path / "results" / "deep")
    finally:
        signal.signal(signal.SIGINT, before)
    assert outcome.code == 130
    assert outcome.err == "opensim-inertia: interrupted\n"
    assert not (tmp_path / "results").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
def test_closed_pipe_is_quiet(demo, start) -> None:
    program = start("masses", demo.model)
    program.stdout.close()
    assert program.wait(timeout=60) == 141
    assert program.stderr.read() == ""
    program.stderr.close()


def test_staged_names_the_users_file(tmp_path: Path) -> None:
    """Not the hidden one in which it is written first."""
    results = output.Results(tmp_path / "results", {"a": ("a.sto", "a table")}, [])
    with pytest.raises(OutputError) as error, results.staged() as places:
        write_table(swing_motion().iloc[:0], places["a"])
    assert str(error.value) == f"cannot write {tmp_path / 'results' / 'a.sto'}: 0 rows; at least 1 are needed"
    assert list(tmp_path.iterdir()) == []


def test_staged_replaces_all_files_or_none(tmp_path: Path) -> None:
    results = output.Results(tmp_path, {"a": ("a.txt", "a text"), "b": ("b.txt", "a text")}, [])
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("old")
    with ExitStack() as held, pytest.raises(OutputError, match=r"b\.txt"), results.staged() as places:
        for place in places.values():
            place.write_text("new")
        if sys.platform == "win32":
            held.enter_context((tmp_path / "b.txt").open())
        else:
            (tmp_path / "b.txt").unlink()
            (tmp_path / "b.txt").mkdir()
    assert (tmp_path / "a.txt").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["a.txt", "b.txt"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("opensim-inertia rec", {"recruit"}),
        ("opensim-inertia recruit setup.xml --cut", {"--cutoff"}),
        ("opensim-inertia id x.xml --strain ", {"aponeurosis", "rigid_tendon", "uniform"}),
    ],
)
def test_shells_complete_commands_options_and_choices(line: str, words: set[str], tmp_path: Path) -> None:
    """As a shell asks: the line so far is in the environment, and the words that may follow go to a file."""
    pytest.importorskip("argcomplete")
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    environment = os.environ | asked | {"_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "words")}
    program = "import sys; from opensim_inertia.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert {word.strip() for word in (tmp_path / "words").read_text().split("\n")} == words, done.stderr


def run_alone(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(Path(opensim_inertia.__file__).parents[1])}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_help_and_wrong_arguments_load_nothing_heavy() -> None:
    """What the first answers wait for is the interpreter, not NumPy or OpenSim."""
    commands = ("id", "simulate", "posture", "masses", "rank", "wraps", "fit-lengths", "demo")
    lines = [
        (0, "--help"),
        (0, "--version"),
        *((0, name, "--help") for name in commands),
        (2, "id"),
        (2, "frobnicate"),
        (2, "id", "x.xml", "--belly", "central"),
        (2, "id", "x.xml", "--filter", "6"),
        (2, "rank", "missing.osim"),
    ]
    program = (
        "import sys\n"
        "from opensim_inertia.cli import main\n"
        f"for expected, *words in {lines}:\n"
        "    try:\n        code = main(words)\n    except SystemExit as end:\n        code = end.code\n"
        "    heavy = {'numpy', 'opensim', 'pandas', 'scipy', 'matplotlib', 'torch', 'tqdm'} & set(sys.modules)\n"
        "    assert (code, heavy) == (expected, set()), (words, code, heavy)\n"
    )
    done = run_alone(program)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("option", "shown"),
    [
        (Option("strain", "uniform"), "--strain uniform"),
        (Option("proximal_tendon", 2.0), "--proximal-tendon 2.0"),
        (Option("muscles", ["soleus_*", "a b"]), "--muscles 'soleus_*' 'a b'"),
        (Option("strict", True), "--strict"),
        (Option("band", False), "--no-band"),
        (Option("height", None), "--height"),
        (Option("density", 3), "density=3"),  # no option of the command
        (Option("path", "x.tiff"), "--plot x.tiff"),
    ],
)
def test_messages_name_options_as_they_are_typed(option: Option, shown: str, capsys) -> None:
    names = {name: name for name in ("strain", "proximal_tendon", "muscles", "strict", "band", "height")}
    with tidy_warnings((names | {"path": "plot"}).get):
        warnings.warn(InertiaWarning("use ", option, " there"), stacklevel=1)
    assert capsys.readouterr().err == f"opensim-inertia: warning: use {shown} there\n"
    assert str(InertiaWarning("use ", option)) == f"use {option.name}={option.value!r}"


def test_wraps_that_fall_back_name_the_option(cli, tmp_path: Path) -> None:
    """Without a quadrant the path may pass the cylinder on either side: OpenSim's own is used."""
    model = wrap_model("cylinder")
    with pytest.warns(WrappingFallbackWarning, match=r"used for it \(wrapping='opensim': slower"):
        InertialModel(model, MASSES, "uniform")
    model.printToXML(str(tmp_path / "wrap.osim"))
    outcome = cli("rank", tmp_path / "wrap.osim", "--strain", "uniform")
    assert outcome.code == 0
    assert "used for it (--wrapping opensim: slower" in outcome.err


def test_help_shows_options_of_everyday_and_all_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    shown = {}
    for word in ("--help", "--help-all"):
        with pytest.raises(SystemExit):
            main(["id", word])
        shown[word] = set(re.findall(r"(?m)^  (?:-.*?, )?(--[a-z-]+)", capsys.readouterr().out))
    assert {"--masses", "--strain", "--cutoff", "--out", "--help-all"} < shown["--help"] < shown["--help-all"]
    assert len(shown["--help"]) < 20 and {"--wobble-damping", "--smoothing"} < shown["--help-all"]


def test_a_file_has_options_that_are_not_given(demo, cli, refused, tmp_path: Path) -> None:
    """By the sections of a study; the command line has the last word, and paths are relative to the file."""
    options = tmp_path / "options.toml"
    options.write_text(
        f"[masses]\ntable = '{demo.masses}'\nunsupported = 'massless'\n[options]\nstrain = 'uniform'\npoints = 7\n"
        "distribution = 'points'\n[uncertainty]\ndraws = 128\n[recruitment]\nevery = 2\n"
    )
    made = tmp_path / "made"
    arguments = ("id", demo.setup, "--config", options, "--points", "5", "--no-picture", "--out", made)
    assert cli(*arguments).code == 0
    record = json.loads((made / "inverse_dynamics_run.json").read_text())
    assert record["options"]["strain"] == "uniform" and record["options"]["points"] == 5
    assert record["band"]["draws"] == 128
    options.write_text("[options]\nstrains = 'uniform'\n")
    assert "unknown key 'strains'" in refused(*arguments)
    options.write_text("[options]\nstrain = 'unifrom'\n")
    assert "strain is 'unifrom'; did you mean 'uniform'?" in refused(*arguments)
