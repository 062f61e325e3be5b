"""Equations of motion of a model with inertial muscles: right-hand side, projections and their derivatives."""

from .drives import Drive, Drives
from .layout import StateLayout
from .linearization import Linearization, Linearizer
from .problem import Problem
from .start import start
from .system import System

__all__ = ["Drive", "Drives", "Linearization", "Linearizer", "Problem", "StateLayout", "System", "start"]
