"""Pictures of where an inertial model's mass lies: its bellies along straight paths, and on the skeleton."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .._core.arrays import Array
from .._core.checks import check_picture
from .._core.choices import STRAINS_IN_WORDS
from .._core.errors import InertiaError
from .._core.opensim import osim
from ..model.arguments import check_inertial
from ..model.model import InertialModel
from ..model.whole_path_mass import with_mass_along_whole_path
from ..muscles.masses.donors import Skeleton
from ..muscles.masses.estimate import select_muscles
from ..muscles.masses.reference import reference_pose
from ..muscles.masses.stretches import main_segment
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.paths import defined_points
from ..options.masses import DENSITY
from .bellies import DrawnDonor, DrawnMuscle, MassPicture
from .rows import draw_rows
from .saving import save_picture
from .skeleton import draw_skeleton

__all__ = ["mass_picture", "plot_bellies", "plot_masses"]

NO_DONOR = "no segment"
"""Heading of muscles that are subtracted from no segment."""
COURSE = 401
"""Points by which a path is drawn."""
ALIKE = 0.01
"""Relative difference of masses and lengths below which left and right are the same."""


def plot_masses(
    inertial: InertialModel,
    path: str | os.PathLike[str] | None = None,
    muscles: str | Iterable[str] | None = None,
) -> Figure:
    """Draw where mass lies along each muscle's path at the reference pose, paths straight, one below the other.

    The thickness of a belly is the area of its cross-section, mass per length over the density of muscle; point masses
    are dots. Path points and the places where paths pass joints are marked.

    Args:
        inertial: the model.
        path: where to write the picture; the suffix, .png, .svg or .pdf, says its format. None: nowhere.
        muscles: names or patterns (``"*_r"``) of the muscles to draw. None: all, but only the right side of a model
            whose left and right (``_l``, ``_r``) are alike.

    Raises:
        UnknownNameError: a name fits no muscle with mass.
        InertiaError: no muscle has mass.
        OptionError: ``path`` does not end as a picture does.
        OutputError: the picture cannot be written.
    """
    return _plotted(draw_rows, inertial, path, muscles)


def plot_bellies(
    inertial: InertialModel,
    path: str | os.PathLike[str] | None = None,
    muscles: str | Iterable[str] | None = None,
) -> Figure:
    """Draw bellies, to scale, on the lines of the skeleton at the reference pose, from the side and from the front.

    Arguments and errors are those of :func:`plot_masses`.
    """
    return _plotted(draw_skeleton, inertial, path, muscles)


def _plotted(draw: Callable[[MassPicture], Figure], inertial: InertialModel, path: Any, muscles: Any) -> Figure:
    check_inertial(inertial)
    if path is not None:
        check_picture(path)
    return save_picture(draw(mass_picture(inertial, muscles)), path)


def mass_picture(inertial: InertialModel, muscles: str | Iterable[str] | None = None) -> MassPicture:
    """Return all that pictures of an inertial model's mass show, as plain arrays; see :func:`plot_masses`.

    Raises:
        UnknownNameError: a name fits no muscle with mass.
        InertiaError: no muscle has mass.
    """
    if not inertial.muscle_names:
        raise InertiaError(f"no muscle of model '{inertial.model.getName()}' has mass, so there is nothing to draw")
    chosen = select_muscles(inertial.muscle_names, muscles)
    model, state = reference_pose(inertial.original_model(), inertial.reference)
    skeleton = Skeleton.of(model, state)
    lengths = inertial.path_lengths(inertial.reference_state())
    one_side = muscles is None and _is_symmetric(inertial, lengths["path"].to_dict())
    if one_side:
        chosen = [name for name in chosen if not name.endswith("_l")]
    courses = _courses(inertial, chosen)
    joints = _Joints(model, state, skeleton)
    bellies = [
        _drawn_muscle(
            inertial, name, lengths.loc[name], courses[name], _live_points(model, state, name), joints, one_side
        )
        for name in chosen
    ]
    bellies.sort(key=lambda m: _proximal_first(m, skeleton))
    donor_names = list(dict.fromkeys(m.donor for m in bellies))
    table = inertial.segments.reindex(donor_names, fill_value=0.0)
    all_donors = [_donor(inertial, name) for name in inertial.muscle_names]
    donors = {
        str(name): DrawnDonor(mass, muscles, all_donors.count(name) - sum(m.donor == name for m in bellies))
        for name, mass, muscles in table[["mass", "muscles"]].itertuples()
    }
    views = _views(model)
    return MassPicture(model.getName(), bellies, donors, skeleton.lines, views, DENSITY, _caption(inertial, one_side))


def _caption(inertial: InertialModel, one_side: bool) -> str:
    is_default = np.allclose(inertial.reference, inertial.coordinates.values(inertial.initial_state()))
    along = "" if inertial.options.is_continuous else f", {inertial.options.points} equal point masses each"
    parts = [
        f"Reference pose: {'the default pose' if is_default else 'as given'}",
        f"strain: {STRAINS_IN_WORDS[inertial.options.strain_model.kind]}{along}",
        f"density {DENSITY:g} kg/m\u00b3",
    ]
    if one_side:
        parts.append("right side and middle only, the left is the same within 1 %")
    return "; ".join(parts) + "."


def _is_symmetric(inertial: InertialModel, length: dict[str, float]) -> bool:
    """Tell whether every muscle of the left side is one of the right side, and alike."""
    left = [name for name in inertial.muscle_names if name.endswith("_l")]
    masses = inertial.muscles.masses

    def alike(a: float, b: float) -> bool:
        return abs(a - b) <= ALIKE * max(abs(a), abs(b))

    return bool(left) and all(
        (right_name := name[:-2] + "_r") in masses
        and alike(masses[name], masses[right_name])
        and alike(length[name], length[right_name])
        and (name in inertial.muscles.explicit) == (right_name in inertial.muscles.explicit)
        for name in left
    )


def _courses(inertial: InertialModel, names: Sequence[str]) -> dict[str, Array]:
    """Return points (n, 3) in ground [m] in the middles of n equal parts of each path at the reference pose.

    They are the mass points of a model whose whole paths are bellies.
    """
    whole_paths = with_mass_along_whole_path(inertial, COURSE - 1)
    points = whole_paths.mass_points(whole_paths.reference_state(), names, jacobians=False)
    return {name: mass_points.positions for name, mass_points in points.items()}


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
    inertial: InertialModel,
    name: str,
    lengths: Any,
    middles: Array,
    points: list[tuple[Array, str]],
    joints: _Joints,
    one_side: bool,
) -> DrawnMuscle:
    """Return the drawing of one muscle at the reference pose.

    Args:
        inertial: the model.
        name: the muscle.
        lengths: of its path and of its fibres [m], by "path" and "fibre".
        middles: points (n, 3) in ground [m] in the middles of n equal parts of the path.
        points: places (3,) in ground [m] and bodies of its path points.
        joints: finds the joints that the path crosses.
        one_side: whether only the right side is drawn, so that joints are named without it.
    """
    material = inertial.material_map(name)
    length, fibre = float(lengths["path"]), float(lengths["fibre"])
    start, aponeurosis = material.proximal * (length - fibre), material.aponeurosis * (length - fibre)
    course = np.concatenate([points[0][0][None], middles, points[-1][0][None]])
    at = np.concatenate([[0.0], (np.arange(len(middles)) + 0.5) / len(middles), [1.0]]) * length
    even = np.linspace(0.0, length, COURSE)
    course = np.stack([np.interp(even, at, course[:, axis]) for axis in range(3)], axis=1)
    places = _places_along(even, course, [place for place, _ in points])
    masses = place_of = np.empty(0)
    if name in inertial.muscles.explicit or not inertial.muscles.is_continuous:
        lumps = inertial.muscles.shown_points(name)
        masses, place_of = lumps.masses, start + lumps.chi * aponeurosis + lumps.xi * fibre
    crossings = joints.crossed(even, course, places, [body for _, body in points])
    return DrawnMuscle(
        name,
        _donor(inertial, name),
        inertial.muscles.masses[name],
        course,
        length,
        start,
        aponeurosis,
        fibre,
        name not in inertial.muscles.explicit,
        masses,
        place_of,
        places,
        tuple((joint.removesuffix("_r") if one_side else joint, s) for joint, s in crossings),
    )


def _donor(inertial: InertialModel, name: str) -> str:
    stretches = inertial.muscles.donors[name]
    return main_segment(stretches) if stretches else NO_DONOR


def _places_along(s: Array, course: Array, points: Sequence[Array]) -> Array:
    """Return arc lengths [m] of the path's points: those of the course that are nearest, in order."""
    arc_lengths = np.empty(len(points))
    first = 0
    for i, point in enumerate(points[:-1]):
        distance = np.linalg.norm(course[first:] - point, axis=1)
        first += int(np.argmin(distance)) if i else 0
        arc_lengths[i] = s[first]
    arc_lengths[-1] = s[-1]
    return arc_lengths


class _Joints:
    """Finds the joints that a path crosses, and where."""

    def __init__(self, model: osim.Model, state: osim.State, skeleton: Skeleton) -> None:
        self._skeleton = skeleton
        self._names: dict[str, str] = {}
        self._centres: dict[str, Array] = {}
        joints = model.getJointSet()
        for i in range(joints.getSize()):
            joint = joints.get(i)
            below = joint.getChildFrame().findBaseFrame().getName()
            if below in self._names or joint.numCoordinates() == 0:
                continue
            self._names[below] = joint.getName()
            self._centres[below] = joint.getChildFrame().getPositionInGround(state).to_numpy().copy()

    def crossed(self, s: Array, course: Array, places: Array, bodies: Sequence[str]) -> list[tuple[str, float]]:
        """Return joints between the path's ends, and the arc lengths [m] at which the path is nearest to their centres.

        Args:
            s, course: arc lengths (n,) and points (n, 3) of the path.
            places, bodies: arc lengths of its path points, and the bodies that they are on.
        """
        chains = [self._skeleton.ancestors(body) for body in bodies]
        crossings = []
        for below in set(chains[0]) ^ set(chains[-1]):
            if below not in self._names:
                continue
            is_below = np.array([below in chain for chain in chains])
            changes = np.flatnonzero(is_below[1:] != is_below[:-1])
            between = (s >= places[changes[0]]) & (s <= places[changes[-1] + 1])
            distance = np.where(between, np.linalg.norm(course - self._centres[below], axis=1), np.inf)
            crossings.append((self._names[below], float(s[int(np.argmin(distance))])))
        return sorted(crossings, key=lambda crossing: (crossing[1], crossing[0]))


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
