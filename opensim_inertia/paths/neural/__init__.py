"""Neural paths: small networks in place of the wrapping formula, trained with PyTorch, evaluated without it."""

from .weights import PLANAR, Layer, NeuralWeights, load_weights, save_weights

__all__ = [
    "PLANAR",
    "Layer",
    "NeuralWeights",
    "load_weights",
    "save_weights",
]
