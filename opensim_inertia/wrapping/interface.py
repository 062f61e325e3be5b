"""What a way of wrapping must offer: at a state, the elements that wrap objects add to muscles' paths."""

from __future__ import annotations

from typing import Protocol

from .._opensim import osim
from ..reading import Arc, WrappedPath

__all__ = ["Arc", "WrappedPath", "Wrapping"]


class Wrapping(Protocol):
    """A way of wrapping, bound to one model."""

    def paths(self, state: osim.State) -> dict[str, WrappedPath]:
        """The paths of all wrapping muscles at a state realized to velocity."""
        ...
