"""Additions of setup files to a model: external loads, controllers, forces and initial states."""

from .loads import LoadsJumpWarning, LoadsRangeWarning

__all__ = ["LoadsJumpWarning", "LoadsRangeWarning"]
