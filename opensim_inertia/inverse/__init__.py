"""Inverse dynamics: motion in, generalized forces out, lumped beside inertial."""

from .motion import Motion, load_motion
from .result import InverseDynamicsResult
from .solve import inverse_dynamics

__all__ = ["InverseDynamicsResult", "Motion", "inverse_dynamics", "load_motion"]
