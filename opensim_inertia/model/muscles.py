"""Data of the muscles with mass, and descriptions of an inertial model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core.errors import MassError
from .._core.provenance import plain, versions
from .._core.representation import some_names
from ..muscles.masses.architecture import MuscleArchitecture
from ..muscles.masses.donors import Stretch, read_stretches
from ..muscles.masses.estimate import half_thickness
from ..muscles.masses.table import MassTable, PointMasses
from ..muscles.material import MaterialMap, MaterialPoints, equal_points, material_map
from ..opensim_model.reading.loading import InitialisedModel
from ..opensim_model.reading.paths import MusclePath, read_path
from ..options.modelling import ModelOptions
from ..paths.kernel.description import KernelMuscle
from ..paths.wrapping.plan import WrapPlan
from ..paths.wrapping.surfaces import Surface, read_surfaces, unsupported_paths


@dataclass(frozen=True)
class InertialMuscles:
    """The muscles with mass, in the model's order: paths, masses, donor segments and material maps."""

    paths: Mapping[str, MusclePath]  # by name
    surfaces: Mapping[str, Mapping[str, Surface]]  # wrap objects of each path, by name
    masses: Mapping[str, float]  # [kg], by name
    donors: Mapping[str, tuple[Stretch, ...]]  # parts of each muscle's mass with donor segments, by name
    explicit: Mapping[str, PointMasses]  # explicit point masses, by name
    architecture: Mapping[str, MuscleArchitecture]  # lengths of free tendons and aponeuroses, by name
    maps: Mapping[str, MaterialMap]  # constants of material maps, by name
    options: ModelOptions  # of the model

    @classmethod
    def read(
        cls,
        model: InitialisedModel,
        table: MassTable,
        explicit: Mapping[str, PointMasses],
        architecture: Mapping[str, MuscleArchitecture],
        options: ModelOptions,
    ) -> InertialMuscles:
        """Return the muscles with mass, from a model and a checked mass table."""
        mass = dict(zip(table["muscle"], table["mass"].tolist(), strict=True))
        donor = dict(zip(table["muscle"], table["segment"], strict=True))
        paths, surfaces = {}, {}
        for name, muscle in model.muscles.items():
            if mass.get(name, 0.0) > 0:
                surfaces[name] = read_surfaces(muscle)
                paths[name] = read_path(muscle, model.coordinates, model.path_points[name])
        return cls(
            paths,
            surfaces,
            {name: mass[name] for name in paths},
            {name: read_stretches(donor[name], name) for name in paths},
            {name: lumps for name, lumps in explicit.items() if name in paths},
            {name: architecture[name] for name in paths},
            {n: material_map(options.strain_model, p, n in explicit, architecture[n]) for n, p in paths.items()},
            options,
        )

    @property
    def half_thickness(self) -> dict[str, float]:
        """Half thickness of bellies [m], by muscle."""
        return half_thickness(self.masses, self.architecture) | dict(self.options.paths.half_thickness or {})

    @property
    def rate_masses(self) -> list[float]:
        """Effective mass of each muscle [kg]: twice the kinetic energy [J] while the path lengthens at 1 m/s.

        Mass times mean of s'^2, with the speed along the path s' = f (1 - phi) + chi e (1 - phi) + xi phi per rate.
        """
        masses = []
        for name, m in self.maps.items():
            points = self.explicit.get(name)
            start, along, fibre = m.proximal * (1 - m.phi), m.aponeurosis * (1 - m.phi), m.phi
            mean, variance = (along + fibre) / 2, (along**2 + fibre**2) / 12
            if points is not None:
                weights, fractions = points.masses / points.total, points.fractions
                middle = float(weights @ fractions)
                spread = float(weights @ (fractions - middle) ** 2)
                mean, variance = middle * (along + fibre), spread * (along + fibre) ** 2
            masses.append(self.masses[name] * ((start + mean) ** 2 + variance))
        return masses

    def shown_points(self, name: str) -> MaterialPoints:
        """Return a muscle's explicit point masses, or equal points that represent the belly."""
        if name in self.explicit:
            return MaterialPoints.explicit(self.explicit[name])
        has_aponeurosis = self.maps[name].aponeurosis > 0
        points = equal_points(self.masses[name], self.options.points, has_aponeurosis)
        if not has_aponeurosis:
            return points
        lengths = self.architecture[name]
        order = np.argsort(points.chi * lengths.aponeurosis + points.xi * lengths.fibre, kind="stable")
        return MaterialPoints(points.chi[order], points.xi[order], points.masses)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Bodies of muscle paths and wrap objects, and the donor segments."""
        names = dict.fromkeys(b for path in self.paths.values() for b in path.bodies)
        names |= dict.fromkeys(s.body for surfaces in self.surfaces.values() for s in surfaces.values())
        donors = {stretch.segment for stretches in self.donors.values() for stretch in stretches}
        names.update(dict.fromkeys(sorted(donors)))
        return tuple(names)

    def for_kernel(self) -> tuple[KernelMuscle, ...]:
        """Return the muscles as input of the kernel."""
        return tuple(
            KernelMuscle(
                path,
                self.maps[name],
                self.masses[name],
                None if self.options.is_continuous and name not in self.explicit else self.shown_points(name),
            )
            for name, path in self.paths.items()
        )


def without_unsupported(masses: Any, model: InitialisedModel) -> tuple[Any, tuple[str, ...]]:
    """Return the masses of muscles with supported paths, and the names of muscles with unsupported paths."""
    named = set(masses["muscle"] if isinstance(masses, MassTable) else masses)
    out = tuple(name for name in unsupported_paths(model) if name in named)
    if isinstance(masses, MassTable):
        return masses.of_muscles(named.difference(out)), out
    return {name: mass for name, mass in masses.items() if name not in out}, out


def split_explicit(masses: Any) -> tuple[dict[str, PointMasses], Any]:
    """Return the explicit point masses by muscle, and the given masses with each muscle's total in place of points."""
    if masses is None:
        raise MassError("masses: a table, a dict or a CSV file is expected, got None")
    if isinstance(masses, MassTable) or not isinstance(masses, Mapping):
        return {}, masses
    explicit = {name: m for name, m in masses.items() if isinstance(m, PointMasses)}
    totals = {name: m.total if isinstance(m, PointMasses) else m for name, m in masses.items()}
    return explicit, totals


def origin_of_results(
    model: Mapping[str, Any],
    muscles: InertialMuscles,
    wraps: WrapPlan,
    segments: Sequence[Mapping[str, Any]],
    left_massless: Sequence[str],
    notes: Sequence[str],
) -> dict[str, Any]:
    """Return the provenance of results as JSON types: versions, model, options, segments, warnings; no mass table."""
    options, touch = muscles.options, dict[str, str]()
    widths = [width for pair in wraps.touch_half_widths.values() for width in pair]
    if options.paths.smoothing is None and max(widths, default=0.0):
        least, most = 1e3 * min(widths), 1e3 * max(widths)
        touch["smoothing"] = f"half thickness of each belly, from {least:.1f} to {most:.1f} mm"
        if options.paths.kind == "neural":
            touch["smoothing"] = "that of the networks"
    details = [wraps.describe_differences()] if options.paths.warn_wraps and wraps.summary() else []
    return plain(
        {
            "versions": versions(),
            "model": model,
            "options": options.described() | touch,
            "muscle mass [kg]": float(sum(muscles.masses.values())),
            "muscles with mass": len(muscles.masses),
            "left massless": left_massless,
            "point masses": {
                name: {"fractions": points.fractions, "masses": points.masses}
                for name, points in muscles.explicit.items()
            },
            "segments": segments,
            "paths led by OpenSim": wraps.opensim,
            "paths off OpenSim's, at least [m]": {name: d.size for name, d in wraps.different.items()},
            "half widths of touch, least and largest [m]": wraps.touch_half_widths,
            "warnings": [*notes, *details],
        }
    )


def described(
    name: str, muscles: InertialMuscles, wraps: WrapPlan, segments: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return text on muscles, segments, strain and wrapping of an inertial model, by topic."""
    led, options = len(wraps.opensim), muscles.options
    way: str = options.paths.kind
    if led and way != "opensim":
        way += f", {led} muscle{'s' if led > 1 else ''} by OpenSim"
    points = "continuous mass" if options.is_continuous else f"{options.points} points per muscle"
    total = sum(muscles.masses.values())
    return {
        "model": name,
        "muscles with mass": f"{len(muscles.masses)} with {total:.4g} kg, {some_names(list(muscles.paths))}",
        "donor segments": some_names([f"{each['segment']} {each['muscles']:.3g} kg" for each in segments]),
        "strain": f"{options.strain_model.kind}, {points}",
        "wrapping": way,
    }
