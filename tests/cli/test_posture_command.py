"""``opensim-inertia posture``."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from oracles.planar_arm import planar_arm

import opensim_inertia as oi
from opensim_inertia.files import read_table


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "arm.osim"
    planar_arm("states", gravity=-9.80665).printToXML(str(path))
    return path


AT = ("--at", f"shoulder={math.degrees(0.3)}deg", "elbow=1")


@pytest.mark.slow
def test_files_and_what_is_said(cli, model: Path) -> None:
    push = "fore=0,-0.3,0,2,-8,0"
    outcome = cli("posture", model, *AT, "--push", push, "--patterns", "40", "--stiffness", "0", "20", "--out", "done")
    assert (outcome.code, outcome.err) == (0, "")
    tables = {"activations.csv", "eigenvalues.csv", "masses.csv", "modes.csv", "run.json", "share.csv", "state.sto"}
    pictures = {"modes.png", "share.png"}
    assert {path.name for path in Path("done").iterdir()} == {f"posture_{name}" for name in tables | pictures}
    inertial = oi.InertialModel(str(model), oi.estimate_masses(model))
    p = oi.equilibrate(inertial, {"shoulder": 0.3, "elbow": 1.0}, point_forces={"fore": ((0, -0.3, 0), (2, -8, 0))})
    written = pd.read_csv("done/posture_activations.csv", index_col="muscle")
    pd.testing.assert_frame_equal(written, p.summary(), rtol=1e-6)
    linear = p.linearize()
    eigenvalues = pd.read_csv("done/posture_eigenvalues.csv", index_col="mode")
    np.testing.assert_allclose(eigenvalues["real"], [m.eigenvalue.real for m in linear.modes()], rtol=1e-5, atol=1e-5)
    modes = pd.read_csv("done/posture_modes.csv", index_col="state_variable")
    assert tuple(modes.index) == linear.variable_names and modes.shape[1] == 2 * len(eigenvalues)
    state = read_table("done/posture_state.sto")
    assert state["/jointset/elbow_joint/elbow/value"].tolist() == [1.0]
    made = json.loads(Path("done/posture_run.json").read_text())
    assert made["coordinates"] == pytest.approx({"shoulder": 0.3, "elbow": 1.0}) and made["posture"]["patterns"] == 40
    assert made["options"]["strain"] == "aponeurosis" and "opensim_inertia" in made["versions"]
    assert oi.read_masses("done/posture_masses.csv")["mass"].tolist() == inertial.masses["mass"].tolist()
    share = pd.read_csv("done/posture_share.csv", index_col="intrinsic_stiffness")
    assert share["stable_share"].tolist() == [0.0, 1.0]
    assert f"not stable: the fastest change doubles in {linear.doubling_time:.3g} s" in outcome.out
    assert "stable patterns [%], of 40, by intrinsic stiffness: 0: 0.0, 20: 100.0" in outcome.out


def test_locked_and_no_patterns(cli, model: Path) -> None:
    arguments = ("--lock", "shoulder", "--patterns", "0", "--picture", "svg", "--intrinsic-stiffness", "30")
    outcome = cli("posture", model, *AT, *arguments)
    assert (outcome.code, outcome.err) == (0, "")
    assert {path.suffix for path in Path("arm_posture").iterdir()} == {".csv", ".json", ".sto", ".svg"}
    assert cli("posture", model, *AT, *arguments[:4], "--no-picture", "--out", "bare").code == 0
    assert {path.suffix for path in Path("bare").iterdir()} == {".csv", ".json", ".sto"}
    assert not Path("arm_posture/posture_share.csv").exists()
    assert "stable: every small change dies away" in outcome.out
    eigenvalues = pd.read_csv("arm_posture/posture_modes.csv", index_col="state_variable")
    assert (eigenvalues.loc["/jointset/shoulder_joint/shoulder/value"] == 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--at", "elbow"], "--at elbow: expected a name and 1 finite number"),
        (["--at", "elbow=nan"], "--at elbow=nan"),
        (["--push", "fore=1,2,3"], "--push fore=1,2,3: expected a name and 6 finite numbers"),
        (["--stiffness", "-1"], "--stiffness"),
        (["--intrinsic-stiffness", "nan"], "--intrinsic-stiffness nan"),
        (["--patterns", "-3"], "--patterns -3"),
        (["--seed", "-3"], "--seed -3"),
        (["--modes", "0"], "--modes 0"),
        (["--at", "elbows=1"], "'elbows'"),
        (["--lock", "knee"], "'knee'"),
        (["--push", "fore=0,0,0,0,9999,0"], "no activations hold the posture: where they come nearest, "),
    ],
)
def test_bad_input_is_one_line(refused, model: Path, arguments: list[str], message: str) -> None:
    assert message in refused("posture", model, *arguments)
