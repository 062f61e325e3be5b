"""What setup files add to a model: external loads, controllers, forces and initial states."""
