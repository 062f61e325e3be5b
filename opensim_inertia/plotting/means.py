"""Pictures of mean curves over trials: lumped and inertial, and below them their difference under each assumption."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .._core.arrays import Array
from .pairs import draw_pairs, frame_pairs
from .style import KIND_COLORS, LETTERS_PER_INCH, PALETTE, caption_and_legend, dress

__all__ = ["DrawnMean", "draw_means"]

#: Width of a letter of the legend, and of what is before and behind its texts [in].
LETTER, HANDLE = 0.062, 0.55
SPREAD = "± 1 SD between subjects"


@dataclass(frozen=True)
class DrawnMean:
    """Mean curves of one quantity under one assumption.

    Attributes:
        name: of the coordinate, muscle or joint.
        unit: of the curves.
        lumped, inertial, difference: means, (P,).
        spread: standard deviation of ``inertial`` between subjects, (P,); NaN where there is one.
        band: lower and upper end of the band around ``difference``, (P,) each; NaN where there is none.
    """

    name: str
    unit: str
    lumped: Array
    inertial: Array
    difference: Array
    spread: Array
    band: tuple[Array, Array]


def draw_means(
    places: Array, label: str, assumed: Sequence[str], panels: Sequence[Sequence[DrawnMean]], caption: str
) -> Figure:
    """Draw mean curves of several quantities.

    Args:
        places: what curves are over, (P,), and ``label``, what that is.
        assumed: the assumptions in the legend, at least one. The first one's curves are those of the upper panels, and
            its band is shown.
        panels: for each quantity, its curves under each assumption.
        caption: a text below all panels.
    """
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    width = max(4.0 * columns, 6.5)
    lines = textwrap.wrap(caption, int(LETTERS_PER_INCH * width))
    in_row = max(1, int(width / (LETTER * max(map(len, (*assumed, SPREAD))) + HANDLE)))
    legend_rows = -(-(len(assumed) + 4) // in_row)
    height = 3.6 * rows + 0.5 + 0.2 * legend_rows + 0.17 * len(lines)
    figure = Figure(figsize=(width, height))

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        _draw_upper(upper, places, panels[k][0])
        _draw_lower(lower, places, assumed, panels[k])

    legend = draw_pairs(figure, len(panels), columns, 1.5, label, draw, frame_pairs(legend_rows, lines))
    caption_and_legend(figure, lines, legend, ncols=in_row, fontsize=8)
    return figure


def _draw_upper(axis: Axes, places: Array, mean: DrawnMean) -> None:
    axis.plot(places, mean.lumped, color=KIND_COLORS["lumped"], lw=2.6, label="lumped (OpenSim)")
    axis.plot(places, mean.inertial, color=KIND_COLORS["inertial"], lw=1.2, label="inertial muscles")
    spread: dict[str, Any] = {
        "color": KIND_COLORS["inertial"],
        "alpha": 0.2,
        "lw": 0,
        "label": "± 1 SD between subjects",
    }
    axis.fill_between(places, mean.inertial - mean.spread, mean.inertial + mean.spread, **spread)
    axis.set_title(mean.name.replace("_", " "), fontsize=10)
    axis.set_ylabel(f"mean [{mean.unit}]", fontsize=9)
    dress(axis)


def _draw_lower(axis: Axes, places: Array, assumed: Sequence[str], means: Sequence[DrawnMean]) -> None:
    for i, (label, mean) in enumerate(zip(assumed, means, strict=True)):
        width = 1.1 if i else 2.4  # others may lie on the first
        axis.plot(places, mean.difference, color=PALETTE[i % len(PALETTE)], lw=width, label=label)
    axis.fill_between(places, *means[0].band, color=PALETTE[0], alpha=0.2, lw=0, label="band of the first")
    axis.set_ylabel(f"difference [{means[0].unit}]", fontsize=9)
    dress(axis)
    axis.tick_params(labelbottom=True)
