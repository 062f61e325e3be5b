"""The equations of motion linearised at a state: state matrices with labels, modes and stability."""

from .activation_linear import ActivationLinear
from .linearize import linearize
from .result import Linearization, Mode

__all__ = ["ActivationLinear", "Linearization", "Mode", "linearize"]
