"""Pairs of panels on one page: curves above, and their differences below."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["draw_pairs"]


def draw_pairs(
    figure: Figure, count: int, columns: int, height: float, label: str, draw: Callable[[int, Axes, Axes], None]
) -> dict[str, Any]:
    """Draw pairs of panels in rows; return the legend's handles of the first pair, by label.

    Args:
        figure: where.
        count: how many pairs; at least one.
        columns: pairs in a row.
        height: of an upper panel over that of a lower one.
        label: of the horizontal axis, below the lowest pair of each column.
        draw: called with the number of each pair, its upper and its lower panel.
    """
    rows = -(-count // columns)
    ratios = [ratio for _ in range(rows) for ratio in (height, 1.0)]
    axes = figure.subplots(2 * rows, columns, squeeze=False, gridspec_kw={"height_ratios": ratios}, sharex=True)
    for k in range(rows * columns):
        upper, lower = axes[2 * (k // columns), k % columns], axes[2 * (k // columns) + 1, k % columns]
        if k >= count:
            upper.axis("off")
            lower.axis("off")
            continue
        draw(k, upper, lower)
        if k + columns >= count:
            lower.set_xlabel(label, fontsize=9)
    figure.align_ylabels()
    handles: dict[str, Any] = {}
    for panel in (axes[0, 0], axes[1, 0]):
        handles |= {text: handle for handle, text in zip(*panel.get_legend_handles_labels(), strict=True)}
    return handles
