"""The style of all pictures: colours that stay apart for the colour-blind, and the dress of axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "INK",
    "KIND_COLORS",
    "LETTERS_PER_INCH",
    "DOUBTFUL",
    "NO_LOADS",
    "PALETTE",
    "bare",
    "caption_and_legend",
    "dress",
    "edges",
    "shade",
]

#: Blue, vermilion, green, purple, orange, light blue, grey and black (Okabe and Ito).
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F", "#000000")
#: Colours of the answers with muscle mass lumped and sliding.
KIND_COLORS = {"lumped": "0.25", "inertial": PALETTE[1]}
#: Colour of lines and texts beside the data.
INK = "0.25"
#: Colour behind rows that have no answer.
NO_ANSWER = "0.88"
#: Why there is none, in legends.
NO_LOADS = "no external loads, no answer"
DOUBTFUL = "doubtful"
#: Letters of a caption per inch of its width, a little less than fit.
LETTERS_PER_INCH = 16.5


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
    """Shade spans of time behind the data.

    Args:
        axis: where.
        times: (T,) [s].
        rows: (T,), which of them are shaded.
        label: of the first span, in the legend; empty for none.
        hatched: hatch the spans, as those of doubtful rows.
    """
    style: dict[str, Any] = (
        {"facecolor": "0.95", "edgecolor": "0.8", "hatch": "///"} if hatched else {"color": NO_ANSWER}
    )
    ends = edges(times)
    changes = np.flatnonzero(np.diff(rows.astype(int), prepend=0, append=0))
    for k, (start, end) in enumerate(changes.reshape(-1, 2).tolist()):
        span = axis.axvspan(float(ends[start]), float(ends[end]), **style, lw=0, zorder=0)
        span.set_label(label if label and k == 0 else "_")


def caption_and_legend(figure: Figure, lines: Sequence[str], legend: Mapping[str, Any], **style: Any) -> None:
    """Put a caption's lines at the bottom of a figure without a layout engine, and a legend of handles at its top."""
    height = figure.get_size_inches()[1]
    place: dict[str, Any] = {
        "loc": "upper center",
        "bbox_to_anchor": (0.5, 1.0),
        "borderaxespad": 0.2,
        "frameon": False,
    }
    figure.legend(list(legend.values()), list(legend), **place | style)
    figure.supxlabel("\n".join(lines), y=0.06 / height, va="bottom", fontsize=7.5, color="0.35")


def edges(times: Array) -> Array:
    """Return ends (T + 1,) of the intervals around times."""
    if len(times) == 1:
        return np.array([times[0] - 0.5e-3, times[0] + 0.5e-3])
    middles = 0.5 * (times[1:] + times[:-1])
    return np.r_[times[0] - (middles[0] - times[0]), middles, times[-1] + (times[-1] - middles[-1])]
