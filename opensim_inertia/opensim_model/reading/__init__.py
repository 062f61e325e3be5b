"""Reading of OpenSim models, states and motions into arrays."""
