"""Gradients of simulations by what they depend on, and optimisation with them."""

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

__all__ = [
    "AponeurosisLength",
    "BellyPlacement",
    "DifferentiableSimulation",
    "Excitations",
    "Forces",
    "InitialCoordinates",
    "InitialSpeeds",
    "MuscleMasses",
    "Optimum",
    "Properties",
    "minimise",
]
