"""An OpenSim model whose muscles have mass: its options, its assembly, and what is asked of it."""

from ..paths.wrapping.surfaces import unsupported_paths
from .model import InertialModel

__all__ = ["InertialModel", "unsupported_paths"]
