"""The network of Wang et al. 2022: OpenSim's paths from which it learns, and the accuracy that its training reaches."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

torch = pytest.importorskip("torch")

from train_network import train as scene  # noqa: E402

STEPS = 3_000


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
    scene.main()
    assert {file.name for file in tmp_path.iterdir()} == {"errors.csv", "errors.png", "network.pt"}
    mean = pd.read_csv(tmp_path / "errors.csv", index_col="error")["mean"]
    print(mean)
