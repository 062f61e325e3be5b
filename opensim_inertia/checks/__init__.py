"""Errors and doubts in a model, a motion and external loads, found without solving the motion."""

from .._core.stubs import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
