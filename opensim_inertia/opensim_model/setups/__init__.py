"""Additions of setup files to a model: external loads, controllers, forces and initial states."""
