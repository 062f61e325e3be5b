"""The one place that imports PyTorch, which only gradients need."""

from __future__ import annotations

import os

from .errors import MissingPackageError

__all__ = ["torch"]

# deterministic matrix products on NVIDIA devices; read when the first one runs
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

try:
    import torch
except ImportError as error:
    raise MissingPackageError("gradients need", "PyTorch", "gradients") from error
