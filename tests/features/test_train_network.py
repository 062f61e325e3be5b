"""The network of Wang et al. 2022: OpenSim's paths from which it learns, and the accuracy that its training reaches."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

torch = pytest.importorskip("torch")

from train_network import train as scene  # noqa: E402

STEPS = 700
BEFORE = {"place [mm]": 40.0, "Jacobian": 0.15}
"""Mean errors before the training are larger than these (measured: 112 and 0.23)."""
REACHED = {"place [mm]": 12.0, "Jacobian": 0.11}
"""After it (measured: 10.4 and 0.090); docs/theory/wrapping.md has those of longer training."""


def test_opensims_paths_are_nearly_geodesics() -> None:
    """They differ along the axis alone; tangent points and the straight paths beyond touch are the same."""
    spans = scene.draw_spans(1_000, np.random.default_rng(3), 0.03)
    x, share = scene.opensims_points(spans)
    off = np.abs(x - scene.geodesic(torch.from_numpy(spans)).numpy())
    assert off[:, :2].mean() < 1e-5 and off[:, 2].max() < 3e-3
    assert off[share == 0].max() < 1e-12 and 0.2 < np.mean(share == 0) < 0.4
    np.testing.assert_array_equal(share > 0, spans[:, 8] < 1)


@pytest.mark.slow
def test_training_nears_the_papers_accuracy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["train.py", str(tmp_path), "--steps", str(STEPS)])
    monkeypatch.setattr(scene, "LOOKS", 2)
    scene.main()
    assert {file.name for file in tmp_path.iterdir()} == {"errors.csv", "errors.png", "network.pt"}
    after = pd.read_csv(tmp_path / "errors.csv", index_col="error")["mean"]
    rng = np.random.default_rng(1)
    untrained = scene.train(0, *scene.training_samples(200, rng))
    before = scene.error_table(untrained, scene.draw_spans(500, rng))["mean"]
    for row, mean in after.items():
        assert before[row] > BEFORE[row.partition(",")[0]] and mean < REACHED[row.partition(",")[0]], row
