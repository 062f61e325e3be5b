"""External loads, controllers, forces and initial states that setup files add to a model."""
