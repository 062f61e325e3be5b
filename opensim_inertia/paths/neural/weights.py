"""Weight files of neural paths: one text file (JSON) per surface, read and written without PyTorch.

A file's ``form`` says what its networks take and give (a: fraction of the path's length; all lengths in metres; every
layer but the last is followed by tanh). The form of networks for the spans over one surface has been called "segment"
since the first files were written:

========  ============================================  =========================================================
form      inputs                                        outputs
========  ============================================  =========================================================
planar    position: d/r, asinh(f1/r), asinh(f2/r), a    x = chord(a) + 4 a (1 - a) r N, along the chord and towards
                                                        the held side
          length: d/r, asinh(f1/r), asinh(f2/r)         planar length = planar chord + r E
segment   position: origin, insertion, a                x = chord(a) + 4 a (1 - a) N, in the surface's frame
          length: origin, insertion                     length = chord + E
direct    position: origin, insertion, a, r             x = N, in the surface's frame (Wang et al. 2022, eq. 19)
========  ============================================  =========================================================

d is the chord's signed distance from the axis (positive: on the held side), f1 and f2 the distances of its foot from
origin and insertion (negative: the foot lies beyond that end).
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core.errors import (
    DamagedWeightsError,
    MissingWeightsError,
    WeightsError,
    WeightsShapeError,
    WeightsVersionError,
    system_reason,
)
from ...files.atomic import writing
from ...files.documents import checksum

__all__ = [
    "FORMS",
    "PLANAR",
    "Layer",
    "NeuralWeights",
    "load_weights",
    "save_weights",
]

FORMAT = "opensim_inertia neural path"
VERSION = 1

#: The planar network that the package ships: one for every cylinder and sphere.
PLANAR = Path(__file__).parent / "data" / "planar.json"

#: The files' word for networks of the spans over one surface.
SPAN_FORM = "segment"

#: Per form, each network's numbers of inputs and outputs.
FORMS: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "planar": {"position": (4, 2), "length": (3, 1)},
    SPAN_FORM: {"position": (7, 3), "length": (6, 1)},
    "direct": {"position": (8, 3)},
}


@dataclass(frozen=True, eq=False)
class Layer:
    """An affine map, ``weight @ x + bias``.

    Attributes:
        weight: (outputs, inputs).
        bias: (outputs,).
    """

    weight: NDArray[np.float32]
    bias: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class NeuralWeights:
    """Trained networks of a surface, and where they come from.

    Attributes:
        kind: the surface: "planar" (cylinder and sphere alike), "cylinder", "ellipsoid", ...
        form: key of :data:`FORMS` that says what the networks take and give.
        networks: layers by name of network.
        recipe: everything the training depended on, by the file's names.
        errors: error table of the validation set, units in the names.
    """

    kind: str
    form: str
    networks: Mapping[str, tuple[Layer, ...]]
    recipe: Mapping[str, Any] = field(default_factory=dict)
    errors: Mapping[str, Any] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Number of weights, biases included."""
        return sum(layer.weight.size + layer.bias.size for layers in self.networks.values() for layer in layers)


def save_weights(path: str | os.PathLike[str], weights: NeuralWeights) -> None:
    """Write a weight file, completely or not at all.

    Raises:
        OutputError: the file cannot be written there.
        WeightsShapeError: networks or layers do not fit each other or the form.
    """
    _check(path, weights, None)
    payload = {
        "kind": weights.kind,
        "form": weights.form,
        "recipe": dict(weights.recipe),
        "errors": dict(weights.errors),
        "networks": {name: [_encode(layer) for layer in layers] for name, layers in weights.networks.items()},
    }
    document = {"format": FORMAT, "version": VERSION, **payload, "sha256": checksum(payload)}
    with writing(path) as temporary:
        temporary.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")


def load_weights(path: str | os.PathLike[str] = PLANAR, kind: str | None = None) -> NeuralWeights:
    """Read and check a weight file.

    Args:
        path: the file; default: the planar network that the package ships.
        kind: the surface that it must be for; None: any.

    Raises:
        WeightsError: the file cannot be used; its subclasses MissingWeightsError, DamagedWeightsError,
            WeightsVersionError and WeightsShapeError say why.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MissingWeightsError(path, "weight file does not exist") from None
    except OSError as error:
        raise WeightsError(path, system_reason(error)) from error
    except (ValueError, RecursionError) as error:
        raise DamagedWeightsError(path, f"not a weight file, or cut off: {error}") from None
    if not isinstance(document, dict) or document.pop("format", None) != FORMAT:
        raise DamagedWeightsError(path, "not a weight file of opensim_inertia")
    version = document.pop("version", None)
    if version != VERSION:
        raise WeightsVersionError(path, version, VERSION)
    if document.pop("sha256", None) != checksum(document):
        raise DamagedWeightsError(path, "the checksum is wrong: the file was changed after it was written")
    try:
        networks = {name: tuple(map(_decode, layers)) for name, layers in document["networks"].items()}
        weights = NeuralWeights(
            document["kind"], document["form"], networks, dict(document["recipe"]), dict(document["errors"])
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DamagedWeightsError(path, f"malformed: {type(error).__name__}: {error}") from None
    _check(path, weights, kind)
    return weights


def _check(path: object, weights: NeuralWeights, kind: str | None) -> None:
    """Raise an error if networks do not fit their form, each other or the surface ``kind`` (None: any surface)."""
    if kind is not None and weights.kind != kind:
        raise WeightsShapeError(path, f"networks for the surface '{weights.kind}', not '{kind}'")
    if weights.form not in FORMS:
        raise WeightsShapeError(path, f"unknown form {weights.form!r}; there are {', '.join(FORMS)}")
    expected = FORMS[weights.form]
    if set(weights.networks) != set(expected):
        raise WeightsShapeError(path, f"form '{weights.form}' has the networks {', '.join(expected)}")
    for name, layers in weights.networks.items():
        if not layers or any(
            layer.weight.ndim != 2 or layer.bias.shape != layer.weight.shape[:1] or 0 in layer.weight.shape
            for layer in layers
        ):
            raise WeightsShapeError(path, f"network '{name}': no layers, or weights and biases that do not fit")
        if any(a.weight.shape[0] != b.weight.shape[1] for a, b in pairwise(layers)):
            raise WeightsShapeError(path, f"network '{name}': a layer does not fit the one before it")
        ends = layers[0].weight.shape[1], layers[-1].weight.shape[0]
        if ends != expected[name]:
            raise WeightsShapeError(
                path, f"network '{name}': {ends[0]} inputs and {ends[1]} outputs, expected {expected[name]}"
            )
        if not all(np.isfinite(array).all() for layer in layers for array in (layer.weight, layer.bias)):
            raise DamagedWeightsError(path, f"network '{name}': weights that are not finite")


def _encode(layer: Layer) -> dict[str, Any]:
    """Return the shape, and weight then bias as base64 of little-endian float32, rows first."""
    data = b"".join(np.ascontiguousarray(array, dtype="<f4").tobytes() for array in (layer.weight, layer.bias))
    return {"shape": list(layer.weight.shape), "float32": base64.b64encode(data).decode("ascii")}


def _decode(entry: Mapping[str, Any]) -> Layer:
    outputs, inputs = map(int, entry["shape"])
    try:
        numbers = np.frombuffer(base64.b64decode(entry["float32"], validate=True), dtype="<f4").astype(np.float32)
    except binascii.Error as error:
        raise ValueError(f"base64: {error}") from None
    if min(outputs, inputs) < 1 or numbers.size != outputs * (inputs + 1):
        raise ValueError(f"{numbers.size} numbers for a layer of shape {outputs} x {inputs}")
    weight, bias = numbers[: outputs * inputs].reshape(outputs, inputs), numbers[outputs * inputs :]
    weight.flags.writeable = bias.flags.writeable = False
    return Layer(weight, bias)
