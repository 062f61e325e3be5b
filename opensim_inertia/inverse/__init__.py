"""Inverse dynamics: motion in, generalized forces out, lumped beside inertial."""

from .motion import Motion, load_motion
from .result import InverseDynamicsResult
from .solve import LongMotionWarning, inverse_dynamics
from .uncertainty import Uncertainty

__all__ = ["InverseDynamicsResult", "LongMotionWarning", "Motion", "Uncertainty", "inverse_dynamics", "load_motion"]
