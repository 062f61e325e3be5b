"""Lengths of muscles' paths and their derivatives at poses, from OpenSim or from our smooth paths."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import check_count, shows_bar
from ..._core.choices import MOST_POSES
from ..._core.errors import MotionError
from ..._core.opensim import osim
from ...model.assembly import assemble
from ...muscles.material import MIDDLE, WHOLE
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import CoordinateTable, follow_couplers, random_poses
from ...opensim_model.reading.fingerprints import Measure
from ...opensim_model.reading.kinematics import Kinematics, MomentArms
from ...opensim_model.reading.motion import load_poses
from ...opensim_model.reading.paths import read_path
from ...opensim_model.reading.recorded_table import motion_name
from ...options.modelling import ModelOptions
from ...paths.kernel.description import KernelMuscle
from ...paths.wrapping.current_path import shown_length
from ...paths.wrapping.path_samples import read_body_poses
from ...paths.wrapping.surfaces import read_surfaces

#: Poses: how many random ones within the coordinates' ranges, a motion, or values (P, nu) of all coordinates.
PoseSource: TypeAlias = int | str | os.PathLike[str] | pd.DataFrame | Array


@dataclass(frozen=True)
class PoseSet:
    """Poses, and where they are from."""

    q: Array  # coordinate values (P, nu) [rad or m]; those that follow others are where their couplers have them
    times: Array | None  # of a motion, (P,) [s]; else None
    origin: str

    def only(self, kept: NDArray[np.bool_]) -> PoseSet:
        """Return some of the poses: those for which ``kept`` (P,) is true."""
        times = None if self.times is None else self.times[kept]
        return PoseSet(self.q[kept], times, f"{kept.sum()} of {self.origin}")


def read_poses(model: osim.Model, coordinates: CoordinateTable, poses: PoseSource, seed: int = 0) -> PoseSet:
    """Return the poses of a source; random ones depend on ``seed``."""
    if isinstance(poses, np.ndarray):
        q = np.array(poses, dtype=float)
        if q.ndim != 2 or q.shape[1] != len(coordinates.names):
            raise MotionError(f"poses have shape {q.shape}; expected (P, {len(coordinates.names)}), all coordinates")
        wrong = np.argwhere(~np.isfinite(q))
        if len(wrong):
            pose, place = wrong[0].tolist()
            raise MotionError(
                f"pose {pose} (counted from 0): '{coordinates.names[place]}' is {q[pose, place]}; expected a finite "
                "number [rad or m]"
            )
        return PoseSet(follow_couplers(model, coordinates, q), None, f"{len(q)} poses")
    if isinstance(poses, str | os.PathLike | pd.DataFrame):
        times, values = load_poses(poses, model, coordinates.names)
        q = follow_couplers(model, coordinates, values)
        return PoseSet(q, times, f"{len(q)} poses of {os.path.basename(motion_name(poses))}")
    count = check_count("poses", poses, MOST_POSES)
    return PoseSet(random_poses(model, coordinates, count, seed), None, f"{count} random poses, seed {seed}")


class OpenSimLengths:
    """Paths of named muscles of an initialised model as OpenSim shows them.

    Derivatives are of the forces that OpenSim applies: ``getLength`` and ``computeMomentArm`` differ over wrap objects.
    """

    def __init__(self, model: osim.Model, coordinates: CoordinateTable, names: Sequence[str]) -> None:
        muscles = model_muscles(model)
        self._model, self._coordinates = model, coordinates
        self._paths = [muscles[name].getPath() for name in names]
        self._many_wraps = [_with_many_wraps(path) for path in self._paths]
        self._arms = MomentArms(model, self._paths)
        self._state = osim.State(model.getWorkingState())

    def lengths(self, q: Array, indices: Sequence[int] | None = None) -> Array:
        """Return lengths (P, muscles) [m] at poses q (P, nu), of all muscles or of those in ``indices``."""
        chosen = range(len(self._paths)) if indices is None else indices
        return np.array([self._lengths_at(values, chosen) for values in q]).reshape(len(q), len(chosen))

    def measure(self, q: Array, drives: Array, progress: bool | None) -> tuple[Array, Array]:
        """Return lengths (P, M) [m] at poses q (P, nu), and derivatives (P, M, F) with respect to the free coordinates.

        ``drives`` (P, nu, F) are speeds of all coordinates per speed of the free ones.
        """
        lengths = np.empty((len(q), len(self._paths)))
        slopes = np.empty((len(q), len(self._paths), drives.shape[2]))
        for pose in _with_progress_bar(range(len(q)), progress):
            lengths[pose] = self._lengths_at(q[pose], range(len(self._paths)))
            slopes[pose] = -self._arms.at(self._state) @ drives[pose]
        return lengths, slopes

    def _lengths_at(self, values: Array, indices: Iterable[int]) -> list[float]:
        self._coordinates.set_values(self._state, values)
        self._model.realizePosition(self._state)
        return [self._length(self._paths[i], self._many_wraps[i]) for i in indices]

    def _length(self, path: osim.AbstractGeometryPath, many_wraps: osim.GeometryPath | None) -> float:
        return path.getLength(self._state) if many_wraps is None else shown_length(many_wraps, self._state)


def opensim_lengths(model: osim.Model, coordinates: CoordinateTable) -> Measure:
    """Return a function for the lengths (P,) [m] of an initialised model's paths, by muscle."""

    def measure(muscles: Sequence[str], q: Array) -> dict[str, Array]:
        lengths = OpenSimLengths(model, coordinates, muscles).lengths(q)
        return dict(zip(muscles, lengths.T, strict=True))

    return measure


class SmoothLengths:
    """Paths of named muscles of an initialised model as this package wraps them; of ``options`` the wrapping counts."""

    def __init__(
        self, model: osim.Model, coordinates: CoordinateTable, names: Sequence[str], options: ModelOptions
    ) -> None:
        muscles = model_muscles(model)
        self._model, self._coordinates = model, coordinates
        paths = [read_path(muscles[name], coordinates) for name in names]
        surfaces = {name: read_surfaces(muscles[name]) for name in names}
        carriers = [surface.body for by_name in surfaces.values() for surface in by_name.values()]
        bodies = tuple(dict.fromkeys([*(body for path in paths for body in path.bodies), *carriers]))
        placed = [KernelMuscle(path, WHOLE, 1.0, MIDDLE) for path in paths]
        assembly = assemble((model, coordinates), coordinates, bodies, surfaces, placed, np.zeros(3), options)
        self.by_opensim = dict(assembly.plan.opensim)
        self._by_opensim = [i for i, name in enumerate(names) if name in self.by_opensim]
        self._smooth = [i for i, name in enumerate(names) if name not in self.by_opensim]
        self._opensim_lengths = OpenSimLengths(model, coordinates, [names[i] for i in self._by_opensim])
        self._evaluation = replace(assembly, muscles=tuple(placed[i] for i in self._smooth)).evaluation
        self._kinematics = Kinematics(model, coordinates, bodies)
        self._state = osim.State(model.getWorkingState())

    def lengths(self, q: Array, indices: Sequence[int] | None = None) -> Array:
        """Return lengths (P, muscles) [m] at poses q (P, nu), of all muscles or some ``indices``; NaN: no path."""
        requested = list(range(len(self._by_opensim) + len(self._smooth)) if indices is None else indices)
        lengths = np.full((len(q), len(requested)), np.nan)
        smooth, by_opensim = (
            [k for k, i in enumerate(requested) if i in group] for group in (self._smooth, self._by_opensim)
        )
        if smooth:
            evaluated = [self._smooth.index(requested[k]) for k in smooth]
            looks = read_body_poses(self._model, self._coordinates, self._kinematics, q)
            for pose in range(len(q)):
                lengths[pose, smooth] = self._evaluation.path_lengths(looks.kinematics(pose), evaluated)
        if by_opensim:
            lengths[:, by_opensim] = self._opensim_lengths.lengths(
                q, [self._by_opensim.index(requested[k]) for k in by_opensim]
            )
        return lengths

    def measure(self, q: Array, drives: Array, progress: bool | None) -> tuple[Array, Array]:
        """Do as :meth:`OpenSimLengths.measure`; NaN where a path is lost."""
        count = len(self._by_opensim) + len(self._smooth)
        lengths = np.full((len(q), count), np.nan)
        slopes = np.full((len(q), count, drives.shape[2]), np.nan)
        for pose in _with_progress_bar(range(len(q)), progress):
            self._coordinates.set_values(self._state, q[pose])
            kinematics = self._kinematics.read(self._state)
            lengths[pose, self._smooth] = smooth_lengths = self._evaluation.path_lengths(kinematics)
            if np.isfinite(smooth_lengths).all():
                by_twist, by_speed = self._evaluation.length_gradients(kinematics)
                by_speed = (
                    by_speed + by_twist.reshape(len(smooth_lengths), len(kinematics.jacobian)) @ kinematics.jacobian
                )
                slopes[pose, self._smooth] = by_speed @ drives[pose]
        if self._by_opensim:
            lengths[:, self._by_opensim], slopes[:, self._by_opensim] = self._opensim_lengths.measure(q, drives, False)
        return lengths, slopes


def _with_many_wraps(path: osim.AbstractGeometryPath) -> osim.GeometryPath | None:
    """Return a path as a GeometryPath if it has several wraps, where ``getLength`` is stale; else None."""
    geometry_path = osim.GeometryPath.safeDownCast(path)
    return geometry_path if geometry_path is not None and geometry_path.getWrapSet().getSize() > 1 else None


def _with_progress_bar(poses: range, progress: bool | None) -> Iterable[int]:
    return tqdm(poses, disable=not shows_bar(progress), unit="pose", desc="paths")
