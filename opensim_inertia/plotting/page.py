"""Pages of figures: colours that stay apart for the colour-blind, the dress of axes, panels, captions, and files."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullLocator
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.checks import check_picture
from .._core.errors import OptionError
from ..files.atomic import writing

#: File of a picture (.png, .svg or .pdf); None for the figure only.
PicturePath = str | os.PathLike[str] | None
#: Blue, vermilion, green, purple, orange, light blue, grey and black (Okabe and Ito).
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
#: Colours, labels and widths of curves with muscle mass lumped and sliding; the thin line lies upon the thick one.
KIND_COLORS = {"lumped": "0.25", "inertial": PALETTE[1]}
KIND_LABELS = {"lumped": "lumped (OpenSim)", "inertial": "inertial muscles"}
STYLES: dict[str, dict[str, Any]] = {
    kind: {"color": KIND_COLORS[kind], "label": label, "lw": width}
    for (kind, label), width in zip(KIND_LABELS.items(), (2.6, 1.2), strict=True)
}
#: Colour of lines and texts beside the data, and behind rows without an answer.
INK, NO_ANSWER = "0.25", "0.88"
#: Legends of rows without an answer, and of doubtful ones.
NO_LOADS, DOUBTFUL = "no external loads, no answer", "doubtful"
#: Compressed less than Pillow would by default: in a third of the time, files are 3 % larger.
PNG: dict[str, Any] = {"pil_kwargs": {"compress_level": 3}}
#: Heights around pairs of panels [in]: a title, numbers and label below, both in rows without the label, and the gap
#: between the two panels, where an exponent may stand.
TITLE, BELOW, BETWEEN_ROWS, GAP = 0.28, 0.46, 0.26, 0.19
#: Height of a panel as wide as the page, with its title, numbers and label [in].
WIDE = 2.2
#: Widths beside panels [in]: ticks, one letter of the numbers, the label, half a number at the right, and the edge.
TICK, LETTER, LABEL, RIGHT, EDGE = 0.09, 0.072, 0.2, 0.16, 0.06
#: Heights of a line of the legend and of the caption, and widths of a letter and of a handle of the legend [in].
LEGEND_LINE, CAPTION_LINE, LEGEND_LETTER, HANDLE = 0.24, 0.155, 0.066, 0.55
#: Most intervals on the axes, and their multiples. Each number takes a hundredth of the time of a picture.
TICKS, STEPS = (8, 5), (1, 2, 2.5, 5, 10)


def check_drawn(most: int, option: str, names: Sequence[str] | None) -> None:
    """Raise OptionError if nothing is to be drawn."""
    if most < 1 or (names is not None and not names):
        raise OptionError("most" if names is None else option, names or most, "at least one")


def spoken(name: str) -> str:
    """Return a name without underscores."""
    return name.replace("_", " ")


def save_picture(figure: Figure, path: PicturePath, dpi: int = 160) -> Figure:
    """Return a figure, written to a file if one is named; raise OptionError for its suffix."""
    if path is not None:
        kind = check_picture(path).suffix.lower().lstrip(".")
        with writing(path) as temporary:
            figure.savefig(temporary, format=kind, dpi=dpi, **(PNG if kind == "png" else {}))
    return figure


def bare(*axes: Axes) -> None:
    """Hide the upper and the right spine of axes."""
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)


def dress(*axes: Axes) -> None:
    """Dress axes of curves over time: a line at zero, no margins at the sides, small labels, two spines."""
    for axis in axes:
        axis.axhline(0, color="0.8", lw=0.6, zorder=0)
        bare(axis)
        axis.margins(x=0)
        axis.tick_params(labelsize=8)


def shade(axis: Axes, times: Array, rows: NDArray[np.bool_], label: str = "", hatched: bool = False) -> None:
    """Shade, or hatch, the spans of some rows (T,) behind the data; ``label`` is that of the first span."""
    style = {"facecolor": "0.95", "edgecolor": "0.8", "hatch": "///"} if hatched else {"color": NO_ANSWER}
    ends = edges(times)
    changes = np.flatnonzero(np.diff(rows.astype(int), prepend=0, append=0))
    for k, (start, end) in enumerate(changes.reshape(-1, 2).tolist()):
        span = axis.axvspan(float(ends[start]), float(ends[end]), **style, lw=0, zorder=0)  # type: ignore[arg-type]
        span.set_label(label if label and k == 0 else "_")


def edges(times: Array) -> Array:
    """Return ends (T + 1,) of the intervals around times."""
    if len(times) == 1:
        return np.array([times[0] - 0.5e-3, times[0] + 0.5e-3])
    middles = 0.5 * (times[1:] + times[:-1])
    return np.r_[times[0] - (middles[0] - times[0]), middles, times[-1] + (times[-1] - middles[-1])]


def caption_lines(text: str, width: float) -> list[str]:
    """Return the lines of a caption for a page of a width [in]."""
    return textwrap.wrap(text, int(16.5 * width))  # a little less than fit


def note(figure: Figure, text: str) -> None:
    """Put a caption at the bottom of a figure with a layout engine."""
    text = "\n".join(caption_lines(text, figure.get_figwidth()))
    figure.supxlabel(text, fontsize=7, color=INK, x=0.01, ha="left")


def panels(figure: Figure, count: int, columns: int, **options: Any) -> list[Axes]:
    """Return panels in rows of some columns; places that are left over stay empty."""
    axes = figure.subplots(-(-count // columns), columns, squeeze=False, **options)
    for axis in axes.flat[count:]:
        axis.axis("off")
    return list(axes.flat[:count])


def draw_rows(
    count: int,
    columns: int,
    width: float,
    label: str,
    caption: str,
    draw: Callable[..., None],
    ratios: Sequence[float] = (1.6, 1.0),
    below: Callable[[Axes], None] | None = None,
) -> Figure:
    """Return a figure of rows of panels, or of pairs: ``draw`` is called with a number, its panel and that of changes.

    ``below`` is called with a panel as wide as the page. Places are computed: Matplotlib's layout engines draw all
    texts twice, which takes as long as the picture.
    """
    figure, rows, high = Figure(), -(-count // columns), len(ratios)
    axes = figure.subplots(high * rows, columns, squeeze=False)
    stacks = axes.reshape(rows, high, columns).transpose(0, 2, 1).reshape(-1, high)
    for axis in stacks[count:].flat:
        axis.axis("off")
    for k, stack in enumerate(stacks[:count]):
        draw(k, *stack)
        for panel in stack:
            panel.yaxis.set_major_locator(MaxNLocator(TICKS[1], steps=STEPS))
            panel.set_xlim(stack[-1].get_xlim())
            panel.xaxis.set_major_locator(NullLocator())
        stack[-1].xaxis.set_major_locator(MaxNLocator(TICKS[0], steps=STEPS))
        stack[0].set_title(stack[0].get_title(), fontsize=10, y=1.0)
        if k + columns >= count:
            stack[-1].set_xlabel(label, fontsize=9)
    handles: dict[str, Any] = {}
    for panel in stacks[0]:
        handles |= {text: handle for handle, text in zip(*panel.get_legend_handles_labels(), strict=True)}
    in_row = max(1, int(width / (LEGEND_LETTER * max(map(len, handles)) + HANDLE)))
    top, lines = EDGE + LEGEND_LINE * -(-len(handles) // in_row), caption_lines(caption, width)
    bottom = EDGE + CAPTION_LINE * len(lines) + 0.04
    lowest = bottom + (WIDE if below else 0.0)
    height = sum(ratios) * 1.38 * rows + 0.35 + top + lowest
    figure.set_size_inches(width, height)
    left = _place(axes, width, height, top, lowest, ratios)
    if below:
        place = (left / width, (bottom + BELOW) / height, 1 - (left + RIGHT) / width, (WIDE - BELOW - TITLE) / height)
        wide = figure.add_axes(place)
        below(wide)
        wide.set_xlabel(label, fontsize=9)
    legend: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 1.0), "borderaxespad": 0.2}
    figure.legend(list(handles.values()), list(handles), ncols=in_row, frameon=False, fontsize=9, **legend)
    figure.supxlabel("\n".join(lines), y=0.06 / height, va="bottom", fontsize=7.5, color="0.35")
    return figure


def _place(
    axes: NDArray[Any], width: float, height: float, top: float, bottom: float, ratios: Sequence[float]
) -> float:
    """Give panels their places, and labels theirs beside the numbers of each column; return the left end of panels."""
    count, columns = len(ratios), axes.shape[1]
    rows = len(axes) // count
    free = height - top - bottom - rows * (TITLE + (count - 1) * GAP) - (rows - 1) * BETWEEN_ROWS - BELOW
    high = np.array(ratios) * free / (rows * sum(ratios))
    numbers = [max(_letters(axis) for axis in column) * LETTER for column in axes.T]
    beside = [EDGE + LABEL + letters + TICK for letters in numbers]
    wide = (width - EDGE - sum(beside) - columns * RIGHT) / columns
    left = EDGE
    for j, column in enumerate(axes.T):
        left += beside[j]
        upper_end = height - top
        for i, axis in enumerate(column):
            upper_end -= (GAP if i % count else TITLE) + high[i % count]
            axis.set_position((left / width, upper_end / height, wide / width, high[i % count] / height))
            axis.yaxis.set_label_coords(-(numbers[j] + TICK + 0.3 * LABEL) / wide, 0.5)
            axis.xaxis.set_label_coords(0.5, -0.3 / high[i % count])
            upper_end -= BETWEEN_ROWS if i % count == count - 1 else 0.0
        left += wide + RIGHT
    return EDGE + beside[0]


def _letters(axis: Axes) -> int:
    """Return the length of the longest number at the vertical axis of a panel."""
    if not axis.axison:
        return 0
    low, high = axis.get_ylim()
    places = [place for place in axis.yaxis.get_majorticklocs() if low <= place <= high]
    texts = axis.yaxis.get_major_formatter().format_ticks(places)
    return max((len(text.replace("$", "")) for text in texts), default=0)
