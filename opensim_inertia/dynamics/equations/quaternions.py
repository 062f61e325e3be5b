"""Equations of motion with unit quaternions for joints that rotate freely.

Euler angles are singular in gimbal lock. Here y has a unit quaternion instead of the angles, and the angular velocity
in the parent frame instead of their rates. OpenSim is evaluated at the nearest Euler angles of each state:

* joints with angular velocities (ball, free, ellipsoid): accelerations are exact at every attitude, also in lock;
* joints with rates of angles (gimbal, custom): OpenSim's mass matrix is singular in lock. Near lock, accelerations are
  interpolated between poses 3 to 14 degrees away on both sides.

Quaternions: Zoufaly et al. 2025, eq. 1, in the parent's frame; see :mod:`opensim_inertia._core.rotations`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import OptionError
from ..._core.opensim import osim
from ..._core.rotations import euler_angles, euler_map, euler_quaternion, quaternion_map
from ...model.constraints import poses_on_the_way
from ...opensim_model.reading.joints import CROSS, EulerAngles, RotationJoint, read_rotation_joints
from .system import FORWARD_STEP, STATE_STEP, System, WrappedSystem, forward

#: Largest cosine c of the middle angle with interpolated accelerations for rates of angles. The error of Simbody's
#: accelerations is 4e-13 / c^3 at angular velocities of 1 rad/s, here 2e-8.
NEAR_LOCK = 0.03
#: Distance [rad] of the interpolated poses, and weights of their pairs: exact for polynomials of degree 7. The error is
#: the distance to the eighth over 70, 2e-12.
DISTANCE = 0.06
PAIRS = (56 / 70, -28 / 70, 8 / 70, -1 / 70)
#: Smallest cosine for OpenSim's states of such joints.
NEAREST = 1e-7


class _Turn:
    """One freely rotating joint: indices in y of quaternion, coordinates and speeds, and their conversion."""

    def __init__(self, joint: RotationJoint, scalar: int, nq: int, values: Array) -> None:
        assert joint.angles is not None
        self.angles: EulerAngles = joint.angles
        self.is_angular = joint.speeds_are_angular
        self.slots, self.spare = joint.slots, joint.spare
        self.entries: NDArray[np.intp] = np.array([scalar, *joint.slots])
        self.speeds: NDArray[np.intp] = nq + joint.places
        self.near = values

    def _angles(self, values: Array) -> Array:
        return self.angles.scale * values + self.angles.offset

    def quaternion(self, values: Array) -> Array:
        """Return the unit quaternion (4,) of coordinate values (3,)."""
        Q = euler_quaternion(self._angles(values))
        return np.concatenate([Q[:1], self.angles.axes @ Q[1:]])

    def values(self, Q: Array, near: Array) -> Array:
        """Return the coordinate values (3,), nearest to ``near`` (3,), of a quaternion Q (4,)."""
        in_axes = np.concatenate([Q[:1], self.angles.axes.T @ Q[1:]])
        return np.asarray((euler_angles(in_axes, self._angles(near)) - self.angles.offset) / self.angles.scale)

    def cosine(self, values: Array) -> float:
        """Return the cosine of the middle Euler angle, zero in gimbal lock."""
        return math.cos(self._angles(values)[1])

    def map(self, values: Array) -> Array:
        """Return the map (3, 3) from coordinate rates to angular velocity."""
        return euler_map(self._angles(values), "parent", self.angles.axes) * self.angles.scale

    def beside(self, values: Array, steps: int) -> Array:
        """Return the coordinate values (3,) with the middle angle moved by ``steps`` times :data:`DISTANCE`."""
        return values + np.array([0.0, steps * DISTANCE / self.angles.scale[1], 0.0])

    def out_of_lock(self, values: Array) -> Array:
        """Return the coordinate values, moved out of gimbal lock as far as OpenSim needs."""
        shortfall = NEAREST - abs(self.cosine(values))
        if self.is_angular or shortfall <= 0:
            return values
        away = -math.copysign(shortfall, math.sin(self._angles(values)[1]) * self.cosine(values)) / self.angles.scale[1]
        return values + np.array([0.0, away, 0.0])


class QuaternionSystem(WrappedSystem):
    """Equations of motion with quaternions for joints that rotate freely."""

    def __init__(self, plant: System) -> None:
        """Find the joints that rotate freely, and their indices in y."""
        self.__dict__.update(plant.__dict__)
        self.plant = plant
        self._ny = plant.layout.size
        joints = free_joints(plant)
        if not joints:
            raise OptionError(
                "rotations",
                "quaternion",
                f"'euler', for no joint of model '{plant.model.getName()}' turns freely about three axes",
            )
        self.joints = tuple(joint.name for joint in joints)
        added = [joint for joint in joints if joint.spare is None]
        self.layout = plant.layout.extended([f"/quaternion/{joint.name}" for joint in added])
        q = plant.state.getQ().to_numpy()
        ends = {joint.name: self._ny + i for i, joint in enumerate(added)}
        self._turns = [
            _Turn(joint, ends.get(joint.name, joint.spare or 0), self.nq, q[joint.slots].copy()) for joint in joints
        ]
        self._start = [turn.near for turn in self._turns]
        rotation_entries = {int(i) for turn in self._turns for i in (*turn.entries, *turn.speeds)}
        self._rotation_entries, self._other_entries = (
            sorted(rotation_entries),
            [i for i in range(self.layout.size) if i not in rotation_entries],
        )

    def from_opensim(self, y: Array) -> Array:
        """Convert OpenSim's y to a state with quaternions."""
        result = np.concatenate([y, np.zeros(self.layout.size - self._ny)])
        for turn in self._turns:
            result[turn.entries] = turn.quaternion(y[turn.slots])
            if not turn.is_angular:
                result[turn.speeds] = turn.map(y[turn.slots]) @ y[turn.speeds]
        return result

    def in_coordinates(self, y: Array) -> Array:
        """Convert states (T, ny) to OpenSim's y, with continuous Euler angles."""
        rows, near = [], list(self._start)
        for row in y:
            near = self._values(row, near)
            rows.append(self._to_opensim(row, near))
        return np.stack(rows)

    def set_state(self, t: float, y: Array) -> osim.State:
        """Return OpenSim's state, the same object at each call, set to t [s] and y."""
        return self.plant.set_state(t, self._to_opensim(y, self._values(y)))

    def _values(self, y: Array, near: Sequence[Array] | None = None) -> list[Array]:
        """Return each joint's coordinate values (3,) nearest to ``near``, by default to the last projected values."""
        near_values = [turn.near for turn in self._turns] if near is None else near
        return [
            turn.values(y[turn.entries], near_value) for turn, near_value in zip(self._turns, near_values, strict=True)
        ]

    def _to_opensim(self, y: Array, values: Sequence[Array]) -> Array:
        """Return OpenSim's y, with joints' coordinate ``values`` instead of quaternions."""
        plant_y = y[: self._ny].copy()
        for turn, joint_values in zip(self._turns, values, strict=True):
            joint_values = turn.out_of_lock(joint_values)
            plant_y[turn.slots] = joint_values
            if turn.spare is not None:
                plant_y[turn.spare] = 0.0
            if not turn.is_angular:
                plant_y[turn.speeds] = np.linalg.solve(turn.map(joint_values), y[turn.speeds])
        return plant_y

    def rhs(self, t: float, y: Array) -> Array:
        """Return dy/dt; NaN if OpenSim cannot evaluate the state."""
        if not np.isfinite(y).all():
            return np.full(len(y), np.nan)
        values = self._values(y)
        close = self._near_lock(values)
        if not any(close):
            return self._rates_at(t, y, values)
        total = np.zeros(len(y))
        for number, weight in enumerate(PAIRS, start=1):
            for side in (number, -number):
                aside = [turn.beside(v, side * c) for turn, v, c in zip(self._turns, values, close, strict=True)]
                total += weight * self._rates_at(t, y, aside)
        return total

    def _near_lock(self, values: Sequence[Array]) -> list[bool]:
        pairs = zip(self._turns, values, strict=True)
        return [not turn.is_angular and abs(turn.cosine(v)) < NEAR_LOCK for turn, v in pairs]

    def _rates_at(self, t: float, y: Array, values: Sequence[Array]) -> Array:
        """Return dy/dt at y; OpenSim is evaluated at the joints' coordinate ``values``."""
        plant_y = self._to_opensim(y, values)
        rates = np.concatenate([self.plant.rhs(t, plant_y), np.zeros(len(y) - self._ny)])
        for turn, joint_values in zip(self._turns, values, strict=True):
            omega = y[turn.speeds]
            rates[turn.entries] = quaternion_map(y[turn.entries], "parent").T @ omega / 2
            if not turn.is_angular:
                J = turn.map(joint_values)
                rates[turn.speeds] = J @ rates[turn.speeds] + _turning(J, plant_y[turn.speeds])
        return rates

    def jacobian(self, t: float, y: Array) -> Array:
        """Return the Jacobian df/dy (ny, ny) of ``rhs`` by forward differences."""
        f = self.rhs(t, y)
        if not np.isfinite(f).all():
            return np.full((len(y), len(y)), np.nan)
        values = self._values(y)
        result = np.zeros((len(y), len(y)))
        differenced, length = self._rotation_entries, FORWARD_STEP
        if any(self._near_lock(values)):
            differenced, length = list(range(len(y))), STATE_STEP  # longer, for rounding is larger
        elif self._other_entries:
            columns = self.plant.jacobian(t, self._to_opensim(y, values))[:, self._other_entries]
            for turn, joint_values in zip(self._turns, values, strict=True):
                if not turn.is_angular:
                    columns[turn.speeds] = turn.map(joint_values) @ columns[turn.speeds]
            result[: self._ny, self._other_entries] = columns
            for turn in self._turns:
                result[turn.entries[:, None], self._other_entries] = 0.0
        step = length * np.maximum(1.0, np.abs(y))
        for i in differenced:
            result[:, i] = forward(lambda x: self.rhs(t, x), f, y, i, step[i])
        return result

    def project(self, t: float, y: Array) -> Array:
        """Return y with unit quaternions, projected onto the constraints."""
        if not np.isfinite(y).all():
            return y
        y = y.copy()
        for turn in self._turns:
            y[turn.entries] /= np.linalg.norm(y[turn.entries])
        values = self._values(y)
        if self.is_constrained:
            y = self._constrained(t, y, values)
            values = self._values(y)
        for turn, joint_values in zip(self._turns, values, strict=True):
            turn.near = joint_values
        return y

    def _constrained(self, t: float, y: Array, values: Sequence[Array]) -> Array:
        before = self._to_opensim(y, values)
        poses = poses_on_the_way(self.inertial.kinematics, self.plant.set_state(t, before), self._moved_pose)
        after = before.copy()
        after[: self.nq] = poses[-1]
        after = self.plant.project_speeds(t, after)
        result = self.from_opensim(after)
        if len(poses) == 1:
            result[: self.nq], result[self._ny :] = y[: self.nq], y[self._ny :]
        for turn in self._turns:
            if not turn.is_angular and np.array_equal(after[turn.speeds], before[turn.speeds]):
                result[turn.speeds] = y[turn.speeds]
        return result

    def _moved_pose(self, q: Array, speeds: Array, change: Array) -> Array:
        """Return pose q (nq,) plus ``change``; freely rotating joints turn at ``speeds`` for unit time instead."""
        pose = q + change
        for turn in self._turns:
            values = q[turn.slots]
            joint_speeds = speeds[turn.speeds - self.nq]
            omega = joint_speeds if turn.is_angular else turn.map(values) @ joint_speeds
            pose[turn.slots] = turn.values(_turned(turn.quaternion(values), omega), values)
            if turn.spare is not None:
                pose[turn.spare] = 0.0
        return pose


def free_joints(system: System) -> list[RotationJoint]:
    """Return the joints that rotate freely, without locked or prescribed angles.

    These are ball, free, ellipsoid and gimbal joints, and CustomJoints with three rotations about orthogonal axes, each
    linear in its own coordinate, and translations independent of these.
    """
    coordinates, state = system.model.getCoordinateSet(), system.state
    joints = []
    for joint in read_rotation_joints(system.model, system.inertial.coordinates).values():
        joint_coordinates = [coordinates.get(name) for name in joint.coordinates]
        if joint.angles is not None and not any(c.getLocked(state) or c.isPrescribed(state) for c in joint_coordinates):
            joints.append(joint)
    return joints


def _turned(Q: Array, turn: Array) -> Array:
    """Return quaternion Q rotated by the rotation vector ``turn`` (3,) [rad] in the parent frame."""
    angle = float(np.linalg.norm(turn))
    return np.asarray(math.cos(angle / 2) * Q + np.sinc(angle / (2 * np.pi)) * quaternion_map(Q, "parent").T @ turn / 2)


def _turning(J: Array, rates: Array) -> Array:
    """Return dJ/dt times coordinate ``rates`` (3,); J (3, 3) maps coordinate rates to angular velocity."""
    first, second, third = (J * rates).T
    return np.asarray(second @ (first @ CROSS).reshape(3, 3) + third @ ((first + second) @ CROSS).reshape(3, 3))
