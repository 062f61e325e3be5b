"""Integrators: each makes steps (t, y) -> (t, y) of one right-hand side and can interpolate within the last one."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy.integrate import BDF, DOP853, RK23, RK45, Radau
from scipy.interpolate import CubicHermiteSpline

from ..._core.arrays import Array
from ...dynamics.equations.system import System
from .newton import Newton

#: A time [s] and the state y (ny,) there.
Stage = tuple[float, Array]

#: A projection that moves the state by less than this fraction of the tolerated error leaves the rates as they are.
NEGLIGIBLE = 0.1
#: Absolute tolerance per relative one.
ABSOLUTE = 1e-2
#: Steps shorter than this share of the time to simulate, so many in a row, will not come to its end.
SHORTEST, STALLED = 1e-13, 50
#: 1 - 1/sqrt(2): the stages' implicit weight, for which SDIRK2 is L-stable (Hairer & Wanner 1996, IV.6).
GAMMA = 1 - 0.5**0.5


class Integrator(Protocol):
    """Makes steps; it stands at t [s] with the state y (ny,)."""

    @property
    def name(self) -> str:
        """What users call the method."""

    @property
    def t(self) -> float:
        """The time [s]."""

    @property
    def y(self) -> Array:
        """The state (ny,)."""

    def step(self, end: float) -> None:
        """Make one step, at most to ``end``."""

    def within(self, times: Array) -> Array:
        """Return states (T, ny) at times within the last step."""

    def go_on(self, end: float, anew: bool) -> None:
        """Turn to another ``end`` [s]; ``anew`` without regard to former rates, from which the rates here jump."""

    def interpolant(self) -> Callable[[float], Array]:
        """Return the function that gives states (ny,) at times within the last step, without the projection."""


class StageVjp(Protocol):
    """The vjp of what a stage makes of the right-hand side f."""

    def explicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return weight (df/dy)^T cotangent, of a step that adds weight f(t, y)."""

    def implicit(self, stage: Stage, weight: float, cotangent: Array) -> Array:
        """Return (1 - weight df/dy)^-T cotangent, of a step that solves y = base + weight f(t, y)."""


class FixedStep:
    """Steps of one length; the last one is as short as the end asks. Cubic between steps.

    Attributes:
        name: what users call the method.
        is_explicit: whether no stage solves an equation.
        stage_count: how many stages a step has.
        stages: the times and states at which the result of the last step contains the right-hand side.
        landed: the time and state at which it ended before its projection on the constraints.
    """

    name: ClassVar[str]
    is_explicit: ClassVar[bool] = False
    stage_count: ClassVar[int] = 1
    stages: tuple[Stage, ...]
    landed: Stage

    def __init__(self, system: System, t: float, y: Array, step: float, accuracy: float) -> None:
        self.system, self.t, self.y, self.length = system, t, y, step
        self.newton = Newton(system, accuracy)
        self._before = (t, y)
        self._start, self._count = t, 0

    def step(self, end: float) -> None:
        """Make one step, at most to ``end``."""
        self._count += 1
        target = self._start + self._count * self.length
        self.step_to(end if target > end - 1e-9 * self.length else target)

    def step_to(self, target: float) -> None:
        """Make one step that ends at a time [s]."""
        self._before = (self.t, self.y)
        self.stages, y = self.advance(target - self.t)
        self.landed = (target, y)
        self.system.check(target, y)
        self.t, self.y = target, self.system.project(target, y)

    def advance(self, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages of a step of h [s], and y after it."""
        raise NotImplementedError

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent (ny,) of the state at a step's start, from that at its end: the vjp of ``advance``."""
        raise NotImplementedError

    def within(self, times: Array) -> Array:
        """Return states (T, ny) by cubic Hermite interpolation."""
        return np.asarray(self.interpolant()(times))  # type: ignore[arg-type]

    def go_on(self, end: float, anew: bool) -> None:
        """Count steps from here on."""
        self._start, self._count = self.t, 0

    def interpolant(self) -> Callable[[float], Array]:
        """Return the cubic Hermite polynomial through the last step's ends."""
        (t0, y0), (t1, y1) = self._before, (self.t, self.y)
        rates = [self.system.rhs(t0, y0), self.system.rhs(t1, y1)]
        if not np.isfinite(rates[1]).all():
            raise self.system.divergence(t1, y1, "has no finite rate", rates[1])
        return CubicHermiteSpline([t0, t1], np.stack([y0, y1]), np.stack(rates))  # type: ignore[no-any-return]


class ForwardEuler(FixedStep):
    """y+ = y + h f(t, y); order 1, explicit."""

    name = "forward_euler"
    is_explicit = True

    def advance(self, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages and the result of one step."""
        return ((self.t, self.y),), np.asarray(self.y + h * self.system.rhs(self.t, self.y))

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        return cotangent + rates.explicit(stages[0], h, cotangent)


class BackwardEuler(FixedStep):
    """BDF1, y+ = y + h f(t + h, y+); order 1, L-stable."""

    name = "bdf1"

    def advance(self, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages and the result of one step."""
        y = self.newton.solve(self.t + h, self.y, h, self.y)
        return ((self.t + h, y),), y

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        return rates.implicit(stages[0], h, cotangent)


class SDIRK2(FixedStep):
    """Two implicit stages of equal weight; order 2, L-stable, stiffly accurate (Alexander 1977).

    The first stage m solves m = y + c f(m) with c = GAMMA h; the second y+ = y + (1 - GAMMA) / GAMMA (m - y) + c f(y+).
    """

    name = "sdirk2"
    stage_count = 2

    def advance(self, h: float) -> tuple[tuple[Stage, ...], Array]:
        """Return the stages and the result of one step."""
        middle = self.newton.solve(self.t + GAMMA * h, self.y, GAMMA * h, self.y)
        rate = (middle - self.y) / (GAMMA * h)
        guess = self.y + h * rate
        y = self.newton.solve(self.t + h, self.y + (1 - GAMMA) * h * rate, GAMMA * h, guess)
        return ((self.t + GAMMA * h, middle), (self.t + h, y)), y

    @staticmethod
    def vjp(h: float, stages: tuple[Stage, ...], cotangent: Array, rates: StageVjp) -> Array:
        """Return the cotangent of the state at the step's start."""
        onward = (1 - GAMMA) / GAMMA
        base = rates.implicit(stages[1], GAMMA * h, cotangent)
        return (1 - onward) * base + rates.implicit(stages[0], GAMMA * h, onward * base)


class Adaptive:
    """SciPy's integrators with error control and dense output, projected on the constraints after every step.

    Attributes:
        name: what users call the method.
        solver: SciPy's integrator.
    """

    def __init__(self, kind: type[Any], system: System, t: float, y: Array, end: float, step: float, accuracy: float):
        self.system, self._kind = system, kind
        self._tolerance = accuracy
        self.name = kind.__name__.lower()
        options: dict[str, Any] = {"rtol": accuracy, "atol": ABSOLUTE * accuracy, "max_step": step}
        if "jac" in signature(kind).parameters:  # of implicit methods
            options["jac"] = system.jacobian
        self._options = options
        self.solver = kind(system.rhs, t, y, end, **options)
        if not np.isfinite(self.solver.h_abs):  # SciPy's explicit methods would shorten such a step for ever
            raise system.divergence(t, y, "has no finite rate", system.rhs(t, y))
        self.t, self.y = t, y
        self._length = self.solver.h_abs
        self._shortest, self._short_steps = SHORTEST * (end - t), 0
        self._dense: Any = None

    def step(self, end: float) -> None:
        """Make one step, as long as the accuracy allows."""
        solver = self.solver
        self._length = solver.h_abs
        try:
            message = solver.step()
        except (ValueError, np.linalg.LinAlgError) as error:  # a matrix of an implicit method is not finite
            if not isinstance(error, np.linalg.LinAlgError) and "infs or NaNs" not in str(error):
                raise  # a drive's own
            message = "the equations are not finite"
        self._short_steps = self._short_steps + 1 if (solver.step_size or 0.0) < self._shortest else 0
        stalled = self._short_steps > STALLED
        if stalled or solver.status == "failed" or (message and solver.status == "running"):
            rates = self.system.rhs(solver.t, solver.y)
            raise self.system.divergence(solver.t, solver.y, "allows no further step", rates)
        self._dense = None
        self.system.check(solver.t, solver.y)
        self.t, self.y = float(solver.t), self._projected()

    def go_on(self, end: float, anew: bool) -> None:
        """Turn SciPy's integrator to another end, or make it anew, with the step that it would have made next."""
        solver = self.solver
        if isinstance(solver, RK23 | RK45 | DOP853):
            solver.h_abs = max(solver.h_abs, self._length)  # that of the last step was cut at its end
        if anew:
            length = min(float(solver.h_abs), end - self.t)
            self.solver = self._kind(self.system.rhs, self.t, self.y, end, first_step=length, **self._options)
        else:
            solver.t_bound, solver.status = end, "running"
        self._shortest = max(self._shortest, SHORTEST * (end - self.t))

    def interpolant(self) -> Callable[[float], Array]:
        """Return the method's own interpolation, for which some methods evaluate more stages."""
        if self._dense is None:
            self._dense = self.solver.dense_output()
        return self._dense  # type: ignore[no-any-return]

    def within(self, times: Array) -> Array:
        """Return states (T, ny) by the method's own interpolation."""
        found = np.asarray(self.interpolant()(times)).T  # type: ignore[arg-type]
        return np.stack([self.system.project(t, y) for t, y in zip(times.tolist(), found, strict=True)])

    def _projected(self) -> Array:
        solver = self.solver
        y = self.system.project(solver.t, solver.y)
        if y is not solver.y:
            is_moved = (np.abs(y - solver.y) > NEGLIGIBLE * self._tolerance * (ABSOLUTE + np.abs(y))).any()
            if is_moved:
                self._dense = solver.dense_output()  # of the step as it was made
            solver.y = y
            if isinstance(solver, BDF):  # its differences of past states, the first of which is the state
                solver.D[0] = y
            elif is_moved:
                solver.f = self.system.rhs(solver.t, y)
        return np.asarray(y)


#: The methods by name, with fixed steps and with error control; ``choices`` lists the names for the command line.
FIXED: dict[str, type[FixedStep]] = {method.name: method for method in (ForwardEuler, BackwardEuler, SDIRK2)}
ADAPTIVE: dict[str, type[Any]] = {"rk23": RK23, "rk45": RK45, "dop853": DOP853, "radau": Radau, "bdf": BDF}
#: Names of the integrators: fixed steps first.
INTEGRATORS = (*FIXED, *ADAPTIVE)
