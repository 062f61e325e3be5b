"""Files: tables over time, markers, setups of OpenSim's tools. Writing is atomic."""

from .._core.stubs import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
