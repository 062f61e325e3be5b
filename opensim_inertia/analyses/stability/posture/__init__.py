"""Postures: equilibrium, activation patterns that hold it, and which of them are stable."""

from .equilibrium import Posture, equilibrate
from .patterns import sample_patterns
from .rigid import without_muscle_states
from .share import StableShare, stable_share

__all__ = [
    "Posture",
    "StableShare",
    "equilibrate",
    "sample_patterns",
    "stable_share",
    "without_muscle_states",
]
