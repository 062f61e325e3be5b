"""Which muscles change a coordinate's force, and when."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from ..errors import OptionError
from ..pictures import save_pictures

if TYPE_CHECKING:
    from .result import InverseDynamicsResult


def plot_muscles(
    result: InverseDynamicsResult, coordinate: str, path: str | os.PathLike[str] | None, most: int
) -> Figure:
    """See :meth:`InverseDynamicsResult.plot_muscles`."""
    if most < 1:
        raise OptionError("most", most, "at least one")
    table = result.muscle_table(coordinate)
    table = table.loc[:, np.abs(table).max() > 0]
    order = list((table**2).mean().sort_values(ascending=False).index)
    shown, others = order[:most], order[most:]
    unit = "N m" if result.rotational[result.coordinate_names.index(coordinate)] else "N"
    heights = [3.4, 0.5 + 0.22 * len(shown)]
    figure = Figure(figsize=(8.5, 1.0 + sum(heights)), layout="constrained")
    stack, heat = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": heights})
    colours = [matplotlib.colormaps["tab20"](i) for i in range(len(shown))]
    parts = {name: table[name].to_numpy() for name in shown}
    if others:
        parts[f"{len(others)} others"] = table[others].sum(axis=1).to_numpy()
        colours.append((0.8, 0.8, 0.8, 1.0))
    above, below = np.zeros(len(table)), np.zeros(len(table))
    for (name, values), colour in zip(parts.items(), colours, strict=True):
        up, down = np.maximum(values, 0.0), np.minimum(values, 0.0)
        stack.fill_between(table.index, above, above + up, color=colour, lw=0, label=name)
        stack.fill_between(table.index, below, below + down, color=colour, lw=0)
        above, below = above + up, below + down
    stack.plot(table.index, table.sum(axis=1), color="k", lw=1.4, label="all")
    stack.axhline(0, color="0.5", lw=0.6)
    stack.set_ylabel(f"inertial - lumped [{unit}]")
    stack.set_title(f"{coordinate.replace('_', ' ')}: what each muscle's inertia adds", fontsize=11)
    stack.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=8, frameon=False)
    if shown:
        values = np.array([table[name].to_numpy() for name in shown])
        limit = float(np.abs(values).max())
        mesh = heat.pcolormesh(
            table.index,
            np.arange(len(shown)) + 0.5,
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
    heat.set_yticks(np.arange(len(shown)) + 0.5, shown, fontsize=8)
    heat.invert_yaxis()
    heat.set_xlabel("time [s]")
    for axis in (stack, heat):
        axis.spines[["top", "right"]].set_visible(False)
    if len(table) > 1:
        heat.set_xlim(table.index[0], table.index[-1])
    if path is not None:
        save_pictures({Path(path): figure})
    return figure
