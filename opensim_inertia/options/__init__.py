"""The options of models and analyses, each written once, for Python, the command line, studies and records alike.

Nothing here imports NumPy or OpenSim: the command line's help is made of it.
"""

from .._core.stubs import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
