"""Interface for kinds of parameters of a differentiable simulation.

A kind of parameter is a subclass of :class:`Parameter`. ``start`` returns the model's values, ``apply`` changes a
problem, and ``vjp`` makes the :class:`Contribution` that collects the derivative while the adjoint goes backward
through the simulation.
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
    """Draft of a changed problem: :meth:`Parameter.apply` changes the draft; the given problem stays unchanged.

    Args:
        problem: a problem with a state, and with excitations and forces given by name.

    Attributes:
        problem: the given problem.
        excitations: numbers or functions of time, by actuator.
        forces: generalized forces [N m or N], numbers or functions of time, by coordinate.
        y: the initial state (ny,), before projection onto the constraints.
        proximal_shares: proximal share of the path outside the belly, for muscles where it changes.
        aponeuroses: lengths of aponeuroses [m], for muscles where they change.
        keeps_geometry: whether paths and wrap objects stay unchanged; set it to False if they may change.
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
        """A copy of the mass table, to be changed."""
        return self.problem.inertial.masses

    @cached_property
    def model(self) -> osim.Model:
        """A copy of the user's model, to be changed."""
        return self.problem.inertial.original_model()

    def finished(self) -> Problem:
        """Return the changed problem with the original initial state; the draft's ``y`` is the changed state.

        Raises:
            ModelError: a change adds or removes state variables.
        """
        drives: dict[str, Any] = {"excitations": self.excitations or None, "forces": self.forces or None}
        inertial = self.problem.inertial
        shares = {"proximal_shares": self.proximal_shares, "aponeuroses": self.aponeuroses}
        changes: dict[str, Any] = {what: change for what, change in shares.items() if change}
        changes |= {what: change for what, change in vars(self).items() if what in ("masses", "model")}  # those in use
        if not changes:
            return replace(self.problem, **drives)
        if not inertial.has_explicit_points:  # the table has the donor segments
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
    """Model, initial state and initial controls, from which parameters read their initial values."""

    inertial: InertialModel  # the model
    state: osim.State  # its initial state
    control_names: list[str]  # names of the model's controls
    controls: Array  # their initial values


@dataclass(frozen=True, eq=False)
class Run:
    """Result of one simulation: parameter values, and data for the gradient."""

    values: dict[str, Array]
    trajectory: Trajectory
    start: Array
    system: System
    steps: tuple[tuple[float, tuple[Stage, ...], Stage], ...]  # length [s], stages, and end before projection


class Simulated(NamedTuple):
    """A simulation to be differentiated with respect to one parameter array."""

    system: System  # the simulated equations
    values: Array  # the parameter's values
    with_values: Callable[[Array], System]  # equations for other values of this parameter


class Contribution:
    """Vector-Jacobian product for one parameter, summed over integration stages and constraint projections.

    f(t, y, p) is the right-hand side, M OpenSim's mass matrix and y0 the initial state. The gradient of an objective is
    the sum of the three methods' terms; a method that is not overridden adds nothing.

    Attributes:
        needs_controls: whether ``add_rates`` needs ``at.controls``.
        gradient: the sum, with the parameter's shape.
    """

    needs_controls: bool = False

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.gradient: Array = np.zeros(shape)

    def add_rates(self, stage: Stage, at: Derivatives, cotangent: Array) -> None:
        """Add (df/dp)^T cotangent at a stage, for right-hand side f and parameters p.

        Args:
            stage: the time [s] and the state y (ny,).
            at: the right-hand side linearized at the stage.
            cotangent: cotangent of the right-hand side (ny,); ``at.force_vjp`` converts it to generalized forces.
        """

    def add_projection(self, t: float, q: Array, correction: Array, cotangent: Array) -> None:
        """Add -cotangent^T (dM/dp) correction to the gradient, for a projection onto constraints with mass matrix M.

        Args:
            t: the time [s].
            q: the pose (nq,).
            correction: the change of speeds or coordinates (nu,).
            cotangent: cotangent of generalized forces (nu,).
        """

    def add_start(self, cotangent: Array) -> None:
        """Add (dy0/dp)^T cotangent to the gradient, given the cotangent (ny,) of the unprojected initial state y0."""


@dataclass(frozen=True)
class Parameter(ABC):
    """An array of parameters of a simulation, by default one number per entry of ``names``.

    Attributes:
        names: a name or a sequence of names of the varied parts.
        quantity: the varied quantity; empty: the name of the class. A quantity and name may be varied once only, and
            not if the simulation has its own "excitations" or "forces" of this name.
        rebuilds: whether other values need another model. Such parameters are applied when the model is built, others
            before every simulation.
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
        """Shape of the parameter array."""
        return (len(self.names),)

    @abstractmethod
    def start(self, context: Context) -> Array:
        """Return initial parameter values, read from the model and its state.

        Raises:
            UnknownNameError: a name is not in the model.
        """

    def check(self, values: Array) -> None:
        """Raise an error if ``values``, already finite and of the right shape, are invalid."""
        return None

    @abstractmethod
    def apply(self, values: Array, draft: Draft) -> None:
        """Put parameter values into the draft of a problem."""

    @abstractmethod
    def vjp(self, simulated: Simulated) -> Contribution:
        """Return a new :class:`Contribution`, zero at first, that sums the gradient over one simulation."""


def check_values(name: str, parameter: Parameter, values: Any) -> Array:
    """Return a parameter's values as an array; OptionError if shape or numbers are invalid."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError):
        array = np.full((), np.nan)
    if array.shape != parameter.shape or not np.isfinite(array).all():
        raise OptionError(name, values, f"finite numbers of shape {parameter.shape}")
    parameter.check(array)
    return array
