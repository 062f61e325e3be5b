"""A picture of a simulation: coordinates over time, and energies without those stored in muscles."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .._core.errors import OptionError, UnknownNameError
from ..files.atomic import writing

#: Kinetic, potential and total energy: blue, vermilion, black; apart for the colour-blind.
INERTIAL = "#D55E00"
COLORS = {"kinetic": "#0072B2", "potential": "#D55E00", "total": "0.15"}


def draw_motion(
    coordinates: pd.DataFrame,
    energy: pd.DataFrame,
    units: Mapping[str, str],
    names: Sequence[str] | None = None,
    most: int = 4,
    lumped: pd.DataFrame | None = None,
) -> Figure:
    """Draw coordinates and energies over time.

    Args:
        coordinates: values [rad, m or no unit] by coordinate, the index being the time [s].
        energy: columns "kinetic", "potential", "total" and "elastic_muscles" [J], over the same times.
        units: the unit of each coordinate: "rad", "m" or "".
        names: coordinates to draw; None: those that move most.
        most: how many of those.
        lumped: coordinates of the same model with all mass in the segments, to draw beside.

    Raises:
        OptionError: there would be no coordinate to draw. UnknownNameError: a name is not among the coordinates.
    """
    if most < 1 or (names is not None and not names):
        raise OptionError("coordinates" if names is not None else "most", names or most, "at least one")
    for name in names or []:
        if name not in coordinates.columns:
            raise UnknownNameError("coordinate", name, coordinates.columns)
    ranges = np.ptp(coordinates.to_numpy(), axis=0)
    drawn_names = names or [coordinates.columns[i] for i in sorted(np.argsort(-ranges, kind="stable")[:most])]
    panels = len(drawn_names) + 1
    columns = min(2, panels)
    rows = -(-panels // columns)
    figure = Figure(figsize=(5.2 * columns, 2.4 * rows + 0.3), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.flat[panels:]:
        axis.axis("off")
    labels = {"rad": "angle [deg]", "m": "[m]", "": "value"}
    for axis, name in zip(axes.flat, drawn_names, strict=False):
        turns = units[name] == "rad"
        if lumped is not None:
            curve = lumped[name]
            axis.plot(curve.index, np.degrees(curve) if turns else curve, color="0.25", lw=2.2, label="lumped")
        values = np.degrees(coordinates[name]) if turns else coordinates[name]
        axis.plot(coordinates.index, values, color=INERTIAL, lw=1.6, label="inertial muscles")
        axis.set_title(name.replace("_", " "), fontsize=10)
        axis.set_ylabel(labels[units[name]])
    if lumped is not None:
        axes.flat[0].legend(frameon=False, fontsize=8)
    axis = axes.flat[len(drawn_names)]
    for name, color in COLORS.items():
        values = energy[name] if name == "kinetic" else energy[name] - energy["elastic_muscles"]
        axis.plot(energy.index, values, color=color, lw=1.6, label=name)
    axis.set_title("energy of bones, springs and the muscles' mass", fontsize=10)
    axis.set_ylabel("energy [J]")
    axis.legend(frameon=False, fontsize=8)
    for axis in axes.flat[:panels]:
        axis.spines[["top", "right"]].set_visible(False)
        axis.margins(x=0)
        axis.set_xlabel("time [s]")
    return figure


def save_motion(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure to a file, whose suffix chooses the format.

    Raises:
        OutputError: it cannot be written; nothing is left behind.
    """
    with writing(path) as temporary:
        figure.savefig(temporary, dpi=150)
