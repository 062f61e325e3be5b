"""Central differences: how they are taken, and the steps by which states, controls and properties are moved."""

from __future__ import annotations

from collections.abc import Callable

from ..._core.arrays import Array

#: Steps of coordinates and speeds when the equations are linearised, relative to 1 + size. The sharpest thing in a
#: model is its contact, which turns within 3 mm and 20 mm/s: truncation 1e-7 of its force there, rounding 1e-10.
COORDINATE_STEP = 2e-6
SPEED_STEP = 1e-5
#: Steps of coordinates and speeds, in these, of differences of the fourth order: truncation and rounding 1e-10.
FINE_STEP = 10.0
#: Step of controls: OpenSim's activation dynamics are smooth in them but for their limits.
CONTROL_STEP = 1e-6
#: Step of states, relative to 1 + size: of those that are no muscle's, and of all where a function of a state is
#: differenced as a whole.
STATE_STEP = 1e-6
#: Step of coordinates, relative to 1 + size, by which the change of a projection on the constraints is found.
PROJECTION_STEP = 1e-6

#: Steps by which muscles are moved: speeds and coordinates [rad, m and their rates], and states relative to their size.
#: Muscles' curves turn within some 5 % of the fibre's length and of its greatest speed: truncation below 1e-6. OpenSim
#: solves for the speeds of fibres by iteration, to 1e-10, which shorter steps would magnify. Stiff tendons want fibres
#: to be moved by no more than 1e-8 m.
MUSCLE_POSE_STEP = 1e-6
MUSCLE_SPEED_STEP = 1e-4
MUSCLE_STATE_STEP = 1e-7
#: The size that a muscle's state is taken to have at least [1 or m].
LEAST_MUSCLE_STATE = 0.1

#: Step of properties, relative to their size; and the size below which it no longer counts.
PROPERTY_STEP = 1e-6
SMALLEST_PROPERTY = 1e-2

#: Step of one-sided differences, relative to a variable's size; near the square root of rounding.
FORWARD_STEP = 1.5e-8


def shifted(x: Array, i: int, by: float) -> Array:
    """Return a copy of x (n,) to whose entry i a number is added."""
    result = x.copy()
    result[i] += by
    return result


def forward(function: Callable[[Array], Array], f: Array, x: Array, i: int, step: float) -> Array:
    """Return the derivative of ``function(x)``, whose value is f, over entry i of x (n,), by a one-sided difference."""
    there = shifted(x, i, step)
    return (function(there) - f) / (there[i] - x[i])


def central(function: Callable[[Array], Array], x: Array, i: int, step: float) -> Array:
    """Return the derivative of ``function(x)`` over entry i of x (n,), by a central difference."""
    return (function(shifted(x, i, step)) - function(shifted(x, i, -step))) / (2 * step)
