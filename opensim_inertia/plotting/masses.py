"""Pictures of muscle mass: bellies along straight paths, one below the other, and to scale on the skeleton.

Fibres of length F start evenly along an aponeurosis of length P, and their mass lies evenly along them. Mass per length
along the path is therefore a trapezoid from the belly's start ``A`` to its end ``A + P + F``: it rises over the shorter
of P and F, is ``m / max(P, F)`` where it is constant, and falls over the shorter again. Without aponeurosis it is a
bar. Divided by the density of muscle it is the area of the belly's cross-section.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator

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
from .page import DOUBLE, INK, PALETTE, PicturePath, legend_above, panels, save_picture, sheet, styled

#: Largest height of all rows, what is left of A4, as long as bellies need not become half as thick for it [in].
TALLEST = 9.9
#: Largest thickness of a belly and heights of a donor's heading [in], and places of the columns as shares of the axes.
THICKEST, HEADING, COLUMNS = 0.5, 0.26, (1.07, 1.15)
#: Least height of a row [in]: where there are many muscles, and where there are few.
ROW = (0.18, 0.4)
#: Size of texts [pt], and markers of joints.
FONT, SYMBOLS = 7.0, "osD^vPX<>p*h"
#: Titles of the views of the skeleton, and the largest height of a view and width of both together [in].
VIEWS, HIGHEST, WIDEST = ("from the right side", "from the front"), 8.0, DOUBLE - 0.8
#: Bones, from joint centre to joint centre.
BONE: dict[str, Any] = {"color": "0.2", "lw": 1.3, "marker": "o", "markersize": 4, "markerfacecolor": "white"}
#: Muscles are named on the skeleton where there are no more of them.
NAMED = 12
#: Marks of path points.
POINT: dict[str, Any] = {"lw": 0, "marker": "|", "markersize": 6, "markeredgewidth": 0.8, "color": INK}
#: Heading of muscles that are subtracted from no segment.
NO_DONOR = "no segment"
#: Points by which a path is drawn.
COURSE = 401
#: Relative difference of masses and lengths below which left and right are the same.
ALIKE = 0.01


@styled
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
    return save_picture(_draw_rows(mass_picture(inertial, muscles)), path)


@styled
def plot_bellies(
    inertial: InertialModel, path: PicturePath = None, muscles: str | Iterable[str] | None = None
) -> Figure:
    """Draw bellies, to scale, on the lines of the skeleton at the reference pose, from the side and from the front.

    Arguments and errors are those of :func:`plot_masses`.
    """
    return save_picture(_draw_skeleton(mass_picture(inertial, muscles)), path)


def linear_density(mass: float, start: float, aponeurosis: float, fibre: float) -> tuple[Array, Array]:
    """Return arc lengths [m] and mass per length [kg/m] at the corners (4,) of a belly that starts at ``start`` [m]."""
    shorter, longer = sorted((aponeurosis, fibre))
    ends = np.array([0.0, shorter, longer, longer + shorter])
    return start + ends, mass / longer * np.array([0.0, 1.0, 1.0, 0.0] if shorter > 0 else [1.0, 1.0, 1.0, 1.0])


@dataclass(frozen=True)
class DrawnMuscle:
    """A muscle at one pose; places along it are arc lengths [m] from its origin."""

    name: str
    donor: str  # segment that most of its mass is subtracted from
    mass: float  # [kg]
    course: Array  # even places from origin to insertion in ground [m], (n, 3)
    length: float
    start: float  # of its belly; lengths of aponeurosis and fibre are along the path [m]
    aponeurosis: float
    fibre: float
    has_belly: bool  # False where the user gave point masses
    point_masses: Array  # [kg], (n,); empty where mass is continuous
    point_places: Array
    path_points: Array  # ends included
    crossings: tuple[tuple[str, float], ...] = ()  # joints, and where the path is nearest to their centres

    @property
    def middle(self) -> Array:
        """The middle of the belly in ground [m], (3,)."""
        return self.at(np.array([self.start + 0.5 * (self.aponeurosis + self.fibre)]))[0]

    def area(self) -> tuple[Array, Array]:
        """Return arc lengths [m] and areas [m^2] at corners of the cross-section."""
        if not self.has_belly:
            return np.empty(0), np.empty(0)
        s, along = linear_density(self.mass, self.start, self.aponeurosis, self.fibre)
        return s, along / DENSITY

    def at(self, s: Array) -> Array:
        """Return places in ground [m], (n, 3), at arc lengths (n,)."""
        even = np.linspace(0.0, self.length, len(self.course))
        return np.stack([np.interp(s, even, self.course[:, axis]) for axis in range(3)], axis=-1)


class DrawnDonor(NamedTuple):
    """A donor segment: published mass [kg], 0 for ground, that of its muscles, and how many of these are not drawn."""

    mass: float
    muscles: float
    hidden: int


@dataclass(frozen=True)
class MassPicture:
    """All that a picture of a model's muscle mass shows."""

    model: str
    muscles: Sequence[DrawnMuscle]  # from proximal to distal; those of a donor together
    donors: Mapping[str, DrawnDonor]
    bones: Mapping[str, Array]  # line segments of each body in ground [m], (n, 2, 3)
    views: Array  # unit vectors (right, up) of side and front view in ground, (2, 2, 3)
    caption: str  # what is assumed

    @property
    def colors(self) -> dict[str, str]:
        """Colours of donor segments."""
        return {name: PALETTE[i % len(PALETTE)] for i, name in enumerate(self.donors)}


def mass_picture(inertial: InertialModel, muscles: str | Iterable[str] | None = None) -> MassPicture:
    """Return all that pictures of an inertial model's mass show; UnknownNameError and InertiaError of plot_masses."""
    check_inertial(inertial)
    if not inertial.muscle_names:
        raise InertiaError(f"no muscle of model '{inertial.model.getName()}' has mass, so there is nothing to draw")
    chosen = select_muscles(inertial.muscle_names, muscles)
    model, state = reference_pose(inertial.original_model(), inertial.reference)
    skeleton = Skeleton.of(model, state)
    lengths = inertial.path_lengths(inertial.reference_state())
    one_side = muscles is None and _is_symmetric(inertial, lengths["path"].to_dict())
    if one_side:
        chosen = [name for name in chosen if not name.endswith("_l")]
    whole_paths = with_mass_along_whole_path(inertial, COURSE - 1)  # its mass points are in the middles of equal parts
    courses = whole_paths.mass_points(whole_paths.reference_state(), chosen, jacobians=False)
    joints, bellies = _joint_centres(model, state, "_r" if one_side else ""), []
    for name in chosen:
        points, bodies = zip(*_live_points(model, state, name), strict=True)
        muscle = _drawn_muscle(inertial, name, lengths.loc[name], courses[name].positions, points)
        chains = [skeleton.ancestors(body) for body in bodies]
        bellies.append(replace(muscle, crossings=_crossings(muscle, chains, joints)))
    bellies.sort(key=lambda m: _proximal_first(m, skeleton))
    donor_names = list(dict.fromkeys(m.donor for m in bellies))
    table = inertial.segments.reindex(donor_names, fill_value=0.0)
    all_donors = [_donor(inertial, name) for name in inertial.muscle_names]
    donors = {
        str(name): DrawnDonor(mass, muscles, all_donors.count(name) - sum(m.donor == name for m in bellies))
        for name, mass, muscles in table[["mass", "muscles"]].itertuples()
    }
    return MassPicture(model.getName(), bellies, donors, skeleton.lines, _views(model), _caption(inertial, one_side))


def _caption(inertial: InertialModel, one_side: bool) -> str:
    is_default = np.allclose(inertial.reference, inertial.coordinates.values(inertial.initial_state()))
    along = "" if inertial.options.is_continuous else f", {inertial.options.points} equal point masses each"
    text = f"Reference pose: {'the default pose' if is_default else 'as given'}; strain: "
    text += f"{STRAINS_IN_WORDS[inertial.options.strain_model.kind]}{along}; density {DENSITY:g} kg/m\u00b3"
    return text + ("; right side and middle only, the left is the same within 1 %." if one_side else ".")


def _is_symmetric(inertial: InertialModel, length: Mapping[str, float]) -> bool:
    """Tell whether every muscle of the left side is one of the right side, and alike."""
    explicit, masses = inertial.muscles.explicit, inertial.muscles.masses
    numbers = {name: (masses[name], length[name], name in explicit) for name in inertial.muscle_names}
    left = [name for name in numbers if name.endswith("_l")]
    right = [name[:-2] + "_r" for name in left]
    known = bool(left) and set(right) <= set(numbers)
    return known and np.allclose([numbers[n] for n in left], [numbers[n] for n in right], rtol=ALIKE, atol=0.0)


def _live_points(model: osim.Model, state: osim.State, name: str) -> list[tuple[Array, str]]:
    """Return places in ground [m] and bodies of a muscle's path points at a state, wrap points not included."""
    places = []
    for point in defined_points(model_muscles(model)[name]):
        if point.isActive(state):
            frame = point.getParentFrame()
            place = frame.findStationLocationInGround(state, point.getLocation(state))
            places.append((place.to_numpy().copy(), str(frame.findBaseFrame().getName())))
    return places


def _drawn_muscle(
    inertial: InertialModel, name: str, lengths: Any, middles: Array, points: Sequence[Array]
) -> DrawnMuscle:
    """Return the drawing of a muscle: lengths [m] of path and fibre, middles (n, 3) of equal parts of it."""
    material = inertial.material_map(name)
    length, fibre = float(lengths["path"]), float(lengths["fibre"])
    start, aponeurosis = material.proximal * (length - fibre), material.aponeurosis * (length - fibre)
    course = np.concatenate([points[0][None], middles, points[-1][None]])
    at = np.concatenate([[0.0], (np.arange(len(middles)) + 0.5) / len(middles), [1.0]]) * length
    even = np.linspace(0.0, length, COURSE)
    course = np.stack([np.interp(even, at, course[:, axis]) for axis in range(3)], axis=1)
    nearest = [0]
    for point in points[1:-1]:
        nearest.append(nearest[-1] + int(np.argmin(np.linalg.norm(course[nearest[-1] :] - point, axis=1))))
    masses = place_of = np.empty(0)
    explicit = name in inertial.muscles.explicit
    if explicit or not inertial.options.is_continuous:
        lumps = inertial.muscles.shown_points(name)
        masses, place_of = lumps.masses, start + lumps.chi * aponeurosis + lumps.xi * fibre
    donor, mass = _donor(inertial, name), inertial.muscles.masses[name]
    path_points = even[[*nearest, COURSE - 1]]
    belly = (start, aponeurosis, fibre, not explicit)
    return DrawnMuscle(name, donor, mass, course, length, *belly, masses, place_of, path_points)


def _donor(inertial: InertialModel, name: str) -> str:
    stretches = inertial.muscles.donors[name]
    return main_segment(stretches) if stretches else NO_DONOR


def _joint_centres(model: osim.Model, state: osim.State, side: str) -> dict[str, tuple[str, Array]]:
    """Return names, without an ending, and centres of joints in ground [m] by the body below."""
    joints: dict[str, tuple[str, Array]] = {}
    for joint in model.getJointSet():
        frame = joint.getChildFrame()
        if joint.numCoordinates():
            centre = frame.getPositionInGround(state).to_numpy().copy()
            joints.setdefault(frame.findBaseFrame().getName(), (joint.getName().removesuffix(side), centre))
    return joints


def _crossings(muscle: DrawnMuscle, chains: Sequence[Sequence[str]], joints: Any) -> tuple[tuple[str, float], ...]:
    """Return joints between ends of a path, and where it is nearest to them [m]; ``chains`` are of its points."""
    s, places, crossings = np.linspace(0.0, muscle.length, COURSE), muscle.path_points, []
    for below in set(chains[0]) ^ set(chains[-1]):
        if below in joints:
            name, centre = joints[below]
            changes = np.flatnonzero(np.diff([below in chain for chain in chains]))
            between = (s >= places[changes[0]]) & (s <= places[changes[-1] + 1])
            distance = np.where(between, np.linalg.norm(muscle.course - centre, axis=1), np.inf)
            crossings.append((name, float(s[int(np.argmin(distance))])))
    return tuple(sorted(crossings, key=lambda crossing: (crossing[1], crossing[0])))


def _proximal_first(muscle: DrawnMuscle, skeleton: Skeleton) -> tuple[int, str, float]:
    """Return a key that sorts by the donor's distance from the root, then by the belly's middle along the bone."""
    lines = skeleton.lines.get(muscle.donor)
    if lines is None:  # ground, or no donor
        return 0, muscle.donor, 0.0
    bone = lines[:, 1].mean(axis=0) - lines[0, 0]
    return len(skeleton.ancestors(muscle.donor)), muscle.donor, float((muscle.middle - lines[0, 0]) @ bone)


def _views(model: osim.Model) -> Array:
    """Return directions on paper of the side and front view: up is against gravity, and OpenSim's x is forward."""
    gravity = model.getGravity().to_numpy()
    axis = int(np.argmax(np.abs(gravity))) if np.any(gravity) else 1
    up = np.zeros(3)
    up[axis] = -1.0 if gravity[axis] > 0 else 1.0
    forward = np.eye(3)[1 if axis == 0 else 0]
    left = np.cross(up, forward)
    return np.array([[forward, up], [left, up]])


def _draw_rows(picture: MassPicture) -> Figure:
    """Draw muscles from origin (left) to insertion (right), one in a row, grouped by donor segment."""
    joints, colors = _joint_symbols(picture), picture.colors
    peaks = [float(np.max(m.area()[1], initial=0.0)) for m in picture.muscles]
    for thickest in THICKEST * 0.95 ** np.arange(15):
        scale = thickest / max(*peaks, 1e-12)
        places, headings, rows = _rows(picture, [scale * peak for peak in peaks])
        if rows <= TALLEST:
            break
    text = "Thickness of bellies and column 'area': mass per length of path over the density of muscle. "
    text += "A joint is marked where the path that crosses it is nearest to its centre."
    handles = [Line2D([], [], color=INK, lw=0.9, label="free tendon"), Line2D([], [], label="path point", **POINT)]
    heaviest = max(float(np.max(m.point_masses, initial=0.0)) for m in picture.muscles)
    if heaviest:
        handles.append(Line2D([], [], color=INK, lw=0, marker="o", markersize=5, alpha=0.6, label="point mass"))
    handles += [Line2D([], [], lw=0, markersize=4.5, label=f"crosses {name}", **look) for name, look in joints.items()]
    figure = sheet(rows + 0.9 + 0.17 * -(-len(handles) // 4), f"{text} {picture.caption}")
    legend_above(figure, handles, min(4, len(handles)), title=f"{picture.model}: muscle mass along the paths")
    axes = figure.subplots()
    longest = max(m.length for m in picture.muscles)
    axes.set(xlim=(-0.012 * longest, 1.012 * longest), ylim=(rows, 0.0), xlabel="arc length from the origin [m]")
    axes.set_yticks(places, [m.name for m in picture.muscles])
    axes.tick_params(axis="y", length=0, pad=5)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    cells: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "ha": "right", "fontsize": FONT}
    for y, muscle, peak in zip(places, picture.muscles, peaks, strict=True):
        _draw(axes, y, muscle, scale, heaviest, colors[muscle.donor], joints)
        area = f"{1e4 * peak:.1f}" if muscle.has_belly else "-"
        grams = f"{1e3 * muscle.mass:.0f}" if muscle.mass >= 0.01 else f"{1e3 * muscle.mass:.2g}"
        for x, cell in zip(COLUMNS, (grams, area), strict=True):
            axes.text(x, y, cell, va="center", **cells)
    for donor, y in headings.items():
        _head(axes, y, donor, picture.donors[donor], colors[donor])
    top = min(headings.values())
    for x, name in zip(COLUMNS, ("mass\n[g]", "area\n[cm²]"), strict=True):
        axes.text(x, top + 0.06, name, va="bottom", color=INK, **cells)
    if max(peaks) > 0:
        _scale_bar(axes, top, max(peaks), scale)
    return figure


def _rows(picture: MassPicture, thick: list[float]) -> tuple[list[float], dict[str, float], float]:
    """Return heights [in], from the top, of muscles and of donors, and of all rows, for bellies ``thick`` [in]."""
    thinnest, y = float(np.clip(4.0 / len(thick), *ROW)), 0.0
    places, headings = list[float](), dict[str, float]()
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


def _draw(
    axes: Axes, y: float, muscle: DrawnMuscle, scale: float, heaviest: float, color: str, joints: dict[str, Any]
) -> None:
    """Draw one muscle; ``scale``: thickness [in] over area [m^2], ``heaviest``: point mass [kg]."""
    axes.plot([0, muscle.length], [y, y], color=INK, lw=0.9, zorder=2)
    s, area = muscle.area()
    if len(s):
        half = 0.5 * scale * area
        solid = not len(muscle.point_masses)
        axes.fill_between(s, y - half, y + half, facecolor=color, alpha=0.7 if solid else 0.25, lw=0, zorder=3)
        axes.fill_between(s, y - half, y + half, facecolor="none", edgecolor=color, lw=0.8, zorder=3)
    if len(muscle.point_masses):
        sizes = 40.0 * muscle.point_masses / heaviest
        axes.scatter(muscle.point_places, np.full(len(sizes), y), s=sizes, color=color, alpha=0.6, lw=0, zorder=4)
    axes.plot(muscle.path_points, np.full(len(muscle.path_points), y), zorder=5, clip_on=False, **POINT)
    for joint, place in muscle.crossings:
        axes.plot([place], [y], lw=0, markersize=4.5, zorder=6, clip_on=False, **joints[joint])


def _head(axes: Axes, y: float, donor: str, segment: DrawnDonor, color: str) -> None:
    """Draw the line above the muscles of a donor segment."""
    text = f"muscles: {segment.muscles:.2f} of {segment.mass:.2f} kg" if segment.muscles else "nothing is subtracted"
    if segment.hidden:
        text += f", with {segment.hidden} {'muscle' if segment.hidden == 1 else 'muscles'} not shown"
    bold: dict[str, Any] = {"transform": axes.get_yaxis_transform(), "va": "center", "color": color}
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


def _draw_skeleton(picture: MassPicture) -> Figure:
    """Draw bellies to scale on paths and bones, as wide as if their cross-sections were round."""
    limits = [_limits(picture, view) for view in picture.views]
    low, high = min(box[0, 1] for box in limits), max(box[1, 1] for box in limits)
    widths = [box[1, 0] - box[0, 0] for box in limits]
    scale = min(HIGHEST / (high - low), WIDEST / sum(widths))
    scaled = "To scale: bellies are round, their areas are mass per length of path over the density of muscle."
    figure = sheet(scale * (high - low) + 1.4, f"{scaled} {picture.caption}")
    axes = panels(figure, 2, 2, sharey=True, gridspec_kw={"width_ratios": widths})
    for axis, view, box, title in zip(axes, picture.views, limits, VIEWS, strict=True):
        axis.set(xlim=box[:, 0], ylim=(low, high), aspect="equal", title=title, xlabel=_axis_name(view[0]))
        axis.xaxis.set_major_locator(MaxNLocator(max(3, int(scale * (box[1, 0] - box[0, 0]) / 0.55))))
        _draw_view(axis, picture, view)
    axes[0].set_ylabel(_axis_name(picture.views[0][1]))
    handles = [Line2D([], [], label="bone, from joint to joint", **BONE)]
    handles += [Line2D([], [], color=color, lw=5, alpha=0.6, label=donor) for donor, color in picture.colors.items()]
    legend_above(figure, handles, min(len(handles), 5), title=f"{picture.model}: bellies, by donor segment")
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


def _draw_view(axes: Axes, picture: MassPicture, view: Array) -> None:
    """Draw bones, paths, bellies and point masses projected to a view, two unit vectors (2, 3)."""
    for lines in picture.bones.values():
        for line in lines @ view.T:
            axes.plot(*line.T, zorder=5, markevery=[0], **BONE)
    # the larger below, so that the smaller are seen
    for z, muscle in enumerate(sorted(picture.muscles, key=lambda m: -m.mass)):
        color = picture.colors[muscle.donor]
        axes.plot(*(muscle.course @ view.T).T, color=color, lw=0.7, zorder=3 + 0.001 * z)
        if muscle.has_belly:
            outline = _outline(muscle, view).T
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


def _outline(muscle: DrawnMuscle, view: Array) -> Array:
    """Return the outline (n, 2) [m] of a belly with round cross-sections, projected to a view (2, 3)."""
    corners, area = muscle.area()
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
