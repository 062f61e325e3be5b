"""Pictures of stability: the share of stable patterns over stiffness, eigenvalues, and modes as arrows on a pose."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .._core.arrays import Array
from .._core.checks import check_count
from .._core.errors import ModelError
from .._core.provenance import assumptions_caption
from .saving import save_picture
from .style import INK, LETTERS_PER_INCH, PALETTE, bare

if TYPE_CHECKING:
    from ..analyses.stability.linearization import Linearization
    from ..analyses.stability.linearization.result import Mode
    from ..analyses.stability.linearization.scene import Scene
    from ..analyses.stability.posture import StableShare

__all__ = ["plot_eigenvalues", "plot_modes", "plot_share"]

#: Modes that a picture may have at most.
MOST_MODES = 40
#: Coordinates are noted beside a mode if they move by more than this share of the largest.
LEAST_NOTED = 0.05

#: Share of the pose's extent that the largest arrow of a mode covers.
ARROW = 0.22
#: Points beyond this number are drawn small.
MANY = 200
#: Arrows below this share of the largest are left out.
SHORT = 0.03
#: Styles of curves that may lie on each other.
LINES: tuple[dict[str, Any], ...] = ({"lw": 3.4, "alpha": 0.45}, {"lw": 1.3}, {"lw": 1.3, "ls": "--"})


def plot_share(
    share: StableShare,
    path: str | os.PathLike[str] | None = None,
    others: Mapping[str, StableShare] | None = None,
    name: str = "inertial muscles",
) -> Figure:
    """Draw the share of stable patterns over intrinsic stiffness (Bunderson et al. 2012, fig. 2b).

    Args:
        share: the share.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        others: shares to draw beside, by name, as of the model with all mass in the segments.
        name: what this one is called beside them.

    Raises:
        OptionError: the file is no picture. OutputError: it cannot be written.
    """
    curves = {name: share, **(others or {})}
    figure = Figure(figsize=(5.6, 3.9), layout="constrained")
    axes = figure.subplots()
    for i, (label, each) in enumerate(curves.items()):
        style = LINES[min(i, len(LINES) - 1)] if len(curves) > 1 else LINES[1]
        look: dict[str, Any] = {"marker": "o", "ms": 4, "color": PALETTE[i % len(PALETTE)], "label": label} | style
        axes.plot(each.stiffnesses, 100 * each.share, **look)
    axes.set(ylim=(-3, 103), xlabel="intrinsic stiffness [Fmax / lopt per unit of activation]")
    axes.set_ylabel("stable activation patterns [%]")
    axes.grid(axis="y", color="0.92", lw=0.6)
    if len(curves) > 1:
        axes.legend(frameon=False, fontsize=8)
    axes.set_title(f"{share.model}: activation patterns that hold the posture", fontsize=10)
    bare(axes)
    drawn = f"{len(share.patterns)} patterns, uniform among all that hold it."
    _caption(figure, f"{drawn} {assumptions_caption(share.provenance)}")
    return save_picture(figure, path)


def plot_eigenvalues(
    share: StableShare, path: str | os.PathLike[str] | None = None, stiffnesses: Sequence[float] | None = None
) -> Figure:
    """Draw the eigenvalues of all patterns in the complex plane, at some of the stiffnesses.

    Args:
        share: the share of stable patterns.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        stiffnesses: the nearest of those that there are; None: where the share is next to 0, 0.5 and 1.

    Raises:
        OptionError: the file is no picture. OutputError: it cannot be written.
    """
    known, wanted = (share.share, (0.0, 0.5, 1.0)) if stiffnesses is None else (share.stiffnesses, stiffnesses)
    which = sorted({int(np.argmin(np.abs(known - value))) for value in wanted})
    clouds = {f"stiffness {share.stiffnesses[i]:g}": share.eigenvalues[i] for i in which}
    figure = Figure(figsize=(max(3.1 * len(clouds), 4.6), 3.8), layout="constrained")
    panels = figure.subplots(1, len(clouds), squeeze=False, sharex=True, sharey=True)[0]
    for axes, (name, values) in zip(panels, clouds.items(), strict=True):
        stable = (values.real < 0).all(axis=-1)
        for patterns, color, label in (
            (stable, PALETTE[0], "stable patterns"),
            (~stable, PALETTE[1], "unstable patterns"),
        ):
            points = values[patterns].ravel()
            size = 3.0 if len(points) > MANY else 14.0
            axes.scatter(points.real, points.imag, s=size, color=color, lw=0, alpha=0.5, label=label, rasterized=True)
        axes.axvline(0.0, color=INK, lw=0.8)
        axes.axhline(0.0, color="0.85", lw=0.6, zorder=0)
        part = f"{100 * stable.mean():.3g} % stable" if stable.size > 1 else "stable" if stable.all() else "unstable"
        axes.set_title(f"{name}: {part}", fontsize=9)
        axes.set_xlabel("real part [1/s]")
        bare(axes)
    _scale(panels[0], np.concatenate([values.real.ravel() for values in clouds.values()]))
    panels[0].set_ylabel("imaginary part [rad/s]")
    figure.suptitle(f"{share.model}: eigenvalues of activation patterns", fontsize=10)
    _caption(
        figure,
        f"{len(share.patterns)} patterns that hold the posture; intrinsic stiffness in Fmax / lopt per unit of "
        "activation; a pattern is stable where all of its eigenvalues lie to the left of zero. "
        f"Blue: of stable patterns; orange: of unstable ones. {assumptions_caption(share.provenance)}",
    )
    return save_picture(figure, path)


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


def plot_modes(linear: Linearization, path: str | os.PathLike[str] | None = None, most: int = 4) -> Figure:
    """Draw the modes that grow fastest, or decay most slowly, as arrows on the pose.

    Each is drawn in the sagittal or frontal plane, whichever it moves in most. Modes that move no coordinate, as of
    activations alone, are left out. Of modes that oscillate the real part is drawn.

    Args:
        linear: the linearization.
        path: file to write (.png, .svg or .pdf); None to return the figure only.
        most: how many modes to draw.

    Raises:
        ModelError: the linearization was pickled or copied, or no mode moves a coordinate. OptionError: ``most`` is no
            number of modes, or ``path`` no picture. OutputError: the file cannot be written.
    """
    check_count("most", most, MOST_MODES)
    scene = linear.scene
    if scene is None:
        raise ModelError("this linearization holds no model, for it was pickled or copied: linearise again")
    modes = [mode for mode in linear.modes() if max(map(abs, mode.coordinates().values()), default=0.0) > 0.5][:most]
    if not modes:
        raise ModelError("no mode moves a coordinate")
    columns = min(4, len(modes))
    rows = -(-len(modes) // columns)
    figure = Figure(figsize=(2.7 * columns, 3.3 * rows + 0.3), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False)
    for axes in panels.flat[len(modes) :]:
        axes.axis("off")
    for axes, mode in zip(panels.flat, modes, strict=False):
        _draw_mode(axes, scene, mode)
    figure.suptitle(f"{scene.name}: {'stable' if linear.is_stable else 'unstable'}", fontsize=10)
    _caption(figure, scene.caption)
    return save_picture(figure, path)


def _draw_mode(axes: Axes, scene: Scene, mode: Mode) -> None:
    """Draw the pose, the pose moved along a mode, and arrows from one to the other, in the plane of largest motion."""
    changes = mode.coordinates()
    moves = scene.moves(np.array([changes[name].real for name in scene.coordinate_names]))
    across = 2 if np.abs(moves[:, 2]).max() > np.abs(moves[:, 0]).max() else 0
    projected, moves = scene.points()[:, [across, 1]], moves[:, [across, 1]]
    extent = float(np.ptp(projected, axis=0).max()) or 1.0
    longest = float(np.linalg.norm(moves, axis=1).max())
    moves = moves * (ARROW * extent / longest if longest > 0 else 0.0)
    for color, places, width in (("0.35", projected, 2.4), (PALETTE[1], projected + moves, 1.0)):
        for start, end in scene.sticks:
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
    largest = sorted(changes, key=lambda name: -abs(changes[name]))[:3]
    note = ", ".join(f"{name} {changes[name].real:+.2f}" for name in largest if abs(changes[name]) > LEAST_NOTED)
    axes.set_title(_title(mode), fontsize=8)
    axes.set_xlabel(f"{'xyz'[across]} [m]\n{textwrap.fill(note, 42)}", fontsize=7)
    axes.set_ylabel("y [m]", fontsize=7)
    axes.tick_params(labelsize=7)
    bare(axes)


def _title(mode: Mode) -> str:
    """Return a mode's eigenvalue, and in which time the mode doubles or halves."""
    from ..analyses.stability.linearization.result import NEUTRAL

    value = mode.eigenvalue
    how = f", {mode.frequency:.3g} Hz" if mode.frequency else ""
    if abs(value.real) <= NEUTRAL * abs(value):
        return f"{replace(mode, eigenvalue=complex(0.0, value.imag))} 1/s\nneither grows nor decays{how}"
    return f"{mode} 1/s\n{'doubles' if value.real > 0 else 'halves'} in {abs(mode.doubling_time):.3g} s{how}"
