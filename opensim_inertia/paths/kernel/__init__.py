"""The kernel: built from muscles, paths and surfaces, and evaluated at states of the model."""
