"""Maps between coordinates of a rotation, against SciPy's rotations and differences."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from opensim_inertia._core.numerics import rotations
from opensim_inertia.errors import OptionError, RotationError

RNG = np.random.default_rng(3)
#: Random angles, none of which is in gimbal lock or half a turn.
ANGLES = RNG.uniform(-3, 3, (20, 3))
#: Right-handed axes that are not X, Y and Z.
AXES = Rotation.from_rotvec([0.4, -1.0, 0.7]).as_matrix()
STEP = 1e-6
DIFFERENCES = 1e-8
"""Central differences of this step: truncation 1e-12, rounding 1e-10; of E a hundred of that where Q0 is small."""
EXACT = 1e-14


def matrix(angles: np.ndarray) -> np.ndarray:
    return AXES @ Rotation.from_euler("XYZ", angles).as_matrix() @ AXES.T


def quaternion(angles: np.ndarray) -> np.ndarray:
    Q = rotations.euler_quaternion(angles)
    return np.r_[Q[0], AXES @ Q[1:]]


@pytest.mark.parametrize("frame", rotations.FRAMES)
def test_rates_of_all_coordinates_make_the_same_angular_velocity(frame: str) -> None:
    for angles in ANGLES:
        rates = RNG.normal(size=3)
        ends = [angles + STEP * rates, angles - STEP * rates]
        Qdot = (quaternion(ends[0]) - quaternion(ends[1])) / (2 * STEP)
        spin = (matrix(ends[0]) - matrix(ends[1])) / (2 * STEP) @ matrix(angles).T  # omega x in the parent's frame
        omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        if frame == "body":
            omega = matrix(angles).T @ omega
        Q = quaternion(angles)
        np.testing.assert_allclose(2 * rotations.quaternion_map(Q, frame) @ Qdot, omega, atol=DIFFERENCES)
        np.testing.assert_allclose(rotations.euler_map(angles, frame, AXES) @ rates, omega, atol=DIFFERENCES)
        E = rotations.constrained_map(Q, frame)
        np.testing.assert_allclose(E @ Qdot[1:], omega, atol=DIFFERENCES / Q[0] ** 2)


@pytest.mark.parametrize("frame", rotations.FRAMES)
def test_the_papers_table_of_maps_leads_there_and_back(frame: str) -> None:
    for angles in ANGLES:
        Q, R_S = quaternion(angles), RNG.normal(size=(3, 4))
        R_Q = rotations.quaternion_from_spatial(R_S, Q, frame)
        np.testing.assert_allclose(rotations.spatial_from_quaternion(R_Q, Q, frame), R_S, atol=EXACT)
        np.testing.assert_allclose(Q @ R_Q, 0.0, atol=EXACT)
        radial = np.outer(Q, RNG.normal(size=4))  # of a length that depends on the norm, too
        np.testing.assert_allclose(rotations.spatial_from_quaternion(R_Q + radial, Q, frame), R_S, atol=EXACT)
        R = rotations.constrained_from_spatial(R_S, Q, frame)
        np.testing.assert_allclose(
            rotations.spatial_from_constrained(R, Q, frame), R_S, atol=EXACT * max(1, np.abs(R).max())
        )
        R_E = rotations.euler_from_spatial(R_S, angles, frame, AXES)
        back = rotations.spatial_from_euler(R_E, angles, frame, AXES)
        np.testing.assert_allclose(back, R_S, atol=10 * EXACT / abs(np.cos(angles[1])))


def test_gimbal_lock_has_no_way_back_from_euler_angles() -> None:
    locked = np.array([0.3, np.pi / 2, -0.2])
    with pytest.raises(RotationError, match="gimbal lock, the second at 90 degrees"):
        rotations.spatial_from_euler(np.ones(3), locked, "parent")
    with pytest.raises(OptionError, match="frame='ground'.*'parent', 'body'"):
        rotations.euler_map(locked, "ground")


@pytest.mark.parametrize("lock", [np.pi / 2, -np.pi / 2])
@pytest.mark.parametrize("tilt", [0.0, 1e-15, 1e-9, 1e-4, 0.3])
def test_euler_angles_near_lock_are_those_of_the_rotation(lock: float, tilt: float) -> None:
    angles = np.array([0.7, lock - tilt, -1.1])
    for Q in (rotations.euler_quaternion(angles), -rotations.euler_quaternion(angles)):
        nearest = rotations.euler_angles(Q, np.array([0.6, lock, -1.0]))
        turned = Rotation.from_quat(rotations.euler_quaternion(nearest), scalar_first=True)
        error = (turned * Rotation.from_quat(Q, scalar_first=True).inv()).magnitude()
        assert error < 1e-15 * 10
        assert abs(nearest[1] - angles[1]) < 1e-15 * 10
    if tilt == 0.0:
        assert nearest[0] == pytest.approx(0.6, abs=1e-15)  # which lock leaves open
