"""Rank muscles by their share of each coordinate's inertia; find the share due to mass sliding along paths.

Output: the share of each coordinate's effective inertia that slides along muscles, with its band; each muscle's share
of the inertia, and the fewest muscles that add most of it. The pose is the default pose, with the largest sliding share
over the coordinate's range, or results are averages over a motion. A sentence interprets each coordinate; with
--external-loads it states the change of the moment, and whether to neglect it. The table names the first muscles of
each coordinate, the picture those with the largest shares; the CSV has all muscles.

examples:
  opensim-inertia rank model.osim
  opensim-inertia rank model.osim --motion walk.mot --masses masses.csv -o shares.csv
  opensim-inertia rank model.osim --motion run.mot --external-loads grf.xml --cutoff 15
  opensim-inertia rank model.osim --fraction 0.5 --plot shares.png
"""

from __future__ import annotations

import argparse

from .._core.options import at_least, number
from ..options.recording import Recording
from . import arguments
from .arguments import add, add_options
from .output import announce, chosen, inputs_of, wrapped

ALIASES = {"path": "plot"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    arguments.add_model(parser)
    loads = "solve the motion with these loads, and print the changes"
    arguments.add_motion(parser, "poses to average over (default: the default pose)", loads)
    add(
        parser,
        "--fraction",
        "of all muscles' inertia",
        "F",
        float,
        default=0.9,
        check=number(lambda x: 0 < x <= 1, "a number above 0, at most 1"),
    )
    add(parser, "-o, --out", "write every muscle's shares", "CSV")
    add(parser, "--sliding", "write the inertia by sliding at each coordinate, with its band", "CSV")
    arguments.add_plot(parser, "the shares as a heat map")
    add(parser, "--most", "muscles that are named per coordinate", "N", int, default=3, check=at_least(1))
    add_options(parser, Recording, only=("as_recorded", "cutoff", "time_range"))
    arguments.add_inertial(parser)


def check(args: argparse.Namespace) -> None:
    arguments.check_inertial(args)
    if args.motion is None:
        arguments.refuse(args, "it needs --motion", "as_recorded", "cutoff", "time_range", "external_loads")
    if args.external_loads is not None:
        arguments.check_exists(args.external_loads, "external loads", "--external-loads")


def run(args: argparse.Namespace) -> None:
    from ..analyses.inverse_dynamics import InverseDynamicsResult, inverse_dynamics
    from ..analyses.ranking.ranking import rank_muscles
    from ..files.spreadsheets import write_csv

    outputs = {
        args.out: "every muscle's share of the inertia of every coordinate",
        args.sliding: "the inertia by sliding at every coordinate",
        args.plot: "the largest shares",
    }
    files = chosen(outputs, inputs_of(args))
    inertial = arguments.prepare(args.model, args)
    poses: Recording | InverseDynamicsResult | None = None if args.motion is None else Recording.of(vars(args))
    if poses is not None and args.external_loads is not None:
        poses = inverse_dynamics(inertial, poses, band=False)
    ranking = rank_muscles(inertial, poses, args.fraction)
    if args.plot is not None:
        from ..plotting import plot_shares

        plot_shares(ranking, args.plot)
    for shares, path in (("shares", args.out), ("sliding", args.sliding)):
        if path is not None:
            write_csv(getattr(ranking, shares), path)
    print(f"{ranking.where}\n")
    print("\n".join(map(wrapped, ranking.sentences())) + "\n" if ranking.affected_coordinates() else "")
    print(ranking.summary_text(args.most))
    announce(files)
