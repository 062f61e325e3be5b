"""Muscles with mass: methods for paths over wrap objects, kernel, and muscle mass fixed to segments.

The published segments include the muscles' mass, frozen at the reference pose.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from .._core.arrays import Array
from .._core.checks import warn
from .._core.errors import MissingInertiaError, ModelError, Option
from .._core.opensim import osim
from .._core.warnings import WrapDifferenceWarning
from ..files.documents import cache_key
from ..muscles.masses.donors import GROUND, Stretch
from ..muscles.masses.rigid import body_mass_properties, parameters, spatial_inertias
from ..muscles.material import MaterialMap
from ..opensim_model.reading.coordinates import CoordinateTable, random_poses
from ..opensim_model.reading.kinematics import Kinematics, StateKinematics
from ..opensim_model.reading.loading import InitialisedModel
from ..options.modelling import ModelOptions
from ..paths.kernel.description import KernelMuscle, build_kernel
from ..paths.kernel.evaluation import Evaluation, FrozenParts, MassParts
from ..paths.kernel.remarks import MuscleRemarks
from ..paths.survey_comparison import compare_paths, find_jumps
from ..paths.wrapping.path_samples import read_body_poses, sample_opensim_paths
from ..paths.wrapping.plan import WrapPlan, all_by_opensim, keep_plan, kept_plan, plan_wraps
from ..paths.wrapping.surfaces import Surface
from ..paths.wrapping.survey import survey_poses

#: Number of random poses at which two models are compared, and the tolerance [m and rad].
POSES, SAME = 4, 1e-6


def path_source(ready: InitialisedModel, path_model: osim.Model | str | os.PathLike[str] | None) -> InitialisedModel:
    """Return the model that provides muscle paths; raise ModelError if bodies of ``path_model`` move differently."""
    if path_model is None:
        return ready
    source = InitialisedModel.of(path_model)
    _check_same(ready, source)
    return source


def _check_same(ready: InitialisedModel, source: InitialisedModel) -> None:
    model, other, coordinates, table = ready.model, source.model, ready.coordinates, source.coordinates
    start = f"path_model '{other.getName()}' is no model of the same bodies as '{model.getName()}': "
    strange = sorted(set(coordinates.names).symmetric_difference(table.names))
    if strange:
        raise ModelError(f"{start}only one of them has the coordinate '{strange[0]}'")
    bodies = [body.getName() for body in model.getBodySet()]
    for body in bodies:
        if not other.getBodySet().contains(body):
            raise ModelError(f"{start}it has no body '{body}'")
    missing = [name for name in ready.muscles if name not in source.muscles]
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
    """Muscles with mass and data for the kernel: bodies, coordinates, gravity, methods for paths over wrap objects."""

    muscles: tuple[KernelMuscle, ...]  # in the order of their indices
    bodies: tuple[str, ...]  # names in the order of a state's bodies
    coordinates: CoordinateTable  # of the model
    gravity: Array  # (3,) in ground [m/s^2]
    plan: WrapPlan  # treatment of each path at its wrap objects
    kinematics: Kinematics | None = None  # reader of states, if OpenSim's paths were sampled
    paths_are_own: bool = True  # whether the paths belong to the bound model and not to a ``path_model``

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return tuple(muscle.path.muscle for muscle in self.muscles)

    @cached_property
    def evaluation(self) -> Evaluation:
        """Evaluation of the muscles by the kernel, built at first use."""
        kernel = build_kernel(self.bodies, self.coordinates.names, self.gravity, self.muscles, self.plan)
        return Evaluation(kernel, self.names, self.bodies)


def assemble(
    source: InitialisedModel,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    surfaces: Mapping[str, Mapping[str, Surface]],
    muscles: Sequence[KernelMuscle],
    gravity: Array,
    options: ModelOptions,
    half_thickness: Mapping[str, float] | None = None,
    checksum: Callable[[], str] | None = None,
) -> Assembly:
    """Return the assembly of ``muscles``; a given, a cached or a new plan sets the methods for wrapping paths.

    ``checksum`` identifies the model of paths in the cache.
    """
    model, table, way = source.model, source.coordinates, options.paths
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
    if checksum is not None and way.plan is None and way.kind == "analytic":  # cached plans have no networks
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
    if way.warn_wraps and (summary := plan.summary()):
        text = f"{summary}: `opensim-inertia wraps MODEL.osim` lists them, and .wraps of an inertial model does"
        warn(WrapDifferenceWarning(text))
    return replace(assembled(plan), kinematics=kinematics if is_own else None)


#: A segment does not rotate if its axis is farther away than 1/sqrt of this [1/m^2].
SMALL = 1e-6


@dataclass(frozen=True, eq=False)
class FrozenMass:
    """Muscle mass in ``parts``, each fixed to a donor segment (not ground) at the reference pose."""

    assembly: Assembly  # the muscles, without frozen mass
    parts: MassParts
    donors: tuple[str, ...]  # donor segment of each part
    reference: StateKinematics  # at the reference pose
    matrices: Array  # pseudo-inertias of the parts in segment frames, (parts, 4, 4)

    @classmethod
    def at(
        cls, assembly: Assembly, stretches: Sequence[Sequence[Stretch]], reference: StateKinematics, seen: MuscleRemarks
    ) -> FrozenMass:
        """Fix muscle parts' mass to donor segments at pose ``reference``; raise ModelError if a path is not finite."""
        each = [
            (muscle, stretch)
            for muscle, of_muscle in enumerate(stretches)
            for stretch in of_muscle
            if stretch.segment != GROUND
        ]
        which, windows = [muscle for muscle, _ in each], [(stretch.first, stretch.last) for _, stretch in each]
        donors = tuple(stretch.segment for _, stretch in each)
        frozen = cls(assembly, (which, windows), donors, reference, np.zeros((0, 4, 4)))
        others = [muscle for muscle in range(len(stretches)) if muscle not in which]  # checked too
        looked_at = [*which, *others]
        parts = looked_at, [*windows, *[(0.0, 1.0)] * len(others)]
        in_ground = assembly.evaluation.pseudo_inertias(reference, parts, seen)
        for part in np.flatnonzero(~np.isfinite(in_ground).all(axis=(1, 2)))[:1]:
            name = assembly.names[looked_at[part]]
            raise ModelError(f"muscle '{name}' lies nowhere finite at the reference pose; check that pose")
        return replace(frozen, matrices=frozen._in_donors(in_ground[: len(each)], range(len(each))))

    @property
    def subtracted(self) -> Assembly:
        """A copy of the assembly with a kernel that subtracts these body-fixed masses."""
        of_muscles: list[dict[str, Array]] = [{} for _ in self.assembly.muscles]
        for muscle, donor, matrix in zip(self.parts[0], self.donors, self.matrices, strict=True):
            of_muscles[muscle][donor] = of_muscles[muscle].get(donor, 0.0) + matrix
        muscles = [replace(m, frozen=each) for m, each in zip(self.assembly.muscles, of_muscles, strict=True)]
        return replace(self.assembly, muscles=tuple(muscles))

    @property
    def by_segment(self) -> dict[str, Array]:
        """Pseudo-inertia (4, 4) of all muscle mass fixed to each segment."""
        total: dict[str, Array] = {}
        for donor, matrix in zip(self.donors, self.matrices, strict=True):
            total[donor] = total.get(donor, 0.0) + matrix
        return total

    def error_of_segment(
        self, reader: Kinematics, state: osim.State, error: MissingInertiaError, adds_missing: bool
    ) -> ModelError:
        """Return an error that names the segment with too little inertia, or repeats ``error`` if all have enough."""
        frozen = self.by_segment
        places, kinematics = [reader.bodies.index(name) for name in frozen], reader.read(state, realized=True)
        twists = (kinematics.jacobian @ error.motion).reshape(-1, 6)[places]
        published = [body_mass_properties(reader.model, name).pseudo_inertia for name in frozen]
        matrices = np.stack([published, list(frozen.values())]).reshape(2, -1, 4, 4)
        inertias = spatial_inertias(matrices, kinematics.rotation[places])
        has, muscles = np.einsum("bi,sbij,bj->sb", twists, inertias, twists)
        if (has >= muscles).all():
            return ModelError(str(error))
        worst = int(np.argmin(has - muscles))
        turning, moving = (float(part @ part) for part in twists[worst].reshape(2, 3))
        size, unit = (turning, "kg m^2") if turning > SMALL * moving else (moving, "kg")
        cure: tuple[object, ...] = ("; lower the masses of its muscles",)
        if not adds_missing:
            cure = ("; ", Option("add_missing_inertia", True), " adds what segments lack")
        return MissingInertiaError(
            f"the inertia with sliding muscles is not positive definite: segment '{list(frozen)[worst]}' publishes "
            f"{has[worst] / size:.2g} {unit}, the muscles in it have {muscles[worst] / size:.2g}",
            *cure,
        )

    def by_map(self) -> FrozenParts:
        """Return derivatives of fixed parts' mass properties by MaterialMap constants proximal, phi, aponeurosis."""
        every = range(len(self.donors))
        in_ground = self.assembly.evaluation.pseudo_inertias_by_map(self.reference, self.parts)
        matrices = np.moveaxis(self._in_donors(in_ground, every), 1, 0)
        return self.parts[0], [self.assembly.bodies.index(donor) for donor in self.donors], parameters(matrices)

    def otherwise(
        self, which: Sequence[int], sets: Sequence[Sequence[MaterialMap]], seen: MuscleRemarks
    ) -> FrozenParts:
        """Return muscle parts' mass properties for each of ``sets``, material maps that replace those of ``which``."""
        place, (of, windows) = {muscle: i for i, muscle in enumerate(which)}, self.parts
        asked = [k for k, muscle in enumerate(of) if muscle in place]
        places = [place[of[k]] for k in asked]
        parts, maps = ([of[k] for k in asked], [windows[k] for k in asked]), [[m[i] for i in places] for m in sets]
        in_ground = self.assembly.evaluation.pseudo_inertias_of_maps(self.reference, parts, maps, seen)
        matrices = self._in_donors(in_ground.swapaxes(0, 1), asked).swapaxes(0, 1)
        return places, [self.assembly.bodies.index(self.donors[k]) for k in asked], parameters(matrices)

    def _in_donors(self, matrices: Array, parts: Sequence[int]) -> Array:
        """Return muscle parts' pseudo-inertias (parts, ..., 4, 4) in segment frames, given ``matrices`` in ground."""
        result = np.empty_like(matrices)
        for i, k in enumerate(parts):
            b = self.assembly.bodies.index(self.donors[k])
            to_body = np.eye(4)
            to_body[:3, :3] = self.reference.rotation[b].T
            to_body[:3, 3] = -self.reference.rotation[b].T @ self.reference.position[b]
            result[i] = to_body @ matrices[i] @ to_body.T
        return result
