"""Building the kernel from muscles, their mass along their paths, and wrap surfaces."""

from __future__ import annotations

from collections.abc import Sequence

from ..._core.arrays import Array
from ..._kernel import Kernel
from ..wrapping import WrapPlan
from .description import Describer, KernelMuscle


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
    describer = Describer(bodies, coordinate_names)
    records = [describer.muscle(muscle, plan) for muscle in muscles]
    return Kernel(len(bodies), len(coordinate_names), gravity, records)
