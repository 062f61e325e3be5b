"""Inverse dynamics: motion in, generalized forces out, lumped beside inertial."""

from .inverse_dynamics_result import InverseDynamicsResult
from .solve import generalized_forces, inverse_dynamics
from .uncertainty import Uncertainty

__all__ = ["InverseDynamicsResult", "Uncertainty", "generalized_forces", "inverse_dynamics"]
