"""``opensim-inertia rank``: which muscles matter."""

from __future__ import annotations

import argparse

from .._core.opensim import quiet
from ..analyses.ranking.ranking import rank_muscles
from ..files.atomic import writing
from ..options import Recording
from .output import check_writable
from .preparing import prepare
from .text import describe_model

__all__ = ["run"]


def run(args: argparse.Namespace) -> None:
    """Run the command."""
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
        with writing(args.output) as temporary:
            ranking.shares.to_csv(temporary)
    print(describe_model(prepared))
    print(f"{ranking.where}\n")
    print(table)
    if files:
        print()
    for path, what in files.items():
        print(f"written to {path}: {what}")
