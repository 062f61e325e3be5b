"""Putting muscles with mass together: how wrap surfaces lead their paths, checked against OpenSim, and the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from .._opensim import osim
from ..arrays import Array
from ..kernel import KernelMuscle, build_kernel
from ..material import MaterialMap
from ..reading import CoordinateTable, Kinematics, MusclePath
from ..wrapping import WrapPlan, plan_wraps, survey_poses
from .evaluation import Evaluation
from .held import HeldBellies
from .options import Options


@dataclass(frozen=True, eq=False)
class Assembly:
    """Muscles with mass, ready to be evaluated.

    Attributes:
        muscles: their paths, masses and material maps, in the order of their numbers.
        bodies: names along a state's body axis.
        coordinates: the model's coordinates.
        gravity: (3,) in ground [m/s^2].
        plan: how each path passes its wrap objects.
        held: collects the muscles whose fibres were held; None: a new collection.
    """

    muscles: tuple[KernelMuscle, ...]
    bodies: tuple[str, ...]
    coordinates: CoordinateTable
    gravity: Array
    plan: WrapPlan
    held: HeldBellies | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return tuple(muscle.path.muscle for muscle in self.muscles)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The evaluation of the muscles, whose kernel is built at first use."""
        kernel = build_kernel(self.bodies, self.coordinates.names, self.gravity, self.muscles, self.plan)
        return Evaluation(kernel, self.names, self.bodies, tuple(self.plan.opensim), self.held)

    @property
    def opensim(self) -> tuple[MusclePath, ...]:
        """Paths that OpenSim leads."""
        return tuple(muscle.path for muscle in self.muscles if muscle.path.muscle in self.plan.opensim)

    def with_maps(self, maps: Mapping[str, MaterialMap]) -> Assembly:
        """Return the same muscles with other material maps by name. Fibres that are held are collected in one place."""
        muscles = tuple(replace(m, map=maps.get(m.path.muscle, m.map)) for m in self.muscles)
        return replace(self, muscles=muscles, held=self.evaluation.held)


def assemble(
    model: osim.Model,
    coordinates: CoordinateTable,
    bodies: Sequence[str],
    muscles: Sequence[KernelMuscle],
    gravity: Array,
    options: Options,
) -> Assembly:
    """Plan how wrap surfaces lead the muscles' paths, and check their lengths against OpenSim's over poses.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        bodies: names of all bodies that the muscles touch.
        muscles: the muscles.
        gravity: (3,) in ground [m/s^2].
        options: ``wrapping``, ``smoothing``, ``strict`` and ``wraps`` count; a plan given there is not checked again.

    Raises:
        UnsupportedPathError: ``strict``, and a muscle cannot go the way asked for; names it.
    """
    if options.wraps is not None:
        return Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, options.wraps)
    wrapped = [muscle.path for muscle in muscles if muscle.path.wraps]
    plan = plan_wraps(options.wrapping, model, coordinates, wrapped, options.smoothing, options.strict)
    planned = Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, plan)
    return replace(planned, plan=plan.check(_lengths_at_survey(planned, model), options.strict))


def _lengths_at_survey(assembly: Assembly, model: osim.Model) -> dict[str, Array]:
    """Return lengths of the kernel's own wrapped paths at the survey's poses [m]; NaN where there is none."""
    lengths: dict[str, list[float]] = {name: [] for name in assembly.plan.lengths if assembly.plan.sites.get(name)}
    if not lengths:
        return {}
    kinematics = Kinematics(model, assembly.coordinates, assembly.bodies)
    state = osim.State(model.getWorkingState())
    for q in survey_poses(model, assembly.coordinates):
        assembly.coordinates.set_values(state, q)
        pose = kinematics.read(state)
        for name, found in lengths.items():
            found.append(assembly.evaluation.path_length(pose, assembly.names.index(name)))
    return {name: np.array(found) for name, found in lengths.items()}
