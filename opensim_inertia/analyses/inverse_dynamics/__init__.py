"""Inverse dynamics: motion in, generalized forces out, lumped beside inertial."""

from ...options.recording import Uncertainty
from .inverse_dynamics_result import InverseDynamicsResult
from .solve import generalized_forces, inverse_dynamics

__all__ = ["InverseDynamicsResult", "Uncertainty", "generalized_forces", "inverse_dynamics"]
