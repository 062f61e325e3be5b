"""A comparison with OpenSim's paths prepared for a model, whose wrapping muscles are led as an inertial model's are."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from ..._core.checks import silenced
from ..._core.choices import WrappingKind
from ..._core.errors import MassError, UnsupportedPathError
from ..._core.opensim import osim
from ..._core.warnings import WrappingFallbackWarning
from ...model.assembly import assemble
from ...model.path_source import PathSource
from ...muscles.masses.estimate import estimate_masses, half_thickness, select_muscles
from ...muscles.masses.table import check_masses
from ...muscles.material.whole_path import MIDDLE, WHOLE
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import read_coordinates
from ...opensim_model.reading.loading import copy_model, initialise
from ...opensim_model.reading.paths import read_path
from ...options.modelling import ModelOptions, Wrapping, wrapping_of
from ...paths.comparison.path_comparison import PathComparison, Way
from ...paths.kernel.description import KernelMuscle
from ...paths.wrapping.current_cable import current_path
from ...paths.wrapping.current_path import CurrentPath
from ...paths.wrapping.plan import WrapPlan, all_by_opensim
from ...paths.wrapping.surfaces import has_wraps


@dataclass(frozen=True)
class PreparedComparison:
    """A model's wrapping muscles, ready to be compared.

    Attributes:
        names: all muscles with wrap objects among those asked for.
        unsupported: the reason why one of them cannot be compared, by name.
        paths: compares the others.
    """

    names: tuple[str, ...]
    unsupported: dict[str, str]
    paths: PathComparison


def prepare_comparison(
    model: osim.Model | str | os.PathLike[str],
    muscles: str | Iterable[str] | None,
    wrapping: WrappingKind | Wrapping,
) -> PreparedComparison:
    """Read a model's wrapping muscles, and plan their paths; the arguments are those of :func:`compare_wraps`."""
    options = ModelOptions(wrapping=replace(wrapping_of(wrapping), warn_wraps=False))
    copy = copy_model(model)
    coordinates = read_coordinates(copy, initialise(copy))
    of_model = model_muscles(copy)
    names = [name for name in select_muscles(list(of_model), muscles) if has_wraps(of_model[name])]
    live: dict[str, CurrentPath] = {}
    unsupported: dict[str, str] = {}
    for name in names:
        try:
            live[name] = current_path(copy, read_path(of_model[name], coordinates))
        except UnsupportedPathError as error:
            unsupported[name] = str(error)
    on_points = [body for path in live.values() for body in path.path.bodies]
    on_surfaces = [surface.body for path in live.values() for surface in path.surfaces.values()]
    bodies = tuple(dict.fromkeys([*on_points, *on_surfaces]))
    laid = [KernelMuscle(path.path, WHOLE, 1.0, MIDDLE) for path in live.values()]
    with silenced(WrappingFallbackWarning):  # the table tells
        source, thickness = PathSource(copy, coordinates), _half_thickness(copy, list(live))
        surfaces = {name: path.surfaces for name, path in live.items()}
        assembly = assemble(source, coordinates, bodies, surfaces, laid, np.zeros(3), options, thickness)
    plans: dict[Way, WrapPlan] = {
        "opensim": all_by_opensim(live),
        "ours": assembly.plan,
        "exact": assembly.plan.exact(keep_networks=False),
    }
    evaluations = {way: replace(assembly, plan=plan).evaluation for way, plan in plans.items()}
    return PreparedComparison(
        tuple(names), unsupported, PathComparison(copy, coordinates, live, assembly.plan, evaluations)
    )


def _half_thickness(model: osim.Model, muscles: list[str]) -> dict[str, float]:
    """Return the half thickness of the bellies [m] by the default estimate of masses; none where there is none."""
    try:
        table, architecture = check_masses(estimate_masses(model, muscles=muscles, unsupported="massless"), model)
    except (MassError, UnsupportedPathError):
        return {}
    masses = dict(zip(table["muscle"], table["mass"].to_numpy(float).tolist(), strict=True))
    return half_thickness(masses, architecture)
