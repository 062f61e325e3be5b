"""The arguments of ``opensim-inertia check``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_file, check_model_file
from ..._core.errors import InertiaError

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "PRINTED", "add_arguments", "check"]

NAME = "check"
HELP = "what is wrong with a model, a motion and external loads, before anything is computed"
DESCRIPTION = """\
Every test of a model, a motion and external loads, without solving anything: bodies that cannot exist, muscles that
cannot be, sides that differ, paths that jump, coordinates in degrees, gaps, loads in other units or on other feet, and
more. One table: each row says what was measured where, and its cure.

INPUT is a model (.osim), or a setup of OpenSim's Inverse Dynamics Tool, Analyze Tool with a Static Optimization, or
Forward Tool; paths in a setup are relative to it. The exit code is 0 if nothing is worse than a note, 1 if there are
warnings (results would be doubtful), 2 if there are errors (results would mean nothing) or the command itself fails.
"""
EPILOG = """\
examples:
  opensim-inertia check model.osim
  opensim-inertia check setup_id.xml
  opensim-inertia check model.osim --motion walk.mot --external-loads grf.xml --json findings.json
  opensim-inertia check model.osim --repair repaired.osim
"""

#: Stands for standard output among files.
PRINTED = Path("-")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("input", type=Path, metavar="INPUT", help="a model (.osim) or a setup (.xml)")
    group = parser.add_argument_group("what is looked at, besides or instead of what the setup names")
    group.add_argument("--model", type=Path, metavar="OSIM", help="the model, instead of the setup's")
    group.add_argument("--motion", type=Path, metavar="MOT", help="the coordinates, .mot or .sto")
    group.add_argument("--external-loads", type=Path, metavar="XML", help="the external loads")
    group.add_argument("--time-range", type=float, nargs=2, metavar=("T0", "T1"), help="first and last time [s]")
    group.add_argument(
        "--quick",
        action="store_true",
        help="leave out what takes seconds: fibres and paths over the range of motion, segments lighter than muscles",
    )
    group = parser.add_argument_group("results")
    group.add_argument("--all", action="store_true", help="a row for each finding, where alike ones share one")
    group.add_argument(
        "--json",
        nargs="?",
        type=Path,
        const=PRINTED,
        metavar="FILE",
        help="write the findings as JSON; without FILE print them in place of the table",
    )
    group.add_argument(
        "--repair",
        type=Path,
        metavar="OSIM",
        help="write the model with the nearest inertia that a body can have in place of each that none can; nothing "
        "else in the file changes",
    )


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_file(args.input, "file")
    if args.input.suffix.lower() == ".osim" and args.model is not None:
        raise InertiaError(f"--model has no effect here: {args.input} is a model itself")
    if args.model is not None:
        check_model_file(args.model)
    for path, what in ((args.motion, "motion file"), (args.external_loads, "external loads file")):
        if path is not None:
            check_file(path, what)
