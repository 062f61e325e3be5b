"""Integrators, each with its options: what the command line, setup files, simulations and gradients know of them.

An integrator is a frozen dataclass: its fields are its options, and its class says what it can do. Its name, under
which it is registered here, stands for it with its defaults. This module needs neither NumPy nor OpenSim, so that the
command line can list integrators at once; ``analyses/forward_simulation/steppers.py`` makes the steps.
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

#: The names of integrators, for editors and type checkers: of those whose steps can be differentiated, and of all.
DifferentiableIntegrator = Literal["forward_euler", "bdf1", "sdirk2"]
IntegratorName = Literal["auto", DifferentiableIntegrator, "rk45", "dop853", "bdf", "runge_kutta_merson", "cpodes"]
#: The integrators by name; a class enters itself where it is defined.
INTEGRATORS: dict[str, type[Integrator]] = {}

#: 1 - 1/sqrt(2): the stages' implicit weight, for which SDIRK2 is L-stable (Hairer & Wanner 1996, IV.6).
GAMMA = 1 - 0.5**0.5

#: A time [s] and the state y (ny,) there.
Stage = tuple[float, "Array"]
#: f(t, y), the right-hand side (ny,).
Rates = Callable[[float, "Array"], "Array"]
#: (t, base, weight, guess) -> the solution y (ny,) of y = base + weight f(t, y).
Solve = Callable[[float, "Array", float, "Array"], "Array"]


@dataclass(frozen=True)
class Integrator(Options):
    """How equations of motion are integrated.

    Attributes:
        name: of the integrator, for users.
        order: its order of accuracy, the highest of those of variable order.
        is_implicit: whether it solves equations, so that stiffness does not limit its steps.

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
        """No step is longer than this [s]."""
        step = self.values().get("step")
        return math.inf if step is None else float(step)


@dataclass(frozen=True)
class FixedStep(Integrator):
    """Steps of one length, which can be differentiated; the last one is as short as the end asks."""

    step: float = option(1e-3, "length of fixed steps", unit="s", check=above(0.0), metavar="S", synonyms=("dt",))

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return one step.

        Args:
            rates: f(t, y), the right-hand side.
            solve: finds y = base + weight f(t, y).
            start: the time and the state at the step's start.
            h: its length [s].

        Returns:
            the stages where the result contains the right-hand side, and the state (ny,) after the step.
        """
        raise NotImplementedError

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent (ny,) of the state at a step's start, from that at its end: the vjp of ``advance``.

        Args:
            h: the length of the step [s].
            stages: those that ``advance`` returned.
            cotangent: that of the state after the step (ny,).
            rates: the vjp of the right-hand side, which also adds to the gradients by parameters; it is called once for
                each stage, the last one first.
        """
        raise NotImplementedError


class StageVjp(Protocol):
    """The vjp of a stage's use of the right-hand side f."""

    def explicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return weight (df/dy)^T cotangent, of a step that adds weight f(t, y)."""

    def implicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return (1 - weight df/dy)^-T cotangent, of a step that solves y = base + weight f(t, y)."""


@dataclass(frozen=True)
class ImplicitFixedStep(FixedStep):
    """Steps of one length whose stages solve equations."""

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
    """Steps as long as an accuracy allows."""

    step: float | None = option(None, "longest step with error control", unit="s", check=above(0.0), metavar="S")
    accuracy: float = option(1e-6, "relative error per step with error control", check=above(0.0), metavar="A")


@dataclass(frozen=True)
class Automatic(ErrorControl):
    """rk45, and bdf as soon as stability limits its steps; OpenSim's runge_kutta_merson where the plugin can step."""

    name = "auto"
    order = 5


@dataclass(frozen=True)
class ForwardEuler(FixedStep):
    """y+ = y + h f(t, y); order 1, explicit (Wang et al. 2022)."""

    name = "forward_euler"
    order = 1

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages and the result of one step."""
        t, y = start
        return (start,), y + h * rates(t, y)

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        return cotangent + rates.explicit(stages[0], h, cotangent)


@dataclass(frozen=True)
class BackwardEuler(ImplicitFixedStep):
    """BDF1, y+ = y + h f(t + h, y+); order 1, L-stable (Wang et al. 2022)."""

    name = "bdf1"
    order = 1

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages and the result of one step."""
        t, y = start
        end = solve(t + h, y, h, y)
        return ((t + h, end),), end

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        return rates.implicit(stages[0], h, cotangent)


@dataclass(frozen=True)
class SDIRK2(ImplicitFixedStep):
    """Two implicit stages of equal weight; order 2, L-stable, stiffly accurate (Alexander 1977).

    The first stage m solves m = y + c f(m) with c = GAMMA h; the second y+ = y + (1 - GAMMA) / GAMMA (m - y) + c f(y+).
    """

    name = "sdirk2"
    order = 2

    def advance(self, rates: Rates, solve: Solve, start: Stage, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages and the result of one step."""
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
    """One of SciPy's integrators with its own interpolation; the absolute error allowed is 1e-2 of the relative one."""


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
    """One of OpenSim's own integrators, which needs the plugin; Simbody's understanding of accuracy is its own."""


@dataclass(frozen=True)
class RungeKuttaMerson(OpenSimIntegrator):
    """OpenSim's own explicit integrator, which its Manager takes by default."""

    name = "runge_kutta_merson"
    order = 4


@dataclass(frozen=True)
class CPodes(OpenSimIntegrator):
    """OpenSim's own implicit multistep integrator."""

    name = "cpodes"
    order = 5
    is_implicit = True


def named(name: str, **options: float | None) -> Integrator:
    """Return an integrator by its name, with options; None leaves an option at its default.

    Raises:
        OptionError: there is no such integrator, it has no such option, or an option has a value that cannot be.
    """
    kind = INTEGRATORS[check_choice("integrator", name, INTEGRATORS)]
    values = {key: value for key, value in options.items() if value is not None}
    for key, value in values.items():
        if key not in kind.entries():
            expected = f"none beside integrator '{name}', whose options are: {', '.join(kind.entries())}"
            raise OptionError(key, value, expected)
    return kind(**values)


def as_integrator(integrator: Integrator | IntegratorName) -> Integrator:
    """Return an integrator, or the one that a name stands for, with its defaults; OptionError: there is none."""
    return integrator if isinstance(integrator, Integrator) else named(integrator)
