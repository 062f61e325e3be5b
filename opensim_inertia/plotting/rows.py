"""Every muscle's path drawn straight, one below the other: free tendons as lines, bellies as thick as they are."""

from __future__ import annotations

import textwrap
from itertools import product
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .bellies import DrawnMuscle, MassPicture, donor_colors
from .style import INK

__all__ = ["draw_rows"]

WIDTH = 8.27
"""Width of the page [in]: A4, on which forty muscles fit."""
FONT = 7.5
THICKEST = 0.5
"""Largest thickness of a belly [in]."""
TALLEST = 9.9
"""Largest height of all rows [in], what is left of A4, as long as bellies need not become half as thick for it."""
ROW = (0.18, 0.4)
"""Least height of a row [in]: where there are many muscles, and where there are few."""
HEADING = 0.26
"""Height of a donor's heading [in]."""
COLUMNS = (0.42, 0.48)
"""Widths of the columns at the right [in]."""
SYMBOLS = "osD^vPX<>p*h"
"""Markers of joints."""


def draw_rows(picture: MassPicture) -> Figure:
    """Draw muscles from origin (left) to insertion (right), one in a row, grouped by donor segment.

    The thickness of a belly is the area of its cross-section, so equal areas on paper are equal masses.
    """
    colors = donor_colors(picture)
    joints = joint_symbols(picture)
    peaks = [float(np.max(m.area(picture.density)[1], initial=0.0)) for m in picture.muscles]
    thickest = THICKEST
    while True:
        scale = thickest / max(*peaks, 1e-12)
        places, headings, rows = _rows(picture, [scale * peak for peak in peaks])
        if rows <= TALLEST or thickest < 0.5 * THICKEST:
            break
        thickest *= 0.95
    note = "Thickness of bellies and column 'area': mass per length of path over the density of muscle. "
    note += "A joint is marked where the path that crosses it is nearest to its centre."
    caption = textwrap.fill(f"{note} {picture.caption}", 160)
    below = 0.6 + 0.125 * (caption.count("\n") + 1)
    handles = _legend(joints, any(len(m.point_masses) for m in picture.muscles))
    widest = max(len(str(handle.get_label())) for handle in handles)
    legend_columns = min(len(handles), int((WIDTH - 0.3) / (0.55 + 0.058 * widest)))
    above = 0.5 + 0.17 * -(-len(handles) // legend_columns)
    height = above + rows + below
    figure = Figure(figsize=(WIDTH, height))
    left = 0.3 + max(0.06 * max(len(m.name) for m in picture.muscles), 0.075 * max(map(len, picture.donors)))
    inner = WIDTH - left - sum(COLUMNS) - 0.15
    axes = figure.add_axes((left / WIDTH, below / height, inner / WIDTH, rows / height))
    longest = max(m.length for m in picture.muscles)
    axes.set(xlim=(-0.012 * longest, 1.012 * longest), ylim=(rows, 0.0))
    _dress(axes)

    unit = axes.get_yaxis_transform()
    columns = 1.0 + np.cumsum(COLUMNS) / inner
    text: dict[str, Any] = {"transform": unit, "ha": "right", "fontsize": FONT}
    heaviest = max(float(np.max(m.point_masses, initial=0.0)) for m in picture.muscles)
    for y, muscle, peak in zip(places, picture.muscles, peaks, strict=True):
        _draw(axes, y, muscle, scale / picture.density, heaviest, colors[muscle.donor], joints)
        area = f"{1e4 * peak:.1f}" if muscle.has_belly else "-"
        for x, cell in ((-0.01, muscle.name), (columns[0], _grams(muscle.mass)), (columns[1], area)):
            axes.text(x, y, cell, va="center", **text)
    for donor, y in headings.items():
        _head(axes, y, donor, picture, colors[donor])
    top = min(headings.values())
    for x, name in zip(columns, ("mass\n[g]", "area\n[cm²]"), strict=True):
        axes.text(x, top + 0.06, name, va="bottom", color=INK, **text)
    if max(peaks) > 0:
        _scale_bar(axes, top, max(peaks), scale)

    style: dict[str, Any] = {"frameon": False, "fontsize": FONT, "handletextpad": 0.5, "columnspacing": 1.3}
    style |= {"loc": "upper center", "bbox_to_anchor": (0.5, 1 - 0.3 / height), "handlelength": 1.6}
    figure.legend(handles=handles, ncols=legend_columns, **style)
    figure.text(0.5, 1 - 0.2 / height, f"{picture.model}: muscle mass along the paths", ha="center", fontsize=10)
    figure.text(0.2 / WIDTH, 0.1 / height, caption, fontsize=6.5, color=INK, va="bottom")
    return figure


def _rows(picture: MassPicture, thick: list[float]) -> tuple[list[float], dict[str, float], float]:
    """Return heights [in], from the top, of the muscles' and of the donors' rows, and of all rows together.

    Args:
        picture: what is drawn.
        thick: thickness [in] of each muscle's belly.
    """
    thinnest = float(np.clip(4.0 / len(thick), *ROW))
    places: list[float] = []
    headings: dict[str, float] = {}
    y = 0.0
    for muscle, t in zip(picture.muscles, thick, strict=True):
        if muscle.donor not in headings:
            y += 0.1 if headings else 0.0
            headings[muscle.donor] = y + 0.5 * HEADING
            y += HEADING
        row = max(thinnest, t + 0.06)
        places.append(y + 0.5 * row)
        y += row
    return places, headings, y + 0.06


def joint_symbols(picture: MassPicture) -> dict[str, dict[str, Any]]:
    """Return the marker of each joint, as its options; joints that more muscles cross come first."""
    count: dict[str, int] = {}
    for muscle in picture.muscles:
        for joint, _ in muscle.crossings:
            count[joint] = count.get(joint, 0) + 1
    names = sorted(count, key=lambda name: -count[name])
    looks = [
        {"marker": symbol, "markerfacecolor": face, "markeredgecolor": "black", "markeredgewidth": 0.6}
        for face, symbol in product(("white", "0.55", "black"), SYMBOLS)
    ]
    return {name: looks[i % len(looks)] for i, name in enumerate(names)}


def _legend(joints: dict[str, dict[str, Any]], has_points: bool) -> list[Artist]:
    handles: list[Artist] = [
        Line2D([], [], color=INK, lw=0.9, label="free tendon"),
        Line2D([], [], color=INK, lw=0, marker="|", markersize=6, markeredgewidth=0.8, label="path point"),
    ]
    if has_points:
        handles.append(Line2D([], [], color=INK, lw=0, marker="o", markersize=5, alpha=0.6, label="point mass"))
    return handles + [
        Line2D([], [], lw=0, markersize=4.5, label=f"crosses {name}", **look) for name, look in joints.items()
    ]


def _dress(axes: Axes) -> None:
    axes.set_yticks([])
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color="0.9", lw=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=FONT)
    axes.set_xlabel("arc length from the origin [m]", fontsize=FONT)


def _grams(mass: float) -> str:
    return f"{1e3 * mass:.0f}" if mass >= 0.01 else f"{1e3 * mass:.2g}"


def _draw(
    axes: Axes, y: float, muscle: DrawnMuscle, scale: float, heaviest: float, color: str, joints: dict[str, Any]
) -> None:
    """Draw one muscle; ``scale``: thickness [in] over mass per length [kg/m], ``heaviest``: point mass [kg]."""
    axes.plot([0, muscle.length], [y, y], color=INK, lw=0.9, zorder=2)
    s, half = muscle.area(2.0 / scale)
    if len(s):
        solid = not len(muscle.point_masses)
        axes.fill_between(s, y - half, y + half, facecolor=color, alpha=0.7 if solid else 0.25, lw=0, zorder=3)
        axes.fill_between(s, y - half, y + half, facecolor="none", edgecolor=color, lw=0.8, zorder=3)
    if len(muscle.point_masses):
        sizes = 40.0 * muscle.point_masses / heaviest
        axes.scatter(muscle.point_places, np.full(len(sizes), y), s=sizes, color=color, alpha=0.6, lw=0, zorder=4)
    points: dict[str, Any] = {"lw": 0, "marker": "|", "markersize": 6, "markeredgewidth": 0.8, "color": INK}
    axes.plot(muscle.path_points, np.full(len(muscle.path_points), y), zorder=5, clip_on=False, **points)
    for joint, place in muscle.crossings:
        axes.plot([place], [y], lw=0, markersize=4.5, zorder=6, clip_on=False, **joints[joint])


def _head(axes: Axes, y: float, donor: str, picture: MassPicture, color: str) -> None:
    """Draw the line above the muscles of a donor segment."""
    segment = picture.donors[donor]
    unit = axes.get_yaxis_transform()
    text = f"muscles: {segment.muscles:.2f} of {segment.mass:.2f} kg" if segment.muscles else "nothing is subtracted"
    if segment.hidden:
        text += f", with {segment.hidden} {'muscle' if segment.hidden == 1 else 'muscles'} not shown"
    bold: dict[str, Any] = {"transform": unit, "va": "center", "fontsize": FONT + 0.5, "color": color}
    axes.text(-0.01, y, donor, ha="right", weight="bold", **bold)
    axes.text(0.0, y, text, ha="left", **bold)


def _scale_bar(axes: Axes, y: float, peak: float, scale: float) -> None:
    """Draw a bar as thick as a round area [cm^2]; at the right, beside the first donor's heading."""
    exponent = np.floor(np.log10(1e4 * peak))
    area = max((f * 10**exponent for f in (1, 2, 5) if f * 10**exponent <= 1e4 * peak), default=10**exponent)
    half = 0.5 * scale * 1e-4 * area
    x0, x1 = axes.get_xlim()
    x = x0 + 0.965 * (x1 - x0)
    axes.fill_between([x - 0.02 * (x1 - x0), x], y - half, y + half, color="0.6", lw=0)
    label = f"{area:g} cm² of cross-section"
    axes.text(x - 0.03 * (x1 - x0), y, label, ha="right", va="center", fontsize=FONT, color=INK)
