"""The arguments of each command, their help and checks, for which neither NumPy nor OpenSim is imported.

Each module has ``NAME``, ``HELP``, ``DESCRIPTION`` and ``EPILOG`` of a command, adds its arguments to a parser, and
checks those that were given. The module of the same name in :mod:`opensim_inertia.cli` runs the command.
"""

from . import check, demo, export, fit, id, masses, plugin, posture, rank, recruit, simulate, study, train, wraps

__all__ = ["COMMANDS"]

#: The commands, in the order of the help.
COMMANDS = (check, id, recruit, simulate, posture, study, masses, rank, wraps, fit, train, export, plugin, demo)
