"""Neural control of simulations: signals of the state, delays, neurons, and controllers with states of their own."""

from .neurons import NeuralControl, Neuron, Synapse
from .protocol import Control

__all__ = [
    "Control",
    "NeuralControl",
    "Neuron",
    "Synapse",
]
