"""Weight files: written and read back, and what is wrong with those that cannot be used."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from opensim_inertia import InertiaError
from opensim_inertia.errors import (
    DamagedWeightsError,
    MissingWeightsError,
    WeightsError,
    WeightsShapeError,
    WeightsVersionError,
)
from opensim_inertia.paths.neural import Layer, NeuralWeights, load_weights, save_weights
from opensim_inertia.paths.neural.weights import FORMS


@pytest.mark.parametrize("form", FORMS)
def test_round_trip(form: str, make_weights, tmp_path: Path) -> None:
    weights = make_weights(form)
    save_weights(tmp_path / "w.json", weights)
    read = load_weights(tmp_path / "w.json", kind="planar")
    assert (read.kind, read.form, read.recipe, read.errors, read.count) == (
        weights.kind,
        weights.form,
        weights.recipe,
        weights.errors,
        weights.count,
    )
    for name, layers in weights.networks.items():
        for one, other in zip(layers, read.networks[name], strict=True):
            np.testing.assert_array_equal(one.weight, other.weight)
            np.testing.assert_array_equal(one.bias, other.bias)
            assert other.weight.dtype == np.float32
            assert not other.weight.flags.writeable


def test_shipped_network_is_as_accurate_as_it_says() -> None:
    weights = load_weights()
    assert (weights.kind, weights.form) == ("planar", "planar")
    assert weights.errors["position_mm"]["mean"] < 0.05
    assert {"seed", "steps", "sampling", "smoothing_per_radius", "torch", "training_seconds"} <= set(weights.recipe)


@pytest.mark.parametrize(
    ("damage", "error", "message"),
    [
        (lambda text: text[: len(text) // 2], DamagedWeightsError, "cut off"),
        (lambda text: "", DamagedWeightsError, "cut off"),
        (lambda text: "[1, 2]", DamagedWeightsError, "not a weight file"),
        (lambda text: '{"format": "something else"}', DamagedWeightsError, "not a weight file"),
        (lambda text: text.replace('"version": 1', '"version": 2'), WeightsVersionError, "version 2"),
        (lambda text: text.replace('"seed": 0', '"seed": 1'), DamagedWeightsError, "checksum"),
        (lambda text: text.replace('"float32": "', '"float32": "AAAA'), DamagedWeightsError, "checksum"),
    ],
)
def test_damaged_files(damage: Callable[[str], str], error: type, message: str, make_weights, tmp_path: Path) -> None:
    file = tmp_path / "w.json"
    save_weights(file, make_weights("planar"))
    text = file.read_text()
    assert damage(text) != text
    file.write_text(damage(text))
    with pytest.raises(error, match=message) as caught:
        load_weights(file)
    assert isinstance(caught.value, WeightsError | InertiaError)
    assert str(file) in str(caught.value)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DamagedWeightsError):
        load_weights(tmp_path / "w.json")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(MissingWeightsError, match="does not exist"):
        load_weights(tmp_path / "nothing.json")
    with pytest.raises(WeightsError):
        load_weights(tmp_path)


def test_wrong_kind(make_weights, tmp_path: Path) -> None:
    save_weights(tmp_path / "w.json", make_weights("planar"))
    with pytest.raises(WeightsShapeError, match="'planar', not 'ellipsoid'"):
        load_weights(tmp_path / "w.json", kind="ellipsoid")


def _shortened(layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    return (Layer(layers[0].weight[:, :-1], layers[0].bias), *layers[1:])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda n: {"position": n["position"]}, "has the networks position, length"),
        (lambda n: n | {"position": n["position"][1:]}, "8 inputs"),
        (lambda n: n | {"position": n["position"][::2]}, "does not fit the one before"),
        (lambda n: n | {"position": _shortened(n["position"])}, "3 inputs"),
        (lambda n: n | {"length": ()}, "no layers"),
        (lambda n: n | {"length": (Layer(np.ones((1, 3), np.float32), np.ones(2, np.float32)),)}, "do not fit"),
    ],
)
def test_shapes_that_do_not_fit(change, message: str, make_weights, tmp_path: Path) -> None:
    weights: NeuralWeights = make_weights("planar")
    with pytest.raises(WeightsShapeError, match=message):
        save_weights(tmp_path / "w.json", replace(weights, networks=change(dict(weights.networks))))
    assert list(tmp_path.iterdir()) == []


def test_file_is_plain_json(make_weights, tmp_path: Path) -> None:
    save_weights(tmp_path / "w.json", make_weights("segment"))
    document = json.loads((tmp_path / "w.json").read_text())
    assert document["networks"]["position"][0]["shape"] == [8, 7]
    assert set(document) == {"format", "version", "kind", "form", "recipe", "errors", "networks", "sha256"}
