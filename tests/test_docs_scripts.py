"""The scripts of docs/ run headless by themselves and still show what their pages say.

If a test here fails with a newer OpenSim because the defect is gone: drop the page and its script.
"""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import opensim as osim
import pytest
from conftest import model_path
from oracles.docs_scripts import DOCS, load_script

ANGLES = np.linspace(-0.6, 0.3, 7)  # rad; the string lies on both cylinders
ROUNDING = 1e-12  # m; sums of a few lengths below 1 m


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return load_script("opensim_multi_wrap")


@pytest.mark.parametrize(("name", "lines"), [("opensim_multi_wrap", 12), ("opensim_joint_bias", 13)])
def test_script_runs_by_itself(name: str, lines: int, tmp_path: Path) -> None:
    command = [sys.executable, str(DOCS / f"{name}.py")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == lines


def test_length_is_stale_and_the_shown_path_exact(script: ModuleType) -> None:
    length, shown, exact, stale, arm, speed = script.sweep(ANGLES).T
    np.testing.assert_allclose(shown, exact, atol=ROUNDING)
    np.testing.assert_allclose(arm, 0.04, rtol=1e-9)  # the second radius
    np.testing.assert_allclose(speed, -0.04, rtol=1e-9)
    assert np.all(exact - length > 0.8e-3)  # shorter than the shortest string; 16.8 mm at -0.6 rad
    assert stale.max() > 15e-3
    slope = np.gradient(length, ANGLES)
    assert np.all(np.abs(slope) < 0.6 * arm)  # 0.022 m/rad where the moment arm is 0.040 m/rad


def test_length_jumps_with_skew_cylinders(script: ModuleType) -> None:
    """Steps of 0.1 mrad move the length by 4 um evenly, and by tens of um where the number of passes changes."""
    length, shown, *_ = script.sweep(np.linspace(0.09, 0.11, 201), tilt=0.5).T
    assert np.abs(np.diff(length, 2)).max() > 30e-6
    assert np.abs(np.diff(shown, 2)).max() < 1e-6


def test_speed_and_moment_arm_suffer_when_a_wrap_moves(script: ModuleType) -> None:
    *_, arm, speed = script.sweep(ANGLES[:1], on_body=True)[0]
    assert 10e-6 < 0.04 - arm < 100e-6  # 33 um
    assert 0.3e-3 < speed + 0.04 < 2e-3  # 0.77 mm/rad


def test_cause_is_the_points_cached_place_in_ground(script: ModuleType) -> None:
    """With the points' cached "location" invalid, getLocationInGround is right."""
    model = script.make_model()
    state = model.initSystem()
    model.realizePosition(state)
    path = osim.GeometryPath.safeDownCast(model.getMuscles().get("muscle").getPath())
    assert script.shown_length(path, state)[1] > 5e-3
    points = path.getCurrentPath(state)
    for i in range(points.getSize()):
        points.get(i).markCacheVariableInvalid(state, "location")
    assert script.shown_length(path, state)[1] == 0.0
    del state


def test_rajagopal_gastrocnemius(script: ModuleType) -> None:
    model = osim.Model(str(model_path("Models/Rajagopal/Rajagopal2016.osim")))
    state = model.initSystem()
    path = osim.GeometryPath.safeDownCast(model.getMuscles().get("gasmed_r").getPath())
    knee = model.getCoordinateSet().get("knee_angle_r")
    lengths = []
    for angle in (0.0, 0.04, 0.05, 0.06):
        knee.setValue(state, angle)
        model.realizePosition(state)
        lengths.append((path.getLength(state), script.shown_length(path, state)[0], path.computeMomentArm(state, knee)))
    length, shown, arm = np.array(lengths).T
    assert 6e-3 < shown[0] - length[0] < 7e-3  # 6.2 mm
    assert -(shown[3] - shown[1]) / 0.02 == pytest.approx(arm[2], rel=0.05)  # 17.4 and 17.9 mm/rad: not a geodesic
    assert abs(length[3] - length[1]) / 0.02 < 0.1 * arm[2]  # 1.0 mm/rad
    del state


@pytest.fixture(scope="module")
def joint_bias() -> ModuleType:
    return load_script("opensim_joint_bias")


def test_bias_of_three_rotations_is_wrong(joint_bias: ModuleType) -> None:
    ball = joint_bias.Ball()
    for q in np.linspace(-1.2, 1.2, 7):
        np.testing.assert_allclose(ball.angular_velocity(q), joint_bias.exact_velocity(q), atol=ROUNDING)
        assert np.abs(ball.bias(q) - joint_bias.exact_bias(q)).max() > 0.1  # rad/s^2
        np.testing.assert_allclose(ball.bias(q) + joint_bias.lacking(q), joint_bias.exact_bias(q), atol=ROUNDING)
        assert np.cos(q) - ball.moment(q) == pytest.approx(joint_bias.exact_velocity(q) @ joint_bias.lacking(q))


def test_a_free_ball_gains_energy(joint_bias: ModuleType) -> None:
    """At constant speed, which OpenSim keeps, its energy is (3 + 2 sin q) / 2; it should stay 1.5 J."""
    q, u, energy = joint_bias.Ball().simulate(1.5)
    assert u == pytest.approx(1.0, abs=1e-9)
    assert energy == pytest.approx(1.5 + np.sin(q), abs=1e-9)


def test_constant_angle_and_second_derivatives_are_wrong(joint_bias: ModuleType) -> None:
    tilted = joint_bias.Ball(constant=0.5)
    assert np.abs(tilted.angular_velocity(1.0) - tilted.turning(1.0)).max() > 0.3  # rad/s
    straight = joint_bias.Ball(constant=0.0)
    np.testing.assert_allclose(straight.angular_velocity(1.0), straight.turning(1.0), atol=1e-7)
    assert joint_bias.second_derivatives() == (3.0, 3.0)  # not (2, 1)
