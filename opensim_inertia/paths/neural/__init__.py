"""Neural paths: small networks in place of the wrapping formula, trained with PyTorch, evaluated without it."""

from .weights import (
    PLANAR,
    DamagedWeightsError,
    Layer,
    MissingWeightsError,
    NeuralWeights,
    WeightsError,
    WeightsShapeError,
    WeightsVersionError,
    load_weights,
    save_weights,
)

__all__ = [
    "PLANAR",
    "DamagedWeightsError",
    "Layer",
    "MissingWeightsError",
    "NeuralWeights",
    "WeightsError",
    "WeightsShapeError",
    "WeightsVersionError",
    "load_weights",
    "save_weights",
]
