"""The command ``opensim-inertia``."""

from .app import main

__all__ = ["main"]
