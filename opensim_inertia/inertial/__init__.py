"""An OpenSim model whose muscles have mass: its options, its assembly, and what is asked of it."""

from .model import InertialModel, RemainderWarning, ShortBellyWarning
from .terms import InertialTerms, MassPoints

__all__ = ["InertialModel", "InertialTerms", "MassPoints", "RemainderWarning", "ShortBellyWarning"]
