"""All exceptions that the package raises on purpose; ``InertiaError`` is the base of all."""

from ._core.errors import *  # noqa: F403

__all__ = sorted(name for name in globals() if name.endswith("Error"))
