"""The OpenSim plugin: a component that lets OpenSim's own tools see the muscles' inertia, described from here."""

from .library import LIBRARY, Run, check_version, describe, is_loaded, load_library, with_component

__all__ = ["LIBRARY", "Run", "check_version", "describe", "is_loaded", "load_library", "with_component"]
