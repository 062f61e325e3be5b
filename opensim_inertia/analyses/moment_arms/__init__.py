"""Derivatives of muscles' path lengths by a joint's rotation, in Euler angles, angular velocity and quaternions."""

from .jacobians import path_jacobians
from .result import PathJacobians

__all__ = ["PathJacobians", "path_jacobians"]
