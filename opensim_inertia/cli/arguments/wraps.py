"""The arguments of ``opensim-inertia wraps``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_count, check_model_file
from ..._core.choices import MOST_POSES
from ..._core.errors import OptionError
from .shared import add_options, refuse

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "wraps"
HELP = "how each muscle's path over wrap objects is led, and how far from OpenSim's; a picture of a touch"
DESCRIPTION = """\
Every muscle that wraps: over what, which way its path is led, and how far it is from OpenSim's at random poses over
the range of motion, with what was found at the poses where it is more than 0.5 mm. OpenSim's length is that of the path
that it shows; how far its getLength is from that has a column of its own. --plot draws five mass points and their
Jacobian while one coordinate takes the path through the touch nearest to the default pose.
"""
EPILOG = """\
examples:
  opensim-inertia wraps model.osim
  opensim-inertia wraps model.osim --muscles 'gas*_r' 'vas*_r' --poses 1000 --csv wraps.csv
  opensim-inertia wraps model.osim --plot vaslat_r --coordinate knee_angle_r
"""

#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "output"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    from ...options import Wrapping

    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument(
        "--muscles", nargs="+", action="extend", metavar="PATTERN", help="only these; names or patterns such as '*_r'"
    )
    parser.add_argument("--poses", type=int, default=100, metavar="N", help="random poses (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the poses (default: %(default)s)")
    add_options(parser, Wrapping, only=("kind", "smoothing", "strict"))
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table, with all columns")
    group = parser.add_argument_group("picture")
    group.add_argument("--plot", metavar="MUSCLE", help="draw the path and the Jacobian of this muscle through touch")
    group.add_argument("--coordinate", metavar="C", help="that moves it (default: the one that does so most)")
    group.add_argument("-o", "--output", type=Path, metavar="FILE", help="the picture (default: MUSCLE_touch.png)")


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    from ...options import Wrapping

    check_count("poses", args.poses, MOST_POSES)
    if args.seed < 0:
        raise OptionError("seed", args.seed, "0 or more")
    Wrapping.of(vars(args))
    if args.wrapping == "opensim":
        for name in ("smoothing", "strict"):
            refuse(args, name, "it needs --wrapping analytic")
    if args.plot is None:
        for name in ("coordinate", "output"):
            refuse(args, name, "it needs --plot")
    check_model_file(args.model)
