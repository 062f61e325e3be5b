"""Linearization of a model with inertial muscles, in independent variables (docs/theory/posture.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from ..._core.arrays import Array
from ..._core.checks import check_names, warn
from ..._core.errors import ModelError, Option, OptionError, SimulationError, listed
from ..._core.opensim import osim
from ..._core.options import between, finite
from ..._core.warnings import InputWarning, OffEquilibriumWarning
from ...dynamics.control import Control
from ...dynamics.control.system import ControlledSystem, feedback, initial_history, state_paths
from ...dynamics.equations.derivatives import Differentiator, check_differentiable
from ...dynamics.equations.muscle_derivatives import MuscleDerivatives
from ...dynamics.equations.problem import Drive, PointForce, Problem, point_forces_on
from ...dynamics.equations.start import start
from ...dynamics.equations.system import CONTROL_STEP, PROJECTION_STEP, System, central
from ...model import InertialModel
from ...model.constraints import CONSTRAINT_TOLERANCE, DEPENDENT, ConstrainedInverse, constraint_jacobian, followers
from ...model.model import check_inertial, check_moves, check_state
from ...opensim_model.reading.coordinates import couplings
from .result import Linearization, Scene

Places = NDArray[np.intp]
#: Point forces by body.
Pushes = Mapping[str, PointForce | Sequence[PointForce]] | None

#: Weight for making coupled coordinates dependent.
READY = 1e3


def tangent_at(system: System, t: float, y: Array) -> tuple[Places, Array]:
    """Return indices (n,) of the independent entries z of y, and the constrained derivative dy/dz (ny, n)."""
    nq, nu, ny = system.nq, system.nu, len(y)
    state = system.set_state(t, y)
    system.model.realizeVelocity(state)
    to_rates, to_speeds = system.coordinate_maps(state)
    slots, speeds = system.layout.coordinates.slots, np.arange(nq, nq + nu)
    rows = constraint_jacobian(system.model, state)
    of_coordinates = rows[: state.getNQErr()] @ to_speeds[:, slots]
    of_speeds = rows[: state.getNUErr()]  # with the rates of position constraints
    weights = readiness(system.inertial)
    follow = followers(of_coordinates, weights)
    same = len(of_coordinates) == len(of_speeds) and nq == nu
    follow_speeds = follow if same else followers(of_speeds, weights)
    free, gain = _gain(of_coordinates, follow)
    free_speeds, speed_gain = _gain(of_speeds, follow_speeds)

    independent = np.concatenate([slots[free], speeds[free_speeds], np.arange(nq + nu, ny)])
    n, split = len(independent), len(free)
    basis = np.zeros((ny, n))
    basis[independent, np.arange(n)] = 1.0
    basis[slots[follow], :split] = gain
    basis[speeds[follow_speeds], split : split + len(free_speeds)] = speed_gain
    if len(of_speeds) and y[speeds].any():

        def errors(q: Array) -> Array:
            state = system.set_state(t, np.r_[q, y[nq:]])
            system.model.realizeVelocity(state)
            return np.array(state.getUErr().to_numpy())

        q = np.asarray(y[:nq])
        columns = [central(errors, q, i, PROJECTION_STEP * (1 + abs(q[i]))) for i in range(nq)]
        turning = np.column_stack(columns) @ basis[:nq]
        basis[speeds[follow_speeds]] -= np.linalg.pinv(of_speeds[:, follow_speeds], rcond=DEPENDENT) @ turning
    order = np.argsort(independent)
    return independent[order], basis[:, order]


def readiness(inertial: InertialModel) -> Array:
    """Return weights (nu,) for choosing dependent coordinates: large for coupled coordinates, else 1."""
    weights = np.ones(len(inertial.coordinate_names))
    for coupling in couplings(inertial.model, inertial.coordinates, inertial.reference[None]):
        weights[coupling.dependent] = READY
    return weights


#: Largest number of Newton steps to meet the constraints.
NEWTON_STEPS = 50
#: Weight for making given coordinates dependent: only if there are no others.
RELUCTANCE = 1e-6
#: Tolerance on given coordinates [rad or m].
KEPT = 1e-8


def posed(inertial: InertialModel, coordinates: Mapping[str, float], state: osim.State | None) -> osim.State:
    """Return a state with zero speeds and given coordinate values; other coordinates move to meet constraints."""
    model, table = inertial.model, inertial.coordinates
    if not isinstance(coordinates, Mapping):
        raise OptionError("coordinates", coordinates, "values by name of the coordinate")
    new = inertial.initial_state() if state is None else inertial.dynamics.copy_state(state)
    values = table.values(new)
    for name, value in coordinates.items():
        check_names("coordinate", [name], table.names)
        impossible, text = table.misplaced(name, finite(" [rad or m]")(f"coordinates['{name}']", value))
        if impossible:
            raise OptionError(f"coordinates['{name}']", value, f"an angle in radians; this is {text}")
        if text:
            warn(InputWarning(Option(f"coordinates['{name}']", value), f" is {text}"))
        values[table.index(name)] = value
    table.set_values(new, values)
    new.setU(osim.Vector(new.getNU(), 0.0))
    owned = model.getCoordinateSet()
    for name in coordinates:
        coordinate = owned.get(name)
        if coordinate.getLocked(new):  # locks hold a coordinate's value
            coordinate.setLocked(new, False)
            table.set_values(new, values)
            coordinate.setLocked(new, True)
    model.realizePosition(new)
    if new.getNQErr():
        _meet_constraints(inertial, new, [table.index(name) for name in coordinates])
        moved = table.values(new) - values
        off = [name for name in coordinates if abs(moved[table.index(name)]) > KEPT]
        if off:
            raise SimulationError(f"the constraints cannot be met with {listed(off)} as given", new.getTime())
    return new


def _meet_constraints(inertial: InertialModel, state: osim.State, posed: list[int]) -> None:
    """Move a state's coordinates to meet the constraints; coordinates with indices ``posed`` move last."""
    model, table = inertial.model, inertial.coordinates
    weight, change = readiness(inertial), osim.Vector()
    weight[posed] = RELUCTANCE
    for _ in range(NEWTON_STEPS):
        model.realizePosition(state)
        error = state.getQErr().to_numpy().copy()
        if np.abs(error).max() <= CONSTRAINT_TOLERANCE:
            return
        rows = constraint_jacobian(model, state)[: len(error)]
        follow = followers(rows, weight)
        step = np.zeros(len(weight))
        step[follow] = -np.linalg.lstsq(rows[:, follow], error, rcond=DEPENDENT)[0]
        model.getMatterSubsystem().multiplyByN(state, False, osim.Vector.createFromMat(step), change)
        state.setQ(osim.Vector.createFromMat(state.getQ().to_numpy() + change.to_numpy()))
    worst = [table.names[i] for i in posed] or list(table.names)
    raise SimulationError(f"the constraints cannot be met near {listed(worst)} as given", state.getTime())


def _gain(rows: Array, follow: Places) -> tuple[Places, Array]:
    """Solve ``rows @ x = 0`` for x[follow]; return ``free``, the other indices, and G: x[follow] = G @ x[free]."""
    free = np.setdiff1d(np.arange(rows.shape[1]), follow)
    if not len(follow):
        return free, np.zeros((0, len(free)))
    return free, -np.asarray(np.linalg.lstsq(rows[:, follow], rows[:, free], rcond=DEPENDENT)[0])


#: Largest intrinsic stiffness. Muscles have some 10 to 50; values beyond this overflow.
MOST_STIFFNESS = 1e6


#: Check of an intrinsic stiffness [largest isometric forces per optimal fibre length].
check_stiffness = between(0.0, MOST_STIFFNESS)


def constrained_inverse(system: System, t: float, y: Array) -> ConstrainedInverse:
    """Return the constrained inverse of the mass matrix, with sliding muscles, at t [s] and y (ny,)."""
    state = system.realize(t, y)
    mass = system.mass_matrix(state) + system.added_terms(state)[0]
    return ConstrainedInverse(mass, constraint_jacobian(system.model, state))


def short_range_stiffness(system: System, t: float, y: Array) -> tuple[Array, Array]:
    """Return activations (m,), and d(dy/dt)/dy (m, ny, ny) due to a stiffness Fmax / lopt of each muscle alone."""
    muscles, state = MuscleDerivatives(system), system.realize(t, y)
    activations = np.array([m.getActivation(state) for m in muscles.muscles])
    stiffness = np.array([m.getMaxIsometricForce() / m.getOptimalFiberLength() for m in muscles.muscles])
    inverse, to_speeds = constrained_inverse(system, t, y).forces, system.coordinate_maps(state)[1]
    arms = muscles.moment_arms(state)
    parts = np.zeros((len(activations), len(y), len(y)))
    parts[:, system.speeds, : system.nq] = -np.einsum("m,mu,mq->muq", stiffness, arms @ inverse, arms @ to_speeds)
    return activations, parts


def closed(plain: Linearization, system: ControlledSystem, t: float, y: Array) -> Linearization:
    """Return the linearization ``plain`` extended by the control's states, delays and feedback."""
    n, n_control = len(plain.A), len(system.control.state_names)
    entries = sorted(system.layout.order.tolist())
    basis = block_diag(plain.basis, np.eye(n_control))
    inputs = np.vstack([plain.B, np.zeros((n_control, plain.B.shape[1]))])
    matrices = []
    for over, rates in zip(*feedback(system, t, y), strict=True):
        matrix = inputs @ (over[:, entries] @ basis)
        matrix[n:] = rates[:, entries] @ basis
        matrices.append(matrix)
    matrices[0][:n, :n] += plain.A
    paths = tuple(state_paths(system.control))
    residual = np.abs(system.rhs(t, y)[len(y) - n_control :]).max(initial=0.0)
    return replace(
        plain,
        A=matrices[0],
        B=inputs,
        state_names=(*plain.state_names, *paths),
        basis=basis,
        variable_names=(*plain.variable_names, *paths),
        state=y[entries],
        residual=max(plain.residual, float(residual)),
        delays=system.delays,
        delayed=tuple(matrices[1:]),
    )


#: Largest rate of a state variable in equilibrium [its unit per second].
EQUILIBRIUM = 1e-5
#: Step for differences of the whole right-hand side, relative to 1 + size.
PLAIN_STEP = 1e-5


def linearize(
    inertial: InertialModel,
    state: osim.State,
    excitations: Drive | None = None,
    *,
    forces: Mapping[str, float] | None = None,
    point_forces: Pushes = None,
    control: Control | None = None,
    intrinsic_stiffness: float = 0.0,
) -> Linearization:
    """Linearize a model with inertial muscles at a state, with the states of muscles and controllers.

    Accelerations contain the muscles' mass, M + dM and h. With constraints the result is on their tangent. At kinks,
    derivatives are the mean of both sides, as for Thelen's force-velocity curve at rest. Derivatives of activation
    dynamics are those for excitation above activation.

    Args:
        inertial: the model.
        state: a state of ``inertial.model``, which is projected onto the constraints; for the stability of a posture,
            an equilibrium (:func:`equilibrate`).
        excitations: excitations of muscles and other actuators, see :func:`simulate`; others are those of the model's
            controllers or defaults.
        forces: generalized forces [N m or N] by coordinate, with those of ``point_forces``.
        point_forces: the part of ``forces`` by constant forces at points of bodies, see :func:`equilibrate`; these
            generalized forces change with the pose.
        control: a control, see :func:`simulate`. Its states are added, and its delays make the result one with delays.
            It is linearized at its initial states, with the state as its constant past. ``excitations`` must then be
            numbers or functions of time.
        intrinsic_stiffness: stiffness of active fibres to short stretches, gamma, in largest isometric forces per
            optimal fibre length and unit of activation (Bunderson et al. 2012, fig. 2), added to the muscle model's.

    Warns: OffEquilibriumWarning: the state is not in equilibrium.

    Raises:
        UnknownNameError: an actuator or coordinate is not in the model. OptionError: the stiffness is no number of at
            least zero. SimulationError: the constraints cannot be met, or the state cannot be evaluated. ModelError:
            the state is another model's, or the model has no coordinates.
    """
    check_inertial(inertial)
    check_state(state)
    check_moves(inertial)
    gamma = check_stiffness("intrinsic_stiffness", intrinsic_stiffness)
    time = state.getTime()
    problem = Problem(inertial, state, time + 1.0, excitations, forces, equilibrate=False)
    system, t, y = start(problem)
    looped = None
    if control is not None:
        if callable(excitations):
            raise OptionError("excitations", excitations, "numbers or functions of time by actuator beside a control")
        looped = ControlledSystem(system, control, initial_history(system, control, t, y))
        constant = looped.control.excitations(t, looped.stored(t, looped.history.at(t)), looped.past)
        system = system.driven(replace(system.problem, excitations={**(excitations or {}), **constant}))
    jacobian, controls = derivatives(system, t, y, point_forces)
    if gamma:
        jacobian = jacobian + gamma * np.tensordot(*short_range_stiffness(system, t, y), 1)
    system.seen.warn()
    chart = Chart(system, t, y)
    rates = system.rhs(t, y)[chart.named]
    worst = int(np.argmax(np.abs(rates)))
    if np.abs(rates[worst]) > EQUILIBRIUM:
        warn(
            OffEquilibriumWarning(
                f"the state is not in equilibrium: '{chart.variable_names[worst]}' changes at a rate of "
                f"{rates[worst]:.3g} per second; equilibrate() gives a state that is, and the excitations that hold it"
            )
        )
    plain = Linearization(
        A=chart.matrix(jacobian),
        B=controls[chart.chosen],
        state_names=chart.state_names,
        input_names=tuple(system.drives.control_names),
        basis=chart.basis,
        variable_names=chart.variable_names,
        time=t,
        state=y[chart.named],
        residual=float(np.abs(rates[worst])),
        scene=Scene(system.inertial, system.set_state(t, y)),
        provenance=system.inertial.provenance(),
    )
    return plain if looped is None else closed(plain, looped, t, np.concatenate([y, looped.initial()]))


class Chart:
    """Independent state variables near a state, and the linear dependence of all state variables on these."""

    def __init__(self, system: System, t: float, y: Array) -> None:
        independent, basis = tangent_at(system, t, y)
        off = [force for force in system.model.getForceSet() if not force.appliesForce(system.state)]
        idle = {i for force in off for i in system.layout.within(force.getAbsolutePathString())}
        kept = [k for k, i in enumerate(independent.tolist()) if i not in idle]
        self.named = sorted(system.layout.order.tolist())
        self.chosen, self._basis = independent[kept], basis[:, kept]
        self.basis = self._basis[self.named]
        self.state_names = tuple(system.layout.path(i) for i in self.chosen.tolist())
        self.variable_names = tuple(system.layout.path(i) for i in self.named)

    def matrix(self, jacobian: Array) -> Array:
        """Return the state matrix (n, n) of the independent variables, given df/dy (ny, ny) of dy/dt = f."""
        return np.asarray((jacobian @ self._basis)[self.chosen])


def derivatives(system: System, t: float, y: Array, point_forces: Pushes) -> tuple[Array, Array]:
    """Return df/dy (ny, ny) and df/d(controls) (ny, nc) of dy/dt = f(y, controls), including point forces."""
    pushes = point_forces_on(system.model, point_forces)
    try:
        check_differentiable(system.inertial)
    except ModelError:
        jacobian, controls = _differenced(system, t, y)
    else:
        at = Differentiator(system, fine=True).at(t, y, controls=True)
        assert at.controls is not None
        jacobian, controls = at.jacobian.copy(), at.controls
    if point_forces:  # their generalized forces change with the pose
        inverse = constrained_inverse(system, t, y).forces
        for i in system.layout.coordinates.slots.tolist():
            change = central(lambda x: pushes(system.set_state(t, x)), y, i, PLAIN_STEP * (1 + abs(y[i])))
            jacobian[system.speeds, i] += inverse @ change
    return jacobian, controls


def _differenced(system: System, t: float, y: Array) -> tuple[Array, Array]:
    """Return df/dy and df/d(controls) by central differences of the right-hand side f."""
    J = [central(lambda x: system.rhs(t, x), y, i, PLAIN_STEP * (1 + abs(y[i]))) for i in range(len(y))]
    B = np.zeros((len(y), len(system.drives.control_names)))
    for i in range(B.shape[1]):
        ends = [system.rates_with(t, y, {i: sign * CONTROL_STEP}) for sign in (1.0, -1.0)]
        B[:, i] = (ends[0] - ends[1]) / (2 * CONTROL_STEP)
    return np.column_stack(J), B
