"""Pictures of generalized forces over time: both answers and their difference, and the part of each muscle."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from .._core.arrays import Array
from .pairs import draw_pairs, frame_pairs
from .style import DOUBTFUL, KIND_COLORS, LETTERS_PER_INCH, NO_LOADS, bare, caption_and_legend, dress, shade
from .thinning import drawn_rows

__all__ = ["ForceTraces", "draw_forces", "draw_muscle_forces"]

#: Lines of motions with more rows are thinner.
MANY_ROWS = 400


@dataclass(frozen=True)
class ForceTraces:
    """The generalized force of one coordinate over time [N m or N].

    Attributes:
        name: the coordinate.
        rotational: whether the force is a moment.
        lumped, inertial: both answers, (T,).
        band: lower and upper end of the band around inertial - lumped, (T,) each, or what computes them (R,) at rows
            (R,) that are drawn; None for no band.
        doubtful: (T,), True for doubtful forces: NaN values, drawn grey.
    """

    name: str
    rotational: bool
    lumped: Array
    inertial: Array
    band: tuple[Array, Array] | Callable[[NDArray[np.intp]], tuple[Array, Array]] | None = None
    doubtful: NDArray[np.bool_] | None = None


def draw_forces(
    times: Array,
    traces: Sequence[ForceTraces],
    caption: str,
    band_label: str = "",
    answered: NDArray[np.bool_] | None = None,
) -> Figure:
    """Draw lumped and inertial forces, and below them their difference with its band.

    Of long motions some rows are drawn, so that lines keep their extremes (:func:`~.thinning.drawn_rows`).

    Args:
        times: (T,) [s].
        traces: one per coordinate, at least one.
        caption: a text below all panels.
        band_label: the band in the legend.
        answered: (T,), which rows have an answer; the others, whose values are NaN, are grey. Default: all.
    """
    columns = min(3 if len(traces) > 4 else 2, len(traces))
    rows = -(-len(traces) // columns)
    width = max(4.4 * columns, 6.0)
    lines = textwrap.wrap(caption, int(LETTERS_PER_INCH * width))
    size = (width, 3.6 * rows + 0.7 + 0.17 * len(lines))
    figure = Figure(figsize=size)
    in_row = 5 if width > 8 else 2
    grey = any(trace.doubtful is not None and trace.doubtful.any() for trace in traces)
    legend_rows = -(-(3 + (answered is not None and not answered.all()) + grey) // in_row)

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        _draw_traces(upper, lower, times, traces[k], band_label)
        if (doubtful := traces[k].doubtful) is not None:
            for axis in (upper, lower):
                shade(axis, times, doubtful, DOUBTFUL if axis is upper else "", hatched=True)
        if answered is not None:
            for axis in (upper, lower):
                shade(axis, times, ~answered, NO_LOADS if axis is upper else "")
                axis.set_xlim(float(times[0]), float(times[-1])) if len(times) > 1 else None

    frame = frame_pairs(legend_rows, lines)
    legend = draw_pairs(figure, len(traces), columns, 1.6, "time [s]", draw, frame)
    caption_and_legend(figure, lines, legend, ncols=in_row)
    return figure


def _draw_traces(top: Axes, bottom: Axes, times: Array, traces: ForceTraces, band_label: str) -> None:
    """Draw the forces of one coordinate into the upper axes, and their difference into the lower ones."""
    thin = 0.6 if len(times) > MANY_ROWS else 1.0
    lumped, inertial, color = traces.lumped, traces.inertial, KIND_COLORS["inertial"]
    rows = drawn_rows([lumped, inertial, inertial - lumped])
    times, lumped, inertial = times[rows], lumped[rows], inertial[rows]
    top.plot(times, lumped, color=KIND_COLORS["lumped"], lw=2.6 * thin, label="lumped (OpenSim)")
    top.plot(times, inertial, color=color, lw=1.2 * thin, label="inertial muscles")
    bottom.plot(times, inertial - lumped, color=color, lw=1.3 * thin)
    if traces.band is not None:
        ends = traces.band(rows) if callable(traces.band) else [end[rows] for end in traces.band]
        if traces.doubtful is not None:
            ends = [np.where(traces.doubtful[rows], np.nan, end) for end in ends]
        bottom.fill_between(times, *ends, color=color, alpha=0.3, lw=0, label=band_label)
    unit = "N m" if traces.rotational else "N"
    top.set_title(traces.name.replace("_", " "), fontsize=10)
    top.set_ylabel(f"{'moment' if traces.rotational else 'force'} [{unit}]", fontsize=9)
    bottom.set_ylabel(f"difference [{unit}]", fontsize=9)
    dress(top, bottom)
    bottom.tick_params(labelbottom=True)


def draw_muscle_forces(
    times: Array,
    coordinate: str,
    rotational: bool,
    muscles: Mapping[str, Array],
    total: Array,
    others: tuple[str, Array] | None = None,
    answered: NDArray[np.bool_] | None = None,
    doubtful: NDArray[np.bool_] | None = None,
) -> Figure:
    """Draw each muscle's part of one coordinate's force: stacked over time, and as a heat map.

    Args:
        times: (T,) [s].
        coordinate: its name.
        rotational: whether its force is a moment.
        muscles: what muscles that are shown apart add (T,) [N m or N], by name.
        total: what all add, (T,).
        others: a label for all other muscles, and what they add together, (T,).
        answered: (T,), which rows have an answer; the others, whose values are NaN, are grey. Default: all.
        doubtful: (T,), True for doubtful rows: NaN values, drawn grey. Default: none.
    """
    unit = "N m" if rotational else "N"
    heights = [3.4, 0.5 + 0.22 * len(muscles)]
    figure = Figure(figsize=(8.5, 1.0 + sum(heights)), layout="constrained")
    stack, heat = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    colours = [matplotlib.colormaps["tab20"](i) for i in range(len(muscles))]
    parts = dict(muscles)
    if others is not None:
        parts[others[0]] = others[1]
        colours.append((0.8, 0.8, 0.8, 1.0))
    above, below = np.zeros(len(times)), np.zeros(len(times))
    for (name, values), colour in zip(parts.items(), colours, strict=True):
        up, down = np.maximum(values, 0.0), np.minimum(values, 0.0)
        stack.fill_between(times, above, above + up, color=colour, lw=0, label=name)
        stack.fill_between(times, below, below + down, color=colour, lw=0)
        above, below = above + up, below + down
    stack.plot(times, total, color="k", lw=1.4, label="all")
    stack.axhline(0, color="0.5", lw=0.6)
    if answered is not None:
        shade(stack, times, ~answered, NO_LOADS)
        shade(heat, times, ~answered)
    if doubtful is not None:
        shade(stack, times, doubtful, DOUBTFUL, hatched=True)
        shade(heat, times, doubtful)
    stack.set_ylabel(f"inertial - lumped [{unit}]")
    stack.set_title(f"{coordinate.replace('_', ' ')}: each muscle's inertial part", fontsize=11)
    stack.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8, frameon=False)
    if muscles:
        values = np.array(list(muscles.values()))
        limit = float(np.nanmax(np.abs(values)))
        mesh = heat.pcolormesh(
            times,
            np.arange(len(muscles)) + 0.5,
            values,
            shading="nearest",
            cmap="RdBu_r",
            vmin=-limit,
            vmax=limit,
            rasterized=True,
        )
        bar = figure.colorbar(mesh, cax=heat.inset_axes((1.02, 0.0, 0.022, 1.0)), label=f"[{unit}]")
        bar.ax.tick_params(labelsize=8)
    else:
        heat.text(0.5, 0.5, "no muscle changes it", ha="center", va="center", transform=heat.transAxes)
    heat.set_yticks(np.arange(len(muscles)) + 0.5, list(muscles), fontsize=8)
    heat.invert_yaxis()
    heat.set_xlabel("time [s]")
    bare(stack, heat)
    if len(times) > 1:
        heat.set_xlim(times[0], times[-1])
    return figure
