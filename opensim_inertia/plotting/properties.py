"""Pictures of shares of inertia, length polynomials, stability, and arrays of any result."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter, MaxNLocator, PercentFormatter

from .._core.arrays import Array
from .._core.checks import check_names
from .._core.errors import InertiaError, ModelError, OptionError
from .._core.options import whole
from .._core.provenance import assumptions_caption
from ..muscles.masses.estimate import select_muscles
from .page import (
    DOUBLE,
    INK,
    KIND_COLORS,
    PALETTE,
    SINGLE,
    PicturePath,
    check_drawn,
    legend_above,
    panels,
    save_picture,
    sheet,
    spoken,
    styled,
)

if TYPE_CHECKING:
    import pandas as pd

    from ..analyses.length_polynomials.polynomial_set import LengthPolynomials
    from ..analyses.length_polynomials.samples import PoseSource
    from ..analyses.ranking.ranking import MuscleRanking
    from ..analyses.result import Result
    from ..analyses.stability import Linearization, StableShare
    from ..analyses.stability.result import Mode, Scene


#: Default number of coordinates in a heat map.
MOST_COORDINATES = 20
#: Relative difference, by the largest share, up to which sides are equal.
ALIKE = 0.01
#: Least cell size [in], and font size [pt].
CELL, FONT = (0.3, 0.15), 6.0
#: Least share with a number.
LEAST = 5e-5
#: Largest number of curves in a legend.
MOST_NAMED = 7
#: Largest number of modes.
MOST_MODES = 40
#: Largest arrow of a mode relative to the pose's extent, least relative arrow, and least relative change in the note.
ARROW, SHORT, LEAST_NOTED = 0.22, 0.03, 0.05


@styled
def plot_array(result: Result, path: PicturePath = None, name: str | None = None, most: int = 12) -> Figure:
    """Draw an array of a result: the largest columns over time as curves, or the largest entries as bars.

    Args:
        result: of an analysis.
        name: one of ``result.variables()``; default: the first.
        most: number of curves or bars.

    Raises:
        OptionError: the array does not exist, or has several axes without time.
    """
    check_drawn(most, "most", None)
    found = result.variables()
    name = next(iter(found)) if name is None else name
    table, figure = result.table(name), sheet(2.8)
    unit = found[name][2] or " or ".join(dict.fromkeys(result.units))
    axes, label = figure.subplots(), f"{spoken(name)} [{unit}]"
    by_size = (table.abs().max() if table.index.name == "time" else table.abs().max(axis=1)).sort_values(
        ascending=False
    )
    chosen = list(by_size.index[:most])
    if table.index.name == "time":
        axes.plot(table.index, table[chosen], label=[spoken(str(each)) for each in chosen])
        axes.set(xlabel="time [s]", ylabel=label)
        figure.legend(loc="outside right upper")
    elif table.shape[1] == 1:
        axes.barh([spoken(str(each)) for each in chosen], table.loc[chosen].to_numpy()[:, 0], color=PALETTE[0])
        axes.set_xlabel(label)
        axes.invert_yaxis()
    else:
        raise OptionError("name", name, "an array over time, or along one axis")
    return save_picture(figure, path)


@styled
def plot_shares(
    ranking: MuscleRanking, path: PicturePath = None, coordinates: Sequence[str] | None = None, most: int = 30
) -> Figure:
    """Draw each muscle's share of each coordinate's inertia as a heat map, in percent.

    Muscles with the largest shares come first; sums are below the map.

    Args:
        ranking: the ranking of muscles.
        coordinates: names; default: up to 20 with the largest shares, without base coordinates, and without the left
            side if it equals the right one.
        most: number of muscles: the first of each coordinate, then those with the largest shares.

    Raises:
        UnknownNameError: the coordinate does not exist. InertiaError: no muscle has a share.
    """
    check_names("coordinate", coordinates or (), ranking.shares.columns)
    check_drawn(most, "coordinates", coordinates)
    affected = ranking.affected_coordinates()
    if not affected:
        raise InertiaError("no muscle adds inertia to any coordinate, so there is nothing to draw")
    one_side = coordinates is None and _is_symmetric(ranking.shares)
    names = list(coordinates) if coordinates is not None else _worth_drawing(ranking, one_side)
    shares = ranking.shares[names]
    candidates = [name for name in shares.index if not (one_side and name.endswith("_l"))]
    ranked = shares.loc[candidates].max(axis=1).sort_values(ascending=False, kind="stable")
    ranked = ranked[ranked > 0]
    first = shares.loc[ranked.index].idxmax(axis=0)  # one per coordinate
    chosen = list(dict.fromkeys([*first, *ranked.index]))[:most]
    muscles = [name for name in ranked.index if name in chosen]
    undrawn = shares.drop(index=muscles)
    undrawn = undrawn[(undrawn > 0).any(axis=1)]
    sums = [("all muscles", shares.sum(axis=0).to_numpy())]
    if len(undrawn):
        sums.insert(0, (f"{len(undrawn)} other{'s' if len(undrawn) > 1 else ''}", undrawn.sum(axis=0).to_numpy()))
    left_out = [name for name in affected if name not in names and not (one_side and name.endswith("_l"))]
    title = f"{ranking.model + ': ' if ranking.model else ''}the muscles' shares of each coordinate's inertia [%]"
    caption = "Share: a muscle's part of the effective inertia, the diagonal of M + dM"
    caption += f", {ranking.where}." if ranking.where else "."
    if one_side:
        caption += " Right side and middle only, the left is the same within 1 %."
    if left_out:
        caption += f" Not shown: {len(left_out)} coordinate{'s' if len(left_out) > 1 else ''}"
        caption += " that move the whole model." if set(left_out) <= set(ranking.on_base) else "."
    return save_picture(_heat_map(muscles, names, shares.loc[muscles].to_numpy(), sums, title, caption), path)


def _worth_drawing(ranking: MuscleRanking, one_side: bool) -> list[str]:
    names = [name for name in ranking.affected_coordinates() if not (one_side and name.endswith("_l"))]
    names = [name for name in names if name not in ranking.on_base] or names
    total = ranking.shares.sum(axis=0)
    largest = sorted(names, key=lambda name: -total[name])[:MOST_COORDINATES]
    return [name for name in names if name in largest]


def _is_symmetric(shares: pd.DataFrame) -> bool:
    mirrored = shares.rename(index=_mirrored, columns=_mirrored).reindex_like(shares).to_numpy()  # NaN if missing
    close = np.abs(mirrored - shares.to_numpy()) <= ALIKE * shares.to_numpy().max(initial=0.0)
    return bool(close.all() and any(name.endswith("_l") for name in shares.index))


def _mirrored(name: str) -> str:
    return name[:-2] + {"_l": "_r", "_r": "_l"}.get(name[-2:], name[-2:])


def _heat_map(
    muscles: Sequence[str],
    coordinates: Sequence[str],
    shares: Array,
    sums: Sequence[tuple[str, Array]],
    title: str,
    caption: str,
) -> Figure:
    """Draw a heat map of the shares (M, C) of M muscles in the inertia of C coordinates and, below, ``sums`` (C,)."""
    heights = (CELL[1] * len(muscles), CELL[1] * len(sums))
    figure = sheet(sum(heights) + 1.2, caption, max(DOUBLE, 1.8 + CELL[0] * len(coordinates)))
    axes, below = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    norm = PowerNorm(0.5, vmin=0.0, vmax=float(shares.max(initial=LEAST)))
    look: dict[str, Any] = {"cmap": "YlGnBu", "edgecolors": "white", "linewidth": 0.6}
    mesh = axes.pcolormesh(np.ma.masked_equal(shares, 0.0), norm=norm, **look)
    centred: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": FONT}
    for i, k in zip(*np.nonzero(shares >= LEAST), strict=True):
        ink = "white" if norm(shares[i, k]) > 0.6 else "black"
        axes.text(k + 0.5, i + 0.5, _percent(shares[i, k]), color=ink, **centred)
    for row, (_, values) in enumerate(sums):
        for k, value in enumerate(values):
            below.text(k + 0.5, row + 0.5, _percent(value) if value >= LEAST else "-", **centred)
    for axis, names in ((axes, muscles), (below, [label for label, _ in sums])):
        axis.set_yticks(np.arange(len(names)) + 0.5, list(names))
        axis.set(xlim=(0, len(coordinates)), ylim=(len(names), 0))
        axis.spines[:].set_visible(False)
        axis.tick_params(length=0, pad=2, bottom=False, labelbottom=False)
    axes.tick_params(labeltop=True)
    axes.set_xticks(np.arange(len(coordinates)) + 0.5, list(coordinates))
    for label in axes.get_xticklabels():
        label.set(rotation=45, ha="left", rotation_mode="anchor")
    bar = figure.colorbar(
        mesh, ax=axes, format=PercentFormatter(1.0, symbol=""), label="share [%]", aspect=40, pad=0.01
    )
    bar.outline.set_visible(False)
    figure.suptitle(title)
    return figure


def _percent(share: float) -> str:
    percent = 100 * share
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}" if percent >= 0.995 else f"{percent:.2f}"


@styled
def plot_moment_arms(
    polynomials: LengthPolynomials, muscle: str, path: PicturePath = None, poses: PoseSource | None = None
) -> Figure:
    """Draw a muscle's moment arms by polynomials and by OpenSim, along a motion or over coordinate ranges.

    Args:
        polynomials: the length polynomials.
        muscle: name.
        poses: as in :meth:`.LengthPolynomials.comparison`.

    Raises:
        UnknownNameError: the muscle was not fitted. OptionError: there are no poses to draw.
    """
    compared = polynomials.comparison(muscle, poses)
    columns = min(3, len(compared))
    figure = sheet(1.9 * -(-len(compared) // columns) + 0.5)
    axes = panels(figure, len(compared), columns)
    for axis, panel in zip(axes, compared, strict=True):
        axis.plot(panel.places, panel.exact, color=INK, lw=2.2, label="OpenSim")
        axis.plot(panel.places, panel.fitted, color=PALETTE[0], lw=1.0, label="fitted")
        axis.set(title=spoken(panel.quantity), xlabel=spoken(panel.label))
        axis.margins(x=0)
    name = select_muscles(polynomials.muscle_names, [muscle])[0]
    terms = len(polynomials.by_muscle[name].polynomial.exponents)
    title = f"{muscle}: {terms} terms, {polynomials.options['rotations']}"
    legend_above(figure, axes[0].lines, title=title)
    return save_picture(figure, path)


@styled
def plot_terms(
    polynomials: LengthPolynomials, path: PicturePath = None, muscles: str | Iterable[str] | None = None
) -> Figure:
    """Draw the RMS error of fitted lengths and moment arms over the number of polynomial terms.

    Args:
        polynomials: the length polynomials.
        muscles: names or shell patterns; default: all.

    Raises:
        UnknownNameError: a muscle was not fitted.
    """
    names, options = select_muscles(polynomials.muscle_names, muscles), polynomials.options
    title = f"{polynomials.model.getName()}: {options['rotations']}, stop at {100 * options['stop']:g} %"
    figure = sheet(3.4)
    axis = figure.subplots()
    has_names = len(names) <= MOST_NAMED
    for i, name in enumerate(names):
        errors, color = 1e3 * polynomials.by_muscle[name].rmse, PALETTE[i % len(PALETTE) if has_names else 0]
        look = {"label": name} if has_names else {"lw": 0.7, "alpha": 0.5}
        axis.plot(np.arange(1, len(errors) + 1), errors, color=color, **look)
        axis.plot(len(errors), errors[-1], "o", color=color, ms=3.5)
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(LogFormatter())
    axis.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))
    axis.set(xlabel="terms", ylabel="RMS error of length and moment arms [mm]")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.grid(axis="y")
    axis.set_title(title if has_names else f"{title}; {len(names)} muscles", loc="left")
    if has_names:
        axis.legend()
    return save_picture(figure, path)


@styled
def plot_share(
    share: StableShare,
    path: PicturePath = None,
    others: Mapping[str, StableShare] | None = None,
    name: str = "inertial muscles",
) -> Figure:
    """Draw the share of stable activation patterns over intrinsic stiffness (Bunderson et al. 2012, fig. 2b).

    Args:
        share: the share.
        others: further shares by name, for example of the model with all mass in the segments.
        name: name of ``share`` in the legend.
    """
    curves = {name: share, **(others or {})}
    drawn = f"{len(share.patterns)} patterns, uniform among all that hold it."
    figure = sheet(2.6, f"{drawn} {assumptions_caption(share.provenance)}", SINGLE)
    axes = figure.subplots()
    colors = (KIND_COLORS["inertial"], KIND_COLORS["lumped"], *PALETTE)
    for i, ((label, each), color) in enumerate(zip(curves.items(), cycle(colors))):
        lw, ms, zorder = (2.4, 5, 2) if i == 1 else (1.0, 3, 3)  # curves may coincide
        look: dict[str, Any] = {"marker": "o", "ms": ms, "lw": lw, "zorder": zorder, "color": color, "label": label}
        axes.plot(each.stiffnesses, 100 * each.share, **look)
    axes.set(ylim=(-3, 103), xlabel="intrinsic stiffness [Fmax / lopt per unit of activation]")
    axes.set_ylabel("stable activation patterns [%]")
    axes.grid(axis="y")
    if len(curves) > 1:
        axes.legend()
    axes.set_title(f"{share.model}: patterns that hold the posture")
    return save_picture(figure, path)


@styled
def plot_modes(linear: Linearization, path: PicturePath = None, most: int = 4) -> Figure:
    """Draw the modes with the fastest growth or slowest decay as arrows on the pose.

    Each mode is drawn in the sagittal or frontal plane, by its largest motion. Modes without motion, such as those of
    activations alone, are omitted. For oscillating modes the real part is drawn.

    Args:
        linear: the linearization.
        most: number of modes.

    Raises:
        ModelError: the linearization was pickled or copied, or no mode moves a coordinate.
    """
    whole(1, MOST_MODES)("most", most)
    scene = linear.scene
    if scene is None:
        raise ModelError("this linearization holds no model, for it was pickled or copied: linearise again")
    modes = [mode for mode in linear.modes() if max(map(abs, mode.coordinates().values()), default=0.0) > 0.5][:most]
    if not modes:
        raise ModelError("no mode moves a coordinate")
    columns = min(4, len(modes))
    figure = sheet(
        2.4 * -(-len(modes) // columns) + 0.3, assumptions_caption(linear.provenance), DOUBLE if columns > 1 else SINGLE
    )
    for axes, mode in zip(panels(figure, len(modes), columns), modes, strict=True):
        _draw_mode(axes, scene, mode)
    figure.suptitle(f"{scene.name}: {'stable' if linear.is_stable else 'unstable'}")
    return save_picture(figure, path)


def _draw_mode(axes: Axes, scene: Scene, mode: Mode) -> None:
    """Draw the pose, the pose displaced along a mode, and arrows between both."""
    changes = mode.coordinates()
    moves = scene.moves(np.array([changes[name].real for name in scene.coordinate_names]))
    across = 2 if np.abs(moves[:, 2]).max() > np.abs(moves[:, 0]).max() else 0
    projected, moves = scene.points()[:, [across, 1]], moves[:, [across, 1]]
    extent = float(np.ptp(projected, axis=0).max()) or 1.0
    longest = float(np.linalg.norm(moves, axis=1).max())
    moves = moves * (ARROW * extent / longest if longest > 0 else 0.0)
    for color, places, width in (("0.35", projected, 2.0), (PALETTE[1], projected + moves, 0.8)):
        for stick in scene.sticks:
            axes.plot(*places[list(stick)].T, color=color, lw=width, solid_capstyle="round", zorder=2 + (width < 2))
    axes.scatter(projected[:, 0], projected[:, 1], s=10, color="0.35", lw=0, zorder=3)
    for place, move in zip(projected, moves, strict=True):
        if np.linalg.norm(move) > SHORT * ARROW * extent:
            arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": PALETTE[0], "lw": 1.0, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", xy=tuple(place + move), xytext=tuple(place), arrowprops=arrow, zorder=4)
    extremes = np.concatenate([projected, projected + moves])
    low, high = extremes.min(axis=0), extremes.max(axis=0)
    middle, half = (low + high) / 2, 0.56 * float((high - low).max())
    axes.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half), aspect="equal")
    largest = sorted(changes, key=lambda name: -abs(changes[name]))[:3]
    note = ", ".join(f"{name} {changes[name].real:+.2f}" for name in largest if abs(changes[name]) > LEAST_NOTED)
    axes.set(title=_title(mode), ylabel="y [m]")
    axes.set_xlabel(f"{'xyz'[across]} [m]\n{textwrap.fill(note, 28)}", fontsize=6)


def _title(mode: Mode) -> str:
    from ..analyses.stability.result import NEUTRAL

    value = mode.eigenvalue
    how = f", {mode.frequency:.3g} Hz" if mode.frequency else ""
    if abs(value.real) <= NEUTRAL * abs(value):
        return f"{replace(mode, eigenvalue=complex(0.0, value.imag))} 1/s\nneither grows nor decays{how}"
    return f"{mode} 1/s\n{'doubles' if value.real > 0 else 'halves'} in {abs(mode.doubling_time):.3g} s{how}"
