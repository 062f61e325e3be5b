"""Bellies in space: muscle paths on the lines of the skeleton, from the side and from the front."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from .._core.arrays import Array
from .bellies import DrawnMuscle, MassPicture, donor_colors

__all__ = ["draw_skeleton"]

VIEWS = ("from the right side", "from the front")
BONES = "bone, from joint to joint"
MARGIN = 0.04
TALLEST = 9.0
"""Largest height of a view [in]."""
WIDEST = 9.0
"""Largest width of both views together [in]."""
BONE = "0.2"
BONE_LINE: dict[str, Any] = {"lw": 1.3, "marker": "o", "markersize": 4, "markerfacecolor": "white"}
NAMED = 12
"""Muscles are named where there are no more of them."""


def draw_skeleton(picture: MassPicture) -> Figure:
    """Draw bellies to scale on paths and bones, as wide as if their cross-sections were round.

    Bones are lines from joint centre to joint centre.
    """
    colors = donor_colors(picture)
    limits = [_limits(picture, view) for view in picture.views]
    low, high = min(box[0, 1] for box in limits), max(box[1, 1] for box in limits)
    widths = [box[1, 0] - box[0, 0] for box in limits]
    scale = min(TALLEST / (high - low), WIDEST / sum(widths))
    gap = 0.75
    note = "To scale: bellies are round, their areas are mass per length of path over the density of muscle."
    caption = textwrap.fill(f"{note} {picture.caption}", max(60, int(20 * (scale * sum(widths) + gap))))
    below, above = 0.65 + 0.13 * (caption.count("\n") + 1), 0.85
    width = max(scale * sum(widths) + 2 * gap + 0.2, 5.5)
    height = scale * (high - low) + below + above
    figure = Figure(figsize=(width, height))
    x = 0.5 * (width - scale * sum(widths) - gap) + 0.2
    for k, (view, box) in enumerate(zip(picture.views, limits, strict=True)):
        panel = (x / width, below / height, scale * widths[k] / width, scale * (high - low) / height)
        axes = figure.add_axes(panel)
        axes.set(xlim=box[:, 0], ylim=(low, high), aspect="equal")
        axes.set_title(VIEWS[k], fontsize=9)
        axes.set_xlabel(_axis_name(view[0]), fontsize=8)
        axes.xaxis.set_major_locator(MaxNLocator(max(3, int(scale * widths[k] / 0.55))))
        axes.tick_params(labelsize=7.5, labelleft=k == 0)
        axes.spines[["top", "right"]].set_visible(False)
        if k == 0:
            axes.set_ylabel(_axis_name(view[1]), fontsize=8)
        _draw_view(axes, picture, view, colors)
        x += scale * widths[k] + gap
    handles = [Line2D([], [], color=BONE, label=BONES, **BONE_LINE)]
    handles += [Line2D([], [], color=color, lw=5, alpha=0.6, label=donor) for donor, color in colors.items()]
    anchor = (0.5, 1 - 0.3 / height)
    figure.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=anchor,
        ncols=min(len(handles), 6),
        frameon=False,
        fontsize=8,
    )
    figure.text(0.5, 1 - 0.22 / height, f"{picture.model}: bellies, by donor segment", ha="center", fontsize=10)
    figure.text(0.15 / width, 0.1 / height, caption, fontsize=6.5, color="0.25", va="bottom")
    return figure


def _limits(picture: MassPicture, view: Array) -> Array:
    """Return the corners (2, 2) of what a view shows: the muscles, and where their donors' bones start."""
    projections = [m.course @ view.T for m in picture.muscles]
    projections += [picture.bones[donor][:, 0] @ view.T for donor in picture.donors if donor in picture.bones]
    points = np.concatenate(projections)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = MARGIN * float(np.max(high - low)) + 0.01
    return np.array([low - margin, high + margin])


def _axis_name(direction: Array) -> str:
    """Return the name of an axis of the ground, with its sign."""
    axis = int(np.argmax(np.abs(direction)))
    sign = "\u2212" if direction[axis] < 0 else ""
    return f"{sign}{'xyz'[axis]} [m]"


def _draw_view(axes: Axes, picture: MassPicture, view: Array, colors: dict[str, str]) -> None:
    """Draw bones, paths, bellies and point masses projected to a view, two unit vectors (2, 3)."""
    for lines in picture.bones.values():
        for line in lines @ view.T:
            axes.plot(*line.T, color=BONE, zorder=5, markevery=[0], **BONE_LINE)
    # the larger below, so that the smaller are seen
    for z, muscle in enumerate(sorted(picture.muscles, key=lambda m: -m.mass)):
        color = colors[muscle.donor]
        axes.plot(*(muscle.course @ view.T).T, color=color, lw=0.7, zorder=3 + 0.001 * z)
        if muscle.has_belly:
            axes.fill(*_outline(muscle, view, picture.density).T, facecolor=color, alpha=0.3, lw=0, zorder=2)
            axes.fill(*_outline(muscle, view, picture.density).T, facecolor="none", edgecolor=color, lw=0.6, zorder=3)
        if len(muscle.point_masses):
            places = muscle.at(muscle.point_places) @ view.T
            sizes = 400.0 * muscle.point_masses / _total(picture)
            axes.scatter(places[:, 0], places[:, 1], s=sizes, color=color, alpha=0.7, lw=0, zorder=4)
        if len(picture.muscles) <= NAMED:
            x, y = muscle.middle @ view.T
            name = axes.text(x, y, muscle.name, fontsize=7, ha="center", va="center", zorder=6)
            name.set_path_effects([withStroke(linewidth=2.0, foreground="white", alpha=0.8)])


def _total(picture: MassPicture) -> float:
    """Return the mass of all muscles drawn [kg]."""
    return sum(m.mass for m in picture.muscles)


def _outline(muscle: DrawnMuscle, view: Array, density: float) -> Array:
    """Return the outline (n, 2) [m] of a belly with round cross-sections, projected to a view (2, 3)."""
    corners, area = muscle.area(density)
    s = np.linspace(corners[0], corners[-1], 121)
    radius = np.sqrt(np.interp(s, corners, area) / np.pi)
    middle = muscle.at(s) @ view.T
    along = np.gradient(middle, axis=0)
    length = np.linalg.norm(along, axis=1, keepdims=True)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.maximum(length, 1e-12)
    # where a path turns sharply its sides do not
    kernel = np.hanning(17)[1:-1]
    across = np.stack(
        [np.convolve(np.pad(across[:, k], 7, mode="edge"), kernel / kernel.sum(), "valid") for k in range(2)], axis=1
    )
    side = radius[:, None] * across
    return np.concatenate([middle + side, (middle - side)[::-1]])
