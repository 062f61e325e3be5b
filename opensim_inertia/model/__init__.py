"""An OpenSim model whose muscles have mass: its options, its assembly, and what is asked of it."""

from .model import InertialModel
from .placement import RemainderWarning
from .recorded_motion import BrokenConstraintWarning

__all__ = ["BrokenConstraintWarning", "InertialModel", "RemainderWarning"]
