"""Derivatives of muscles' path lengths by a joint's rotation, in Euler angles, angular velocity and quaternions."""

from ..._core.numerics import rotations
from .jacobian_tables import PathJacobians
from .jacobians import path_jacobians

__all__ = ["PathJacobians", "path_jacobians", "rotations"]
