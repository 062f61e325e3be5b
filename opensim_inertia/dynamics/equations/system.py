"""First-order equations of motion in y = (q, u, z), with states z of muscles and controllers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.checks import check_names
from ..._core.errors import (
    OPENSIM_ERRORS,
    DivergenceError,
    MissingInertiaError,
    ModelError,
    SimulationError,
    opensim_reason,
)
from ..._core.opensim import osim
from ...model.constraints import CONSTRAINT_TOLERANCE, bordered_solve, constraint_jacobian, poses_on_the_way
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.coordinates import CoordinateTable
from ...opensim_model.reading.joints import coordinate_maps
from ...opensim_model.reading.paths import PATH_LISTS
from ...paths.kernel.evaluation import AddedTerms
from ...paths.kernel.remarks import MuscleRemarks
from .problem import Drives, History, Problem
from .swinging import Swinging

#: Steps of coordinates and speeds for linearization, relative to 1 + size. Contacts have the sharpest curves, over 3 mm
#: and 20 mm/s: relative truncation error 1e-7, rounding 1e-10.
COORDINATE_STEP = 2e-6
SPEED_STEP = 1e-5
#: Factor of these steps for differences of fourth order: truncation and rounding 1e-10.
FINE_STEP = 10.0
#: Step of controls: activation dynamics are smooth except at limits.
CONTROL_STEP = 1e-6
#: Step of states other than muscles', and of all states for functions of a whole state, relative to 1 + size.
STATE_STEP = 1e-6
#: Step of coordinates for derivatives of projections, relative to 1 + size.
PROJECTION_STEP = 1e-6

#: Steps of muscles' coordinates and speeds [rad, m and their rates], and of states relative to their size. Muscle
#: curves
#: bend over some 5 % of fibre length and largest speed: truncation error below 1e-6. OpenSim iterates fibre speeds to
#: 1e-10, an error that shorter steps would magnify. Stiff tendons limit steps of fibres to 1e-8 m.
MUSCLE_POSE_STEP = 1e-6
MUSCLE_SPEED_STEP = 1e-4
MUSCLE_STATE_STEP = 1e-7
#: Smallest size of a muscle's state for steps [1 or m].
LEAST_MUSCLE_STATE = 0.1

#: Step of properties relative to their size, and smallest size.
PROPERTY_STEP = 1e-6
SMALLEST_PROPERTY = 1e-2

#: Step of one-sided differences relative to size, near the square root of rounding.
FORWARD_STEP = 1.5e-8


def shifted(x: Array, i: int, by: float) -> Array:
    """Return a copy of x (n,) with ``by`` added to entry i."""
    result = x.copy()
    result[i] += by
    return result


def forward(function: Callable[[Array], Array], f: Array, x: Array, i: int, step: float) -> Array:
    """Return the derivative of ``function`` with respect to x[i], by a forward difference from f = function(x)."""
    there = shifted(x, i, step)
    return (function(there) - f) / (there[i] - x[i])


def central(function: Callable[[Array], Array], x: Array, i: int, step: float) -> Array:
    """Return the derivative of ``function`` with respect to x[i], by a central difference."""
    return (function(shifted(x, i, step)) - function(shifted(x, i, -step))) / (2 * step)


@dataclass(frozen=True, eq=False)
class StateLayout:
    """Layout of y: coordinates q, speeds u, then other states z."""

    coordinates: CoordinateTable
    names: tuple[str, ...]
    order: NDArray[np.intp]
    size: int

    @classmethod
    def read(cls, model: osim.Model, state: osim.State, coordinates: CoordinateTable) -> StateLayout:
        """Return the layout of an initialised model's states."""
        numbered = osim.State(state)
        numbered.setY(osim.Vector.createFromMat(np.arange(float(state.getNY()))))
        try:
            names = model.getStateVariableNames()
            places = model.getStateVariableValues(numbered).to_numpy()
        except OPENSIM_ERRORS as error:
            reason = opensim_reason(error)
            raise ModelError(f"model '{model.getName()}': its states cannot be read: {reason}") from None
        of_names = tuple(names.get(i) for i in range(names.getSize()))
        return cls(coordinates, of_names, places.round().astype(np.intp), state.getNY())

    def extended(self, names: Sequence[str]) -> StateLayout:
        """Return the layout with further states at the end."""
        order = np.concatenate([self.order, self.size + np.arange(len(names), dtype=np.intp)])
        return StateLayout(self.coordinates, (*self.names, *names), order, self.size + len(names))

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the coordinates, in the order of their speeds in y."""
        return self.coordinates.names

    @property
    def speeds(self) -> slice:
        """Indices of the generalized speeds in y."""
        return slice(self.coordinates.nq, self.coordinates.nq + len(self.coordinates.names))

    @property
    def auxiliary_states(self) -> tuple[str, ...]:
        """Paths of state variables other than coordinates and speeds."""
        places = zip(self.names, self.order.tolist(), strict=True)
        return tuple(name for name, place in places if place >= self.speeds.stop)

    def coordinate(self, name: str) -> int:
        """Return the index of a coordinate's value in y."""
        return int(self.coordinates.slots[_index("coordinate", name, self.coordinate_names)])

    def speed(self, name: str) -> int:
        """Return the index of a coordinate's speed in y."""
        return self.speeds.start + _index("coordinate", name, self.coordinate_names)

    def state_variable(self, name: str) -> int:
        """Return the index of a state variable in y, by path."""
        return int(self.order[_index("state variable", name, self.names)])

    def within(self, path: str) -> list[int]:
        """Return the indices in y of all states of the component at ``path``."""
        places = zip(self.names, self.order.tolist(), strict=True)
        return [place for name, place in places if name.startswith(path + "/")]

    def unit(self, name: str) -> str:
        """Return a coordinate's unit: "rad", "m", or "" if its motion is neither rotation nor translation."""
        i = _index("coordinate", name, self.coordinate_names)
        return "rad" if self.coordinates.rotational[i] else "m" if self.coordinates.translational[i] else ""

    def path(self, i: int) -> str:
        """Return OpenSim's path of entry i of y."""
        return self.names[self.order.tolist().index(i)]

    def label(self, i: int) -> str:
        """Return the name of entry i of y: the coordinate's name or, for other states, OpenSim's path."""
        slots = [*self.coordinates.slots.tolist(), *range(self.speeds.start, self.speeds.stop)]
        if i in slots:
            return self.coordinate_names[slots.index(i) % len(self.coordinate_names)]
        order = self.order.tolist()
        return self.names[order.index(i)] if i in order else f"{'q' if i < self.speeds.start else 'y'}[{i}]"


def _index(kind: str, name: str, names: tuple[str, ...]) -> int:
    check_names(kind, [name], names)
    return names.index(name)


#: Largest speed of a body [rad/s or m/s].
FASTEST = 1e4
#: Tolerance on changes of accelerations, relative to the largest.
UNMOVED = 1e-11


class System:
    """Right-hand side dy/dt = f(t, y) of one model, names of its states, and projection onto its constraints.

    The problem is complete, as returned by :func:`~.start.resolved`. Its state is copied; locks and disabled forces in
    it hold for every evaluated state. ``seen`` collects remarks about muscles.

    Attributes:
        state: the evaluated state, changed in place.
        drives: excitations, and generalized forces besides the model's own.
        layout: names and indices of the state variables.
        evaluations: number of evaluations of the right-hand side.
        trouble: OpenSim's last error, or "".
        is_constrained: whether there are constraints on positions or speeds.
        span: first and last time [s] for forces and drives; states outside use these times, so that an integrator sees
            one side of a drive's jump only.
        delays: delays [s] of past states in the right-hand side, in ascending order.
        history: past states for delays or a control; integrators append to it.
        swings: the wobbling masses; None if nothing wobbles.
    """

    span: tuple[float, float] = (-np.inf, np.inf)
    delays: tuple[float, ...] = ()
    history: History | None = None
    swings: Swinging | None = None

    def __init__(self, problem: Problem, seen: MuscleRemarks | None = None) -> None:
        state = problem.first_state
        assert state is not None and problem.external_loads is None, "the problem is not resolved"
        self.inertial = problem.inertial
        self.seen = self.inertial.remarks() if seen is None else seen
        self.model = self.inertial.model
        self.nq, self.nu = state.getNQ(), state.getNU()
        self.layout = StateLayout.read(self.model, state, self.inertial.coordinates)
        self.speeds = self.layout.speeds
        self._begin(problem)

    def driven(self, problem: Problem) -> System:
        """Return the equations of ``problem``, which differs from this problem only in excitations and forces."""
        assert problem.inertial is self.problem.inertial, "the problem is another model's"
        system = copy(self)
        system._begin(problem)
        return system

    def _begin(self, problem: Problem) -> None:
        self.problem = problem
        self._binding = self.inertial.dynamics.binding
        self.state = self.inertial.dynamics.copy_state(problem.state)
        self.drives = Drives(self.model, self.inertial.coordinate_names, problem.excitations, problem.forces)
        self.evaluations = 0
        self.trouble = ""
        self.model.realizeTime(self.state)  # realizing activates locks
        self.is_constrained = self.state.getNQErr() + self.state.getNUErr() > 0

    @property
    def breaks(self) -> set[float]:
        """Times [s] of jumps in the given excitations or forces."""
        return self.drives.breaks

    def set_state(self, t: float, y: Array) -> osim.State:
        """Return OpenSim's state, the same object at each call, set to t [s] and y (ny,)."""
        if self.inertial.dynamics.binding is not self._binding:
            raise ModelError(
                f"model '{self.model.getName()}' was initialised again after these equations were made; give a "
                "trajectory its model again by trajectory.with_model(inertial)"
            )
        self.state.setTime(min(max(t, self.span[0]), self.span[1]))
        self.state.setY(osim.Vector.createFromMat(np.ascontiguousarray(y)))
        return self.state

    def pose(self, t: float, q: Array, u: Array | None = None) -> osim.State:
        """Return the state at t [s] with pose q (nq,) and speeds u (nu,), default zero, realized to position."""
        self.state.setTime(t)
        self.state.setQ(osim.Vector.createFromMat(np.ascontiguousarray(q)))
        self.state.setU(osim.Vector.createFromMat(np.zeros(self.nu) if u is None else np.ascontiguousarray(u)))
        self.model.realizePosition(self.state)
        return self.state

    def _set_state_at_pose(self, y: Array) -> osim.State:
        """Return OpenSim's state with speeds and other states of y, at the pose already set."""
        self.state.setZ(osim.Vector.createFromMat(y[self.speeds.stop :].copy()))
        self.state.setU(osim.Vector.createFromMat(y[self.speeds].copy()))
        return self.state

    def realize(self, t: float, y: Array, changes: Mapping[int, float] | None = None) -> osim.State:
        """Return the state at t [s] and y (ny,), realized to acceleration, with ``changes`` added to controls."""
        state = self.set_state(t, y)
        self.drives.set_controls(self.model, state, changes)
        self.inertial.dynamics.realize_acceleration(state)
        return state

    def rhs(self, t: float, y: Array) -> Array:
        """Return dy/dt (ny,); NaN if OpenSim cannot evaluate the state, see ``trouble``."""
        if not np.isfinite(y).all():
            return np.full(len(y), np.nan)
        return self._rates(self.set_state(t, y))

    def rates_with(self, t: float, y: Array, changes: Mapping[int, float]) -> Array:
        """Return dy/dt (ny,) with ``changes`` added to controls by index; ModelError if OpenSim fails."""
        state = self.realize(t, y, changes)
        ydot = state.getYDot().to_numpy().copy()
        ydot[self.speeds] = self.accelerations(state, ydot[self.speeds], self.drives.forces(state))
        return np.asarray(ydot)

    def jacobian(self, t: float, y: Array) -> Array:
        """Return the Jacobian df/dy (ny, ny) of ``rhs`` by forward differences; constant pose for speeds and muscles.

        A muscle's state changes the rates of that muscle only, unless it accelerates a coordinate, as fibre lengths do.
        So one state of every muscle is changed at a time.
        """
        f = self.rhs(t, y)
        if not np.isfinite(f).all():
            return np.full((len(y), len(y)), np.nan)
        added = self.added_terms(self.state)
        speeds = self.speeds
        result = np.zeros((len(y), len(y)))
        step = FORWARD_STEP * np.maximum(1.0, np.abs(y))
        y_shifted = y.copy()

        def change(entries: list[int], added: AddedTerms | None = None, same_pose: bool = True) -> Array:
            y_shifted[entries] += step[entries]
            rates = self._rates(
                self._set_state_at_pose(y_shifted) if same_pose else self.set_state(t, y_shifted), added
            )
            y_shifted[entries] = y[entries]
            return rates - f

        for i in range(self.nq, self.nq + self.nu):
            result[:, i] = change([i])
        of_muscles, other_entries = self._muscle_states
        for group, rows_of_muscles in of_muscles:
            rate_changes = change(group, added)
            if np.abs(rate_changes[speeds]).max() <= UNMOVED * (1 + np.abs(f[speeds]).max()):
                for i, rows in zip(group, rows_of_muscles, strict=True):
                    result[rows, i] = rate_changes[rows]
            elif len(group) == 1:
                result[:, group[0]] = rate_changes
            else:
                for i in group:
                    result[:, i] = change([i], added)
        for i in range(self.nq):
            result[:, i] = change([i], None, False)
        for i in other_entries:
            result[:, i] = change([i], added, False)
        return result / ((y + step) - y)

    def _rates(self, state: osim.State, added: AddedTerms | None = None) -> Array:
        """Return dy/dt at a state; ``added``: muscles' additions to mass matrix and forces, if already known."""
        self.evaluations += 1
        try:
            forces = self.drives.apply(self.model, state)
            self.inertial.dynamics.realize_acceleration(state)
            ydot = state.getYDot().to_numpy()
            udot = self.accelerations(state, ydot[self.speeds], forces, added)
        except MissingInertiaError:
            raise
        except ModelError as error:
            self.trouble = str(error)
            return np.full(state.getNY(), np.nan)
        ydot[self.speeds] = udot
        return np.asarray(ydot)

    @cached_property
    def _muscle_states(self) -> tuple[list[tuple[list[int], list[list[int]]]], list[int]]:
        """Return indices in y: per k, (k-th state, all states) of muscles with at least k states; then other states."""
        entries = range(self.nq + self.nu, self.state.getNY())
        muscles = model_muscles(self.model).values()
        muscle_entries = [self.layout.within(muscle.getAbsolutePathString()) for muscle in muscles]
        groups = []
        for number in range(max(map(len, muscle_entries), default=0)):
            owners = [states for states in muscle_entries if number < len(states)]
            groups.append(([states[number] for states in owners], owners))
        all_muscle_entries = {i for states in muscle_entries for i in states}
        return groups, [i for i in entries if i not in all_muscle_entries]

    def project(self, t: float, y: Array) -> Array:
        """Return y with coordinates and speeds projected onto the constraints in the metric of the mass matrix M."""
        if not self.is_constrained or not np.isfinite(y).all():
            return y
        y = y.copy()
        y[: self.nq] = self.poses_on_the_way(t, y)[-1]
        return self.project_speeds(t, y)

    def project_speeds(self, t: float, y: Array) -> Array:
        """Return y with speeds projected onto the constraints, which coordinates must already meet."""
        state = self.set_state(t, y)
        self.model.realizeVelocity(state)
        error = state.getUErr().to_numpy()
        if np.abs(error).max(initial=0.0) > CONSTRAINT_TOLERANCE:
            rows, M = constraint_jacobian(self.model, state), self.mass_matrix(state)
            y = y.copy()
            y[self.speeds] += bordered_solve(M, rows[: len(error)], np.zeros(self.nu), -error)
        return y

    def in_coordinates(self, y: Array) -> Array:
        """Return states (T, ny) in OpenSim's coordinates; this class returns them unchanged."""
        return y

    def poses_on_the_way(self, t: float, y: Array) -> list[Array]:
        """Return the poses (nq,) of Newton steps that project y's pose onto the constraints."""
        return poses_on_the_way(self.inertial.kinematics, self.set_state(t, y))

    def coordinate_maps(self, state: osim.State) -> tuple[Array, Array]:
        """Return N (nq, nu) in qdot = N u, and the map (nu, nq) from changes of coordinates to speeds."""
        return coordinate_maps(self.model, state)

    def mass_matrix(self, state: osim.State) -> Array:
        """Return OpenSim's mass matrix M (nu, nu) at a state realized to position."""
        return self.inertial.kinematics.mass_matrix(state)

    def added_terms(self, state: osim.State) -> AddedTerms:
        """Return sliding muscles' additions to the mass matrix (nu, nu), and velocity plus gravity forces (nu,)."""
        return self.inertial.dynamics.added_terms(state, self.seen)

    def accelerations(
        self, state: osim.State, udot0: Array, forces: Array | None, added: AddedTerms | None = None
    ) -> Array:
        """Correct OpenSim's accelerations ``udot0`` (nu,) for muscle mass, at a state realized to acceleration."""
        try:
            return self._accelerations(state, udot0, forces, added)
        except MissingInertiaError as error:
            adds = self.inertial.options.add_missing_inertia
            raise self.inertial.frozen.error_of_segment(self.inertial.kinematics, state, error, adds) from None

    def _accelerations(self, state: osim.State, udot0: Array, forces: Array | None, added: AddedTerms | None) -> Array:
        return self.inertial.dynamics.accelerations(state, udot0, forces, added, self.seen)

    def check(self, t: float, y: Array) -> None:
        """Raise :class:`DivergenceError` if a state is not finite or too fast."""
        u = y[self.nq : self.nq + self.nu]
        if np.isfinite(y).all() and np.abs(u).max(initial=0.0) < FASTEST:
            return
        raise self.divergence(t, y, "is no longer finite" if not np.isfinite(y).all() else "runs away")

    def divergence(self, t: float, y: Array, reason: str, size: Array | None = None) -> DivergenceError:
        """Return the error that names the variable of largest ``size`` (ny,); default: the fastest coordinate."""
        if not np.isfinite(y).all():
            worst = int(np.argmin(np.isfinite(y)))
        elif size is not None:
            worst = int(np.argmax(np.where(np.isfinite(size), np.abs(size), np.inf)))
        else:
            worst = self.nq + int(np.argmax(np.abs(y[self.nq : self.nq + self.nu])))
        name = self.layout.label(worst)
        return DivergenceError(reason + (f" ({self.trouble})" if self.trouble else ""), t, name)


def equilibrate(model: osim.Model, state: osim.State) -> None:
    """Bring muscle fibres to OpenSim's equilibrium in a state; SimulationError if there is none."""
    try:
        with PATH_LISTS:
            model.equilibrateMuscles(state)
    except RuntimeError as error:
        raise SimulationError(f"muscles find no equilibrium: {opensim_reason(error)}", state.getTime()) from None


def _of_plant(name: str, purpose: str) -> Any:
    """Return a property that reads and writes the attribute ``name`` of ``self.plant``."""
    return property(lambda self: getattr(self.plant, name), lambda self, x: setattr(self.plant, name, x), doc=purpose)


class WrappedSystem(System):
    """Equations of motion that extend the equations of another system, ``plant``."""

    plant: System
    evaluations = _of_plant("evaluations", "How often the right-hand side has been evaluated.")
    trouble = _of_plant("trouble", "Why OpenSim could not evaluate the last state that it could not; or empty.")
    span = _of_plant("span", "The first and last time [s] at which forces and drives are evaluated.")
