"""The one place that imports PyTorch, which only training and gradients need."""

from __future__ import annotations

import os

from .errors import InertiaError

__all__ = ["MissingTorchError", "torch"]


class MissingTorchError(InertiaError, ImportError):
    """PyTorch is not installed."""


# deterministic matrix products on NVIDIA devices; read when the first one runs
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

try:
    import torch
except ImportError as error:
    raise MissingTorchError(
        "training and gradients need PyTorch, which is not installed: "
        "`pip install torch`, or with this package `pip install opensim_inertia[gradients]`"
    ) from error
