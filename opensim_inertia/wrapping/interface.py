"""What a way of wrapping must offer: at a state, the elements that wrap objects add to muscles' paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from .._opensim import osim
from ..arrays import Array


@dataclass(frozen=True)
class Arc:
    """An arc over a wrap object, as control points at the Chebyshev-Lobatto fractions of its length.

    Attributes:
        body: name of the body that carries the wrap object; points are in its frame.
        points: (n, 3) [m].
        jacobian: derivative with respect to the speeds, (n, 3, nu).
        bias: second derivative along the motion at udot = 0, (n, 3) [m/s^2].
    """

    body: str
    points: Array
    jacobian: Array
    bias: Array


@dataclass(frozen=True)
class WrappedPath:
    """A wrapping muscle's path at one state.

    Attributes:
        sequence: from origin to insertion, indices of the muscle's own path points, or -1 - i for arc i.
        arcs: the arcs.
    """

    sequence: tuple[int, ...]
    arcs: tuple[Arc, ...]


class Wrapping(Protocol):
    """A way of wrapping, bound to one model."""

    def paths(self, state: osim.State) -> dict[str, WrappedPath]:
        """The paths of all wrapping muscles at a state realized to velocity."""
        ...
