"""Pairs of panels on one page: curves above, and their differences below.

Places are computed, in inches, from what stands beside the panels. Matplotlib's layout engines find them by drawing all
texts twice, which takes as long as the picture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator
from numpy.typing import NDArray

__all__ = ["draw_pairs", "frame_pairs"]

#: Height of a title, of numbers and label below a lower panel, of both in rows without the label, and the gap between
#: the panels of a pair, where an exponent may stand [in].
TITLE, BELOW, BETWEEN_ROWS, GAP = 0.28, 0.46, 0.26, 0.19
#: Between panels and the numbers of the vertical axis, of one letter of them, and of the axis' label [in].
TICK, LETTER, LABEL = 0.09, 0.072, 0.2
#: At the right of panels, where half of a number may stand out, and around the page [in].
RIGHT, EDGE = 0.16, 0.06
#: Height of a line of the legend, and of the caption [in].
LEGEND_LINE, CAPTION_LINE = 0.24, 0.155
#: Intervals between numbers of the horizontal and of the vertical axis, at most, and what they are
#: multiples of. Each number takes a hundredth of the time of a picture.
TICKS, STEPS = (8, 5), (1, 2, 2.5, 5, 10)


def draw_pairs(
    figure: Figure,
    count: int,
    columns: int,
    height: float,
    label: str,
    draw: Callable[[int, Axes, Axes], None],
    frame: tuple[float, float],
) -> dict[str, Any]:
    """Draw pairs of panels in rows; return the legend's handles of the first pair, by label.

    Args:
        figure: where; it has no layout engine.
        count: how many pairs; at least one.
        columns: pairs in a row.
        height: of an upper panel over that of a lower one.
        label: of the horizontal axis, below the lowest pair of each column.
        draw: called with the number of each pair, its upper and its lower panel.
        frame: what is left free at the top and at the bottom of the page [in], see :func:`frame_pairs`.
    """
    rows = -(-count // columns)
    axes = figure.subplots(2 * rows, columns, squeeze=False)
    for k in range(rows * columns):
        upper, lower = axes[2 * (k // columns), k % columns], axes[2 * (k // columns) + 1, k % columns]
        if k >= count:
            upper.axis("off")
            lower.axis("off")
            continue
        draw(k, upper, lower)
        upper.set_xlim(lower.get_xlim())
        upper.xaxis.set_major_locator(NullLocator())  # the numbers are those of the lower panel
        lower.xaxis.set_major_locator(MaxNLocator(TICKS[0], steps=STEPS))
        for panel in (upper, lower):
            panel.yaxis.set_major_locator(MaxNLocator(TICKS[1], steps=STEPS))
        upper.set_title(upper.get_title(), fontsize=upper.title.get_fontsize(), y=1.0)
        if k + columns >= count:
            lower.set_xlabel(label, fontsize=9)
    _place(figure, axes, height, frame)
    handles: dict[str, Any] = {}
    for panel in (axes[0, 0], axes[1, 0]):
        handles |= {text: handle for handle, text in zip(*panel.get_legend_handles_labels(), strict=True)}
    return handles


def frame_pairs(legend_rows: int, lines: Sequence[str]) -> tuple[float, float]:
    """Return the heights of a legend at the top of a page and of a caption at its bottom [in]."""
    return EDGE + LEGEND_LINE * legend_rows, EDGE + CAPTION_LINE * len(lines) + 0.04


def _place(figure: Figure, axes: NDArray[Any], height: float, frame: tuple[float, float]) -> None:
    """Give panels (2 rows, columns) their places, and labels theirs beside the numbers of each column."""
    width, tall = figure.get_size_inches()
    rows, columns = len(axes) // 2, axes.shape[1]
    top, bottom = frame
    free = tall - top - bottom - rows * (TITLE + GAP) - (rows - 1) * BETWEEN_ROWS - BELOW
    high = np.array([height, 1.0]) * free / (rows * (1 + height))
    numbers = [max(_letters(axis) for axis in column) * LETTER for column in axes.T]
    beside = [EDGE + LABEL + letters + TICK for letters in numbers]
    wide = (width - EDGE - sum(beside) - columns * RIGHT) / columns
    left = EDGE
    for j, column in enumerate(axes.T):
        left += beside[j]
        upper_end = tall - top
        for i, axis in enumerate(column):
            upper_end -= TITLE if i % 2 == 0 else GAP
            upper_end -= high[i % 2]
            axis.set_position((left / width, upper_end / tall, wide / width, high[i % 2] / tall))
            axis.yaxis.set_label_coords(-(numbers[j] + TICK + 0.3 * LABEL) / wide, 0.5)
            axis.xaxis.set_label_coords(0.5, -0.3 / high[i % 2])
            upper_end -= BETWEEN_ROWS if i % 2 else 0.0
        left += wide + RIGHT


def _letters(axis: Axes) -> int:
    """Return the length of the longest number at the vertical axis of a panel."""
    if not axis.axison:
        return 0
    low, high = axis.get_ylim()
    places = [place for place in axis.yaxis.get_majorticklocs() if low <= place <= high]
    return max(
        (len(text.replace("$", "")) for text in axis.yaxis.get_major_formatter().format_ticks(places)), default=0
    )
