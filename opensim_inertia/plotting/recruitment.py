"""Pictures of muscle recruitment: activations, the envelope of their largest, active bounds, joint reactions."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch

from .._core.arrays import Array
from .._core.checks import check_names
from .._core.choices import Side
from .._core.errors import OptionError
from .saving import save_picture
from .style import DOUBTFUL, INK, KIND_COLORS, LETTERS_PER_INCH, NO_LOADS, PALETTE, bare, edges, shade

if TYPE_CHECKING:
    from ..analyses.recruitment import RecruitmentResult

__all__ = ["plot_activations", "plot_bounds", "plot_criteria", "plot_reactions"]

#: A difference below this share of the values is rounding; it is drawn on an axis of this share.
NOTHING, LITTLE = 1e-9, 1e-2
#: Where the axes of activations end, by the highest of them.
ROOM = 1.05
STYLES = {"lumped": ("lumped (OpenSim)", 2.4), "inertial": ("inertial muscles", 1.2)}
#: Colours of activations at their lower bound, between, at the upper one, and of rows without a solution or loads.
BOUND_COLORS = ("#FFFFFF", "#9ECAE1", "#D55E00", "#000000", "#E0E0E0")
BOUND_NAMES = ("at the lower bound", "between", "at the upper bound", "no solution", NO_LOADS)


def plot_activations(
    result: RecruitmentResult,
    path: str | os.PathLike[str] | None = None,
    muscles: Sequence[str] | None = None,
    most: int = 12,
) -> Figure:
    """Draw activations of all kinds that were asked for, their differences, and the envelope of all muscles below.

    Args:
        result: of muscle recruitment.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        muscles: names; default: the ``most`` that change most with the kind, or that are most active.
        most: how many there are by default.

    Raises:
        UnknownNameError: there is no such muscle. OptionError: nothing is asked for, or ``path`` is no picture.
        OutputError: the file cannot be written.
    """
    if most < 1 or (muscles is not None and not muscles):
        raise OptionError("muscles" if muscles is not None else "most", muscles or most, "at least one")
    names = _foremost(result, most) if muscles is None else list(muscles)
    check_names("muscle", names, result.muscles)
    times, doubtful = result.times, np.asarray(result.doubtful.any(axis=1))
    tables = {kind: result.sure(kind)[0][list(result.muscles)] for kind in result.answers}
    curves = {name: {kind: table[name].to_numpy() for kind, table in tables.items()} for name in names}
    columns = _columns(curves)
    height = _height(curves, columns)
    figure, lines = _page(columns, height + 2.2, result.caption)
    top, bottom = figure.subfigures(2, 1, squeeze=False, height_ratios=(height, 2.2)).ravel()
    axes = _draw_panels(top, columns, times, curves, "activation", "")
    below = bottom.subplots()
    _draw_kinds(below, times, {kind: table.max(axis=1).to_numpy() for kind, table in tables.items()})
    for axis in (*axes, below):
        shade(axis, times, result.infeasible)
        shade(axis, times, ~result.answered, NO_LOADS)
        shade(axis, times, doubtful, DOUBTFUL, hatched=True)
        highest = max(float(np.nanmax(line.get_ydata(), initial=0.0)) for line in axis.lines)
        axis.set_ylim(0.0, ROOM * highest if highest > 0 else None)
    below.set_title("muscle activity envelope: the largest activation of all muscles", fontsize=9)
    below.set_xlabel("time [s]", fontsize=8)
    below.set_ylabel("activation", fontsize=8)
    _finish(figure, below, lines)
    return save_picture(figure, path)


def _foremost(result: RecruitmentResult, most: int) -> list[str]:
    """Return the muscles that change most between kinds, or that are most active."""
    n = len(result.muscles)
    sure = ~result.doubtful[result.answered, :n]
    stacked = np.stack([answer.controls[result.answered, :n] * sure for answer in result.answers.values()])
    spread = (stacked.max(axis=0) - stacked.min(axis=0)).max(axis=0, initial=0.0)
    size = spread if spread.max(initial=0.0) > 1e-9 else stacked[0].mean(axis=0)
    return [result.muscles[i] for i in np.argsort(-size, kind="stable")[:most]]


def plot_criteria(
    results: Mapping[str, RecruitmentResult], muscle: str, path: str | os.PathLike[str] | None = None, caption: str = ""
) -> Figure:
    """Draw one muscle's activation under several criteria.

    Args:
        results: of one motion, by name of the criterion.
        muscle: its name.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        caption: a text below.

    Raises:
        UnknownNameError: there is no such muscle. OptionError: ``path`` is no picture. OutputError: the file cannot be
            written.
    """
    figure, lines = _page(2, 4.0, caption)
    axis = figure.subplots()
    for k, (label, result) in enumerate(results.items()):
        check_names("muscle", [muscle], result.muscles)
        dash = "-" if k < len(PALETTE) else "--"
        color = PALETTE[k % len(PALETTE)]
        axis.plot(result.times, result.activations[muscle].to_numpy(), color=color, lw=1.4, ls=dash, label=label)
    axis.set(xlabel="time [s]", ylabel="activation")
    axis.set_ylim(bottom=0.0)
    axis.set_title(muscle.replace("_", " "), fontsize=10)
    bare(axis)
    _finish(figure, axis, lines)
    return save_picture(figure, path)


def plot_bounds(result: RecruitmentResult, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw which muscles are at which bound of activation, and when; other actuators where they are at one.

    Arguments and errors are those of :func:`plot_activations`.
    """
    at_bounds = result.bounds_active
    others = [name for name in result.actuators[len(result.muscles) :] if at_bounds[name].isin((0, 2)).any()]
    names = [*result.muscles, *others]
    places = at_bounds[names].to_numpy()
    figure, lines = _page(2, 1.0 + 0.1 * max(len(names), 8), result.caption)
    axis = figure.subplots()
    colors, norm = ListedColormap(BOUND_COLORS), BoundaryNorm(np.arange(-0.5, len(BOUND_COLORS)), len(BOUND_COLORS))
    axis.pcolormesh(edges(result.times), np.arange(len(names) + 1), places.T, cmap=colors, norm=norm, rasterized=True)
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
    return save_picture(figure, path)


def plot_reactions(
    result: RecruitmentResult,
    path: str | os.PathLike[str] | None = None,
    joints: Sequence[str] | None = None,
    on: Side = "child",
) -> Figure:
    """Draw the size of joint reactions, of all kinds that were asked for, and what muscle inertia changes.

    Args:
        result: of muscle recruitment.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        joints: names; default: all that were asked for.
        on: "child" or "parent".

    Raises:
        UnknownNameError: the reaction of a joint was not asked for. OptionError: no reactions were asked for, or
            ``path`` is no picture. OutputError: the file cannot be written.
    """
    names = list(result.joints if joints is None else joints)
    if not names:
        raise OptionError("joints", (), "joints whose reactions are wanted, or 'all'")
    sizes = {
        joint: {kind: np.linalg.norm(result.sure_reactions(joint, kind, on), axis=1) for kind in result.answers}
        for joint in names
    }
    columns = _columns(sizes)
    figure, lines = _page(columns, _height(sizes, columns), result.caption)
    axes = _draw_panels(figure, columns, result.times, sizes, f"force on {on}", " [N]")
    for axis in figure.axes:
        if axis.axison:
            shade(axis, result.times, ~result.answered, NO_LOADS if axis is axes[0] else "")
    _finish(figure, axes[0], lines)
    return save_picture(figure, path)


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
