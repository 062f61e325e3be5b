"""The protocol of controls of a simulation, and checks of their output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import OptionError


class Signals(Protocol):
    """Signals at one time, read by name: ``signals["elbow_flex/value"]``; :class:`SignalTable` lists the names."""

    def __getitem__(self, name: str) -> float:
        """Return a signal's value; raises :class:`UnknownNameError` for a name that there is not."""


class Past(Protocol):
    """Gives signals as they were: ``past(0.1)`` those of a tenth of a second ago."""

    def __call__(self, delay: float) -> Signals:
        """Return the signals of a time ``delay`` [s] ago, which is one of the control's delays, or zero."""


class Control(Protocol):
    """A controller with states of its own and delays, as ``simulate`` and ``linearize`` take it.

    The methods are functions of what they are given alone: they may be called several times for one instant, and for
    instants out of order.
    """

    @property
    def state_names(self) -> Sequence[str]:
        """Names of its states."""

    @property
    def delays(self) -> Sequence[float]:
        """All delays [s] that it asks ``past`` for, each above zero."""

    def initial(self) -> Sequence[float] | Array:
        """Return its states at the start."""

    def rates(self, t: float, signals: Signals, past: Past) -> Sequence[float] | Array:
        """Return the rates of change of its states at a time [s]."""

    def excitations(self, t: float, signals: Signals, past: Past) -> Mapping[str, float]:
        """Return excitations by actuator at a time [s]; actuators not named keep what else drives them."""


def check_control(control: Any) -> None:
    """Check names, delays and initial states of a control."""
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
    """Return a control's values of its n states as an array (n,); raise :class:`OptionError` for another shape."""
    try:
        vector = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        vector = np.empty(0) if n else np.empty(1)
    if vector.shape != (n,) or not np.isfinite(vector).all():
        raise OptionError(f"control.{method}", values, f"{n} finite numbers, one for each of its states")
    return vector
