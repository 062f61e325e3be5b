"""Pictures of muscle mass: bellies along straight paths, one below the other, and to scale on the skeleton."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

from .._core.arrays import Array
from .._core.checks import check_picture
from ..model.model import InertialModel, check_inertial
from .masses import DrawnMuscle, MassPicture, mass_picture
from .page import INK, PALETTE, PicturePath, bare, note, panels, save_picture

__all__ = ["plot_bellies", "plot_masses"]

#: Width of a page of rows, A4, on which forty muscles fit, and largest height of all rows, what is left of A4, as long
#: as bellies need not become half as thick for it [in].
WIDTH, TALLEST = 8.27, 9.9
#: Largest thickness of a belly, heights of a donor's heading and widths of the columns at the right [in].
THICKEST, HEADING, COLUMNS = 0.5, 0.26, (0.42, 0.48)
#: Least height of a row [in]: where there are many muscles, and where there are few.
ROW = (0.18, 0.4)
#: Size of texts [pt], and markers of joints.
FONT, SYMBOLS = 7.5, "osD^vPX<>p*h"
#: Titles of the views of the skeleton, and the largest height of a view and width of both together [in].
VIEWS, HIGHEST, WIDEST = ("from the right side", "from the front"), 9.0, 9.0
#: Bones, from joint centre to joint centre.
BONE: dict[str, Any] = {"color": "0.2", "lw": 1.3, "marker": "o", "markersize": 4, "markerfacecolor": "white"}
#: Muscles are named on the skeleton where there are no more of them.
NAMED = 12
#: Marks of path points.
POINT: dict[str, Any] = {"lw": 0, "marker": "|", "markersize": 6, "markeredgewidth": 0.8, "color": INK}


def plot_masses(
    inertial: InertialModel, path: PicturePath = None, muscles: str | Iterable[str] | None = None
) -> Figure:
    """Draw where mass lies along each muscle's path at the reference pose, paths straight, one below the other.

    The thickness of a belly is the area of its cross-section, mass per length over the density of muscle, so that equal
    areas on paper are equal masses; point masses are dots. Path points and the places where paths pass joints are
    marked.

    Args:
        inertial: the model.
        muscles: names or patterns (``"*_r"``) of the muscles to draw. None: all, but only the right side of a model
            whose left and right (``_l``, ``_r``) are alike.

    Raises:
        UnknownNameError: a name fits no muscle with mass. InertiaError: no muscle has mass.
    """
    return _plotted(_draw_rows, inertial, path, muscles)


def plot_bellies(
    inertial: InertialModel, path: PicturePath = None, muscles: str | Iterable[str] | None = None
) -> Figure:
    """Draw bellies, to scale, on the lines of the skeleton at the reference pose, from the side and from the front.

    Arguments and errors are those of :func:`plot_masses`.
    """
    return _plotted(_draw_skeleton, inertial, path, muscles)


def _plotted(
    draw: Callable[[MassPicture, dict[str, str]], Figure], inertial: InertialModel, path: Any, muscles: Any
) -> Figure:
    check_inertial(inertial)
    if path is not None:
        check_picture(path)
    picture = mass_picture(inertial, muscles)
    colors = {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(picture.donors)}
    return save_picture(draw(picture, colors), path)


def _draw_rows(picture: MassPicture, colors: dict[str, str]) -> Figure:
    """Draw muscles from origin (left) to insertion (right), one in a row, grouped by donor segment."""
    joints = _joint_symbols(picture)
    peaks = [float(np.max(m.area(picture.density)[1], initial=0.0)) for m in picture.muscles]
    thickest = THICKEST
    while True:
        scale = thickest / max(*peaks, 1e-12)
        places, headings, rows = _rows(picture, [scale * peak for peak in peaks])
        if rows <= TALLEST or thickest < 0.5 * THICKEST:
            break
        thickest *= 0.95
    text = "Thickness of bellies and column 'area': mass per length of path over the density of muscle. "
    text += "A joint is marked where the path that crosses it is nearest to its centre."
    caption = textwrap.fill(f"{text} {picture.caption}", 160)
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
    axes.set_yticks([])
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color="0.9", lw=0.6)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=FONT)
    axes.set_xlabel("arc length from the origin [m]", fontsize=FONT)

    unit = axes.get_yaxis_transform()
    columns = 1.0 + np.cumsum(COLUMNS) / inner
    cells: dict[str, Any] = {"transform": unit, "ha": "right", "fontsize": FONT}
    heaviest = max(float(np.max(m.point_masses, initial=0.0)) for m in picture.muscles)
    for y, muscle, peak in zip(places, picture.muscles, peaks, strict=True):
        _draw(axes, y, muscle, scale / picture.density, heaviest, colors[muscle.donor], joints)
        area = f"{1e4 * peak:.1f}" if muscle.has_belly else "-"
        grams = f"{1e3 * muscle.mass:.0f}" if muscle.mass >= 0.01 else f"{1e3 * muscle.mass:.2g}"
        for x, cell in ((-0.01, muscle.name), (columns[0], grams), (columns[1], area)):
            axes.text(x, y, cell, va="center", **cells)
    for donor, y in headings.items():
        _head(axes, y, donor, picture, colors[donor])
    top = min(headings.values())
    for x, name in zip(columns, ("mass\n[g]", "area\n[cm²]"), strict=True):
        axes.text(x, top + 0.06, name, va="bottom", color=INK, **cells)
    if max(peaks) > 0:
        _scale_bar(axes, top, max(peaks), scale)

    style: dict[str, Any] = {"frameon": False, "fontsize": FONT, "handletextpad": 0.5, "columnspacing": 1.3}
    style |= {"loc": "upper center", "bbox_to_anchor": (0.5, 1 - 0.3 / height), "handlelength": 1.6}
    figure.legend(handles=handles, ncols=legend_columns, **style)
    figure.text(0.5, 1 - 0.2 / height, f"{picture.model}: muscle mass along the paths", ha="center", fontsize=10)
    figure.text(0.2 / WIDTH, 0.1 / height, caption, fontsize=6.5, color=INK, va="bottom")
    return figure


def _rows(picture: MassPicture, thick: list[float]) -> tuple[list[float], dict[str, float], float]:
    """Return heights [in], from the top, of muscles and of donors, and of all rows, for bellies ``thick`` [in]."""
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


def _joint_symbols(picture: MassPicture) -> dict[str, dict[str, Any]]:
    """Return the marker of each joint, as its options; joints that more muscles cross come first."""
    count = Counter(joint for muscle in picture.muscles for joint, _ in muscle.crossings)
    looks = [
        {"marker": symbol, "markerfacecolor": face, "markeredgecolor": "black", "markeredgewidth": 0.6}
        for face, symbol in product(("white", "0.55", "black"), SYMBOLS)
    ]
    return {name: looks[i % len(looks)] for i, (name, _) in enumerate(count.most_common())}


def _legend(joints: dict[str, dict[str, Any]], has_points: bool) -> list[Artist]:
    handles: list[Artist] = [
        Line2D([], [], color=INK, lw=0.9, label="free tendon"),
        Line2D([], [], label="path point", **POINT),
    ]
    if has_points:
        handles.append(Line2D([], [], color=INK, lw=0, marker="o", markersize=5, alpha=0.6, label="point mass"))
    return handles + [
        Line2D([], [], lw=0, markersize=4.5, label=f"crosses {name}", **look) for name, look in joints.items()
    ]


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
    axes.plot(muscle.path_points, np.full(len(muscle.path_points), y), zorder=5, clip_on=False, **POINT)
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


def _draw_skeleton(picture: MassPicture, colors: dict[str, str]) -> Figure:
    """Draw bellies to scale on paths and bones, as wide as if their cross-sections were round."""
    limits = [_limits(picture, view) for view in picture.views]
    low, high = min(box[0, 1] for box in limits), max(box[1, 1] for box in limits)
    widths = [box[1, 0] - box[0, 0] for box in limits]
    scale = min(HIGHEST / (high - low), WIDEST / sum(widths))
    size = (max(scale * sum(widths) + 1.3, 5.5), scale * (high - low) + 1.9)
    figure = Figure(figsize=size, layout="constrained")
    axes = panels(figure, 2, 2, sharey=True, gridspec_kw={"width_ratios": widths})
    for axis, view, box, title in zip(axes, picture.views, limits, VIEWS, strict=True):
        axis.set(xlim=box[:, 0], ylim=(low, high), aspect="equal")
        axis.set_title(title, fontsize=9)
        axis.set_xlabel(_axis_name(view[0]), fontsize=8)
        axis.xaxis.set_major_locator(MaxNLocator(max(3, int(scale * (box[1, 0] - box[0, 0]) / 0.55))))
        axis.tick_params(labelsize=7.5)
        bare(axis)
        _draw_view(axis, picture, view, colors)
    axes[0].set_ylabel(_axis_name(picture.views[0][1]), fontsize=8)
    handles = [Line2D([], [], label="bone, from joint to joint", **BONE)]
    handles += [Line2D([], [], color=color, lw=5, alpha=0.6, label=donor) for donor, color in colors.items()]
    style: dict[str, Any] = {"loc": "outside upper center", "frameon": False, "fontsize": 8, "title_fontsize": 10}
    title = f"{picture.model}: bellies, by donor segment"
    figure.legend(handles=handles, ncols=min(len(handles), 6), title=title, **style)
    scaled = "To scale: bellies are round, their areas are mass per length of path over the density of muscle."
    note(figure, f"{scaled} {picture.caption}")
    return figure


def _limits(picture: MassPicture, view: Array) -> Array:
    """Return the corners (2, 2) of what a view shows: the muscles, and where their donors' bones start."""
    projections = [m.course @ view.T for m in picture.muscles]
    projections += [picture.bones[donor][:, 0] @ view.T for donor in picture.donors if donor in picture.bones]
    points = np.concatenate(projections)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.04 * float(np.max(high - low)) + 0.01
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
            axes.plot(*line.T, zorder=5, markevery=[0], **BONE)
    # the larger below, so that the smaller are seen
    for z, muscle in enumerate(sorted(picture.muscles, key=lambda m: -m.mass)):
        color = colors[muscle.donor]
        axes.plot(*(muscle.course @ view.T).T, color=color, lw=0.7, zorder=3 + 0.001 * z)
        if muscle.has_belly:
            outline = _outline(muscle, view, picture.density).T
            axes.fill(*outline, facecolor=color, alpha=0.3, lw=0, zorder=2)
            axes.fill(*outline, facecolor="none", edgecolor=color, lw=0.6, zorder=3)
        if len(muscle.point_masses):
            places = muscle.at(muscle.point_places) @ view.T
            sizes = 400.0 * muscle.point_masses / sum(m.mass for m in picture.muscles)
            axes.scatter(places[:, 0], places[:, 1], s=sizes, color=color, alpha=0.7, lw=0, zorder=4)
        if len(picture.muscles) <= NAMED:
            x, y = muscle.middle @ view.T
            name = axes.text(x, y, muscle.name, fontsize=7, ha="center", va="center", zorder=6)
            name.set_path_effects([withStroke(linewidth=2.0, foreground="white", alpha=0.8)])


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
