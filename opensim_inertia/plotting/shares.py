"""Pictures of numbers: the muscles' shares of each coordinate's inertia as a heat map, and any array of a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from matplotlib.colors import PowerNorm
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from .._core.arrays import Array
from .._core.checks import check_names
from .._core.errors import InertiaError, OptionError
from .page import DOUBLE, PALETTE, PicturePath, check_drawn, save_picture, sheet, spoken, styled

if TYPE_CHECKING:
    from ..analyses.ranking.ranking import MuscleRanking
    from ..analyses.result import Result


#: Pictures show at most this many coordinates, where none are named.
MOST_COORDINATES = 20
#: Sides whose shares differ by less, relative to the largest share, are alike.
ALIKE = 0.01

#: Least width and height of a cell [in], and size of the numbers in it [pt].
CELL, FONT = (0.3, 0.15), 6.0
#: Smaller shares have no number.
LEAST = 5e-5


@styled
def plot_array(result: Result, path: PicturePath = None, name: str | None = None, most: int = 12) -> Figure:
    """Draw an array of a result: a curve over time for each column, or a bar for each label, where it is largest.

    Args:
        result: of an analysis.
        name: one of ``result.variables()``; default: the first.
        most: curves or bars that are drawn.

    Raises:
        OptionError: there is no array of that name, or it has several axes and none of them is time.
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
    """Draw the shares as a heat map: muscles downwards, coordinates to the right, with the numbers in percent.

    Muscles with the largest shares come first. Rows below the map hold the sums.

    Args:
        ranking: the ranking of muscles.
        coordinates: names; default: up to 20 of which muscles hold most, without those on the base, and without the
            left side where it is as the right one.
        most: muscles that are shown apart: the first of each coordinate, and those with the largest shares.

    Raises:
        UnknownNameError: there is no such coordinate. InertiaError: no muscle has a share.
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
    first = shares.loc[ranked.index].idxmax(axis=0)  # every coordinate has its own
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
    """Return the coordinates of which muscles hold most, without the left side if one is enough."""
    names = [name for name in ranking.affected_coordinates() if not (one_side and name.endswith("_l"))]
    names = [name for name in names if name not in ranking.on_base] or names
    total = ranking.shares.sum(axis=0)
    largest = sorted(names, key=lambda name: -total[name])[:MOST_COORDINATES]
    return [name for name in names if name in largest]


def _is_symmetric(shares: pd.DataFrame) -> bool:
    """Tell whether all shares of the left side (``_l``) are those of the right (``_r``)."""
    mirrored = shares.rename(index=_mirrored, columns=_mirrored).reindex_like(shares).to_numpy()  # NaN where unknown
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
    """Draw shares (M, C) of M muscles and C coordinates, and below them further rows, each a label and values (C,)."""
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
    """Return a share in percent, with about two digits."""
    percent = 100 * share
    return f"{percent:.0f}" if percent >= 9.95 else f"{percent:.1f}" if percent >= 0.995 else f"{percent:.2f}"
