"""Forward simulation: OpenSim's forces, muscle states, controllers and constraints; mass that slides in the muscles."""

from .simulate import InterruptedWarning, simulate
from .trajectory import EnergyLeftOutWarning, RunRecord, Trajectory

__all__ = ["EnergyLeftOutWarning", "InterruptedWarning", "RunRecord", "Trajectory", "simulate"]
