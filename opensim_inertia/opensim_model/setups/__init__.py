"""Additions to a model by setup files: loads, controllers, forces and initial states."""
