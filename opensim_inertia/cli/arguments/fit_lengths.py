"""The arguments of ``opensim-inertia fit-lengths``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_count, check_file, check_model_file, check_picture
from ..._core.choices import FITTED_WRAPPINGS, MOST_POSES, ROTATIONS
from ..._core.errors import OptionError
from .shared import refuse

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "fit-lengths"
HELP = "lengths and moment arms of muscles as polynomials with as few terms as they need"
DESCRIPTION = """\
Fit polynomials to the lengths and moment arms of muscles. Terms are added one by one, each the one that lowers the
error most, until none lowers it by more than --stop. Poses are those of a motion, or random ones over the ranges of the
coordinates. Jumps of OpenSim's paths between the poses are found and named: no polynomial follows them. The table has
one row per muscle; errors are root mean squares over the poses, of arms about all coordinates that are rotations. The
polynomials have no places and carry no mass: for that see --wrapping polynomial of other commands.
"""
EPILOG = """\
examples:
  opensim-inertia fit-lengths model.osim --motion walk.mot
  opensim-inertia fit-lengths model.osim --muscles 'DELT*' --rotations quaternion -o shoulder.length_polynomials.json
  opensim-inertia fit-lengths model.osim --motion walk.mot --function-based paths.xml
      OpenSim's own set of function-based paths, for ModelFactory.replacePathsWithFunctionBasedPaths
  opensim-inertia fit-lengths model.osim --wrapping analytic --plot terms.png
      this package's smooth paths in place of OpenSim's
"""

#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "output"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument("--motion", type=Path, metavar="MOT", help="fit at the poses of a motion")
    parser.add_argument("--poses", type=int, metavar="N", help="without --motion: random poses (default: 1000)")
    parser.add_argument("--seed", type=int, metavar="S", help="of the random poses (default: 0)")
    parser.add_argument(
        "--muscles", nargs="+", action="extend", metavar="PATTERN", help="only these; names or patterns such as '*_r'"
    )
    parser.add_argument(
        "--rotations",
        choices=ROTATIONS,
        default=ROTATIONS[0],
        help="what polynomials are of: coordinates, or quaternions of joints that turn in three directions "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--stop",
        type=float,
        default=0.04,
        metavar="F",
        help="a term must lower the error by this share (default: %(default)s)",
    )
    parser.add_argument("--degree", type=int, default=4, metavar="N", help="highest degree (default: %(default)s)")
    parser.add_argument(
        "--wrapping",
        choices=FITTED_WRAPPINGS,
        default="opensim",
        help="whose paths over wrap objects are fitted (default: %(default)s)",
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="JSON", help="(default: the model's name and .length_polynomials.json)"
    )
    parser.add_argument("--function-based", type=Path, metavar="XML", help="write OpenSim's set of paths, too")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the table")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw errors against numbers of terms, to a .png, .svg or .pdf"
    )


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    if args.motion is not None:
        for name in ("poses", "seed"):
            refuse(args, name, "the poses are those of --motion")
    if args.poses is not None:
        check_count("poses", args.poses, MOST_POSES)
    if args.seed is not None and args.seed < 0:
        raise OptionError("seed", args.seed, "0 or more")
    if not 0 <= args.stop < 1:
        raise OptionError("stop", args.stop, "a number from 0 to below 1")
    check_count("degree", args.degree, 12)
    if args.function_based is not None and args.rotations != "euler":
        refuse(args, "function_based", "OpenSim's function-based paths are of coordinates; it needs --rotations euler")
    if args.plot is not None:
        check_picture(args.plot)
    check_model_file(args.model)
    if args.motion is not None:
        check_file(args.motion, "motion file")
