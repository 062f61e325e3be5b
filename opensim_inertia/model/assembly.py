"""Putting muscles with mass together: how wrap surfaces lead their paths, checked against OpenSim, and the kernel."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from .._core.arrays import Array
from .._core.checks import warn
from .._core.errors import ModelError
from .._core.opensim import osim
from .._core.warnings import WrapDifferenceWarning
from ..files.documents import cache_key
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.coordinates import CoordinateTable, random_poses, read_coordinates
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.loading import copy_model, initialise
from ..opensim_model.reading.paths import MusclePath
from ..options.modelling import ModelOptions
from ..paths.kernel.description import KernelMuscle, build_kernel
from ..paths.kernel.evaluation import Evaluation
from ..paths.survey_comparison import compare_paths, find_jumps
from ..paths.wrapping.path_samples import read_body_poses, sample_opensim_paths
from ..paths.wrapping.plan import WrapPlan, all_by_opensim, keep_plan, kept_plan, plan_wraps
from ..paths.wrapping.surfaces import Surface
from ..paths.wrapping.survey import survey_poses

#: Random poses at which bodies of both models are compared, and by how much they may be apart [m and rad].
POSES, SAME = 4, 1e-6


#: An initialised model from which paths are read, and its coordinates.
PathSource = tuple[osim.Model, CoordinateTable]


def path_source(
    model: osim.Model, coordinates: CoordinateTable, path_model: osim.Model | str | os.PathLike[str] | None
) -> PathSource:
    """Return ``path_model``, or its file, or the model itself; ModelError: it moves otherwise than the model."""
    if path_model is None:
        return model, coordinates
    other = copy_model(path_model)
    table = read_coordinates(other, initialise(other))
    _check_same(model, coordinates, other, table)
    return other, table


def _check_same(model: osim.Model, coordinates: CoordinateTable, other: osim.Model, table: CoordinateTable) -> None:
    """Raise :class:`ModelError` unless another model has the same coordinates, bodies and muscles, and moves alike."""
    start = f"path_model '{other.getName()}' is no model of the same bodies as '{model.getName()}': "
    strange = sorted(set(coordinates.names).symmetric_difference(table.names))
    if strange:
        raise ModelError(f"{start}only one of them has the coordinate '{strange[0]}'")
    bodies = [body.getName() for body in model.getBodySet()]
    for body in bodies:
        if not other.getBodySet().contains(body):
            raise ModelError(f"{start}it has no body '{body}'")
    known = model_muscles(other)
    missing = [name for name in model_muscles(model) if name not in known]
    if missing:
        raise ModelError(f"{start}it has no muscle '{missing[0]}'")
    q = random_poses(model, coordinates, POSES)
    ours = read_body_poses(model, coordinates, Kinematics(model, coordinates, bodies), q)
    order = [coordinates.index(name) for name in table.names]
    theirs = read_body_poses(other, table, Kinematics(other, table, bodies), q[:, order])
    apart = np.abs(ours.position - theirs.position).max(axis=(0, 2))
    turned = np.abs(ours.rotation - theirs.rotation).max(axis=(0, 2, 3))
    worst = int(np.argmax(np.maximum(apart, turned)))
    if max(apart[worst], turned[worst]) > SAME:
        raise ModelError(f"{start}its body '{bodies[worst]}' lies elsewhere at the same pose")


@dataclass(frozen=True, eq=False)
class Assembly:
    """Muscles with mass, ready to be evaluated."""

    muscles: tuple[KernelMuscle, ...]  # their paths, masses and material maps, in the order of their numbers
    bodies: tuple[str, ...]  # names along a state's body axis
    coordinates: CoordinateTable  # the model's coordinates
    gravity: Array  # (3,) in ground [m/s^2]
    plan: WrapPlan  # how each path passes its wrap objects
    kinematics: Kinematics | None = None  # reads states of the model, if OpenSim's paths were looked at
    paths_are_own: bool = True  # whether the paths are those of the model that is bound, not of a ``path_model``

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return tuple(muscle.path.muscle for muscle in self.muscles)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The evaluation of the muscles, whose kernel is built at first use."""
        kernel = build_kernel(self.bodies, self.coordinates.names, self.gravity, self.muscles, self.plan)
        return Evaluation(kernel, self.names, self.bodies)

    @property
    def opensim(self) -> tuple[MusclePath, ...]:
        """Paths that OpenSim leads."""
        return tuple(muscle.path for muscle in self.muscles if muscle.path.muscle in self.plan.opensim)

    @property
    def watched_lengths(self) -> tuple[str, ...]:
        """Muscles that are led smoothly, and whose lengths are compared with OpenSim's at each state."""
        return tuple(path.muscle for path in self.replaceable if path.muscle in self.plan.watched_lengths)

    @property
    def replaceable(self) -> tuple[MusclePath, ...]:
        """Paths that are led smoothly over wrap objects, and that OpenSim can lead instead."""
        if not self.paths_are_own:
            return ()
        paths = [muscle.path for muscle in self.muscles if self.plan.sites.get(muscle.path.muscle)]
        return tuple(path for path in paths if not path.is_cable)


def assemble(
    source: PathSource,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    surfaces: Mapping[str, Mapping[str, Surface]],
    muscles: Sequence[KernelMuscle],
    gravity: Array,
    options: ModelOptions,
    half_thickness: Mapping[str, float] | None = None,
    checksum: Callable[[], str] | None = None,
) -> Assembly:
    """Plan how wraps shape the muscles' paths, and compare them with OpenSim's, unless there is a plan.

    ``checksum`` is that of the model of paths, by which plans are kept in the user's cache.
    """
    (model, table), way = source, options.paths
    is_own = table is coordinates
    assembled = partial(Assembly, tuple(muscles), tuple(bodies), coordinates, gravity, paths_are_own=is_own)
    thick = half_thickness or {}
    if isinstance(way.plan, WrapPlan):
        is_alike = way.kind == "opensim" or (way.smoothing is None and half_thickness is None)
        return assembled(way.plan if is_alike else way.plan.touched_over(way.smoothing, thick))
    wrapped = [muscle.path for muscle in muscles if muscle.path.wraps]
    led = [path for path in wrapped if way.kind == "opensim" and not path.is_cable]
    by_request = all_by_opensim(path.muscle for path in led)
    looked_at = [path for path in wrapped if path not in led]
    if not looked_at:
        return assembled(by_request)
    kinematics = Kinematics(model, table, bodies)
    strict = way.strict or not is_own
    key = ""
    if checksum is not None and way.plan is None and way.kind == "analytic":  # a kept plan names no networks
        names = [path.muscle for path in looked_at]
        inputs = {"model": checksum(), "way": way.kind, "strict": strict, "muscles": names}
        widths = {"fixed": way.smoothing, "half thickness": {name: thick[name] for name in names if name in thick}}
        key = cache_key(inputs | widths)
    kept = kept_plan(key, surfaces, strict) if key else None
    if kept is not None:
        plan = kept.touched_over(way.smoothing, thick).compared(kept.differences, strict)
    else:
        samples = sample_opensim_paths(model, table, looked_at, kinematics, survey_poses(model, table))
        surveyed = plan_wraps(way.kind, samples, strict)
        plan = replace(surveyed, opensim=surveyed.opensim | by_request.opensim)
        if way.kind != "opensim":
            plan = plan.touched_over(way.smoothing, thick)
        differences = compare_paths(samples, plan, table.names)
        plan = plan.compared(differences, strict)
        plan = replace(plan, jumps=find_jumps(model, table, kinematics, samples, plan))
        if key:
            keep_plan(key, replace(surveyed, differences=differences, jumps=plan.jumps))
    if way.warn_wraps and not plan.is_as_opensim:
        text = f"{plan.summary()}: `opensim-inertia wraps MODEL.osim` lists them, and .wraps of an inertial model does"
        warn(WrapDifferenceWarning(text))
    return replace(assembled(plan), kinematics=kinematics if is_own else None)
