"""Mass that swings on its own: bellies across their paths, and masses on springs on segments."""

from .building import MuscledModel, described_wobble, swing_equations, swings_of
from .equations import SwingTerms, swing_terms
from .swings import Displacement, Drive, SwingingMasses, SwingingMuscles, Swings, Values

__all__ = [
    "Displacement",
    "Drive",
    "MuscledModel",
    "SwingTerms",
    "SwingingMasses",
    "SwingingMuscles",
    "Swings",
    "Values",
    "described_wobble",
    "swing_equations",
    "swing_terms",
    "swings_of",
]
