"""An OpenSim model whose muscles have mass: its options, its assembly, and what is asked of it."""

from .model import InertialModel

__all__ = ["InertialModel"]
