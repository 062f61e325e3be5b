"""Pictures of stability: the share of stable patterns over stiffness, eigenvalues, and modes as arrows on a pose."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .._core.arrays import Array
from .style import INK, LETTERS_PER_INCH, PALETTE, bare

__all__ = ["ModePicture", "draw_eigenvalues", "draw_modes", "draw_share"]

#: Share of the pose's extent that the largest arrow of a mode covers.
ARROW = 0.22
#: Points beyond this number are drawn small.
MANY = 200
#: Arrows below this share of the largest are left out.
SHORT = 0.03
#: Styles of curves that may lie on each other.
LINES: tuple[dict[str, Any], ...] = ({"lw": 3.4, "alpha": 0.45}, {"lw": 1.3}, {"lw": 1.3, "ls": "--"})


@dataclass(frozen=True)
class ModePicture:
    """One mode on a pose.

    Attributes:
        title: a line above.
        moves: how each point moves (P, 3), of any size.
        note: which coordinates move most.
    """

    title: str
    moves: Array
    note: str


def draw_share(curves: Mapping[str, tuple[Array, Array]], title: str, caption: str) -> Figure:
    """Draw shares of stable patterns over intrinsic stiffness.

    Args:
        curves: by name the stiffnesses (G,) and shares in [0, 1] (G,).
        title: a line above.
        caption: a text below.
    """
    figure = Figure(figsize=(5.6, 3.9), layout="constrained")
    axes = figure.subplots()
    for i, (name, (stiffnesses, shares)) in enumerate(curves.items()):
        style = LINES[min(i, len(LINES) - 1)] if len(curves) > 1 else LINES[1]
        axes.plot(stiffnesses, 100 * shares, marker="o", ms=4, color=PALETTE[i % len(PALETTE)], label=name, **style)
    axes.set(ylim=(-3, 103), xlabel="intrinsic stiffness [Fmax / lopt per unit of activation]")
    axes.set_ylabel("stable activation patterns [%]")
    axes.grid(axis="y", color="0.92", lw=0.6)
    if len(curves) > 1:
        axes.legend(frameon=False, fontsize=8)
    axes.set_title(title, fontsize=10)
    bare(axes)
    _caption(figure, caption)
    return figure


def draw_eigenvalues(clouds: Mapping[str, Array], title: str, caption: str) -> Figure:
    """Draw eigenvalues in the complex plane, one panel for each cloud; those on the left of zero are stable.

    Args:
        clouds: by name complex eigenvalues (N, n) [1/s] of N patterns.
        title: a line above.
        caption: a text below.
    """
    figure = Figure(figsize=(max(3.1 * len(clouds), 4.6), 3.8), layout="constrained")
    panels = figure.subplots(1, len(clouds), squeeze=False, sharex=True, sharey=True)[0]
    for axes, (name, values) in zip(panels, clouds.items(), strict=True):
        stable = (values.real < 0).all(axis=-1)
        for patterns, color, label in (
            (stable, PALETTE[0], "stable patterns"),
            (~stable, PALETTE[1], "unstable patterns"),
        ):
            points = values[patterns].ravel()
            size = 3.0 if len(points) > 200 else 14.0
            axes.scatter(points.real, points.imag, s=size, color=color, lw=0, alpha=0.5, label=label, rasterized=True)
        axes.axvline(0.0, color=INK, lw=0.8)
        axes.axhline(0.0, color="0.85", lw=0.6, zorder=0)
        share = f"{100 * stable.mean():.3g} % stable" if stable.size > 1 else "stable" if stable.all() else "unstable"
        axes.set_title(f"{name}: {share}" if name else share, fontsize=9)
        axes.set_xlabel("real part [1/s]")
        bare(axes)
    _scale(panels[0], np.concatenate([values.real.ravel() for values in clouds.values()]))
    panels[0].set_ylabel("imaginary part [rad/s]")
    figure.suptitle(title, fontsize=10)
    _caption(figure, caption)
    return figure


def _caption(figure: Figure, text: str) -> None:
    wrapped = textwrap.fill(text, int(LETTERS_PER_INCH * figure.get_figwidth()))
    figure.supxlabel(wrapped, fontsize=7, color=INK, x=0.01, ha="left")


def _scale(axes: Axes, parts: Array) -> None:
    """Let the horizontal axis be linear within +-1 and logarithmic beyond, with room for real parts (N,)."""
    axes.set_xscale("symlog", linthresh=1.0, linscale=0.5)
    left, right = min(-2.0, 1.5 * float(parts.min(initial=0.0))), max(2.0, 1.5 * float(parts.max(initial=0.0)))
    decades = [10.0**k for k in range(1, 12)]
    ticks = [-x for x in reversed(decades) if -x >= left] + [0.0] + [x for x in decades if x <= right]
    axes.set(xlim=(left, right), xticks=ticks)
    axes.minorticks_off()


def draw_modes(
    points: Array, sticks: Sequence[tuple[int, int]], modes: Sequence[ModePicture], title: str, caption: str
) -> Figure:
    """Draw modes as arrows on a pose, one panel each, in the sagittal or frontal plane, whichever it moves in most.

    Args:
        points: places (P, 3) [m] in ground; x forwards, y upwards.
        sticks: pairs of points that a segment joins.
        modes: at least one.
        title: a line above.
        caption: a text below.
    """
    columns = min(4, len(modes))
    rows = -(-len(modes) // columns)
    figure = Figure(figsize=(2.7 * columns, 3.3 * rows + 0.3), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for axes in panels.flat[len(modes) :]:
        axes.axis("off")
    for axes, mode in zip(panels.flat, modes, strict=False):
        _draw_mode(axes, points, sticks, mode)
    figure.suptitle(title, fontsize=10)
    _caption(figure, caption)
    return figure


def _draw_mode(axes: Axes, points: Array, sticks: Sequence[tuple[int, int]], mode: ModePicture) -> None:
    """Draw the pose, the pose moved along a mode, and arrows from one to the other, in the plane of largest motion."""
    across = 2 if np.abs(mode.moves[:, 2]).max() > np.abs(mode.moves[:, 0]).max() else 0
    projected, moves = points[:, [across, 1]], mode.moves[:, [across, 1]]
    extent = float(np.ptp(projected, axis=0).max()) or 1.0
    longest = float(np.linalg.norm(moves, axis=1).max())
    moves = moves * (ARROW * extent / longest if longest > 0 else 0.0)
    for color, places, width in (("0.35", projected, 2.4), (PALETTE[1], projected + moves, 1.0)):
        for start, end in sticks:
            axes.plot(
                *places[[start, end]].T, color=color, lw=width, solid_capstyle="round", zorder=2 if width > 2 else 3
            )
    axes.scatter(projected[:, 0], projected[:, 1], s=10, color="0.35", lw=0, zorder=3)
    for place, move in zip(projected, moves, strict=True):
        if np.linalg.norm(move) > SHORT * ARROW * extent:
            arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": PALETTE[0], "lw": 1.3, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", xy=tuple(place + move), xytext=tuple(place), arrowprops=arrow, zorder=4)
    extremes = np.concatenate([projected, projected + moves])
    low, high = extremes.min(axis=0), extremes.max(axis=0)
    middle, half = (low + high) / 2, 0.56 * float((high - low).max())
    axes.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half), aspect="equal")
    axes.set_title(mode.title, fontsize=8)
    axes.set_xlabel(f"{'xyz'[across]} [m]\n{textwrap.fill(mode.note, 42)}", fontsize=7)
    axes.set_ylabel("y [m]", fontsize=7)
    axes.tick_params(labelsize=7)
    bare(axes)
