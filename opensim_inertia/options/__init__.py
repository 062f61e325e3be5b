"""Options of models and analyses for Python, the command line, studies and records.

These modules import neither NumPy nor OpenSim, because the command line's help needs them.
"""

from .._core.stubs import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
