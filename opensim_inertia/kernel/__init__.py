"""The kernel and how it is built: states, paths and wrap surfaces in the form that C++ takes."""

from .build import KernelMuscle, build_kernel
from .conversions import kernel_path, kernel_state

__all__ = ["KernelMuscle", "build_kernel", "kernel_path", "kernel_state"]
