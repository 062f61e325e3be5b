"""Whether a posture is stable: equilibrium, activations that hold it, and the linearized motion about it."""
