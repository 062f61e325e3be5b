"""Neural control of simulations: signals of the state, delays, neurons, and controllers with states of their own."""

from .neurons import NeuralControl, Neuron, Synapse
from .protocol import Control
from .system import ControlledSystem, initial_history, state_paths

__all__ = ["Control", "ControlledSystem", "NeuralControl", "Neuron", "Synapse", "initial_history", "state_paths"]
