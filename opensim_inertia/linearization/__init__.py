"""The equations of motion linearised at a state: state matrices with labels, modes and stability."""

from .linearize import OffEquilibriumWarning, linearize
from .result import Linearization, Mode

__all__ = ["Linearization", "Mode", "OffEquilibriumWarning", "linearize"]
