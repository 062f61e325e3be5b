"""``opensim-inertia rank``: which muscles matter."""

from __future__ import annotations

import argparse
from pathlib import Path

from .._core.errors import OptionError
from .arguments import add_options, check_inputs, refuse
from .preparing import add_mass_options, add_material_options, check_options, prepare

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check", "run"]

NAME = "rank"
HELP = "which muscles matter: each muscle's share of the inertia of each coordinate"
DESCRIPTION = """\
Each muscle's share of the effective inertia of each coordinate, and the fewest muscles that hold most of what all
muscles add; at the default pose, or averaged over the poses of a motion. The table names the first muscles of each
coordinate, the picture those with the largest shares; the CSV holds all of them.
"""
EPILOG = """\
examples:
  opensim-inertia rank model.osim
  opensim-inertia rank model.osim --motion walk.mot --masses masses.csv -o shares.csv
  opensim-inertia rank model.osim --fraction 0.5 --plot shares.png
"""
#: Options of the command by the package's keywords, where these differ.
ALIASES = {"path": "plot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    from ..options import Recording

    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument("--motion", type=Path, metavar="MOT", help="poses to average over (default: the default pose)")
    parser.add_argument(
        "--fraction", type=float, default=0.9, metavar="F", help="of all muscles' inertia (default: %(default)s)"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write every muscle's shares")
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the shares as a heat map, to a .png, .svg or .pdf"
    )
    parser.add_argument(
        "--most", type=int, default=3, metavar="N", help="muscles that are named per coordinate (default: %(default)s)"
    )
    add_options(parser, Recording, only=("as_recorded",))
    add_mass_options(parser)
    add_material_options(parser)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    if not 0 < args.fraction <= 1:
        raise OptionError("fraction", args.fraction, "a number above 0, at most 1")
    if args.most < 1:
        raise OptionError("most", args.most, "1 or more")
    if args.motion is None:
        refuse(args, "as_recorded", "it needs --motion")
    check_inputs(args)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from .._core.opensim import quiet
    from ..analyses.ranking.ranking import rank_muscles
    from ..options import Recording
    from .output import check_writable, write_csv
    from .text import describe_model

    outputs = {args.output: "every muscle's share of the inertia of every coordinate", args.plot: "the largest shares"}
    files = {path: what for path, what in outputs.items() if path is not None}
    check_writable(files, [args.model, args.motion, args.masses, args.reference])
    prepared = prepare(args.model, args)
    with quiet():
        poses = None if args.motion is None else Recording.of(vars(args))
        ranking = rank_muscles(prepared.inertial, poses, args.fraction)
    table = ranking.table(args.most)
    if args.plot is not None:
        ranking.plot(args.plot)
    if args.output is not None:
        write_csv(ranking.shares, args.output)
    print(describe_model(prepared))
    print(f"{ranking.where}\n")
    print(table)
    if files:
        print()
    for path, what in files.items():
        print(f"written to {path}: {what}")
