"""The trainings that the package offers: the planar network, one surface of one muscle, the paper's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import numpy as np

from .._torch import torch
from ..arrays import Array
from .accuracy import error_table, statistics
from .evaluate import neural_segments
from .library_samples import LibrarySampling, library_samples
from .planar import SMOOTHING, PlanarSampling, ValidationSet, planar_samples
from .recipe import OURS, PAPER, SEGMENT, Recipe
from .samples import Samples
from .training import Networks, Task, Trained, train
from .weights import NeuralWeights

__all__ = ["SegmentSampler", "SegmentSamples", "TrainOptions", "train_paper", "train_planar", "train_segment"]

Errors = dict[str, dict[str, float]]

#: Sizes of the sets of training samples, and of the validation sets.
PLANAR_SAMPLES = 2**19
PAPER_SAMPLES = 30_000
VALIDATION = 20_000
#: The validation set is the same whatever the training's seed; while training, its head is looked at.
VALIDATION_SEED = 20_221_206
GLANCE = 2_000


class TrainOptions(TypedDict, total=False):
    """Keyword arguments that go on to :func:`~opensim_inertia.neural.training.train`."""

    checkpoint: Any
    resume: bool
    device: str
    minutes: float | None
    progress: bool | None


def train_planar(
    recipe: Recipe = OURS, sampling: PlanarSampling | None = None, **options: Unpack[TrainOptions]
) -> NeuralWeights:
    """Train the planar network, which serves every cylinder and sphere, on the kernel's smoothed path.

    Args:
        recipe: how to train; sampling: where; options: see :func:`~opensim_inertia.neural.training.train`.
    """
    sampling = PlanarSampling() if sampling is None else sampling
    position, length = planar_samples(PLANAR_SAMPLES, np.random.default_rng([recipe.seed, 1]), sampling)
    tasks = {"position": Task(position, recipe.position, bump=True), "length": Task(length, recipe.length)}
    data = {"samples": PLANAR_SAMPLES, "sampling": sampling.metadata(), "smoothing_per_radius": SMOOTHING}
    return _over_cylinders("planar", "planar", tasks, recipe, data, options)


def train_paper(
    recipe: Recipe = PAPER, sampling: LibrarySampling | None = None, **options: Unpack[TrainOptions]
) -> NeuralWeights:
    """Train a network as Wang et al. 2022 did, on live paths of OpenSim; the path's length is not learned."""
    sampling = LibrarySampling() if sampling is None else sampling
    samples = library_samples(PAPER_SAMPLES, np.random.default_rng([recipe.seed, 2]), sampling)
    data = {"samples": PAPER_SAMPLES, "sampling": sampling.metadata()}
    return _over_cylinders("cylinder", "direct", {"position": Task(samples, recipe.position)}, recipe, data, options)


@dataclass(frozen=True, eq=False)
class SegmentSamples:
    """Samples of one muscle segment over one surface, in the surface's frame [m].

    Slopes are optional, along any directions: the ends' six coordinates, or those that one joint moves.

    Attributes:
        origin, insertion: (n, 3); fraction: (n,) of the path's length.
        x: point of the path (n, 3); length: of the path (n,).
        directions: changes of (origin, insertion) (n, t, 6) [m]; keep them as large as typical changes within the
            range of motion: slopes weigh by it.
        dx, dlength: changes of x (n, t, 3) and of the length (n, t) along them, the fraction held [m].
    """

    origin: Array
    insertion: Array
    fraction: Array
    x: Array
    length: Array
    directions: Array | None = None
    dx: Array | None = None
    dlength: Array | None = None


#: Draws so many samples: (count, rng) -> samples.
SegmentSampler = Callable[[int, np.random.Generator], SegmentSamples]


def train_segment(
    sampler: SegmentSampler,
    kind: str,
    recipe: Recipe = SEGMENT,
    count: int = 40_000,
    source: Mapping[str, Any] | None = None,
    **options: Unpack[TrainOptions],
) -> NeuralWeights:
    """Train networks for one segment over one surface of any kind, within the range that ``sampler`` draws from.

    Args:
        sampler: called twice, for ``count`` training samples and for a tenth of it to validate.
        kind: name of the surface, kept in the weights.
        recipe: how to train.
        count: training samples.
        source: what the file shall say about the samples (model, muscle, ranges of coordinates); JSON.
        options: see :func:`~opensim_inertia.neural.training.train`.
    """
    position, length = _segment_tasks(sampler(count, np.random.default_rng([recipe.seed, 3])))
    valid = sampler(max(1, count // 10), np.random.default_rng([recipe.seed, 4]))
    tasks = {"position": Task(position, recipe.position, bump=True), "length": Task(length, recipe.length)}

    def errors(networks: Networks) -> Errors:
        return _segment_errors(NeuralWeights(kind, "segment", networks), valid)

    trained = train(tasks, recipe, lambda networks: _brief(errors(networks)), **options)
    data = {"samples": count, "sampling": dict(source or {})}
    return NeuralWeights(
        kind, "segment", trained.networks, _metadata(recipe, data, trained, options), errors(trained.networks)
    )


def _over_cylinders(
    kind: str, form: str, tasks: Mapping[str, Task], recipe: Recipe, data: Mapping[str, Any], options: TrainOptions
) -> NeuralWeights:
    """Train, and judge by random realistic segments over cylinders."""

    def errors(networks: Networks, count: int) -> Errors:
        valid = ValidationSet.draw(count, np.random.default_rng(VALIDATION_SEED))
        return error_table(NeuralWeights(kind, form, networks), valid)

    trained = train(tasks, recipe, lambda networks: _brief(errors(networks, GLANCE)), **options)
    data = {**data, "validation": {"samples": VALIDATION, "seed": VALIDATION_SEED, **ValidationSet.metadata()}}
    return NeuralWeights(
        kind, form, trained.networks, _metadata(recipe, data, trained, options), errors(trained.networks, VALIDATION)
    )


def _metadata(recipe: Recipe, data: Mapping[str, Any], trained: Trained, options: TrainOptions) -> dict[str, Any]:
    return {
        **recipe.metadata(),
        **data,
        "steps_taken": trained.steps,
        "minutes_allowed": options.get("minutes"),
        "training_seconds": round(trained.seconds, 1),
        "device": trained.device,
        "torch": str(torch.__version__),
    }


def _brief(errors: Mapping[str, Mapping[str, float]]) -> str:
    return f"error {errors['position_mm']['mean']:.2g} mm"


def _segment_tasks(s: SegmentSamples) -> tuple[Samples, Samples]:
    """What the position network (4 a (1 - a) N = x - chord(a)) and the length network (E = length - chord) learn."""
    a, n = s.fraction[:, None], len(s.fraction)
    ends = np.concatenate([s.origin, s.insertion], axis=1)
    chord = s.insertion - s.origin
    span = np.linalg.norm(chord, axis=1)
    inputs = np.concatenate([ends, a], axis=1)
    if s.directions is None or s.dx is None or s.dlength is None:
        along, dx, dlength = np.empty((0, n, 6)), np.empty((0, n, 3)), np.empty((0, n, 1))
    else:
        along = s.directions.transpose(1, 0, 2)
        dchord = along[..., 3:] - along[..., :3]
        dx = s.dx.transpose(1, 0, 2) - along[..., :3] - a * dchord
        dlength = s.dlength.T[..., None] - ((dchord * chord).sum(axis=2) / span)[..., None]
    whole = np.concatenate([along, np.zeros((*along.shape[:2], 1))], axis=2)
    return (
        Samples(inputs, whole, s.x - s.origin - a * chord, dx),
        Samples(ends, along, (s.length - span)[:, None], dlength),
    )


def _segment_errors(weights: NeuralWeights, s: SegmentSamples) -> Errors:
    path = neural_segments(weights, weights.kind, 1.0, 1.0, s.origin, s.insertion, s.fraction)
    table = {
        "position_mm": statistics(1e3 * np.linalg.norm(path.x - s.x, axis=1)),
        "length_mm": statistics(1e3 * (path.length - s.length)),
    }
    if s.directions is not None and s.dx is not None:
        jacobian = np.concatenate([path.dx_dorigin, path.dx_dinsertion], axis=2)
        off = np.einsum("nij,ntj->nti", jacobian, s.directions) - s.dx
        size = np.linalg.norm(s.directions, axis=2, keepdims=True)
        table["jacobian"] = statistics((off / np.where(size > 0, size, 1))[(size > 0)[..., 0]])
    return table
