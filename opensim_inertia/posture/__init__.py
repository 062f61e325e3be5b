"""Postures: equilibrium, activation patterns that hold it, and which of them are stable."""

from .equilibrium import InfeasiblePostureError, Posture, equilibrate

__all__ = ["InfeasiblePostureError", "Posture", "equilibrate"]
