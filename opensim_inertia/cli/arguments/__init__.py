"""The arguments of each command, their help and checks, for which neither NumPy nor OpenSim is imported.

Each module has ``NAME``, ``HELP``, ``DESCRIPTION`` and ``EPILOG`` of a command, adds its arguments to a parser, and
checks those that were given. What options are made of is imported where arguments are added, so that the list of
commands does not wait for it. The module of :mod:`opensim_inertia.cli` of the same name, with
``_`` for ``-``, runs the command.
"""

from . import (
    check,
    demo,
    export,
    fit_lengths,
    id,
    masses,
    plugin,
    posture,
    rank,
    recruit,
    simulate,
    study,
    train,
    wraps,
)

__all__ = ["COMMANDS"]

#: The commands, in the order of the help.
COMMANDS = (check, id, recruit, simulate, posture, study, masses, rank, wraps, fit_lengths, train, export, plugin, demo)
