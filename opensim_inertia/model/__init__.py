"""An OpenSim model whose muscles have mass."""

from ..paths.wrapping.surfaces import unsupported_paths
from .model import InertialModel

__all__ = ["InertialModel", "unsupported_paths"]
