"""``opensim-inertia train``: train the networks that can take the place of the wrapping formula."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from ..errors import InertiaError, OptionError
from ..neural import save_weights
from ..neural.accuracy import describe_errors
from ..neural.recipe import OURS, PAPER
from .options import positive
from .output import check_writable

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "run"]

NAME = "train"
HELP = "train the neural network for paths over cylinders and spheres (needs PyTorch)"
DESCRIPTION = """\
Train the network that can take the place of the formula for paths over cylinders and spheres. One network serves them
all, and the package ships one: training is for other accuracies, and to see how it is done. --recipe paper trains as
Wang et al. 2022 did, on live paths of OpenSim over cylinders, for comparison. Either takes about 15 minutes on two
cores. The same seed and number of steps give the same network, to rounding.
"""
EPILOG = """\
examples:
  opensim-inertia train
  opensim-inertia train --steps 500 -o quick.json
  opensim-inertia train --resume
      after Ctrl-C: goes on where it stopped, to the same result
"""

RECIPES = {"ours": OURS, "paper": PAPER}
OUTPUTS = {"ours": Path("planar.json"), "paper": Path("paper.json")}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("--recipe", choices=tuple(RECIPES), default="ours", help="(default: %(default)s)")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the weight file (default: planar.json or paper.json)"
    )
    parser.add_argument(
        "--steps", type=int, metavar="N", help=f"of the optimizer (default: {OURS.steps}; paper: {PAPER.steps})"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="(default: %(default)s)")
    parser.add_argument("--device", default="auto", help="cpu, cuda, ... (default: %(default)s, a GPU if there is one)")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint of an interrupted training")
    parser.add_argument(
        "--minutes", type=positive, metavar="M", help="end after this time; the result then depends on the machine"
    )


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    output: Path = args.output or OUTPUTS[args.recipe]
    checkpoint = output.with_name(output.name + ".checkpoint")
    recipe = RECIPES[args.recipe]
    if args.steps is not None and args.steps < 1:
        raise OptionError("--steps", args.steps, "1 or more")
    if not 0 <= args.seed < 2**31:
        raise OptionError("--seed", args.seed, f"a whole number from 0 to {2**31 - 1}")
    recipe = replace(recipe, seed=args.seed, steps=args.steps or recipe.steps)
    check_writable([output, checkpoint])
    if checkpoint.exists() and not args.resume:
        raise InertiaError(f"{checkpoint} is there, of an interrupted training: add --resume to go on, or remove it")

    # here, because these need PyTorch, which the other commands do without
    from ..neural.recipes import train_paper, train_planar
    from ..neural.training import TrainingInterrupted

    train = train_paper if args.recipe == "paper" else train_planar
    try:
        weights = train(recipe, checkpoint=checkpoint, resume=args.resume, device=args.device, minutes=args.minutes)
    except TrainingInterrupted as stop:
        print(f"{stop}; --resume goes on from there ({checkpoint})", file=sys.stderr)
        raise
    save_weights(output, weights)
    checkpoint.unlink(missing_ok=True)
    taken, seconds = weights.recipe["steps_taken"], weights.recipe["training_seconds"]
    print(f"{weights.count} weights, {taken} steps in {seconds:.0f} s\n")
    print(describe_errors(weights.errors))
    print(f"\nwritten to {output}")
