"""Where an inertial model's mass lies at the reference pose, as plain arrays for pictures.

Fibres of length F start evenly along an aponeurosis of length P, and their mass lies evenly along them. Mass per length
along the path is therefore a trapezoid from the belly's start ``A`` to its end ``A + P + F``: it rises over the shorter
of P and F, is ``m / max(P, F)`` where it is constant, and falls over the shorter again. Without aponeurosis it is a
bar. Divided by the density of muscle it is the area of the belly's cross-section.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.arrays import Array
from .._core.choices import STRAINS_IN_WORDS
from .._core.errors import InertiaError
from .._core.opensim import osim
from ..model.model import InertialModel, with_mass_along_whole_path
from ..muscles.masses.donors import Skeleton, main_segment
from ..muscles.masses.estimate import select_muscles
from ..muscles.masses.reference import reference_pose
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.paths import defined_points
from ..options.masses import DENSITY

__all__ = ["DrawnDonor", "DrawnMuscle", "MassPicture", "linear_density", "mass_picture"]

#: Heading of muscles that are subtracted from no segment.
NO_DONOR = "no segment"
#: Points by which a path is drawn.
COURSE = 401
#: Relative difference of masses and lengths below which left and right are the same.
ALIKE = 0.01


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
    crossings: tuple[tuple[str, float], ...]  # joints, and where the path is nearest to their centres

    @property
    def end(self) -> float:
        """The arc length at which the belly ends [m]."""
        return self.start + self.aponeurosis + self.fibre

    @property
    def middle(self) -> Array:
        """The middle of the belly in ground [m], (3,)."""
        return self.at(np.array([0.5 * (self.start + self.end)]))[0]

    def area(self, density: float) -> tuple[Array, Array]:
        """Return arc lengths [m] and areas [m^2] at corners of the cross-section, for a density [kg/m^3]."""
        if not self.has_belly:
            return np.empty(0), np.empty(0)
        s, along = linear_density(self.mass, self.start, self.aponeurosis, self.fibre)
        return s, along / density

    def at(self, s: Array) -> Array:
        """Return places in ground [m], (n, 3), at arc lengths (n,)."""
        even = np.linspace(0.0, self.length, len(self.course))
        return np.stack([np.interp(s, even, self.course[:, axis]) for axis in range(3)], axis=-1)


@dataclass(frozen=True)
class DrawnDonor:
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
    density: float  # of muscle [kg/m^3]
    caption: str  # what is assumed


def mass_picture(inertial: InertialModel, muscles: str | Iterable[str] | None = None) -> MassPicture:
    """Return all that pictures of an inertial model's mass show; UnknownNameError and InertiaError of plot_masses."""
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
    joints = _Joints(model, state, skeleton, "_r" if one_side else "")
    bellies = [
        _drawn_muscle(
            inertial, name, lengths.loc[name], courses[name].positions, _live_points(model, state, name), joints
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
    inertial: InertialModel, name: str, lengths: Any, middles: Array, points: list[tuple[Array, str]], joints: _Joints
) -> DrawnMuscle:
    """Return the drawing of a muscle: lengths [m] of path and fibre, middles (n, 3) of equal parts of it."""
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
        joints.crossed(even, course, places, [body for _, body in points]),
    )


def _donor(inertial: InertialModel, name: str) -> str:
    stretches = inertial.muscles.donors[name]
    return main_segment(stretches) if stretches else NO_DONOR


def _places_along(s: Array, course: Array, points: Sequence[Array]) -> Array:
    """Return arc lengths [m] of the path's points: those of the course that are nearest, in order."""
    places = [0]
    for point in points[1:-1]:
        places.append(places[-1] + int(np.argmin(np.linalg.norm(course[places[-1] :] - point, axis=1))))
    return s[[*places, len(s) - 1]]


class _Joints:
    """Finds the joints that a path crosses, and where; ``side`` is the end of names that is left out."""

    def __init__(self, model: osim.Model, state: osim.State, skeleton: Skeleton, side: str) -> None:
        self._skeleton = skeleton
        self._joints: dict[str, tuple[str, Array]] = {}  # names and centres by the body below
        for joint in model.getJointSet():
            frame = joint.getChildFrame()
            below = frame.findBaseFrame().getName()
            if below not in self._joints and joint.numCoordinates():
                centre = frame.getPositionInGround(state).to_numpy().copy()
                self._joints[below] = joint.getName().removesuffix(side), centre

    def crossed(self, s: Array, course: Array, places: Array, bodies: Sequence[str]) -> tuple[tuple[str, float], ...]:
        """Return joints between a path's ends, and the arc lengths [m] at which it is nearest to their centres."""
        chains = [self._skeleton.ancestors(body) for body in bodies]
        crossings = []
        for below in set(chains[0]) ^ set(chains[-1]):
            if below not in self._joints:
                continue
            name, centre = self._joints[below]
            is_below = np.array([below in chain for chain in chains])
            changes = np.flatnonzero(is_below[1:] != is_below[:-1])
            between = (s >= places[changes[0]]) & (s <= places[changes[-1] + 1])
            distance = np.where(between, np.linalg.norm(course - centre, axis=1), np.inf)
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
