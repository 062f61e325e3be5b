"""Stability of delayed feedback, drawn over its gain and delay."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from .._core.arrays import Array
from .style import INK, PALETTE, bare

__all__ = ["draw_stability_map"]


def draw_stability_map(
    maps: Mapping[str, Array], gains: Array, delays: Array, mark: tuple[float, float] | None = None
) -> Figure:
    """Draw growth rates over gain and delay, one panel for each map; the line is where growth is zero.

    Args:
        maps: growth rates [1/s], (D, G), by title.
        gains: G factors of the feedback.
        delays: D delays [s].
        mark: gain and delay [s] to mark.
    """
    figure = Figure(figsize=(2.4 + 2.5 * len(maps), 3.4), layout="constrained")
    axes = figure.subplots(1, len(maps), sharey=True, squeeze=False)[0]
    largest = min(max(float(np.nanpercentile(np.abs(growth), 90)) for growth in maps.values()), 10.0)
    for axis, (title, growth) in zip(axes, maps.items(), strict=True):
        mesh = axis.pcolormesh(
            gains, 1e3 * np.asarray(delays), growth, cmap="PuOr_r", vmin=-largest, vmax=largest, shading="gouraud"
        )
        if growth.min() < 0 < growth.max():
            axis.contour(gains, 1e3 * np.asarray(delays), growth, [0.0], colors=INK, linewidths=1.2)
        if mark is not None:
            axis.plot(mark[0], 1e3 * mark[1], "o", color=PALETTE[2], markeredgecolor="white", markersize=7)
        axis.set_title(title, fontsize=9)
        axis.set_xlabel("gain")
    axes[0].set_ylabel("delay [ms]")
    bare(*axes)
    figure.colorbar(mesh, ax=list(axes), extend="both", label="growth of the fastest change [1/s]")
    return figure
