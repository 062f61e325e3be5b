"""Parse the command line, run a subcommand, and turn what goes wrong into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NoReturn

from tqdm import tqdm

from ..errors import InertiaError
from ..inertial import ShortBellyWarning
from . import demo, id, masses, rank, simulate, train, wraps

__all__ = ["main"]

PROGRAM = "opensim-inertia"
COMMANDS = (id, simulate, masses, rank, wraps, train, demo)

FAILED = 2
INTERRUPTED = 130
PIPE_CLOSED = 141

EPILOG = """\
examples:
  opensim-inertia demo
      inverse dynamics of a running swing, on a small model that comes with the package
  opensim-inertia id setup_id.xml
      your own setup of OpenSim's Inverse Dynamics Tool, with muscle masses estimated from the model
  opensim-inertia masses model.osim -o masses.csv
      write these estimates down, to edit them ...
  opensim-inertia id setup_id.xml --masses masses.csv --out results
      ... and use them
  opensim-inertia simulate arm26.osim --excite 'BIC*=0.5' --lumped
      forward simulation, beside OpenSim's lumped one
  opensim-inertia rank model.osim --motion walk.mot
      which muscles matter
  opensim-inertia wraps model.osim --plot vaslat_r
      how paths over wrap objects differ from OpenSim's, and a picture of a touch

'opensim-inertia COMMAND --help' lists a command's options.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments; default: the program's.

    Returns:
        the exit code: 0, 2 after an error, 130 after Ctrl-C.
    """
    try:
        with _tidy_warnings():
            args = _parser().parse_args(argv)
            args.run(args)
            sys.stdout.flush()
    except InertiaError as error:
        print(f"{PROGRAM}: error: {_one_line(error)}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(f"{PROGRAM}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read our output has gone; keep Python from complaining when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return 0


class _UsageError(InertiaError):
    """The command line itself is wrong."""


class _Parser(argparse.ArgumentParser):
    """Reports a wrong command line as every other error is reported."""

    def error(self, message: str) -> NoReturn:
        raise _UsageError(f"{message} (see '{self.prog} --help')")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=PROGRAM,
        description="Muscle mass where it belongs, in OpenSim models: inverse dynamics and forward simulation.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(
            command.NAME,
            help=command.HELP,
            description=command.DESCRIPTION,
            epilog=command.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        command.add_arguments(sub)
        sub.set_defaults(run=command.run)
    return parser


def _version() -> str:
    try:
        return version("opensim_inertia")
    except PackageNotFoundError:
        from .. import __version__

        return __version__


@contextmanager
def _tidy_warnings() -> Iterator[None]:
    """Warnings as one line on stderr, above the progress bar if there is one."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        tqdm.write(f"{PROGRAM}: warning: {_one_line(message)}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", ShortBellyWarning)
        warnings.showwarning = show
        yield


def _one_line(message: object) -> str:
    return " ".join(str(message).split())
