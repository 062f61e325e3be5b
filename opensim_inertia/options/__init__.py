"""Options of models and analyses, shared by Python, the command line, studies and provenance records.

These modules import neither NumPy nor OpenSim, because the command line's help needs them.
"""

from .._core.stubs import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
