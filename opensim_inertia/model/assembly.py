"""Putting muscles with mass together: how wrap surfaces lead their paths, checked against OpenSim, and the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .._core.arrays import Array
from .._core.checks import warn
from .._core.warnings import WrapDifferenceWarning
from ..opensim_model.reading.coordinates import CoordinateTable
from ..opensim_model.reading.kinematics import Kinematics
from ..opensim_model.reading.paths import MusclePath
from ..options.modelling import ModelOptions
from ..paths.comparison.kept_plan import ComparedPlan, PlanCache
from ..paths.comparison.smooth_jumps import find_jumps
from ..paths.comparison.survey_comparison import compare_paths
from ..paths.kernel.description import KernelMuscle, build_kernel
from ..paths.kernel.evaluation import Evaluation
from ..paths.wrapping.path_samples import sample_opensim_paths
from ..paths.wrapping.plan import WrapPlan, all_by_opensim, plan_wraps
from ..paths.wrapping.surfaces import Surface
from ..paths.wrapping.survey import TouchWidths, survey_poses
from .path_source import PathSource


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
) -> Assembly:
    """Plan how wrap surfaces shape the muscles' paths, and compare them with OpenSim's, unless there is a plan.

    ``half_thickness`` [m] is by muscle. UnsupportedPathError: ``strict``, and a muscle cannot be wrapped as asked for.
    """
    is_own, way = source.is_own, options.paths
    widths = TouchWidths(way.smoothing, half_thickness or {})
    if isinstance(way.plan, WrapPlan):
        is_alike = way.kind == "opensim" or (way.smoothing is None and half_thickness is None)
        plan = way.plan if is_alike else way.plan.touched_over(widths)
        return Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, plan, paths_are_own=is_own)
    wrapped = [muscle.path for muscle in muscles if muscle.path.wraps]
    led = [path for path in wrapped if way.kind == "opensim" and not path.is_cable]
    model, table = source.model, source.coordinates
    by_request = all_by_opensim(path.muscle for path in led)
    looked_at = [path for path in wrapped if path not in led]
    if not looked_at:
        return Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, by_request, paths_are_own=is_own)
    kinematics = Kinematics(model, table, bodies)
    strict = way.strict or not is_own
    cached = None
    if source.checksum is not None and way.plan is None and way.kind == "analytic":  # a kept plan names no networks
        cached = PlanCache(source.checksum(), way.kind, strict, [path.muscle for path in looked_at], widths)
    kept = None if cached is None else cached.get(surfaces)
    if kept is not None:
        plan = kept.plan.compared(kept.differences, strict)
        plan = replace(plan, jumps=dict(kept.jumps))
    else:
        samples = sample_opensim_paths(model, table, looked_at, kinematics, survey_poses(model, table))
        surveyed = plan_wraps(way.kind, samples, widths, strict)
        plan = replace(surveyed, opensim=surveyed.opensim | by_request.opensim)
        differences = compare_paths(samples, plan, table.names)
        plan = plan.compared(differences, strict)
        plan = replace(plan, jumps=find_jumps(model, table, kinematics, samples, plan))
        if cached is not None:
            cached.put(ComparedPlan(surveyed, differences, plan.jumps))
    if way.warn_wraps and not plan.is_as_opensim:
        text = f"{plan.summary()}: `opensim-inertia wraps MODEL.osim` lists them, and .wraps of an inertial model does"
        warn(WrapDifferenceWarning(text))
    like = kinematics if is_own else None
    return Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, plan, like, is_own)
