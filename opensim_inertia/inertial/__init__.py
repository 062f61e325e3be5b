"""An OpenSim model whose muscles have mass: its options, its assembly, and what is asked of it."""

from .held import ShortBellyWarning
from .model import InertialModel
from .options import Options
from .placement import RemainderWarning
from .terms import InertialTerms, MassPointKinematics

__all__ = ["InertialModel", "InertialTerms", "MassPointKinematics", "Options", "RemainderWarning", "ShortBellyWarning"]
