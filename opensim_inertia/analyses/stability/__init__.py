"""Stability of postures: equilibrium, activations that hold a posture, and linearized motion."""

from .activation_linear import ActivationLinear, StableShare, sample_patterns, stable_share, without_muscle_states
from .equilibrium import Posture, equilibrate
from .linearize import linearize
from .result import Linearization, Mode

__all__ = [
    "ActivationLinear",
    "Linearization",
    "Mode",
    "Posture",
    "StableShare",
    "equilibrate",
    "linearize",
    "sample_patterns",
    "stable_share",
    "without_muscle_states",
]
