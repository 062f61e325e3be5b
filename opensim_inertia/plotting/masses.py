"""Picture of muscle mass: bellies along straightened paths.

Fibres of length F start uniformly along an aponeurosis of length P, with uniform mass along each fibre. Mass per length
is therefore a trapezoid: it rises over the shorter of P and F, is constant at ``m / max(P, F)``, and falls again.
Divided by the density of muscle it is the belly's cross-sectional area.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from .._core.arrays import Array
from .._core.choices import STRAINS_IN_WORDS
from .._core.errors import InertiaError
from .._core.opensim import osim
from ..model.model import InertialModel, check_inertial, with_mass_along_whole_path
from ..muscles.masses.donors import Skeleton, main_segment, reference_pose
from ..muscles.masses.estimate import select_muscles
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.paths import defined_points
from ..options.masses import DENSITY
from .page import INK, PALETTE, PicturePath, legend_above, save_picture, sheet, styled

#: Largest total height of rows on A4 [in].
TALLEST = 9.9
#: Largest belly thickness and height of a heading [in], and positions of columns as shares of the axes.
THICKEST, HEADING, COLUMNS = 0.5, 0.26, (1.07, 1.15)
#: Least height of a row for many and for few muscles [in].
ROW = (0.18, 0.4)
#: Font size [pt], and markers of joints.
FONT, SYMBOLS = 7.0, "osD^vPX<>p*h"
#: Style of path points.
POINT: dict[str, Any] = {"lw": 0, "marker": "|", "markersize": 6, "markeredgewidth": 0.8, "color": INK}
#: Heading of muscles without a donor segment.
NO_DONOR = "no segment"
#: Number of points along a path.
COURSE = 401
#: Relative difference of masses and lengths up to which sides are equal.
ALIKE = 0.01


class Row(NamedTuple):
    """A muscle at one pose; positions are arc lengths [m] from the muscle's origin."""

    order: tuple[int, str, float]  # sort key: proximal to distal, grouped by donor
    name: str
    mass: float  # [kg]
    length: float
    corners: Array  # (4,), of the belly; empty for explicit point masses
    areas: Array  # cross-sectional areas at the corners [m^2]
    point_masses: Array  # (n,) [kg]; empty for continuous mass
    point_places: Array
    path_points: Array  # including ends
    crossings: Sequence[tuple[str, float]]  # joints and the path's nearest points to their centres


@styled
def plot_masses(
    inertial: InertialModel, path: PicturePath = None, muscles: str | Iterable[str] | None = None
) -> Figure:
    """Draw the mass along each muscle's straightened path at the reference pose.

    Belly thickness shows cross-sectional area, mass per length over the density of muscle, so that equal areas on paper
    are equal masses; point masses are dots. Path points and joint crossings are marked.

    Args:
        inertial: the model.
        muscles: names or patterns (``"*_r"``) of the muscles to draw. None: all, but only the right side of a symmetric
            model (``_l``, ``_r``).

    Raises:
        UnknownNameError: a name matches no muscle with mass. InertiaError: no muscle has mass.
    """
    check_inertial(inertial)
    if not inertial.muscle_names:
        raise InertiaError(f"no muscle of model '{inertial.model.getName()}' has mass, so there is nothing to draw")
    lengths = inertial.path_lengths(inertial.reference_state())
    one_side = muscles is None and _is_symmetric(inertial, lengths["path"].to_dict())
    chosen = select_muscles(inertial.muscle_names, muscles)
    rows = _rows(inertial, [name for name in chosen if not (one_side and name.endswith("_l"))], lengths, one_side)
    return save_picture(_draw_rows(inertial, rows, _caption(inertial, one_side)), path)


def _rows(inertial: InertialModel, names: Sequence[str], lengths: Any, one_side: bool) -> list[Row]:
    model, state = reference_pose(inertial.original_model(), inertial.reference)
    skeleton, muscles, rows = Skeleton.of(model, state), inertial.muscles, []
    joints: dict[str, tuple[str, Array]] = {}  # names without side, and centres in ground, by child body
    for joint in model.getJointSet():
        frame, name = joint.getChildFrame(), joint.getName().removesuffix("_r" if one_side else "")
        if joint.numCoordinates():
            centre = frame.getPositionInGround(state).to_numpy().copy()
            joints.setdefault(frame.findBaseFrame().getName(), (name, centre))
    whole_paths = with_mass_along_whole_path(inertial, COURSE - 1)  # its mass points are midpoints of equal parts
    courses = whole_paths.mass_points(whole_paths.reference_state(), names, jacobians=False)
    for name in names:
        points, bodies = zip(*_live_points(model, state, name), strict=True)
        material, mass = inertial.material_map(name), muscles.masses[name]
        length, fibre = (float(lengths.loc[name, part]) for part in ("path", "fibre"))
        start, aponeurosis = material.proximal * (length - fibre), material.aponeurosis * (length - fibre)
        even, middles = np.linspace(0.0, length, COURSE), courses[name].positions
        at = np.concatenate([[0.0], (np.arange(len(middles)) + 0.5) / len(middles), [1.0]]) * length
        through = np.concatenate([points[0][None], middles, points[-1][None]])
        course = np.stack([np.interp(even, at, through[:, axis]) for axis in range(3)], axis=1)
        nearest = [0]
        for point in points[1:-1]:
            nearest.append(nearest[-1] + int(np.argmin(np.linalg.norm(course[nearest[-1] :] - point, axis=1))))
        path_points = even[[*nearest, COURSE - 1]]
        corners = areas = point_masses = point_places = np.empty(0)
        if name not in muscles.explicit:
            shorter, longer = sorted((aponeurosis, fibre))
            corners = start + np.array([0.0, shorter, longer, longer + shorter])
            areas = mass / longer / DENSITY * np.array([shorter == 0, 1.0, 1.0, shorter == 0])
        if name in muscles.explicit or not inertial.options.is_continuous:
            lumps = muscles.shown_points(name)
            point_masses, point_places = lumps.masses, start + lumps.chi * aponeurosis + lumps.xi * fibre
        chains = [skeleton.ancestors(body) for body in bodies]
        donor = _donor(inertial, name)
        order = (0, donor, 0.0)
        if (lines := skeleton.lines.get(donor)) is not None:  # a body
            belly = course[int(np.argmin(np.abs(even - start - 0.5 * (aponeurosis + fibre))))]
            along = (belly - lines[0, 0]) @ (lines[:, 1].mean(axis=0) - lines[0, 0])
            order = (len(skeleton.ancestors(donor)), donor, float(along))
        crossings = _crossings(even, course, path_points, chains, joints)
        belly_and_points = (corners, areas, point_masses, point_places)
        rows.append(Row(order, name, mass, length, *belly_and_points, path_points, crossings))
    return sorted(rows, key=lambda row: row.order)


def _crossings(
    even: Array, course: Array, path_points: Array, chains: Sequence[Sequence[str]], joints: Mapping[str, Any]
) -> list[tuple[str, float]]:
    """Return the joints that a path crosses, each with the arc length [m] of the path's point nearest to the joint."""
    crossings = []
    for below in (set(chains[0]) ^ set(chains[-1])) & set(joints):
        name, centre = joints[below]
        changes = np.flatnonzero(np.diff([below in chain for chain in chains]))
        between = (even >= path_points[changes[0]]) & (even <= path_points[changes[-1] + 1])
        distance = np.where(between, np.linalg.norm(course - centre, axis=1), np.inf)
        crossings.append((name, float(even[int(np.argmin(distance))])))
    return sorted(crossings, key=lambda crossing: (crossing[1], crossing[0]))


def _caption(inertial: InertialModel, one_side: bool) -> str:
    is_default = np.allclose(inertial.reference, inertial.coordinates.values(inertial.initial_state()))
    along = "" if inertial.options.is_continuous else f", {inertial.options.points} equal point masses each"
    text = f"Reference pose: {'the default pose' if is_default else 'as given'}; strain: "
    text += f"{STRAINS_IN_WORDS[inertial.options.strain_model.kind]}{along}; density {DENSITY:g} kg/m\u00b3"
    return text + ("; right side and middle only, the left is the same within 1 %." if one_side else ".")


def _is_symmetric(inertial: InertialModel, length: Mapping[str, float]) -> bool:
    explicit, masses = inertial.muscles.explicit, inertial.muscles.masses
    numbers = {name: (masses[name], length[name], name in explicit) for name in inertial.muscle_names}
    left = [name for name in numbers if name.endswith("_l")]
    right = [name[:-2] + "_r" for name in left]
    known = bool(left) and set(right) <= set(numbers)
    return known and np.allclose([numbers[n] for n in left], [numbers[n] for n in right], rtol=ALIKE, atol=0.0)


def _live_points(model: osim.Model, state: osim.State, name: str) -> list[tuple[Array, str]]:
    """Return (position in ground [m], name of the body) of each active point of a muscle's path."""
    places = []
    for point in defined_points(model_muscles(model)[name]):
        if point.isActive(state):
            frame = point.getParentFrame()
            place = frame.findStationLocationInGround(state, point.getLocation(state))
            places.append((place.to_numpy().copy(), str(frame.findBaseFrame().getName())))
    return places


def _donor(inertial: InertialModel, name: str) -> str:
    stretches = inertial.muscles.donors[name]
    return main_segment(stretches) if stretches else NO_DONOR


def _draw_rows(inertial: InertialModel, muscles: Sequence[Row], caption: str) -> Figure:
    """Draw muscles from origin (left) to insertion (right), grouped by the segments that lose the muscles' mass."""
    count = Counter(joint for muscle in muscles for joint, _ in muscle.crossings)
    looks: list[dict[str, Any]] = [
        {"marker": symbol, "markerfacecolor": face, "markeredgecolor": "black", "markeredgewidth": 0.6}
        for face, symbol in product(("white", "0.55", "black"), SYMBOLS)
    ]
    joints = {name: looks[i % len(looks)] for i, (name, _) in enumerate(count.most_common())}
    colors = dict(zip(dict.fromkeys(muscle.order[1] for muscle in muscles), 9 * PALETTE, strict=False))
    peaks = [float(np.max(muscle.areas, initial=0.0)) for muscle in muscles]
    for thickest in THICKEST * 0.95 ** np.arange(15):
        scale = thickest / max(*peaks, 1e-12)
        places, headings, rows = _heights(muscles, [scale * peak for peak in peaks])
        if rows <= TALLEST:
            break
    text = "Thickness of bellies and column 'area': mass per length of path over the density of muscle. "
    text += "A joint is marked where the path that crosses it is nearest to its centre."
    handles = [Line2D([], [], color=INK, lw=0.9, label="free tendon"), Line2D([], [], label="path point", **POINT)]
    heaviest = max(float(np.max(m.point_masses, initial=0.0)) for m in muscles)
    if heaviest:
        handles.append(Line2D([], [], color=INK, lw=0, marker="o", markersize=5, alpha=0.6, label="point mass"))
    handles += [Line2D([], [], lw=0, markersize=4.5, label=f"crosses {name}", **look) for name, look in joints.items()]
    figure = sheet(rows + 0.9 + 0.17 * -(-len(handles) // 4), f"{text} {caption}")
    title = f"{inertial.model.getName()}: muscle mass along the paths"
    legend_above(figure, handles, min(4, len(handles)), title=title)
    axes = figure.subplots()
    longest = max(m.length for m in muscles)
    axes.set(xlim=(-0.012 * longest, 1.012 * longest), ylim=(rows, 0.0), xlabel="arc length from the origin [m]")
    axes.set_yticks(places, [m.name for m in muscles])
    axes.tick_params(axis="y", length=0, pad=5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    cells: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "ha": "right", "fontsize": FONT}
    for y, muscle, peak in zip(places, muscles, peaks, strict=True):
        color, grams = colors[muscle.order[1]], 1e3 * muscle.mass
        axes.plot([0, muscle.length], [y, y], color=INK, lw=0.9, zorder=2)
        if len(muscle.corners):
            half, alpha = 0.5 * scale * muscle.areas, 0.25 if len(muscle.point_masses) else 0.7
            axes.fill_between(muscle.corners, y - half, y + half, facecolor=color, alpha=alpha, lw=0, zorder=3)
        if len(muscle.point_masses):
            sizes = 40.0 * muscle.point_masses / heaviest
            axes.scatter(muscle.point_places, np.full(len(sizes), y), s=sizes, color=color, alpha=0.6, lw=0, zorder=4)
        axes.plot(muscle.path_points, np.full(len(muscle.path_points), y), zorder=5, clip_on=False, **POINT)
        for joint, place in muscle.crossings:
            axes.plot([place], [y], lw=0, markersize=4.5, zorder=6, clip_on=False, **joints[joint])
        texts = f"{grams:.0f}" if grams >= 10 else f"{grams:.2g}", f"{1e4 * peak:.1f}" if peak else "-"
        for x, cell in zip(COLUMNS, texts, strict=True):
            axes.text(x, y, cell, va="center", **cells)
    _draw_heads(axes, inertial, muscles, headings, colors)
    top = min(headings.values())
    for x, name in zip(COLUMNS, ("mass\n[g]", "area\n[cm²]"), strict=True):
        axes.text(x, top + 0.06, name, va="bottom", color=INK, **cells)
    if max(peaks) > 0:
        _scale_bar(axes, top, max(peaks), scale)
    return figure


def _heights(muscles: Sequence[Row], thick: list[float]) -> tuple[list[float], dict[str, float], float]:
    """Return vertical positions [in] of muscles and of donor segments' headings on the page, and the total height."""
    thinnest, y = float(np.clip(4.0 / len(thick), *ROW)), 0.0
    places, headings = list[float](), dict[str, float]()
    for (_, donor, _), t in zip((muscle.order for muscle in muscles), thick, strict=True):
        if donor not in headings:
            y += 0.1 if headings else 0.0
            headings[donor] = y + 0.5 * HEADING
            y += HEADING
        row = max(thinnest, t + 0.06)
        places.append(y + 0.5 * row)
        y += row
    return places, headings, y + 0.06


def _draw_heads(
    axes: Axes,
    inertial: InertialModel,
    muscles: Sequence[Row],
    headings: Mapping[str, float],
    colors: Mapping[str, str],
) -> None:
    shown = Counter(muscle.order[1] for muscle in muscles)
    all_of = Counter(_donor(inertial, name) for name in inertial.muscle_names)
    table = inertial.segments.reindex(list(headings), fill_value=0.0)
    for donor, y in headings.items():
        mass, of_muscles = (float(table.loc[donor, column]) for column in ("mass", "muscles"))
        hidden = all_of[donor] - shown[donor]
        text = f"muscles: {of_muscles:.2f} of {mass:.2f} kg" if of_muscles else "nothing is subtracted"
        text += f", with {hidden} {'muscle' if hidden == 1 else 'muscles'} not shown" if hidden else ""
        look: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "va": "center", "color": colors[donor]}
        axes.text(-0.01, y, donor, ha="right", weight="bold", **look)
        axes.text(0.0, y, text, ha="left", **look)


def _scale_bar(axes: Axes, y: float, peak: float, scale: float) -> None:
    exponent = np.floor(np.log10(1e4 * peak))
    area = max((f * 10**exponent for f in (1, 2, 5) if f * 10**exponent <= 1e4 * peak), default=10**exponent)
    half = 0.5 * scale * 1e-4 * area
    x0, x1 = axes.get_xlim()
    x = x0 + 0.965 * (x1 - x0)
    axes.fill_between([x - 0.02 * (x1 - x0), x], y - half, y + half, color="0.6", lw=0)
    label = f"{area:g} cm² of cross-section"
    axes.text(x - 0.03 * (x1 - x0), y, label, ha="right", va="center", fontsize=FONT, color=INK)
