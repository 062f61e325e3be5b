"""Models and motions built by code: the demo, a running swing of one leg with four muscles, and those of examples."""

from .cohort import write_cohort
from .files import write_demo
from .leg import build_leg
from .swing import swing_motion

__all__ = ["build_leg", "swing_motion", "write_cohort", "write_demo"]
