"""The command ``opensim-inertia``: one module for each subcommand, which ``app.py`` describes.

NumPy, OpenSim and what needs them are imported inside functions, so that help and errors do not wait for them.
"""

from .app import main

__all__ = ["main"]
