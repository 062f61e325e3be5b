"""Pictures as files: PNG files have the pixels that Matplotlib's own have."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

from opensim_inertia.plotting.drawing import save_picture


@pytest.mark.parametrize("background", ["white", "none"])
@pytest.mark.parametrize("layout", [None, "constrained"])
def test_png_files_hold_what_matplotlib_draws(tmp_path: Path, background: str, layout: str | None) -> None:
    figure = Figure(figsize=(3.1, 2.3), facecolor=background, layout=layout)
    axis = figure.subplots()
    axis.plot([0.0, 1.0, 2.0], [0.0, 3.0, -1.0], color="C1")
    axis.set_ylabel("moment [N m]")
    save_picture(figure, tmp_path / "a.png")
    assert figure.get_dpi() == matplotlib.rcParams["figure.dpi"]
    expected = io.BytesIO()
    figure.savefig(expected, format="png", dpi=160)
    with Image.open(tmp_path / "a.png") as written, Image.open(expected) as known:
        assert written.mode == ("RGB" if background == "white" else "RGBA")
        assert written.info["dpi"] == known.info["dpi"] == pytest.approx((160, 160), rel=1e-4)
        np.testing.assert_array_equal(written.convert("RGBA"), known)
