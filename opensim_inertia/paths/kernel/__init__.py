"""The kernel: built from muscles, paths and surfaces, and evaluated at states of the model."""

from .description import (
    Describer,
    FunctionRecord,
    KernelMuscle,
    MuscleRecord,
    build_kernel,
    map_record,
)
from .terms import InertialTerms, MassPointKinematics

__all__ = [
    "Describer",
    "FunctionRecord",
    "InertialTerms",
    "KernelMuscle",
    "MassPointKinematics",
    "MuscleRecord",
    "build_kernel",
    "map_record",
]
