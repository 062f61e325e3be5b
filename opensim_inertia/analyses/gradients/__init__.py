"""Gradients of simulations with respect to parameters, and optimisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .interface import Contribution, Parameter
from .optimise import Optimum, minimise
from .parameters import (
    AponeurosisLength,
    BellyPlacement,
    Excitations,
    Forces,
    InitialCoordinates,
    InitialSpeeds,
    MuscleMasses,
    Properties,
)
from .simulation import DifferentiableSimulation

if TYPE_CHECKING:
    from .tensors import TensorTrajectory as TensorTrajectory

__all__ = [
    "AponeurosisLength",
    "BellyPlacement",
    "Contribution",
    "DifferentiableSimulation",
    "Excitations",
    "Forces",
    "InitialCoordinates",
    "InitialSpeeds",
    "MuscleMasses",
    "Optimum",
    "Parameter",
    "Properties",
    "minimise",
]


def __getattr__(name: str) -> Any:
    """Return ``TensorTrajectory``, imported at first use because it needs PyTorch."""
    if name == "TensorTrajectory":
        from .tensors import TensorTrajectory

        return TensorTrajectory
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
