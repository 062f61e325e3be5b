"""Folders of trials, as programs write them, and setups whose files lie elsewhere."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

LOADS = """<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
<applied_to_body>tibia_r</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body>
<point_expressed_in_body>tibia_r</point_expressed_in_body><force_identifier>push_v</force_identifier>
<point_identifier>push_p</point_identifier></ExternalForce></objects><groups /><datafile>walk_1_grf.mot</datafile>
</ExternalLoads></OpenSimDocument>"""
PUSH = "time push_vx push_vy push_vz push_px push_py push_pz\n-1 5 0 0 0 -0.1 0\n3 5 0 0 0 -0.1 0\n"
OPTIONS = ("--no-picture", "--no-band")


def lumped(folder: Path) -> bytes:
    return (folder / "inverse_dynamics_lumped.sto").read_bytes()


@pytest.fixture
def expected(cli, demo, tmp_path: Path) -> bytes:
    assert cli("id", demo.setup, *OPTIONS, "--out", tmp_path / "expected").code == 0
    return lumped(tmp_path / "expected")


def write_addbiomechanics(demo, folder: Path, *trials: str) -> None:
    for name in ("Models", "IK", "ID"):
        (folder / name).mkdir(parents=True)
    shutil.copy(demo.model, folder / "Models" / "final.osim")
    shutil.copy(demo.model, folder / "Models" / "unscaled_generic.osim")
    for trial in trials:
        shutil.copy(demo.motion, folder / "IK" / f"{trial}_ik.mot")
        text = demo.setup.read_text().replace("leg.osim", "../Models/final.osim")
        text = text.replace("swing.mot", f"../IK/{trial}_ik.mot")
        for end in ("_id_setup.xml", "_id_setup_raw.xml"):
            (folder / "ID" / (trial + end)).write_text(text)


def test_all_trials_of_addbiomechanics_or_one(cli, demo, tmp_path: Path, expected: bytes) -> None:
    folder = tmp_path / "results"
    write_addbiomechanics(demo, folder, "walk", "run")
    done = cli("id", folder, *OPTIONS, "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert "== run" in done.out and "== walk" in done.out
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["run", "walk"]
    assert lumped(tmp_path / "out" / "run") == lumped(tmp_path / "out" / "walk") == expected
    assert cli("id", folder, "--trial", "run", *OPTIONS).code == 0
    assert [file.name for file in Path.cwd().iterdir()] == ["run"]
    other = cli("id", folder, "--trial", "rum")
    assert other.code == 2 and "trial 'rum'" in other.err and "did you mean 'run'" in other.err


def test_a_trial_that_fails_leaves_the_others(cli, demo, tmp_path: Path, expected: bytes) -> None:
    folder = tmp_path / "results"
    write_addbiomechanics(demo, folder, "walk", "run")
    (folder / "IK" / "run_ik.mot").write_text("nothing")
    done = cli("id", folder, *OPTIONS)
    assert done.code == 1 and "trial 'run' failed: " in done.err and "is not an OpenSim table" in done.err
    assert lumped(Path("walk")) == expected and not Path("run").exists()
    (folder / "IK" / "walk_ik.mot").write_text("nothing")
    assert cli("id", folder, *OPTIONS).code == 2


@pytest.mark.parametrize("program", ["OpenCap", "Pose2Sim"])
def test_folders_without_setups(cli, demo, tmp_path: Path, program: str) -> None:
    """OpenCap: one model for all; Pose2Sim: one for each motion, of its name. Loads belong to the trial in theirs."""
    folder = tmp_path / "session"
    places = {"OpenCap": ("OpenSimData/Model", "OpenSimData/Kinematics"), "Pose2Sim": ("kinematics", "kinematics")}
    model, motions = (folder / place for place in places[program])
    for place in (model, motions, folder / "forces"):
        place.mkdir(parents=True, exist_ok=True)
    for trial in ("walk_1", "walk_10"):
        shutil.copy(demo.motion, motions / f"{trial}.mot")
        shutil.copy(demo.model, model / (f"{trial}.osim" if program == "Pose2Sim" else "scaled.osim"))
    (folder / "forces" / "walk_1_loads.xml").write_text(LOADS)
    (folder / "forces" / "walk_1_grf.mot").write_text(PUSH)
    done = cli("id", folder, *OPTIONS)
    assert done.code == 0, done.err
    alone = ("id", "--model", demo.model, "--motion", demo.motion, *OPTIONS, "--out")
    assert cli(*alone, "free").code == 0
    assert cli(*alone, "pushed", "--external-loads", folder / "forces" / "walk_1_loads.xml").code == 0
    assert lumped(Path("walk_10")) == lumped(Path("free")) != lumped(Path("walk_1")) == lumped(Path("pushed"))


def test_tables_of_loads_are_no_motions_and_sto_files_are(cli, demo, tmp_path: Path) -> None:
    """Old tables of loads have columns of all coordinates; Moco's motions are called coordinates.sto."""
    folder = tmp_path / "session"
    folder.mkdir()
    shutil.copy(demo.model, folder)
    shutil.copy(demo.motion, folder / "coordinates.sto")
    (folder / "loads.xml").write_text(LOADS)
    (folder / "walk_1_grf.mot").write_text(PUSH.replace("time", "time knee_angle_r").replace(" 5", " 0 5"))
    done = cli("id", folder, *OPTIONS)
    assert done.code == 0 and done.out.count("== ") == 1, done.err
    loads = ("--external-loads", folder / "loads.xml", "--out", "pushed")
    assert cli("id", "--model", demo.model, "--motion", demo.motion, *OPTIONS, *loads).code == 0
    assert lumped(Path("coordinates")) == lumped(Path("pushed"))


def test_folders_that_leave_a_choice_ask(refused: Callable[..., str], demo, tmp_path: Path) -> None:
    folder = tmp_path / "session"
    folder.mkdir()
    assert "neither a setup of inverse dynamics (.xml) nor a motion" in refused("id", folder)
    shutil.copy(demo.motion, folder / "walk.mot")
    for name in ("a", "b"):
        shutil.copy(demo.model, folder / f"{name}.osim")
    assert "several models (a.osim, b.osim); say which one by --model" in refused("id", folder)
    assert "--motion has no effect" in refused("id", folder, "--motion", demo.motion)
    assert "--trial has no effect" in refused("id", demo.setup, "--trial", "walk")


@pytest.mark.parametrize(
    "name", ["/elsewhere/leg.osim", pytest.param(r"D:\elsewhere\leg.osim", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("place", ["setups", pytest.param("Models", marks=pytest.mark.slow), "."])
def test_a_setups_files_are_looked_for_beside_it(
    cli, demo, tmp_path: Path, expected: bytes, name: str, place: str
) -> None:
    folder = tmp_path / "moved"
    (folder / "setups").mkdir(parents=True)
    (folder / place).mkdir(exist_ok=True)
    setup = folder / "setups" / "setup_id.xml"
    setup.write_text(demo.setup.read_text().replace("leg.osim", name))
    shutil.copy(demo.model, folder / place / "leg.osim")
    shutil.copy(demo.motion, folder / "setups" / "swing.mot")
    done = cli("id", setup, *OPTIONS, "--out", "out")
    assert done.code == 0, done.err
    taken = (folder / place / "leg.osim").resolve()
    assert f"'{taken}' is taken, which has its name" in done.err and lumped(Path("out")) == expected
    assert f"'{taken}' is taken" in cli("check", setup, "--quick").err


def test_a_model_that_could_be_two_is_refused(refused: Callable[..., str], demo, tmp_path: Path) -> None:
    for name in ("a", "b", "setups"):
        (tmp_path / name).mkdir()
    for name in ("a", "b"):
        shutil.copy(demo.model, tmp_path / name / "leg.osim")
    setup = Path(shutil.copy(demo.setup, tmp_path / "setups"))
    assert "leg.osim' does not exist" in refused("id", setup, "--motion", demo.motion)
