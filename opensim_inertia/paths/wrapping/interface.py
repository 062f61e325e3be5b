"""The interface of a way of wrapping: at a state it gives the elements that wrap objects add to muscles' paths."""

from __future__ import annotations

from typing import Protocol

from ..._core.opensim import osim
from ...opensim_model.reading import Arc, WrappedPath

__all__ = ["Arc", "WrappedPath", "Wrapping"]


class Wrapping(Protocol):
    """A way of wrapping, bound to one model."""

    def paths(self, state: osim.State) -> dict[str, WrappedPath]:
        """Return the paths of all wrapping muscles at a state realized to velocity, by muscle."""
        ...
