"""Files: tables over time, marker trajectories, setups of OpenSim's tools; all files are written atomically."""

from .._core.stubs import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
