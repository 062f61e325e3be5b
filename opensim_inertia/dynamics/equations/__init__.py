"""Equations of motion with inertial muscles: right-hand side, projections and their derivatives."""

from .problem import GivenStart, Problem, Pulse
from .start import start
from .system import System

__all__ = ["GivenStart", "Problem", "Pulse", "System", "start"]
