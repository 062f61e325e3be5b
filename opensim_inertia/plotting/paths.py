"""Pictures of muscle paths: moment arms and errors of length polynomials, and a touch of a wrap surface."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatter, MaxNLocator

from .._core.arrays import Array
from .._core.checks import check_picture
from .._core.choices import WrappingKind
from .._core.errors import InertiaError, UnknownNameError
from .._core.opensim import osim
from ..muscles.masses.estimate import select_muscles
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.coordinates import WIDEST, follow_couplers
from .page import INK, PALETTE, PicturePath, legend_above, panels, save_picture, sheet, spoken, styled

if TYPE_CHECKING:
    from ..analyses.length_polynomials.polynomial_set import LengthPolynomials
    from ..analyses.length_polynomials.samples import PoseSource
    from ..options.modelling import Wrapping
    from ..paths.path_comparison import PathComparison, Way


#: Curves that a legend names; more are drawn alike.
MOST_NAMED = 7
#: Mass points of a touch, as shares of the path, with their colours.
COLORS = dict(zip((0.1, 0.3, 0.5, 0.7, 0.9), PALETTE, strict=False))
#: Paths through a touch, and how they are drawn.
DRAWN: dict[Way, dict[str, Any]] = {
    "opensim": {"lw": 1.0, "alpha": 0.75, "label": "OpenSim"},
    "ours": {"lw": 1.8, "ls": (0, (1, 1.2)), "label": "ours"},
}
#: Values of the coordinate: to find a touch, and of the picture, which shows a sixth of the range around it.
COARSE, FINE, SHOWN = 61, 241, 1 / 6


@styled
def plot_moment_arms(
    polynomials: LengthPolynomials, muscle: str, path: PicturePath = None, poses: PoseSource | None = None
) -> Figure:
    """Draw a muscle's moment arms, fitted and OpenSim's: along a motion, or through each coordinate's range.

    Args:
        polynomials: the length polynomials.
        muscle: its name.
        poses: as :meth:`.LengthPolynomials.comparison` takes them.

    Raises:
        UnknownNameError: the muscle was not fitted. OptionError: there are no poses to draw.
    """
    compared = polynomials.comparison(muscle, poses)
    columns = min(3, len(compared))
    figure = sheet(1.9 * -(-len(compared) // columns) + 0.5)
    axes = panels(figure, len(compared), columns)
    for axis, panel in zip(axes, compared, strict=True):
        axis.plot(panel.places, panel.exact, color=INK, lw=2.2, label="OpenSim")
        axis.plot(panel.places, panel.fitted, color=PALETTE[0], lw=1.0, label="fitted")
        axis.set(title=spoken(panel.quantity), xlabel=spoken(panel.label))
        axis.margins(x=0)
    name = select_muscles(polynomials.muscle_names, [muscle])[0]
    terms = len(polynomials.by_muscle[name].polynomial.exponents)
    title = f"{muscle}: {terms} terms, {polynomials.options['rotations']}"
    legend_above(figure, axes[0].lines, title=title)
    return save_picture(figure, path)


@styled
def plot_terms(
    polynomials: LengthPolynomials, path: PicturePath = None, muscles: str | Iterable[str] | None = None
) -> Figure:
    """Draw the error against the number of terms: root mean square over lengths and moment arms together.

    Args:
        polynomials: the length polynomials.
        muscles: names or shell patterns; default: all.

    Raises:
        UnknownNameError: a muscle was not fitted.
    """
    names, options = select_muscles(polynomials.muscle_names, muscles), polynomials.options
    title = f"{polynomials.model.getName()}: {options['rotations']}, stop at {100 * options['stop']:g} %"
    figure = sheet(3.4)
    axis = figure.subplots()
    has_names = len(names) <= MOST_NAMED
    for i, name in enumerate(names):
        errors, color = 1e3 * polynomials.by_muscle[name].rmse, PALETTE[i % len(PALETTE) if has_names else 0]
        look = {"label": name} if has_names else {"lw": 0.7, "alpha": 0.5}
        axis.plot(np.arange(1, len(errors) + 1), errors, color=color, **look)
        axis.plot(len(errors), errors[-1], "o", color=color, ms=3.5)
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(LogFormatter())
    axis.yaxis.set_minor_formatter(LogFormatter(minor_thresholds=(2, 0.5)))
    axis.set(xlabel="terms", ylabel="RMS error of length and moment arms [mm]")
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))
    axis.grid(axis="y")
    axis.set_title(title if has_names else f"{title}; {len(names)} muscles", loc="left")
    if has_names:
        axis.legend()
    return save_picture(figure, path)


@styled
def plot_touch(
    model: osim.Model | str | os.PathLike[str],
    muscle: str,
    coordinate: str | None = None,
    path: PicturePath = None,
    wrapping: WrappingKind | Wrapping = "analytic",
) -> Figure:
    """Draw five mass points and their Jacobian through a touch (Wang et al. 2022, figure 4 d, e).

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file; not modified.
        muscle: a wrapping muscle.
        coordinate: to sweep, the others at their defaults; None: the one that changes the path's length most, of those
            that take it through a touch. The touch nearest to the default pose is drawn.
        wrapping: as :func:`~opensim_inertia.compare_wraps` takes it.

    Raises:
        UnknownNameError: the muscle or coordinate is not in the model.
        InertiaError: the muscle has no active wrap objects, or the coordinate does not move it.
    """
    if path is not None:
        check_picture(path)
    from ..analyses.wrapping_report import prepare_comparison

    paths, _, unsupported = prepare_comparison(model, muscle, wrapping)
    names = list(model_muscles(paths.model))
    if muscle not in names:  # a pattern
        raise UnknownNameError("muscle", muscle, names)
    if muscle in unsupported:
        raise InertiaError(unsupported[muscle])
    if muscle not in paths.live or not paths.surfaces(muscle):
        raise InertiaError(f"muscle '{muscle}' has no active wrap objects")
    figure = _draw(paths, muscle, *_find_touch(paths, muscle, _swept(paths, muscle, coordinate)))
    return save_picture(figure, path)


def _swept(paths: PathComparison, muscle: str, coordinate: str | None) -> list[str]:
    """Return the coordinates that may be swept: the given one, or all that move the muscle."""
    moving = paths.moved_by(muscle, locked=coordinate is not None)
    if coordinate is None:
        if not moving:
            raise InertiaError(f"no coordinate moves muscle '{muscle}'")
        return moving
    if coordinate not in paths.coordinates.names:
        raise UnknownNameError("coordinate", coordinate, paths.coordinates.names)
    if coordinate not in moving:
        names = ", ".join(moving)
        raise InertiaError(f"coordinate '{coordinate}' does not move muscle '{muscle}'; these do: {names}")
    return [coordinate]


def _range(paths: PathComparison, coordinate: str) -> tuple[float, float]:
    i = paths.coordinates.index(coordinate)
    default, (low, high) = paths.coordinates.defaults[i], paths.coordinates.ranges[i]
    return float(max(low, default - WIDEST)), float(min(high, default + WIDEST))


def _set_value(paths: PathComparison, muscle: str, coordinate: str, value: float) -> frozenset[str]:
    """Set the default pose but for a coordinate; return the surfaces that OpenSim's path of a muscle touches there."""
    q = paths.coordinates.defaults.copy()
    q[paths.coordinates.index(coordinate)] = value
    paths.set_pose(follow_couplers(paths.model, paths.coordinates, q[None])[0], [muscle])
    return frozenset(paths.shapes[muscle].surfaces)


def _find_touch(paths: PathComparison, muscle: str, coordinates: list[str]) -> tuple[str, str, float | None]:
    """Return a coordinate, a surface, and the value nearest to its default at which they touch; None for none."""
    found = []
    for coordinate in coordinates:
        values, touched, lengths = np.linspace(*_range(paths, coordinate), COARSE), [], []
        for value in values:
            touched.append(_set_value(paths, muscle, coordinate, value))
            lengths.append(paths.length(muscle, "ours"))
        default = paths.coordinates.defaults[paths.coordinates.index(coordinate)]
        changes = [k for k in range(COARSE - 1) if touched[k] != touched[k + 1]]
        k = min(changes, key=lambda k: abs(values[k : k + 2].mean() - default), default=None)
        found.append((k is not None, float(np.ptp(lengths)), coordinate, touched, values, k))
    _, _, coordinate, touched, values, k = max(found, key=lambda each: each[:2])
    if k is None:
        return coordinate, paths.surfaces(muscle)[0].name, None
    surface = min(touched[k] ^ touched[k + 1])
    a, b = values[k : k + 2]
    for _ in range(24):
        middle = 0.5 * (a + b)
        is_as_before = (surface in _set_value(paths, muscle, coordinate, middle)) == (surface in touched[k])
        a, b = (middle, b) if is_as_before else (a, middle)
    return coordinate, surface, float(0.5 * (a + b))


def _draw(paths: PathComparison, muscle: str, coordinate: str, surface: str, touch: float | None) -> Figure:
    low, high = _range(paths, coordinate)
    if touch is not None:
        half = 0.5 * SHOWN * (high - low)
        low, high = max(low, touch - half), min(high, touch + half)
    values, body = np.linspace(low, high, FINE), paths.live[muscle].surfaces[surface].body
    b, shares = paths.bodies.index(body), np.array(list(COLORS))
    places: dict[Way, list[Array]] = {way: [] for way in DRAWN}
    for value in values:
        _set_value(paths, muscle, coordinate, value)
        for way in DRAWN:
            from_body = paths.positions(muscle, way, shares) - paths.kinematics.position[b]
            places[way].append(1e3 * from_body @ paths.kinematics.rotation[b])
    derivatives = {way: np.gradient(np.array(of_way), values, axis=0) for way, of_way in places.items()}
    start = places["opensim"][0 if touch is None else FINE // 2]
    moved = {way: np.array(of_way) - start for way, of_way in places.items()}
    bend = np.abs(np.diff(derivatives["opensim"], axis=0))
    axis = int(np.argmax(np.nan_to_num(bend).max(axis=0).sum(axis=0)))  # in which velocities jump most
    turns = paths.coordinates.rotational[paths.coordinates.index(coordinate)]
    scale, unit = (np.degrees(1.0), "deg") if turns else (1e3, "mm")
    figure = sheet(3.4)
    titles = (
        f"{'xyz'[axis]} of the mass points in {body}, as they move [mm]",
        f"its Jacobian [{'mm/rad' if turns else 'mm/m'}]",
    )
    for axes, by_way, title in zip(panels(figure, 2, 2), (moved, derivatives), titles, strict=True):
        for way, line in DRAWN.items():
            for curve, color in zip(by_way[way][:, :, axis].T, PALETTE, strict=False):
                axes.plot(scale * values, curve, color=color, **line)
        if touch is not None:
            axes.axvline(scale * touch, color="0.6", lw=0.8, zorder=0)
        inner = np.nanpercentile([by_way[way] for way in DRAWN], [1, 99], axis=(0, 1))[:, :, axis]
        margin = 0.15 * np.ptp(inner) + 1e-9
        axes.set_ylim(inner.min() - margin, inner.max() + margin)  # without jumps of OpenSim's path
        axes.set(title=title, xlabel=f"{coordinate} [{unit}]")
        axes.margins(x=0)
    never = "" if touch is not None else "; it neither meets nor leaves it"
    handles = [Line2D([], [], color=c, lw=3, label=f"mass at {100 * share:.0f} %") for share, c in COLORS.items()]
    handles += [Line2D([], [], color="0.3", **line) for line in DRAWN.values()]
    title = f"{muscle} over {surface}, moving {coordinate}{never}"
    legend_above(figure, handles, len(COLORS), title=title)
    return figure
