"""Optimisation of a simulation's parameters by SciPy's methods."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize
from tqdm import tqdm

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_names, check_type, shows_bar, warn
from ..._core.choices import SEARCH_METHODS, SearchMethod
from ..._core.errors import OptionError, SimulationError
from ..._core.representation import Described
from ..._core.warnings import InterruptedWarning
from ..forward_simulation.trajectory import Trajectory
from .interface import check_values
from .simulation import DifferentiableSimulation, Values

Objective = Callable[[Any], Any]
#: A pair of limits, each a number, an array of the parameter's shape or None for none.
Limits = tuple[Any, Any]

#: A trial that runs away counts as worse than the worst that did not, by this fraction.
WORSE = 0.5


@dataclass(frozen=True, repr=False)
class Optimum(Described):
    """The best that was found.

    Attributes:
        values: the values of every parameter.
        objective: the objective there.
        trajectory: the simulation there.
        history: a row for each simulation: its objective, the largest entry of the gradient (by scaled parameters,
            column "gradient"), the iteration, and the seconds since the start.
        iterations: how many iterations the method made.
        simulations: how many simulations they took.
        gradients: how many gradients they took.
        seconds: wall time [s].
        converged: whether the method says that it converged.
        message: what the method says.
        interrupted: whether the search was interrupted.
    """

    values: dict[str, Array]
    objective: float
    trajectory: Trajectory
    history: pd.DataFrame
    iterations: int
    simulations: int
    gradients: int
    seconds: float
    converged: bool
    message: str
    interrupted: bool

    def description(self) -> Mapping[str, str]:
        """Return the objective, how it was found, and the values."""
        first = float(self.history["objective"].iloc[0])
        ended = "interrupted" if self.interrupted else "converged" if self.converged else "not converged"
        values = (
            f"{name} = {np.array2string(v, precision=4, threshold=6, edgeitems=2, separator=', ')}"
            for name, v in self.values.items()
        )
        return {
            "objective": f"{self.objective:.6g}, first {first:.6g}",
            "search": f"{ended}: {self.message}",
            "took": (
                f"{self.iterations} iterations, {self.simulations} simulations, {self.gradients} gradients, "
                f"{self.seconds:.3g} s"
            ),
            "values": "; ".join(" ".join(value.split()) for value in values),
        }


def minimise(
    simulation: DifferentiableSimulation,
    objective: Objective,
    values: Values | None = None,
    bounds: Mapping[str, Limits] | None = None,
    method: SearchMethod = "L-BFGS-B",
    iterations: int = 100,
    *,
    scale: Mapping[str, Any] | None = None,
    tolerance: float | None = None,
    progress: bool | None = None,
) -> Optimum:
    """Find the parameters for which an objective is least.

    Args:
        simulation: its parameters are what is varied.
        objective: a function of the :class:`TensorTrajectory` that gives a scalar tensor. It may use the parameters'
            own tensors, ``trajectory.parameters``.
        values: where to start; default: what the model and its state have, within the bounds.
        bounds: limits of parameters by name.
        method: "L-BFGS-B" or "trust-constr" of SciPy. For methods of PyTorch call the simulation with tensors.
        iterations: at most.
        scale: typical changes of parameters, by name; methods see parameters divided by these. Default: half the
            distance of finite bounds, else 1.
        tolerance: how small the largest entry of the gradient (by scaled parameters) must be, if the method asks for
            it.
        progress: show a bar; default: on a terminal.

    Returns:
        the best that was found; after Ctrl-C the best until then, with an :class:`InterruptedWarning`.

    Raises:
        OptionError: the objective is no scalar tensor or does not depend on the parameters; a method, bound or scale
            that cannot be. UnknownNameError: a name is no parameter. DivergenceError: the first simulation runs away.
    """
    expected = "a DifferentiableSimulation: make it first, of an InertialModel and parameters"
    check_type("simulation", simulation, DifferentiableSimulation, expected)
    check_choice("method", method, SEARCH_METHODS)
    search = _Search(simulation, objective, values, bounds or {}, scale or {}, iterations, progress)
    converged, message, interrupted = False, "interrupted", False
    with search.bar:
        try:
            converged, message = search.run(method, tolerance)
        except KeyboardInterrupt:
            if search.best[2] is None:
                raise
            interrupted = True
            best = f"the best objective so far is {search.best[0]:.6g}"
            warn(InterruptedWarning(f"interrupted after {search.done} iterations; {best}"))
    return search.result(converged, message, interrupted)


class _Search:
    """The parameters as one scaled vector, and a record of what has been tried."""

    def __init__(
        self,
        simulation: DifferentiableSimulation,
        objective: Objective,
        values: Values | None,
        bounds: Mapping[str, Limits],
        scale: Mapping[str, Any],
        iterations: int,
        progress: bool | None,
    ) -> None:
        if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 1:
            raise OptionError("iterations", iterations, "a whole number of at least 1")
        if not callable(objective):
            raise OptionError("objective", objective, "a function of the trajectory that gives a scalar tensor")
        self.simulation, self.objective, self.iterations = simulation, objective, iterations
        for mapping in (bounds, scale):
            check_names("parameter", mapping, simulation.parameters)
        self._shapes = {name: array.shape for name, array in simulation.values.items()}
        self.low, self.high = self._limits(bounds)
        self.scale = self._scales(scale)
        limits = self._named(self.low), self._named(self.high)
        start = {name: np.clip(v, limits[0][name], limits[1][name]) for name, v in simulation.values.items()}
        check_names("parameter", values or {}, start)
        for name, value in (values or {}).items():
            start[name] = check_values(name, simulation.parameters[name], value)
            if not ((start[name] >= limits[0][name]) & (start[name] <= limits[1][name])).all():
                raise OptionError(f"values['{name}']", value, "values within the bounds")
        self.x0 = self._flat(start) / self.scale
        self.best: tuple[float, Array, Trajectory | None] = (np.inf, self.x0, None)
        self.done = 0
        self._worst = -np.inf  # of those that did not run away
        self._rows: list[tuple[float, float, int, float]] = []
        self._began = time.monotonic()
        self._counts = simulation.simulations, simulation.gradients
        self.bar = tqdm(total=iterations, disable=not shows_bar(progress), unit="iteration", desc="optimisation")

    def evaluate(self, x: Array) -> tuple[float, Array]:
        """Return the objective and its gradient by scaled parameters."""
        values = self._values(x)
        try:
            value, gradient, trajectory = self.simulation.evaluate(self.objective, values)
        except SimulationError:
            if not self._rows:
                raise
            value, derivatives = self._worst + WORSE * abs(self._worst), np.zeros_like(x)
        else:
            derivatives = self._flat(gradient) * self.scale
            self._worst = max(self._worst, value)
            if value < self.best[0] or self.best[2] is None:
                self.best = (value, x.copy(), trajectory)
        self._rows.append((value, float(np.abs(derivatives).max()), self.done, time.monotonic() - self._began))
        return value, derivatives

    def run(self, method: str, tolerance: float | None) -> tuple[bool, str]:
        """Minimise with a method of SciPy; return whether it converged, and SciPy's message."""
        outcome = optimize.minimize(
            self.evaluate,
            self.x0,
            jac=True,
            method=method,
            bounds=optimize.Bounds(self.low / self.scale, self.high / self.scale),
            options={"maxiter": self.iterations} | ({} if tolerance is None else {"gtol": tolerance}),
            callback=lambda *_: self._advance(),
        )
        return bool(outcome.success), str(outcome.message)

    def _advance(self) -> None:
        """Note that an iteration has been made."""
        self.done += 1
        self.bar.set_postfix(objective=f"{self.best[0]:.4g}", refresh=False)
        self.bar.update()

    def result(self, converged: bool, message: str, interrupted: bool) -> Optimum:
        """Return the best that was found."""
        value, x, trajectory = self.best
        assert trajectory is not None
        history = pd.DataFrame(self._rows, columns=["objective", "gradient", "iteration", "seconds"])
        history.index.name = "simulation"
        return Optimum(
            self._values(x),
            value,
            trajectory,
            history,
            self.done,
            self.simulation.simulations - self._counts[0],
            self.simulation.gradients - self._counts[1],
            time.monotonic() - self._began,
            converged,
            message,
            interrupted,
        )

    def _limits(self, bounds: Mapping[str, Limits]) -> tuple[Array, Array]:
        """Return low and high limits of all parameters as vectors; refuse those that cannot be."""
        sides: tuple[dict[str, Array], dict[str, Array]] = ({}, {})
        for name, shape in self._shapes.items():
            pair = bounds.get(name, (None, None))
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise OptionError(f"bounds['{name}']", pair, "a pair (low, high)")
            for side, limit, none in zip(sides, pair, (-np.inf, np.inf), strict=True):
                try:
                    side[name] = np.broadcast_to(np.asarray(none if limit is None else limit, dtype=float), shape)
                except (TypeError, ValueError):
                    raise OptionError(f"bounds['{name}']", limit, f"a number or an array of shape {shape}") from None
        low, high = self._flat(sides[0]), self._flat(sides[1])
        if not (low <= high).all():
            labels = [f"{name}{list(i)}" for name, shape in self._shapes.items() for i in np.ndindex(shape)]
            wrong = labels[int(np.argmin(low <= high))]
            raise OptionError("bounds", wrong, "a low limit that is not above the high one")
        return low, high

    def _scales(self, scale: Mapping[str, Any]) -> Array:
        """Return the typical changes of all parameters as a vector; refuse those that cannot be."""
        width = self.high - self.low
        default = self._named(np.where(np.isfinite(width) & (width > 0), width / 2, 1.0))
        for name, value in scale.items():
            try:
                default[name] = np.broadcast_to(np.asarray(value, dtype=float), self._shapes[name]).copy()
            except (TypeError, ValueError):
                raise OptionError(f"scale['{name}']", value, f"numbers of shape {self._shapes[name]}") from None
            if not (np.isfinite(default[name]).all() and (default[name] > 0).all()):
                raise OptionError(f"scale['{name}']", value, "positive numbers")
        return self._flat(default)

    def _flat(self, values: Mapping[str, Array]) -> Array:
        return np.concatenate([np.asarray(values[name], dtype=float).reshape(-1) for name in self._shapes])

    def _named(self, x: Array) -> dict[str, Array]:
        ends = np.cumsum([int(np.prod(shape)) for shape in self._shapes.values()])
        pieces = np.split(x, ends[:-1])
        return {name: piece.reshape(shape) for (name, shape), piece in zip(self._shapes.items(), pieces, strict=True)}

    def _values(self, x: Array) -> dict[str, Array]:
        """Return the parameters, within their bounds, from scaled ones: methods overstep bounds by rounding."""
        return self._named(np.clip(x * self.scale, self.low, self.high))
