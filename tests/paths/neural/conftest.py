"""Small networks, and short trainings of them."""

from collections.abc import Callable

import numpy as np
import pytest

from opensim_inertia.paths.neural import Layer, NeuralWeights
from opensim_inertia.paths.neural.weights import FORMS


def random_weights(form: str, seed: int = 0) -> NeuralWeights:
    rng = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int) -> Layer:
        weight = rng.normal(scale=1 / np.sqrt(inputs), size=(outputs, inputs)).astype(np.float32)
        return Layer(weight, rng.normal(scale=0.3, size=outputs).astype(np.float32))

    networks = {name: (layer(k, 8), layer(8, 5), layer(5, m)) for name, (k, m) in FORMS[form].items()}
    return NeuralWeights("planar", form, networks, {"seed": seed}, {"position_mm": {"mean": 0.1}})


@pytest.fixture
def make_weights() -> Callable[..., NeuralWeights]:
    """Random networks of a form."""
    return random_weights
