"""The OpenSim plugin: a component that lets OpenSim's own tools see the muscles' inertia, described from here."""

from .description import describe
from .library import LIBRARY, Run, check_version, is_loaded, load_library, with_component

__all__ = ["LIBRARY", "Run", "check_version", "describe", "is_loaded", "load_library", "with_component"]
