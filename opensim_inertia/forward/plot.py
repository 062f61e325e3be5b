"""A picture of a simulation: coordinates that move most, and energies, less what is stored in muscles."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ..errors import OptionError, UnknownNameError
from ..files import writing

if TYPE_CHECKING:
    from .trajectory import Trajectory

#: Kinetic, potential and total energy: blue, vermilion, black; apart for the colour-blind.
INERTIAL = "#D55E00"
COLORS = {"kinetic": "#0072B2", "potential": "#D55E00", "total": "0.15"}


def plot_trajectory(
    trajectory: Trajectory,
    path: str | os.PathLike[str] | None,
    coordinates: list[str] | None,
    most: int,
    lumped: Trajectory | None,
) -> Figure:
    """See :meth:`Trajectory.plot`."""
    values = trajectory.coordinates()
    if most < 1 or (coordinates is not None and not coordinates):
        raise OptionError("coordinates" if coordinates is not None else "most", coordinates or most, "at least one")
    for name in coordinates or []:
        if name not in values.columns:
            raise UnknownNameError("coordinate", name, values.columns)
    moved = np.ptp(values.to_numpy(), axis=0)
    names = coordinates or [values.columns[i] for i in sorted(np.argsort(-moved, kind="stable")[:most])]
    panels = len(names) + 1
    columns = min(2, panels)
    rows = -(-panels // columns)
    figure = Figure(figsize=(5.2 * columns, 2.4 * rows + 0.3), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat[panels:]:
        axis.axis("off")
    table = trajectory.inertial.coordinates
    for axis, name in zip(axes.flat, names, strict=False):
        turns = table.rotational[table.index(name)]
        if lumped is not None:
            beside = lumped.coordinates()[name]
            axis.plot(beside.index, np.degrees(beside) if turns else beside, color="0.25", lw=2.2, label="lumped")
        shown = np.degrees(values[name]) if turns else values[name]
        axis.plot(values.index, shown, color=INERTIAL, lw=1.6, label="inertial muscles")
        axis.set_title(name.replace("_", " "), fontsize=10)
        axis.set_ylabel("angle [deg]" if turns else "value" if not table.translational[table.index(name)] else "[m]")
    if lumped is not None:
        axes.flat[0].legend(frameon=False, fontsize=8)
    energy = trajectory.energy()
    energy[["potential", "total"]] = energy[["potential", "total"]].sub(energy["elastic_muscles"], axis=0)
    axis = axes.flat[len(names)]
    for name, color in COLORS.items():
        axis.plot(energy.index, energy[name], color=color, lw=1.6, label=name)
    axis.set_title("energy of bones, springs and the muscles' mass", fontsize=10)
    axis.set_ylabel("energy [J]")
    axis.legend(frameon=False, fontsize=8)
    for axis in axes.flat[:panels]:
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0)
        axis.set_xlabel("time [s]")
    if path is not None:
        with writing(path) as temporary:
            figure.savefig(temporary, dpi=150)
    return figure
