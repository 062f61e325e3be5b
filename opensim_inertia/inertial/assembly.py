"""Putting muscles with mass together: how wrap surfaces lead their paths, checked against OpenSim, and the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from .._opensim import osim
from ..arrays import Array
from ..checks import warn
from ..errors import Option
from ..kernel import KernelMuscle, build_kernel
from ..material import MaterialMap
from ..reading import CoordinateTable, Kinematics, MusclePath
from ..wrapping import WrapDifferenceWarning, WrapPlan, all_by_opensim, observe, plan_wraps, survey_poses
from .evaluation import Evaluation
from .held import HeldBellies
from .options import Options
from .wrap_comparison import compare_paths
from .wrap_jumps import find_jumps


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
        kinematics: reads states of the model, if OpenSim's paths were looked at.
    """

    muscles: tuple[KernelMuscle, ...]
    bodies: tuple[str, ...]
    coordinates: CoordinateTable
    gravity: Array
    plan: WrapPlan
    held: HeldBellies | None = None
    kinematics: Kinematics | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the muscles."""
        return tuple(muscle.path.muscle for muscle in self.muscles)

    @cached_property
    def evaluation(self) -> Evaluation:
        """The evaluation of the muscles, whose kernel is built at first use."""
        kernel = build_kernel(self.bodies, self.coordinates.names, self.gravity, self.muscles, self.plan)
        return Evaluation(kernel, self.names, self.bodies, self.held)

    @property
    def opensim(self) -> tuple[MusclePath, ...]:
        """Paths that OpenSim leads."""
        return tuple(muscle.path for muscle in self.muscles if muscle.path.muscle in self.plan.opensim)

    @property
    def replaceable(self) -> tuple[MusclePath, ...]:
        """Paths that are led smoothly over wrap objects, and that OpenSim can lead instead."""
        paths = [muscle.path for muscle in self.muscles if self.plan.sites.get(muscle.path.muscle)]
        return tuple(path for path in paths if not path.is_cable)

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
    """Plan how wrap surfaces lead the muscles' paths, and compare them with OpenSim's over poses.

    Args:
        model: an initialised model.
        coordinates: its coordinates.
        bodies: names of all bodies that the muscles touch.
        muscles: the muscles.
        gravity: (3,) in ground [m/s^2].
        options: ``wrapping``, ``smoothing``, ``strict``, ``warn_wraps`` and ``wraps`` count; a plan given there is not
            compared again.

    Raises:
        UnsupportedPathError: ``strict``, and a muscle cannot go the way asked for; names it.
    """
    if options.wraps is not None:
        return Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, options.wraps)
    wrapped = [muscle.path for muscle in muscles if muscle.path.wraps]
    led = [path for path in wrapped if options.wrapping == "opensim" and not path.is_cable]
    looked_at = [path for path in wrapped if path not in led]
    asked = all_by_opensim(path.muscle for path in led)
    if not looked_at:
        return Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, asked)
    kinematics = Kinematics(model, coordinates, bodies)
    seen = observe(model, coordinates, looked_at, kinematics, survey_poses(model, coordinates))
    plan = plan_wraps(options.wrapping, seen, options.smoothing, options.strict)
    plan = replace(plan, opensim=plan.opensim | asked.opensim)
    plan = plan.compared(compare_paths(seen, plan, coordinates.names), options.strict)
    plan = replace(plan, jumps=find_jumps(model, coordinates, kinematics, seen, plan))
    if options.warn_wraps and (plan.different or plan.jumps or plan.unconverged):
        warn(_about_differences(plan))
    return Assembly(tuple(muscles), tuple(bodies), coordinates, gravity, plan, kinematics=kinematics)


def _about_differences(plan: WrapPlan) -> WrapDifferenceWarning:
    return WrapDifferenceWarning(
        f"{plan.describe_differences()}. '.wraps' says more of each, as does 'opensim-inertia wraps'. ",
        Option("wrapping", "opensim"),
        " takes OpenSim's own paths; ",
        Option("warn_wraps", False),
        " leaves this warning out",
    )
