"""``opensim-inertia rank``: which muscles matter."""

from __future__ import annotations

import argparse
from pathlib import Path

from .._opensim import quiet
from ..errors import FileFormatError, OptionError
from ..files import writing
from ..inertial.ranking import MuscleRanking, rank_muscles
from .options import add_mass_options, add_material_options, check_options, prepare
from .output import check_writable
from .text import columns, describe_model, wrapped

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "run"]

NAME = "rank"
HELP = "which muscles matter: each muscle's share of the inertia of each coordinate"
DESCRIPTION = """\
Each muscle's share of the effective inertia of each coordinate, and the fewest muscles that hold most of what all
muscles add; at the default pose, or averaged over the poses of a motion.
"""
EPILOG = """\
examples:
  opensim-inertia rank model.osim
  opensim-inertia rank model.osim --motion walk.mot --masses masses.csv -o shares.csv
  opensim-inertia rank model.osim --fraction 0.5
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("model", type=Path, metavar="MODEL.osim", help="the model")
    parser.add_argument("--motion", type=Path, metavar="MOT", help="poses to average over (default: the default pose)")
    parser.add_argument(
        "--fraction", type=float, default=0.9, metavar="F", help="of all muscles' inertia (default: %(default)s)"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write every muscle's shares")
    add_mass_options(parser)
    add_material_options(parser)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    check_options(args)
    if not 0 < args.fraction <= 1:
        raise OptionError("--fraction", args.fraction, "a number above 0, at most 1")
    if args.motion is not None and not args.motion.is_file():
        raise FileFormatError(args.motion, "motion file does not exist")
    if args.output is not None:
        check_writable([args.output], [args.model, args.motion, args.masses, args.reference])
    prepared = prepare(args.model, args)
    with quiet():
        ranking = rank_muscles(prepared.inertial, args.motion, args.fraction)
    if args.output is not None:
        with writing(args.output) as temporary:
            ranking.shares.to_csv(temporary)
    print(describe_model(prepared))
    print(_where(ranking, args.motion) + "\n")
    print(_ranking_table(ranking))
    if args.output is not None:
        print(f"\nwritten to {args.output}: every muscle's share of the inertia of every coordinate")


def _where(ranking: MuscleRanking, motion: Path | None) -> str:
    return "at the default pose" if motion is None else f"average over {ranking.poses} poses of {motion.name}"


def _ranking_table(ranking: MuscleRanking) -> str:
    total = ranking.shares.sum(axis=0)
    names = [name for name in ranking.shares.columns if total[name] > 0]
    if not names:
        return "no muscle adds inertia to any coordinate"
    percent = f"{100 * ranking.fraction:g} %"
    rows = [["coordinate", "muscles' share [%]", f"muscles for {percent}"]]
    rows += [[name, f"{100 * total[name]:.2f}", str(len(ranking.needed[name]))] for name in names]
    lines = [columns(rows), "", f"the fewest muscles that hold {percent} of what all muscles add, largest first:"]
    lines += [wrapped(f"  {name}: {', '.join(ranking.needed[name])}", "      ") for name in names]
    return "\n".join(lines)
