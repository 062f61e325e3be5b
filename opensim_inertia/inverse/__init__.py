"""Inverse dynamics: motion in, generalized forces out, lumped beside inertial."""

from .result import InverseDynamicsResult
from .solve import LongMotionWarning, inverse_dynamics
from .uncertainty import Uncertainty

__all__ = ["InverseDynamicsResult", "LongMotionWarning", "Uncertainty", "inverse_dynamics"]
