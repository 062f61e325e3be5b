"""What wraps add to a path: one interface, several ways."""

from __future__ import annotations

from collections.abc import Sequence

from .._opensim import osim
from ..reading import CoordinateTable, MusclePath
from .base import Arc, WrappedPath, Wrapping
from .library import LibraryWrapping, check_wraps, wrap_bodies

__all__ = [
    "WRAPPINGS",
    "Arc",
    "LibraryWrapping",
    "WrappedPath",
    "Wrapping",
    "check_wraps",
    "make_wrapping",
    "wrap_bodies",
]

_WAYS = {"library": LibraryWrapping}

#: Names of the ways of wrapping.
WRAPPINGS = tuple(_WAYS)


def make_wrapping(way: str, model: osim.Model, coordinates: CoordinateTable, muscles: Sequence[MusclePath]) -> Wrapping:
    """Bind a way of wrapping to a model and its wrapping muscles."""
    return _WAYS[way](model, coordinates, muscles)
