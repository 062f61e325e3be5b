"""Checks of models, motions and external loads, without inverse dynamics."""

from .._core.stubs import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
