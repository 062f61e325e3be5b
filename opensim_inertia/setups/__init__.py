"""Additions of setup files to a model: external loads, controllers, forces and initial states."""

from .loads import LoadsRangeWarning

__all__ = ["LoadsRangeWarning"]
