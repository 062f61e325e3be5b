"""Building the kernel: muscles with mass, where on their paths it lies, and which surfaces lead them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .._kernel import Kernel, Muscle
from .._kernel import MaterialMap as KernelMaterialMap
from ..arrays import Array
from ..material import MaterialMap, MaterialPoints
from ..reading import MusclePath
from ..wrapping import WrapPlan
from .conversions import kernel_points, kernel_surface


@dataclass(frozen=True)
class KernelMuscle:
    """A muscle as the kernel moves it.

    Attributes:
        path: its path points.
        map: the constants that say where along the path its mass lies.
        mass: [kg].
        points: the material points at which point masses lie; None: the mass is continuous.
    """

    path: MusclePath
    map: MaterialMap
    mass: float
    points: MaterialPoints | None = None


def build_kernel(
    bodies: Sequence[str],
    coordinate_names: Sequence[str],
    gravity: Array,
    muscles: Sequence[KernelMuscle],
    plan: WrapPlan,
) -> Kernel:
    """Build the kernel that moves the mass of muscles.

    Args:
        bodies: names along a state's body axis.
        coordinate_names: names along its speed axis.
        gravity: (3,) in ground [m/s^2].
        muscles: their order gives them their numbers.
        plan: how each path passes its wrap objects.
    """
    body = {name: i for i, name in enumerate(bodies)}
    coordinate = {name: i for i, name in enumerate(coordinate_names)}
    laid = []
    for muscle in muscles:
        m, points, name = muscle.map, muscle.points, muscle.path.muscle
        laid.append(
            Muscle(
                name,
                kernel_points(plan.path_of(muscle.path), body, coordinate),
                KernelMaterialMap(m.phi, m.slack, m.proximal, m.shortest, m.hold_width, m.aponeurosis),
                muscle.mass,
                None if points is None else points.pairs,
                None if points is None else points.masses.tolist(),
                [(kernel_surface(site, body), site.first, site.last) for site in plan.sites.get(name, ())],
                name in plan.opensim,
            )
        )
    return Kernel(len(bodies), len(coordinate), gravity, laid)
