"""Additions by setup files: loads, controllers, forces and initial states."""
