"""The wrap report: distances of paths over wrap objects, ours with and without smoothing, from OpenSim's own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from tqdm import tqdm

from .._core.arrays import Array
from .._core.checks import shows_bar, silenced
from .._core.choices import MOST_POSES, WrappingKind
from .._core.errors import MassError, ModelError, UnsupportedPathError
from .._core.opensim import osim
from .._core.options import whole
from .._core.warnings import WrappingFallbackWarning
from ..model.assembly import assemble
from ..muscles.masses.estimate import estimated_masses, half_thickness, select_muscles
from ..muscles.masses.table import check_masses
from ..muscles.material import MIDDLE, WHOLE
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.coordinates import random_poses, read_coordinates
from ..opensim_model.reading.loading import copy_model, initialise
from ..opensim_model.reading.paths import read_path
from ..options.modelling import ModelOptions, Wrapping, wrapping_of
from ..paths.kernel.description import KernelMuscle
from ..paths.path_comparison import Comparison, PathComparison, Way
from ..paths.wrapping.current_path import CurrentPath, current_path
from ..paths.wrapping.plan import DIFFERENT, PathDifference, WrapPlan, all_by_opensim
from ..paths.wrapping.surfaces import has_wraps

__all__ = ["AS_OPENSIM", "COLUMNS", "VERDICTS", "compare_wraps"]


def prepare_comparison(
    model: osim.Model | str | os.PathLike[str], muscles: str | Iterable[str] | None, wrapping: WrappingKind | Wrapping
) -> tuple[PathComparison, tuple[str, ...], dict[str, str]]:
    """Return the wrapping muscles' paths for :func:`compare_wraps`, these muscles, and why some are left out."""
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
    placed = [KernelMuscle(path.path, WHOLE, 1.0, MIDDLE) for path in live.values()]
    source, thickness = (copy, coordinates), dict[str, float]()
    surfaces = {name: path.surfaces for name, path in live.items()}
    with silenced(WrappingFallbackWarning):  # the table tells
        with suppress(MassError, UnsupportedPathError):  # bellies are as thick as by the default estimate of masses
            table, architecture = check_masses(estimated_masses(copy, muscles=[*live], unsupported="massless"), copy)
            masses = dict(zip(table["muscle"], table["mass"].tolist(), strict=True))
            thickness = half_thickness(masses, architecture)
        assembly = assemble(source, coordinates, bodies, surfaces, placed, np.zeros(3), options, thickness)
    plans: dict[Way, WrapPlan] = {
        "opensim": all_by_opensim(live),
        "ours": assembly.plan,
        "exact": assembly.plan.exact(keep_networks=False),
    }
    evaluations = {way: replace(assembly, plan=plan).evaluation for way, plan in plans.items()}
    return PathComparison(copy, coordinates, live, assembly.plan, evaluations), tuple(names), unsupported


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


#: A path is as OpenSim's if lengths and mass points differ by no more than this [m].
AS_OPENSIM = 1e-3

#: What a user need know of a muscle: its path is OpenSim's; it is the shortest one over the same surfaces, where
#: OpenSim's is not, which is fine; or the paths differ otherwise.
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

    OpenSim's length is that of the path that it shows: ``getLength`` is stale on paths over several wraps, which has a
    column of its own. The model is not modified.

    Args:
        model: an ``osim.Model``, or the path of an ``.osim`` file.
        poses: number of random poses.
        seed: of the poses. 0 are those at which the way of a path was chosen.
        muscles: names or shell patterns; None: all.
        wrapping: as :class:`~opensim_inertia.InertialModel` takes it. Without its ``smoothing`` bellies are as thick as
            :func:`~opensim_inertia.estimate_masses` has them by default.
        progress: show a bar; None: on a terminal.

    Returns:
        One row per wrapping muscle, index ``muscle``, columns ``COLUMNS``. *length*: |path length - OpenSim's|;
        *points*: largest distance of 20 equal mass points under uniform strain, both without the smooth touch (but of
        networks, which have theirs built in). Their maxima are also over the poses at which the model was made.
        *smoothing*: the larger of both that the smooth touch, or networks, add; *half width*: of that touch, the
        largest; *jump*: the largest jump of the path's length that was found; *verdict*: one of ``VERDICTS``; *reason*:
        difference of both paths at the worst pose at which the way of the path was chosen, of muscles that are not as
        OpenSim's. Empty if nothing wraps.

    Raises:
        ModelError: the model is missing or malformed.
        UnknownNameError: a muscle is not in the model.
        UnsupportedPathError: ``strict``, and a muscle's wraps cannot be wrapped smoothly.
        OptionError: an option has a value that is not allowed.
    """
    poses = whole(1, MOST_POSES)("poses", poses)
    paths, names, unsupported = prepare_comparison(model, muscles, wrapping)
    q = paths.possible(random_poses(paths.model, paths.coordinates, poses, seed))
    if not len(q):
        raise ModelError("OpenSim can take none of the poses: ends of paths lie inside their obstacles")
    comparisons: dict[str, list[Comparison]] = {name: [] for name in paths.live}
    is_shown = shows_bar(progress) and bool(comparisons)
    for pose in tqdm(q if comparisons else (), disable=not is_shown, unit="pose", desc="wraps"):
        paths.set_pose(pose)
        for name, of_muscle in comparisons.items():
            of_muscle.append(paths.compare(name))
    texts = {"wraps": "", "way": "none", "verdict": VERDICTS[2], "worst pose": "", "reason": "", "notes": ""}
    empty = dict.fromkeys(COLUMNS, np.nan) | texts
    rows = [
        _row(paths, name, q, comparisons[name]) if name in comparisons else empty | {"why": unsupported[name]}
        for name in names
    ]
    return pd.DataFrame(rows, index=pd.Index(names, name="muscle"), columns=list(COLUMNS))


def _row(paths: PathComparison, name: str, poses: Array, comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """Return a muscle's row of the table, from the comparisons (P,) of its path with OpenSim's at all poses (P, nu)."""
    lengths = 1e3 * np.abs([c.length for c in comparisons])
    points = 1e3 * np.array([c.points for c in comparisons])
    touched = 100 * np.mean([c.touched for c in comparisons], axis=0)
    worst = int(np.argmax(np.nan_to_num(np.maximum(lengths, points), nan=-1.0)))
    surfaces, difference = paths.live[name].surfaces.values(), paths.plan.differences.get(name)
    planned = [] if difference is None else [1e3 * difference.length, 1e3 * difference.points]
    verdict = _verdict(np.append(lengths, planned[:1]), np.append(points, planned[1:]), difference)
    return {
        "wraps": ", ".join(f"{s.name} ({s.kind}{'' if s.active else ', not active'})" for s in surfaces),
        "way": paths.way(name),
        "verdict": verdict,
        "why": paths.plan.opensim.get(name, ""),
        "touched OpenSim [%]": touched[0],
        "touched ours [%]": touched[1],
        **_spread("length", lengths, planned[:1]),
        **_spread("points", points, planned[1:]),
        "half width [mm]": 1e3 * paths.plan.touch_half_widths.get(name, (np.nan, np.nan))[1],
        "smoothing max [mm]": 1e3 * _largest([c.smoothing for c in comparisons]),
        "getLength stale max [mm]": 1e3 * _largest(np.abs([c.stale for c in comparisons])),
        "no path [%]": 100 * float(np.mean(np.isnan(lengths))),
        "jump [mm]": 1e3 * paths.plan.jumps.get(name, 0.0),
        "worst pose": ", ".join(f"{c} {poses[worst, paths.coordinates.index(c)]:.2f}" for c in paths.moved_by(name)),
        "reason": "" if difference is None or verdict == VERDICTS[0] else difference.reason,
        "notes": "; ".join(paths.plan.notes.get(name, ())),
    }


def _verdict(lengths: Array, points: Array, difference: PathDifference | None) -> str:
    """Return one of ``VERDICTS``, given differences at all poses [mm] and the one at the poses of the plan."""
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
