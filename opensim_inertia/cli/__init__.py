"""The command ``opensim-inertia``: one module for each subcommand, with its arguments and what it runs.

Each module has ``NAME``, ``HELP``, ``DESCRIPTION`` and ``EPILOG`` of its command, and the functions ``add_arguments``,
``check`` and ``run``. NumPy, OpenSim and what needs them are imported inside functions, so that help and errors do not
wait for them.
"""

from .app import main

__all__ = ["main"]
