"""The network that the package ships for paths over cylinders and spheres of any size: tanh between its layers.

d is the chord's distance from the centre (positive: on the held side), f1 and f2 those of its foot from origin and
insertion (negative: beyond), r the radius, a the fraction of the length. From d/r, asinh(f1/r), asinh(f2/r), a the
network ``position`` gives N: x = chord(a) + 4 a (1 - a) r N. From the first three ``length`` gives E: length =
planar chord + r E.
"""

from __future__ import annotations

import json
from base64 import b64decode
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from ..._core.arrays import Array

__all__ = ["LayerRecord", "NetworkRecord", "planar_network"]


class LayerRecord(TypedDict):
    """A layer of a network: ``weight`` (outputs, inputs) and ``bias`` (outputs,)."""

    weight: Array
    bias: Array


class NetworkRecord(TypedDict):
    """Networks that lead a path over a cylinder or sphere."""

    position: list[LayerRecord]
    length: list[LayerRecord]


@cache
def planar_network() -> NetworkRecord:
    """Read the shipped network; its file also says how it was trained, and its errors."""
    file = Path(__file__).with_name("planar_network.json")
    networks = json.loads(file.read_text(encoding="utf-8"))["networks"]
    return {"position": [*map(_layer, networks["position"])], "length": [*map(_layer, networks["length"])]}


def _layer(entry: dict[str, Any]) -> LayerRecord:
    """Decode the weights (outputs, inputs), rows first, and then the biases (outputs,)."""
    outputs, inputs = entry["shape"]
    numbers = np.frombuffer(b64decode(entry["float32"]), dtype="<f4").astype(np.float64)
    return {"weight": numbers[: outputs * inputs].reshape(outputs, inputs), "bias": numbers[outputs * inputs :]}
