"""Jacobians of path lengths at a state, from what each path does to the bodies that it touches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from ..._core.arrays import Array
from ..._core.checks import check_names, check_type
from ..._core.errors import ModelError
from ..._core.numerics.rotations import euler_from_spatial
from ..._core.opensim import osim
from ...model import InertialModel
from ...model.arguments import check_state
from ...opensim_model.reading.components import FrameTransforms, model_muscles
from ...opensim_model.reading.coordinates import read_coordinates
from ...opensim_model.reading.joints import RotationJoint, read_rotation_joints
from ...opensim_model.reading.kinematics import MomentArms, StateKinematics
from ...opensim_model.reading.loading import ModelSystem
from ...opensim_model.reading.paths import PATH_LISTS
from .jacobian_tables import JointJacobians, PathJacobians

#: Who lays a path.
OURS, OPENSIM = "opensim_inertia", "OpenSim"


class _Gradients(NamedTuple):
    """Derivatives of lengths by twists of mobilized bodies (angular, linear of the origin, in ground), (muscles,
    mobilized bodies, 6), and by speeds along which points slide in bodies, (muscles, nu).
    """

    by_twist: Array
    by_speed: Array


def path_jacobians(
    model: InertialModel | osim.Model, state: osim.State, muscles: Iterable[str] | None = None
) -> PathJacobians:
    """Return the derivatives of path lengths by the rotations of joints, in any coordinates of a rotation.

    They are exact. Paths of an :class:`InertialModel`'s muscles with mass are those along which their mass lies. Other
    paths are OpenSim's; over wrap objects these are the derivatives with which OpenSim applies forces, some per cent
    off those of the lengths that it reports. All coordinates are taken as independent, also those that constraints
    couple.

    Args:
        model: a model with inertial muscles, or an initialised ``osim.Model``.
        state: a state of it (of ``inertial.model``), which is realized to velocity.
        muscles: names of muscles; default: all.

    Returns:
        the Jacobians, by joint and coordinates; sources: Zoufaly et al. 2025, and
        :mod:`opensim_inertia._core.numerics.rotations`.

    Raises:
        UnknownNameError: no muscle has a name. ModelError: the state is another model's, or not finite; or a muscle's
            path cannot be laid.
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
    gradients, twists = (
        _of_opensim(model, state, [by_name[name] for name in opensim_names]),
        _system_jacobian(model, state),
    )
    if kinematics is not None:
        of_kernel = _of_kernel(inertial, kinematics, kernel_names, len(twists))
        gradients = _Gradients(*map(np.concatenate, zip(of_kernel, gradients, strict=True)))
    order = [[*kernel_names, *opensim_names].index(name) for name in names]
    gradients = _Gradients(gradients.by_twist[order], gradients.by_speed[order])
    joints = read_rotation_joints(model, read_coordinates(model, state))
    by_joint = _at_joints(model, state, joints, gradients, twists)
    sources = tuple(OURS if name in kernel_names else OPENSIM for name in names)
    without_rotations = tuple(joint.getName() for joint in model.getJointSet() if joint.getName() not in joints)
    return PathJacobians(model.getName(), tuple(names), sources, by_joint, without_rotations)


def _of_kernel(inertial: InertialModel, kinematics: StateKinematics, muscles: list[str], mobods: int) -> _Gradients:
    by_twist, by_speed = inertial.evaluation.length_gradients(kinematics)
    indices = [inertial.muscle_names.index(name) for name in muscles]
    bodies = inertial.model.getBodySet()
    places = [0 if b == "ground" else int(bodies.get(b).getMobilizedBodyIndex()) for b in inertial.evaluation.bodies]
    of_all = np.zeros((len(indices), mobods, 6))
    of_all[:, places] = by_twist[indices]
    return _Gradients(of_all, by_speed[indices])


def _of_opensim(model: osim.Model, state: osim.State, muscles: list[osim.Muscle]) -> _Gradients:
    with PATH_LISTS:
        on_bodies, on_speeds = MomentArms(model, [muscle.getPath() for muscle in muscles]).on_bodies(state)
    return _Gradients(-on_bodies, -on_speeds)


def _system_jacobian(model: osim.Model, state: osim.State) -> Array:
    """Return the twists of mobilized bodies by the speeds, (mobilized bodies, 6, nu)."""
    matrix = osim.Matrix()
    model.getMatterSubsystem().calcSystemJacobian(state, matrix)
    return np.asarray(matrix.to_numpy().reshape(-1, 6, state.getNU()))


def _at_joints(
    model: osim.Model, state: osim.State, joints: dict[str, RotationJoint], gradients: _Gradients, twists: Array
) -> dict[str, JointJacobians]:
    """Return the Jacobians of all path lengths at each joint, in its coordinates and by its angular velocity."""
    by_speed = gradients.by_speed + np.einsum("mbi,biu->mu", gradients.by_twist, twists)
    frames = FrameTransforms([frame for joint in joints.values() for frame in (joint.parent, joint.child)])
    rotation, origin = frames.read(state)
    bodies = list(model.getBodySet())
    origins = np.zeros((len(twists), 3))
    for body in bodies:
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
            in_ground = _turned_about(origin[2 * i + 1], joint, gradients.by_twist, origins)
            in_ground += np.linalg.pinv(axes.T) @ gradients.by_speed[:, joint.places].T
            in_parent, euler = parent.T @ in_ground, joint_rates.T
        jacobians[joint.name] = JointJacobians(
            joint.kind,
            joint.coordinates,
            np.asarray(quaternion * (1 if quaternion[0] >= 0 else -1)),
            parent,
            euler,
            in_parent,
        )
    return jacobians


def _turned_about(centre: Array, joint: RotationJoint, by_twist: Array, origins: Array) -> Array:
    """Return derivatives (3, muscles) by the angular velocity, in ground, of what a joint moves, about its centre."""
    outboard = list(joint.outboard)
    gradients = by_twist[:, outboard]
    arms = origins[outboard] - centre
    return np.asarray(joint.sign * (gradients[..., :3] + np.cross(arms, gradients[..., 3:])).sum(axis=1).T)
