"""Our recipe for training a network against that of Wang et al. 2022, section 3.3, in the same processor time.

Ours (``opensim-inertia train``) fits places and lengths with their derivatives, in the plane across the axis of a
cylinder. The paper's (``--recipe paper``) fits places of OpenSim's own paths; its Jacobian is that network's
derivative. Each has as many minutes of processor time of one thread; drawing the samples is not counted.

Both networks are judged on the same 20 000 spans over cylinders, which neither has seen, against the kernel's formula.
The two learn different paths near touch, |r - d| < 0.2 r: ours the smooth one, the paper's the exact one with its kink,
without the samples nearest to it. So errors there are against the path that each learns; away from touch both paths are
the same. Place: distance [mm]. Jacobian: entries of dx/dorigin and dx/dinsertion in the plane across the axis; all
others are exact in our form, so leaving them out favours the paper's. OpenSim's paths, from which the paper's recipe
learns, are no geodesics along the axis, so its network is judged on 5 000 new samples of these as well.

    python benchmarks/training.py --minutes 15

takes half an hour. ``--recipes ours adam`` compares our optimizer (SOAP) with PyTorch's Adam instead, all else alike.
It needs PyTorch.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from common import report

from opensim_inertia._core.opensim import quiet
from opensim_inertia._core.torch import torch
from opensim_inertia.paths.neural import NeuralWeights, load_weights, save_weights
from opensim_inertia.paths.neural.evaluate import neural_spans
from opensim_inertia.paths.neural.settings import PAPER_SETTINGS, PLANAR_SETTINGS
from opensim_inertia.paths.neural.training.accuracy import statistics
from opensim_inertia.paths.neural.training.cylinders import VALIDATION, VALIDATION_SEED, train_planar
from opensim_inertia.paths.neural.training.planar import SMOOTHING, ValidationSet, kernel_spans
from opensim_inertia.paths.wrapping.networks.paper import OpenSimSampling, opensim_samples, train_paper

#: By recipe: its training, its settings, and the smoothing [radii] of the path that it learns.
RECIPES = {
    "ours": (train_planar, PLANAR_SETTINGS, SMOOTHING),
    "adam": (train_planar, replace(PLANAR_SETTINGS, optimizer="adam", rate=3e-3), SMOOTHING),
    "paper": (train_paper, PAPER_SETTINGS, 0.0),
}

#: More steps than any budget allows, so that time ends the training.
ENDLESS = 2**40


def trained(name: str, minutes: float, folder: Path | None, rate: float | None = None) -> NeuralWeights:
    """Train by a recipe, perhaps at another rate, or take what an earlier run has left in ``folder``."""
    file = None if folder is None else folder / f"{name}.json"
    if file is not None and file.exists():
        return load_weights(file)
    train, settings, _ = RECIPES[name]
    settings = replace(settings, steps=ENDLESS, rate=rate or settings.rate)
    weights = train(settings, minutes=minutes, clock=time.process_time, device="cpu")
    if file is not None:
        save_weights(file, weights)
    return weights


def errors(weights: NeuralWeights, s: ValidationSet, smoothing: float) -> dict[str, dict[str, float]]:
    """Return mean, 95 % quantile and maximum of the errors, by what they are of."""
    exact = kernel_spans(s.radius, s.side, s.origin, s.insertion, s.fraction, smoothing)
    got = neural_spans(weights, "cylinder", s.radius, s.side, s.origin, s.insertion, s.fraction)
    place = 1e3 * np.linalg.norm(got.x - exact.x, axis=1)
    off = np.stack([got.dx_dorigin - exact.dx_dorigin, got.dx_dinsertion - exact.dx_dinsertion], axis=1)[..., :2, :2]
    where = {"all": slice(None), "away": s.away, "near": s.near_touch}
    return {
        f"{what}_{name}": statistics(error[rows])
        for what, error in (("place", place), ("jacobian", off))
        for name, rows in where.items()
    }


def opensims_own(weights: NeuralWeights) -> dict[str, dict[str, float]]:
    """Return how far [mm] OpenSim's own places lie from the paper's network, and from the kernel's exact path."""
    samples = opensim_samples(5_000, np.random.default_rng(VALIDATION_SEED), OpenSimSampling())
    x = samples.inputs.astype(float)
    spans = x[:, 7], np.ones(len(x)), x[:, :3], x[:, 3:6], x[:, 6]
    places = {
        "network": neural_spans(weights, "cylinder", *spans).x,
        "kernel": kernel_spans(*spans, smoothing=0.0).x,
    }
    return {name: statistics(1e3 * np.linalg.norm(samples.values - x, axis=1)) for name, x in places.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=15.0, help="processor time of each (default: %(default)s)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="leave the networks here; if there, do not train")
    parser.add_argument("--recipes", nargs="+", choices=RECIPES, default=["ours", "paper"], help="what is compared")
    parser.add_argument("--rate", type=float, help="learning rate of the recipe adam (default: 3e-3)")
    args = parser.parse_args()
    torch.set_num_threads(1)
    spans = ValidationSet.draw(VALIDATION, np.random.default_rng(VALIDATION_SEED))
    values: dict[str, float] = {}
    for name in args.recipes:
        smoothing = RECIPES[name][2]
        with quiet():
            weights = trained(name, args.minutes, args.keep, args.rate if name == "adam" else None)
        steps, seconds = weights.recipe["steps_taken"], weights.recipe["training_seconds"]
        print(f"\n{name}: {weights.count} weights, {steps} steps in {seconds:.0f} s of processor time")
        values |= {f"{name}_seconds": seconds, f"{name}_steps": steps, f"{name}_weights": weights.count}
        for what, row in errors(weights, spans, smoothing).items():
            print(f"  {what:14s} mean {row['mean']:9.2g}  95 % {row['p95']:9.2g}  largest {row['max']:9.2g}")
            values |= {f"{name}_{what}_{key}": row[key] for key in ("mean", "p95")}
        if name == "paper":
            with quiet():
                own = opensims_own(weights)
            for what, row in own.items():
                print(f"  OpenSim's own places from the {what}'s: mean {row['mean']:.2g} mm, 95 % {row['p95']:.2g} mm")
                values |= {f"opensim_from_{what}_{key}": row[key] for key in ("mean", "p95")}
    report(**values)


if __name__ == "__main__":
    main()
