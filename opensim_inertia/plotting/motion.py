"""Pictures of simulated motions and of stability: coordinates and energies, stable patterns, eigenvalues and modes."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .._core.arrays import Array
from .._core.checks import check_names
from .._core.errors import ModelError
from .._core.options import whole
from .._core.provenance import assumptions_caption
from .page import (
    DOUBLE,
    INK,
    KIND_COLORS,
    PALETTE,
    SINGLE,
    STYLES,
    PicturePath,
    check_drawn,
    draw_rows,
    panels,
    save_picture,
    sheet,
    spoken,
    styled,
)

if TYPE_CHECKING:
    from ..analyses.forward_simulation import Trajectory
    from ..analyses.stability import Linearization, StableShare
    from ..analyses.stability.result import Mode, Scene


#: Kinetic, potential and total energy.
COLORS = {"kinetic": PALETTE[0], "potential": PALETTE[1], "total": "0.15"}
#: Labels of coordinates and factors by their unit.
LABELS = {"rad": ("angle [deg]", np.degrees(1.0)), "m": ("[m]", 1.0), "": ("value", 1.0)}
#: Modes in a picture, at most.
MOST_MODES = 40
#: Share of the pose's extent that the largest arrow of a mode covers; shares of it below which arrows are left out, and
#: shares of the largest change below which coordinates are not noted.
ARROW, SHORT, LEAST_NOTED = 0.22, 0.03, 0.05
#: Points beyond this number are drawn small.
MANY = 200


@styled
def plot_motion(
    trajectory: Trajectory,
    path: PicturePath = None,
    coordinates: Sequence[str] | None = None,
    most: int = 4,
    lumped: Trajectory | None = None,
) -> Figure:
    """Draw the coordinates of a simulation over time, and its energies without those stored in muscles.

    Args:
        trajectory: the simulation, with its model.
        coordinates: names; default: those that move most.
        most: how many there are by default.
        lumped: a simulation of the same model with all mass in the segments, to draw its coordinates beside.

    Raises:
        UnknownNameError: there is no such coordinate. ModelError: the trajectory holds no model.
    """
    check_drawn(most, "coordinates", coordinates)
    table = trajectory.coordinates()
    check_names("coordinate", coordinates or (), table.columns)
    from ..analyses.forward_simulation.replay import energies

    energy = energies(trajectory.system, trajectory.times, trajectory.y)
    tables = ({} if lumped is None else {"lumped": lumped.coordinates()}) | {"inertial": table}
    ranges = np.ptp(table.to_numpy(), axis=0)
    names = coordinates or [table.columns[i] for i in sorted(np.argsort(-ranges, kind="stable")[:most])]

    def draw(k: int, axis: Axes) -> None:
        label, factor = LABELS[trajectory.layout.unit(names[k])]
        for kind, values in tables.items():
            axis.plot(values.index, factor * values[names[k]].to_numpy(), **STYLES[kind])
        axis.set(title=spoken(names[k]), ylabel=label)
        axis.margins(x=0)

    def below(axis: Axes) -> None:
        for name, color in COLORS.items():
            values = energy[name] if name == "kinetic" else energy[name] - energy["elastic_muscles"]
            axis.plot(energy.index, values, color=color, label=name)
        axis.set(title="energy of bones, springs and the muscles' mass", ylabel="energy [J]")
        axis.margins(x=0)
        axis.legend()

    return save_picture(draw_rows(len(names), "time [s]", "", draw, (1.4,), below), path)


@styled
def plot_share(
    share: StableShare,
    path: PicturePath = None,
    others: Mapping[str, StableShare] | None = None,
    name: str = "inertial muscles",
) -> Figure:
    """Draw the share of stable patterns over intrinsic stiffness (Bunderson et al. 2012, fig. 2b).

    Args:
        share: the share.
        others: shares to draw beside, by name, as of the model with all mass in the segments.
        name: what this one is called beside them.
    """
    curves = {name: share, **(others or {})}
    drawn = f"{len(share.patterns)} patterns, uniform among all that hold it."
    figure = sheet(2.6, f"{drawn} {assumptions_caption(share.provenance)}", SINGLE)
    axes = figure.subplots()
    colors = (KIND_COLORS["inertial"], KIND_COLORS["lumped"], *PALETTE)
    for i, ((label, each), color) in enumerate(zip(curves.items(), cycle(colors))):
        lw, ms, zorder = (2.4, 5, 2) if i == 1 else (1.0, 3, 3)  # they may lie on each other
        look: dict[str, Any] = {"marker": "o", "ms": ms, "lw": lw, "zorder": zorder, "color": color, "label": label}
        axes.plot(each.stiffnesses, 100 * each.share, **look)
    axes.set(ylim=(-3, 103), xlabel="intrinsic stiffness [Fmax / lopt per unit of activation]")
    axes.set_ylabel("stable activation patterns [%]")
    axes.grid(axis="y")
    if len(curves) > 1:
        axes.legend()
    axes.set_title(f"{share.model}: patterns that hold the posture")
    return save_picture(figure, path)


@styled
def plot_eigenvalues(
    share: StableShare, path: PicturePath = None, stiffnesses: Sequence[float] | None = None
) -> Figure:
    """Draw the eigenvalues of all patterns in the complex plane, at some of the stiffnesses.

    Args:
        share: the share of stable patterns.
        stiffnesses: the nearest of those that there are; None: where the share is next to 0, 0.5 and 1.
    """
    known, wanted = (share.share, (0.0, 0.5, 1.0)) if stiffnesses is None else (share.stiffnesses, stiffnesses)
    which = sorted({int(np.argmin(np.abs(known - value))) for value in wanted})
    clouds = {f"stiffness {share.stiffnesses[i]:g}": share.eigenvalues[i] for i in which}
    about = (
        f"{len(share.patterns)} patterns that hold the posture; intrinsic stiffness in Fmax / lopt per unit of "
        "activation; a pattern is stable where all of its eigenvalues lie to the left of zero. "
        f"Blue: of stable patterns; orange: of unstable ones. {assumptions_caption(share.provenance)}"
    )
    figure = sheet(2.8, about, DOUBLE if len(clouds) > 1 else SINGLE)
    beside = panels(figure, len(clouds), len(clouds), sharex=True, sharey=True)
    for axes, (name, values) in zip(beside, clouds.items(), strict=True):
        stable = (values.real < 0).all(axis=-1)
        for patterns, color in ((stable, PALETTE[0]), (~stable, PALETTE[3])):
            points = values[patterns].ravel()
            size = 3.0 if len(points) > MANY else 14.0
            axes.scatter(points.real, points.imag, s=size, color=color, lw=0, alpha=0.5, rasterized=True)
        axes.axvline(0.0, color=INK, lw=0.8)
        axes.axhline(0.0, color="0.85", lw=0.6, zorder=0)
        part = f"{100 * stable.mean():.3g} % stable" if stable.size > 1 else "stable" if stable.all() else "unstable"
        axes.set(title=f"{name}: {part}", xlabel="real part [1/s]")
    _scale(beside[0], np.concatenate([values.real.ravel() for values in clouds.values()]))
    beside[0].set_ylabel("imaginary part [rad/s]")
    figure.suptitle(f"{share.model}: eigenvalues of activation patterns")
    return save_picture(figure, path)


def _scale(axes: Axes, parts: Array) -> None:
    """Let the horizontal axis be linear within +-1 and logarithmic beyond, with room for real parts (N,)."""
    axes.set_xscale("symlog", linthresh=1.0, linscale=0.5)
    left, right = min(-2.0, 1.5 * float(parts.min(initial=0.0))), max(2.0, 1.5 * float(parts.max(initial=0.0)))
    decades = [10.0**k for k in range(1, 12)]
    ticks = [-x for x in reversed(decades) if -x >= left] + [0.0] + [x for x in decades if x <= right]
    axes.set(xlim=(left, right), xticks=ticks)
    axes.minorticks_off()


@styled
def plot_modes(linear: Linearization, path: PicturePath = None, most: int = 4) -> Figure:
    """Draw the modes that grow fastest, or decay most slowly, as arrows on the pose.

    Each is drawn in the sagittal or frontal plane, whichever it moves in most. Modes that move no coordinate, as of
    activations alone, are left out. Of modes that oscillate the real part is drawn.

    Args:
        linear: the linearization.
        most: how many modes to draw.

    Raises:
        ModelError: the linearization was pickled or copied, or no mode moves a coordinate.
    """
    whole(1, MOST_MODES)("most", most)
    scene = linear.scene
    if scene is None:
        raise ModelError("this linearization holds no model, for it was pickled or copied: linearise again")
    modes = [mode for mode in linear.modes() if max(map(abs, mode.coordinates().values()), default=0.0) > 0.5][:most]
    if not modes:
        raise ModelError("no mode moves a coordinate")
    columns = min(4, len(modes))
    figure = sheet(
        2.4 * -(-len(modes) // columns) + 0.3, assumptions_caption(linear.provenance), DOUBLE if columns > 1 else SINGLE
    )
    for axes, mode in zip(panels(figure, len(modes), columns), modes, strict=True):
        _draw_mode(axes, scene, mode)
    figure.suptitle(f"{scene.name}: {'stable' if linear.is_stable else 'unstable'}")
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
    for color, places, width in (("0.35", projected, 2.0), (PALETTE[1], projected + moves, 0.8)):
        for stick in scene.sticks:
            axes.plot(*places[list(stick)].T, color=color, lw=width, solid_capstyle="round", zorder=2 + (width < 2))
    axes.scatter(projected[:, 0], projected[:, 1], s=10, color="0.35", lw=0, zorder=3)
    for place, move in zip(projected, moves, strict=True):
        if np.linalg.norm(move) > SHORT * ARROW * extent:
            arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": PALETTE[0], "lw": 1.0, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", xy=tuple(place + move), xytext=tuple(place), arrowprops=arrow, zorder=4)
    extremes = np.concatenate([projected, projected + moves])
    low, high = extremes.min(axis=0), extremes.max(axis=0)
    middle, half = (low + high) / 2, 0.56 * float((high - low).max())
    axes.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half), aspect="equal")
    largest = sorted(changes, key=lambda name: -abs(changes[name]))[:3]
    note = ", ".join(f"{name} {changes[name].real:+.2f}" for name in largest if abs(changes[name]) > LEAST_NOTED)
    axes.set(title=_title(mode), ylabel="y [m]")
    axes.set_xlabel(f"{'xyz'[across]} [m]\n{textwrap.fill(note, 28)}", fontsize=6)


def _title(mode: Mode) -> str:
    """Return a mode's eigenvalue, and in which time the mode doubles or halves."""
    from ..analyses.stability.result import NEUTRAL

    value = mode.eigenvalue
    how = f", {mode.frequency:.3g} Hz" if mode.frequency else ""
    if abs(value.real) <= NEUTRAL * abs(value):
        return f"{replace(mode, eigenvalue=complex(0.0, value.imag))} 1/s\nneither grows nor decays{how}"
    return f"{mode} 1/s\n{'doubles' if value.real > 0 else 'halves'} in {abs(mode.doubling_time):.3g} s{how}"
