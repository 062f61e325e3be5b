"""Pictures of muscle recruitment: activations, the envelope of their largest, active bounds, joint reactions."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from numpy.typing import NDArray

from .._core.arrays import Array
from .style import DOUBTFUL, INK, KIND_COLORS, LETTERS_PER_INCH, NO_LOADS, PALETTE, bare, edges, shade

__all__ = ["draw_activations", "draw_bounds", "draw_criteria", "draw_reactions"]

#: A difference below this share of the values is rounding; it is drawn on an axis of this share.
NOTHING, LITTLE = 1e-9, 1e-2
#: Where the axes of activations end, by the highest of them.
ROOM = 1.05
STYLES = {"lumped": ("lumped (OpenSim)", 2.4), "inertial": ("inertial muscles", 1.2)}
#: Colours of activations at their lower bound, between, at the upper one, and of rows without a solution or loads.
BOUND_COLORS = ("#FFFFFF", "#9ECAE1", "#D55E00", "#000000", "#E0E0E0")
BOUND_NAMES = ("at the lower bound", "between", "at the upper bound", "no solution", NO_LOADS)


def draw_activations(
    times: Array,
    muscles: Mapping[str, Mapping[str, Array]],
    envelope: Mapping[str, Array],
    unsolved: NDArray[np.bool_],
    unanswered: NDArray[np.bool_],
    doubtful: NDArray[np.bool_],
    caption: str,
) -> Figure:
    """Draw the activations of some muscles over time, what muscle inertia changes, and the envelope of all muscles.

    Args:
        times: (T,) [s].
        muscles: by muscle and kind ("lumped", "inertial"), activations (T,); at least one muscle.
        envelope: by kind, the largest activation of all muscles, (T,).
        unsolved: (T,), whether a row has no solution: such rows are shaded.
        unanswered: (T,), whether a row was not looked at: such rows hold NaN, and are shaded, too.
        doubtful: (T,), at which rows jumps of the recording change activations, which are NaN: likewise.
        caption: a text below all panels.
    """
    columns = _columns(muscles)
    height = _height(muscles, columns)
    figure, lines = _page(columns, height + 2.2, caption)
    top, bottom = figure.subfigures(2, 1, squeeze=False, height_ratios=(height, 2.2)).ravel()
    axes = _draw_panels(top, columns, times, muscles, "activation", "")
    below = bottom.subplots()
    _draw_kinds(below, times, envelope)
    for axis in (*axes, below):
        shade(axis, times, unsolved)
        shade(axis, times, unanswered, NO_LOADS)
        shade(axis, times, doubtful, DOUBTFUL, hatched=True)
        highest = max(float(np.nanmax(line.get_ydata(), initial=0.0)) for line in axis.lines)
        axis.set_ylim(0.0, ROOM * highest if highest > 0 else None)
    below.set_title("muscle activity envelope: the largest activation of all muscles", fontsize=9)
    below.set_xlabel("time [s]", fontsize=8)
    below.set_ylabel("activation", fontsize=8)
    _finish(figure, below, lines)
    return figure


def draw_criteria(times: Array, muscle: str, activations: Mapping[str, Array], caption: str) -> Figure:
    """Draw one muscle's activation (T,) under several criteria, by name."""
    figure, lines = _page(2, 4.0, caption)
    axis = figure.subplots()
    for k, (label, values) in enumerate(activations.items()):
        dash = "-" if k < len(PALETTE) else "--"
        axis.plot(times, values, color=PALETTE[k % len(PALETTE)], lw=1.4, ls=dash, label=label)
    axis.set(xlabel="time [s]", ylabel="activation")
    axis.set_ylim(bottom=0.0)
    axis.set_title(muscle.replace("_", " "), fontsize=10)
    bare(axis)
    _finish(figure, axis, lines)
    return figure


def draw_bounds(times: Array, names: Sequence[str], places: Array, caption: str) -> Figure:
    """Draw over time whether each activation is at its lower or upper bound.

    Args:
        times: (T,) [s].
        names: of the n actuators, from top to bottom.
        places: (T, n): 0 at the lower bound, 1 between, 2 at the upper bound, 3 without a solution, 4 without loads.
        caption: a text below.
    """
    figure, lines = _page(2, 1.0 + 0.1 * max(len(names), 8), caption)
    axis = figure.subplots()
    colors, norm = ListedColormap(BOUND_COLORS), BoundaryNorm(np.arange(-0.5, len(BOUND_COLORS)), len(BOUND_COLORS))
    ends = edges(times)
    axis.pcolormesh(ends, np.arange(len(names) + 1), places.T, cmap=colors, norm=norm, rasterized=True)
    axis.set_ylim(len(names), 0)
    axis.set_xlabel("time [s]", fontsize=8)
    axis.tick_params(axis="x", labelsize=7.5)
    axis.set_yticks(np.arange(len(names)) + 0.5, [name.replace("_", " ") for name in names], fontsize=6)
    axis.tick_params(axis="y", length=0)
    handles = [
        Patch(facecolor=color, edgecolor=INK, lw=0.5, label=label)
        for k, (color, label) in enumerate(zip(BOUND_COLORS, BOUND_NAMES, strict=True))
        if k < 3 or (places == k).any()
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=4, frameon=False, fontsize=8)
    figure.supxlabel("\n".join(lines), fontsize=7.5, color="0.35")
    return figure


def draw_reactions(
    times: Array, joints: Mapping[str, Mapping[str, Array]], unanswered: NDArray[np.bool_], what: str, caption: str
) -> Figure:
    """Draw the magnitudes of joint reactions over time, and below each the difference due to muscle inertia.

    Args:
        times: (T,) [s].
        joints: by joint and kind ("lumped", "inertial"), forces (T, 3) [N].
        unanswered: (T,), whether a row was not looked at: such rows hold NaN, and are shaded.
        what: on which body they act, for the axes.
        caption: a text below all panels.
    """
    columns = _columns(joints)
    figure, lines = _page(columns, _height(joints, columns), caption)
    sizes = {
        joint: {kind: np.linalg.norm(force, axis=1) for kind, force in forces.items()}
        for joint, forces in joints.items()
    }
    axes = _draw_panels(figure, columns, times, sizes, f"force {what}", " [N]")
    for axis in figure.axes:
        if axis.axison:
            shade(axis, times, unanswered, NO_LOADS if axis is axes[0] else "")
    _finish(figure, axes[0], lines)
    return figure


def _draw_panels(
    figure: Figure | SubFigure,
    columns: int,
    times: Array,
    panels: Mapping[str, Mapping[str, Array]],
    what: str,
    unit: str,
) -> list[Axes]:
    """Draw values by kind in panels, below each the differences from lumped, and return the upper panels' axes."""
    rows, differs = -(-len(panels) // columns), _differs(panels)
    ratios = [ratio for _ in range(rows) for ratio in ((1.6, 1.0) if differs else (1.0,))]
    per_panel = 2 if differs else 1
    axes = figure.subplots(per_panel * rows, columns, squeeze=False, sharex=True, gridspec_kw={"height_ratios": ratios})
    upper_axes = []
    for k in range(rows * columns):
        own_axes = [axes[per_panel * (k // columns) + j, k % columns] for j in range(per_panel)]
        if k >= len(panels):
            for axis in own_axes:
                axis.axis("off")
            continue
        name = list(panels)[k]
        values = panels[name]
        _draw_kinds(own_axes[0], times, values)
        own_axes[0].set_title(name.replace("_", " "), fontsize=9)
        if differs:
            changes = {kind: v - values["lumped"] for kind, v in values.items() if kind != "lumped"}
            _draw_kinds(own_axes[1], times, changes)
            own_axes[1].axhline(0, color="0.8", lw=0.6, zorder=0)
            size, change = (max(float(np.nanmax(np.abs(v))) for v in x.values()) for x in (values, changes))
            if change < NOTHING * size:
                own_axes[1].set_ylim(-LITTLE * size, LITTLE * size)
        if k % columns == 0:
            for axis, label in zip(own_axes, (what, "less lumped"), strict=False):
                axis.set_ylabel(label + unit, fontsize=8)
        if k + columns >= len(panels):
            own_axes[-1].set_xlabel("time [s]", fontsize=8)
            own_axes[-1].tick_params(labelbottom=True)
        upper_axes.append(own_axes[0])
    figure.align_ylabels()
    return upper_axes


def _columns(panels: Mapping[str, object]) -> int:
    return 2 if len(panels) == 4 else min(3, len(panels))


def _differs(panels: Mapping[str, Mapping[str, Array]]) -> bool:
    return all("lumped" in values and len(values) > 1 for values in panels.values())


def _height(panels: Mapping[str, Mapping[str, Array]], columns: int) -> float:
    return (2.9 if _differs(panels) else 1.9) * -(-len(panels) // columns)


def _finish(figure: Figure, labelled: Axes, lines: Sequence[str], columns: int = 3) -> None:
    handles, labels = labelled.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False, fontsize=9)
    figure.supxlabel("\n".join(lines), fontsize=7.5, color="0.35")


def _page(columns: int, height: float, caption: str) -> tuple[Figure, list[str]]:
    width = max(3.6 * columns, 6.0)
    lines = textwrap.wrap(caption, int(LETTERS_PER_INCH * width))
    layout = ConstrainedLayoutEngine(w_pad=0.08, wspace=0.02)
    return Figure(figsize=(width, height + 0.7 + 0.17 * len(lines)), layout=layout), lines


def _draw_kinds(axis: Axes, times: Array, values: Mapping[str, Array]) -> None:
    for kind, (label, width) in STYLES.items():  # in this order: the thin line lies upon the thick one
        if kind in values:
            axis.plot(times, values[kind], color=KIND_COLORS[kind], lw=width, label=label)
    axis.tick_params(labelsize=7.5)
    bare(axis)
