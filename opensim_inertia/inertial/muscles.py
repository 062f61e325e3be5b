"""The muscles that have mass: their paths, where on them the mass lies, and the kernel that knows them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from .._kernel import Kernel
from .._kernel import MaterialMap as KernelMaterialMap
from .._opensim import osim
from ..arrays import Array
from ..errors import MassError, OptionError, UnsupportedPathError
from ..kernel.conversions import kernel_point, kernel_surface
from ..masses import MuscleArchitecture, read_masses
from ..material import MaterialMap, MaterialPoints, PointMasses, StrainModel, equal_points
from ..reading import CoordinateTable, MusclePath, read_path
from ..wrapping import check_wraps, wrap_bodies

__all__ = ["InertialMuscles", "check_points", "check_smoothing", "split_explicit", "without_unsupported"]


@dataclass(frozen=True)
class InertialMuscles:
    """The muscles of a model that have mass, in the model's order.

    Attributes:
        paths: by name.
        masses: [kg], by name.
        donors: segment that gives up each one's mass, by name.
        explicit: :class:`PointMasses` of those that have them.
        architecture: lengths of free tendons and aponeuroses, by name.
        strain: what stretches.
        points: number of mass points that stand for a belly.
        is_continuous: whether mass is continuous where it is not explicit.
    """

    paths: Mapping[str, MusclePath]
    masses: Mapping[str, float]
    donors: Mapping[str, str]
    explicit: Mapping[str, PointMasses]
    architecture: Mapping[str, MuscleArchitecture]
    strain: StrainModel
    points: int
    is_continuous: bool

    @classmethod
    def read(
        cls,
        model: osim.Model,
        coordinates: CoordinateTable,
        table: pd.DataFrame,
        explicit: Mapping[str, PointMasses],
        architecture: Mapping[str, MuscleArchitecture],
        strain: StrainModel,
        points: int,
        is_continuous: bool,
    ) -> InertialMuscles:
        """From a model and its checked mass table.

        Raises:
            UnsupportedPathError: names a muscle whose path cannot carry mass.
        """
        mass = dict(zip(table["muscle"], table["mass"].astype(float), strict=True))
        donor = dict(zip(table["muscle"], table["segment"], strict=True))
        paths = {}
        for muscle in model.getMuscles():
            if mass.get(muscle.getName(), 0.0) > 0:
                check_wraps(muscle)
                paths[muscle.getName()] = read_path(muscle, coordinates)
        return cls(
            paths,
            {name: mass[name] for name in paths},
            {name: donor[name] for name in paths},
            {name: lumps for name, lumps in explicit.items() if name in paths},
            {name: architecture[name] for name in paths},
            strain,
            points,
            is_continuous,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.paths)

    def material_map(self, name: str) -> MaterialMap:
        """Where the mass of a muscle lies along its path."""
        return self.strain.material_map(self.paths[name], name in self.explicit, self.architecture[name])

    def shown_points(self, name: str) -> MaterialPoints:
        """Explicit points of a muscle, or equal ones that stand for its belly, from origin to insertion."""
        if name in self.explicit:
            return MaterialPoints.explicit(self.explicit[name])
        has_aponeurosis = self.material_map(name).aponeurosis > 0
        points = equal_points(self.masses[name], self.points, has_aponeurosis)
        if not has_aponeurosis:
            return points
        lengths = self.architecture[name]
        order = np.argsort(points.chi * lengths.aponeurosis + points.xi * lengths.fibre, kind="stable")
        return MaterialPoints(points.chi[order], points.xi[order], points.masses)

    def bodies(self, model: osim.Model) -> tuple[str, ...]:
        """Bodies that their paths and wrap objects are on, and their donor segments."""
        names = dict.fromkeys(b for path in self.paths.values() for b in path.bodies)
        for path in self.paths.values():
            if path.wraps:
                names.update(dict.fromkeys(wrap_bodies(model.getMuscles().get(path.muscle))))
        names.update(dict.fromkeys(sorted(set(self.donors.values()))))
        return tuple(names)

    def kernel(
        self,
        bodies: Sequence[str],
        coordinate_names: Sequence[str],
        gravity: Array,
        wraps: Any,
        maps: Mapping[str, MaterialMap] | None = None,
    ) -> Kernel:
        """The kernel that moves their mass.

        Args:
            bodies, coordinate_names: names along the axes of bodies and speeds.
            gravity: (3,) [m/s^2].
            wraps: the plan of how paths pass wrap objects.
            maps: material maps to use instead, by name.
        """
        body = {name: i for i, name in enumerate(bodies)}
        coordinate = {name: i for i, name in enumerate(coordinate_names)}
        kernel = Kernel(len(bodies), len(coordinate), gravity)
        for name, path in self.paths.items():
            m = (maps or {}).get(name) or self.material_map(name)
            lumps = None if self.is_continuous and name not in self.explicit else self.shown_points(name)
            kernel.add_muscle(
                name,
                [kernel_point(p, body, coordinate) for p in path.points],
                KernelMaterialMap(m.phi, m.slack, m.proximal, m.shortest, m.hold_width, m.aponeurosis),
                self.masses[name],
                None if lumps is None else lumps.pairs,
                None if lumps is None else lumps.masses.tolist(),
                name in wraps.opensim,
            )
            for site in wraps.sites.get(name, ()):
                kernel.add_wrap(kernel.size - 1, kernel_surface(site, body), site.first, site.last)
        return kernel


def without_unsupported(masses: Any, model: osim.Model, coordinates: CoordinateTable) -> tuple[Any, tuple[str, ...]]:
    """The masses given, without those of muscles whose path cannot carry mass, and who these are."""
    if isinstance(masses, str | os.PathLike):
        masses = read_masses(masses)
    named = set(masses["muscle"] if isinstance(masses, pd.DataFrame) else masses)
    out = []
    for muscle in model.getMuscles():
        if muscle.getName() in named:
            try:
                check_wraps(muscle)
                read_path(muscle, coordinates)
            except UnsupportedPathError:
                out.append(muscle.getName())
    if isinstance(masses, pd.DataFrame):
        return masses[~masses["muscle"].isin(out)].reset_index(drop=True), tuple(out)
    return {name: mass for name, mass in masses.items() if name not in out}, tuple(out)


def split_explicit(masses: Any) -> tuple[dict[str, PointMasses], Any]:
    """Explicit point masses apart from a table that holds their totals."""
    if masses is None:
        raise MassError("masses: a table, a dict or a CSV file is expected, got None")
    if not isinstance(masses, Mapping):
        return {}, masses
    explicit = {name: m for name, m in masses.items() if isinstance(m, PointMasses)}
    totals = {name: m.total if isinstance(m, PointMasses) else m for name, m in masses.items()}
    return explicit, totals


def check_smoothing(smoothing: float | None) -> float | None:
    """Half width of the transition at touch [m], or None."""
    if smoothing is None:
        return None
    if isinstance(smoothing, bool) or not isinstance(smoothing, int | float | np.number) or not 0 <= smoothing < 1:
        raise OptionError("smoothing", smoothing, "a length in metres, at least 0 and below 1, or None")
    return float(smoothing)


def check_points(points: int) -> int:
    """A number of mass points."""
    if isinstance(points, bool) or not isinstance(points, int | np.integer) or points < 1:
        raise OptionError("points", points, "a whole number of at least 1")
    return int(points)
