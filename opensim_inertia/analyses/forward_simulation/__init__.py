"""Forward simulation: OpenSim's forces, muscle states, controllers and constraints; mass that slides in the muscles."""

from .integrators import INTEGRATORS
from .simulate import InterruptedWarning, simulate
from .trajectory import EnergyLeftOutWarning, Trajectory

__all__ = ["INTEGRATORS", "EnergyLeftOutWarning", "InterruptedWarning", "Trajectory", "simulate"]
