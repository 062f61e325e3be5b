"""Derivatives of path lengths with respect to joint rotations: Euler angles, angular velocity, quaternions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
import pandas as pd
from scipy.spatial.transform import Rotation

from .._core import rotations
from .._core.arrays import Array
from .._core.checks import check_choice, check_names, check_type
from .._core.choices import SPATIAL_FRAMES, JacobianKind, SpatialFrame
from .._core.errors import ModelError, RotationError
from .._core.opensim import osim
from .._core.representation import Described, some_names
from .._core.rotations import constrained_from_spatial, euler_from_spatial, quaternion_from_spatial
from ..model import InertialModel
from ..model.model import check_state
from ..opensim_model.reading.components import FrameTransforms, model_muscles
from ..opensim_model.reading.coordinates import read_coordinates
from ..opensim_model.reading.joints import RotationJoint, read_rotation_joints
from ..opensim_model.reading.kinematics import MomentArms
from ..opensim_model.reading.loading import ModelSystem
from ..opensim_model.reading.paths import PATH_LISTS

__all__ = ["PathJacobians", "path_jacobians", "rotations"]

#: Names of a quaternion's elements.
ELEMENTS = ("Q0", "Q1", "Q2", "Q3")


#: The Jacobians at one joint: names of its rotational coordinates; the unit quaternion (4,) from body (child frame) to
#: parent, scalar first and not negative; the rotation (3, 3) from parent to ground; derivatives by the coordinates
#: (n, muscles), and by the angular velocity in the parent frame (3, muscles).
_JointJacobians = tuple[tuple[str, ...], Array, Array, Array, Array]


@dataclass(frozen=True, eq=False, repr=False)
class PathJacobians(Described):
    """Derivatives of path lengths with respect to the rotations of joints, at one state.

    Each method takes a joint's name and returns a table with one column per muscle; its ``attrs`` hold the joint and
    the frame. A derivative is positive where the length grows; a muscle's moment is minus its tension times the
    derivative.

    Attributes:
        model: the model's name.
        muscles: names of the muscles.
        sources: the program that wraps each path, "opensim_inertia" or "OpenSim".
        without_rotations: names of the joints without rotational coordinates.
    """

    model: str
    muscles: tuple[str, ...]
    sources: tuple[str, ...]
    _joints: Mapping[str, _JointJacobians]
    without_rotations: tuple[str, ...] = ()

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints with rotational coordinates."""
        return tuple(self._joints)

    def description(self) -> dict[str, str]:
        """Return the model, its rotational joints and the muscles as text."""
        return {"model": self.model, "joints": some_names(self.joints), "muscles": some_names(self.muscles)}

    def euler(self, joint: str) -> pd.DataFrame:
        """Return R_E, the derivatives of path lengths with respect to rotational coordinates [m/rad].

        R_E is minus the moment arm that OpenSim reports, if the joint's speeds are the rates of its coordinates. At a
        BallJoint, EllipsoidJoint or FreeJoint, OpenSim reports minus :meth:`spatial` in the parent frame instead.

        Raises:
            UnknownNameError: no joint has this name. ModelError: the joint has no rotations.
        """
        coordinates, _, _, values, _ = self._joint(joint)
        return self._table(values, coordinates, joint, "coordinates")

    def spatial(self, joint: str, frame: SpatialFrame = "parent") -> pd.DataFrame:
        """Return R_S (3, muscles) [m/rad], derivatives of lengths with respect to the child's rotation in the parent.

        The child frame turns about its origin, the joint's centre; other coordinates of the joint are held. The centre
        of an EllipsoidJoint moves as the joint turns.

        Args:
            joint: the joint's name.
            frame: the frame of the components: ground, or the joint's parent frame ("parent") or child frame ("body").

        Raises:
            OptionError: the frame is unknown. Other errors: see :meth:`euler`.
        """
        check_choice("frame", frame, SPATIAL_FRAMES)
        _, orientation, parent, _, values = self._joint(joint)
        if frame == "ground":
            values = parent @ values
        elif frame == "body":
            values = Rotation.from_quat(orientation, scalar_first=True).as_matrix().T @ values
        return self._table(values, ("x", "y", "z"), joint, frame)

    def quaternion(self, joint: str) -> pd.DataFrame:
        """Return R_Q (4, muscles) [m], derivatives of lengths with respect to Q0 to Q3 of :meth:`orientation`.

        The length is extended from unit quaternions to all quaternions so that it does not depend on the norm. The
        derivatives with respect to -Q, the same rotation, are minus R_Q. Errors: see :meth:`euler`.
        """
        _, orientation, _, _, values = self._joint(joint)
        return self._table(quaternion_from_spatial(values, orientation, "parent"), ELEMENTS, joint, "none")

    def quaternion_constrained(self, joint: str) -> pd.DataFrame:
        """Return R_Q* (3, muscles) [m], derivatives of lengths with respect to Q1 to Q3, with Q0 from the unit norm.

        Raises:
            RotationError: the joint is turned by 180 degrees, where Q0 = 0. Other errors: see :meth:`euler`.
        """
        _, orientation, _, _, values = self._joint(joint)
        try:
            values = constrained_from_spatial(values, orientation, "parent")
        except RotationError as error:
            raise RotationError(f"joint '{joint}': {error}") from None
        return self._table(values, ELEMENTS[1:], joint, "none")

    def orientation(self, joint: str) -> Array:
        """Return the unit quaternion (4,) of the rotation from the joint's child frame to its parent frame, Q0 >= 0."""
        return self._joint(joint)[1].copy()

    def to_frame(self, kind: JacobianKind = "euler") -> pd.DataFrame:
        """Return the Jacobians of all joints in one table.

        Args:
            kind: "euler", "spatial" (in the parent frame) or "quaternion".

        Returns:
            index: joint, and coordinate, axis or element; columns: muscles.
        """
        table_of = getattr(self, check_choice("kind", kind, get_args(JacobianKind)))
        if not self.joints:
            return pd.DataFrame(columns=list(self.muscles))
        return pd.concat({joint: table_of(joint) for joint in self.joints}, names=["joint", "by"])

    def _joint(self, name: str) -> _JointJacobians:
        if name in self.without_rotations:
            raise ModelError(f"joint '{name}' has no rotations, so that lengths have no derivatives by them")
        check_names("joint", [name], self.joints)
        return self._joints[name]

    def _table(self, values: Array, rows: Sequence[str], joint: str, frame: str) -> pd.DataFrame:
        table = pd.DataFrame(np.array(values), index=list(rows), columns=list(self.muscles))
        table.attrs |= {"joint": joint, "frame": frame}
        return table


#: Programs that wrap paths.
OURS, OPENSIM = "opensim_inertia", "OpenSim"


#: Derivatives of lengths by twists of mobilized bodies (angular, linear of the origin, in ground), (muscles, mobilized
#: bodies, 6), and by speeds along which points slide in bodies, (muscles, nu).
_Gradients = tuple[Array, Array]


def path_jacobians(
    model: InertialModel | osim.Model, state: osim.State, muscles: Iterable[str] | None = None
) -> PathJacobians:
    """Return the derivatives of path lengths with respect to the rotations of joints.

    An inertial model's muscles with mass have the paths along which their mass lies; other muscles have OpenSim's
    paths. All derivatives are exact. On OpenSim's paths over wrap objects they are those that OpenSim uses to apply
    forces; the lengths that OpenSim reports change by some per cent more or less. All coordinates are independent here,
    also coupled ones.

    Args:
        model: a model with inertial muscles, or an initialised ``osim.Model``.
        state: a state of this model (of ``inertial.model``); it is realized to velocity.
        muscles: names of muscles; default: all.

    Returns:
        the Jacobians by joint (Zoufaly et al. 2025; :mod:`opensim_inertia._core.rotations`).

    Raises:
        UnknownNameError: a muscle is not in the model. ModelError: the state is another model's, or not finite; or a
            path cannot be wrapped.
    """
    check_type("model", model, (InertialModel, osim.Model), "an InertialModel, or an initialised opensim.Model")
    check_state(state)
    kinematics = None
    if isinstance(model, InertialModel):
        kinematics, inertial, model = model.dynamics.read(state), model, model.model
    else:
        ModelSystem(model).check(state, unmarked=True)
        if not np.isfinite(state.getQ().to_numpy()).all():
            raise ModelError("the state is not finite")
        with PATH_LISTS:
            model.realizeVelocity(state)
    by_name = model_muscles(model)
    names = list(by_name) if muscles is None else list(dict.fromkeys(muscles))
    check_names("muscle", names, by_name)
    kernel_names = [] if kinematics is None else [name for name in inertial.muscle_names if name in names]
    opensim_names = [name for name in names if name not in kernel_names]
    with PATH_LISTS:
        on_bodies, on_speeds = MomentArms(model, [by_name[name].getPath() for name in opensim_names]).on_bodies(state)
    by_twist, by_speed = -on_bodies, -on_speeds
    system_jacobian = osim.Matrix()
    model.getMatterSubsystem().calcSystemJacobian(state, system_jacobian)
    twists = system_jacobian.to_numpy().reshape(-1, 6, state.getNU())  # of mobilized bodies, by speeds
    if kinematics is not None:
        indices = [inertial.muscle_names.index(name) for name in kernel_names]
        of_kernel, of_speeds = (each[indices] for each in inertial.evaluation.length_gradients(kinematics))
        bodies, on_mobods = model.getBodySet(), np.zeros((len(indices), len(twists), 6))
        mobods = [0 if b == "ground" else bodies.get(b).getMobilizedBodyIndex() for b in inertial.evaluation.bodies]
        on_mobods[:, list(map(int, mobods))] = of_kernel
        by_twist, by_speed = np.concatenate([on_mobods, by_twist]), np.concatenate([of_speeds, by_speed])
    order = [[*kernel_names, *opensim_names].index(name) for name in names]
    gradients = by_twist[order], by_speed[order]
    joints = read_rotation_joints(model, read_coordinates(model, state))
    by_joint = _at_joints(model, state, joints, gradients, twists)
    sources = tuple(OURS if name in kernel_names else OPENSIM for name in names)
    without_rotations = tuple(joint.getName() for joint in model.getJointSet() if joint.getName() not in joints)
    return PathJacobians(model.getName(), tuple(names), sources, by_joint, without_rotations)


def _at_joints(
    model: osim.Model, state: osim.State, joints: dict[str, RotationJoint], gradients: _Gradients, twists: Array
) -> dict[str, _JointJacobians]:
    """Return the Jacobians of all path lengths, by joint."""
    by_twist, sliding = gradients
    by_speed = sliding + np.einsum("mbi,biu->mu", by_twist, twists)
    frames = FrameTransforms([frame for joint in joints.values() for frame in (joint.parent, joint.child)])
    rotation, origin = frames.read(state)
    origins = np.zeros((len(twists), 3))
    for body in model.getBodySet():
        origins[int(body.getMobilizedBodyIndex())] = body.getPositionInGround(state).to_numpy()
    q = state.getQ().to_numpy()
    jacobians = {}
    for i, joint in enumerate(joints.values()):
        parent, child = rotation[2 * i : 2 * i + 2]
        quaternion = Rotation.from_matrix(parent.T @ child).as_quat(scalar_first=True)
        joint_rates = by_speed[:, joint.places]
        if joint.speeds_are_angular:
            in_parent = joint_rates.T
            euler = euler_from_spatial(in_parent, q[joint.slots], "parent")
        else:
            axes = twists[joint.outboard[0], :3, joint.places].T * joint.sign  # of the coordinates, in ground
            outboard = list(joint.outboard)  # turns about the child frame's origin
            linear, arms = by_twist[:, outboard, 3:], origins[outboard] - origin[2 * i + 1]
            in_ground = joint.sign * (by_twist[:, outboard, :3] + np.cross(arms, linear)).sum(axis=1).T
            in_ground += np.linalg.pinv(axes.T) @ sliding[:, joint.places].T
            in_parent, euler = parent.T @ in_ground, joint_rates.T
        quaternion = np.asarray(quaternion * (1 if quaternion[0] >= 0 else -1))
        jacobians[joint.name] = joint.coordinates, quaternion, parent, euler, in_parent
    return jacobians
