"""Trainings of networks for spans over any cylinder; the planar one that the package ships is trained here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack

import numpy as np

from ..settings import PLANAR_SETTINGS, TrainingSettings
from ..weights import NeuralWeights
from .accuracy import Errors, brief, error_table
from .fit import TrainingTask
from .planar import SMOOTHING, PlanarSampling, ValidationSet, planar_samples
from .training import Networks, TrainOptions, train, training_record

__all__ = ["train_over_cylinders", "train_planar"]

#: Sizes of the sets of training samples, and of validation samples.
SAMPLES = 2**19
VALIDATION = 20_000
#: The validation set is the same whatever the training's seed; while training, its head is looked at.
VALIDATION_SEED = 20_221_206
GLANCE = 2_000


def train_planar(
    settings: TrainingSettings = PLANAR_SETTINGS,
    sampling: PlanarSampling | None = None,
    **options: Unpack[TrainOptions],
) -> NeuralWeights:
    """Train the planar network, which serves every cylinder and sphere, on the kernel's smoothed path.

    Args:
        settings: how to train.
        sampling: where samples lie; default: :class:`~opensim_inertia.paths.neural.training.planar.PlanarSampling` as
            it is.
        options: see :func:`~opensim_inertia.paths.neural.training.training.train`.
    """
    sampling = PlanarSampling() if sampling is None else sampling
    position, length = planar_samples(SAMPLES, np.random.default_rng([settings.seed, 1]), sampling)
    tasks = {
        "position": TrainingTask(position, settings.position, bump=True),
        "length": TrainingTask(length, settings.length),
    }
    data = {"samples": SAMPLES, "sampling": sampling.metadata(), "smoothing_per_radius": SMOOTHING}
    return train_over_cylinders("planar", "planar", tasks, settings, data, options)


def train_over_cylinders(
    kind: str,
    form: str,
    tasks: Mapping[str, TrainingTask],
    settings: TrainingSettings,
    data: Mapping[str, Any],
    options: TrainOptions,
) -> NeuralWeights:
    """Train networks, and judge them by random realistic spans over cylinders.

    Args:
        kind: the weights' word for the surface.
        form: what the networks take and give, a key of :data:`~opensim_inertia.paths.neural.weights.FORMS`.
        tasks: the networks to fit, by name.
        settings: how to train.
        data: what the weight file says of the samples; JSON.
        options: see :func:`~opensim_inertia.paths.neural.training.training.train`.
    """

    def errors(networks: Networks, count: int) -> Errors:
        validation = ValidationSet.draw(count, np.random.default_rng(VALIDATION_SEED))
        return error_table(NeuralWeights(kind, form, networks), validation)

    result = train(tasks, settings, lambda networks: brief(errors(networks, GLANCE)), **options)
    data = {**data, "validation": {"samples": VALIDATION, "seed": VALIDATION_SEED, **ValidationSet.metadata()}}
    record = training_record(settings, data, result, options)
    return NeuralWeights(kind, form, result.networks, record, errors(result.networks, VALIDATION))
