"""A picture of a simulation: coordinates over time, and energies without those stored in muscles."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .._core.checks import check_names
from .._core.errors import OptionError
from .saving import save_picture
from .style import KIND_COLORS, PALETTE, bare

if TYPE_CHECKING:
    from ..analyses.forward_simulation import Trajectory

__all__ = ["plot_motion"]

#: Kinetic, potential and total energy: blue, vermilion, black.
COLORS = {"kinetic": PALETTE[0], "potential": PALETTE[1], "total": "0.15"}


def plot_motion(
    trajectory: Trajectory,
    path: str | os.PathLike[str] | None = None,
    coordinates: Sequence[str] | None = None,
    most: int = 4,
    lumped: Trajectory | None = None,
) -> Figure:
    """Draw the coordinates of a simulation over time, and its energies.

    Args:
        trajectory: the simulation, with its model.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        coordinates: names; default: those that move most.
        most: how many there are by default.
        lumped: a simulation of the same model with all mass in the segments, to draw its coordinates beside.

    Raises:
        UnknownNameError: there is no such coordinate. OptionError: there would be no coordinate to draw, or ``path`` is
            no picture. ModelError: the trajectory holds no model. OutputError: the file cannot be written.
    """
    if most < 1 or (coordinates is not None and not coordinates):
        raise OptionError("coordinates" if coordinates is not None else "most", coordinates or most, "at least one")
    table, layout = trajectory.coordinates(), trajectory.layout
    check_names("coordinate", coordinates or (), table.columns)
    from ..analyses.forward_simulation.replay import energies

    energy = energies(trajectory.system, trajectory.times, trajectory.y)
    beside = None if lumped is None else lumped.coordinates()
    ranges = np.ptp(table.to_numpy(), axis=0)
    drawn_names = coordinates or [table.columns[i] for i in sorted(np.argsort(-ranges, kind="stable")[:most])]
    panels = len(drawn_names) + 1
    columns = min(2, panels)
    rows = -(-panels // columns)
    figure = Figure(figsize=(5.2 * columns, 2.4 * rows + 0.3), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat[panels:]:
        axis.axis("off")
    labels = {"rad": "angle [deg]", "m": "[m]", "": "value"}
    for axis, name in zip(axes.flat, drawn_names, strict=False):
        unit = layout.unit(name)
        if beside is not None:
            axis.plot(beside.index, _shown(beside[name], unit), color=KIND_COLORS["lumped"], lw=2.2, label="lumped")
        values = _shown(table[name], unit)
        axis.plot(table.index, values, color=KIND_COLORS["inertial"], lw=1.6, label="inertial muscles")
        axis.set_title(name.replace("_", " "), fontsize=10)
        axis.set_ylabel(labels[unit])
    if beside is not None:
        axes.flat[0].legend(frameon=False, fontsize=8)
    axis = axes.flat[len(drawn_names)]
    for name, color in COLORS.items():
        values = energy[name] if name == "kinetic" else energy[name] - energy["elastic_muscles"]
        axis.plot(energy.index, values, color=color, lw=1.6, label=name)
    axis.set_title("energy of bones, springs and the muscles' mass", fontsize=10)
    axis.set_ylabel("energy [J]")
    axis.legend(frameon=False, fontsize=8)
    bare(*axes.flat[:panels])
    for axis in axes.flat[:panels]:
        axis.margins(x=0)
        axis.set_xlabel("time [s]")
    return save_picture(figure, path, dpi=150)


def _shown(values: pd.Series, unit: str) -> pd.Series:
    """Return values [rad, m or no unit] as they are drawn, angles in degrees."""
    return np.degrees(values) if unit == "rad" else values
