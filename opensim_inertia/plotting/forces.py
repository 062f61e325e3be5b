"""Pictures over time: generalized forces, parts of muscles, mean curves of studies, and muscle recruitment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .._core.arrays import Array, drawn_rows
from .._core.checks import check_names
from .._core.choices import Side
from .._core.errors import OptionError
from .._core.provenance import model_sentence, version_sentence
from ..analyses.inverse_dynamics import InverseDynamicsResult
from ..analyses.inverse_dynamics.band import said_of_places
from ..analyses.inverse_dynamics.inverse_dynamics_result import CURVES
from ..analyses.inverse_dynamics.summary import check_coordinate, foremost, sure_rows
from .page import (
    DOUBTFUL,
    INK,
    KIND_COLORS,
    NO_LOADS,
    PALETTE,
    STYLES,
    PicturePath,
    check_drawn,
    draw_rows,
    dress,
    edges,
    legend_above,
    save_picture,
    shade,
    sheet,
    spoken,
    styled,
)

if TYPE_CHECKING:
    from ..analyses.recruitment import RecruitmentResult


#: Lines of motions with more rows are thinner.
MANY_ROWS = 400
#: A difference below this share of the values is rounding; it is drawn on an axis of this share.
NOTHING, LITTLE = 1e-9, 1e-2
#: Where the axes of activations end, by the highest of them.
ROOM = 1.05
#: Bounds of activation, rows without a solution and rows without loads, with their colours.
BOUNDS = {
    "at the lower bound": "#FFFFFF",
    "between": "#9ECAE1",
    "at the upper bound": PALETTE[0],
    "no solution": "#000000",
    NO_LOADS: "#E0E0E0",
}


@styled
def plot_forces(
    result: InverseDynamicsResult,
    path: PicturePath = None,
    coordinates: Sequence[str] | None = None,
    most: int = 6,
    cycles: bool = False,
) -> Figure:
    """Draw lumped and inertial forces, and below them their difference with its band.

    Of motions with more than 4000 rows those are drawn that let every line keep its extremes.

    Args:
        result: of inverse dynamics.
        coordinates: names; default: hip flexion, knee and ankle of both legs, or shoulder, elbow and wrist of models
            without legs, and then those that change most.
        most: how many there are by default.
        cycles: draw means over gait cycles, with one standard deviation on either side.

    Raises:
        UnknownNameError: there is no such coordinate. OptionError: it follows another one. MotionError: there is no
            gait cycle.
    """
    check_drawn(most, "coordinates", coordinates)
    names, answered = coordinates or result.most_changed(most), result.answered
    places = [check_coordinate(name, result.coordinate_names, result.couplings) for name in names]
    if cycles:
        return _draw_cycles(result, places, path)
    answers = result.folded_answers(doubtful=np.nan)

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        _draw_traces(upper, lower, result, places[k], answers)
        for axis in (upper, lower):
            shade(axis, result.times, result.doubtful[:, places[k]], DOUBTFUL if axis is upper else "", hatched=True)
            shade(axis, result.times, ~answered, NO_LOADS if axis is upper else "")
            if len(result.times) > 1:
                axis.set_xlim(float(result.times[0]), float(result.times[-1]))

    return save_picture(draw_rows(len(names), "time [s]", _caption(result), draw), path)


def _draw_cycles(result: InverseDynamicsResult, places: Sequence[int], path: PicturePath) -> Figure:
    """Draw the means of some coordinates over gait cycles."""
    table, names = result.cycles(), [result.coordinate_names[i] for i in places]
    unknown, panels = pd.Series(np.nan, table.index), {}
    for i, name in zip(places, names, strict=True):
        lumped, inertial, change, *ends = (table.get(f"{name}_{curve}", unknown).to_numpy() for curve in CURVES)
        means = {
            "lumped": lumped,
            "inertial": inertial,
            "difference": change,
            "sd inertial": table[f"{name}_inertial_sd"],
        }
        panels[name, result.units[i]] = [means | {"lower": lumped + ends[0], "upper": lumped + ends[1]}]
    counts = sorted({len(result.cycles_of(name)) for name in names})
    over = "One gait cycle" if counts == [1] else f"Means over {' or '.join(map(str, counts))} gait cycles"
    caption = f"{over}. {_caption(result)}"
    band = "" if result.uncertainty is None else f"{100 * result.uncertainty.level:.0f} % band"
    return draw_means(table.index.to_numpy(), "gait cycle [%]", [""], panels, caption, path, ("cycles", band))


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
    bottom.plot(times, inertial - lumped, color=color, lw=1.2 * thin)
    if result.uncertainty is not None:
        lower, upper = (np.where(doubtful[rows], np.nan, end) for end in result.difference_band(name, rows))
        label = f"{100 * result.uncertainty.level:.0f} % band"
        bottom.fill_between(times, lower, upper, color=color, alpha=0.3, lw=0, label=label)
    top.set_title(spoken(name))
    top.set_ylabel(f"{'moment' if result.rotational[place] else 'force'} [{unit}]")
    bottom.set_ylabel(f"difference [{unit}]")
    dress(top, bottom)


@styled
def draw_means(
    places: Array,
    label: str,
    assumed: Sequence[str],
    panels: Mapping[tuple[str, str], Sequence[Mapping[str, Array]]],
    caption: str,
    path: PicturePath = None,
    between: tuple[str, str] = ("subjects", "band of the first"),
) -> Figure:
    """Draw mean curves (P,) at places (P,): lumped and inertial, and below them differences under each assumption.

    Args:
        places: what curves are over, (P,), and ``label``, what that is.
        assumed: the assumptions in the legend. The upper panels and the band are those of the first.
        panels: by name and unit, under each assumption the means (P,) "lumped", "inertial", "difference", "lower" and
            "upper", and "sd inertial", the standard deviation of "inertial"; NaN where there is none.
        caption: a text below all panels.
        between: what deviations are between, and the legend of the band.
    """
    keys, color = list(panels), KIND_COLORS["inertial"]

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        (name, unit), means = keys[k], panels[keys[k]]
        first = means[0]
        if np.isfinite(deviation := first["sd inertial"]).any():
            ends = first["inertial"] - deviation, first["inertial"] + deviation
            upper.fill_between(places, *ends, color=color, alpha=0.2, lw=0, label=f"± 1 SD between {between[0]}")
        for kind, style in STYLES.items():
            upper.plot(places, first[kind], **style)
        upper.set_title(spoken(name))
        upper.set_ylabel(f"mean [{unit}]")
        ends = first["lower"] - first["lumped"], first["upper"] - first["lumped"]
        lower.fill_between(places, *ends, color=color, alpha=0.2, lw=0, label=between[1])
        for i, (text, mean) in enumerate(zip(assumed, means, strict=True)):
            look = (PALETTE[(i - 1) % len(PALETTE)], 1.0) if i else (color, 2.2)  # others may lie on the first
            lower.plot(places, mean["difference"], label=text, color=look[0], lw=look[1])
        lower.set_ylabel(f"difference [{unit}]")
        dress(upper, lower)

    return save_picture(draw_rows(len(panels), label, caption, draw), path)


@styled
def plot_muscles(result: InverseDynamicsResult, coordinate: str, path: PicturePath = None, most: int = 7) -> Figure:
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
    heights = [2.6, 0.4 + 0.17 * len(muscles)]
    figure = sheet(0.6 + sum(heights))
    stack, heat = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    above, below = np.zeros(len(times)), np.zeros(len(times))
    for i, (name, values) in enumerate([*muscles.items(), *([others] if others else [])]):
        color = PALETTE[i % len(PALETTE)] if i < len(muscles) else "0.85"
        up, down = np.maximum(values, 0.0), np.minimum(values, 0.0)
        stack.fill_between(times, above, above + up, color=color, lw=0, label=name)
        stack.fill_between(times, below, below + down, color=color, lw=0)
        above, below = above + up, below + down
    stack.plot(times, table.sum(axis=1, skipna=False).to_numpy(), color="k", label="all")
    stack.axhline(0, color="0.5", lw=0.6)
    for axis in (stack, heat):
        shade(axis, times, ~result.answered, NO_LOADS)
        shade(axis, times, doubtful, DOUBTFUL, hatched=axis is stack)
    stack.set_ylabel(f"inertial - lumped [{unit}]")
    stack.set_title(f"{spoken(coordinate)}: each muscle's inertial part")
    stack.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    if muscles:
        values = np.array(list(muscles.values()))
        limit, rows = float(np.nanmax(np.abs(values))), np.arange(len(muscles)) + 0.5
        ends = {"vmin": -limit, "vmax": limit}
        mesh = heat.pcolormesh(times, rows, values, shading="nearest", cmap="RdBu_r", rasterized=True, **ends)
        figure.colorbar(mesh, cax=heat.inset_axes((1.02, 0.0, 0.022, 1.0)), label=f"[{unit}]")
    else:
        heat.text(0.5, 0.5, "no muscle changes it", ha="center", va="center", transform=heat.transAxes)
    heat.set_yticks(np.arange(len(muscles)) + 0.5, list(muscles))
    heat.invert_yaxis()
    heat.set_xlabel("time [s]")
    if len(times) > 1:
        heat.set_xlim(times[0], times[-1])
    return save_picture(figure, path)


@styled
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
        axis.set_title("muscle activity envelope: the largest activation of all muscles")
        axis.set_ylabel("activation")

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


@styled
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
    figure = sheet(3.0, caption)
    axis = figure.subplots()
    for k, (label, result) in enumerate(results.items()):
        check_names("muscle", [muscle], result.muscles)
        axis.plot(result.times, result.activations[muscle].to_numpy(), color=PALETTE[k % len(PALETTE)], label=label)
    axis.set(xlabel="time [s]", ylabel="activation", title=spoken(muscle))
    axis.set_ylim(bottom=0.0)
    legend_above(figure, axis.lines)
    return save_picture(figure, path)


@styled
def plot_bounds(result: RecruitmentResult, path: PicturePath = None) -> Figure:
    """Draw which muscles are at which bound of activation, and when; other actuators where they are at one.

    Arguments and errors are those of :func:`plot_activations`.
    """
    at_bounds = result.bounds_active
    others = [name for name in result.actuators[len(result.muscles) :] if at_bounds[name].isin((0, 2)).any()]
    names = [*result.muscles, *others]
    places = at_bounds[names].to_numpy()
    figure = sheet(1.2 + 0.1 * max(len(names), 8), result.caption)
    axis = figure.subplots()
    colors, norm = ListedColormap(list(BOUNDS.values())), BoundaryNorm(np.arange(-0.5, len(BOUNDS)), len(BOUNDS))
    axis.pcolormesh(edges(result.times), np.arange(len(names) + 1), places.T, cmap=colors, norm=norm, rasterized=True)
    axis.set_ylim(len(names), 0)
    axis.set_xlabel("time [s]")
    axis.set_yticks(np.arange(len(names)) + 0.5, list(map(spoken, names)), fontsize=6)
    axis.tick_params(axis="y", length=0)
    patches = [Patch(facecolor=color, edgecolor=INK, lw=0.5, label=label) for label, color in BOUNDS.items()]
    legend_above(figure, [patch for k, patch in enumerate(patches) if k < 3 or (places == k).any()])
    return save_picture(figure, path)


@styled
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
    differs = all("lumped" in values and len(values) > 1 for values in panels.values())

    def draw(k: int, *own: Axes) -> None:
        values = panels[names[k]]
        changes = {kind: v - values["lumped"] for kind, v in values.items() if kind != "lumped"} if differs else {}
        for axis, curves, label in zip(own, (values, changes), (what, "less lumped"), strict=False):
            _draw_kinds(axis, times, curves)
            shade(axis, times, ~result.answered, NO_LOADS)
            axis.set_ylabel(label + unit)
        finish(own[0])
        own[0].set_title(spoken(names[k]))
        if differs:
            own[1].axhline(0, color="0.8", lw=0.6, zorder=0)
            size, change = (max(float(np.nanmax(np.abs(v))) for v in x.values()) for x in (values, changes))
            if change < NOTHING * size:
                own[1].set_ylim(-LITTLE * size, LITTLE * size)

    ratios = (1.25, 0.8) if differs else (1.4,)
    return draw_rows(len(panels), "time [s]", result.caption, draw, ratios, below)


def _draw_kinds(axis: Axes, times: Array, values: Mapping[str, Array]) -> None:
    for kind, style in STYLES.items():
        if kind in values:
            axis.plot(times, values[kind], **style)
