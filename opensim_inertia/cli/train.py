"""``opensim-inertia train``: train the networks that can take the place of the wrapping formula."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.checks import check_model_file
from .._core.choices import CACHE_VARIABLE, TARGETS, TRAINING_STEPS
from .._core.errors import InertiaError, OptionError, UnsupportedPathError, WeightsError
from .._core.parsing import positive
from .arguments import refuse

if TYPE_CHECKING:
    from .._core.opensim import osim
    from ..opensim_model.reading import CoordinateTable, MusclePath
    from ..paths.neural import NeuralWeights
    from ..paths.neural.settings import TrainingSettings
    from ..paths.wrapping.networks.train import Job

__all__ = ["DESCRIPTION", "EPILOG", "HELP", "NAME", "add_arguments", "check", "run"]

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

OUTPUTS = {"ours": Path("planar.json"), "paper": Path("paper.json")}


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


def run(args: argparse.Namespace) -> None:
    """Run the command."""
    if args.model is None:
        _train_planar(args)
    else:
        _train_model(args)


def _settings(args: argparse.Namespace, base: TrainingSettings) -> TrainingSettings:
    return replace(base, seed=args.seed, steps=args.steps or base.steps)


def _train_planar(args: argparse.Namespace) -> None:
    """Train the network of all cylinders and spheres."""
    from ..paths.neural import save_weights
    from .output import check_writable

    name = args.recipe or "ours"
    output: Path = args.output or OUTPUTS[name]
    checkpoint = output.with_name(output.name + ".checkpoint")
    check_writable([output, checkpoint])
    _check_interrupted(checkpoint, args)

    # here, because these need PyTorch, which the other commands do without
    from ..paths.neural.settings import PAPER_SETTINGS, PLANAR_SETTINGS
    from ..paths.neural.training.cylinders import train_planar
    from ..paths.neural.training.interruption import TrainingInterrupted
    from ..paths.wrapping.networks.paper import train_paper

    train, settings = (train_paper, PAPER_SETTINGS) if name == "paper" else (train_planar, PLANAR_SETTINGS)
    options = {"checkpoint": checkpoint, "resume": args.resume, "device": args.device, "minutes": args.minutes}
    try:
        weights = train(_settings(args, settings), **options)
    except TrainingInterrupted as stop:
        print(f"{stop}; --resume goes on from there ({checkpoint})", file=sys.stderr)
        raise
    save_weights(output, weights)
    checkpoint.unlink(missing_ok=True)
    print(_describe(weights))
    print(f"\nwritten to {output}")


def _train_model(args: argparse.Namespace) -> None:
    """Train the networks that a model needs."""
    from .._core.opensim import quiet
    from ..files.cache import cache_folder
    from ..opensim_model.reading import initialise, load_model, read_coordinates
    from ..paths.neural import load_weights, save_weights
    from ..paths.neural.settings import SPAN_SETTINGS
    from ..paths.wrapping.networks.stored import network_file
    from ..paths.wrapping.networks.train import required_networks
    from .output import check_writable

    target, settings = args.target or TARGETS[0], _settings(args, SPAN_SETTINGS)
    with quiet():
        model = load_model(args.model)
        coordinates = read_coordinates(model, initialise(model))
        paths, without = _read_paths(model, coordinates, args.muscles)
        jobs, opensims = required_networks(model, coordinates, paths)
    without |= {muscle: f"it goes OpenSim's own way: {reason}" for muscle, reason in opensims.items()}
    for muscle, reason in without.items():
        print(f"no network for muscle '{muscle}': {reason}")
    if not jobs:
        chosen = " among those asked for" if args.muscles else ""
        print(f"model '{model.getName()}': no muscle{chosen} wraps a surface that needs a network of its own;")
        print("for cylinders and spheres the package ships one")
        return
    files = {network_file(job.path, job.site): job for job in jobs}
    wanted = {file: job for file, job in files.items() if not _is_there(file, settings, target, args)}
    checkpoints = {file: file.with_name(file.name + ".checkpoint") for file in wanted}
    check_writable([*wanted, *checkpoints.values()])
    for checkpoint in checkpoints.values():
        _check_interrupted(checkpoint, args)
    for number, (file, job) in enumerate(files.items(), start=1):
        print(f"{job.text} ({number} of {len(files)})", flush=True)
        if file in wanted:
            with quiet():
                weights = _train_job(model, coordinates, job, settings, target, checkpoints[file], args)
            save_weights(file, weights)
            checkpoints[file].unlink(missing_ok=True)
        else:
            weights = load_weights(file)
            print("trained before:")
        print(_describe(weights))
        left_out = weights.recipe["sampling"].get("left_out") or 0.0
        if left_out:
            print(f"left out: {100 * left_out:.1f} % of the samples, where the path leaps to another side")
        print(f"in {file}\n")
    print(f"cache: {cache_folder()}; --wrapping neural finds them there")


def _train_job(
    model: osim.Model,
    coordinates: CoordinateTable,
    job: Job,
    settings: TrainingSettings,
    target: str,
    checkpoint: Path,
    args: argparse.Namespace,
) -> NeuralWeights:
    from ..paths.neural.training.interruption import TrainingInterrupted
    from ..paths.wrapping.networks.train import train_network

    options = {"resume": args.resume and checkpoint.exists(), "device": args.device, "minutes": args.minutes}
    try:
        return train_network(model, coordinates, job, settings, target, checkpoint=checkpoint, **options)
    except TrainingInterrupted as stop:
        print(f"{stop}; --resume goes on from there ({checkpoint})", file=sys.stderr)
        raise


def _read_paths(
    model: osim.Model, coordinates: CoordinateTable, patterns: list[str] | None
) -> tuple[list[MusclePath], dict[str, str]]:
    """Read the paths of the muscles asked for that wrap, and say by muscle why others cannot be read."""
    from ..muscles.masses.estimate import select_muscles
    from ..opensim_model.reading import model_muscles, read_path
    from ..paths.wrapping import read_surfaces

    muscles = model_muscles(model)
    paths, without = [], {}
    for name in select_muscles(list(muscles), patterns):
        try:
            read_surfaces(muscles[name])
            path = read_path(muscles[name], coordinates)
        except UnsupportedPathError as error:
            without[name] = f"its {error.element} cannot carry mass"
        else:
            paths += [path] if path.wraps else []
    return paths, without


def _is_there(file: Path, settings: TrainingSettings, target: str, args: argparse.Namespace) -> bool:
    """Tell whether the cache holds what this training would give."""
    from ..paths.neural import load_weights

    try:
        old = load_weights(file).recipe
    except WeightsError:
        return False
    asked = {**settings.metadata(), "minutes_allowed": args.minutes}
    return old.get("sampling", {}).get("target") == target and all(old.get(k) == v for k, v in asked.items())


def _check_interrupted(checkpoint: Path, args: argparse.Namespace) -> None:
    if checkpoint.exists() and not args.resume:
        raise InertiaError(f"{checkpoint} is there, of an interrupted training: add --resume to go on, or remove it")


def _describe(weights: NeuralWeights) -> str:
    from ..paths.neural.training.accuracy import describe_errors

    taken, seconds = weights.recipe["steps_taken"], weights.recipe["training_seconds"]
    return f"{weights.count} weights, {taken} steps in {seconds:.0f} s\n\n{describe_errors(weights.errors)}"
