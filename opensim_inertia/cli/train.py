"""``opensim-inertia train``: train the networks that can take the place of the wrapping formula."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from .._core.errors import InertiaError, UnsupportedPathError, WeightsError
from .._core.opensim import osim, quiet
from ..muscles.masses.estimate import select_muscles
from ..opensim_model.reading import (
    CoordinateTable,
    MusclePath,
    initialise,
    load_model,
    model_muscles,
    read_coordinates,
    read_path,
)
from ..paths.neural import NeuralWeights, load_weights, save_weights
from ..paths.neural.settings import PAPER_SETTINGS, PLANAR_SETTINGS, SPAN_SETTINGS, TrainingSettings
from ..paths.neural.training.accuracy import describe_errors
from ..paths.wrapping import check_wraps
from ..paths.wrapping.networks.stored import cache_folder, network_file
from ..paths.wrapping.networks.train import TARGETS, Job, required_networks, train_network
from .output import check_writable

__all__ = ["run"]


RECIPES = {"ours": PLANAR_SETTINGS, "paper": PAPER_SETTINGS}
OUTPUTS = {"ours": Path("planar.json"), "paper": Path("paper.json")}


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
    name = args.recipe or "ours"
    output: Path = args.output or OUTPUTS[name]
    checkpoint = output.with_name(output.name + ".checkpoint")
    check_writable([output, checkpoint])
    _check_interrupted(checkpoint, args)

    # here, because these need PyTorch, which the other commands do without
    from ..paths.neural.training.cylinders import train_planar
    from ..paths.neural.training.interruption import TrainingInterrupted
    from ..paths.wrapping.networks.paper import train_paper

    train = train_paper if name == "paper" else train_planar
    options = {"checkpoint": checkpoint, "resume": args.resume, "device": args.device, "minutes": args.minutes}
    try:
        weights = train(_settings(args, RECIPES[name]), **options)
    except TrainingInterrupted as stop:
        print(f"{stop}; --resume goes on from there ({checkpoint})", file=sys.stderr)
        raise
    save_weights(output, weights)
    checkpoint.unlink(missing_ok=True)
    print(_describe(weights))
    print(f"\nwritten to {output}")


def _train_model(args: argparse.Namespace) -> None:
    """Train the networks that a model needs."""
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
    muscles = model_muscles(model)
    paths, without = [], {}
    for name in select_muscles(list(muscles), patterns):
        try:
            check_wraps(muscles[name])
            path = read_path(muscles[name], coordinates)
        except UnsupportedPathError as error:
            without[name] = f"its {error.element} cannot carry mass"
        else:
            paths += [path] if path.wraps else []
    return paths, without


def _is_there(file: Path, settings: TrainingSettings, target: str, args: argparse.Namespace) -> bool:
    """Tell whether the cache holds what this training would give."""
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
    taken, seconds = weights.recipe["steps_taken"], weights.recipe["training_seconds"]
    return f"{weights.count} weights, {taken} steps in {seconds:.0f} s\n\n{describe_errors(weights.errors)}"
