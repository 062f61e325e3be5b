"""One simulation problem: a model, where and when it starts, until when it runs, and its drives."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from ..._core.arrays import Array
from ..._core.checks import check_choice, check_names, check_type
from ..._core.choices import ROTATIONS, Rotations
from ..._core.errors import OptionError, UnknownNameError
from ..._core.opensim import osim
from ..._core.options import finite
from ...model import InertialModel
from ...model.model import check_inertial, check_state

if TYPE_CHECKING:
    from ..control.neurons import Control

#: A number, or a function of time [s].
Signal = float | Callable[[float], float]
#: Signals by name; or a function of the state that gives numbers by name, or all of them in order.
Drive = Mapping[str, Signal] | Callable[[osim.State], Mapping[str, float] | Sequence[float] | Array]

#: Excitations may be beyond their range by this much.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Pulse:
    """A signal that is zero but for one interval of time; simulations step exactly onto its edges.

    Attributes:
        start, stop: the times when it begins and ends [s].
        height: its value between them.

    Raises:
        OptionError: a number is not finite, or the end is not after the start.
    """

    start: float
    stop: float
    height: float = 1.0

    def __post_init__(self) -> None:
        finite()("start", self.start)
        finite()("height", self.height)
        if not self.start < self.stop < np.inf:
            raise OptionError("stop", self.stop, f"a time after the start, {self.start:.6g} s")

    def __call__(self, time: float) -> float:
        """Return the value at a time [s]."""
        return self.height if self.start <= time < self.stop else 0.0

    @property
    def breaks(self) -> tuple[float, float]:
        """The times when it jumps [s]."""
        return self.start, self.stop


def breaks_of(signals: Any) -> Iterator[float]:
    """Yield the times [s] when signals jump: the ``breaks`` of a signal, or of all signals in a mapping."""
    for signal in (*(signals.values() if isinstance(signals, Mapping) else ()), signals):
        yield from getattr(signal, "breaks", ())


class Drives:
    """Excitations and generalized forces on coordinates, by time or state; those of a control go before others."""

    def __init__(
        self,
        model: osim.Model,
        coordinate_names: Sequence[str],
        excitations: Drive | None,
        forces: Drive | None,
        control: Drive | None = None,
    ) -> None:
        self._excitations = _NamedValues("excitations", "actuator", _control_names(model), excitations)
        self._control = _NamedValues("control.excitations()", "actuator", self.control_names, control)
        _check_ranges(model, excitations)
        self._forces = _NamedValues("forces", "coordinate", coordinate_names, forces)

    @property
    def control_names(self) -> list[str]:
        """Names of the model's controls, in their order."""
        return self._excitations.names

    @property
    def breaks(self) -> set[float]:
        """The times when signals say that they jump [s], as those of :class:`Pulse` do."""
        return {*breaks_of(self._excitations.drive), *breaks_of(self._forces.drive)}

    @property
    def sets_forces(self) -> bool:
        """Whether generalized forces are given."""
        return self._forces.drive is not None

    def apply(self, model: osim.Model, state: osim.State) -> Array | None:
        """Set the excitations in a state, and give the generalized forces (nu,), or None for none."""
        self.set_controls(model, state)
        if callable(self._forces.drive):
            model.realizeVelocity(state)
        return self.forces(state)

    def forces(self, state: osim.State) -> Array | None:
        """Return the generalized forces (nu,), or None for none."""
        return self._forces.put(state, np.zeros(state.getNU())) if self.sets_forces else None

    def set_controls(self, model: osim.Model, state: osim.State, changes: Mapping[int, float] | None = None) -> None:
        """Set the excitations in a state, which is realized to velocity; with ``changes`` added to some controls."""
        if self._excitations.drive is None and self._control.drive is None and not changes:
            return
        controls = self.controls(model, state)
        for i, change in (changes or {}).items():
            controls[i] += change
        model.setControls(state, osim.Vector.createFromMat(controls))

    def controls(self, model: osim.Model, state: osim.State) -> Array:
        """Return all controls of the model at a state, which is realized to velocity."""
        model.realizeVelocity(state)
        controls = model.getControls(state).to_numpy().copy()
        for excited in (self._excitations, self._control):
            controls = controls if excited.drive is None else excited.put(state, controls)
        return controls


class _NamedValues:
    """Numbers for named places, from a drive."""

    def __init__(self, option: str, kind: str, names: Sequence[str], drive: Drive | None) -> None:
        self.option, self.kind, self.names = option, kind, list(names)
        self.drive = drive
        if drive is not None and not callable(drive):
            if not isinstance(drive, Mapping):
                raise OptionError(option, drive, f"numbers or functions of time by {kind}, or a function of the state")
            for name in drive:
                self._index(name)

    def put(self, state: osim.State, values: Array) -> Array:
        """Put the drive's numbers at their places among ``values``, and return these."""
        time = state.getTime()
        signals: Any = self.drive(state) if callable(self.drive) else self.drive
        if isinstance(signals, Mapping):
            for name, signal in signals.items():
                values[self._index(name)] = self._number(name, signal(time) if callable(signal) else signal, time)
            return values
        try:
            numbers = np.asarray(signals, dtype=float).reshape(-1)
        except (TypeError, ValueError):
            numbers = np.empty(0)
        if len(numbers) != len(self.names):
            raise OptionError(
                self.option, signals, f"{len(self.names)} numbers, one per {self.kind}, or a dict of them"
            )
        for name, number in zip(self.names, numbers, strict=True):
            self._number(name, number, time)
        return numbers.copy()

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise UnknownNameError(self.kind, name, self.names, self.option)
        return self.names.index(name)

    def _number(self, name: str, value: Any, time: float) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = np.nan
        if not np.isfinite(number):
            raise OptionError(f"{self.option}['{name}'] at {time:.6g} s", value, "a finite number")
        return number


def _check_ranges(model: osim.Model, excitations: Drive | None) -> None:
    """Refuse excitations beyond a muscle's controls, such as percentages; those of controllers are not checked."""
    for name, signal in excitations.items() if isinstance(excitations, Mapping) else ():
        number = signal.height if isinstance(signal, Pulse) else signal
        index = model.getMuscles().getIndex(name)
        if index < 0 or isinstance(number, bool) or not isinstance(number, int | float | np.number):
            continue
        muscle = model.getMuscles().get(index)
        least, most = min(0.0, muscle.getMinControl()), muscle.getMaxControl()
        if not least - ROUNDING <= number <= most + ROUNDING and np.isfinite(number):
            in_percent = number / 100
            hint = f"; {in_percent:g} for {number:g} %?" if 1.0 < number and in_percent <= most else ""
            expected = f"an excitation from {least:g} to {most:g}, the range of this muscle{hint}"
            raise OptionError(f"excitations['{name}']", float(number), expected)


def _control_names(model: osim.Model) -> list[str]:
    """Return names of the actuators in the order of the model's controls, numbered where one has several controls."""
    names = []
    for actuator in list(model.getActuatorList()):
        n = actuator.numControls()
        names += [actuator.getName()] if n == 1 else [f"{actuator.getName()}_{k}" for k in range(n)]
    return names


#: A point in a body's frame [m] and a force in ground [N].
PointForce = tuple[Sequence[float], Sequence[float]]


def point_forces_on(
    model: osim.Model, by_body: Mapping[str, PointForce | Sequence[PointForce]] | None
) -> Callable[[osim.State], Array]:
    """Return a function for the generalized forces J^T W (nu,) [N m or N] at a state, of forces in ground [N] at points
    in bodies' frames [m].
    """
    bodies, forces, matter = model.getBodySet(), [], model.getMatterSubsystem()
    for name, pairs in (by_body or {}).items():
        check_names("body", [name], [body.getName() for body in bodies], "point_forces")
        index = bodies.get(name).getMobilizedBodyIndex()
        forces += [(index, osim.Vec3(*point), osim.Vec3(*force)) for point, force in _pairs(name, pairs)]

    def at(state: osim.State) -> Array:
        model.realizePosition(state)
        total, out = np.zeros(state.getNU()), osim.Vector()
        for force in forces:
            matter.multiplyByStationJacobianTranspose(state, *force, out)
            total += out.to_numpy()
        return total

    return at


def _pairs(name: str, pairs: Any) -> list[tuple[list[float], list[float]]]:
    """Return pairs of a point and a force."""
    try:
        array = np.asarray(pairs, dtype=float)
    except (TypeError, ValueError):
        array = np.empty(0)
    if array.shape == (2, 3):
        array = array[None]
    if array.ndim != 3 or array.shape[1:] != (2, 3) or not np.isfinite(array).all():
        expected = "a point (3,) in the body's frame [m] and a force (3,) in ground [N], or a list of such pairs"
        raise OptionError(f"point_forces['{name}']", pairs, expected)
    return [(point.tolist(), force.tolist()) for point, force in array]


#: Gives the state (ny,) at a time [s] within one step.
Piece = Callable[[float], Array]


class History:
    """States until now, one piece for each step; before the first they are constant, or another history's."""

    def __init__(self, t: float, y: Array, before: History | None = None) -> None:
        self.start, self._first, self.before = t, np.array(y), before
        #: Times [s] at which rates jump of themselves, the start among them, and those of what was before.
        self.jumps: set[float] = {t} if before is None else {t, *before.jumps}
        self._ends: list[float] = []
        self._pieces: list[Piece] = []

    @property
    def end(self) -> float:
        """The time until which it is known [s]."""
        return self._ends[-1] if self._ends else self.start

    def append(self, end: float, piece: Piece) -> None:
        """Add a step that ends at a time [s]."""
        self._ends.append(end)
        self._pieces.append(piece)

    def clear(self) -> None:
        """Forget all steps, but not the state before them."""
        self._ends, self._pieces = [], []

    def at(self, t: float) -> Array:
        """Return the state (ny,) at a time [s]; after the end, the one there."""
        if t < self.start and self.before is not None:
            return self.before.at(t)
        if t <= self.start or not self._ends:
            return self._first
        t = min(t, self._ends[-1])
        return np.asarray(self._pieces[bisect_left(self._ends, t)](t))


@runtime_checkable
class PastMotion(Protocol):
    """A motion from which a simulation goes on, as :class:`~opensim_inertia.forward_simulation.Trajectory`."""

    history: History | None

    def final_state(self) -> osim.State:
        """Return the last state."""

    def final_values(self) -> Mapping[str, float]:
        """Return the last values of all state variables, those of mass that swings among them, by their paths."""


@dataclass(frozen=True)
class GivenStart:
    """A state to start from, with displacements of mass that swings, which states of OpenSim do not have."""

    state: osim.State
    values: Mapping[str, float]
    history: History | None = None

    def final_state(self) -> osim.State:
        """Return the state."""
        return self.state

    def final_values(self) -> Mapping[str, float]:
        """Return the values by path."""
        return self.values


@dataclass(frozen=True)
class Problem:
    """A simulation problem: model, start, final time and all that acts on the model.

    The way to do it, an :mod:`integrator <opensim_inertia.dynamics.integrators>`, is not part of it.

    Attributes:
        inertial: the model.
        state: where to start, a state of ``inertial.model``, which is copied; or a trajectory of the same model, to go
            on from its last state, which is also what was before the start for the same ``control``; None is the
            model's default state. Locks and forces that are switched off in it hold for the whole simulation.
            Coordinates and speeds that break constraints are moved onto them.
        t_final: the time when the simulation ends [s].
        excitations: excitations of muscles and controls of other actuators: numbers or functions of time by name, or a
            function of the state (realized to velocity) that gives numbers by name or all of them in the order of the
            model's controls. They replace the controllers' values for the actuators named.
        forces: generalized forces besides the model's own [N m or N], by coordinate name, in the same forms; arrays are
            in the order of ``inertial.coordinate_names``.
        external_loads: an external loads XML of OpenSim.
        equilibrate: whether OpenSim looks for the fibre lengths where the muscles start in equilibrium; None: where
            no ``state`` is given.
        control: feedback and feedforward of excitations, with delays and states of its own: a
            :class:`~opensim_inertia.control.NeuralControl`, or another object as
            :class:`~opensim_inertia.control.Control` describes. Its excitations go before ``excitations``.
            Before the start the state was what it is there, unless a trajectory says otherwise.
        rotations: what turns joints that turn freely about three axes: "euler", the coordinates of OpenSim, which are
            singular in gimbal lock; or "quaternion", unit quaternions, which have no singularity. Results are in
            OpenSim's coordinates either way. :func:`~opensim_inertia.dynamics.equations.quaternions.free_joints` says
            which joints these are. Not with ``control``.

    Raises:
        OptionError: the model is no :class:`~opensim_inertia.InertialModel`, the state none of OpenSim's; or there is a
            control beside quaternions.
    """

    inertial: InertialModel
    state: osim.State | PastMotion | None = None
    t_final: float = 1.0
    excitations: Drive | None = None
    forces: Drive | None = None
    external_loads: str | os.PathLike[str] | None = None
    equilibrate: bool | None = None
    control: Control | None = None
    rotations: Rotations = "euler"

    def __post_init__(self) -> None:
        check_inertial(self.inertial)
        if self.state is not None and not isinstance(self.state, PastMotion):
            check_state(self.state)
        check_choice("rotations", self.rotations, ROTATIONS)
        if self.rotations != "euler" and self.control is not None:
            expected = "'euler' where there is a control, which reads OpenSim's coordinates"
            raise OptionError("rotations", self.rotations, expected)

    @property
    def first_state(self) -> osim.State | None:
        """The state from which it starts, not copied; None for the model's default state."""
        return self.state.final_state() if isinstance(self.state, PastMotion) else self.state

    @property
    def past(self) -> History | None:
        """The past before the start; None if it is unknown."""
        return self.state.history if isinstance(self.state, PastMotion) else None


def check_problem(problem: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` for anything but a problem; it says how to state one."""
    stated = "Problem(inertial, t_final=0.5)" if isinstance(problem, InertialModel) else "Problem(inertial)"
    check_type("problem", problem, Problem, f"a Problem: state it first, as {stated}")
