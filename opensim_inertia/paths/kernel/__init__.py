"""The kernel: built from muscles, paths and surfaces, and evaluated at states of the model."""

from .build import build_kernel
from .conversions import kernel_path, kernel_state
from .description import (
    Describer,
    FunctionRecord,
    KernelMuscle,
    MapRecord,
    MuscleRecord,
    SurfaceRecord,
    map_record,
)
from .terms import InertialTerms, MassPointKinematics

__all__ = [
    "Describer",
    "FunctionRecord",
    "InertialTerms",
    "KernelMuscle",
    "MapRecord",
    "MassPointKinematics",
    "MuscleRecord",
    "SurfaceRecord",
    "build_kernel",
    "kernel_path",
    "kernel_state",
    "map_record",
]
