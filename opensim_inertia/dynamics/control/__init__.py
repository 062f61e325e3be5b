"""Neural control of simulations: signals of the state, delays, neurons, and controllers with states of their own."""

from .neurons import Control, NeuralControl, Neuron, Synapse

__all__ = ["Control", "NeuralControl", "Neuron", "Synapse"]
