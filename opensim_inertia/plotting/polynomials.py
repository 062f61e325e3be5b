"""Pictures of length polynomials: what was fitted beside them, and errors against the number of terms."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter, MaxNLocator

from ..muscles.masses.estimate import select_muscles
from .saving import save_picture
from .style import INK, PALETTE, bare

if TYPE_CHECKING:
    from ..analyses.length_polynomials.polynomial_set import LengthPolynomials
    from ..analyses.length_polynomials.samples import PoseSource

__all__ = ["plot_moment_arms", "plot_terms"]

#: Curves that a legend names; more are drawn alike.
MOST_NAMED = 8


def plot_moment_arms(
    polynomials: LengthPolynomials,
    muscle: str,
    path: str | os.PathLike[str] | None = None,
    poses: PoseSource | None = None,
) -> Figure:
    """Draw a muscle's moment arms, fitted and OpenSim's: along a motion, or through each coordinate's range.

    Args:
        polynomials: the length polynomials.
        muscle: its name.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        poses: as :meth:`.LengthPolynomials.comparison` takes them.

    Raises:
        UnknownNameError: the muscle was not fitted.
        OptionError: ``path`` does not end as a picture does, or there are no poses to draw.
    """
    panels = polynomials.comparison(muscle, poses)
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
    name = select_muscles(polynomials.muscle_names, [muscle])[0]
    terms = len(polynomials.by_muscle[name].polynomial.exponents)
    title = f"{muscle}: {terms} terms, {polynomials.options['rotations']}"
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    style: dict[str, Any] = {"loc": "outside upper right", "ncols": 2, "frameon": False, "fontsize": 8}
    figure.legend(handles, labels, **style)
    return save_picture(figure, path)


def plot_terms(
    polynomials: LengthPolynomials,
    path: str | os.PathLike[str] | None = None,
    muscles: str | Iterable[str] | None = None,
) -> Figure:
    """Draw the error against the number of terms: root mean square over lengths and moment arms together.

    Args:
        polynomials: the length polynomials.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        muscles: names or shell patterns; default: all.

    Raises:
        UnknownNameError: a muscle was not fitted. OptionError: ``path`` does not end as a picture does.
    """
    names = select_muscles(polynomials.muscle_names, muscles)
    errors = {name: 1e3 * polynomials.by_muscle[name].rmse for name in names}
    options = polynomials.options
    title = f"{polynomials.model.getName()}: {options['rotations']}, stop at {100 * options['stop']:g} %"
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
    return save_picture(figure, path)
