"""Samples that networks learn from: inputs, values, and derivatives along directions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["TrainingSamples"]

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, eq=False)
class TrainingSamples:
    """Samples of a function of k inputs with m outputs; kept as float32.

    Attributes:
        inputs: (n, k).
        directions: directions along which derivatives are known, (t, n, k); t may be 0. Their lengths weigh them.
        values: (n, m).
        derivatives: derivatives of the values along the directions, (t, n, m).

    Raises:
        ValueError: the shapes do not fit each other, or a number is not finite.
    """

    inputs: Floats
    directions: Floats
    values: Floats
    derivatives: Floats

    def __post_init__(self) -> None:
        n, k = self.inputs.shape
        t, m = len(self.directions), self.values.shape[1]
        expected = {"inputs": (n, k), "directions": (t, n, k), "values": (n, m), "derivatives": (t, n, m)}
        for name, shape in expected.items():
            array = getattr(self, name)
            if array.shape != shape:
                raise ValueError(f"{name}: shape {array.shape}, expected {shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"{name}: not finite")
            object.__setattr__(self, name, np.ascontiguousarray(array, dtype=np.float32))

    def digest(self) -> str:
        """Return a checksum of all numbers."""
        digest = hashlib.sha256()
        for array in (self.inputs, self.directions, self.values, self.derivatives):
            digest.update(array.tobytes())
        return digest.hexdigest()
