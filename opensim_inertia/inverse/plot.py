"""A picture of an inverse dynamics result."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ..errors import OptionError, UnknownNameError
from ..files import writing

if TYPE_CHECKING:
    from .result import InverseDynamicsResult

#: Colours that stay apart for the colour-blind: grey, blue, vermilion.
COLORS = {"lumped": "0.25", "moved": "#0072B2", "inertial": "#D55E00"}


def plot_result(
    result: InverseDynamicsResult, path: str | os.PathLike[str] | None, coordinates: list[str] | None, most: int
) -> Figure:
    """See :meth:`InverseDynamicsResult.plot`."""
    if most < 1 or (coordinates is not None and not coordinates):
        raise OptionError("coordinates" if coordinates is not None else "most", coordinates or most, "at least one")
    names = coordinates or _most_changed(result, most)
    for name in names:
        if name not in result.coordinate_names:
            raise UnknownNameError("coordinate", name, result.coordinate_names)
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    figure = Figure(figsize=(5.2 * columns, 2.5 * rows + 0.9), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat[len(names) :]:
        axis.axis("off")
    for axis, name in zip(axes.flat, names, strict=False):
        i = result.coordinate_names.index(name)
        lumped, moved, inertial = (f[:, i] for f in (result.lumped_forces, result.moved_forces, result.inertial_forces))
        axis.fill_between(result.times, lumped, inertial, color=COLORS["inertial"], alpha=0.15, lw=0)
        axis.plot(result.times, lumped, color=COLORS["lumped"], lw=2.2, label="lumped (OpenSim)")
        axis.plot(result.times, inertial, color=COLORS["inertial"], lw=1.6, label="inertial muscles")
        axis.plot(result.times, moved, color=COLORS["moved"], lw=1.2, ls=(0, (4, 3)), label="moved, not sliding")
        axis.set_title(name.replace("_", " "), fontsize=10)
        axis.set_ylabel("moment [N m]" if result.rotational[i] else "force [N]")
        axis.axhline(0, color="0.8", lw=0.6, zorder=0)
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0)
        axis.set_xlabel("time [s]")
    figure.align_ylabels()
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    if path is not None:
        with writing(path) as temporary:
            figure.savefig(temporary, dpi=150)
    return figure


def _most_changed(result: InverseDynamicsResult, most: int) -> list[str]:
    """Coordinates whose force changes most, by RMS relative to the lumped force's RMS; moments before forces."""
    change = np.sqrt(((result.inertial_forces - result.lumped_forces) ** 2).mean(axis=0))
    size = np.sqrt((result.lumped_forces**2).mean(axis=0))
    score = np.where(size > 1e-6 * size.max(initial=1.0), change / np.where(size > 0, size, 1.0), 0.0)
    rotational = np.array(result.rotational)
    order = sorted(range(len(score)), key=lambda i: (not rotational[i], -score[i]))
    return [result.coordinate_names[i] for i in sorted(order[:most])]
