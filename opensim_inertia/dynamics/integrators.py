"""Integrators and their options.

An integrator is a frozen dataclass: its fields are its options, and class attributes state its abilities. It is
registered here by its name, which users may give instead of an object with default options. This module imports neither
NumPy nor OpenSim, so that the command line lists integrators quickly; ``analyses/forward_simulation/steppers.py`` makes
steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from .._core.checks import check_choice
from .._core.errors import OptionError
from .._core.options import Options, above, option

if TYPE_CHECKING:
    from .._core.arrays import Array

__all__ = [
    "BDF",
    "DOP853",
    "INTEGRATORS",
    "SDIRK2",
    "Automatic",
    "BackwardEuler",
    "CPodes",
    "ErrorControl",
    "FixedStep",
    "ForwardEuler",
    "ImplicitFixedStep",
    "Integrator",
    "OpenSimIntegrator",
    "RungeKutta45",
    "RungeKuttaMerson",
    "SciPyIntegrator",
    "Stage",
    "StageVjp",
    "as_integrator",
    "named",
]

#: Names of integrators with differentiable steps, and of all, for type checkers.
DifferentiableIntegrator = Literal["forward_euler", "bdf1", "sdirk2"]
IntegratorName = Literal["auto", DifferentiableIntegrator, "rk45", "dop853", "bdf", "runge_kutta_merson", "cpodes"]
#: Integrators by name; classes register themselves.
INTEGRATORS: dict[str, type[Integrator]] = {}

#: 1 - 1/sqrt(2): weight of implicit stages that makes SDIRK2 L-stable (Hairer & Wanner 1996, IV.6).
GAMMA = 1 - 0.5**0.5

#: A time [s] and the state y (ny,) at that time.
Stage = tuple[float, "Array"]
#: f(t, y), the right-hand side (ny,).
Rates = Callable[[float, "Array"], "Array"]
#: (t, base, weight, guess) -> the solution y (ny,) of y = base + weight f(t, y).
Solve = Callable[[float, "Array", float, "Array"], "Array"]


@dataclass(frozen=True)
class Integrator(Options):
    """Base class of integrators.

    Attributes:
        name: name for users.
        order: order of accuracy; the highest for variable order.
        is_implicit: whether steps solve equations, so that stiffness does not limit them.

    Raises:
        OptionError: an option is no positive number.
    """

    name: ClassVar[str]
    order: ClassVar[int]
    is_implicit: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" in vars(cls):
            INTEGRATORS[cls.name] = cls

    @property
    def longest_step(self) -> float:
        """Length of the longest step [s]."""
        step = self.values().get("step")
        return math.inf if step is None else float(step)


@dataclass(frozen=True)
class FixedStep(Integrator):
    """Base class of differentiable integrators with fixed steps; a step is shorter only to end at a required time."""

    step: float = option(1e-3, "length of fixed steps", unit="s", check=above(0.0), metavar="S", synonyms=("dt",))

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages (t, y) and the state (ny,) after one step of length h.

        Args:
            rates: f(t, y), the right-hand side.
            solve: solves y = base + weight f(t, y).
            start: time and state at the step's start.
            h: length of the step [s].

        Returns:
            the stages with evaluations of the right-hand side in the result, and the state (ny,) after the step.
        """
        raise NotImplementedError

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent (ny,) of the state at a step's start: the vector-Jacobian product of ``advance``.

        Args:
            h: length of the step [s].
            stages: stages from ``advance``.
            cotangent: cotangent of the state after the step (ny,).
            rates: vector-Jacobian product of the right-hand side, which also adds to gradients by parameters; called
                once per stage, the last stage first.
        """
        raise NotImplementedError


class StageVjp(Protocol):
    """Vector-Jacobian products of a stage, explicit or implicit in the right-hand side f."""

    def explicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return weight (df/dy)^T cotangent, for a step that adds weight f(t, y)."""

    def implicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return (1 - weight df/dy)^-T cotangent, for a step that solves y = base + weight f(t, y)."""


@dataclass(frozen=True)
class ImplicitFixedStep(FixedStep):
    """Base class of implicit integrators with steps of fixed length."""

    is_implicit: ClassVar[bool] = True

    accuracy: float = option(
        1e-10,
        "of the equations of fixed steps, relative to 1 + |y|",
        check=above(0.0),
        metavar="A",
        synonyms=("tolerance", "tol"),
    )


@dataclass(frozen=True)
class ErrorControl(Integrator):
    """Base class of integrators with step lengths controlled by error."""

    step: float | None = option(None, "longest step with error control", unit="s", check=above(0.0), metavar="S")
    accuracy: float = option(1e-6, "relative error per step with error control", check=above(0.0), metavar="A")


@dataclass(frozen=True)
class Automatic(ErrorControl):
    """Automatic choice of integrator: "rk45", then "bdf" for stiff problems; "runge_kutta_merson" with the plugin."""

    name = "auto"
    order = 5


@dataclass(frozen=True)
class ForwardEuler(FixedStep):
    """Forward Euler, y+ = y + h f(t, y); order 1, explicit (Wang et al. 2022)."""

    name = "forward_euler"
    order = 1

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages (t, y) and the state (ny,) after one step."""
        t, y = start
        return (start,), y + h * rates(t, y)

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        return cotangent + rates.explicit(stages[0], h, cotangent)


@dataclass(frozen=True)
class BackwardEuler(ImplicitFixedStep):
    """Backward Euler (BDF1), y+ = y + h f(t + h, y+); order 1, L-stable (Wang et al. 2022)."""

    name = "bdf1"
    order = 1

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages (t, y) and the state (ny,) after one step."""
        t, y = start
        end = solve(t + h, y, h, y)
        return ((t + h, end),), end

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        return rates.implicit(stages[0], h, cotangent)


@dataclass(frozen=True)
class SDIRK2(ImplicitFixedStep):
    """SDIRK with two implicit stages of equal weight; order 2, L-stable, stiffly accurate (Alexander 1977).

    With c = GAMMA h, the first stage solves m = y + c f(m), the second y+ = y + (1 - GAMMA) / GAMMA (m - y) + c f(y+).
    """

    name = "sdirk2"
    order = 2

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages (t, y) and the state (ny,) after one step."""
        t, y = start
        middle = solve(t + GAMMA * h, y, GAMMA * h, y)
        rate = (middle - y) / (GAMMA * h)
        end = solve(t + h, y + (1 - GAMMA) * h * rate, GAMMA * h, y + h * rate)
        return ((t + GAMMA * h, middle), (t + h, end)), end

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        onward = (1 - GAMMA) / GAMMA
        base = rates.implicit(stages[1], GAMMA * h, cotangent)
        return (1 - onward) * base + rates.implicit(stages[0], GAMMA * h, onward * base)


@dataclass(frozen=True)
class SciPyIntegrator(ErrorControl):
    """Base class of SciPy's integrators; the absolute tolerance is 0.01 times the relative tolerance."""


@dataclass(frozen=True)
class RungeKutta45(SciPyIntegrator):
    """SciPy's RK45: explicit, order 5 (Dormand & Prince 1980)."""

    name = "rk45"
    order = 5


@dataclass(frozen=True)
class DOP853(SciPyIntegrator):
    """SciPy's DOP853: explicit, order 8 (Hairer et al. 1993), for smooth equations and tight accuracies."""

    name = "dop853"
    order = 8


@dataclass(frozen=True)
class BDF(SciPyIntegrator):
    """SciPy's BDF: implicit multistep method of orders 1 to 5 (Shampine & Reichelt 1997)."""

    name = "bdf"
    order = 5
    is_implicit = True


@dataclass(frozen=True)
class OpenSimIntegrator(ErrorControl):
    """Base class of OpenSim's integrators; they need this package's plugin, and SimTK defines their accuracy."""


@dataclass(frozen=True)
class RungeKuttaMerson(OpenSimIntegrator):
    """OpenSim's explicit integrator, the default of its Manager."""

    name = "runge_kutta_merson"
    order = 4


@dataclass(frozen=True)
class CPodes(OpenSimIntegrator):
    """OpenSim's implicit multistep integrator."""

    name = "cpodes"
    order = 5
    is_implicit = True


def named(name: str, **options: float | None) -> Integrator:
    """Return an integrator by its name, with options; None leaves an option at its default.

    Raises:
        OptionError: the integrator is unknown, has no such option, or a value is invalid.
    """
    kind = INTEGRATORS[check_choice("integrator", name, INTEGRATORS)]
    values = {key: value for key, value in options.items() if value is not None}
    for key, value in values.items():
        if key not in kind.entries():
            expected = f"none beside integrator '{name}', whose options are: {', '.join(kind.entries())}"
            raise OptionError(key, value, expected)
    return kind(**values)


def as_integrator(integrator: Integrator | IntegratorName) -> Integrator:
    """Return ``integrator``, or the integrator of this name; OptionError if the name is unknown."""
    return integrator if isinstance(integrator, Integrator) else named(integrator)
