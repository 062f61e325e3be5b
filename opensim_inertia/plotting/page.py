"""Figures: style, colours, axes, panels, captions and files."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.checks import check_picture
from .._core.errors import OptionError
from .._core.processes import uninterrupted
from ..files.atomic import writing

#: File of a picture (.png, .svg or .pdf); None for the figure only.
PicturePath = str | os.PathLike[str] | None
#: Widths of one and of two columns of a journal's page [in].
SINGLE, DOUBLE = 90 / 25.4, 180 / 25.4
#: Colours reserved for lumped and sliding mass, and others (Okabe and Ito): blue, green, purple, orange, light blue,
#: wine (Tol) and grey.
KIND_COLORS = {"lumped": "0.25", "inertial": "#D55E00"}
PALETTE = ("#0072B2", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#882255", "#7F7F7F")
#: Styles of lumped and inertial curves; the thin line lies on the thick one.
STYLES: dict[str, dict[str, Any]] = {
    "lumped": {"color": KIND_COLORS["lumped"], "label": "lumped (OpenSim)", "lw": 2.2},
    "inertial": {"color": KIND_COLORS["inertial"], "label": "inertial muscles", "lw": 1.0},
}
#: Colours of lines and text, and behind rows without results.
INK, NO_ANSWER = "0.25", "0.88"
#: Legends of rows without results, and of doubtful ones.
NO_LOADS, DOUBTFUL = "no external loads, no answer", "doubtful"
#: Dots per inch of files.
DOTS = 300
#: Decorator of drawing functions, with this style.
styled = matplotlib.rc_context(
    {
        "font.size": 8,
        "axes.titlesize": 8,
        "axes.titley": 1.0,  # avoids measuring everything above the axes
        "figure.titlesize": 9,
        "xtick.labelsize": 7,
        "ytick.labelsize": 7,
        "legend.fontsize": 8,
        "legend.frameon": False,
        "legend.title_fontsize": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.6,
        "lines.linewidth": 1.2,
        "grid.color": "0.9",
        "grid.linewidth": 0.6,
        "pdf.fonttype": 42,
        "svg.fonttype": "none",
        "savefig.dpi": DOTS,
        "axes.facecolor": "none",
        "text.hinting": "no_hinting",
    }
)
#: Heights around panels [in]: title, labels below the lowest, gap between rows, and gap between two panels (for an
#: exponent).
TITLE, BELOW, BETWEEN_ROWS, GAP = 0.24, 0.4, 0.06, 0.17
#: Multiples of tick intervals.
STEPS = (1, 2, 2.5, 5, 10)
#: Heights of a panel of ratio 1, and of a panel of page width with title and labels [in].
HIGH, WIDE = 0.85, 1.7
#: Widths beside panels [in]: one digit, ticks, label, and half a number at the right.
LETTER, TICK, LABEL, RIGHT = 0.063, 0.11, 0.22, 0.14
#: Heights of lines in legend and caption, and widths of a letter and a handle in the legend [in].
LEGEND_LINE, CAPTION_LINE, LEGEND_LETTER, HANDLE = 0.21, 0.145, 0.06, 0.55


def check_drawn(most: int, option: str, names: Sequence[str] | None) -> None:
    """Raise OptionError if ``most`` is below 1 or ``names`` is empty."""
    if most < 1 or (names is not None and not names):
        raise OptionError("most" if names is None else option, names or most, "at least one")


def spoken(name: str) -> str:
    """Return a name with blanks in place of underscores."""
    return name.replace("_", " ")


def save_picture(figure: Figure, path: PicturePath) -> Figure:
    """Write a figure to ``path``, if given, and return the figure."""
    if path is not None:
        kind = check_picture(path).suffix.lower().lstrip(".")
        # faster than Pillow's default, with slightly larger files
        options: dict[str, Any] = {"pil_kwargs": {"compress_level": 1}} if kind == "png" else {}
        with writing(path) as temporary, uninterrupted():  # Matplotlib's C++ turns an interrupt into a ValueError
            figure.savefig(temporary, format=kind, **options)
    return figure


def dress(*axes: Axes) -> None:
    """Add a zero line to axes and remove horizontal margins."""
    for axis in axes:
        axis.add_line(Line2D([0, 1], [0, 0], color="0.8", lw=0.6, zorder=0, transform=axis.get_yaxis_transform()))
        axis.margins(x=0)


def shade(axis: Axes, times: Array, rows: NDArray[np.bool_], label: str = "", hatched: bool = False) -> None:
    """Shade or hatch the time spans at which ``rows`` (T,) is true, behind the data."""
    if not rows.any():
        return
    style: dict[str, Any] = (
        {"facecolor": "0.95", "edgecolor": "0.8", "hatch": "///"} if hatched else {"color": NO_ANSWER}
    )
    ends = edges(times)[np.flatnonzero(np.diff(rows.astype(int), prepend=0, append=0))].reshape(-1, 2)
    spans = [[(start, 0.0), (start, 1.0), (end, 1.0), (end, 0.0)] for start, end in ends]
    found = PolyCollection(spans, transform=axis.get_xaxis_transform(), label=label, lw=0, zorder=0, **style)
    axis.add_collection(found, autolim=False)


def edges(times: Array) -> Array:
    """Return the limits (T + 1,) of T intervals around the times (T,)."""
    if len(times) == 1:
        return np.array([times[0] - 0.5e-3, times[0] + 0.5e-3])
    middles = 0.5 * (times[1:] + times[:-1])
    return np.r_[times[0] - (middles[0] - times[0]), middles, times[-1] + (times[-1] - middles[-1])]


def caption_lines(text: str, width: float) -> list[str]:
    """Wrap a caption for a page width [in]; return the lines."""
    return textwrap.wrap(text, int(19 * width))  # slightly below capacity


def sheet(height: float, caption: str = "", width: float = DOUBLE) -> Figure:
    """Return an empty figure with automatic layout and a caption; ``height`` [in] is the space for all panels."""
    lines = caption_lines(caption, width)
    figure = Figure(figsize=(width, height + CAPTION_LINE * len(lines)), layout="constrained")
    figure.supxlabel("\n".join(lines), fontsize=7, color=INK, x=0.01, ha="left")
    return figure


def legend_above(figure: Figure, handles: Any, columns: int = 3, **options: Any) -> None:
    """Add a legend above all panels."""
    figure.legend(handles=handles, loc="outside upper center", ncols=columns, **options)


def panels(figure: Figure, count: int, columns: int, **options: Any) -> list[Axes]:
    """Return ``count`` panels, arranged in rows; empty places are hidden."""
    axes = figure.subplots(-(-count // columns), columns, squeeze=False, **options)
    for axis in axes.flat[count:]:
        axis.axis("off")
    return list(axes.flat[:count])


def draw_rows(
    count: int,
    label: str,
    caption: str,
    draw: Callable[..., None],
    ratios: Sequence[float] = (1.6, 1.0),
    below: Callable[[Axes], None] | None = None,
) -> Figure:
    """Return a figure with ``count`` stacks of panels; ``draw(index, *panels)`` fills one stack.

    ``below`` draws a panel of page width. Positions are computed, because Matplotlib's layout engines are slow.
    """
    columns = 2 if count == 4 else min(3, count)
    figure, rows, width = Figure(), -(-count // columns), SINGLE if columns == 1 else DOUBLE
    stacks = [[figure.add_axes((0, 0, 1, 1)) for _ in ratios] for _ in range(count)]
    for k, stack in enumerate(stacks):
        draw(k, *stack)
        for panel in stack:
            panel.yaxis.set_major_locator(MaxNLocator(3, steps=STEPS, min_n_ticks=3))
            panel.set_xlim(stack[-1].get_xlim())
            panel.xaxis.set_visible(panel is stack[-1] and k + columns >= count)
        stack[-1].xaxis.set_major_locator(MaxNLocator(5, steps=STEPS))
        stack[-1].set_xlabel(label)
    handles: dict[str, Any] = {}
    for panel in (panel for level in zip(*stacks, strict=True) for panel in level):
        handles |= dict(zip(*panel.get_legend_handles_labels()[::-1], strict=True))
    widths = sorted(LEGEND_LETTER * len(text) + HANDLE for text in handles)
    in_row = max(1, sum(np.cumsum(widths[::-1]) <= width))
    top, lines = 0.06 + LEGEND_LINE * -(-len(handles) // in_row), caption_lines(caption, width)
    bottom = 0.1 + CAPTION_LINE * len(lines)
    lowest = bottom + BELOW + (WIDE if below else 0.0)
    step = TITLE + HIGH * sum(ratios) + GAP * (len(ratios) - 1) + BETWEEN_ROWS
    height = top + rows * step - BETWEEN_ROWS + lowest
    figure.set_size_inches(width, height)
    numbers = LETTER * max(map(_letters, figure.axes)) + TICK
    of_first = [panel.get_ylabel() for panel in stacks[0]]
    alike = all([panel.get_ylabel() for panel in stack] == of_first for stack in stacks)
    wide = (width - LABEL * (1 if alike else columns)) / columns - numbers - RIGHT
    for k, stack in enumerate(stacks):
        row, column = divmod(k, columns)
        x = LABEL * (1 if alike else column + 1) + numbers + column * (wide + numbers + RIGHT)
        y = height - top - TITLE - row * step
        for panel, ratio in zip(stack, ratios, strict=True):
            y -= HIGH * ratio
            panel.set_position(tuple(np.divide((x, y, wide, HIGH * ratio), (width, height, width, height))))
            panel.yaxis.set_label_coords(-(numbers + 0.03) / wide, 0.5)
            panel.yaxis.label.set_visible(not (alike and column))  # one label per row
            y -= GAP
    if below:
        x = LABEL + numbers
        place = x, bottom + BELOW, width - x - RIGHT, WIDE - BELOW - TITLE
        lowest_axis = figure.add_axes(tuple(np.divide(place, (width, height, width, height))))
        below(lowest_axis)
        lowest_axis.set_xlabel(label)
    legend: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 1.0), "borderaxespad": 0.2}
    figure.legend(list(handles.values()), list(handles), ncols=in_row, **legend)
    figure.supxlabel("\n".join(lines), x=0.01, ha="left", y=0.05 / height, va="bottom", fontsize=7, color=INK)
    return figure


def _letters(axis: Axes) -> int:
    """Return the number of letters of the longest tick label on the vertical axis."""
    low, high = axis.get_ylim()
    places = [place for place in axis.yaxis.get_majorticklocs() if low <= place <= high]
    texts = axis.yaxis.get_major_formatter().format_ticks(places)
    return max((len(text.replace("$", "")) for text in texts), default=0)
