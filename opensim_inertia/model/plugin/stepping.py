"""Simbody's integrators, many of whose steps the plugin's library makes in one call; OpenSim's Python has none."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import PluginError, SimulationError, opensim_reason
from ..._core.opensim import osim
from ...opensim_model.reading.loading import without_mark
from .library import LIBRARY

#: What a function of the library takes and returns.
_DOUBLE, _INT, _POINTER = ctypes.c_double, ctypes.c_int, ctypes.c_void_p
_FUNCTIONS: dict[str, tuple[list[Any], Any]] = {
    "": ([_POINTER, _POINTER, _DOUBLE, ctypes.c_char_p, *4 * [_DOUBLE]], _POINTER),
    "_advance": ([_POINTER, _POINTER, _INT, _INT, _POINTER, _POINTER], _INT),
    "_error": ([_POINTER], ctypes.c_char_p),
    "_state": ([_POINTER, _POINTER], None),
    "_time": ([_POINTER], _DOUBLE),
    "_evaluations": ([_POINTER], _INT),
    "_delete": ([_POINTER], None),
}


class Run:
    """One integrator ("runge_kutta_merson" or "cpodes") on its way through a model's states, until exactly ``end`` [s].

    Given: a state to start from; the ``accuracy`` of steps as Simbody understands it; the ``tolerance`` of constraints
    [m, rad, m/s, rad/s]; the ``longest`` step [s]. SimulationError: the integrator cannot start. PluginError: an old
    library.
    """

    def __init__(
        self,
        model: osim.Model,
        state: osim.State,
        end: float,
        method: str,
        accuracy: float,
        tolerance: float,
        longest: float,
    ) -> None:
        self._model, self._size = model, state.getNY()
        self._functions = _functions()
        start = without_mark(state)  # copied by the library
        pointers = int(model.updMultibodySystem()), int(start.this)
        self._run = self._functions[""](*pointers, end, method.encode(), accuracy, tolerance, longest, 0.0)
        if self.error:
            raise SimulationError(self.error, state.getTime())

    def __del__(self) -> None:
        if hasattr(self, "_run"):
            self._functions["_delete"](self._run)

    def advance(self, reports: Array | None, most: int) -> tuple[Array, Array]:
        """Make at most ``most`` steps until the end or an ``error``; return times (T,) and states (T, ny).

        They are those after each step, or, with ``reports`` (R,) [s], ascending, the first of these.
        """
        times, states = np.empty(most), np.empty((most, self._size))
        wanted = None if reports is None else np.ascontiguousarray(reports)
        count, place = (-1, None) if wanted is None else (len(wanted), wanted.ctypes.data)
        rows = self._functions["_advance"](self._run, place, count, most, times.ctypes.data, states.ctypes.data)
        return times[:rows], states[:rows]

    @property
    def error(self) -> str:
        """The error message; empty without an error."""
        message = self._functions["_error"](self._run).decode(errors="backslashreplace")
        return opensim_reason(RuntimeError(message)) if message else ""

    @property
    def state(self) -> Array:
        """The state (ny,) to which it has come."""
        y = np.empty(self._size)
        self._functions["_state"](self._run, y.ctypes.data)
        return y

    @property
    def time(self) -> float:
        """The time to which it has come [s]."""
        return float(self._functions["_time"](self._run))

    @property
    def evaluations(self) -> int:
        """How often it has evaluated the equations of motion."""
        return int(self._functions["_evaluations"](self._run))


@cache
def _functions() -> dict[str, Any]:
    try:
        library = ctypes.CDLL(str(LIBRARY))
        functions: dict[str, Any] = {name: library[f"opensim_inertia_run{name}"] for name in _FUNCTIONS}
    except (OSError, AttributeError) as error:
        raise PluginError(f"the OpenSim plugin {LIBRARY} has no integrators, build it anew: {error}") from None
    for name, (arguments, result) in _FUNCTIONS.items():
        functions[name].argtypes, functions[name].restype = arguments, result
    return functions
