"""The small model and motion that the package ships, built by code: a running swing of one leg with four muscles."""

from .files import write_demo
from .leg import build_leg
from .swing import swing_motion

__all__ = ["build_leg", "swing_motion", "write_demo"]
