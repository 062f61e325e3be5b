"""Joints with rotations: the coordinates that rotate them, and whether these are three independent angles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.opensim import osim
from .coordinates import CoordinateTable
from .joint_bias import arguments, inboard_mobods, is_outboard

#: Joints whose speeds are the angular velocity in the parent frame, and whose values are Euler angles about X, Y and Z.
BY_ANGULAR_VELOCITY = ("BallJoint", "EllipsoidJoint", "FreeJoint")
#: How far axes of a CustomJoint may be from orthonormal ones.
ORTHONORMAL = 1e-12


@dataclass(frozen=True)
class EulerAngles:
    """The angles of a joint that turns freely: ``scale * values + offset`` about the columns of ``axes``.

    Each rotation carries the axes of the next.

    Attributes:
        axes: orthonormal and right-handed, in the parent frame where all angles are zero, (3, 3).
        scale, offset: (3,) [1] and [rad].
    """

    axes: Array = field(default_factory=lambda: np.eye(3))
    scale: Array = field(default_factory=lambda: np.ones(3))
    offset: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class RotationJoint:
    """A joint with coordinates that are rotations.

    Attributes:
        name: its name.
        kind: its class in OpenSim.
        coordinates: names of these coordinates, in speed order.
        places: their speeds among all, (n,).
        slots: their values among the generalized coordinates, (n,).
        spare: the generalized coordinate of the joint that holds no value, if there is one.
        parent, child: the joint's frames; the child is the body's.
        outboard: mobilized bodies that it moves.
        sign: -1 if these are on the side of its parent, else 1.
        angles: how values turn it, if it has three rotations about one point, or about its own place, that depend on
            nothing else; None of other joints.
        speeds_are_angular: whether its speeds are the angular velocity in the parent frame, and not rates of values.
    """

    name: str
    kind: str
    coordinates: tuple[str, ...]
    places: NDArray[np.intp]
    slots: NDArray[np.intp]
    spare: int | None
    parent: osim.PhysicalFrame
    child: osim.PhysicalFrame
    outboard: tuple[int, ...]
    sign: float
    angles: EulerAngles | None
    speeds_are_angular: bool


def read_rotation_joints(model: osim.Model, coordinates: CoordinateTable) -> dict[str, RotationJoint]:
    """Return the joints of an initialised model with coordinates that rotate them, by name."""
    inboard = inboard_mobods(model)
    joints = {}
    for joint in model.getJointSet():
        members = [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
        rotating = _of_rotations(joint)  # a coordinate that a rotation scales or shifts is none to OpenSim
        names = [name for name in members if coordinates.rotational[coordinates.index(name)] or name in rotating]
        if not names:
            continue
        places = np.array(sorted(coordinates.index(name) for name in names))
        child_mobod = int(joint.get_coordinates(0).getBodyIndex())
        is_reversed = child_mobod == int(joint.getParentFrame().getMobilizedBodyIndex())
        kind = joint.getConcreteClassName()
        angular = kind in BY_ANGULAR_VELOCITY
        slots = coordinates.slots[places]
        joints[joint.getName()] = RotationJoint(
            joint.getName(),
            kind,
            tuple(coordinates.names[i] for i in places),
            places,
            slots,
            int(slots[0]) + len(members) if angular else None,
            joint.getParentFrame(),
            joint.getChildFrame(),
            tuple(mobod for mobod in inboard if is_outboard(mobod, child_mobod, inboard)),
            -1.0 if is_reversed else 1.0,
            None if is_reversed else _angles(joint, kind, [coordinates.names[i] for i in places]),
            angular,
        )
    return joints


def _of_rotations(joint: osim.Joint) -> set[str]:
    """Return the names of the coordinates of which a CustomJoint's rotations are functions."""
    custom = osim.CustomJoint.safeDownCast(joint)
    if custom is None:
        return set()
    transform = custom.getSpatialTransform()
    return {name for i in range(3) for name in arguments(transform.getTransformAxis(i))}


def _angles(joint: osim.Joint, kind: str, names: list[str]) -> EulerAngles | None:
    if kind in BY_ANGULAR_VELOCITY or kind == "GimbalJoint":
        return EulerAngles()
    custom = osim.CustomJoint.safeDownCast(joint)
    return None if custom is None else _custom_angles(custom.getSpatialTransform(), names)


def _custom_angles(transform: osim.SpatialTransform, names: list[str]) -> EulerAngles | None:
    """Return the angles of a CustomJoint whose rotations are linear in a coordinate each, about orthogonal axes."""
    axes = [transform.getTransformAxis(i) for i in range(6)]
    if [arguments(axis) for axis in axes[:3]] != [[name] for name in names] or len(names) != 3:
        return None
    if any(set(arguments(axis)) & set(names) and not _is_constant(axis.getFunction()) for axis in axes[3:]):
        return None
    lines = [osim.LinearFunction.safeDownCast(axis.getFunction()) for axis in axes[:3]]
    if any(line is None or line.getSlope() == 0 for line in lines):
        return None
    directions = np.column_stack([axis.getAxis().to_numpy() for axis in axes[:3]])
    directions = directions / np.linalg.norm(directions, axis=0)
    if np.abs(directions.T @ directions - np.eye(3)).max() > ORTHONORMAL:
        return None
    signs = np.array([1.0, 1.0, np.sign(np.linalg.det(directions))])  # about the opposite of the third axis, if need be
    scale, offset = np.array([(line.getSlope(), line.getIntercept()) for line in lines]).T
    return EulerAngles(directions * signs, signs * scale, signs * offset)


def _is_constant(function: osim.Function) -> bool:
    return function.getConcreteClassName() == "Constant"
