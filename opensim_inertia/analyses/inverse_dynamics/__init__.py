"""Inverse dynamics with lumped and sliding muscle mass."""

from ...options.recording import Uncertainty
from .inverse_dynamics_result import InverseDynamicsResult
from .solve import inverse_dynamics

__all__ = ["InverseDynamicsResult", "Uncertainty", "inverse_dynamics"]
