"""Odd names, numbers and places that a command may be given: the right answer, or an error in one line."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import opensim as osim
import pytest

from opensim_inertia import InertialModel, estimate_masses, read_table
from opensim_inertia.cli import main
from opensim_inertia.demo import write_demo
from opensim_inertia.errors import ModelError
from opensim_inertia.files import read_forward_setup, read_inverse_dynamics_setup, write_table
from opensim_inertia.files.atomic import writing

FORWARD = """<?xml version="1.0" encoding="{encoding}" ?>
<OpenSimDocument Version="40000"><ForwardTool name="kür">
<model_file>übung.osim</model_file><results_directory>Ergebnis_ü</results_directory>
<initial_time>0</initial_time><final_time>0.002</final_time>
<ControllerSet><objects><ControlSetController name="c"><controls_file>ströme.xml</controls_file></ControlSetController>
</objects></ControllerSet></ForwardTool></OpenSimDocument>
"""
CONTROLS = """<OpenSimDocument Version="40000"><ControlSet name="c"><objects><ControlLinear name="soleus_r.excitation">
<x_nodes><ControlLinearNode><t>0</t><value>0.5</value></ControlLinearNode></x_nodes></ControlLinear></objects>
</ControlSet></OpenSimDocument>
"""


def replaced(file: Path, old: str, new: bytes, name: str) -> Path:
    """A copy beside a file, with other bytes in place of a text."""
    copy = file.with_name(name)
    content = file.read_bytes()
    assert old.encode() in content
    copy.write_bytes(content.replace(old.encode(), new))
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["UTF-8", "ISO-8859-1"])
def test_setups_and_folders_may_have_letters_of_any_language(
    cli: Callable[..., object], demo, tmp_path: Path, encoding: str
) -> None:
    folder = tmp_path / "Köln"
    write_demo(folder)
    (folder / "leg.osim").rename(folder / "übung.osim")
    (folder / "forward.xml").write_bytes(FORWARD.format(encoding=encoding).encode(encoding))
    (folder / "ströme.xml").write_text(CONTROLS)
    assert read_forward_setup(folder / "forward.xml").name == "kür"
    driven = cli("simulate", "--setup", folder / "forward.xml", "--masses", folder / "masses.csv")
    assert driven.code == 0, driven.err
    activation = read_table(folder / "Ergebnis_ü" / "simulation_states.sto")["/forceset/soleus_r/activation"]
    assert activation.iloc[-1] > 1.1 * activation.iloc[0]  # the controls were found and drive it

    (folder / "swing.mot").rename(folder / "schwüng.mot")
    setup = (folder / "setup_id.xml").read_text().replace("leg.osim", "übung.osim").replace("swing.mot", "schwüng.mot")
    (folder / "setup_id.xml").write_bytes(setup.replace("UTF-8", encoding).encode(encoding))
    assert read_inverse_dynamics_setup(folder / "setup_id.xml").coordinates_file == folder / "schwüng.mot"


@pytest.mark.parametrize(
    "old, new",
    [
        ("soleus", b"sol\xe9us"),
        ("tibia_r", b"tib\xeda"),
        ("ankle_angle_r", b"\xe9"),
        ("opensim_inertia_demo_leg", b"\xe9"),
    ],
)
@pytest.mark.parametrize("command", ["masses", "rank", "wraps"])
def test_names_that_are_not_utf8_are_named(refused, demo, old: str, new: bytes, command: str) -> None:
    message = refused(command, replaced(demo.model, old, new, "latin.osim"))
    assert new.decode(errors="backslashreplace") in message and "save the model file as UTF-8" in message


def test_an_error_of_opensim_that_is_not_utf8_is_shown(refused, demo) -> None:
    text = "<socket_parent_frame>/bodyset/tibia_r"
    damaged = replaced(demo.model, text, b"<socket_parent_frame>/bodyset/tib\xeda", "latin.osim")
    message = refused("masses", damaged)
    assert r"tib\xeda" in message or "it is not UTF-8" in message  # some builds of OpenSim lose the text


def test_a_model_in_memory_whose_names_are_not_utf8_is_refused(demo) -> None:
    model = osim.Model(str(replaced(demo.model, "soleus", b"sol\xe9us", "latin.osim")))
    with pytest.raises(ModelError, match=r"'sol\\xe9us_r' is not UTF-8"):
        estimate_masses(model)


def test_credits_that_are_not_utf8_do_no_harm(demo) -> None:
    credited = replaced(demo.model, "<credits>", b"<credits>Andr\xe9", "credits.osim")
    inertial = InertialModel(credited, demo.masses)
    copy = pickle.loads(pickle.dumps(inertial))
    assert copy.provenance()["model"] == inertial.provenance()["model"]
    assert inertial.provenance()["model"] != InertialModel(demo.model, demo.masses).provenance()["model"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not allow such names")
def test_a_model_file_whose_own_name_is_not_utf8_is_named(refused, demo) -> None:
    copy = demo.model.rename(os.fsdecode(os.fsencode(demo.folder) + b"/l\xe9g.osim"))
    assert "OpenSim cannot open files whose names are not UTF-8" in refused("masses", copy)


LONG = "x" * 300


@pytest.mark.parametrize(
    "arguments",
    [
        ["id", LONG],
        ["id", "SETUP", "--out", LONG],
        ["id", "SETUP", "--model", LONG],
        ["masses", LONG],
        ["masses", "MODEL", "-o", LONG],
        ["masses", "MODEL", "--masses", LONG],
        ["masses", "MODEL", "--reference", LONG],
        ["rank", "MODEL", "--motion", LONG],
        ["simulate", "MODEL", "--states", LONG],
        ["simulate", "--setup", LONG],
    ],
)
def test_names_that_are_too_long_are_errors_of_one_line(refused, demo, arguments: list[str]) -> None:
    files = {"SETUP": demo.setup, "MODEL": demo.model}
    assert LONG in refused(*(files.get(argument, argument) for argument in arguments))


def test_a_name_as_long_as_the_file_system_allows_can_be_written(tmp_path: Path) -> None:
    longest = tmp_path / ("é" * 125 + ".csv")
    with writing(longest) as temporary:
        temporary.write_text("x")
    assert os.listdir(tmp_path) == [longest.name]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["id", "SETUP", "--points", "999999999"], "--points 999999999: expected a whole number from 1 to 10000"),
        (["wraps", "MODEL", "--poses", "1" + "0" * 20], "--poses 100000000000000000000: expected a whole number"),
        (["simulate", "MODEL", "--integrator", "bdf1", "--step", "1e-300"], "--step 1e-300: expected 1e-08 s or more"),
        (["simulate", "MODEL", "--report-step", "1e-300"], "--report-step 1e-300: expected 1e-08 s or more"),
    ],
)
def test_counts_that_no_computer_holds_are_refused(refused, demo, arguments: list[str], message: str) -> None:
    files = {"SETUP": demo.setup, "MODEL": demo.model}
    assert message in refused(*(files.get(argument, argument) for argument in arguments))


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-1"])
def test_slack_lengths_that_no_tendon_has_are_named(refused, demo, value: str) -> None:
    head, _, tail = demo.model.read_text().partition("<tendon_slack_length>")
    damaged = demo.folder / "damaged.osim"
    damaged.write_text(f"{head}<tendon_slack_length>{value}{tail[tail.index('<') :]}")
    assert "tendon slack length of" in refused("masses", damaged)


def test_a_body_whose_place_is_not_finite_is_named(refused, demo) -> None:
    damaged = replaced(demo.model, "<mass_center>0 0.0568", b"<mass_center>nan 0.0568", "damaged.osim")
    assert "is not finite at the reference pose" in refused("masses", damaged)


def test_a_reference_pose_that_is_nowhere_is_named(cli, demo) -> None:
    table = read_table(demo.motion)
    table["pelvis_ty"] = 1e200  # finite, but not its square
    write_table(table, demo.motion)
    done = cli("rank", demo.model, "--reference", demo.motion)
    assert done.code == 2
    assert "lies nowhere finite at the reference pose" in done.err.splitlines()[-1]  # after warnings of held fibres


@pytest.mark.parametrize("command", ["simulate", "rank"])
def test_a_model_without_coordinates_is_refused(refused, tmp_path: Path, command: str) -> None:
    model = osim.Model()
    model.setName("statue")
    model.printToXML(str(tmp_path / "statue.osim"))
    assert "it has no coordinates: nothing in it can move" in refused(command, tmp_path / "statue.osim")


def test_an_empty_time_range_is_all_of_the_motion(demo) -> None:
    empty = replaced(demo.setup, "0.05 0.55", b" ", "empty.xml")
    assert read_inverse_dynamics_setup(empty).time_range == (-float("inf"), float("inf"))


@pytest.mark.parametrize("text", ["0.1", "0.1 0.2 0.3"])
def test_a_time_range_that_is_not_two_times_is_named(refused, demo, text: str) -> None:
    message = refused("id", replaced(demo.setup, "0.05 0.55", text.encode(), "damaged.xml"))
    assert f"time_range is '{text}'; expected two times" in message


def shell(script: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a shell script in a folder; ``PROGRAM`` in it is the command."""
    package = str(Path(main.__code__.co_filename).parents[2])
    environment = os.environ | {"PYTHONPATH": package} | variables
    script = script.replace("PROGRAM", f"{sys.executable} -m opensim_inertia")
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, capture_output=True, text=True, env=environment, timeout=120, check=False
    )


@pytest.mark.skipif(sys.platform == "win32", reason="folders in which a program works cannot be deleted there")
def test_a_working_folder_that_was_deleted_is_named(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    done = shell("cd gone && rmdir ../gone && PROGRAM masses model.osim", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "opensim-inertia: error: the working folder has been deleted; change to another one\n"


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_one_line(demo, tmp_path: Path) -> None:
    done = shell(f"PROGRAM masses {demo.model} > /dev/full", tmp_path)
    assert done.returncode == 2
    assert done.stderr == "opensim-inertia: error: [Errno 28] No space left on device\n"


@pytest.mark.slow
def test_names_that_the_terminal_cannot_show_are_escaped(demo, tmp_path: Path) -> None:
    model = replaced(demo.model, "soleus", "soléus".encode(), "accent.osim")
    done = shell(f"PROGRAM masses {model}", tmp_path, PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert r"sol\xe9us_r" in done.stdout
    in_ascii = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    done = shell(f"PROGRAM masses {model} -q", tmp_path, **in_ascii)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_motion_without_a_header_is_read_where_its_unit_is_said(cli, refused, demo) -> None:
    text = demo.motion.read_text()
    assert "inDegrees=yes" in text
    bare, wrong = demo.folder / "bare.mot", demo.folder / "wrong.mot"
    bare.write_text(text[text.index("time") :])
    wrong.write_text(text.replace("inDegrees=yes", "inDegrees=no"))
    arguments = ("id", demo.setup, "--no-picture", "--no-band", "--motion")
    assert "say it by --in-degrees or --in-radians" in refused(*arguments, bare)
    for motion, options, out in (
        (demo.motion, (), "a"),
        (bare, ("--in-degrees",), "b"),
        (wrong, ("--in-degrees",), "c"),
    ):
        assert cli(*arguments, motion, *options, "--out", out).code == 0
    answers = {Path(out, "inverse_dynamics_lumped.sto").read_bytes() for out in "abc"}
    assert len(answers) == 1
    assert cli("check", demo.model, "--motion", bare, "--in-degrees", "--quick").code == 0
    assert "no header" in cli("check", demo.model, "--motion", bare, "--quick").out
