"""Protocol of controllers with states and delays, and networks of neurons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any, Protocol

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_choice
from ..._core.errors import ModelError, OptionError
from ..._core.options import above, at_least, finite


def check_loop(reads: Mapping[str, Iterable[str]], kind: str, why: str) -> None:
    """Raise :class:`ModelError` if the graph ``reads``, a mapping from nodes to their sources, has a loop."""
    try:
        TopologicalSorter(reads).prepare()
    except CycleError as error:
        raise ModelError(f"{kind}: {' <- '.join(reversed(error.args[1]))}; {why}") from None


def check_loops(reads: Mapping[str, Iterable[str]], follows: Callable[[str], str]) -> None:
    """Raise :class:`ModelError` if an excitation depends on itself without delay, through signals in ``reads``."""
    graph: dict[str, list[str]] = {}
    for actuator, names in reads.items():
        for name in names:
            muscle = follows(name)
            graph.setdefault(f"excitation of {actuator}", []).append(name)
            if muscle:
                graph[name] = [f"excitation of {muscle}"]
    why = "give one of its links a delay, or the muscle activation dynamics"
    check_loop(graph, "an instantaneous loop", why)


class Signals(Protocol):
    """Signals at one time, by name: ``signals["elbow_flex/value"]``; :class:`SignalTable` lists the names."""

    def __getitem__(self, name: str) -> float:
        """Return a signal's value; UnknownNameError if there is no such signal."""


#: Function of a delay [s] of the control, or zero, that returns past signals: ``past(0.1)``.
Past = Callable[[float], Signals]


class Control(Protocol):
    """Protocol of controllers with states and delays, for ``simulate`` and ``linearize``.

    Results of the methods depend on their arguments only: methods may be called several times for one instant, and for
    instants out of order.
    """

    @property
    def state_names(self) -> Sequence[str]:
        """Names of the control's states."""

    @property
    def delays(self) -> Sequence[float]:
        """All delays [s] that the control passes to ``past``, each above zero."""

    def initial(self) -> Sequence[float] | Array:
        """Return the control's initial states."""

    def rates(self, t: float, signals: Signals, past: Past) -> Sequence[float] | Array:
        """Return the rates of the control's states at a time [s]."""

    def excitations(self, t: float, signals: Signals, past: Past) -> Mapping[str, float]:
        """Return excitations at a time [s], by actuator; actuators not named keep their given excitations."""


def check_control(control: Any) -> None:
    """Raise :class:`OptionError` if a control's names, delays or initial states are invalid."""
    for member in ("state_names", "delays", "initial", "rates", "excitations"):
        if not hasattr(control, member):
            raise OptionError("control", control, f"an object with '{member}', as NeuralControl has")
    for delay in control.delays:
        if not isinstance(delay, int | float | np.number) or not 0 < delay < np.inf:
            raise OptionError("delays", delay, "positive numbers of seconds")
    names = list(control.state_names)
    if any(not isinstance(name, str) or not name for name in names) or len(set(names)) < len(names):
        raise OptionError("state_names", names, "texts, none of them twice")
    state_vector("initial()", control.initial(), len(names))


def state_vector(method: str, values: Any, n: int) -> Array:
    """Return ``values`` from a control's ``method``, one per state, as an array (n,); OptionError if invalid."""
    try:
        vector = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        vector = np.empty(0) if n else np.empty(1)
    if vector.shape != (n,) or not np.isfinite(vector).all():
        raise OptionError(f"control.{method}", values, f"{n} finite numbers, one for each of its states")
    return vector


#: Shapes of neurons: output as a function of the sum of inputs.
SHAPES = ("linear", "sigmoid", "tanh", "step")


@dataclass(frozen=True)
class Synapse:
    """One input of a neuron: ``gain * (signal(t - delay) - offset)`` (Bunderson et al. 2012, eq. 8).

    Attributes:
        source: the name of a signal (:class:`~opensim_inertia.dynamics.control.system.SignalTable` lists them) or of
            another neuron; or a function of time [s], such as a spline, with the times of any jumps in its attribute
            ``breaks``.
        gain: factor of the signal.
        offset: number subtracted from the signal.
        delay: [s], zero or more.

    Raises:
        OptionError: a number is not finite, or the delay is negative.
    """

    source: str | Callable[[float], float]
    gain: float = 1.0
    offset: float = 0.0
    delay: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.source, str) and not callable(self.source):
            raise OptionError("source", self.source, "the name of a signal or neuron, or a function of time")
        finite()("gain", self.gain)
        finite()("offset", self.offset)
        at_least(0.0)("delay", self.delay)


@dataclass(frozen=True)
class Neuron:
    """A neuron: sums inputs, transforms the sum by a shape such as "sigmoid", and excites an actuator or feeds neurons.

    Attributes:
        name: name of the neuron, and of the actuator that it excites.
        synapses: the inputs.
        shape: "linear"; "sigmoid", 1 / (1 + exp(-x)); "tanh"; "step", the upper bound for x > 0, else the lower bound.
        bounds: least and largest output, at which every shape saturates; default for "step": (0, 1).
        excites: whether the neuron excites an actuator; other neurons only feed neurons.
        time_constant: lag [s] of the output, which is then a state of the control; None: no lag.
        initial: initial output, if there is a time constant.

    Raises:
        OptionError: a shape is unknown, bounds are not ascending, a number is not finite, or a time constant is not
            positive.
    """

    name: str
    synapses: Sequence[Synapse]
    shape: str = "linear"
    bounds: tuple[float, float] | None = None
    excites: bool = True
    time_constant: float | None = None
    initial: float = 0.0

    def __post_init__(self) -> None:
        check_choice("shape", self.shape, SHAPES)
        for synapse in self.synapses:
            if not isinstance(synapse, Synapse):
                raise OptionError("synapses", synapse, "objects of the class Synapse")
        if self.bounds is not None:
            low, high = (finite()("bounds", bound) for bound in self.bounds)
            if not low < high:
                raise OptionError("bounds", self.bounds, "a smaller and a larger number")
        if self.time_constant is not None:
            above(0.0)("time_constant", self.time_constant)
        finite()("initial", self.initial)

    def shaped(self, x: float) -> float:
        """Return the neuron's output, without lag, for the sum x of inputs."""
        if self.shape == "step":
            low, high = self.bounds or (0.0, 1.0)
            return high if x > 0 else low
        y = x if self.shape == "linear" else math.tanh(x) if self.shape == "tanh" else 0.5 * (1 + math.tanh(0.5 * x))
        return y if self.bounds is None else min(max(y, self.bounds[0]), self.bounds[1])


class NeuralControl:
    """A network of neurons that excites actuators by feedback or feedforward (Bunderson et al. 2012, 2.1.2).

    Args:
        neurons: the neurons.

    Raises:
        OptionError: neurons share a name, or there are none. ModelError: neurons without time constants form a loop;
            without any delay the loop is instantaneous.
    """

    def __init__(self, neurons: Sequence[Neuron]) -> None:
        self.neurons = tuple(neurons)
        for neuron in self.neurons:
            if not isinstance(neuron, Neuron):
                raise OptionError("neurons", neuron, "objects of the class Neuron")
        self._by_name = {neuron.name: neuron for neuron in self.neurons}
        if len(self._by_name) < len(self.neurons) or not self.neurons:
            raise OptionError("neurons", [n.name for n in self.neurons], "one neuron or more, each with its own name")
        self._check_loops()
        self.state_names = tuple(n.name for n in self.neurons if n.time_constant is not None)
        self._inputs = {n.name: self._flat(n, 0.0) for n in self.neurons}
        reached = {delay for inputs in self._inputs.values() for delay, source in inputs if isinstance(source, str)}
        self.delays = tuple(sorted(reached - {0.0}))

    @property
    def breaks(self) -> set[float]:
        """Times [s] of jumps in the inputs."""
        return {
            b + delay
            for inputs in self._inputs.values()
            for delay, source in inputs
            for b in getattr(source, "breaks", ())
        }

    def initial(self) -> list[float]:
        """Return the initial outputs of neurons with time constants."""
        return [n.initial for n in self.neurons if n.time_constant is not None]

    def rates(self, t: float, signals: Signals, past: Past) -> list[float]:
        """Return the rates [1/s] of the outputs of neurons with time constants."""
        lags = [n for n in self.neurons if n.time_constant is not None]
        return [(n.shaped(self._sum(n, 0.0, t, past)) - signals[n.name]) / n.time_constant for n in lags]  # type: ignore[operator]

    def excitations(self, t: float, signals: Signals, past: Past) -> dict[str, float]:
        """Return the excitations by actuator."""
        return {n.name: self._output(n, 0.0, t, past) for n in self.neurons if n.excites}

    def instantaneous(self) -> dict[str, list[str]]:
        """Return, by actuator, the names of signals that change the actuator's excitation without delay."""
        return {
            n.name: [source for delay, source in self._inputs[n.name] if delay == 0 and isinstance(source, str)]
            for n in self.neurons
            if n.excites and n.time_constant is None
        }

    def _output(self, neuron: Neuron, ago: float, t: float, past: Past) -> float:
        """Return a neuron's output at a time ``ago`` [s] before t."""
        if neuron.time_constant is not None:
            return past(ago)[neuron.name]
        return neuron.shaped(self._sum(neuron, ago, t, past))

    def _sum(self, neuron: Neuron, ago: float, t: float, past: Past) -> float:
        return sum(s.gain * (self._value(s, ago + s.delay, t, past) - s.offset) for s in neuron.synapses)

    def _value(self, synapse: Synapse, ago: float, t: float, past: Past) -> float:
        source = synapse.source
        if not isinstance(source, str):
            value = float(source(t - ago))
            if not math.isfinite(value):
                raise OptionError(f"source at {t - ago:.6g} s", value, "a finite number")
            return value
        if source in self._by_name:
            return self._output(self._by_name[source], ago, t, past)
        return past(ago)[source]

    def _flat(self, neuron: Neuron, ago: float) -> list[tuple[float, str | Callable[[float], float]]]:
        """Return a neuron's inputs, traced through neurons without lag: pairs (delay plus ``ago`` [s], source)."""
        inputs: list[tuple[float, str | Callable[[float], float]]] = []
        for s in neuron.synapses:
            source_neuron = self._by_name.get(s.source) if isinstance(s.source, str) else None
            if source_neuron is None or source_neuron.time_constant is not None:
                inputs.append((ago + s.delay, s.source))
            else:
                inputs += self._flat(source_neuron, ago + s.delay)
        return inputs

    def _check_loops(self) -> None:
        static: Mapping[str, Neuron] = {n.name: n for n in self.neurons if n.time_constant is None}
        for most, kind, why in (
            (0.0, "an instantaneous loop", "give one of them a time constant"),
            (math.inf, "a loop of neurons without states", "its past is not kept: give one of them a time constant"),
        ):
            graph = {
                name: [s.source for s in n.synapses if s.source in static and s.delay <= most]
                for name, n in static.items()
            }
            check_loop(graph, kind, why)  # type: ignore[arg-type]
