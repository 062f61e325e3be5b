"""Pictures of generalized forces over time, of what each muscle changes of them, and of mean curves of studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .._core.arrays import Array, drawn_rows
from .._core.provenance import model_sentence, version_sentence
from ..analyses.inverse_dynamics import InverseDynamicsResult
from ..analyses.inverse_dynamics.band import said_of_places
from ..analyses.inverse_dynamics.summary import check_coordinate, foremost, sure_rows
from .page import (
    DOUBTFUL,
    KIND_COLORS,
    NO_LOADS,
    PALETTE,
    STYLES,
    PicturePath,
    bare,
    check_drawn,
    draw_rows,
    dress,
    save_picture,
    shade,
    spoken,
)

__all__ = ["draw_means", "plot_forces", "plot_muscles"]

#: Lines of motions with more rows are thinner.
MANY_ROWS = 400


def plot_forces(
    result: InverseDynamicsResult, path: PicturePath = None, coordinates: Sequence[str] | None = None, most: int = 6
) -> Figure:
    """Draw lumped and inertial forces, and below them their difference with its band.

    Of motions with more than 4000 rows those are drawn that let every line keep its extremes.

    Args:
        result: of inverse dynamics.
        coordinates: names; default: hip flexion, knee and ankle of both legs, or shoulder, elbow and wrist of models
            without legs, and then those that change most.
        most: how many there are by default.

    Raises:
        UnknownNameError: there is no such coordinate. OptionError: it follows another one.
    """
    check_drawn(most, "coordinates", coordinates)
    names, answered = coordinates or result.most_changed(most), result.answered
    places = [check_coordinate(name, result.coordinate_names, result.couplings) for name in names]
    columns = min(3 if len(names) > 4 else 2, len(names))
    answers = result.folded_answers(doubtful=np.nan)

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        _draw_traces(upper, lower, result, places[k], answers)
        for axis in (upper, lower):
            shade(axis, result.times, result.doubtful[:, places[k]], DOUBTFUL if axis is upper else "", hatched=True)
            shade(axis, result.times, ~answered, NO_LOADS if axis is upper else "")
            if len(result.times) > 1:
                axis.set_xlim(float(result.times[0]), float(result.times[-1]))

    figure = draw_rows(len(names), columns, max(4.4 * columns, 6.0), "time [s]", _caption(result), draw)
    return save_picture(figure, path)


def _caption(result: InverseDynamicsResult) -> str:
    """Return the assumptions of a result."""
    provenance, uncertainty = result.provenance, result.uncertainty
    text = "Difference: inertial - lumped."
    if provenance:
        text += f" {model_sentence(provenance)}"
    if "wobble" in provenance:
        text += " Bellies swing across their paths (wobble)."
    if uncertainty is not None:
        text += f" Band: mass of each muscle with a coefficient of variation of {100 * uncertainty.mass_cv:g}\xa0%"
        text += said_of_places(result.bellies) + "."
    return f"{text} {version_sentence(provenance)}" if provenance else text


def _draw_traces(
    top: Axes, bottom: Axes, result: InverseDynamicsResult, place: int, answers: tuple[Array, Array]
) -> None:
    """Draw the forces of one coordinate into the upper axes, and their difference into the lower ones."""
    name, doubtful = result.coordinate_names[place], result.doubtful[:, place]
    thin = 0.6 if len(result.times) > MANY_ROWS else 1.0
    lumped, inertial = (forces[:, place] for forces in answers)
    color, unit = KIND_COLORS["inertial"], result.units[place]
    rows = drawn_rows([lumped, inertial, inertial - lumped])
    times, lumped, inertial = result.times[rows], lumped[rows], inertial[rows]
    for values, style in zip((lumped, inertial), STYLES.values(), strict=True):
        top.plot(times, values, **style | {"lw": thin * style["lw"]})
    bottom.plot(times, inertial - lumped, color=color, lw=1.3 * thin)
    if result.uncertainty is not None:
        lower, upper = (np.where(doubtful[rows], np.nan, end) for end in result.difference_band(name, rows))
        label = f"{100 * result.uncertainty.level:.0f} % band"
        bottom.fill_between(times, lower, upper, color=color, alpha=0.3, lw=0, label=label)
    top.set_title(spoken(name))
    top.set_ylabel(f"{'moment' if result.rotational[place] else 'force'} [{unit}]", fontsize=9)
    bottom.set_ylabel(f"difference [{unit}]", fontsize=9)
    dress(top, bottom)


def draw_means(
    places: Array,
    label: str,
    assumed: Sequence[str],
    panels: Mapping[tuple[str, str], Sequence[Mapping[str, Array]]],
    caption: str,
) -> Figure:
    """Draw mean curves: lumped and inertial, and below them their difference under each assumption.

    Args:
        places: what curves are over, (P,), and ``label``, what that is.
        assumed: the assumptions in the legend. The upper panels and the band are those of the first.
        panels: by name and unit, under each assumption the means (P,) "lumped", "inertial", "difference", "lower" and
            "upper", and "spread", the standard deviation of "inertial"; NaN where there is none.
        caption: a text below all panels.
    """
    keys = list(panels)

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        (name, unit), means = keys[k], panels[keys[k]]
        first, color = means[0], KIND_COLORS["inertial"]
        for kind, style in STYLES.items():
            upper.plot(places, first[kind], **style)
        ends = first["inertial"] - first["spread"], first["inertial"] + first["spread"]
        upper.fill_between(places, *ends, color=color, alpha=0.2, lw=0, label="± 1 SD between subjects")
        upper.set_title(spoken(name))
        upper.set_ylabel(f"mean [{unit}]", fontsize=9)
        for i, (text, mean) in enumerate(zip(assumed, means, strict=True)):
            width = 1.1 if i else 2.4  # others may lie on the first
            lower.plot(places, mean["difference"], color=PALETTE[i % len(PALETTE)], lw=width, label=text)
        ends = first["lower"] - first["lumped"], first["upper"] - first["lumped"]
        lower.fill_between(places, *ends, color=PALETTE[0], alpha=0.2, lw=0, label="band of the first")
        lower.set_ylabel(f"difference [{unit}]", fontsize=9)
        dress(upper, lower)

    columns = min(3, len(panels))
    return draw_rows(len(panels), columns, max(4.0 * columns, 6.5), label, caption, draw)


def plot_muscles(result: InverseDynamicsResult, coordinate: str, path: PicturePath = None, most: int = 8) -> Figure:
    """Draw which muscles change a coordinate's force, and when: stacked over time, and as a heat map.

    Args:
        result: of inverse dynamics.
        coordinate: name.
        most: muscles that are shown apart.

    Raises:
        UnknownNameError: there is no such coordinate. OptionError: it follows another one, or the parts of single
            muscles were not kept.
    """
    check_drawn(most, "most", None)
    place = check_coordinate(coordinate, result.coordinate_names, result.couplings)
    times, doubtful, unit = result.times, result.doubtful[:, place], result.units[place]
    table = sure_rows(result.muscle_table(coordinate), doubtful)
    muscles, others = foremost(table, most)
    heights = [3.4, 0.5 + 0.22 * len(muscles)]
    figure = Figure(figsize=(8.5, 1.0 + sum(heights)), layout="constrained")
    stack, heat = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    colours = [matplotlib.colormaps["tab20"](i) for i in range(len(muscles))] + [(0.8, 0.8, 0.8, 1.0)]
    above, below = np.zeros(len(times)), np.zeros(len(times))
    for (name, values), colour in zip([*muscles.items(), *([others] if others else [])], colours, strict=False):
        up, down = np.maximum(values, 0.0), np.minimum(values, 0.0)
        stack.fill_between(times, above, above + up, color=colour, lw=0, label=name)
        stack.fill_between(times, below, below + down, color=colour, lw=0)
        above, below = above + up, below + down
    stack.plot(times, table.sum(axis=1, skipna=False).to_numpy(), color="k", lw=1.4, label="all")
    stack.axhline(0, color="0.5", lw=0.6)
    for axis in (stack, heat):
        shade(axis, times, ~result.answered, NO_LOADS)
        shade(axis, times, doubtful, DOUBTFUL, hatched=axis is stack)
    stack.set_ylabel(f"inertial - lumped [{unit}]")
    stack.set_title(f"{spoken(coordinate)}: each muscle's inertial part", fontsize=11)
    stack.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8, frameon=False)
    if muscles:
        values = np.array(list(muscles.values()))
        limit, rows = float(np.nanmax(np.abs(values))), np.arange(len(muscles)) + 0.5
        ends = {"vmin": -limit, "vmax": limit}
        mesh = heat.pcolormesh(times, rows, values, shading="nearest", cmap="RdBu_r", rasterized=True, **ends)
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
    return save_picture(figure, path)
