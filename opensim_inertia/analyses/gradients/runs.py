"""One simulation that can be differentiated, and the protocol of what makes such simulations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..._core.arrays import Array
from ...dynamics.equations.system import System
from ..forward_simulation.trajectory import Trajectory
from .adjoint import Tape
from .interface import Parameter


@dataclass(frozen=True)
class Run:
    """One simulation: its parameters' values, and what its gradient needs.

    Attributes:
        values: the values of every parameter.
        trajectory: states at the start and after every step.
        start: the state (ny,) before its projection on the constraints.
        system: the equations that were simulated.
        tape: the steps.
    """

    values: dict[str, Array]
    trajectory: Trajectory
    start: Array
    system: System
    tape: Tape


class Simulator(Protocol):
    """A simulation as a function of parameters.

    Attributes:
        parameters: the parameters by name.
        values: the values that the model and its state have.
    """

    parameters: dict[str, Parameter]
    values: dict[str, Array]

    def run(self, values: Mapping[str, Array] | None = None) -> Run:
        """Simulate with values of parameters."""

    def gradient(self, run: Run, cotangents: Array) -> dict[str, Array]:
        """Return the gradient by every parameter of an objective with given derivatives over the states (T, ny)."""
