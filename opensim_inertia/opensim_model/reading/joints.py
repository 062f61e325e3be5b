"""Joints with rotations, and a correction of Simbody's acceleration bias."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.opensim import osim
from .components import FrameTransforms
from .coordinates import CoordinateTable, read_coordinates
from .functions import values_at
from .loading import ModelSystem

#: For row vectors, ``b @ (a @ CROSS).reshape(3, 3)`` is a x b.
CROSS = np.cross(np.eye(3)[:, None], np.eye(3)).reshape(3, 9)


class BiasCorrection:
    """Correction of Simbody's acceleration bias Jdot u for CustomJoints (docs/opensim-joint-bias.md).

    If the third rotation also depends on the first coordinate, alpha lacks ``thetadot_2 thetadot_3 w_2 x w_3``. Angles
    that depend on several coordinates are not corrected, because OpenSim gives Simbody wrong second derivatives.
    """

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, mobods: Sequence[int]) -> None:
        outboard = outboard_mobods(model)
        self.joints: list[SharedRotations] = []
        for joint in model.getJointSet():
            custom = osim.CustomJoint.safeDownCast(joint)
            if custom is None:
                continue
            first, second, third = (arguments(custom.getSpatialTransform().getTransformAxis(i)) for i in range(3))
            if len(first) > 1 or len(second) != 1 or len(third) != 1 or third[0] != (first or second)[0]:
                continue
            mobod = int(joint.get_coordinates(0).getBodyIndex())
            is_moved = np.array([m in outboard[mobod] for m in mobods])
            if is_moved.any():
                # In joints reversed by Simbody the parent frame moves, in the opposite direction.
                is_reversed = mobod == joint.getParentFrame().getMobilizedBodyIndex()
                carries = is_moved * (-1.0 if is_reversed else 1.0)
                self.joints.append(
                    SharedRotations(custom.getSpatialTransform(), joint.getChildFrame(), coordinates, carries)
                )
        self.frames = FrameTransforms([joint.frame for joint in self.joints])
        self._outboard = np.array([joint.carries for joint in self.joints]).T

    def at(self, q: Array, u: Array, rotation: Array, origin: Array, position: Array) -> Array:
        """Return terms (T, nb, 6) to add to Simbody's bias accelerations, in ground: angular, linear at body origins.

        ``rotation`` (T, joints, 3, 3) and ``origin`` (T, joints, 3) are those of ``frames``; ``position`` (T, nb, 3)
        are body origins.
        """
        in_frame = np.stack([joint.lacking(q, u) for joint in self.joints], axis=1)
        alpha = (rotation @ in_frame[..., None])[..., 0]
        arms = position[:, None] - origin[:, :, None]
        linear = arms @ (alpha @ CROSS).reshape(*alpha.shape, 3)
        return np.concatenate([self._outboard @ alpha, np.einsum("bj,tjbi->tbi", self._outboard, linear)], axis=2)


class SharedRotations:
    """Second and third rotation of a CustomJoint; the third depends on the coordinate of an earlier rotation.

    ``carries`` has 1 for each moved body, -1 in reversed joints; ``cosine`` and ``sine`` are w_2 x w_3 (3,) in the
    child ``frame`` at theta_3 = 0 and at a right angle.
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
        """Return the angular acceleration (T, 3) [rad/s^2] that Simbody's bias lacks, in the joint's child frame."""
        x, y = q[:, self.by_second], q[:, self.by_third]
        rate = values_at(self.second, x, by=0) * u[:, self.by_second]
        rate *= values_at(self.third, y, by=0) * u[:, self.by_third]
        angle = values_at(self.third, y)
        directions = np.cos(angle)[:, None] * self.cosine + np.sin(angle)[:, None] * self.sine
        return np.asarray(rate[:, None] * directions)


def arguments(axis: osim.TransformAxis) -> list[str]:
    """Return the names of the coordinates that determine a transform axis."""
    names = axis.getCoordinateNamesInArray()
    return [names.get(i) for i in range(names.getSize())]


def outboard_mobods(model: osim.Model) -> dict[int, list[int]]:
    """Return, for each mobilized body (index), the indices of this body and of all bodies outboard of it."""
    inboard, outboard = dict[int, int](), dict[int, list[int]]()
    for joint in model.getJointSet():
        parent, child = (int(f.getMobilizedBodyIndex()) for f in (joint.getParentFrame(), joint.getChildFrame()))
        moving_mobod = int(joint.get_coordinates(0).getBodyIndex()) if joint.numCoordinates() else max(parent, child)
        inboard[moving_mobod] = child if moving_mobod == parent else parent
    for mobod in inboard:
        ancestor = mobod
        while ancestor > 0:
            outboard.setdefault(ancestor, []).append(mobod)
            ancestor = inboard.get(ancestor, 0)
    return outboard


#: Joints with angular velocity in the parent frame as speeds, and X-Y-Z Euler angles as values.
BY_ANGULAR_VELOCITY = ("BallJoint", "EllipsoidJoint", "FreeJoint")
#: Tolerance for orthonormal axes of a CustomJoint.
ORTHONORMAL = 1e-12


@dataclass(frozen=True, eq=False)
class EulerAngles:
    """Euler angles ``scale * q + offset`` about successive orthonormal ``axes``, with coordinate values q (3,)."""

    axes: Array = field(default_factory=lambda: np.eye(3))
    scale: Array = field(default_factory=lambda: np.ones(3))  # (3,) [1]; ``offset`` (3,) [rad]
    offset: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True, eq=False)
class RotationJoint:
    """A joint with rotational coordinates; ``angles`` is None unless the joint has three rotations about one point."""

    name: str
    kind: str  # OpenSim class
    coordinates: tuple[str, ...]  # in speed order
    places: NDArray[np.intp]  # (n,), indices of the speeds
    slots: NDArray[np.intp]  # (n,), indices of the values in the generalized coordinates
    spare: int | None  # index of the unused generalized coordinate, or None
    parent: osim.PhysicalFrame  # ``child`` is the body's frame
    child: osim.PhysicalFrame
    outboard: tuple[int, ...]  # mobilized bodies that the joint moves
    sign: float  # -1 if these are on the parent's side, else 1
    angles: EulerAngles | None
    speeds_are_angular: bool  # angular velocity in the parent frame instead of rates


def read_rotation_joints(model: osim.Model, coordinates: CoordinateTable) -> dict[str, RotationJoint]:
    """Return joints with rotational coordinates, by name."""
    outboard = outboard_mobods(model)
    joints = {}
    for joint in model.getJointSet():
        members = [joint.get_coordinates(i).getName() for i in range(joint.numCoordinates())]
        custom = osim.CustomJoint.safeDownCast(joint)
        axes = [] if custom is None else [custom.getSpatialTransform().getTransformAxis(i) for i in range(6)]
        rotating = {name for axis in axes[:3] for name in arguments(axis)}  # OpenSim excludes scaled or shifted angles
        names = [name for name in members if coordinates.rotational[coordinates.index(name)] or name in rotating]
        if not names:
            continue
        places = np.array(sorted(coordinates.index(name) for name in names))
        child_mobod = int(joint.get_coordinates(0).getBodyIndex())
        is_reversed = child_mobod == int(joint.getParentFrame().getMobilizedBodyIndex())
        kind = joint.getConcreteClassName()
        angular = kind in BY_ANGULAR_VELOCITY
        slots = coordinates.slots[places]
        angles = EulerAngles() if angular or kind == "GimbalJoint" else None
        if is_reversed or axes:
            angles = None if is_reversed else _custom_angles(axes, [coordinates.names[i] for i in places])
        joints[joint.getName()] = RotationJoint(
            joint.getName(),
            kind,
            tuple(coordinates.names[i] for i in places),
            places,
            slots,
            int(slots[0]) + len(members) if angular else None,
            joint.getParentFrame(),
            joint.getChildFrame(),
            tuple(outboard[child_mobod]),
            -1.0 if is_reversed else 1.0,
            angles,
            angular,
        )
    return joints


def _custom_angles(axes: list[osim.TransformAxis], names: list[str]) -> EulerAngles | None:
    """Return the Euler angles of a CustomJoint; None unless three coordinates rotate linearly about orthogonal axes."""
    if [arguments(axis) for axis in axes[:3]] != [[name] for name in names] or len(names) != 3:
        return None
    shifting = [axis for axis in axes[3:] if axis.getFunction().getConcreteClassName() != "Constant"]
    if any(set(arguments(axis)) & set(names) for axis in shifting):
        return None
    lines = [osim.LinearFunction.safeDownCast(axis.getFunction()) for axis in axes[:3]]
    if any(line is None or line.getSlope() == 0 for line in lines):
        return None
    directions = np.column_stack([axis.getAxis().to_numpy() for axis in axes[:3]])
    directions = directions / np.linalg.norm(directions, axis=0)
    if np.abs(directions.T @ directions - np.eye(3)).max() > ORTHONORMAL:
        return None
    signs = np.array([1.0, 1.0, np.sign(np.linalg.det(directions))])  # flips the third axis of left-handed axes
    scale, offset = np.array([(line.getSlope(), line.getIntercept()) for line in lines]).T
    return EulerAngles(directions * signs, signs * scale, signs * offset)


STEP = 0.01
"""Step of differences of N^+ along a motion [rad], with an error of 1e-14, also in gimbal lock."""
WEIGHTS = np.array([3 / 4, -3 / 20, 1 / 60])
"""Weights of sixth-order central differences over one, two and three steps."""


def coordinate_maps(model: osim.Model, state: osim.State) -> tuple[Array, Array]:
    """Return the matrix N (nq, nu) in qdot = N u, and its pseudo-inverse, at a state realized to position."""
    nq, nu = state.getNQ(), state.getNU()
    if nq == nu:
        return np.eye(nq), np.eye(nq)
    matter = model.getMatterSubsystem()
    return tuple(  # type: ignore[return-value]
        np.column_stack([_mapped(multiply, state, unit) for unit in np.eye(n)])
        for multiply, n in ((matter.multiplyByN, nu), (matter.multiplyByNInv, nq))
    )


#: Maps values and two derivatives (T, n) to speeds and their derivatives (T, n), and ``Motion.maps``.
SpeedsOf = Callable[[Array, Array, Array], tuple[Array, Array, tuple[NDArray[np.intp], Array]]]


def angular_velocities(model: osim.Model, names: list[str]) -> tuple[NDArray[np.intp], SpeedsOf, str] | None:
    """Return indices (k,) of speeds u that differ from qdot, function from qdot to u, and note; None if u = qdot."""
    state, multiply = ModelSystem(model).new_state(), model.getMatterSubsystem().multiplyByNInv
    if state.getNQ() == state.getNU():
        return None
    table = read_coordinates(model, state)
    places = np.array([table.index(name) for name in names], dtype=np.intp)
    slots, defaults = table.slots[places], np.zeros(table.nq)
    defaults[table.slots] = table.defaults

    def at(pose: Array, rates: Array) -> Array:
        """Return speeds u (m, n) for m sets of rates qdot (m, n) at a pose (n,)."""
        q, qdot = defaults.copy(), np.zeros((len(rates), len(defaults)))
        q[slots], qdot[:, slots] = pose, rates
        state.setQ(osim.Vector.createFromMat(q))
        model.realizePosition(state)
        return np.array([_mapped(multiply, state, each)[places] for each in qdot])

    every = np.eye(len(names))
    off = at(np.linspace(0.3, 1.3, len(names)), every) != every  # a generic pose
    columns = np.flatnonzero(off.any(axis=0) | off.any(axis=1))
    if not len(columns):
        return None
    units, turning = every[columns], {names[i] for i in columns}

    def speeds(q: Array, rates: Array, second: Array) -> tuple[Array, Array, tuple[NDArray[np.intp], Array]]:
        to_speeds, turned = np.empty((len(q), len(columns), len(columns))), np.zeros((len(q), len(columns)))
        for row, pose in enumerate(q):
            to_speeds[row] = at(pose, units)[:, columns].T
            rate = rates[row, columns] @ units
            fastest = float(np.abs(rate).max())
            if fastest > 0:
                step, along = STEP * (rate / fastest), (rate / STEP)[None]
                ends = [at(pose + i * step, along) - at(pose - i * step, along) for i in (1, 2, 3)]
                turned[row] = fastest * WEIGHTS @ np.concatenate(ends)[:, columns]
        u, udot = rates.copy(), second.copy()
        u[:, columns] = np.einsum("tuq,tq->tu", to_speeds, rates[:, columns])
        udot[:, columns] = np.einsum("tuq,tq->tu", to_speeds, second[:, columns]) + turned
        return u, udot, (columns, to_speeds)

    joints = [
        f"'{joint.getName()}' ({joint.getConcreteClassName()})"
        for joint in model.getJointSet()
        if any(joint.get_coordinates(i).getName() in turning for i in range(joint.numCoordinates()))
    ]
    text = (
        f"speeds of joint{'s' * (len(joints) > 1)} {', '.join(joints)} are angular velocities, not the rates of "
        "coordinates; OpenSim's tool takes one for the other, so that its answer differs"
    )
    return columns, speeds, text


def _mapped(multiply: Callable[..., None], state: osim.State, x: Array) -> Array:
    out = osim.Vector()
    multiply(state, False, osim.Vector.createFromMat(x), out)
    return np.array(out.to_numpy())
