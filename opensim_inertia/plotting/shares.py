"""A picture of the muscles' shares of each coordinate's inertia: a heat map with the numbers in it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure

from .._core.arrays import Array
from .style import INK

__all__ = ["draw_shares"]

CELL = (0.42, 0.19)
"""Width and height of a cell [in]."""
LETTER = 0.07
"""Width of a letter of a label [in]."""
LETTER_OF_TITLE = 0.078
"""Width of a letter of the title [in]."""
LEAST = 5e-5
"""Smaller shares have no number."""
FONT = 7.0


def draw_shares(
    muscles: Sequence[str],
    coordinates: Sequence[str],
    shares: Array,
    sums: Sequence[tuple[str, Array]],
    title: str,
    caption: str,
) -> Figure:
    """Draw shares as a heat map, muscles downwards and coordinates to the right, in percent.

    Args:
        muscles: M names.
        coordinates: C names.
        shares: (M, C), values in [0, 1].
        sums: further rows below the map, each with a label and values (C,) in [0, 1].
        title: a line above.
        caption: a text below.
    """
    rows = len(muscles) + len(sums)
    left = 0.25 + LETTER * max(len(name) for name in [*muscles, *(label for label, _ in sums)])
    slanted = 0.6 * LETTER * max(len(name) for name in coordinates)
    inner, right = CELL[0] * len(coordinates), max(0.9, slanted + 0.2)
    width = max(left + inner + right, LETTER_OF_TITLE * len(title) + 0.3)
    lines = textwrap.wrap(caption, int(19.0 * width))
    below, above = 0.25 + 0.13 * len(lines), 0.45 + slanted
    height = below + CELL[1] * rows + 0.12 + above
    figure = Figure(figsize=(width, height))
    top = 1 - above / height
    span = CELL[1] * len(muscles) / height
    axes = figure.add_axes((left / width, top - span, inner / width, span))
    norm = PowerNorm(0.5, vmin=0.0, vmax=float(shares.max(initial=LEAST)))
    cells = np.ma.masked_equal(shares, 0.0)
    map_ = matplotlib.colormaps["YlGnBu"]
    mesh = axes.pcolormesh(cells, cmap=map_, norm=norm, edgecolors="white", linewidth=0.6)
    for i, k in zip(*np.nonzero(shares >= LEAST), strict=True):
        ink = "white" if norm(shares[i, k]) > 0.6 else "black"
        axes.text(k + 0.5, i + 0.5, _percent(shares[i, k]), ha="center", va="center", fontsize=FONT - 1, color=ink)
    axes.set_yticks(np.arange(len(muscles)) + 0.5, list(muscles), fontsize=FONT)
    below_map = figure.add_axes(
        (left / width, below / height, inner / width, CELL[1] * len(sums) / height), sharex=axes
    )
    for row, (_, values) in enumerate(sums):
        for k, value in enumerate(values):
            text = _percent(value) if value >= LEAST else "-"
            below_map.text(k + 0.5, row + 0.5, text, ha="center", va="center", fontsize=FONT - 1, color="black")
    below_map.set_yticks(np.arange(len(sums)) + 0.5, [label for label, _ in sums], fontsize=FONT)
    below_map.set(ylim=(len(sums), 0))
    axes.set(xlim=(0, len(coordinates)), ylim=(len(muscles), 0))
    axes.xaxis.tick_top()
    axes.set_xticks(np.arange(len(coordinates)) + 0.5, list(coordinates), fontsize=FONT)
    for label in axes.get_xticklabels():
        label.set(rotation=45, ha="left", rotation_mode="anchor")
    for axis in (axes, below_map):
        axis.spines[:].set_visible(False)
        axis.tick_params(length=0, pad=2)
    below_map.tick_params(bottom=False, labelbottom=False)
    bar_axes = figure.add_axes(((left + inner + 0.25) / width, top - span, 0.11 / width, span))
    bar = figure.colorbar(mesh, cax=bar_axes)
    ticks = bar_axes.get_yticks()
    visible_ticks = [tick for tick in ticks if norm.vmin <= tick <= norm.vmax]
    bar.set_ticks(visible_ticks, labels=[f"{100 * tick:g}" for tick in visible_ticks], fontsize=FONT)
    bar.set_label("share [%]", fontsize=FONT)
    bar.outline.set_visible(False)
    figure.text(0.15 / width, 1 - 0.22 / height, title, fontsize=9.5)
    figure.text(0.15 / width, 0.1 / height, "\n".join(lines), fontsize=FONT - 0.5, color=INK, va="bottom")
    return figure


def _percent(share: float) -> str:
    """Return a share in percent, with about two digits."""
    percent = 100 * share
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}" if percent >= 0.995 else f"{percent:.2f}"
