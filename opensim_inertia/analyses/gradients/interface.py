"""The interface by which gradients know the kinds of parameters.

A kind of parameter is a subclass of :class:`Parameter`. It says which values the model has (``start``), puts others
into a problem (``apply``), and makes the :class:`Contribution` that collects its derivative while the adjoint goes back
through the simulation (``vjp``). Nothing else in this package needs to know of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError, OptionError
from ..._core.opensim import osim
from ...dynamics.equations.derivatives import Derivatives
from ...dynamics.equations.problem import Problem, Signal
from ...dynamics.equations.start import carry_over
from ...dynamics.equations.system import System
from ...dynamics.integrators import Stage
from ...model import InertialModel
from ...muscles.masses.table import follow_muscles
from ..forward_simulation.trajectory import Trajectory

if TYPE_CHECKING:
    import pandas as pd

Names = str | Sequence[str]


class Draft:
    """The draft of a problem, which :meth:`Parameter.apply` changes; the problem given stays as it is.

    Args:
        problem: a problem with a state, whose excitations and forces are given by name.

    Attributes:
        problem: the problem given.
        excitations: numbers or functions of time by actuator.
        forces: generalized forces [N m or N], numbers or functions of time by coordinate.
        y: the state (ny,) at the start, before its projection on the constraints.
        proximal_shares: of the path outside the belly, the share at the origin, for muscles where it changes.
        aponeuroses: lengths of aponeuroses [m], for muscles where they change.
        keeps_geometry: whether paths and wrap objects are those of the problem's model, so that they need not be looked
            at again; set it to False where they may change.
    """

    def __init__(self, problem: Problem) -> None:
        state = problem.first_state
        assert state is not None
        self.problem, self._state = problem, state
        self.excitations: dict[str, Signal] = dict(problem.excitations or {})  # type: ignore[arg-type]
        self.forces: dict[str, Signal] = dict(problem.forces or {})  # type: ignore[arg-type]
        self.y = self._state.getY().to_numpy().copy()
        self.proximal_shares: dict[str, float] = {}
        self.aponeuroses: dict[str, float] = {}
        self.keeps_geometry = True

    @cached_property
    def masses(self) -> pd.DataFrame:
        """The mass table, a copy to be changed."""
        return self.problem.inertial.masses

    @cached_property
    def model(self) -> osim.Model:
        """The model as its user gave it; a copy to be changed."""
        return self.problem.inertial.original_model()

    def finished(self) -> Problem:
        """Return the problem with all changes; ``y`` is not part of it.

        Raises:
            ModelError: a change makes other state variables.
        """
        drives: dict[str, Any] = {"excitations": self.excitations or None, "forces": self.forces or None}
        inertial = self.problem.inertial
        shares = {"proximal_shares": self.proximal_shares, "aponeuroses": self.aponeuroses}
        changes: dict[str, Any] = {what: change for what, change in shares.items() if change}
        changes |= {what: change for what, change in vars(self).items() if what in ("masses", "model")}  # those used
        if not changes:
            return replace(self.problem, **drives)
        if not inertial.has_explicit_points:  # the table knows the donor segments
            table = changes.setdefault("masses", inertial.mass_table)
            if "model" in changes:
                changes["masses"] = follow_muscles(table, inertial.model)
        if self.keeps_geometry:
            changes["plan"] = inertial.wraps
        rebuilt = inertial.rebuilt(**changes)
        state = rebuilt.initial_state()
        if state.getNY() != self._state.getNY():
            raise ModelError("a property that is varied changes the number of the model's state variables")
        carry_over(inertial.model, self._state, rebuilt.model, state)
        return replace(self.problem, inertial=rebuilt, state=state, **drives)


class Context(NamedTuple):
    """The model and state from which the start values of parameters are read."""

    inertial: InertialModel  # the model
    state: osim.State  # its state at the start
    control_names: list[str]  # names of the model's controls
    controls: Array  # their values at the start


@dataclass(frozen=True)
class Run:
    """One simulation: its parameters' values, and the data of its gradient."""

    values: dict[str, Array]
    trajectory: Trajectory
    start: Array
    system: System
    steps: tuple[tuple[float, tuple[Stage, ...], Stage], ...]  # length [s], stages, and the end before its projection


class Simulated(NamedTuple):
    """A simulation that is to be differentiated, as one parameter sees it."""

    system: System  # the equations that were simulated
    values: Array  # the parameter's values
    with_values: Callable[[Array], System]  # equations for other values of this parameter alone


class Contribution:
    """The vjp of one parameter, summed up over the stages and projections of a simulation.

    With f(t, y, p) the right-hand side, M OpenSim's mass matrix and y0 the state at the start, the gradient of an
    objective is the sum of the three methods' values. Each adds nothing unless a subclass says otherwise.

    Attributes:
        needs_controls: whether ``add_rates`` needs ``at.controls``.
        gradient: the sum, of the parameter's shape.
    """

    needs_controls: bool = False

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.gradient: Array = np.zeros(shape)

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add (df/dp)^T cotangent at a stage.

        Args:
            stage: the time [s] and the state y (ny,).
            at: the right-hand side linearised there.
            cotangent: that of the right-hand side (ny,); ``at.force_vjp`` makes that of generalized forces of it.
        """

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        """Add -cotangent^T (dM/dp) correction, of a projection on the constraints, whose metric is M.

        Args:
            t: the time [s].
            q: the pose (nq,).
            correction: the change of speeds or coordinates (nu,).
            cotangent: that of generalized forces (nu,).
        """

    def add_start(self, cotangent: Array) -> None:
        """Add (dy0/dp)^T cotangent, from that (ny,) of the state at the start before its projection."""


@dataclass(frozen=True)
class Parameter(ABC):
    """One array of parameters: one number for each name, unless ``shape`` says otherwise.

    Attributes:
        names: of the varied parts; a name or a sequence of names.
        quantity: the varied quantity of these parts; empty for the name of the class. No two parameters of a simulation
            may have the same quantity and a name in common, and none of quantity "excitations" or "forces" a name that
            its user gives to the simulation itself.
        rebuilds: whether other values make another model. Such a parameter is applied when a model is built for its
            values, other ones before every simulation.
    """

    names: Names

    quantity: ClassVar[str] = ""
    rebuilds: ClassVar[bool] = True

    def __post_init__(self) -> None:
        names: tuple[str, ...] = (self.names,) if isinstance(self.names, str) else ()
        if not isinstance(self.names, str) and isinstance(self.names, Sequence):
            names = tuple(self.names)
        if not names or not all(isinstance(name, str) for name in names):
            raise OptionError(type(self).__name__, self.names, "a name or a sequence of names")
        if len(set(names)) < len(names):
            raise OptionError(type(self).__name__, self.names, "each name once")
        object.__setattr__(self, "names", names)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array of values."""
        return (len(self.names),)

    @abstractmethod
    def start(self, context: Context) -> Array:
        """Return the values that the model and its state have.

        Raises:
            UnknownNameError: a name is not in the model.
        """

    def check(self, values: Array) -> None:
        """Raise an error that names the values which cannot be; they are finite and of the right shape."""
        return None

    @abstractmethod
    def apply(self, values: Array, draft: Draft) -> None:
        """Put values into a problem."""

    @abstractmethod
    def vjp(self, simulated: Simulated) -> Contribution:
        """Return the contribution that will collect this parameter's gradient of one simulation."""


def check_values(name: str, parameter: Parameter, values: Any) -> Array:
    """Return values as an array of the parameter's shape; OptionError: another shape, or a number is not finite."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        array = np.full((), np.nan)
    if array.shape != parameter.shape or not np.isfinite(array).all():
        raise OptionError(name, values, f"finite numbers of shape {parameter.shape}")
    parameter.check(array)
    return array
