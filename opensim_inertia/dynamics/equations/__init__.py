"""Equations of motion of a model with inertial muscles: right-hand side, projections and their derivatives."""

from .derivatives import Derivatives, Differentiator
from .drives import Drive, Drives, Pulse
from .layout import StateLayout
from .problem import GivenStart, Problem
from .start import start
from .system import System

__all__ = [
    "Drive",
    "Drives",
    "Derivatives",
    "Differentiator",
    "GivenStart",
    "Problem",
    "Pulse",
    "StateLayout",
    "System",
    "start",
]
