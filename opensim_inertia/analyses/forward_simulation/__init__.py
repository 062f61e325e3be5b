"""Forward simulation: OpenSim's forces, muscle states, controllers and constraints; mass that slides in the muscles."""

from ...dynamics.equations import Pulse
from .simulate import simulate
from .trajectory import RunRecord, Trajectory

__all__ = ["Pulse", "RunRecord", "Trajectory", "simulate"]
