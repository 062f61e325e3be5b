"""Angles that begin again after a full turn, and triples of angles that change to their equivalent, go on."""

import numpy as np
import opensim as osim
import pandas as pd
import pytest

import opensim_inertia as oi
from opensim_inertia.analyses.inverse_dynamics import InverseDynamicsResult

TIMES = np.arange(101) / 100
ARM = ("flex", "add", "rot")


def arm(axes: np.ndarray, slopes: tuple[float, ...]) -> osim.Model:
    """A body on a shoulder of three rotations, each linear in its coordinate."""
    model = osim.Model()
    body = osim.Body("arm", 3.0, osim.Vec3(0.02, -0.2, 0.01), osim.Inertia(0.15, 0.03, 0.16))
    model.addBody(body)
    transform = osim.SpatialTransform()
    for i, (name, axis, slope) in enumerate(zip(ARM, axes, slopes, strict=True)):
        turn = transform.updTransformAxis(i)
        turn.setAxis(osim.Vec3(*map(float, axis)))
        turn.setCoordinateNames(osim.ArrayStr(name, 1))
        turn.set_function(osim.LinearFunction(slope, 0.1 * i))
    for i in range(3, 6):
        transform.updTransformAxis(i).set_function(osim.Constant(0.0))
    model.addJoint(osim.CustomJoint("shoulder", model.getGround(), body, transform))
    model.initSystem()
    return model


def table(columns: dict[str, np.ndarray], in_degrees: bool = False) -> pd.DataFrame:
    frame = pd.DataFrame(columns, index=pd.Index(TIMES, name="time"))
    frame.attrs["inDegrees"] = in_degrees
    return frame


def solved(model: osim.Model, columns: dict[str, np.ndarray]) -> InverseDynamicsResult:
    return oi.inverse_dynamics(oi.InertialModel(model, {}), table(columns), implausible="warn")


@pytest.mark.parametrize("in_degrees", [True, False])
def test_an_answer_is_that_of_the_motion_unwrapped_by_hand(in_degrees: bool) -> None:
    inertial = oi.InertialModel(arm(np.eye(3), (1.0, 1.0, 1.0)), {})
    turn = 360.0 if in_degrees else 2 * np.pi
    wrapped = (turn * (0.4 + 0.95 * TIMES) + turn / 2) % turn - turn / 2
    by_hand = np.where(TIMES > 0.105, wrapped + turn, wrapped)  # it passes half a turn once
    rest = {"add": 0.1 * np.sin(3 * TIMES), "rot": 0.0 * TIMES}
    tables = [table({"flex": flex, **rest}, in_degrees) for flex in (wrapped, by_hand)]
    answers = [oi.inverse_dynamics(inertial, each) for each in tables]
    assert np.abs(np.diff(wrapped)).max() > 0.9 * turn
    np.testing.assert_array_equal(answers[0].lumped_forces, answers[1].lumped_forces)
    assert any("full turn" in note and "'flex'" in note for note in answers[0].notes) and not answers[1].notes


@pytest.mark.parametrize(
    ("axes", "slopes"),
    [(np.eye(3), (1.0, 1.0, 1.0)), (np.array([[0, 0, 1], [1, 0, 0], [0, -1, 0]]), (1.0, -1.0, 2.0))],
)
def test_a_flipped_triple_has_the_same_rotations_and_does_not_jump(axes: np.ndarray, slopes: tuple[float, ...]) -> None:
    model = arm(axes, slopes)
    offsets = 0.1 * np.arange(3)
    sign = np.array([1.0, 1.0, np.linalg.det(axes.astype(float))])
    smooth = np.column_stack([0.4 * np.sin(5 * TIMES), 0.2 + 0.8 * TIMES, 0.3 - 2.0 * TIMES])
    turned = slopes * smooth + offsets  # OpenSim's angles
    other = np.column_stack([turned[:, 0] + np.pi, np.pi - turned[:, 1], turned[:, 2] + sign[2] * np.pi])
    other = (other + np.pi) % (2 * np.pi) - np.pi
    late = (TIMES > 0.42)[:, None]
    flipped = np.where(late, (other - offsets) / slopes, smooth)
    read = [solved(model, dict(zip(ARM, x.T, strict=True))) for x in (flipped, smooth)]
    recorded, expected = (each.motion for each in read)
    assert np.abs(np.diff(flipped, axis=0)).max() > 1
    np.testing.assert_allclose(recorded.q, expected.q, rtol=0, atol=1e-12)
    for row in (10, 60, 100):
        rotations = [rotation(model, pose) for pose in (flipped[row], recorded.q[row])]
        np.testing.assert_allclose(*rotations, rtol=0, atol=1e-12)
    assert any("equivalent triple" in note for note in read[0].notes)


def flipped_at(rows: np.ndarray, smooth: np.ndarray, offset: float) -> np.ndarray:
    """The same rotations, at some rows in the other triple; the middle angle has an offset."""
    other = np.column_stack([smooth[:, 0] + np.pi, np.pi - 2 * offset - smooth[:, 1], smooth[:, 2] - np.pi])
    return np.where(rows[:, None], other, smooth)


@pytest.mark.filterwarnings("ignore:.*it jumps")
@pytest.mark.parametrize("ball", [False, True])
def test_the_triples_in_which_a_motion_is_written_do_not_matter(ball: bool) -> None:
    """At no rows but the first, also where it jumps by 100 degrees and passes near gimbal lock."""
    model = arm(np.eye(3), (1.0, 1.0, 1.0))
    names = list(ARM)
    if ball:
        model = osim.Model()
        body = osim.Body("arm", 3.0, osim.Vec3(0.02, -0.2, 0.01), osim.Inertia(0.15, 0.03, 0.16))
        model.addBody(body)
        joint = osim.BallJoint("shoulder", model.getGround(), body)
        for i, name in enumerate(names):
            joint.upd_coordinates(i).setName(name)
        model.addJoint(joint)
        model.initSystem()
    smooth = np.column_stack([0.4 * np.sin(5 * TIMES), 0.2 + 1.6 * TIMES, 0.3 - 2.0 * TIMES])
    smooth[50:] += (1.7, -0.5, 0.4)
    rows = np.random.default_rng(2).random(len(TIMES)) < 0.5
    rows[0] = False
    read = [
        solved(model, dict(zip(names, x.T, strict=True))).motion
        for x in (smooth, *(flipped_at(at, smooth, 0.0 if ball else 0.1) for at in (rows, TIMES > 0.495)))
    ]
    for other in read[1:]:
        np.testing.assert_allclose(other.q, read[0].q, rtol=0, atol=1e-12)
        np.testing.assert_allclose(other.u, read[0].u, rtol=0, atol=1e-9)


def rotation(model: osim.Model, pose: np.ndarray) -> np.ndarray:
    state = osim.State(model.getWorkingState())
    for name, value in zip(ARM, pose, strict=True):
        model.getCoordinateSet().get(name).setValue(state, float(value), False)
    model.realizePosition(state)
    matrix = model.getBodySet().get("arm").getTransformInGround(state).R().asMat33()
    return np.array([[matrix.get(i, j) for j in range(3)] for i in range(3)])


def test_motions_without_turns_stay_as_they_are() -> None:
    model = arm(np.eye(3), (1.0, 1.0, 1.0))
    assert solved(model, {name: 1.2 * np.sin((3 + i) * TIMES) for i, name in enumerate(ARM)}).notes == ()
