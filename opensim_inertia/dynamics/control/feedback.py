"""Derivatives of a control at a state: how excitations and its own states' rates follow the state, now and earlier."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..equations.differences import STATE_STEP, central
from .system import ControlledSystem

#: Step of signals by which a control is differenced, relative to 1 + size.
SIGNAL_STEP = 1e-6

#: The slopes of an output of the control over signals of the past, by their delays [s] and names.
Slopes = dict[tuple[float, str], float]


class Feedback(NamedTuple):
    """Derivatives of a control, the state having been the same for ever.

    Attributes:
        delays: zero, then the control's delays [s].
        excitations: of all controls of the model over y as it was so long ago, (delays, nc, ny).
        rates: of the control's states, (delays, n, ny).
    """

    delays: tuple[float, ...]
    excitations: Array
    rates: Array


def feedback(system: ControlledSystem, t: float, y: Array) -> Feedback:
    """Return the derivatives of a system's control at t [s] and y (ny,), with the control's own states.

    The control is differenced over signals, and these over the state where they are no states themselves.
    """
    excited, rates = _differenced(system, t, system.stored(t, y))
    delays = (0.0, *system.delays)
    names, states = system.drives.control_names, list(system.control.state_names)
    result = Feedback(delays, np.zeros((len(delays), len(names), len(y))), np.zeros((len(delays), len(states), len(y))))
    gradients: dict[str, Array] = {}
    for slopes_by_output, rows, into in ((excited, names, result.excitations), (rates, states, result.rates)):
        for row, slopes in slopes_by_output.items():
            for (delay, signal), slope in slopes.items():
                if signal not in gradients:
                    gradients[signal] = _gradient(system, t, y, signal)
                into[int(np.argmin(np.abs(np.array(delays) - delay))), rows.index(row)] += slope * gradients[signal]
    return result


def _gradient(system: ControlledSystem, t: float, y: Array, name: str) -> Array:
    """Return the derivative of a signal over y (ny,)."""
    place = system.table.reader(name).place
    if place >= 0:
        return np.eye(len(y))[place]
    entries = system.layout.order.tolist()
    result = np.zeros(len(y))
    for i in entries[: len(entries) - len(system.control.state_names)]:
        step = STATE_STEP * (1 + abs(y[i]))
        result[i] = central(lambda x: np.array(system.stored(t, x)[name]), y, i, step)
    return result


class _RecordedSignals:
    """Signals that note what is read of them, and of which single ones can be moved."""

    def __init__(self, delay: float, values: object, recorded: dict[tuple[float, str], float]) -> None:
        self._delay, self._values, self._recorded = delay, values, recorded

    def __getitem__(self, name: str) -> float:
        key = (self._delay, name)
        if key not in self._recorded:
            self._recorded[key] = self._values[name]  # type: ignore[index]
        return self._recorded[key]


def _differenced(system: ControlledSystem, t: float, values: object) -> tuple[dict[str, Slopes], dict[str, Slopes]]:
    """Return the slopes of a control by central differences over every signal that it reads."""
    control = system.control

    def outputs(inputs: dict[tuple[float, str], float]) -> tuple[dict[str, float], dict[str, float]]:
        def past(delay: float) -> _RecordedSignals:
            return _RecordedSignals(delay, values, inputs)

        excited = dict(control.excitations(t, past(0.0), past))
        rates = dict(zip(control.state_names, control.rates(t, past(0.0), past), strict=True))
        return excited, rates

    signals_read: dict[tuple[float, str], float] = {}
    outputs(signals_read)
    slopes: tuple[dict[str, Slopes], dict[str, Slopes]] = ({}, {})
    for key, value in signals_read.items():
        step = SIGNAL_STEP * (1 + abs(value))
        ends = [outputs({**signals_read, key: value + sign * step}) for sign in (1.0, -1.0)]
        for into, up, down in zip(slopes, *ends, strict=True):
            for name in up:
                into.setdefault(name, {})[key] = (up[name] - down[name]) / (2 * step)
    return slopes
