"""Variables of polynomials: coordinates, or components of the quaternions of joints that turn in three directions.

A polynomial's derivative with respect to a coordinate, the moment arm, is its Jacobian with respect to the variables
times their derivatives with respect to the coordinate. So quaternions need no mapping of moment arms to spatial or to
quaternion coordinates, which Zoufaly et al. (2025, eqs. 6 and 14) invert and which is singular where Euler angles are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

from ..._core.arrays import Array
from ..._core.errors import MotionError
from ..._core.numerics.rotations import quaternion_map
from ..._core.opensim import osim
from ...opensim_model.reading.coordinates import CoordinateTable, follow_couplers, random_poses
from ...opensim_model.reading.kinematics import Kinematics
from .turns import TURNS, FreeCoordinates, Turn, relative_motions

#: The least scalar component of a quaternion: its vector part says little of rotations near 180 degrees.
LEAST_SCALAR = 0.05


@dataclass(frozen=True)
class Group:
    """Variables that belong together: a muscle's polynomial has all of them or none."""

    columns: tuple[int, ...]  # the variables, as places in `names`
    speeds: tuple[int, ...]  # the free coordinates that move them, as places in `names`


@dataclass(frozen=True)
class Pose:
    """Variables at P poses."""

    x: Array  # their values (P, n)
    motions: Array  # their derivatives (P, n, F) with respect to the free coordinates' speeds


class Variables:
    """The variables of all polynomials of an initialised model, some joints described by quaternions.

    Attributes:
        names: coordinates, then joints with ``.Q1``, ``.Q2`` and ``.Q3``.
        groups: which of them belong together.
        free: the free coordinates.
        angular: joints of coordinates whose rates are not the model's speeds, as of ball joints.
    """

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, turns: Sequence[Turn] = ()) -> None:
        """Number the variables, coordinates first and then quaternions, and group those that belong together."""
        self._model, self._coordinates, self.turns = model, coordinates, tuple(turns)
        self.free = free = FreeCoordinates(model, coordinates)
        quaternion_coordinates = {name for turn in turns for name in turn.coordinates}
        euler_columns = [k for k, name in enumerate(free.names) if name not in quaternion_coordinates]
        self._euler_columns = np.array(euler_columns, dtype=np.intp)
        euler_names = [free.names[k] for k in euler_columns]
        self.names = (*euler_names, *(f"{turn.joint}.Q{i}" for turn in turns for i in (1, 2, 3)))
        first = len(euler_names)
        self.angular = self._find_angular()
        columns_by_joint: dict[object, list[int]] = {}
        for column, k in enumerate(euler_columns):
            columns_by_joint.setdefault(self.angular.get(free.names[k], k), []).append(column)
        groups = [
            Group(tuple(columns), tuple(euler_columns[c] for c in columns)) for columns in columns_by_joint.values()
        ]
        for t, turn in enumerate(turns):
            speeds = tuple(free.names.index(name) for name in turn.turning if name in free.names)
            groups.append(Group(tuple(range(first + 3 * t, first + 3 * t + 3)), speeds))
        self.groups = tuple(groups)
        bodies = tuple(dict.fromkeys(body for turn in turns for body in (turn.parent, turn.child)))
        self._kinematics = Kinematics(model, coordinates, bodies) if turns else None

    def at(self, q: Array, drives: Array) -> Pose:
        """Return the variables at poses q (P, nu), and their derivatives by the free coordinates' speeds.

        ``drives`` are of :meth:`FreeCoordinates.drives`. MotionError: a joint is turned by nearly 180 degrees.
        """
        places = self.free.places[self._euler_columns]
        xs, motions = [q[:, places]], [self._rates(q)[:, places] @ drives]
        for turn, (rotation, spin) in zip(self.turns, self._rotations(q), strict=True):
            relative = Rotation.from_quat(turn.reference).inv() * rotation
            quaternion = relative.as_quat(canonical=True, scalar_first=True)
            far = quaternion[:, 0] < LEAST_SCALAR
            if far.any():
                raise MotionError(
                    f"pose {int(far.argmax())} (counted from 0): joint '{turn.joint}' is turned by nearly 180 degrees "
                    "from the mean of the fitted poses, where the vector part of a quaternion cannot tell poses apart; "
                    "expected poses closer to it, or Euler angles"
                )
            omega = Rotation.from_quat(turn.reference).as_matrix().T @ (spin @ drives)
            xs.append(quaternion[:, 1:])
            rates = np.array([quaternion_map(each, "parent")[:, 1:] for each in quaternion]) / 2
            motions.append(rates.transpose(0, 2, 1) @ omega)
        return Pose(np.concatenate(xs, axis=1), np.concatenate(motions, axis=1))

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of all coordinates of the model, along the axis of poses (P, nu)."""
        return self._coordinates.names

    def followed(self, q: Array) -> Array:
        """Return poses (P, nu) with the coordinates that follow others in their places."""
        return follow_couplers(self._model, self._coordinates, q)

    def with_mean_references(self, q: Array) -> Variables:
        """Return the same variables, each quaternion with the mean of the rotations at poses q as its reference."""
        turns = []
        for turn, (rotation, _) in zip(self.turns, self._rotations(q), strict=True):
            x, y, z, w = rotation.mean().as_quat(canonical=True).tolist()
            turns.append(Turn(turn.joint, turn.parent, turn.child, turn.coordinates, turn.turning, (x, y, z, w)))
        return Variables(self._model, self._coordinates, turns)

    def _find_angular(self) -> dict[str, str]:
        """Return the joint of each coordinate of a joint whose speeds are not the rates of its coordinates."""
        if self._coordinates.rates_are_speeds:
            return {}
        rates = self._rates(random_poses(self._model, self._coordinates, 3, margin=0.1))
        differs = np.abs(rates - np.eye(rates.shape[1])).max(axis=0) > TURNS
        coordinate_set = self._model.getCoordinateSet()
        joints = {name: coordinate_set.get(name).getJoint().getName() for name in self._coordinates.names}
        angular_joints = {
            joints[self._coordinates.names[i]] for i in np.flatnonzero(differs.any(axis=0) | differs.any(axis=1))
        }
        return {name: joint for name, joint in joints.items() if joint in angular_joints}

    def _rates(self, q: Array) -> Array:
        """Return the rates (P, nu, nu) of the coordinates per speed."""
        count = q.shape[1]
        if self._coordinates.rates_are_speeds:
            return np.broadcast_to(np.eye(count), (len(q), count, count))
        rates = np.empty((len(q), count, count))
        state = osim.State(self._model.getWorkingState())
        units = [osim.Vector.createFromMat(row) for row in np.eye(count)]
        for pose, values in enumerate(q):
            self._coordinates.set_values(state, values)
            for k, unit in enumerate(units):
                state.setU(unit)
                self._model.realizeVelocity(state)
                rates[pose, :, k] = state.getQDot().to_numpy()[self._coordinates.slots]
        return rates

    def _rotations(self, q: Array) -> list[tuple[Rotation, Array]]:
        """Return each turn's rotations at poses, and the angular velocity (P, 3, nu) per speed in the parent."""
        if self._kinematics is None:
            return []
        motions = relative_motions(self._model, self._coordinates, self._kinematics, self.turns, q)
        return [(motion.rotation, motion.spin) for motion in motions]
