"""All warnings that the package gives on purpose; ``InertiaWarning`` is the base of all."""

from ._core.warnings import *  # noqa: F403

__all__ = sorted(name for name in globals() if name.endswith("Warning"))
