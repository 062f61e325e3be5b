"""Neural control of simulations: signals of the state, delays, neurons, and controllers with states."""

from .neurons import Control, NeuralControl, Neuron, Synapse

__all__ = ["Control", "NeuralControl", "Neuron", "Synapse"]
