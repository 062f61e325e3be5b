"""Jacobians of path lengths by rotations: against OpenSim's lengthening, and differences of lengths."""

import functools
from collections.abc import Callable

import numpy as np
import opensim as osim
import pytest
from conftest import model_path, slow_except
from models.ball_pendulum import JOINTS, MUSCLES, build_ball_pendulum
from oracles import limbs
from oracles.demo_leg import build_leg
from scipy.spatial.transform import Rotation

import opensim_inertia as oi
from opensim_inertia.analyses.moment_arms import path_jacobians, rotations

STEP = 1e-5
DIFFERENCES = 1e-8  # Of central differences of this step: truncation 1e-10, rounding 1e-11
ROUNDING = 1e-12
OPTIONS = {"strain": oi.StrainModel("uniform", belly=(0.0, 1.0))}


@pytest.fixture(scope="module", params=["ball", "custom"])
def pendulum(request: pytest.FixtureRequest) -> oi.InertialModel:
    """Six muscles of 20 g; the angles of both kinds of joints are the same, their speeds are not."""
    return oi.InertialModel(*build_ball_pendulum(custom=request.param == "custom", muscle=0.02), **OPTIONS)


def at(inertial: oi.InertialModel, angles: np.ndarray, speeds: np.ndarray | None = None) -> osim.State:
    state = inertial.initial_state()
    inertial.coordinates.set_values(state, angles)
    if speeds is not None:
        state.setU(osim.Vector.createFromMat(speeds))
    inertial.model.realizeVelocity(state)
    return state


def differences(length: Callable[[np.ndarray], np.ndarray], n: int) -> np.ndarray:
    return np.array([length(h) - length(-h) for h in STEP * np.eye(n)]) / (2 * STEP)


@pytest.mark.parametrize("poses", slow_except([10], [10, 100]))
def test_jacobians_give_opensims_lengthening_speeds(pendulum: oi.InertialModel, poses: int) -> None:
    """At random poses, in spatial coordinates and by way of quaternions; with our paths and with OpenSim's."""
    rng, is_ball = np.random.default_rng(0), pendulum.coordinates.nq == 8
    largest = 0.0
    for i in range(poses):
        q, u = rng.uniform(-np.pi, np.pi, 6), rng.normal(size=6)
        state = at(pendulum, q, u)
        J = path_jacobians(pendulum if i % 2 else pendulum.model, state)
        rates = np.zeros(6)
        by_quaternion = np.zeros(6)
        for k, joint in enumerate(JOINTS):
            part = slice(3 * k, 3 * k + 3)
            omega = u[part] if is_ball else rotations.euler_map(q[part], "parent") @ u[part]
            R_S = rotations.spatial_from_quaternion(J.quaternion(joint).to_numpy(), J.orientation(joint), "parent")
            rates += omega @ J.spatial(joint).to_numpy()
            by_quaternion += omega @ R_S
        expected = [pendulum.model.getMuscles().get(name).getLengtheningSpeed(state) for name in MUSCLES]
        np.testing.assert_allclose(rates, expected, atol=ROUNDING)
        np.testing.assert_allclose(by_quaternion, expected, atol=ROUNDING)
        largest = max(largest, np.abs(expected).max())
    assert largest > 0.3


def test_every_jacobian_is_the_difference_of_lengths(pendulum: oi.InertialModel) -> None:
    q = np.array([0.4, -0.7, 1.9, -0.8, 0.6, 0.3])
    J = path_jacobians(pendulum, at(pendulum, q))
    for k, joint in enumerate(JOINTS):
        part = slice(3 * k, 3 * k + 3)
        Q = J.orientation(joint)

        def length(angles: np.ndarray, part: slice = part) -> np.ndarray:
            moved = q.copy()
            moved[part] = angles
            return pendulum.path_lengths(at(pendulum, moved))["path"].to_numpy()

        def turned(Q: np.ndarray, length: Callable[..., np.ndarray] = length, part: slice = part) -> np.ndarray:
            return length(rotations.euler_angles(Q / np.linalg.norm(Q), q[part]))

        def by(vector: np.ndarray, frame: str, Q: np.ndarray = Q, turned: Callable[..., np.ndarray] = turned):
            rotation, start = Rotation.from_rotvec(vector), Rotation.from_quat(Q, scalar_first=True)
            moved = rotation * start if frame == "parent" else start * rotation
            return turned(moved.as_quat(scalar_first=True))

        euler = differences(lambda h, length=length, part=part: length(q[part] + h), 3)
        np.testing.assert_allclose(J.euler(joint), euler, atol=DIFFERENCES)
        for frame in ("parent", "body"):
            spatial = differences(lambda h, frame=frame, by=by: by(h, frame), 3)
            np.testing.assert_allclose(J.spatial(joint, frame), spatial, atol=DIFFERENCES)
        four = differences(lambda h, Q=Q, turned=turned: turned(Q + h), 4)
        np.testing.assert_allclose(J.quaternion(joint), four, atol=DIFFERENCES)
        three = differences(
            lambda h, Q=Q, turned=turned: turned(np.r_[np.sqrt(1 - ((Q[1:] + h) ** 2).sum()), Q[1:] + h]), 3
        )
        np.testing.assert_allclose(J.quaternion_constrained(joint), three, atol=DIFFERENCES)
        assert min(np.abs(table).max() for table in (euler, four, three)) > 0.05
    # the frame matters
    assert np.abs(J.spatial("elbow", "body") - J.spatial("elbow")).to_numpy().max() > 0.05


def test_ground_is_the_first_joints_parent_and_the_seconds_turned(pendulum: oi.InertialModel) -> None:
    q = np.array([0.4, -0.7, 1.9, -0.8, 0.6, 0.3])
    J = path_jacobians(pendulum, at(pendulum, q))
    np.testing.assert_array_equal(J.spatial("shoulder", "ground"), J.spatial("shoulder"))
    turn = Rotation.from_quat(J.orientation("shoulder"), scalar_first=True).as_matrix()
    np.testing.assert_allclose(J.spatial("elbow", "ground"), turn @ J.spatial("elbow"), atol=ROUNDING)
    for frame in ("parent", "body", "ground"):
        assert J.spatial("elbow", frame).attrs == {"joint": "elbow", "frame": frame}


def test_what_opensim_calls_moment_arms(pendulum: oi.InertialModel) -> None:
    """By the speeds that it has: rates of angles, or angular velocity in the parent frame."""
    state = at(pendulum, np.array([0.4, -0.7, 1.9, -0.8, 0.6, 0.3]))
    J, is_ball = path_jacobians(pendulum, state), pendulum.coordinates.nq == 8
    for joint in JOINTS:
        table = J.spatial(joint) if is_ball else J.euler(joint)
        for i, name in enumerate(J.euler(joint).index):
            coordinate = pendulum.model.getCoordinateSet().get(name)
            for muscle in MUSCLES:
                arm = pendulum.model.getMuscles().get(muscle).computeMomentArm(state, coordinate)
                assert table[muscle].iloc[i] == pytest.approx(-arm, abs=1e-10)


def test_gimbal_lock_spoils_no_spatial_jacobian() -> None:
    """A CustomJoint's own coordinates do not determine it there; a ball joint's speeds do."""
    q = np.array([0.4, np.pi / 2, 1.9, -0.8, -np.pi / 2, 0.3])
    jacobians = []
    for custom in (False, True):
        inertial = oi.InertialModel(*build_ball_pendulum(custom=custom, muscle=0.02), **OPTIONS)
        jacobians.append(path_jacobians(inertial, at(inertial, q)))
    for kind in ("euler", "spatial", "quaternion"):
        np.testing.assert_allclose(jacobians[0].to_frame(kind), jacobians[1].to_frame(kind), atol=ROUNDING)


def test_half_a_turn_names_the_joint(pendulum: oi.InertialModel) -> None:
    J = path_jacobians(pendulum, at(pendulum, np.array([0.2, 0.3, 0.4, np.pi, 0.0, 0.0])))
    with pytest.raises(oi.errors.RotationError, match="joint 'elbow': the rotation is by 180 degrees"):
        J.quaternion_constrained("elbow")
    R_S = rotations.spatial_from_quaternion(J.quaternion("elbow").to_numpy(), J.orientation("elbow"), "parent")
    np.testing.assert_allclose(R_S, J.spatial("elbow"), atol=ROUNDING)
    assert np.abs(J.quaternion_constrained("shoulder")).to_numpy().max() > 0.05


def floating(base: str) -> oi.InertialModel:
    """Pins below a joint that turns freely."""
    return oi.InertialModel(limbs.limbs(base), limbs.masses(), **OPTIONS)


def wrapped_leg() -> oi.InertialModel:
    """The demo's, whose gastrocnemii wrap; custom joints at pelvis and hip, pins below."""
    leg = build_leg()
    return oi.InertialModel(leg, oi.estimate_masses(leg))


def arm() -> oi.InertialModel:
    """Arm26: several muscles over cylinders and ellipsoids."""
    model = osim.Model(str(model_path("Models/Arm26/arm26.osim")))
    return oi.InertialModel(model, oi.estimate_masses(model), wrapping=oi.Wrapping(warn_wraps=False))


@pytest.mark.parametrize(
    "make",
    [
        *(functools.partial(floating, base) for base in ("free", "ball", "custom")),
        wrapped_leg,
        pytest.param(arm, marks=pytest.mark.slow),
    ],
)
def test_euler_jacobians_of_all_kinds_of_joints_are_differences(make: Callable[[], oi.InertialModel]) -> None:
    inertial = make()
    table, rng = inertial.coordinates, np.random.default_rng(2)
    q = inertial.reference + rng.uniform(-0.3, 0.3, len(table.names))
    J = path_jacobians(inertial, at(inertial, q))
    names = list(inertial.muscle_names)
    count = 0
    for joint in J.joints:
        for name in J.euler(joint).index:
            i = table.index(name)
            ends = [
                inertial.path_lengths(at(inertial, q + side * STEP * np.eye(len(q))[i]))["path"].to_numpy()
                for side in (1, -1)
            ]
            np.testing.assert_allclose(
                J.euler(joint).loc[name, names], (ends[0] - ends[1]) / (2 * STEP), atol=DIFFERENCES
            )
            count += 1
    assert count == sum(table.rotational)


@pytest.mark.parametrize("lock", [np.pi / 2, -np.pi / 2])
@pytest.mark.parametrize("tilt", [0.0, 1e-15, 1e-9, 1e-4, 0.3])
def test_euler_angles_near_lock_are_those_of_the_rotation(lock: float, tilt: float) -> None:
    angles = np.array([0.7, lock - tilt, -1.1])
    for Q in (rotations.euler_quaternion(angles), -rotations.euler_quaternion(angles)):
        nearest = rotations.euler_angles(Q, np.array([0.6, lock, -1.0]))
        turned = Rotation.from_quat(rotations.euler_quaternion(nearest), scalar_first=True)
        assert (turned * Rotation.from_quat(Q, scalar_first=True).inv()).magnitude() < 1e-14
        assert abs(nearest[1] - angles[1]) < 1e-14
    if tilt == 0.0:
        assert nearest[0] == pytest.approx(0.6, abs=1e-15)  # which lock leaves open
