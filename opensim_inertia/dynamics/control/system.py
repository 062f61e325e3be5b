"""Equations of motion with a control, and derivatives of the control's outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import OPENSIM_ERRORS, ModelError, OptionError, UnknownNameError, opensim_reason
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.paths import PATH_LISTS
from ..equations.problem import Drives, History, breaks_of
from ..equations.system import FORWARD_STEP, STATE_STEP, StateLayout, System, WrappedSystem, central, forward
from .neurons import Control, Signals, check_control, check_loops, state_vector

#: Time step [s] for the rate of the muscles' first moment of mass.
MOMENTUM_STEP = 1e-5

#: Stages to which a state must be realized for a signal.
NOTHING, POSITION, VELOCITY, DYNAMICS = range(4)

_OF_MUSCLES: dict[str, tuple[int, str]] = {
    "tension": (DYNAMICS, "getActuation"),
    "activation": (DYNAMICS, "getActivation"),
    "fiber_length": (POSITION, "getFiberLength"),
    "fiber_velocity": (DYNAMICS, "getFiberVelocity"),
    "path_length": (POSITION, "getLength"),
    "path_velocity": (VELOCITY, "getLengtheningSpeed"),
}
_OF_ALL = {"com": POSITION, "com_velocity": VELOCITY, "momentum": VELOCITY}
_AXES = "xyz"


class Reader(NamedTuple):
    """Reader of a signal: required Simbody stage, function of the state, index in y (-1: not in y)."""

    stage: int
    read: Callable[[osim.State], float]
    place: int = -1


class SignalTable:
    """Signals of one model, by name.

    Names: of a coordinate ``knee/value`` and ``knee/speed`` [rad, m, per second]; of a muscle ``soleus/tension`` [N],
    ``/activation``, ``/fiber_length``, ``/fiber_velocity``, ``/path_length`` and ``/path_velocity`` [m, m/s]; of the
    whole body in ground, with muscle mass, ``com/x``, ``com_velocity/x`` and ``momentum/x`` (y, z) [m, m/s, kg m/s];
    OpenSim's path of any state variable; names of the control's states.
    """

    def __init__(self, system: System, layout: StateLayout, control_states: Sequence[str]) -> None:
        self.system, self.model = system, system.model
        self._layout = layout
        self.control_states = tuple(control_states)
        self._muscles = model_muscles(self.model)
        self._scratch: osim.State | None = None
        self._readers: dict[str, Reader] = {}

    def reader(self, name: str) -> Reader:
        """Return the reader of a signal."""
        if name not in self._readers:
            self._readers[name] = self._make_reader(name)
        return self._readers[name]

    def names(self) -> list[str]:
        """Return the names of all signals."""
        coordinates = [
            f"{name}/{quantity}" for name in self._layout.coordinate_names for quantity in ("value", "speed")
        ]
        muscles = [f"{name}/{quantity}" for name in self._muscles for quantity in _OF_MUSCLES]
        body_signals = [f"{quantity}/{axis}" for quantity in _OF_ALL for axis in _AXES]
        return [*self.control_states, *coordinates, *muscles, *body_signals, *self._layout.names]

    def realize(self, state: osim.State, stage: int) -> None:
        """Realize a state to ``stage``; ModelError if OpenSim cannot."""
        try:
            if stage == DYNAMICS:
                with PATH_LISTS:
                    self.model.realizeDynamics(state)
            elif stage:
                (self.model.realizePosition if stage == POSITION else self.model.realizeVelocity)(state)
        except OPENSIM_ERRORS as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None

    def follows_excitation(self, name: str) -> str:
        """Return the name of a muscle if its excitation changes the signal at once; otherwise ""."""
        muscle, _, quantity = name.rpartition("/")
        if muscle not in self._muscles or quantity not in ("tension", "activation", "fiber_velocity"):
            return ""
        path = self._muscles[muscle].getAbsolutePathString()
        if f"{path}/activation" in self._layout.names:
            return ""
        return muscle if quantity != "fiber_velocity" or f"{path}/fiber_length" in self._layout.names else ""

    def _make_reader(self, name: str) -> Reader:
        """Return a new reader of a signal; UnknownNameError if there is none."""
        if name in self.control_states:
            return self._entry(self._layout.size - len(self.control_states) + self.control_states.index(name))
        if name in self._layout.names:
            return self._entry(self._layout.state_variable(name))
        owner, _, quantity = name.rpartition("/")
        if owner in self._layout.coordinate_names and quantity in ("value", "speed"):
            return self._entry((self._layout.coordinate if quantity == "value" else self._layout.speed)(owner))
        if owner in self._muscles and quantity in _OF_MUSCLES:
            stage, method = _OF_MUSCLES[quantity]
            path = f"{self._muscles[owner].getAbsolutePathString()}/{quantity}"
            if path in self._layout.names:
                return self._entry(self._layout.state_variable(path))
            return Reader(stage, getattr(self._muscles[owner], method))
        if owner in _OF_ALL and len(quantity) == 1 and quantity in _AXES:
            axis = _AXES.index(quantity)
            return Reader(_OF_ALL[owner], lambda state: float(self._whole(owner, state)[axis]))
        raise UnknownNameError("signal", name, self.names())

    @staticmethod
    def _entry(place: int) -> Reader:
        return Reader(NOTHING, lambda state: float(state.getY().get(place)), place)

    def _whole(self, quantity: str, state: osim.State) -> Array:
        """Return "com", "com_velocity" or "momentum" (3,) of the whole body in ground, with muscle mass."""
        mass = self.model.getTotalMass(state)
        find = self.model.calcMassCenterPosition if quantity == "com" else self.model.calcMassCenterVelocity
        moment = mass * find(state).to_numpy()
        if self.system.inertial.muscle_names:
            added_mass, added_moment = self._added_moment(state)
            if quantity != "com":
                added_moment = self._added_momentum(state)
            mass, moment = mass + added_mass, moment + added_moment
        return np.asarray(moment if quantity == "momentum" else moment / mass)

    def _added_moment(self, state: osim.State) -> tuple[float, Array]:
        """Return changes of mass [kg] and first moment [kg m] (3,) if muscle mass moves from segments onto paths."""
        inertial = self.system.inertial
        self.model.realizeVelocity(state)
        kinematics = inertial.dynamics.read(state, realized=True)
        total = inertial.evaluation.pseudo_inertias(kinematics).sum(axis=0)
        mass, moment = total[3, 3], total[:3, 3]
        for name, frozen in inertial.frozen.by_segment.items():
            body = inertial.kinematics.bodies.index(name)
            mass = mass - frozen[3, 3]
            moment = moment - kinematics.rotation[body] @ frozen[:3, 3] - frozen[3, 3] * kinematics.position[body]
        return float(mass), moment

    def _added_momentum(self, state: osim.State) -> Array:
        """Return momentum [kg m/s] (3,): of muscles on paths, minus momentum of muscle mass lumped in segments."""
        if self._scratch is None:
            self._scratch = self.system.inertial.dynamics.copy_state(state)
        q, rate = state.getQ().to_numpy().copy(), state.getQDot().to_numpy().copy()
        ends = []
        for sign in (1.0, -1.0):
            self._scratch.setQ(osim.Vector.createFromMat(q + sign * MOMENTUM_STEP * rate))
            ends.append(self._added_moment(self._scratch)[1])
        return np.asarray((ends[0] - ends[1]) / (2 * MOMENTUM_STEP))


class StateSignals:
    """Signals of a controlled system at the present state, or at a given state y and time t [s]."""

    def __init__(self, table: SignalTable, state: osim.State, y: Array | None = None, t: float | None = None) -> None:
        self._table, self._state, self.t = table, state, t
        # with the control's states; None until a state is set
        self.y = y
        self.names_read: set[str] = set()
        self._values: dict[str, float] = {}

    def __getitem__(self, name: str) -> float:
        reader, state = self._table.reader(name), self._state
        if self.y is not None and (reader.place >= state.getNY() or (self.t is not None and reader.place >= 0)):
            if name not in self._table.control_states:
                self.names_read.add(name)
            return float(self.y[reader.place])
        if self.t is None:
            self.names_read.add(name)
        elif name in self._values:
            return self._values[name]
        else:
            assert self.y is not None
            if self._table.follows_excitation(name):
                raise ModelError(
                    f"the past of signal '{name}' is not known: the muscle has no activation dynamics, and past "
                    "excitations are not kept"
                )
            state.setTime(self.t)
            state.setY(osim.Vector.createFromMat(self.y[: state.getNY()].copy()))
        self._table.realize(state, reader.stage)
        self._values[name] = float(reader.read(state))
        return self._values[name]


#: Smallest relative difference of two delays.
SAME_DELAY = 1e-9


class ControlledSystem(WrappedSystem):
    """Equations of motion with a control; the last entries of y are the control's states."""

    def __init__(self, plant: System, control: Control, history: History | None = None) -> None:
        """Extend the equations ``plant`` by a control, and check the control at the initial state."""
        check_control(control)
        self.__dict__.update(plant.__dict__)
        self.plant, self.control = copy(plant), control
        self.delays = tuple(sorted({float(delay) for delay in control.delays}))
        names = tuple(control.state_names)
        self._n, self._ny = len(names), plant.layout.size
        self.layout = plant.layout.extended(state_paths(control))
        self.table = SignalTable(self.plant, self.layout, names)
        self.signals = StateSignals(self.table, plant.state)
        self._past_state = plant.inertial.dynamics.copy_state(plant.problem.state)
        self._t = plant.state.getTime()
        self._past: dict[float, StateSignals] = {}
        drives = plant.problem.excitations, plant.problem.forces, self._excitations
        self.drives = self.plant.drives = Drives(self.model, plant.inertial.coordinate_names, *drives)
        t, y = plant.state.getTime(), plant.state.getY().to_numpy()
        self.history: History = initial_history(plant, control, t, y) if history is None else history
        self._check(t, self.history.at(t))

    @property
    def breaks(self) -> set[float]:
        """Times [s] of jumps in the given excitations, the given forces or the control."""
        return self.plant.drives.breaks | set(breaks_of(self.control))

    def initial(self) -> Array:
        """Return the control's initial states (n,)."""
        return state_vector("initial()", self.control.initial(), self._n)

    def past(self, delay: float) -> Signals:
        """Return the signals at a time ``delay`` [s] ago."""
        if delay == 0:
            return self.signals
        if not any(abs(delay - known) <= SAME_DELAY * known for known in self.delays):
            raise OptionError("past(delay)", delay, f"one of the control's delays, {list(self.delays)}")
        t = self._t - delay
        signals = self._past.get(delay)
        if signals is None or signals.t != t:
            signals = self.stored(t, self.history.at(t))
            if t <= self.history.end:
                self._past[delay] = signals
        return signals

    def stored(self, t: float, y: Array) -> StateSignals:
        """Return the signals of a state y at t [s]."""
        return StateSignals(self.table, self._past_state, y, t)

    def set_state(self, t: float, y: Array) -> osim.State:
        """Return OpenSim's state, the same object at each call, set to t [s] and y."""
        self._take(t, y)
        return self.plant.set_state(t, y[: self._ny])

    def rhs(self, t: float, y: Array) -> Array:
        """Return dy/dt; NaN if OpenSim cannot evaluate the state."""
        self._take(t, y)
        rates = self.plant.rhs(t, y[: self._ny])
        if not self._n:
            return rates
        if not np.isfinite(rates).all():
            return np.full(len(y), np.nan)
        control_rates = self.control.rates(self._t, self.signals, self.past)
        return np.concatenate([rates, state_vector("rates()", control_rates, self._n)])

    def jacobian(self, t: float, y: Array) -> Array:
        """Return the Jacobian df/dy (ny, ny) of ``rhs`` by forward differences, at constant past signals."""
        f = self.rhs(t, y)
        if not np.isfinite(f).all():
            return np.full((len(y), len(y)), np.nan)
        result = np.zeros((len(y), len(y)))
        first = 0
        if not self.signals.names_read:
            first = self._ny
            result[:first, :first] = self.plant.jacobian(t, y[:first])
        step = FORWARD_STEP * np.maximum(1.0, np.abs(y))
        for i in range(first, len(y)):
            result[:, i] = forward(lambda x: self.rhs(t, x), f, y, i, step[i])
        return result

    def project(self, t: float, y: Array) -> Array:
        """Return y with coordinates and speeds projected onto the constraints."""
        part = y[: self._ny]
        projected = self.plant.project(t, part)
        return y if projected is part else np.concatenate([projected, y[self._ny :]])

    def _take(self, t: float, y: Array) -> None:
        self._t = min(max(t, self.span[0]), self.span[1])
        self.signals.y = y

    def _excitations(self, state: osim.State) -> Mapping[str, float]:
        excitations = self.control.excitations(self._t, self.signals, self.past)
        if not isinstance(excitations, Mapping):
            raise OptionError("control.excitations()", excitations, "a dict of numbers by actuator")
        return excitations

    def _check(self, t: float, y: Array) -> None:
        """Evaluate the control once, and check that no excitation depends on itself without delay."""
        self.set_state(t, y)
        self.model.realizeVelocity(self.state)
        excited = self._excitations(self.state)
        check_names("actuator", excited, self.drives.control_names, "the control's excitations")
        paths = getattr(self.control, "instantaneous", None)
        reads = paths() if paths is not None else {name: sorted(self.signals.names_read) for name in excited}
        check_loops(reads, self.table.follows_excitation)
        if self._n:
            state_vector("rates()", self.control.rates(t, self.signals, self.past), self._n)


def state_paths(control: Control) -> list[str]:
    """Return the paths of a control's states in tables and files."""
    return [f"/control/{name}" for name in control.state_names]


def initial_history(plant: System, control: Control, t: float, y: Array, before: History | None = None) -> History:
    """Return a history from t [s]: y, then the control's states, taken from ``before`` if given, else initial ones."""
    check_control(control)
    n = len(control.state_names)
    if before is None:
        return History(t, np.concatenate([y, state_vector("initial()", control.initial(), n)]))
    if not before.start <= t <= before.end or len(before.at(t)) != len(y) + n:
        raise OptionError("past", before, f"a trajectory of the same model and control that includes {t:.6g} s")
    return History(t, np.concatenate([y, before.at(t)[len(y) :]]), before)


#: Step of signals for derivatives, relative to 1 + size.
SIGNAL_STEP = 1e-6

#: Slopes of an output by past signals: delay [s] and name.
Slopes = dict[tuple[float, str], float]


def feedback(system: ControlledSystem, t: float, y: Array) -> tuple[Array, Array]:
    """Return d/dy(t - delay) of nc excitations (delays, nc, ny) and of n control-state rates (delays, n, ny)."""
    excited, rates = _differenced(system, t, system.stored(t, y))
    delays = (0.0, *system.delays)
    names, states = system.drives.control_names, list(system.control.state_names)
    over, over_rates = (np.zeros((len(delays), len(each), len(y))) for each in (names, states))
    gradients: dict[str, Array] = {}
    for slopes_by_output, rows, into in ((excited, names, over), (rates, states, over_rates)):
        for row, slopes in slopes_by_output.items():
            for (delay, signal), slope in slopes.items():
                if signal not in gradients:
                    gradients[signal] = _gradient(system, t, y, signal)
                into[int(np.argmin(np.abs(np.array(delays) - delay))), rows.index(row)] += slope * gradients[signal]
    return over, over_rates


def _gradient(system: ControlledSystem, t: float, y: Array, name: str) -> Array:
    """Return the derivative (ny,) of the signal ``name`` with respect to y."""
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
    """Signals at one delay that record each value when first read, and then return the recorded value."""

    def __init__(self, delay: float, values: object, recorded: dict[tuple[float, str], float]) -> None:
        self._delay, self._values, self._recorded = delay, values, recorded

    def __getitem__(self, name: str) -> float:
        key = (self._delay, name)
        if key not in self._recorded:
            self._recorded[key] = self._values[name]  # type: ignore[index]
        return self._recorded[key]


def _differenced(system: ControlledSystem, t: float, values: object) -> tuple[dict[str, Slopes], dict[str, Slopes]]:
    """Return central-difference derivatives of excitations and control-state rates with respect to the signals read."""
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
