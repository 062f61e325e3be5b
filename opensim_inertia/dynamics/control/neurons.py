"""Networks of neurons: sums of signals, with gains, offsets and delays, through a shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

from ..._core.checks import check_choice
from ..._core.errors import ModelError, OptionError
from ..equations.drives import breaks_of
from .loops import find_loop
from .protocol import Past, Signals

#: How a neuron's output follows the sum of its inputs.
SHAPES = ("linear", "sigmoid", "tanh", "step")


def _number(option: str, value: Any, least: float = -math.inf) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not least <= float(value) < math.inf:
        raise OptionError(option, value, "a finite number" + (" of at least zero" if least == 0 else ""))
    return float(value)


@dataclass(frozen=True)
class Synapse:
    """One input of a neuron: ``gain * (signal(t - delay) - offset)`` (Bunderson et al. 2012, eq. 8).

    Attributes:
        source: the name of a signal (:class:`~opensim_inertia.dynamics.control.signals.SignalTable` lists them) or of
            another neuron; or a function of time [s], as a spline, which may say where it jumps in an attribute
            ``breaks``.
        gain: what multiplies it.
        offset: what is subtracted from it.
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
        _number("gain", self.gain)
        _number("offset", self.offset)
        _number("delay", self.delay, 0)


@dataclass(frozen=True)
class Neuron:
    """A sum of inputs through a shape; its output excites the actuator of its name, or feeds other neurons.

    Attributes:
        name: of the neuron, and of the actuator that it excites.
        synapses: its inputs.
        shape: "linear"; "sigmoid", 1 / (1 + exp(-x)); "tanh"; "step", the upper bound where x > 0 and else the lower.
        bounds: the least and the largest output, at which every shape saturates; of "step" (0, 1) by default.
        excites: whether it excites an actuator; others only feed neurons.
        time_constant: where given [s], the output follows the shape with this lag, and is a state of the control.
        initial: the output at the start, where there is a time constant.

    Raises:
        OptionError: a shape that there is not, bounds that are not a smaller and a larger number, a number that is not
            finite, or a time constant that is not positive.
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
            low, high = (_number("bounds", bound) for bound in self.bounds)
            if not low < high:
                raise OptionError("bounds", self.bounds, "a smaller and a larger number")
        if self.time_constant is not None and _number("time_constant", self.time_constant, 0) == 0:
            raise OptionError("time_constant", self.time_constant, "a positive number")
        _number("initial", self.initial)

    def shaped(self, x: float) -> float:
        """Return the shape's value for a sum of inputs."""
        if self.shape == "step":
            low, high = self.bounds or (0.0, 1.0)
            return high if x > 0 else low
        y = x if self.shape == "linear" else math.tanh(x) if self.shape == "tanh" else 0.5 * (1 + math.tanh(0.5 * x))
        return y if self.bounds is None else min(max(y, self.bounds[0]), self.bounds[1])


class NeuralControl:
    """A network of neurons that excites actuators: feedback, feedforward, or both (Bunderson et al. 2012, 2.1.2).

    Args:
        neurons: the neurons.

    Raises:
        OptionError: two neurons have one name, or there is none. ModelError: neurons excite each other in a circle
            none of which has a time constant; without any delay in it that is an instantaneous loop.
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
        """The times [s] at which functions of time among the inputs jump."""
        return {b + delay for inputs in self._inputs.values() for delay, source in inputs for b in breaks_of(source)}

    def initial(self) -> list[float]:
        """Return the outputs of neurons with time constants at the start."""
        return [n.initial for n in self.neurons if n.time_constant is not None]

    def rates(self, t: float, signals: Signals, past: Past) -> list[float]:
        """Return the rates of these outputs [1/s]."""
        lags = [n for n in self.neurons if n.time_constant is not None]
        return [(n.shaped(self._sum(n, 0.0, t, past)) - signals[n.name]) / n.time_constant for n in lags]  # type: ignore[operator]

    def excitations(self, t: float, signals: Signals, past: Past) -> dict[str, float]:
        """Return the outputs of the neurons that excite actuators, by name."""
        return {n.name: self._output(n, 0.0, t, past) for n in self.neurons if n.excites}

    def instantaneous(self) -> dict[str, list[str]]:
        """Return, by actuator, the signals that its excitation follows without delay."""
        return {
            n.name: [source for delay, source in self._inputs[n.name] if delay == 0 and isinstance(source, str)]
            for n in self.neurons
            if n.excites and n.time_constant is None
        }

    def _output(self, neuron: Neuron, ago: float, t: float, past: Past) -> float:
        """Return a neuron's output a time ``ago`` [s] before t."""
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
        """Return the delays of all signals and functions of time that a neuron's sum of inputs follows, and these."""
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
            loop = find_loop(graph)  # type: ignore[arg-type]
            if loop:
                raise ModelError(f"{kind}: {' <- '.join(loop)}; {why}")
