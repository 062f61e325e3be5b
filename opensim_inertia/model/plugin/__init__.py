"""The OpenSim plugin, which adds muscle inertia to OpenSim's tools."""

from .library import LIBRARY, Run, check_version, describe, is_loaded, load_library, with_component

__all__ = ["LIBRARY", "Run", "check_version", "describe", "is_loaded", "load_library", "with_component"]
