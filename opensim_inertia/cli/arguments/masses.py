"""The arguments of ``opensim-inertia masses``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_model_file, check_picture
from .shared import add_mass_options, check_options

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "PICTURE", "add_arguments", "check"]

NAME = "masses"
HELP = "muscle masses, estimated or from a table, where bellies lie, and what the donor segments give up"
DESCRIPTION = """\
Muscle masses of a model: estimated from maximum force, optimal fibre length and specific tension, or from the
person's height and mass (Handsfield 2014); how long bellies and free tendons are; and what the donor segments give up,
and how far segments and muscles together are from the segments as published. --plot draws where the mass lies: along
straight paths in one picture, and on the skeleton in a second, FILE with _skeleton before its suffix.
"""
EPILOG = """\
examples:
  opensim-inertia masses model.osim
  opensim-inertia masses model.osim -o masses.csv --muscles '*_r'
  opensim-inertia masses model.osim -o masses.csv --method handsfield --height 1.8
  opensim-inertia masses model.osim --masses edited.csv
  opensim-inertia masses model.osim --plot bellies.pdf --reference static.mot
"""

#: The picture's name where --plot gives none.
PICTURE = "masses.png"

#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "plot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write the table, to edit it and use it again")
    parser.add_argument(
        "--plot",
        nargs="?",
        type=Path,
        const=Path(),
        metavar="FILE",
        help="draw where the mass lies, to a .png, .svg or .pdf, and on the skeleton to FILE_skeleton (default: "
        f"{PICTURE} beside the CSV, or here)",
    )
    add_mass_options(parser)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    if args.plot is not None and args.plot != Path():
        check_picture(args.plot)
    check_model_file(args.model)
