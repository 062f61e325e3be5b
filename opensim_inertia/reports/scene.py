"""The three-dimensional view of a report as arrays: where bodies, paths, bellies and wrap surfaces are in each frame.

Paths are the inertial model's own, drawn as polylines through as few points as keep them within :data:`DEVIATION`. A
belly's radius follows from its mass: mass per length (``plotting.bellies.linear_density``) over the density of muscle
is the area of a round cross-section. The page computes it from the lengths of path and fibres, and puts mass points on
the polyline.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.errors import ModelError
from .._core.opensim import osim
from ..model import InertialModel
from ..model.whole_path_mass import with_mass_along_whole_path
from ..muscles.masses.stretches import stretches_text
from ..muscles.material.point_masses import MaterialPoints
from ..opensim_model.reading.components import FrameTransforms, model_muscles
from ..opensim_model.reading.kinematics import StateKinematics
from ..options.masses import DENSITY
from ..paths.wrapping.surfaces import Surface, read_surfaces
from .bones import Bone, read_bones
from .packing import Packer

__all__ = ["DEVIATION", "MOST_FRAMES", "DrawnPath", "Scene", "build_scene", "frame_rows"]

#: Frames of the animation, at most; evenly spaced over the rows of a longer run.
MOST_FRAMES = 300
#: Distance [m] that is tolerated between places on a path and at the same shares of the drawn polyline, at :data:`FINE`
#: shares; between two of them a sharp bend may add half their distance at most.
DEVIATION = 5e-4
#: Points at even shares of a path, of which those are kept that a polyline needs.
FINE = 129
GROUND = "ground"


@dataclass(frozen=True)
class DrawnPath:
    """A muscle with mass.

    Attributes:
        name: its name.
        donor: segments that its mass is subtracted from.
        mass: [kg].
        proximal, aponeurosis: shares of the length that is not fibre before the belly, and of an aponeurosis.
        has_belly: whether the mass is in a belly; False where the user gave point masses.
        points: material coordinates chi and xi, and mass [kg], of its mass points, (n, 3).
        shares: shares of the path's length at which it is drawn, (k,), from 0 to 1.
    """

    name: str
    donor: str
    mass: float
    proximal: float
    aponeurosis: float
    has_belly: bool
    points: Array
    shares: Array


@dataclass(frozen=True)
class Scene:
    """The moving view, in F frames; ground frame, metres and seconds.

    Attributes:
        rows: numbers (F,) of the run's rows that are shown.
        bodies: names of the B bodies, ground first.
        origins, rotations: of the bodies, (F, B, 3) and (F, B, 3, 3), body to ground.
        bones: meshes or lines of bodies.
        surfaces: wrap surfaces.
        muscles: the M muscles with mass.
        paths: points (F, P, 3) of all paths, those of the first muscle first.
        lengths: lengths (F, M, 2) of the path and of its fibres along it [m].
        speeds: root mean square of the speed of a muscle's mass (F, M) [m/s].
        activations: (F, M), NaN where unknown; None where unknown altogether.
        up: direction against gravity, (3,).
        notes: sentences about what could not be drawn as it should be.
        markers: places (F, K, 3) of measured markers, NaN where one was not seen.
        marker_names: of the K markers.
        swings: displacements (F, S, 3) of bellies; None where none swings.
        swinging_muscles: numbers of their muscles.
    """

    rows: NDArray[np.intp]
    bodies: tuple[str, ...]
    origins: Array
    rotations: Array
    bones: Sequence[Bone]
    surfaces: Sequence[Surface]
    muscles: Sequence[DrawnPath]
    paths: Array
    lengths: Array
    speeds: Array
    activations: Array | None
    up: Array
    notes: tuple[str, ...]
    markers: Array | None = None
    marker_names: tuple[str, ...] = ()
    swings: Array | None = None
    swinging_muscles: tuple[int, ...] = ()

    def swinging(self, swinging: Sequence[str], displacements: Array) -> Scene:
        """Return a copy of the scene with bellies displaced across their paths.

        Args:
            swinging: name of the muscle of each of S displacements; "" for what is no belly.
            displacements: (T, S, 3) in ground [m], at all rows of the run; NaN where they are not known.
        """
        numbers = {muscle.name: i for i, muscle in enumerate(self.muscles)}
        which = [k for k, name in enumerate(swinging) if name in numbers]
        muscles = tuple(numbers[swinging[k]] for k in which)
        drawn = displacements[self.rows][:, which]
        return replace(self, swings=drawn, swinging_muscles=muscles) if muscles else self

    def mass_points(self, frame: int, muscle: int) -> Array:
        """Return where the page draws the mass points of a muscle, (n, 3), before quantisation."""
        m = self.muscles[muscle]
        first = sum(len(path.shares) for path in self.muscles[:muscle])
        line = self.paths[frame, first : first + len(m.shares)]
        length, fibre = self.lengths[frame, muscle]
        chi, xi, _ = m.points.T
        at = ((m.proximal + chi * m.aponeurosis) * (length - fibre) + xi * fibre) / length
        return _along(m.shares, line, at)

    def packed(self, packer: Packer) -> dict[str, Any]:
        """Return the scene as the page takes it; arrays go to ``packer``."""
        number = {name: i for i, name in enumerate(self.bodies)}
        return {
            "rows": packer.integers(self.rows),
            "bodies": list(self.bodies),
            "origins": packer.numbers(self.origins),
            "rotations": packer.numbers(self.rotations),
            "bones": [bone.packed(packer, number) for bone in self.bones],
            "surfaces": [
                {
                    "name": s.name,
                    "body": number[s.body],
                    "kind": s.opensim_class,
                    "size": [float(v) for v in s.shown_size],
                    "rotation": s.in_body[0].ravel().tolist(),
                    "origin": s.in_body[1].tolist(),
                }
                for s in self.surfaces
            ],
            "muscles": [
                {
                    "name": m.name,
                    "donor": m.donor,
                    "mass": m.mass,
                    "proximal": m.proximal,
                    "aponeurosis": m.aponeurosis,
                    "belly": m.has_belly,
                    "shares": m.shares.tolist(),
                    "points": m.points.tolist(),
                }
                for m in self.muscles
            ],
            "paths": packer.numbers(self.paths),
            "lengths": packer.numbers(self.lengths),
            "speeds": packer.numbers(self.speeds),
            "activations": None if self.activations is None else packer.numbers(self.activations),
            "markers": None if self.markers is None else packer.numbers(self.markers),
            "markerNames": list(self.marker_names),
            "swings": None
            if self.swings is None
            else {"modes": [(n, 1) for n in self.swinging_muscles], "displacements": packer.numbers(self.swings)},
            "up": self.up.tolist(),
            "density": DENSITY,
        }


def frame_rows(rows: int) -> NDArray[np.intp]:
    """Return the rows of a run that are shown: all, or :data:`MOST_FRAMES` evenly spaced ones, first and last too."""
    return np.unique(np.linspace(0, rows - 1, min(rows, MOST_FRAMES)).round().astype(np.intp))


def build_scene(
    inertial: InertialModel,
    states: Iterable[osim.State],
    rows: NDArray[np.intp],
    activations: Mapping[str, Array] | None = None,
    geometry: Sequence[str | os.PathLike[str]] = (),
) -> Scene:
    """Build the view from a model's states, one for each frame.

    Args:
        inertial: the model.
        states: states of ``inertial.model``, one for each frame; they may be one object that changes.
        rows: numbers (F,) of the run's rows that the states are.
        activations: (F,) by muscle, of muscles where they are known.
        geometry: folders with bones' meshes, besides those where OpenSim looks.

    Raises:
        ModelError: a state is not finite, or has no path.
    """
    model, names = inertial.model, inertial.muscle_names
    whole_paths = with_mass_along_whole_path(inertial).evaluation if names else inertial.evaluation
    frames = [model.getGround(), *model.getBodySet()]
    bodies = tuple(frame.getName() for frame in frames)
    transforms = FrameTransforms(frames)
    fine = np.linspace(0.0, 1.0, FINE)
    path_points = [(0.0, share) for share in fine.tolist()]
    points_by_muscle = [inertial.muscles.shown_points(name) for name in names]
    frame_arrays: list[tuple[Array, ...]] = []
    for state in states:
        kinematics = inertial.dynamics.read(state)
        rotation, origin = transforms.read(state)
        courses = [whole_paths.material_points(kinematics, i, path_points, False)[0] for i in range(len(names))]
        lengths = inertial.evaluation.lengths(kinematics)[:, [0, 2]]
        speeds = [_speed(inertial, kinematics, i, points) for i, points in enumerate(points_by_muscle)]
        frame_arrays.append((origin, rotation, np.reshape(courses, (-1, FINE, 3)), lengths, np.array(speeds)))
    if len(frame_arrays) != len(rows):
        raise ModelError(f"a view of {len(rows)} frames needs as many states, not {len(frame_arrays)}")
    origins, rotations, courses_, lengths_, speeds_ = (np.stack(part) for part in zip(*frame_arrays, strict=True))
    needed_points = [_needed(courses_[:, i], fine) for i in range(len(names))]
    lines = [courses_[:, i, numbers] for i, numbers in enumerate(needed_points)]
    active = None
    if activations:
        unknown = np.full(len(rows), np.nan)
        active = np.stack([activations.get(name, unknown) for name in names], axis=1) if names else None
    bones, notes = read_bones(inertial, geometry)
    gravity = model.getGravity().to_numpy()
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 1.0, 0.0])
    return Scene(
        rows,
        bodies,
        origins,
        rotations,
        bones,
        _surfaces(model, names),
        [
            _drawn_path(inertial, name, points, fine[numbers])
            for name, points, numbers in zip(names, points_by_muscle, needed_points, strict=True)
        ],
        np.concatenate([np.empty((len(rows), 0, 3)), *lines], axis=1),
        lengths_,
        speeds_,
        active,
        up,
        notes,
    )


def _speed(inertial: InertialModel, kinematics: StateKinematics, muscle: int, points: MaterialPoints) -> float:
    velocities = inertial.evaluation.material_points(kinematics, muscle, points.pairs, False)[1]
    squares = np.einsum("ij,ij->i", velocities, velocities)
    return float(np.sqrt(points.masses @ squares / points.masses.sum()))


def _drawn_path(inertial: InertialModel, name: str, points: MaterialPoints, shares: Array) -> DrawnPath:
    material, muscles = inertial.material_map(name), inertial.muscles
    donors = [(stretch.segment, stretch.share) for stretch in muscles.donors[name]]
    return DrawnPath(
        name,
        stretches_text(donors) if donors else "no segment",
        muscles.masses[name],
        material.proximal,
        material.aponeurosis,
        name not in muscles.explicit,
        np.stack([points.chi, points.xi, points.masses], axis=1),
        shares,
    )


def _surfaces(model: osim.Model, names: Sequence[str]) -> list[Surface]:
    """Return the active wrap surfaces of muscles, each once."""
    muscles = model_muscles(model)
    each = [surface for name in names for surface in read_surfaces(muscles[name]).values() if surface.active]
    return list({(surface.body, surface.name): surface for surface in each}.values())


def _needed(courses: Array, shares: Array) -> list[int]:
    """Return the points (in order) of courses (F, n, 3) through which polylines are near enough at all shares (n,)."""
    numbers, open_spans = {0, len(shares) - 1}, [(0, len(shares) - 1)]
    while open_spans:
        first, last = open_spans.pop()
        t = ((shares[first : last + 1] - shares[first]) / (shares[last] - shares[first]))[:, None]
        line = (1 - t) * courses[:, first, None] + t * courses[:, last, None]
        deviations = np.linalg.norm(courses[:, first : last + 1] - line, axis=2).max(axis=0)
        worst = first + int(deviations.argmax())
        if deviations.max() > DEVIATION and first < worst < last:
            numbers.add(worst)
            open_spans += [(first, worst), (worst, last)]
    return sorted(numbers)


def _along(shares: Array, line: Array, at: Array) -> Array:
    """Return points (n, 3) of a polyline (k, 3) at shares (n,)."""
    return np.stack([np.interp(at, shares, line[:, axis]) for axis in range(3)], axis=1)
