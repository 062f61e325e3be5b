"""Trainings of a network for the spans of one muscle over one surface of any shape, within its range of motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from ...._core.arrays import Array
from ..evaluate import neural_spans
from ..settings import SPAN_SETTINGS, TrainingSettings
from ..weights import SPAN_FORM, NeuralWeights
from .accuracy import Errors, brief, statistics
from .fit import TrainingTask
from .samples import TrainingSamples
from .training import Networks, TrainOptions, train, training_record

__all__ = ["SpanSampler", "SpanSamples", "train_span"]


@dataclass(frozen=True, eq=False)
class SpanSamples:
    """Samples of the spans of one muscle over one surface, in the surface's frame [m].

    Derivatives are optional, along any directions: the ends' six coordinates, or those that one joint moves.

    Attributes:
        origin, insertion: ends of the spans, (n, 3).
        fraction: fractions of the path's length, (n,).
        x: points of the path at these fractions, (n, 3).
        length: lengths of the path, (n,).
        directions: changes of (origin, insertion), (n, t, 6); keep them as large as typical changes within the range
            of motion: derivatives weigh by it.
        dx: changes of x along the directions, the fraction held, (n, t, 3).
        dlength: changes of the length along them, (n, t).
    """

    origin: Array
    insertion: Array
    fraction: Array
    x: Array
    length: Array
    directions: Array | None = None
    dx: Array | None = None
    dlength: Array | None = None


#: A function that draws so many samples: (count, rng) -> samples.
SpanSampler = Callable[[int, np.random.Generator], SpanSamples]


def train_span(
    sampler: SpanSampler,
    kind: str,
    settings: TrainingSettings = SPAN_SETTINGS,
    count: int = 40_000,
    source: Mapping[str, Any] | None = None,
    **options: Unpack[TrainOptions],
) -> NeuralWeights:
    """Train networks for spans over one surface of any shape, within the range that ``sampler`` draws from.

    Args:
        sampler: called twice, for ``count`` training samples and for a tenth of it to validate.
        kind: name of the surface's shape, kept in the weights.
        settings: how to train.
        count: number of training samples.
        source: what the file shall say about the samples (model, muscle, ranges of coordinates); JSON.
        options: see :func:`~opensim_inertia.paths.neural.training.training.train`.
    """
    position, length = _tasks(sampler(count, np.random.default_rng([settings.seed, 3])))
    validation = sampler(max(1, count // 10), np.random.default_rng([settings.seed, 4]))
    tasks = {
        "position": TrainingTask(position, settings.position, bump=True),
        "length": TrainingTask(length, settings.length),
    }

    def errors(networks: Networks) -> Errors:
        return _errors(NeuralWeights(kind, SPAN_FORM, networks), validation)

    result = train(tasks, settings, lambda networks: brief(errors(networks)), **options)
    data = {"samples": count, "sampling": dict(source or {})}
    record = training_record(settings, data, result, options)
    return NeuralWeights(kind, SPAN_FORM, result.networks, record, errors(result.networks))


def _tasks(s: SpanSamples) -> tuple[TrainingSamples, TrainingSamples]:
    """Return the samples of the position network, 4 a (1 - a) N = x - chord(a), and of the length network.

    The length network learns E = length - chord.
    """
    a, n = s.fraction[:, None], len(s.fraction)
    ends = np.concatenate([s.origin, s.insertion], axis=1)
    chord = s.insertion - s.origin
    straight = np.linalg.norm(chord, axis=1)
    inputs = np.concatenate([ends, a], axis=1)
    if s.directions is None or s.dx is None or s.dlength is None:
        along, dx, dlength = np.empty((0, n, 6)), np.empty((0, n, 3)), np.empty((0, n, 1))
    else:
        along = s.directions.transpose(1, 0, 2)
        dchord = along[..., 3:] - along[..., :3]
        dx = s.dx.transpose(1, 0, 2) - along[..., :3] - a * dchord
        dlength = s.dlength.T[..., None] - ((dchord * chord).sum(axis=2) / straight)[..., None]
    directions = np.concatenate([along, np.zeros((*along.shape[:2], 1))], axis=2)
    return (
        TrainingSamples(inputs, directions, s.x - s.origin - a * chord, dx),
        TrainingSamples(ends, along, (s.length - straight)[:, None], dlength),
    )


def _errors(weights: NeuralWeights, s: SpanSamples) -> Errors:
    """Return the error table of networks over samples."""
    path = neural_spans(weights, weights.kind, 1.0, 1.0, s.origin, s.insertion, s.fraction)
    table = {
        "position_mm": statistics(1e3 * np.linalg.norm(path.x - s.x, axis=1)),
        "length_mm": statistics(1e3 * (path.length - s.length)),
    }
    if s.directions is not None and s.dx is not None:
        jacobian = np.concatenate([path.dx_dorigin, path.dx_dinsertion], axis=2)
        errors = np.einsum("nij,ntj->nti", jacobian, s.directions) - s.dx
        size = np.linalg.norm(s.directions, axis=2, keepdims=True)
        table["jacobian"] = statistics((errors / np.where(size > 0, size, 1))[(size > 0)[..., 0]])
    return table
