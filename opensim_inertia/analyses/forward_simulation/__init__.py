"""Forward simulation with sliding muscle mass and OpenSim's forces, muscle states, controllers and constraints."""

from ...dynamics.equations import Pulse
from .simulate import simulate
from .trajectory import RunRecord, Trajectory

__all__ = ["Pulse", "RunRecord", "Trajectory", "simulate"]
