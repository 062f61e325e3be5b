"""OpenSim's models, motions and setups."""
