"""Pictures of length polynomials: what was fitted beside them, and errors against the number of terms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter, MaxNLocator

from .._core.arrays import Array
from .style import INK, PALETTE, bare

__all__ = ["DrawnCurves", "draw_curves", "draw_term_errors"]

#: Curves that a legend names; more are drawn alike.
MOST_NAMED = 8


@dataclass(frozen=True)
class DrawnCurves:
    """One quantity, as it is and fitted.

    Attributes:
        quantity: what it is, with its unit.
        label: what ``places`` are, with their unit.
        places: what curves are over, (P,).
        exact, fitted: the curves, (P,).
    """

    quantity: str
    label: str
    places: Array
    exact: Array
    fitted: Array


def draw_curves(panels: Sequence[DrawnCurves], title: str) -> Figure:
    """Draw quantities in panels, each as it is in OpenSim and fitted."""
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure = Figure(figsize=(max(3.6 * columns, 5.0), 2.5 * rows + 0.8), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for k, axis in enumerate(axes.ravel()):
        if k >= len(panels):
            axis.axis("off")
            continue
        panel = panels[k]
        axis.plot(panel.places, panel.exact, color=INK, lw=2.6, label="OpenSim")
        axis.plot(panel.places, panel.fitted, color=PALETTE[1], lw=1.2, label="fitted")
        axis.set_title(panel.quantity.replace("_", " "), fontsize=9)
        axis.set_xlabel(panel.label.replace("_", " "), fontsize=8)
        axis.tick_params(labelsize=8)
        axis.margins(x=0)
        bare(axis)
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    style: dict[str, Any] = {"loc": "outside upper right", "ncols": 2, "frameon": False, "fontsize": 8}
    figure.legend(handles, labels, **style)
    return figure


def draw_term_errors(errors: Mapping[str, Array], title: str) -> Figure:
    """Draw the errors [mm] of several polynomials, by name, after each number of terms, on a logarithmic axis."""
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axis = figure.subplots()
    has_names = len(errors) <= MOST_NAMED
    for i, (name, values) in enumerate(errors.items()):
        color = PALETTE[i % len(PALETTE)] if has_names else PALETTE[0]
        count = np.arange(1, len(values) + 1)
        axis.plot(count, values, color=color, lw=1.2 if has_names else 0.7, alpha=1.0 if has_names else 0.5, label=name)
        axis.plot(count[-1], values[-1], "o", color=color, ms=3.5)
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(LogFormatter())
    axis.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))
    axis.set_xlabel("terms", fontsize=9)
    axis.set_ylabel("RMS error of length and moment arms [mm]", fontsize=9)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.tick_params(labelsize=8)
    axis.grid(axis="y", color="0.9", lw=0.6)
    bare(axis)
    axis.set_title(title if has_names else f"{title}; {len(errors)} muscles", fontsize=10, loc="left")
    if has_names:
        axis.legend(frameon=False, fontsize=8)
    return figure
