"""The arguments of ``opensim-inertia train``."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..._core.checks import check_model_file
from ..._core.choices import CACHE_VARIABLE, TARGETS, TRAINING_STEPS
from ..._core.errors import OptionError
from ..._core.parsing import positive
from .shared import refuse

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check"]

NAME = "train"
HELP = "train the neural networks that lead paths over wrap objects (needs PyTorch)"
DESCRIPTION = f"""\
Train the networks that can take the place of the formula for paths over wrap objects (--wrapping neural).

With MODEL: one for every surface that its muscles wrap, but cylinders and spheres, over the muscle's own range of
motion. They are kept in a cache (${CACHE_VARIABLE}, or the platform's folder for a user's caches), where any model with
the same surface and path points finds them. Those that are there already are not trained again.

Without: the one network that serves all cylinders and spheres. The package ships it: training is for other accuracies,
and to see how it is done. --recipe paper trains as Wang et al. 2022 did, on OpenSim's own paths over cylinders, for
comparison.

That takes about 4 minutes on two cores, each network of a model one minute. The same seed and number of steps give the
same network, to rounding.
"""
EPILOG = """\
examples:
  opensim-inertia train model.osim
  opensim-inertia train model.osim --muscles BIClong --minutes 1
      quickly, for one muscle
  opensim-inertia train
  opensim-inertia train --steps 500 -o quick.json
  opensim-inertia train --resume
      after Ctrl-C: goes on where it stopped, to the same result
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command to a parser."""
    parser.add_argument(
        "model", type=Path, nargs="?", metavar="MODEL.osim", help="train what this model needs (default: see above)"
    )
    parser.add_argument(
        "--steps",
        type=int,
        metavar="N",
        help="steps of the optimizer (default: {ours}; paper: {paper}; with MODEL: {span})".format(**TRAINING_STEPS),
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="(default: %(default)s)")
    parser.add_argument("--device", default="auto", help="cpu, cuda, ... (default: %(default)s, a GPU if there is one)")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint of an interrupted training")
    parser.add_argument(
        "--minutes",
        type=positive,
        metavar="M",
        help="end after this time, each; the result then depends on the machine",
    )
    group = parser.add_argument_group("with MODEL")
    group.add_argument(
        "--muscles", nargs="+", action="extend", metavar="PATTERN", help="only these; names or patterns such as '*_r'"
    )
    group.add_argument(
        "--target",
        choices=TARGETS,
        help="the path to learn: the analytic one, smooth and known at every pose, or OpenSim's own where it is smooth "
        f"(default: {TARGETS[0]})",
    )
    group = parser.add_argument_group("without MODEL")
    group.add_argument("--recipe", choices=("ours", "paper"), help="(default: ours)")
    group.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the weight file (default: planar.json or paper.json)"
    )


def check(args: argparse.Namespace) -> None:
    """Raise an error for what is wrong with the arguments, before anything is loaded."""
    if args.steps is not None and args.steps < 1:
        raise OptionError("steps", args.steps, "1 or more")
    if not 0 <= args.seed < 2**31:
        raise OptionError("seed", args.seed, f"a whole number from 0 to {2**31 - 1}")
    if args.model is None:
        for name in ("muscles", "target"):
            refuse(args, name, "it needs MODEL")
    else:
        for name in ("recipe", "output"):
            refuse(args, name, "MODEL is given, and its networks go to the cache")
        check_model_file(args.model)
