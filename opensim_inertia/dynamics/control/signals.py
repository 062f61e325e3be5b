"""Signals that a control can read of a state, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import OPENSIM_ERRORS, ModelError, UnknownNameError, opensim_reason
from ..._core.opensim import osim
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.paths import PATH_LISTS
from ..equations.layout import StateLayout
from ..equations.system import System

#: Step of time [s] by which the momentum of the muscles' sliding is differenced along the motion.
MOMENTUM_STEP = 1e-5

#: What a state must be realized to before a signal can be read of it.
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
    """How one signal is read: the stage that the state must have, and its value from the state; or its place in y."""

    stage: int
    read: Callable[[osim.State], float]
    place: int = -1


class SignalTable:
    """The signals of one model.

    Names are a coordinate's ``knee/value`` and ``knee/speed`` [rad, m and per second]; a muscle's ``soleus/tension``
    [N], ``/activation``, ``/fiber_length``, ``/fiber_velocity``, ``/path_length`` and ``/path_velocity`` [m, m/s];
    ``com/x``, ``com_velocity/x`` and ``momentum/x`` (y, z) of the whole body in ground, with the muscles' mass [m, m/s,
    kg m/s]; OpenSim's path of any state variable; and the names of the control's own states.
    """

    def __init__(self, system: System, layout: StateLayout, control_states: Sequence[str]) -> None:
        self.system, self.model = system, system.model
        self._layout = layout
        self.control_states = tuple(control_states)
        self._muscles = model_muscles(self.model)
        self._scratch: osim.State | None = None
        self._readers: dict[str, Reader] = {}

    def reader(self, name: str) -> Reader:
        """Return how a signal is read."""
        reader = self._readers.get(name)
        if reader is None:
            reader = self._readers[name] = self._make_reader(name)
        return reader

    def names(self) -> list[str]:
        """Return the names of all signals."""
        coordinates = [
            f"{name}/{quantity}" for name in self._layout.coordinate_names for quantity in ("value", "speed")
        ]
        muscles = [f"{name}/{quantity}" for name in self._muscles for quantity in _OF_MUSCLES]
        body_signals = [f"{quantity}/{axis}" for quantity in _OF_ALL for axis in _AXES]
        return [*self.control_states, *coordinates, *muscles, *body_signals, *self._layout.names]

    def realize(self, state: osim.State, stage: int) -> None:
        """Realize a state as far as a signal needs it; raises :class:`ModelError` where OpenSim cannot."""
        try:
            if stage == DYNAMICS:
                with PATH_LISTS:
                    self.model.realizeDynamics(state)
            elif stage:
                (self.model.realizePosition if stage == POSITION else self.model.realizeVelocity)(state)
        except OPENSIM_ERRORS as error:
            raise ModelError(f"at time {state.getTime():.6g} s: {opensim_reason(error)}") from None

    def follows_excitation(self, name: str) -> str:
        """Return the muscle whose excitation a signal follows without any delay, or an empty text.

        They are those of muscles without activation dynamics: their tension, their activation, and with elastic
        tendons the velocity of their fibres.
        """
        muscle, _, quantity = name.rpartition("/")
        if muscle not in self._muscles or quantity not in ("tension", "activation", "fiber_velocity"):
            return ""
        path = self._muscles[muscle].getAbsolutePathString()
        if f"{path}/activation" in self._layout.names:
            return ""
        return muscle if quantity != "fiber_velocity" or f"{path}/fiber_length" in self._layout.names else ""

    def check_past(self, name: str) -> None:
        """Raise :class:`ModelError` for a signal whose past is not known from states."""
        if self.follows_excitation(name):
            raise ModelError(
                f"the past of signal '{name}' is not known: the muscle has no activation dynamics, so that it follows "
                "the excitation, which is not kept"
            )

    def _make_reader(self, name: str) -> Reader:
        """Return how a signal is read, looked up among control states, state variables, coordinates, muscles, body."""
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
        """Return position or velocity of the centre of mass, or momentum (3,), with the muscles' mass."""
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
        """Return mass [kg] and its first moment in ground [kg m]: of sliding muscles, less muscles frozen to donors."""
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
        """Return the momentum of this mass [kg m/s], the rate of its first moment."""
        if self._scratch is None:
            self._scratch = self.system.inertial.dynamics.copy_state(state)
        q, rate = state.getQ().to_numpy().copy(), state.getQDot().to_numpy().copy()
        ends = []
        for sign in (1.0, -1.0):
            self._scratch.setQ(osim.Vector.createFromMat(q + sign * MOMENTUM_STEP * rate))
            ends.append(self._added_moment(self._scratch)[1])
        return np.asarray((ends[0] - ends[1]) / (2 * MOMENTUM_STEP))


class CurrentSignals:
    """Signals of the state that a system is evaluating."""

    def __init__(self, table: SignalTable, state: osim.State) -> None:
        self._table, self._state = table, state
        # the control's own states, and the state without them; None until one has been set
        self.x: Array = np.zeros(len(table.control_states))
        self.y: Array | None = None
        self.names_read: set[str] = set()

    def __getitem__(self, name: str) -> float:
        table = self._table
        if name in table.control_states:
            return float(self.x[table.control_states.index(name)])
        self.names_read.add(name)
        reader = table.reader(name)
        if reader.place >= self._state.getNY():  # of mass that swings, which OpenSim's state does not have
            assert self.y is not None
            return float(self.y[reader.place])
        table.realize(self._state, reader.stage)
        return float(reader.read(self._state))


class StoredSignals:
    """Signals of a state that is given as an array."""

    def __init__(self, table: SignalTable, state: osim.State, t: float, y: Array) -> None:
        self.t, self.y = t, y
        self._table, self._state = table, state
        self._values: dict[str, float] = {}

    def __getitem__(self, name: str) -> float:
        value = self._values.get(name)
        if value is None:
            reader = self._table.reader(name)
            if reader.place >= 0:
                return float(self.y[reader.place])
            self._table.check_past(name)
            self._state.setTime(self.t)
            self._state.setY(osim.Vector.createFromMat(self.y[: self._state.getNY()].copy()))
            self._table.realize(self._state, reader.stage)
            value = self._values[name] = float(reader.read(self._state))
        return value
