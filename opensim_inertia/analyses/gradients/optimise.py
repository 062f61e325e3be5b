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
#: A pair of limits, each a number, an array of the parameter's shape, or None.
Limits = tuple[Any, Any]
#: Shapes of parameters by name, in the order of their joint vector.
Shapes = Mapping[str, tuple[int, ...]]

#: A trial that diverges is this share worse than the worst other trial.
WORSE = 0.5


@dataclass(frozen=True, eq=False, repr=False)
class Optimum(Described):
    """The best parameters of an optimisation.

    Attributes:
        values: values of every parameter.
        objective: the objective at the optimum.
        trajectory: the simulation at the optimum.
        history: a row per simulation: objective, largest entry of the gradient in scaled parameters ("gradient"),
            iteration, and seconds since the start.
        iterations: number of iterations.
        simulations: number of simulations.
        gradients: number of gradients.
        seconds: wall time [s].
        converged: whether the method converged.
        message: the method's message.
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
        """Return the objective, the search and the values as text."""
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
    """Find the parameters that minimise an objective.

    Args:
        simulation: the simulation with its parameters.
        objective: a function of the :class:`TensorTrajectory` that returns a scalar tensor. The parameters' tensors are
            ``trajectory.parameters``.
        values: initial values; default: those of the model and its state, within the bounds.
        bounds: limits of parameters by name.
        method: SciPy's "L-BFGS-B" or "trust-constr". For PyTorch's methods, call the simulation with tensors.
        iterations: largest number of iterations.
        scale: typical changes of parameters, by name; the method uses parameters divided by these. Default: half the
            distance of finite bounds, else 1.
        tolerance: the method's tolerance on the largest entry of the gradient in scaled parameters.
        progress: show a bar; default: on a terminal.

    Returns:
        the optimum; after Ctrl-C the best parameters so far, with an :class:`InterruptedWarning`.

    Raises:
        OptionError: the objective is no scalar tensor or does not depend on the parameters; or a method, bound or scale
            is invalid. UnknownNameError: a parameter is unknown. DivergenceError: the first simulation diverges.
    """
    expected = "a DifferentiableSimulation: make it first, of an InertialModel and parameters"
    check_type("simulation", simulation, DifferentiableSimulation, expected)
    check_choice("method", method, SEARCH_METHODS)
    if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 1:
        raise OptionError("iterations", iterations, "a whole number of at least 1")
    if not callable(objective):
        raise OptionError("objective", objective, "a function of the trajectory that gives a scalar tensor")
    shapes = {name: array.shape for name, array in simulation.values.items()}
    for mapping in (bounds, scale):
        check_names("parameter", mapping or {}, shapes)
    low, high = _limits(shapes, bounds or {})
    scales = _scales(shapes, scale or {}, high - low)
    x0 = _start(simulation, values or {}, _named(shapes, low), _named(shapes, high)) / scales
    best: tuple[float, Array, Trajectory | None] = (np.inf, x0, None)
    worst, done = -np.inf, 0  # worst objective of trials that did not diverge; iterations
    rows: list[tuple[float, float, int, float]] = []
    began, counts = time.monotonic(), (simulation.simulations, simulation.gradients)

    def within(x: Array) -> dict[str, Array]:
        """Return unscaled parameters by name, clipped to the bounds, which SciPy may exceed by rounding."""
        return _named(shapes, np.clip(x * scales, low, high))

    def evaluate(x: Array) -> tuple[float, Array]:
        """Return the objective and its gradient with respect to scaled parameters."""
        nonlocal best, worst
        try:
            value, gradient, trajectory = simulation.evaluate(objective, within(x))
        except SimulationError:
            if not rows:
                raise
            value, derivatives = worst + WORSE * abs(worst), np.zeros_like(x)
        else:
            derivatives = _flat(shapes, gradient) * scales
            worst = max(worst, value)
            if value < best[0] or best[2] is None:
                best = (value, x.copy(), trajectory)
        rows.append((value, float(np.abs(derivatives).max()), done, time.monotonic() - began))
        return value, derivatives

    def advance(*_: object) -> None:
        nonlocal done
        done += 1
        bar.set_postfix(objective=f"{best[0]:.4g}", refresh=False)
        bar.update()

    converged, message, interrupted = False, "interrupted", False
    with tqdm(total=iterations, disable=not shows_bar(progress), unit="iteration", desc="optimisation") as bar:
        try:
            outcome = optimize.minimize(
                evaluate,
                x0,
                jac=True,
                method=method,
                bounds=optimize.Bounds(low / scales, high / scales),
                options={"maxiter": iterations} | ({} if tolerance is None else {"gtol": tolerance}),
                callback=advance,
            )
            converged, message = bool(outcome.success), str(outcome.message)
        except KeyboardInterrupt:
            if best[2] is None:
                raise
            interrupted = True
            text = f"interrupted after {done} iterations; the best objective so far is {best[0]:.6g}"
            warn(InterruptedWarning(text))
    value, x, trajectory = best
    assert trajectory is not None
    history = pd.DataFrame(rows, columns=["objective", "gradient", "iteration", "seconds"]).rename_axis("simulation")
    took = done, simulation.simulations - counts[0], simulation.gradients - counts[1], time.monotonic() - began
    return Optimum(within(x), value, trajectory, history, *took, converged, message, interrupted)


def _limits(shapes: Shapes, bounds: Mapping[str, Limits]) -> tuple[Array, Array]:
    """Return low and high limits of all parameters as vectors; OptionError if invalid."""
    sides: tuple[dict[str, Array], dict[str, Array]] = ({}, {})
    for name, shape in shapes.items():
        pair = bounds.get(name, (None, None))
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise OptionError(f"bounds['{name}']", pair, "a pair (low, high)")
        for side, limit, none in zip(sides, pair, (-np.inf, np.inf), strict=True):
            try:
                side[name] = np.broadcast_to(np.asarray(none if limit is None else limit, dtype=float), shape)
            except (TypeError, ValueError):
                raise OptionError(f"bounds['{name}']", limit, f"a number or an array of shape {shape}") from None
    low, high = (_flat(shapes, side) for side in sides)
    if not (low <= high).all():
        labels = [f"{name}{list(i)}" for name, shape in shapes.items() for i in np.ndindex(shape)]
        wrong = labels[int(np.argmin(low <= high))]
        raise OptionError("bounds", wrong, "a low limit that is not above the high one")
    return low, high


def _scales(shapes: Shapes, scale: Mapping[str, Any], width: Array) -> Array:
    """Return the typical changes of all parameters as a vector; OptionError if invalid."""
    scales = _named(shapes, np.where(np.isfinite(width) & (width > 0), width / 2, 1.0))
    for name, value in scale.items():
        try:
            scales[name] = np.broadcast_to(np.asarray(value, dtype=float), shapes[name])
        except (TypeError, ValueError):
            raise OptionError(f"scale['{name}']", value, f"numbers of shape {shapes[name]}") from None
        if not (np.isfinite(scales[name]).all() and (scales[name] > 0).all()):
            raise OptionError(f"scale['{name}']", value, "positive numbers")
    return _flat(shapes, scales)


def _start(
    simulation: DifferentiableSimulation, values: Values, low: Mapping[str, Array], high: Mapping[str, Array]
) -> Array:
    """Return the initial parameters as a vector; raise OptionError if one is outside its limits."""
    start = {name: np.clip(v, low[name], high[name]) for name, v in simulation.values.items()}
    check_names("parameter", values, start)
    for name, value in values.items():
        start[name] = check_values(name, simulation.parameters[name], value)
        if not ((start[name] >= low[name]) & (start[name] <= high[name])).all():
            raise OptionError(f"values['{name}']", value, "values within the bounds")
    return np.concatenate([array.reshape(-1) for array in start.values()])


def _flat(shapes: Shapes, values: Mapping[str, Array]) -> Array:
    return np.concatenate([np.asarray(values[name], dtype=float).reshape(-1) for name in shapes])


def _named(shapes: Shapes, x: Array) -> dict[str, Array]:
    pieces = np.split(x, np.cumsum([int(np.prod(shape)) for shape in shapes.values()])[:-1])
    return {name: piece.reshape(shape) for (name, shape), piece in zip(shapes.items(), pieces, strict=True)}
