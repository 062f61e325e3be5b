"""One simulation problem: a model, where and when it starts, until when it runs, and what drives it."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_type
from ..._core.choices import ROTATIONS, Rotations
from ..._core.errors import OptionError
from ..._core.opensim import osim
from ...model import InertialModel
from ...model.arguments import check_inertial, check_state
from .drives import Drive

if TYPE_CHECKING:
    from ..control.neurons import Control

#: Gives the state (ny,) at a time [s] within one step.
Piece = Callable[[float], Array]


class History:
    """States until now, one piece for each step; before the first they are constant, or another history's."""

    def __init__(self, t: float, y: Array, before: History | None = None) -> None:
        self.start, self._first, self.before = t, np.array(y), before
        #: Times [s] at which rates jump of themselves, the start among them, and those of what was before.
        self.jumps: set[float] = {t} if before is None else {t, *before.jumps}
        self._ends: list[float] = []
        self._pieces: list[Piece] = []

    @property
    def end(self) -> float:
        """The time until which it is known [s]."""
        return self._ends[-1] if self._ends else self.start

    def append(self, end: float, piece: Piece) -> None:
        """Add a step that ends at a time [s]."""
        self._ends.append(end)
        self._pieces.append(piece)

    def clear(self) -> None:
        """Forget all steps, but not what was before them."""
        self._ends, self._pieces = [], []

    def at(self, t: float) -> Array:
        """Return the state (ny,) at a time [s]; after the end, the one there."""
        if t < self.start and self.before is not None:
            return self.before.at(t)
        if t <= self.start or not self._ends:
            return self._first
        t = min(t, self._ends[-1])
        return np.asarray(self._pieces[bisect_left(self._ends, t)](t))


@runtime_checkable
class PastMotion(Protocol):
    """A motion from which a simulation goes on, as :class:`~opensim_inertia.forward_simulation.Trajectory`."""

    history: History | None

    def final_state(self) -> osim.State:
        """Return the last state."""

    def final_values(self) -> Mapping[str, float]:
        """Return the last values of all state variables, those of mass that swings among them, by their paths."""


@dataclass(frozen=True)
class GivenStart:
    """A state to start from, with displacements of mass that swings, which states of OpenSim do not have."""

    state: osim.State
    values: Mapping[str, float]
    history: History | None = None

    def final_state(self) -> osim.State:
        """Return the state."""
        return self.state

    def final_values(self) -> Mapping[str, float]:
        """Return the values by path."""
        return self.values


@dataclass(frozen=True)
class Problem:
    """A simulation problem: model, start, final time and all that acts on the model.

    The way to do it, an :mod:`integrator <opensim_inertia.dynamics.integrators>`, is not part of it.

    Attributes:
        inertial: the model.
        state: where to start, a state of ``inertial.model``, which is copied; or a trajectory of the same model, to go
            on from its last state, which is also what was before the start for the same ``control``; None is the
            model's default state. Locks and forces that are switched off in it hold for the whole simulation.
            Coordinates and speeds that break constraints are moved onto them.
        t_final: the time at which the simulation ends [s].
        excitations: excitations of muscles and controls of other actuators: numbers or functions of time by name, or a
            function of the state (realized to velocity) that gives numbers by name or all of them in the order of the
            model's controls. They replace what controllers say of the actuators named.
        forces: generalized forces besides the model's own [N m or N], by coordinate name, in the same forms; arrays are
            in the order of ``inertial.coordinate_names``.
        external_loads: an external loads XML of OpenSim.
        equilibrate: whether OpenSim looks for the fibre lengths at which the muscles start in equilibrium; None: where
            no ``state`` is given.
        control: feedback and feedforward of excitations, with delays and states of its own: a
            :class:`~opensim_inertia.control.NeuralControl`, or another object as
            :class:`~opensim_inertia.control.Control` describes. Its excitations go before ``excitations``.
            Before the start the state was what it is there, unless a trajectory says otherwise.
        rotations: what turns joints that turn freely about three axes: "euler", the coordinates of OpenSim, which are
            singular in gimbal lock; or "quaternion", unit quaternions, which have no singularity. Results are in
            OpenSim's coordinates either way. :func:`~opensim_inertia.dynamics.equations.quaternions.free_joints` says
            which joints these are. Not with ``control``.

    Raises:
        OptionError: the model is no :class:`~opensim_inertia.InertialModel`, the state none of OpenSim's; or there is a
            control beside quaternions.
    """

    inertial: InertialModel
    state: osim.State | PastMotion | None = None
    t_final: float = 1.0
    excitations: Drive | None = None
    forces: Drive | None = None
    external_loads: str | os.PathLike[str] | None = None
    equilibrate: bool | None = None
    control: Control | None = None
    rotations: Rotations = "euler"

    def __post_init__(self) -> None:
        check_inertial(self.inertial)
        if self.state is not None and not isinstance(self.state, PastMotion):
            check_state(self.state)
        check_choice("rotations", self.rotations, ROTATIONS)
        if self.rotations != "euler" and self.control is not None:
            expected = "'euler' where there is a control, which reads OpenSim's coordinates"
            raise OptionError("rotations", self.rotations, expected)

    @property
    def first_state(self) -> osim.State | None:
        """The state from which it starts, not copied; None for the model's default state."""
        return self.state.final_state() if isinstance(self.state, PastMotion) else self.state

    @property
    def past(self) -> History | None:
        """The past before the start; None if it is unknown."""
        return self.state.history if isinstance(self.state, PastMotion) else None


def check_problem(problem: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` for what is no problem, which says how one is stated."""
    stated = "Problem(inertial, t_final=0.5)" if isinstance(problem, InertialModel) else "Problem(inertial)"
    check_type("problem", problem, Problem, f"a Problem: state it first, as {stated}")
