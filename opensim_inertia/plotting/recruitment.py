"""Pictures of muscle recruitment: activations, the envelope of their largest, active bounds, joint reactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch

from .._core.arrays import Array
from .._core.checks import check_names
from .._core.choices import Side
from .._core.errors import OptionError
from .page import (
    DOUBTFUL,
    INK,
    NO_LOADS,
    PALETTE,
    STYLES,
    PicturePath,
    bare,
    caption_lines,
    check_drawn,
    draw_rows,
    edges,
    save_picture,
    shade,
    spoken,
)

if TYPE_CHECKING:
    from ..analyses.recruitment import RecruitmentResult

__all__ = ["plot_activations", "plot_bounds", "plot_criteria", "plot_reactions"]

#: A difference below this share of the values is rounding; it is drawn on an axis of this share.
NOTHING, LITTLE = 1e-9, 1e-2
#: Where the axes of activations end, by the highest of them.
ROOM = 1.05
#: Colours of activations at their lower bound, between, at the upper one, and of rows without a solution or loads.
BOUND_COLORS = ("#FFFFFF", "#9ECAE1", "#D55E00", "#000000", "#E0E0E0")
BOUND_NAMES = ("at the lower bound", "between", "at the upper bound", "no solution", NO_LOADS)


def plot_activations(
    result: RecruitmentResult, path: PicturePath = None, muscles: Sequence[str] | None = None, most: int = 12
) -> Figure:
    """Draw activations of all kinds that were asked for, their differences, and the envelope of all muscles below.

    Args:
        result: of muscle recruitment.
        muscles: names; default: the ``most`` that change most with the kind, or that are most active.
        most: how many there are by default.

    Raises:
        UnknownNameError: there is no such muscle.
    """
    check_drawn(most, "muscles", muscles)
    names = _foremost(result, most) if muscles is None else list(muscles)
    check_names("muscle", names, result.muscles)
    tables = {kind: result.sure(kind)[0][list(result.muscles)] for kind in result.answers}
    curves = {name: {kind: table[name].to_numpy() for kind, table in tables.items()} for name in names}

    def below(axis: Axes) -> None:
        shade(axis, result.times, ~result.answered)
        _draw_kinds(axis, result.times, {kind: table.max(axis=1).to_numpy() for kind, table in tables.items()})
        finish(axis)
        axis.set_title("muscle activity envelope: the largest activation of all muscles", fontsize=9)
        axis.set_ylabel("activation", fontsize=8)

    def finish(axis: Axes) -> None:
        shade(axis, result.times, result.infeasible)
        shade(axis, result.times, np.asarray(result.doubtful.any(axis=1)), DOUBTFUL, hatched=True)
        highest = max(float(np.nanmax(line.get_ydata(), initial=0.0)) for line in axis.lines)
        axis.set_ylim(0.0, ROOM * highest if highest > 0 else None)

    return save_picture(_draw_panels(result, curves, "activation", "", finish, below), path)


def _foremost(result: RecruitmentResult, most: int) -> list[str]:
    """Return the muscles that change most between kinds, or that are most active."""
    n = len(result.muscles)
    sure = ~result.doubtful[result.answered, :n]
    stacked = np.stack([answer.controls[result.answered, :n] * sure for answer in result.answers.values()])
    spread = (stacked.max(axis=0) - stacked.min(axis=0)).max(axis=0, initial=0.0)
    size = spread if spread.max(initial=0.0) > 1e-9 else stacked[0].mean(axis=0)
    return [result.muscles[i] for i in np.argsort(-size, kind="stable")[:most]]


def plot_criteria(
    results: Mapping[str, RecruitmentResult], muscle: str, path: PicturePath = None, caption: str = ""
) -> Figure:
    """Draw one muscle's activation under several criteria.

    Args:
        results: of one motion, by name of the criterion.
        muscle: its name.
        caption: a text below.

    Raises:
        UnknownNameError: there is no such muscle.
    """
    figure, lines = _page(4.0, caption)
    axis = figure.subplots()
    for k, (label, result) in enumerate(results.items()):
        check_names("muscle", [muscle], result.muscles)
        look: dict[str, Any] = {"color": PALETTE[k % len(PALETTE)], "lw": 1.4, "ls": "-" if k < len(PALETTE) else "--"}
        axis.plot(result.times, result.activations[muscle].to_numpy(), **look, label=label)
    axis.set(xlabel="time [s]", ylabel="activation")
    axis.set_ylim(bottom=0.0)
    axis.set_title(spoken(muscle), fontsize=10)
    bare(axis)
    _finish(figure, axis, lines)
    return save_picture(figure, path)


def plot_bounds(result: RecruitmentResult, path: PicturePath = None) -> Figure:
    """Draw which muscles are at which bound of activation, and when; other actuators where they are at one.

    Arguments and errors are those of :func:`plot_activations`.
    """
    at_bounds = result.bounds_active
    others = [name for name in result.actuators[len(result.muscles) :] if at_bounds[name].isin((0, 2)).any()]
    names = [*result.muscles, *others]
    places = at_bounds[names].to_numpy()
    figure, lines = _page(1.0 + 0.1 * max(len(names), 8), result.caption)
    axis = figure.subplots()
    colors, norm = ListedColormap(BOUND_COLORS), BoundaryNorm(np.arange(-0.5, len(BOUND_COLORS)), len(BOUND_COLORS))
    axis.pcolormesh(edges(result.times), np.arange(len(names) + 1), places.T, cmap=colors, norm=norm, rasterized=True)
    axis.set_ylim(len(names), 0)
    axis.set_xlabel("time [s]", fontsize=8)
    axis.tick_params(axis="x", labelsize=7.5)
    axis.set_yticks(np.arange(len(names)) + 0.5, list(map(spoken, names)), fontsize=6)
    axis.tick_params(axis="y", length=0)
    handles = [
        Patch(facecolor=color, edgecolor=INK, lw=0.5, label=label)
        for k, (color, label) in enumerate(zip(BOUND_COLORS, BOUND_NAMES, strict=True))
        if k < 3 or (places == k).any()
    ]
    _finish(figure, handles, lines)
    return save_picture(figure, path)


def plot_reactions(
    result: RecruitmentResult, path: PicturePath = None, joints: Sequence[str] | None = None, on: Side = "child"
) -> Figure:
    """Draw the size of joint reactions, of all kinds that were asked for, and what muscle inertia changes.

    Args:
        result: of muscle recruitment.
        joints: names; default: all that were asked for.
        on: "child" or "parent".

    Raises:
        UnknownNameError: the reaction of a joint was not asked for. OptionError: no reactions were asked for.
    """
    names = list(result.joints if joints is None else joints)
    if not names:
        raise OptionError("joints", (), "joints whose reactions are wanted, or 'all'")
    sizes = {
        joint: {kind: np.linalg.norm(result.sure_reactions(joint, kind, on), axis=1) for kind in result.answers}
        for joint in names
    }
    return save_picture(_draw_panels(result, sizes, f"force on {on}", " [N]"), path)


def _draw_panels(
    result: RecruitmentResult,
    panels: Mapping[str, Mapping[str, Array]],
    what: str,
    unit: str,
    finish: Callable[[Axes], None] = lambda _: None,
    below: Callable[[Axes], None] | None = None,
) -> Figure:
    """Draw values by kind in panels, below each the differences from lumped, if there are any."""
    times, names = result.times, list(panels)
    columns = 2 if len(panels) == 4 else min(3, len(panels))
    differs = all("lumped" in values and len(values) > 1 for values in panels.values())

    def draw(k: int, *own: Axes) -> None:
        values = panels[names[k]]
        changes = {kind: v - values["lumped"] for kind, v in values.items() if kind != "lumped"} if differs else {}
        for axis, curves, label in zip(own, (values, changes), (what, "less lumped"), strict=False):
            _draw_kinds(axis, times, curves)
            shade(axis, times, ~result.answered, NO_LOADS)
            axis.set_ylabel(label + unit if k % columns == 0 else "", fontsize=8)
        finish(own[0])
        own[0].set_title(spoken(names[k]))
        if differs:
            own[1].axhline(0, color="0.8", lw=0.6, zorder=0)
            size, change = (max(float(np.nanmax(np.abs(v))) for v in x.values()) for x in (values, changes))
            if change < NOTHING * size:
                own[1].set_ylim(-LITTLE * size, LITTLE * size)

    width, ratios = max(3.6 * columns, 6.0), (1.25, 0.8) if differs else (1.4,)
    return draw_rows(len(panels), columns, width, "time [s]", result.caption, draw, ratios, below)


def _page(height: float, caption: str) -> tuple[Figure, list[str]]:
    """Return a figure with room for a panel, a legend and a caption, and the lines of the latter."""
    lines = caption_lines(caption, 7.2)
    layout = ConstrainedLayoutEngine(w_pad=0.08, wspace=0.02)
    return Figure(figsize=(7.2, height + 0.7 + 0.17 * len(lines)), layout=layout), lines


def _finish(figure: Figure, labelled: Axes | Sequence[Patch], lines: Sequence[str]) -> None:
    """Put the legend of some axes, or one of patches, above all panels, and the caption below."""
    handles = labelled.get_legend_handles_labels()[0] if isinstance(labelled, Axes) else labelled
    columns, size = (3, 9) if isinstance(labelled, Axes) else (4, 8)
    figure.legend(handles=handles, loc="outside upper center", ncols=columns, frameon=False, fontsize=size)
    figure.supxlabel("\n".join(lines), fontsize=7.5, color="0.35")


def _draw_kinds(axis: Axes, times: Array, values: Mapping[str, Array]) -> None:
    for kind, style in STYLES.items():
        if kind in values:
            axis.plot(times, values[kind], **style)
    axis.tick_params(labelsize=7.5)
    bare(axis)
