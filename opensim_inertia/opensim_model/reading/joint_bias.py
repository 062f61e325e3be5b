"""Correction of Simbody's acceleration bias at CustomJoints whose rotations share a coordinate.

A CustomJoint turns its child frame by angles ``theta_i``, functions of its coordinates, about an axis ``w_1`` of the
parent frame, ``w_2`` that the first rotation carries, and ``w_3`` that both carry. Hence with udot = 0

    alpha = sum_i w_i thetaddot_i + v_2 x w_2 thetadot_2 + v_3 x w_3 thetadot_3,
    v_2 = w_1 thetadot_1,    v_3 = w_1 thetadot_1 + w_2 thetadot_2.

Simbody (``MobilizedBody::FunctionBasedImpl``, ``CacheInfo::buildHdot``) takes for ``v_2`` the whole angular velocity
that the joint's first speed makes. That is too much by ``w_3 thetadot_3`` where the third rotation, too, is a function
of the joint's first coordinate, and what Simbody's alpha lacks is

    thetadot_2 thetadot_3 w_2 x w_3,

where ``w_2 x w_3`` is a vector that the first two rotations carry: the child frame's, turned back by ``theta_3``. For
``v_3`` Simbody takes the angular velocity of all speeds but the third, which is right as long as each angle is a
function of one coordinate. Angles that are functions of several are not for this module: OpenSim gives Simbody first
derivatives of them for second ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin

import numpy as np

from ..._core.arrays import Array
from ..._core.opensim import osim
from .coordinates import CoordinateTable
from .frames import FrameTransforms

#: With vectors in rows, ``b @ (a @ CROSS).reshape(3, 3)`` is a x b; for few vectors this is faster than NumPy's own.
CROSS = np.cross(np.eye(3)[:, None], np.eye(3)).reshape(3, 9)


class BiasCorrection:
    """The correction of Simbody's acceleration bias Jdot u of bodies, for the CustomJoints of one model.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        mobods: mobilized bodies of the bodies.

    Attributes:
        joints: the joints that are corrected.
        frames: their child frames.
    """

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, mobods: Sequence[int]) -> None:
        """Find the CustomJoints whose third rotation follows their first coordinate and that carry a body."""
        inboard = inboard_mobods(model)
        self.joints: list[SharedRotations] = []
        for joint in model.getJointSet():
            custom = osim.CustomJoint.safeDownCast(joint)
            if custom is None or not _third_follows_first_coordinate(custom.getSpatialTransform()):
                continue
            mobod = int(joint.get_coordinates(0).getBodyIndex())
            is_moved = np.array([is_outboard(m, mobod, inboard) for m in mobods])
            if is_moved.any():
                # Where Simbody has reversed the joint, it is the parent frame that moves, the other way.
                is_reversed = mobod == joint.getParentFrame().getMobilizedBodyIndex()
                carries = is_moved * (-1.0 if is_reversed else 1.0)
                self.joints.append(
                    SharedRotations(custom.getSpatialTransform(), joint.getChildFrame(), coordinates, carries)
                )
        self.frames = FrameTransforms([joint.frame for joint in self.joints])
        self._outboard = np.array([joint.carries for joint in self.joints]).T

    def __bool__(self) -> bool:
        """Whether there is anything to correct."""
        return bool(self.joints)

    def at(self, state: osim.State, q: Array, u: Array, position: Array) -> Array:
        """Return the correction of Simbody's bias (nb, 6) in ground: angular, and linear of the bodies' origins.

        Args:
            position: the bodies' origins (nb, 3).
        """
        in_frame = np.array([joint.lacking(q, u) for joint in self.joints])
        rotation, origin = self.frames.read(state)
        alpha = (rotation @ in_frame[..., None])[..., 0]
        arms = position[None] - origin[:, None]
        linear = arms @ (alpha @ CROSS).reshape(-1, 3, 3)
        return np.concatenate([self._outboard @ alpha, np.einsum("bj,jbi->bi", self._outboard, linear)], axis=1)


class SharedRotations:
    """The second and third rotation of a CustomJoint, of which the third follows the joint's first coordinate.

    Args:
        transform: the joint's transform, in an initialised model.
        frame: its child frame.
        coordinates: the model's coordinates.
        carries: as the attribute.

    Attributes:
        frame: the joint's child frame.
        carries: of each body that is read, whether the joint carries it: 1, -1 if the joint is reversed, else 0.
        second, third: the angles [rad], functions of one coordinate each.
        by_second, by_third: places of these coordinates.
        cosine, sine: w_2 x w_3 in the child frame (3,) where theta_3 is 0, and where it is a right angle.
    """

    def __init__(
        self, transform: osim.SpatialTransform, frame: osim.Frame, coordinates: CoordinateTable, carries: Array
    ) -> None:
        self.frame, self.carries = frame, carries
        second, third = (transform.getTransformAxis(i) for i in (1, 2))
        self.second, self.third = second.getFunction(), third.getFunction()
        self.by_second, self.by_third = (coordinates.index(arguments(axis)[0]) for axis in (second, third))
        w2, w3 = (axis.getAxis().to_numpy() for axis in (second, third))
        self.cosine = np.cross(w2, w3) / (np.linalg.norm(w2) * np.linalg.norm(w3))
        self.sine = np.cross(self.cosine, w3 / np.linalg.norm(w3))

    def lacking(self, q: Array, u: Array) -> Array:
        """Return the true minus Simbody's angular acceleration at udot = 0, in the child frame, (3,) [rad/s^2]."""
        x, y = (osim.Vector(1, float(q[i])) for i in (self.by_second, self.by_third))
        rate = self.second.calcDerivative([0], x) * u[self.by_second]
        rate *= self.third.calcDerivative([0], y) * u[self.by_third]
        angle = self.third.calcValue(y)
        return rate * (cos(angle) * self.cosine + sin(angle) * self.sine)


def arguments(axis: osim.TransformAxis) -> list[str]:
    """Return the names of the coordinates of which an axis' displacement is a function."""
    names = axis.getCoordinateNamesInArray()
    return [names.get(i) for i in range(names.getSize())]


def _third_follows_first_coordinate(transform: osim.SpatialTransform) -> bool:
    """Return whether Simbody's bias is wrong at a joint in the way that this module corrects."""
    first, second, third = (arguments(transform.getTransformAxis(i)) for i in range(3))
    single = len(first) <= 1 and len(second) == len(third) == 1
    return single and third[0] == (first or second)[0]


def inboard_mobods(model: osim.Model) -> dict[int, int]:
    """Return the inboard mobilized body of each mobilized body that a joint moves."""
    inboard = {}
    for joint in model.getJointSet():
        parent, child = (int(f.getMobilizedBodyIndex()) for f in (joint.getParentFrame(), joint.getChildFrame()))
        moving_mobod = int(joint.get_coordinates(0).getBodyIndex()) if joint.numCoordinates() else max(parent, child)
        inboard[moving_mobod] = child if moving_mobod == parent else parent
    return inboard


def is_outboard(mobod: int, ancestor: int, inboard: dict[int, int]) -> bool:
    """Return whether a mobilized body is ``ancestor``, or is moved by it."""
    while mobod > ancestor:  # Simbody numbers mobilized bodies outwards
        mobod = inboard.get(mobod, 0)
    return mobod == ancestor
