"""Picture of a touch: the path from the side, and its mass points and their Jacobian (Wang et al. 2022, figure 4)."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from .._core.arrays import Array
from .._core.checks import check_picture
from .._core.choices import WrappingKind
from .._core.opensim import osim
from ..analyses.wrapping_report.touch import SHOWN, Sweep, Touch, TouchView, touch_view
from ..options import Wrapping
from ..paths.comparison import Way
from .saving import save_picture
from .style import PALETTE, bare

__all__ = ["plot_touch"]

#: Of the mass points.
COLORS = PALETTE[:5]
#: Paths that are drawn, and how.
DRAWN: dict[Way, dict[str, Any]] = {
    "opensim": {"lw": 1.3, "alpha": 0.75},
    "ours": {"lw": 2.2, "ls": (0, (1, 1.2))},
}


def plot_touch(
    model: osim.Model | str | os.PathLike[str],
    muscle: str,
    coordinate: str | None = None,
    path: str | os.PathLike[str] | None = None,
    wrapping: WrappingKind | Wrapping = "analytic",
) -> Figure:
    """Draw five mass points and their Jacobian through a touch (Wang et al. 2022, figure 4 d, e), and a side view.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file; not modified.
        muscle: a wrapping muscle.
        coordinate: to sweep, the others at their defaults; None: the one that moves the muscle most against a wrap
            object that it meets. The touch nearest to the default pose is drawn.
        path: where to write the picture; None: nowhere.
        wrapping: as :func:`~opensim_inertia.compare_wraps` takes it.

    Raises:
        UnknownNameError: the muscle or coordinate is not in the model.
        InertiaError: the muscle has no wrap objects, or the coordinate does not move it.
        OptionError: ``path`` does not end as a picture does, or another option has a value that is not allowed.
        OutputError: the picture cannot be written.
    """
    if path is not None:
        check_picture(path)
    shown = touch_view(model, muscle, coordinate, wrapping)
    touch = shown.touch
    figure = Figure(figsize=(13, 4.6), layout="constrained")
    side, places, derivatives = figure.subplots(1, 3, width_ratios=(1, 1.15, 1.15))
    _draw_side(side, shown)
    _draw_curves(places, derivatives, shown)
    never = "" if touch.value is not None else "; it neither meets nor leaves it in this range"
    way = f"\nOpenSim's own path: {shown.by_opensim}" if shown.by_opensim else ""
    title = f"{muscle} over the {shown.kind} {touch.surface}, moving {touch.coordinate}{never}{way}"
    figure.suptitle(title, fontsize=11)
    _add_legend(figure, touch, shown.sweep)
    return save_picture(figure, path, dpi=150)


def _add_legend(figure: Figure, touch: Touch, sweep: Sweep) -> None:
    handles: list[Artist] = [
        Line2D([], [], color=c, lw=3, label=f"mass at {100 * f:.0f} %") for c, f in zip(COLORS, SHOWN, strict=True)
    ]
    labels: dict[Way, str] = {"opensim": "OpenSim", "ours": "ours"}
    handles += [Line2D([], [], color="0.3", label=label, **DRAWN[way]) for way, label in labels.items()]
    if touch.value is not None:
        handles.append(Line2D([], [], color="0.6", lw=0.8, label="OpenSim's touch"))
    if np.isfinite(sweep.band[0]):
        handles.append(Patch(color="0.92", label="our smooth touch"))
    style: dict[str, Any] = {"frameon": False, "fontsize": 9, "handlelength": 1.6, "columnspacing": 1.4}
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), **style)


def _draw_curves(places: Axes, derivatives: Axes, shown: TouchView) -> None:
    """Draw figures 4 d and e for the direction in which the mass points' velocities jump most."""
    touch, sweep, turning = shown.touch, shown.sweep, shown.rotational
    scale = np.degrees(1.0) if turning else 1e3
    axis = int(np.argmax(np.abs(np.diff(sweep.derivatives["opensim"], 2, axis=0)).max(axis=0).sum(axis=0)))
    start = touch.value if touch.value is not None else sweep.values[0]
    origin = sweep.places["opensim"][int(np.argmin(np.abs(sweep.values - start)))][:, axis]
    where = "touch" if touch.value is not None else "the start"
    places.set_title("place of the mass points", fontsize=10)
    places.set_ylabel(f"{'xyz'[axis]} in {shown.body}, from its place at {where} [mm]")
    derivatives.set_title("Jacobian", fontsize=10)
    derivatives.set_ylabel(f"its derivative [{'mm/rad' if turning else 'mm/m'}]")
    for axes, by_way, shift in ((places, sweep.places, origin), (derivatives, sweep.derivatives, 0.0)):
        curves = {way: 1e3 * (by_way[way][:, :, axis] - shift) for way in DRAWN}
        for way, line in DRAWN.items():
            for n, color in enumerate(COLORS):
                axes.plot(scale * sweep.values, curves[way][:, n], color=color, **line)
        axes.set_xlabel(f"{touch.coordinate} [{'deg' if turning else 'mm'}]")
        bare(axes)
        axes.margins(x=0)
        if np.isfinite(sweep.band[0]):
            axes.axvspan(*(scale * np.array(sweep.band)), color="0.92", lw=0, zorder=0)
        if touch.value is not None:
            axes.axvline(scale * touch.value, color="0.6", lw=0.8, zorder=0)
        _cut_spikes(axes, curves["opensim"], curves["ours"])


def _cut_spikes(axes: Axes, opensim: Array, ours: Array) -> None:
    """Leave the poses out of sight at which OpenSim's path jumps far away and back."""
    most = np.percentile(opensim, [2, 98], axis=0)
    low, high = min(most[0].min(), ours.min()), max(most[1].max(), ours.max())
    margin = 0.06 * (high - low) + 1e-9
    if opensim.min() < low - 5 * margin or opensim.max() > high + 5 * margin:
        axes.set_ylim(low - margin, high + margin)
        axes.set_title(axes.get_title() + " (OpenSim's jumps cut off)", fontsize=10)


def _draw_side(axes: Axes, shown: TouchView) -> None:
    """Draw the surface as seen along its axis, and the path before, at and after touch."""
    axes.fill(*shown.outline.T, facecolor="0.93", edgecolor="0.6", lw=1, zorder=0)
    for shade, (value, courses) in zip(("0.65", "0.4", "0.0"), shown.courses, strict=True):
        label = f"{np.degrees(value):.1f} deg" if shown.rotational else f"{1e3 * value:.1f} mm"
        for way, line in DRAWN.items():
            axes.plot(*courses[way].T, color=shade, label=label if way == "opensim" else None, **line)
    x, y = shown.contact
    box = 1.7 * shown.reach
    axes.set(xlim=(x - box, x + box), ylim=(y - 1.35 * box, y + 0.65 * box), aspect="equal")
    axes.set(xlabel="across the axis [mm]", ylabel="outwards at touch [mm]")
    axes.set_title("side view", fontsize=10)
    bare(axes)
    inside: dict[str, Any] = {
        "loc": "center",
        "bbox_to_anchor": (0.0, -0.25 * shown.reach),
        "bbox_transform": axes.transData,
    }
    axes.legend(title=shown.touch.coordinate, fontsize=8, title_fontsize=8, frameon=False, **inside)
