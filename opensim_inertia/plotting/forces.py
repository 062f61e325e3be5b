"""Pictures over time: generalized forces, muscles' contributions, means of studies, recruitment and simulations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from .._core.arrays import Array, drawn_rows
from .._core.checks import check_names
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
    from ..analyses.forward_simulation import Trajectory
    from ..analyses.recruitment import RecruitmentResult


#: Number of rows above which lines are thinner.
MANY_ROWS = 400
#: Relative difference that counts as round-off, and the axis range then.
NOTHING, LITTLE = 1e-9, 1e-2
#: Upper limit of activation axes, relative to the largest activation.
ROOM = 1.05
#: Kinetic, potential and total energy.
COLORS = {"kinetic": PALETTE[0], "potential": PALETTE[1], "total": "0.15"}
#: Labels and factors of coordinates, by unit.
LABELS = {"rad": ("angle [deg]", np.degrees(1.0)), "m": ("[m]", 1.0), "": ("value", 1.0)}
#: Colours of activation bounds, unsolved rows and rows without loads.
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
    """Draw generalized forces for lumped and inertial muscles; below, their difference and the uncertainty band.

    Motions with more than 4000 rows are thinned without losing extremes.

    Args:
        result: of inverse dynamics.
        coordinates: names; default: hip flexion, knee and ankle of both legs (shoulder, elbow and wrist of models
            without legs), then those with the largest changes.
        most: number of default coordinates.
        cycles: whether to draw means over gait cycles, with one standard deviation on either side.

    Raises:
        UnknownNameError: the coordinate does not exist. OptionError: it is coupled. MotionError: there is no gait
            cycle.
    """
    check_drawn(most, "coordinates", coordinates)
    names, times, caption = coordinates or result.most_changed(most), result.times, _caption(result)
    indices = [check_coordinate(name, result.coordinate_names, result.couplings) for name in names]
    level = "" if result.uncertainty is None else f"{100 * result.uncertainty.level:.0f} % band"
    answers, means = result.folded_answers(doubtful=np.nan), result.cycles() if cycles else None
    if means is not None:
        counts = sorted({len(result.cycles_of(name)) for name in names})
        over = "One gait cycle" if counts == [1] else f"Means over {' or '.join(map(str, counts))} gait cycles"
        caption = f"{over}. {caption}"

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        i, name, unit = indices[k], names[k], result.units[indices[k]]
        upper.set_title(spoken(name))
        upper.set_ylabel(f"{'moment' if result.rotational[i] else 'force'} [{unit}]")
        lower.set_ylabel(f"difference [{unit}]")
        if means is not None:
            curves = {curve: means.get(f"{name}_{curve}") for curve in (*CURVES, "inertial_sd")}
            _draw_pair(upper, lower, means.index.to_numpy(), curves, (level, "± 1 SD between cycles"))
            return
        lumped, inertial = (forces[:, i] for forces in answers)
        rows = drawn_rows([lumped, inertial, inertial - lumped])
        doubtful = result.doubtful[:, i]
        ends = [np.where(doubtful[rows], np.nan, end) for end in result.difference_band(name, rows)] if level else []
        curves = dict(zip(CURVES, [lumped[rows], inertial[rows], (inertial - lumped)[rows], *ends], strict=False))
        _draw_pair(upper, lower, times[rows], curves, (level, ""), 0.6 if len(times) > MANY_ROWS else 1.0)
        for axis in (upper, lower):
            shade(axis, times, doubtful, DOUBTFUL, hatched=True)
            shade(axis, times, ~result.answered, NO_LOADS)
            if len(times) > 1:
                axis.set_xlim(float(times[0]), float(times[-1]))

    return save_picture(draw_rows(len(names), "gait cycle [%]" if cycles else "time [s]", caption, draw), path)


def _draw_pair(
    upper: Axes,
    lower: Axes,
    places: Array,
    curves: Mapping[str, Any],
    labels: tuple[str, str],
    thin: float = 1.0,
) -> None:
    """Draw forces in ``upper``, their difference in ``lower``; ``labels`` name the uncertainty band and the SD area."""
    color = KIND_COLORS["inertial"]
    if (deviation := curves.get("inertial_sd")) is not None and np.isfinite(deviation).any():
        ends = curves["inertial"] - deviation, curves["inertial"] + deviation
        upper.fill_between(places, *ends, color=color, alpha=0.2, lw=0, label=labels[1])
    for kind, style in STYLES.items():
        upper.plot(places, curves[kind], **style | {"lw": thin * style["lw"]})
    lower.plot(places, curves["difference"], color=color, lw=1.2 * thin)
    if (end := curves.get("difference_lower")) is not None:
        lower.fill_between(places, end, curves["difference_upper"], color=color, alpha=0.3, lw=0, label=labels[0])
    dress(upper, lower)


def _caption(result: InverseDynamicsResult) -> str:
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


@styled
def draw_means(
    places: Array,
    label: str,
    assumed: Sequence[str],
    panels: Mapping[tuple[str, str], Sequence[Mapping[str, Array]]],
    caption: str,
    path: PicturePath = None,
) -> Figure:
    """Draw means over subjects: lumped and inertial forces and, below, the difference under each assumption.

    Args:
        places: horizontal axis (P,), with the label ``label``.
        assumed: assumptions in the legend. The upper panels and the band belong to the first.
        panels: by name and unit, for each assumption the means (P,) "lumped", "inertial", "difference", "lower" and
            "upper", and the standard deviation "sd inertial"; NaN if unknown.
        caption: text below all panels.
    """

    def draw(k: int, upper: Axes, lower: Axes) -> None:
        (name, unit), (first, *others) = list(panels.items())[k]
        ends = {f"difference_{end}": first[end] - first["lumped"] for end in ("lower", "upper")}
        labels = "band of the first", "± 1 SD between subjects"
        _draw_pair(upper, lower, places, {**first, **ends, "inertial_sd": first["sd inertial"]}, labels)
        lower.lines[0].set(label=assumed[0], lw=2.2)  # others may cover it
        for text, mean, color in zip(assumed[1:], others, cycle(PALETTE), strict=False):
            lower.plot(places, mean["difference"], label=text, color=color, lw=1.0)
        upper.set(title=spoken(name), ylabel=f"mean [{unit}]")
        lower.set_ylabel(f"difference [{unit}]")

    return save_picture(draw_rows(len(panels), label, caption, draw), path)


@styled
def plot_muscles(result: InverseDynamicsResult, coordinate: str, path: PicturePath = None, most: int = 7) -> Figure:
    """Draw each muscle's contribution to a coordinate's difference of force (inertial - lumped), stacked over time.

    Args:
        result: of inverse dynamics.
        coordinate: name.
        most: number of muscles shown separately.

    Raises:
        UnknownNameError: the coordinate does not exist. OptionError: it is coupled, or per-muscle results were not
            kept.
    """
    check_drawn(most, "most", None)
    place = check_coordinate(coordinate, result.coordinate_names, result.couplings)
    times, doubtful = result.times, result.doubtful[:, place]
    table = sure_rows(result.muscle_table(coordinate), doubtful)
    muscles, others = foremost(table, most)
    figure = sheet(3.2)
    axis = figure.subplots()
    above, below = np.zeros(len(times)), np.zeros(len(times))
    for i, (name, values) in enumerate([*muscles.items(), *([others] if others else [])]):
        color = PALETTE[i % len(PALETTE)] if i < len(muscles) else "0.85"
        up, down = np.maximum(values, 0.0), np.minimum(values, 0.0)
        axis.fill_between(times, above, above + up, color=color, lw=0, label=name)
        axis.fill_between(times, below, below + down, color=color, lw=0)
        above, below = above + up, below + down
    axis.plot(times, table.sum(axis=1, skipna=False).to_numpy(), color="k", label="all")
    shade(axis, times, ~result.answered, NO_LOADS)
    shade(axis, times, doubtful, DOUBTFUL, hatched=True)
    dress(axis)
    axis.set(xlabel="time [s]", ylabel=f"inertial - lumped [{result.units[place]}]")
    axis.set_title(f"{spoken(coordinate)}: each muscle's inertial part")
    figure.legend(loc="outside right upper")
    return save_picture(figure, path)


@styled
def plot_activations(
    result: RecruitmentResult, path: PicturePath = None, muscles: Sequence[str] | None = None, most: int = 12
) -> Figure:
    """Draw activations for lumped and inertial muscles, their differences, and the largest activation of all muscles.

    Args:
        result: of muscle recruitment.
        muscles: names; default: the ``most`` with the largest differences, or the most active.
        most: number of default muscles.

    Raises:
        UnknownNameError: the muscle does not exist.
    """
    check_drawn(most, "muscles", muscles)
    names, times = _foremost(result, most) if muscles is None else list(muscles), result.times
    check_names("muscle", names, result.muscles)
    tables = {kind: result.sure(kind)[0][list(result.muscles)] for kind in result.answers}
    differs = "lumped" in tables and len(tables) > 1
    doubtful = np.asarray(result.doubtful.any(axis=1))

    def curves(axis: Axes, values: Mapping[str, Array], title: str) -> None:
        for kind in values:
            axis.plot(times, values[kind], **STYLES[kind])
        for rows, label, hatched in ((~result.answered, NO_LOADS, False), (doubtful, DOUBTFUL, True)):
            shade(axis, times, rows, label, hatched)
        shade(axis, times, result.infeasible)
        axis.margins(x=0)
        highest = max(float(np.nanmax(each, initial=0.0)) for each in values.values())
        axis.set(title=title, ylabel="activation", ylim=(0.0, ROOM * highest if highest > 0 else None))

    def draw(k: int, upper: Axes, *lower: Axes) -> None:
        values = {kind: tables[kind][names[k]].to_numpy() for kind in STYLES if kind in tables}
        curves(upper, values, spoken(names[k]))
        for axis in lower:
            change = values["inertial"] - values["lumped"]
            axis.plot(times, change, **STYLES["inertial"])
            shade(axis, times, ~result.answered)
            dress(axis)
            axis.set_ylabel("less lumped")
            size = float(np.nanmax(values["lumped"]))
            if np.nanmax(np.abs(change)) < NOTHING * size:
                axis.set_ylim(-LITTLE * size, LITTLE * size)

    def below(axis: Axes) -> None:
        largest = {kind: tables[kind].max(axis=1).to_numpy() for kind in STYLES if kind in tables}
        curves(axis, largest, "muscle activity envelope: the largest activation of all muscles")

    ratios = (1.25, 0.8) if differs else (1.4,)
    return save_picture(draw_rows(len(names), "time [s]", result.caption, draw, ratios, below), path)


def _foremost(result: RecruitmentResult, most: int) -> list[str]:
    n = len(result.muscles)
    sure = ~result.doubtful[result.answered, :n]
    stacked = np.stack([answer.controls[result.answered, :n] * sure for answer in result.answers.values()])
    spread = (stacked.max(axis=0) - stacked.min(axis=0)).max(axis=0, initial=0.0)
    size = spread if spread.max(initial=0.0) > 1e-9 else stacked[0].mean(axis=0)
    return [result.muscles[i] for i in np.argsort(-size, kind="stable")[:most]]


@styled
def plot_bounds(result: RecruitmentResult, path: PicturePath = None) -> Figure:
    """Draw the times at which activations are at a bound, for all muscles and for other actuators that reach a bound.

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
def plot_motion(
    trajectory: Trajectory,
    path: PicturePath = None,
    coordinates: Sequence[str] | None = None,
    most: int = 4,
    lumped: Trajectory | None = None,
) -> Figure:
    """Draw a simulation's coordinates and energies over time, without elastic energy stored in muscles.

    Args:
        trajectory: the simulation, with its model.
        coordinates: names; default: those with the largest ranges.
        most: number of default coordinates.
        lumped: a simulation of the same model with all mass in the segments, for comparison.

    Raises:
        UnknownNameError: the coordinate does not exist. ModelError: the trajectory has no model.
    """
    check_drawn(most, "coordinates", coordinates)
    table = trajectory.coordinates()
    check_names("coordinate", coordinates or (), table.columns)
    from ..analyses.forward_simulation.replay import energies

    energy = energies(trajectory.system, trajectory.times, trajectory.y)
    tables = ({} if lumped is None else {"lumped": lumped.coordinates()}) | {"inertial": table}
    ranges = np.ptp(table.to_numpy(), axis=0)
    names = coordinates or [table.columns[i] for i in sorted(np.argsort(-ranges, kind="stable")[:most])]

    def draw(k: int, axis: Axes) -> None:
        label, factor = LABELS[trajectory.layout.unit(names[k])]
        for kind, values in tables.items():
            axis.plot(values.index, factor * values[names[k]].to_numpy(), **STYLES[kind])
        axis.set(title=spoken(names[k]), ylabel=label)
        axis.margins(x=0)

    def below(axis: Axes) -> None:
        for name, color in COLORS.items():
            values = energy[name] if name == "kinetic" else energy[name] - energy["elastic_muscles"]
            axis.plot(energy.index, values, color=color, label=name)
        axis.set(title="energy of bones, springs and the muscles' mass", ylabel="energy [J]")
        axis.margins(x=0)
        axis.legend()

    return save_picture(draw_rows(len(names), "time [s]", "", draw, (1.4,), below), path)
