"""The kernel and how it is built: paths and wrap surfaces in the form that C++ takes."""

from .build import KernelMuscle, build_kernel
from .conversions import kernel_path

__all__ = ["KernelMuscle", "build_kernel", "kernel_path"]
