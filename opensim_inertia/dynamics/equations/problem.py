"""A simulation problem: model, start, end and drives."""

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
#: Signals by name, or a function of the state that returns numbers by name or in order.
Drive = Mapping[str, Signal] | Callable[[osim.State], Mapping[str, float] | Sequence[float] | Array]

#: Tolerance on the range of excitations.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Pulse:
    """A signal that is zero except in one interval of time; simulations step exactly onto its edges.

    Attributes:
        start, stop: begin and end of the interval [s].
        height: value in the interval.

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
        """Times of the jumps [s]."""
        return self.start, self.stop


def breaks_of(signals: Any) -> Iterator[float]:
    """Yield the times [s] of jumps in a signal, or in all signals of a mapping."""
    for signal in (*(signals.values() if isinstance(signals, Mapping) else ()), signals):
        yield from getattr(signal, "breaks", ())


class Drives:
    """Excitations and generalized forces as functions of time or state; a control overrides excitations."""

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
        """Names of the model's controls, in the model's order."""
        return self._excitations.names

    @property
    def breaks(self) -> set[float]:
        """Times [s] of jumps in the given excitations or forces."""
        return {*breaks_of(self._excitations.drive), *breaks_of(self._forces.drive)}

    @property
    def sets_forces(self) -> bool:
        """Whether generalized forces are given."""
        return self._forces.drive is not None

    def apply(self, model: osim.Model, state: osim.State) -> Array | None:
        """Set excitations in a state, and return given generalized forces (nu,), None if there are none."""
        self.set_controls(model, state)
        if callable(self._forces.drive):
            model.realizeVelocity(state)
        return self.forces(state)

    def forces(self, state: osim.State) -> Array | None:
        """Return the given generalized forces (nu,), None if there are none."""
        return self._forces.put(state, np.zeros(state.getNU())) if self.sets_forces else None

    def set_controls(self, model: osim.Model, state: osim.State, changes: Mapping[int, float] | None = None) -> None:
        """Set a state's controls to :meth:`controls` plus ``changes`` (by index) if excitations or changes exist."""
        if self._excitations.drive is None and self._control.drive is None and not changes:
            return
        controls = self.controls(model, state)
        for i, change in (changes or {}).items():
            controls[i] += change
        model.setControls(state, osim.Vector.createFromMat(controls))

    def controls(self, model: osim.Model, state: osim.State) -> Array:
        """Realize a state to velocity, and return all of the model's controls."""
        model.realizeVelocity(state)
        controls = model.getControls(state).to_numpy().copy()
        for excited in (self._excitations, self._control):
            controls = controls if excited.drive is None else excited.put(state, controls)
        return controls


class _NamedValues:
    """Excitations or forces from the user: numbers or functions of time by name, or one function of the state."""

    def __init__(self, option: str, kind: str, names: Sequence[str], drive: Drive | None) -> None:
        self.option, self.kind, self.names = option, kind, list(names)
        self.drive = drive
        if drive is not None and not callable(drive):
            if not isinstance(drive, Mapping):
                raise OptionError(option, drive, f"numbers or functions of time by {kind}, or a function of the state")
            for name in drive:
                self._index(name)

    def put(self, state: osim.State, values: Array) -> Array:
        """Return ``values`` with entries replaced by the given excitations or forces at a state."""
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
    """Raise :class:`OptionError` for constant excitations outside a muscle's range, such as values in percent."""
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
    """Return the names of the model's controls, numbered if an actuator has several controls."""
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
    """Return a function that maps a state to the generalized forces (nu,) [N m or N] of point forces."""
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
    """Return pairs of a point [m] and a force [N] on the body ``name``; OptionError if invalid."""
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


#: Function of time [s] in one step that returns the state (ny,).
Piece = Callable[[float], Array]


class History:
    """Past states, with one interpolant per step; an earlier history or a constant state precedes the start."""

    def __init__(self, t: float, y: Array, before: History | None = None) -> None:
        self.start, self._first, self.before = t, np.array(y), before
        #: Times [s] of jumps in rates, with the start and those of the other history.
        self.jumps: set[float] = {t} if before is None else {t, *before.jumps}
        self._ends: list[float] = []
        self._pieces: list[Piece] = []

    @property
    def end(self) -> float:
        """Last known time [s]."""
        return self._ends[-1] if self._ends else self.start

    def append(self, end: float, piece: Piece) -> None:
        """Add the interpolant ``piece`` of a step that ends at time ``end`` [s]."""
        self._ends.append(end)
        self._pieces.append(piece)

    def clear(self) -> None:
        """Remove all steps, but keep the first state."""
        self._ends, self._pieces = [], []

    def at(self, t: float) -> Array:
        """Return the state (ny,) at a time [s]; constant after the end."""
        if t < self.start and self.before is not None:
            return self.before.at(t)
        if t <= self.start or not self._ends:
            return self._first
        t = min(t, self._ends[-1])
        return np.asarray(self._pieces[bisect_left(self._ends, t)](t))


@runtime_checkable
class PastMotion(Protocol):
    """A motion that a simulation continues, such as a :class:`~opensim_inertia.forward_simulation.Trajectory`."""

    history: History | None

    def final_state(self) -> osim.State:
        """Return the last state."""

    def final_values(self) -> Mapping[str, float]:
        """Return the last values of all state variables, also of wobbling masses, by path."""


@dataclass(frozen=True)
class GivenStart:
    """An initial state with displacements of wobbling masses, which OpenSim states do not contain."""

    state: osim.State
    values: Mapping[str, float]
    history: History | None = None

    def final_state(self) -> osim.State:
        """Return the given state."""
        return self.state

    def final_values(self) -> Mapping[str, float]:
        """Return the given values of state variables, by path."""
        return self.values


@dataclass(frozen=True)
class Problem:
    """A simulation problem: model, start, end time and all that acts on the model.

    The :mod:`integrator <opensim_inertia.dynamics.integrators>` is not part of the problem.

    Attributes:
        inertial: the model.
        state: the initial state of ``inertial.model``, which is copied; or a trajectory of the same model to continue
            from its last state, also with its past for the same ``control``; None: the model's default state. Locks and
            disabled forces in the state hold for the whole simulation. Coordinates and speeds that violate constraints
            are projected onto them.
        t_final: end time [s].
        excitations: excitations of muscles and controls of other actuators: numbers or functions of time by name, or a
            function of the state (realized to velocity) that returns numbers by name or in the order of the model's
            controls. They replace the controllers' values of these actuators.
        forces: generalized forces besides the model's own [N m or N], by coordinate name, in the same forms; arrays are
            in the order of ``inertial.coordinate_names``.
        external_loads: path of an external loads XML of OpenSim.
        equilibrate: whether OpenSim finds initial fibre lengths in equilibrium; None: if no ``state`` is given.
        control: feedback and feedforward of excitations, with delays and states: a
            :class:`~opensim_inertia.control.NeuralControl`, or another :class:`~opensim_inertia.control.Control`. Its
            excitations override ``excitations``. Before the start the state is constant, unless a trajectory is
            continued.
        rotations: variables of joints with three free rotations: "euler", OpenSim's coordinates, which are singular in
            gimbal lock; or "quaternion", unit quaternions without singularity. Results are in OpenSim's coordinates.
            :func:`~opensim_inertia.dynamics.equations.quaternions.free_joints` lists these joints. "quaternion" cannot
            be combined with ``control``.

    Raises:
        OptionError: the model is no :class:`~opensim_inertia.InertialModel`, the state is no OpenSim state, or a
            control is combined with quaternions.
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
        """Initial state, not copied; None: the model's default state."""
        return self.state.final_state() if isinstance(self.state, PastMotion) else self.state

    @property
    def past(self) -> History | None:
        """Past states before the start; None if unknown."""
        return self.state.history if isinstance(self.state, PastMotion) else None


def check_problem(problem: object) -> None:
    """Raise :class:`~opensim_inertia.errors.OptionError` unless ``problem`` is a Problem."""
    stated = "Problem(inertial, t_final=0.5)" if isinstance(problem, InertialModel) else "Problem(inertial)"
    check_type("problem", problem, Problem, f"a Problem: state it first, as {stated}")
