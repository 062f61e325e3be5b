"""``opensim-inertia rank``: how much of each coordinate's inertia slides, and which muscles matter."""

from __future__ import annotations

import argparse
from pathlib import Path

from .._core.errors import OptionError
from .arguments import add_options, check_inputs, refuse
from .preparing import add_mass_options, add_material_options, check_options, prepare
from .setup_files import check_exists

__all__ = ["ALIASES", "DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check", "run"]

NAME = "rank"
HELP = "how much of each coordinate's inertia slides along the muscles, and which muscles matter"
DESCRIPTION = """\
The share of each coordinate's effective inertia that slides along the muscles, with its band; each muscle's share of
that inertia, and the fewest muscles that hold most of what all muscles add. At the default pose, with the largest share
that slides over the coordinate's range, or averaged over the poses of a motion. A sentence for each coordinate says
what it means; with --external-loads it says how much the moment changes, and whether that may be neglected. The table
names the first muscles of each coordinate, the picture those with the largest shares; the CSV holds all of them.
"""
EPILOG = """\
examples:
  opensim-inertia rank model.osim
  opensim-inertia rank model.osim --motion walk.mot --masses masses.csv -o shares.csv
  opensim-inertia rank model.osim --motion run.mot --external-loads grf.xml --cutoff 15
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
        "--external-loads", type=Path, metavar="XML", help="solve the motion with these loads, and say what changes"
    )
    parser.add_argument(
        "--fraction", type=float, default=0.9, metavar="F", help="of all muscles' inertia (default: %(default)s)"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="CSV", help="write every muscle's shares")
    parser.add_argument(
        "--sliding", type=Path, metavar="CSV", help="write what slides at each coordinate, with its band"
    )
    parser.add_argument(
        "--plot", type=Path, metavar="FILE", help="draw the shares as a heat map, to a .png, .svg or .pdf"
    )
    parser.add_argument(
        "--most", type=int, default=3, metavar="N", help="muscles that are named per coordinate (default: %(default)s)"
    )
    add_options(parser, Recording, only=("as_recorded", "cutoff", "time_range"))
    add_mass_options(parser)
    add_material_options(parser)


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    check_options(args)
    if not 0 < args.fraction <= 1:
        raise OptionError("fraction", args.fraction, "a number above 0, at most 1")
    if args.most < 1:
        raise OptionError("most", args.most, "1 or more")
    for name in ("as_recorded", "cutoff", "time_range", "external_loads"):
        if args.motion is None and hasattr(args, name):
            refuse(args, name, "it needs --motion")
    if args.external_loads is not None:
        check_exists(args.external_loads, "external loads", "--external-loads")
    check_inputs(args)


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    from .._core.opensim import quiet
    from ..analyses.inverse_dynamics import InverseDynamicsResult, inverse_dynamics
    from ..analyses.ranking.ranking import rank_muscles
    from ..options import Recording
    from .output import check_writable, write_csv
    from .text import describe_model, wrapped

    outputs = {
        args.output: "every muscle's share of the inertia of every coordinate",
        args.sliding: "what slides at every coordinate",
        args.plot: "the largest shares",
    }
    files = {path: what for path, what in outputs.items() if path is not None}
    check_writable(files, [args.model, args.motion, args.masses, args.reference, args.external_loads])
    prepared = prepare(args.model, args)
    with quiet():
        poses: Recording | InverseDynamicsResult | None = None if args.motion is None else Recording.of(vars(args))
        if poses is not None and args.external_loads is not None:
            poses = inverse_dynamics(prepared.inertial, poses, band=False)
        ranking = rank_muscles(prepared.inertial, poses, args.fraction)
    table = ranking.table(args.most)
    if args.plot is not None:
        from ..plotting import plot_shares

        plot_shares(ranking, args.plot)
    if args.output is not None:
        write_csv(ranking.shares, args.output)
    if args.sliding is not None:
        write_csv(ranking.sliding, args.sliding)
    print(describe_model(prepared))
    print(f"{ranking.where}\n")
    print("\n".join(wrapped(sentence) for sentence in ranking.sentences()) + "\n" if not table.empty else "")
    print(table)
    if files:
        print()
    for path, what in files.items():
        print(f"written to {path}: {what}")
