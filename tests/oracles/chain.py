"""A serial chain of skewed revolute and prismatic joints, in NumPy: bodies for the kernel reference to run on."""

from dataclasses import dataclass

import numpy as np

from .finite_differences import Array


@dataclass(frozen=True)
class Body:
    """Motion of a body, all in ground."""

    rotation: Array
    position: Array
    omega: Array
    velocity: Array
    alpha: Array
    acceleration: Array
    jacobian: Array


def ground(nu: int) -> Body:
    zero = np.zeros(3)
    return Body(np.eye(3), zero, zero, zero, zero, zero, np.zeros((6, nu)))


@dataclass(frozen=True)
class Joint:
    """One joint: the child's frame is offset and turned in the parent, then turns about or slides along ``axis``."""

    axis: Array
    offset: Array
    turn: Array
    prismatic: bool = False


def rotation_about(axis: Array, angle: float) -> Array:
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def random_chain(rng: np.random.Generator, joints: int, prismatic: int = 0) -> list[Joint]:
    """A chain with links of about 0.3 m; the last ``prismatic`` joints slide."""
    result = []
    for i in range(joints):
        axis, spin = rng.normal(size=3), rng.normal(size=3)
        turn = rotation_about(spin / np.linalg.norm(spin), rng.uniform(-1, 1))
        offset = rng.normal(size=3) * 0.1 + np.array([0, -0.3, 0])
        result.append(Joint(axis / np.linalg.norm(axis), offset, turn, i >= joints - prismatic))
    return result


def bodies(chain: list[Joint], q: Array, u: Array) -> list[Body]:
    nu = len(chain)
    out = [ground(nu)]
    for i, joint in enumerate(chain):
        parent = out[-1]
        frame = parent.rotation @ joint.turn
        axis = frame @ joint.axis
        arm = parent.rotation @ joint.offset
        jacobian = parent.jacobian.copy()
        if joint.prismatic:
            arm = arm + axis * q[i]
            rotation = frame
            omega, alpha = parent.omega, parent.alpha
            slide = axis * u[i]
        else:
            rotation = frame @ rotation_about(joint.axis, q[i])
            omega = parent.omega + axis * u[i]
            alpha = parent.alpha + np.cross(parent.omega, axis * u[i])
            slide = np.zeros(3)
        for j in range(nu):
            jacobian[3:, j] += np.cross(parent.jacobian[:3, j], arm)
        jacobian[3 if joint.prismatic else 0 : 6 if joint.prismatic else 3, i] += axis
        velocity = parent.velocity + np.cross(parent.omega, arm) + slide
        acceleration = (
            parent.acceleration
            + np.cross(parent.alpha, arm)
            + np.cross(parent.omega, np.cross(parent.omega, arm))
            + 2 * np.cross(parent.omega, slide)
        )
        out.append(Body(rotation, parent.position + arm, omega, velocity, alpha, acceleration, jacobian))
    return out
