"""Comparison of the package's wrapped paths, with and without smoothing, to OpenSim's paths."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from .._core.arrays import Array
from .._core.checks import shows_bar, silenced
from .._core.choices import MOST_POSES, WrappingKind
from .._core.errors import MassError, ModelError, UnsupportedPathError
from .._core.opensim import osim
from .._core.options import whole
from .._core.warnings import WrappingFallbackWarning
from ..model.assembly import Assembly, assemble
from ..muscles.masses.estimate import estimated_masses, half_thickness, select_muscles
from ..muscles.masses.table import check_masses
from ..muscles.material import MIDDLE, POINTS, WHOLE
from ..opensim_model.reading.coordinates import random_poses
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.loading import InitialisedModel
from ..opensim_model.reading.paths import MusclePath, read_path
from ..options.modelling import ModelOptions, Wrapping, wrapping_of
from ..paths.kernel.description import KernelMuscle
from ..paths.kernel.evaluation import Evaluation
from ..paths.survey_comparison import BENT, places_on_path
from ..paths.wrapping.current_path import moved_apart, polyline_length
from ..paths.wrapping.path_samples import OpenSimPathSamples, sample_opensim_paths
from ..paths.wrapping.plan import DIFFERENT, PathDifference, WrapPlan
from ..paths.wrapping.surfaces import Surface, has_wraps, read_surfaces
from .length_polynomials.samples import FreeCoordinates

__all__ = ["AS_OPENSIM", "COLUMNS", "VERDICTS", "compare_wraps"]


def assemble_wrapping(
    model: osim.Model | str | os.PathLike[str], muscles: str | Iterable[str] | None, wrapping: WrappingKind | Wrapping
) -> tuple[osim.Model, Assembly, dict[str, dict[str, Surface] | UnsupportedPathError]]:
    """Return a copy of the model, an evaluator of its wrapping muscles, and each muscle's wrap surfaces or error."""
    options = ModelOptions(wrapping=replace(wrapping_of(wrapping), warn_wraps=False))
    ready = InitialisedModel.of(model)
    copy, coordinates, of_model = ready.model, ready.coordinates, ready.muscles
    paths: list[MusclePath] = []
    every: dict[str, dict[str, Surface] | UnsupportedPathError] = {}
    for name in select_muscles(list(of_model), muscles):
        if has_wraps(of_model[name]):
            try:
                every[name], path = read_surfaces(of_model[name]), read_path(of_model[name], coordinates)
                paths.append(path)
            except UnsupportedPathError as error:
                every[name] = error
    surfaces = {name: each for name, each in every.items() if isinstance(each, dict)}
    carriers = [surface.body for each in surfaces.values() for surface in each.values()]
    bodies = tuple(dict.fromkeys([*(body for path in paths for body in path.bodies), *carriers]))
    placed = [KernelMuscle(path, WHOLE, 1.0, MIDDLE) for path in paths]
    thickness = dict[str, float]()
    with silenced(WrappingFallbackWarning):  # the table lists them
        with suppress(MassError, UnsupportedPathError):  # bellies are as thick as by the default estimate of masses
            table, architecture = check_masses(estimated_masses(ready, muscles=surfaces, unsupported="massless"), ready)
            masses = dict(zip(table["muscle"], table["mass"].tolist(), strict=True))
            thickness = half_thickness(masses, architecture)
        assembly = assemble(ready, coordinates, bodies, surfaces, placed, np.zeros(3), options, thickness)
    return copy, assembly, every


#: Compared paths. Exact: ours without smoothing, over the surfaces and not by networks.
OURS, EXACT, OPENSIM = range(3)


class Comparison(NamedTuple):
    """Differences between this package's and OpenSim's path of a muscle at P poses; NaN where a path is missing."""

    lengths: Array  # signed difference of lengths, without smoothing, (P,) [m]
    points: Array  # largest distance of mass points, without smoothing, (P,) [m]
    smoothing: Array  # largest effect of smoothing on length or mass points, (P,) [m]
    touches: NDArray[np.bool_]  # whether our path touches a surface, (P,)


def _compare(evaluations: Sequence[Evaluation], number: int, samples: OpenSimPathSamples, way: str) -> Comparison:
    """Compare a muscle's smoothed and exact paths (two ``evaluations``) to OpenSim's; ``way``: wrapping method."""
    poses, muscle = samples.poses, samples.path.muscle
    lengths, places = np.empty((3, len(poses))), np.full((3, len(poses), len(POINTS), 3), np.nan)
    lengths[OPENSIM] = samples.lengths
    for pose in range(len(poses)):
        theirs = poses.kinematics(pose, {muscle: samples.wrapped_path(pose)})
        ours = theirs if way == "opensim" else theirs._replace(paths={})
        for of, evaluation, state in zip(range(3), (*evaluations, evaluations[0]), (ours, ours, theirs), strict=True):
            with suppress(ModelError):
                places[of, pose] = places_on_path(evaluation, state, number, POINTS)
            if of != OPENSIM:
                lengths[of, pose] = evaluation.path_lengths(state, [number])[0]
    is_exact = np.isfinite(lengths).all(axis=0) & (way != "neural")
    best = np.where(is_exact, EXACT, OURS), np.arange(len(poses))

    def distances(one: Array, other: Array) -> Array:
        return np.asarray(np.linalg.norm(one - other, axis=2).max(axis=1))

    straight = [polyline_length(points[there]) for points, there in zip(samples.places, samples.active, strict=True)]
    return Comparison(
        lengths[best] - samples.lengths,
        distances(places[best], places[OPENSIM]),
        np.maximum(np.abs(lengths[OURS] - lengths[EXACT]), distances(places[OURS], places[EXACT])),
        lengths[EXACT] - straight > BENT,
    )


#: Smaller relative motions of bodies [rad or m per unit of a coordinate] are rounding.
STILL = 1e-8


def _moving(
    model: osim.Model, kinematics: Kinematics, sampled: Mapping[str, OpenSimPathSamples]
) -> dict[str, dict[str, Array]]:
    """Return, by muscle, the values (P,) of the free coordinates that move its path."""
    if not sampled:
        return {}
    q = next(iter(sampled.values())).poses.q
    free = FreeCoordinates(model, kinematics.coordinates)
    is_moving = {name: np.zeros(len(free.names), dtype=bool) for name in sampled}
    for values, drives in zip(q[:3], free.drives(q[:3]), strict=True):
        state = osim.State(model.getWorkingState())  # cables depend on earlier poses of a state
        kinematics.coordinates.set_values(state, values)
        at = kinematics.read(state)
        twists = (at.jacobian @ drives).reshape(len(kinematics.bodies), 6, -1)
        for name, samples in sampled.items():
            bodies = [*samples.path.bodies, *(surface.body for surface in samples.surfaces.values())]
            on = [kinematics.bodies.index(body) for body in bodies]
            is_moving[name] |= moved_apart(twists[on], at.position[on]) > STILL
    return {
        name: {free.names[k]: q[:, free.places[k]] for k in np.flatnonzero(moving)}
        for name, moving in is_moving.items()
    }


#: Columns of the table; lengths in mm, angles in rad, shares in %.
COLUMNS = (
    "wraps",
    "way",
    "verdict",
    "why",
    "touched OpenSim [%]",
    "touched ours [%]",
    "length median [mm]",
    "length 95 % [mm]",
    "length max [mm]",
    "points median [mm]",
    "points 95 % [mm]",
    "points max [mm]",
    "half width [mm]",
    "smoothing max [mm]",
    "getLength stale max [mm]",
    "no path [%]",
    "jump [mm]",
    "worst pose",
    "reason",
    "notes",
)


#: A path equals OpenSim's if lengths and mass points differ by at most this [m].
AS_OPENSIM = 1e-3

#: Verdicts on a muscle: its path is OpenSim's; or it is the shortest path over the same surfaces and OpenSim's is
#: longer, which is fine; or the paths differ otherwise.
VERDICTS = ("as OpenSim", "geodesic", "look at")


def compare_wraps(
    model: osim.Model | str | os.PathLike[str],
    poses: int = 100,
    seed: int = 1,
    muscles: str | Iterable[str] | None = None,
    wrapping: WrappingKind | Wrapping = "analytic",
    progress: bool | None = None,
) -> pd.DataFrame:
    """Compare the path of every wrapping muscle with OpenSim's at random poses over the range of motion.

    OpenSim's length is that of the path that it draws: ``getLength`` can be outdated for paths over several wraps, see
    its column. The model is not modified.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file.
        poses: number of random poses.
        seed: seed of the poses; 0: the poses at which the wrapping method was chosen.
        muscles: names or shell patterns; None: all.
        wrapping: see :class:`~opensim_inertia.InertialModel`. Without ``smoothing``, the thickness of bellies follows
            from :func:`~opensim_inertia.estimate_masses` with its defaults.
        progress: show a bar; None: on a terminal.

    Returns:
        One row per wrapping muscle, index ``muscle``, columns ``COLUMNS``; empty if no muscle wraps.

        * *length*: |path length - OpenSim's|; *points*: largest distance of 20 equal mass points under uniform strain.
          Both are without smoothing, except for networks, which contain it; their maxima include the poses of the
          model's survey.
        * *smoothing*: largest effect of smoothing or networks on both; *half width*: the largest of the smoothing.
        * *jump*: the largest jump of the path's length; *verdict*: one of ``VERDICTS``.
        * *reason*: difference of the paths at the worst pose of the survey, unless the verdict is "as OpenSim".

    Raises:
        ModelError: the model is missing or malformed.
        UnknownNameError: a muscle is not in the model.
        UnsupportedPathError: with ``strict``, a muscle's wraps cannot be wrapped smoothly.
        OptionError: an option has a value that is not allowed.
    """
    poses = whole(1, MOST_POSES)("poses", poses)
    copy, assembly, every = assemble_wrapping(model, muscles, wrapping)
    coordinates, plan, paths = assembly.coordinates, assembly.plan, [muscle.path for muscle in assembly.muscles]
    kinematics = Kinematics(copy, coordinates, assembly.bodies)
    q = random_poses(copy, coordinates, poses, seed)
    sampled = sample_opensim_paths(copy, coordinates, paths, kinematics, q)
    moving = _moving(copy, kinematics, sampled)
    evaluations = [replace(assembly, plan=each).evaluation for each in (plan, plan.exact(keep_networks=False))]
    empty = dict.fromkeys(COLUMNS, np.nan) | dict.fromkeys(("wraps", "worst pose", "reason", "notes"), "")
    rows = []
    for name, surfaces in tqdm(every.items(), disable=not (shows_bar(progress) and sampled), desc="wraps"):
        if isinstance(surfaces, UnsupportedPathError):
            rows.append(empty | {"way": "none", "verdict": VERDICTS[2], "why": str(surfaces)})
            continue
        way = "neural" if any(site.network for site in plan.sites.get(name, ())) else "analytic"
        way = "opensim" if name in plan.opensim else way
        compared = _compare(evaluations, assembly.names.index(name), sampled[name], way)
        rows.append(_row(sampled[name], surfaces.values(), plan, way, compared, moving[name]))
    return pd.DataFrame(rows, index=pd.Index(every, name="muscle"), columns=list(COLUMNS))


def _row(
    samples: OpenSimPathSamples,
    surfaces: Iterable[Surface],
    plan: WrapPlan,
    way: str,
    compared: Comparison,
    coordinates: Mapping[str, Array],
) -> dict[str, Any]:
    """Return a muscle's row of the comparison; ``coordinates``: values (P,) of the coordinates that move the path."""
    name, lengths, points = samples.path.muscle, 1e3 * np.abs(compared.lengths), 1e3 * compared.points
    worst = int(np.argmax(np.nan_to_num(np.maximum(lengths, points), nan=-1.0)))
    difference = plan.differences.get(name)
    planned = [] if difference is None else [1e3 * difference.length, 1e3 * difference.points]
    verdict = _verdict(np.append(lengths, planned[:1]), np.append(points, planned[1:]), difference)
    return {
        "wraps": ", ".join(f"{s.name} ({s.kind}{'' if s.active else ', not active'})" for s in surfaces),
        "way": way,
        "verdict": verdict,
        "why": plan.opensim.get(name, ""),
        "touched OpenSim [%]": 100 * len({arc.pose for arc in samples.arcs}) / len(lengths),
        "touched ours [%]": 100 * compared.touches.mean(),
        **_spread("length", lengths, planned[:1]),
        **_spread("points", points, planned[1:]),
        "half width [mm]": 1e3 * plan.touch_half_widths.get(name, (np.nan, np.nan))[1],
        "smoothing max [mm]": 1e3 * _largest(compared.smoothing),
        "getLength stale max [mm]": 1e3 * _largest(np.abs(samples.reported - samples.lengths)),
        "no path [%]": 100 * float(np.mean(np.isnan(lengths))),
        "jump [mm]": 1e3 * plan.jumps.get(name, 0.0),
        "worst pose": ", ".join(f"{each} {values[worst]:.2f}" for each, values in coordinates.items()),
        "reason": "" if difference is None or verdict == VERDICTS[0] else difference.reason,
        "notes": "; ".join(plan.notes.get(name, ())),
    }


def _verdict(lengths: Array, points: Array, difference: PathDifference | None) -> str:
    """Return one of ``VERDICTS``, given all differences [mm] from OpenSim's path in lengths and points."""
    if not np.isfinite(lengths).all():
        return VERDICTS[2]
    if max(lengths.max(), points.max()) <= 1e3 * AS_OPENSIM:
        return VERDICTS[0]
    is_geodesic = difference is not None and difference.longer and lengths.max() < 1e3 * DIFFERENT
    return VERDICTS[1] if is_geodesic else VERDICTS[2]


def _spread(quantity: str, values: Array, planned: Sequence[float]) -> dict[str, float]:
    good = values[np.isfinite(values)]
    shares = {k: float(np.percentile(good, p)) if len(good) else np.nan for k, p in (("median", 50), ("95 %", 95))}
    return {f"{quantity} {k} [mm]": v for k, v in (shares | {"max": _largest([*good, *planned])}).items()}


def _largest(values: Sequence[float] | Array) -> float:
    return max((float(v) for v in values if np.isfinite(v)), default=np.nan)
