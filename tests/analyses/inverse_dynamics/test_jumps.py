"""Jumps of a recording: solved as recorded, marked where forces break Newton's law, left out of peaks."""

import warnings
from pathlib import Path

import numpy as np
import opensim as osim
import pandas as pd
import pytest
from conftest import slow_except
from oracles.trials import gait10
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import opensim_inertia as oi

MASS, LENGTH, INERTIA, GRAVITY = 4.0, 0.3, 0.05, 9.80665
TIMES = np.arange(301) / 100
MIDDLE = 150


def pendulums() -> oi.InertialModel:
    """Two pendulums side by side, an arm and a leg; an angle of zero hangs down."""
    model = osim.Model()
    for name in ("arm", "leg"):
        body = osim.Body(name, MASS, osim.Vec3(0, -LENGTH, 0), osim.Inertia(0.02, 0.01, INERTIA))
        model.addBody(body)
        joint = osim.PinJoint(f"{name}_joint", model.getGround(), body)
        joint.updCoordinate().setName(name)
        model.addJoint(joint)
    model.finalizeConnections()
    model.setGravity(osim.Vec3(0, -GRAVITY, 0))
    return oi.InertialModel(model, {})


def swing(jump: np.ndarray) -> pd.DataFrame:
    columns = {"arm": 0.3 * np.sin(5 * TIMES) + jump, "leg": 0.4 * np.sin(4 * TIMES)}
    return pd.DataFrame(columns, index=pd.Index(TIMES, name="time"))


def newton(amplitude: float, rate: float, times: np.ndarray, jump: np.ndarray | float) -> np.ndarray:
    angle = amplitude * np.sin(rate * times)
    acceleration = -(rate**2) * angle
    return (INERTIA + MASS * LENGTH**2) * acceleration + MASS * GRAVITY * LENGTH * np.sin(angle + jump)


JUMPS = {
    "a step": 1.5 * (TIMES >= TIMES[MIDDLE]),
    "a row": 0.8 * (np.arange(301) == MIDDLE),
    "ten rows": 0.6 * ((np.arange(301) >= MIDDLE) & (np.arange(301) < MIDDLE + 10)),
}


@pytest.mark.parametrize("cutoff", [None, 12.0])
@pytest.mark.parametrize("kind", JUMPS)
def test_forces_that_are_not_doubtful_obey_newton(kind: str, cutoff: float | None) -> None:
    """The other limb moves as if nothing had jumped; exactly the wrong forces are marked."""
    inertial, jump = pendulums(), JUMPS[kind]
    span = (0.6, 2.4)
    recording = oi.Recording(swing(jump), cutoff=cutoff, time_range=span)
    with pytest.warns(oi.warnings.InputWarning, match=r"it jumps: 'arm' by .* rad from 1.49 to 1.5 s"):
        result = oi.inverse_dynamics(inertial, recording)
    arm, leg = (result.coordinate_names.index(name) for name in ("arm", "leg"))
    still = oi.inverse_dynamics(inertial, oi.Recording(swing(0 * TIMES), cutoff=cutoff, time_range=span))
    np.testing.assert_allclose(result.lumped_forces[:, leg], still.lumped_forces[:, leg], rtol=0, atol=5e-9)
    assert not result.doubtful[:, leg].any() and not still.doubtful.any()
    stays = jump if kind == "a step" else 0 * jump
    right = newton(0.3, 5.0, result.times, np.interp(result.times, TIMES, stays))
    off, peak = np.abs(result.lumped_forces[:, arm] - right), np.abs(right).max()
    marked = result.doubtful[:, arm]
    assert off[~marked].max() < 0.015 * peak + 0.002 * 2 * MASS
    assert off[marked].max() > peak and 3 <= marked.sum() < 90
    assert marked[result.times.searchsorted(TIMES[MIDDLE] - 1e-9)]
    row = result.summary().loc["arm"]
    assert abs(row["lumped peak"]) == np.abs(result.lumped_forces[~marked, arm]).max()


def test_a_jump_that_does_not_reach_the_rows_asked_for_is_not_mentioned() -> None:
    inertial, glitch = pendulums(), 2.2 * (np.arange(301) == 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = oi.inverse_dynamics(inertial, oi.Recording(swing(glitch), time_range=(0.5, 0.9), strict=True))
    still = oi.inverse_dynamics(inertial, oi.Recording(swing(0 * TIMES), time_range=(0.5, 0.9)))
    assert not result.doubtful.any()
    np.testing.assert_allclose(result.lumped_forces, still.lumped_forces, rtol=0, atol=1e-6)


def shaken(seconds: float) -> tuple[pd.DataFrame, np.ndarray]:
    """A burst of 20 Hz that begins and ends smoothly, and whether its moment is beyond 1000 N m per kg."""
    times = np.arange(3001) / 1000
    phase, rate = (times - 1.5) / seconds, 2 * np.pi * 20
    wave, window = np.sin(rate * times), np.exp(-(phase**2))
    slope, bend = -2 * phase / seconds * window, (4 * phase**2 - 2) / seconds**2 * window
    acceleration = 2 * (bend * wave + 2 * rate * slope * np.cos(rate * times) - rate**2 * window * wave)
    angle = 2 * window * wave
    moment = (INERTIA + MASS * LENGTH**2) * acceleration + MASS * GRAVITY * LENGTH * np.sin(angle)
    columns = {"arm": angle, "leg": 0.4 * np.sin(4 * times)}
    return pd.DataFrame(columns, index=pd.Index(times, name="time")), np.abs(moment) > 1000 * 2 * MASS


def test_a_few_rows_that_no_body_makes_are_marked() -> None:
    """Moments beyond 1000 N m per kg of a model fixed to ground, by Newton's law; many such rows are refused."""
    inertial = pendulums()
    table, beyond = shaken(0.1)
    assert 0.01 < beyond.mean() < 0.1
    with pytest.warns(oi.warnings.InputWarning, match=rf"{beyond.sum()} of 3001 rows are marked as doubtful"):
        result = oi.inverse_dynamics(inertial, table)
    np.testing.assert_array_equal(result.doubtful, np.repeat(beyond[:, None], 2, axis=1))
    assert result.summary().loc["arm", "lumped peak"] in result.lumped_forces[~beyond, 0]
    with pytest.warns(oi.warnings.InputWarning, match="no body makes"):
        assert not oi.inverse_dynamics(inertial, table, implausible="warn").doubtful.any()
    with pytest.raises(oi.errors.MotionError, match="no body makes"):
        oi.inverse_dynamics(inertial, oi.Recording(table, strict=True))
    with (
        pytest.warns(oi.warnings.InputWarning, match="161 rad/s"),
        pytest.raises(oi.errors.MotionError, match="no body makes"),
    ):
        oi.inverse_dynamics(inertial, shaken(0.5)[0])


@pytest.mark.parametrize("cutoff", [None, 12.0])
@pytest.mark.parametrize("count", [1, 4])
def test_a_mended_jump_is_that_of_a_table_mended_by_hand(count: int, cutoff: float | None) -> None:
    inertial, away, span = pendulums(), (TIMES >= TIMES[MIDDLE]) & (TIMES < TIMES[MIDDLE + count]), (0.6, 2.4)
    table = swing(0.7 * away)
    by_hand = table.copy()
    by_hand.loc[away, "arm"] = CubicSpline(TIMES[~away], table["arm"].to_numpy()[~away])(TIMES[away])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mended = oi.inverse_dynamics(
            inertial, oi.Recording(table, cutoff=cutoff, time_range=span, interpolate_jumps=True, strict=True)
        )
        expected, clean = (
            oi.inverse_dynamics(inertial, oi.Recording(each, cutoff=cutoff, time_range=span))
            for each in (by_hand, swing(0 * TIMES))
        )
    np.testing.assert_array_equal(mended.lumped_forces, expected.lumped_forces)
    assert not mended.doubtful.any()
    (note,) = mended.notes
    rows = np.flatnonzero(away) + 1
    assert f"mended by the cubic spline through the other rows: 'arm' in rows {rows[0]} to {rows[-1]} (1.5 to " in note
    peaks = np.abs(clean.lumped_forces).max(axis=0)
    assert (np.abs(mended.lumped_forces - clean.lumped_forces).max(axis=0) < 0.03 * peaks).all()


@pytest.mark.parametrize("kind", ["a step", "ten rows"])
def test_a_jump_that_stays_is_not_mended(kind: str) -> None:
    table = swing(JUMPS[kind])
    with pytest.warns(oi.warnings.InputWarning, match="it jumps: 'arm'"):
        marked = oi.inverse_dynamics(pendulums(), oi.Recording(table, interpolate_jumps=True))
    with pytest.warns(oi.warnings.InputWarning):
        recorded = oi.inverse_dynamics(pendulums(), table)
    np.testing.assert_array_equal(marked.lumped_forces, recorded.lumped_forces)
    np.testing.assert_array_equal(marked.doubtful, recorded.doubtful)


@pytest.mark.parametrize("kind", JUMPS)
def test_check_says_what_inverse_dynamics_says(kind: str) -> None:
    inertial, table = pendulums(), swing(JUMPS[kind])
    with pytest.warns(oi.warnings.InputWarning) as caught:
        oi.inverse_dynamics(inertial, oi.Recording(table, cutoff=12.0))
    result = oi.check(inertial.model, table, cutoff=12.0, thorough=False)
    (finding,) = [finding for finding in result.findings if finding.check == "jumps"]
    assert finding.severity == "warning" and str(finding) in [str(each.message) for each in caught]


def test_a_jump_among_the_noise_of_a_recording_that_nobody_filtered_is_a_note() -> None:
    """Noise of the arm makes the leg that hangs on it as rugged at all rows as a small jump of the leg at one."""
    model = osim.Model()
    parent: osim.PhysicalFrame = model.getGround()
    for name, place in (("arm", 0.0), ("leg", -2 * LENGTH)):
        body = osim.Body(name, MASS, osim.Vec3(0, -LENGTH, 0), osim.Inertia(0.02, 0.01, INERTIA))
        model.addBody(body)
        zero = osim.Vec3(0)
        joint = osim.PinJoint(f"{name}_joint", parent, osim.Vec3(0, place, 0), zero, body, zero, zero)
        joint.updCoordinate().setName(name)
        model.addJoint(joint)
        parent = body
    model.finalizeConnections()
    noise = 1e-2 * np.random.default_rng(0).standard_normal(301)
    jump = np.arange(301) == MIDDLE
    for size, severity in ((0.03, "note"), (0.3, "warning")):
        table = swing(noise).assign(leg=0.4 * np.sin(4 * TIMES) + size * jump)
        result = oi.check(model, table, thorough=False)
        assert [f.severity for f in result.findings if f.check == "jumps"] == [severity]


ANGLES = ("flex", "add", "rot")


def shoulder() -> oi.InertialModel:
    """A body on three rotations about X, Y and Z."""
    model = osim.Model()
    body = osim.Body("arm", MASS, osim.Vec3(0, -LENGTH, 0), osim.Inertia(INERTIA, 0.01, INERTIA))
    model.addBody(body)
    transform = osim.SpatialTransform()
    for i, (name, axis) in enumerate(zip(ANGLES, np.eye(3).tolist(), strict=True)):
        turn = transform.updTransformAxis(i)
        turn.setAxis(osim.Vec3(*axis))
        turn.setCoordinateNames(osim.ArrayStr(name, 1))
        turn.set_function(osim.LinearFunction(1.0, 0.0))
    for i in range(3, 6):
        transform.updTransformAxis(i).set_function(osim.Constant(0.0))
    model.addJoint(osim.CustomJoint("shoulder", model.getGround(), body, transform))
    model.finalizeConnections()
    return oi.InertialModel(model, {})


def test_a_motion_in_other_triples_is_judged_the_same() -> None:
    """A shoulder that turns by 90 degrees from one row to the next, by its rotation and not by its angles."""
    inertial, late = shoulder(), TIMES >= TIMES[MIDDLE]
    turning = np.array([0.3 * np.sin(5 * TIMES), 0.3 * np.cos(3 * TIMES), 0.0 * TIMES])
    turning[:, late] += ((0.9,), (-0.4,), (1.2,))
    before, after = Rotation.from_euler("XYZ", turning.T[[MIDDLE - 1, MIDDLE]])
    size = f"{(before.inv() * after).magnitude():.3g}"
    other = np.array([turning[0] + np.pi, np.pi - turning[1], turning[2] - np.pi])
    results = []
    for rows in (0 * late, late, np.arange(301) % 3 == 1):
        table = pd.DataFrame(dict(zip(ANGLES, np.where(rows, other, turning), strict=True)), index=TIMES)
        with pytest.warns(oi.warnings.InputWarning, match=f"joint 'shoulder' by {size} rad from 1.49 to 1.5 s"):
            results.append(oi.inverse_dynamics(inertial, oi.Recording(table, cutoff=12.0)))
    assert results[0].doubtful.any() and not results[0].doubtful.all()
    for result in results[1:]:
        np.testing.assert_array_equal(result.doubtful, results[0].doubtful)
        np.testing.assert_allclose(result.lumped_forces, results[0].lumped_forces, rtol=0, atol=1e-8)


def test_angles_that_jump_near_gimbal_lock_are_said_so_and_not_mended() -> None:
    """Near a middle angle of 90 degrees the first and the third may jump, though the arm hardly turns."""
    away = (TIMES >= TIMES[MIDDLE]) & (TIMES < TIMES[MIDDLE + 3])
    angles = np.array([0.2 * np.sin(3 * TIMES), np.full(301, 1.56), 0.1 * np.cos(2 * TIMES)])
    angles[0] += 0.8 * away
    angles[2] -= 0.8 * away  # with a middle angle of 90 degrees only the sum of both matters
    table = pd.DataFrame(dict(zip(ANGLES, angles, strict=True)), index=TIMES)
    said = r"joint 'shoulder' by 0\.0\d+ rad from 1\.49 to 1\.5 s \(its angles by 0\.8 rad, near gimbal lock\)"
    with pytest.warns(oi.warnings.InputWarning, match=said):
        result = oi.inverse_dynamics(shoulder(), oi.Recording(table, interpolate_jumps=True))
    assert result.doubtful.any()
    assert result.motion is not None
    np.testing.assert_allclose(result.motion.q, angles.T, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("column", "row", "count", "size"),
    slow_except(
        [("knee_angle_l", 78, 4, -33.0)],
        [("knee_angle_l", 78, 4, -33.0), ("ankle_angle_l", 39, 3, -22.0), ("hip_flexion_r", 84, 1, 38.0)],
    ),
)
def test_a_glitch_in_a_public_walk_is_mended_as_by_hand(
    opensim_models: Path, column: str, row: int, count: int, size: float
) -> None:
    inertial, motion, loads = gait10(opensim_models)
    table = oi.read_table(motion)
    away = np.zeros(len(table), dtype=bool)
    away[row : row + count] = True
    glitch, by_hand = table.copy(), table.copy()
    glitch.loc[away, column] += size
    times, known = table.index.to_numpy(), table[column].to_numpy()
    by_hand.loc[away, column] = CubicSpline(times[~away], known[~away])(times[away])
    results = []
    for each, mend in ((glitch, True), (by_hand, False), (table, False)):
        each.attrs = dict(table.attrs)
        recording = oi.Recording(each, loads, 6.0, (0.5, 2.0), interpolate_jumps=mend)
        results.append(oi.inverse_dynamics(inertial, recording, band=False, per_muscle=False))
    mended, expected, clean = (result.lumped_forces for result in results)
    np.testing.assert_array_equal(mended, expected)
    joints = [i for i in results[2].independent if not results[2].on_base[i]]
    assert np.abs(mended - clean)[:, joints].max() < 0.02 * np.abs(clean[:, joints]).max()
