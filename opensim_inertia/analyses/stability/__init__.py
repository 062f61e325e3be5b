"""Whether a posture is stable: equilibrium, activations that hold it, and the linearized motion about it."""

from .linearization import ActivationLinear, Linearization, Mode, linearize
from .posture import Posture, StableShare, equilibrate, sample_patterns, stable_share, without_muscle_states

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
