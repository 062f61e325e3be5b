"""Derivatives of the equations of motion at a state.

At constant accelerations a, constraint multipliers and muscle tensions F, the residual of the equations of motion is

    r(q, u; F) = ID(q, u, a; F) + (dM a - h - g_m)(q, u) + G(q)^T lambda,

with OpenSim's inverse dynamics ID. Then da = -P dr, with the inverse P of M + dM on the constraints. Terms of sliding
muscles are differentiated exactly, along the rates of OpenSim's kinematics; ID is differentiated by differences.
Tensions are differentiated for all muscles at once (``muscle_derivatives``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import ModelError, SimulationError
from ..._core.opensim import osim
from ...model import InertialModel
from ...model.constraints import ConstrainedInverse, constraint_jacobian
from ...opensim_model.reading.components import model_muscles
from ...opensim_model.reading.kinematics import StateDirections, StateKinematics
from .muscle_derivatives import MuscleDerivatives
from .system import (
    CONTROL_STEP,
    COORDINATE_STEP,
    FINE_STEP,
    PROJECTION_STEP,
    SPEED_STEP,
    STATE_STEP,
    System,
    central,
    shifted,
)

#: Controllers that depend on time only.
FOLLOW_TIME = ("PrescribedController", "ControlSetController")


def check_differentiable(inertial: InertialModel) -> None:
    """Raise :class:`ModelError` if a path or controller of the model is not differentiable."""
    opensim_paths = inertial.wraps.opensim
    if opensim_paths:
        names = ", ".join(f"'{name}'" for name in opensim_paths)
        raise ModelError(
            f"gradients need paths in closed form, but {names} pass their wraps as OpenSim's own path "
            "(wrapping 'opensim'); give them no mass, or use wrapping='analytic'"
        )
    for component in list(inertial.model.getComponentsList()):
        controller = osim.Controller.safeDownCast(component)
        if controller is None or not controller.isEnabled():
            continue
        if controller.getConcreteClassName() not in FOLLOW_TIME:
            raise ModelError(
                f"controller '{controller.getName()}' ({controller.getConcreteClassName()}) may follow the state, "
                "which gradients do not; disable it, and give excitations as functions of time"
            )


@dataclass(frozen=True, eq=False)
class Derivatives:
    """Derivatives of the right-hand side dy/dt = f(t, y) at one state."""

    jacobian: Array  # df/dy (ny, ny)
    controls: Array | None  # df/d(controls) (ny, nc), in the model's order; None if not requested
    compliance: Array  # d(udot)/d(generalized forces) (nu, nu), symmetric
    arms: Array  # generalized forces per unit of muscle tension (m, nu)
    kinematics: StateKinematics  # at the state
    udot: Array  # accelerations (nu,)
    speeds: slice  # indices of the speeds in y

    def force_vjp(self, cotangent: Array) -> Array:
        """Return the cotangent (nu,) of generalized forces, given the cotangent (ny,) of dy/dt."""
        return np.asarray(self.compliance @ cotangent[self.speeds])


class _Residual(NamedTuple):
    """Quantities to differentiate: residual forces, constraint errors, path lengths and speeds, body kinematics."""

    force: Array
    constraint: Array
    lengths: Array
    jacobian: Array
    bias: Array
    simbody_bias: Array


def _difference(residual: Callable[[Array], _Residual], x: Array, i: int, step: float, fine: bool) -> _Residual:
    """Return d(residual)/d(x[i]) from central differences, of fourth order if ``fine``."""

    def rate(step: float) -> _Residual:
        plus, minus = residual(shifted(x, i, step)), residual(shifted(x, i, -step))
        return _Residual(*((forward - backward) / (2 * step) for forward, backward in zip(plus, minus, strict=True)))

    if not fine:
        return rate(step)
    near, far = rate(FINE_STEP * step), rate(2 * FINE_STEP * step)
    return _Residual(*((4 * one - two) / 3 for one, two in zip(near, far, strict=True)))


class Differentiator:
    """Differentiator of a system's right-hand side."""

    def __init__(self, system: System, fine: bool = False) -> None:
        """Find indices of coordinates, speeds, muscle and other states in y, and of muscle and other controls."""
        self._fine = fine
        self.system, self.model = system, system.model
        self.nq, self.nu, self.ny = system.nq, system.nu, system.layout.size
        self._speeds = system.speeds
        self._slots = system.layout.coordinates.slots
        self._matter = self.model.getMatterSubsystem()
        self._inverse_dynamics = osim.InverseDynamicsSolver(self.model)
        self._constrained = system.state.getNUDotErr() > 0
        self._carries_mass = len(system.inertial.muscle_names) > 0
        self._muscles = MuscleDerivatives(system)
        self._override_state = self._muscles.with_overridden_tensions(system.state)
        muscle_entries = {row for rows in self._muscles.state_entries for row in rows}
        self._other_entries = [i for i in range(self.nq + self.nu, self.ny) if i not in muscle_entries]
        muscles = set(model_muscles(self.model))
        self._motors = [i for i, name in enumerate(system.drives.control_names) if name not in muscles]

    def at(self, t: float, y: Array, controls: bool = False) -> Derivatives:
        """Return the derivatives at t [s] and y (ny,), with derivatives with respect to controls if ``controls``."""
        pose_and_speeds = slice(0, self.nq + self.nu)
        state = self.system.realize(t, y)
        kinematics = self.system.inertial.kinematics.read(state, realized=True)
        added = self.system.added_terms(state)
        forces = self.system.drives.forces(state)
        rates = state.getYDot().to_numpy()
        a = self.system.accelerations(state, rates[self._speeds], forces, added)
        if not np.isfinite(a).all() or not np.isfinite(rates).all():
            raise SimulationError("the equations of motion are not finite", t)
        G = constraint_jacobian(self.model, state)
        inverse = ConstrainedInverse(self.system.mass_matrix(state) + added[0], G)
        to_rates, to_speeds = self.system.coordinate_maps(state)
        tension = self._muscles.tensions(state)
        lengthening = self._muscles.lengthening(self._override_state, y)
        arms = self._muscles.moment_arms(self._override_state)
        dr, dc, (dlength, dspeed) = self._move_kinematics(t, y, tension, a, forces, kinematics, G, inverse, to_speeds)
        J = np.zeros((self.ny, self.ny))
        J[: self.nq, self._speeds] = to_rates
        if self.nq != self.nu:
            J[: self.nq, : self.nq] = self._rates_over_coordinates(y)
        J[self._speeds, pose_and_speeds] = -(inverse.forces @ dr + inverse.constraints @ dc)
        dspeed[:, self.nq :] = lengthening
        over_length, over_speed, over_states = self._muscles.at(t, y, lengthening)
        toward = inverse.forces @ arms.T  # accelerations per unit of tension
        over = over_length[:, :, None] * dlength[:, None] + over_speed[:, :, None] * dspeed[:, None]
        J[self._speeds, pose_and_speeds] += toward @ over[:, 0]
        for i, rows in enumerate(self._muscles.state_entries):
            J[rows, pose_and_speeds] += over[i, 1 : 1 + len(rows)]
            for k, column in enumerate(rows):
                J[self._speeds, column] += toward[:, i] * over_states[i, k, 0]
                J[rows, column] += over_states[i, k, 1 : 1 + len(rows)]
        for column in self._other_entries:
            step = STATE_STEP * (1 + abs(y[column]))
            J[:, column] = central(lambda x: self.system.rhs(t, x), y, column, step)
        B = self._over_controls(t, y, toward, inverse, a) if controls else None
        return Derivatives(J, B, inverse.forces, arms, kinematics, a, self._speeds)

    def _move_kinematics(
        self,
        t: float,
        y: Array,
        tension: Array,
        a: Array,
        forces: Array | None,
        kinematics: StateKinematics,
        G: Array,
        inverse: ConstrainedInverse,
        to_speeds: Array,
    ) -> tuple[Array, Array, Array]:
        """Return derivatives of forces, constraint errors and path lengths with respect to q and u.

        Forces are (nu, nq + nu), errors (m, nq + nu), path lengths and their rates (2, muscles, nq + nu), zero for u;
        tensions [N] are constant.
        """
        nq, width = self.nq, self.nq + self.nu
        override_state = self._override_state
        self._muscles.override_tensions(override_state, tension)
        override_state.setTime(t)
        override_state.setY(osim.Vector.createFromMat(y))
        udot = osim.Vector.createFromMat(a)
        multipliers = np.zeros(0)
        if self._constrained:
            residual_forces = self._residual(override_state, udot, a, multipliers, G, True).force
            evaluation, seen = self.system.inertial.evaluation, self.system.seen
            residual_forces = residual_forces + evaluation.inverse([kinematics], a[None], seen=seen)[0]
            residual_forces = residual_forces - (0.0 if forces is None else forces)
            multipliers = inverse.multipliers(-residual_forces)
        dr, dc = np.zeros((self.nu, width)), np.zeros((len(G), width))
        dlengths = np.zeros((2, len(tension), width))
        along = StateDirections.zero(width, kinematics)
        coordinates, speeds = y[:nq], y[self._speeds]
        for j in range(width):
            moves_speed = j >= nq
            set_part = override_state.setU if moves_speed else override_state.setQ
            part, entry = (speeds, j - nq) if moves_speed else (coordinates, j)
            h = (SPEED_STEP if moves_speed else COORDINATE_STEP) * (1 + abs(y[j]))

            def residual(x: Array, set_part: Any = set_part, same_pose: bool = moves_speed) -> _Residual:
                set_part(osim.Vector.createFromMat(x))
                return self._residual(override_state, udot, a, multipliers, G, same_pose)

            rate = _difference(residual, part, entry, h, self._fine)
            dr[:, j], dc[:, j], dlengths[:, :, j] = rate.force, rate.constraint, rate.lengths
            along.jacobian[j], along.bias[j], along.simbody_bias[j] = rate.jacobian, rate.bias, rate.simbody_bias
            if j == nq - 1:
                override_state.setQ(osim.Vector.createFromMat(coordinates))
        if self._carries_mass:
            along.q[self._slots, np.arange(self.nu)] = 1.0
            along.u[nq:] = np.eye(self.nu)
            along.twist[:nq] = (kinematics.jacobian @ to_speeds).T.reshape(nq, -1, 6)
            dr += self.system.inertial.evaluation.inverse_along(kinematics, a, along).T
        return dr, dc, dlengths

    def _residual(
        self, state: osim.State, udot: osim.Vector, a: Array, multipliers: Array, G: Array, same_pose: bool
    ) -> _Residual:
        """Return the :class:`_Residual` at accelerations a, without path lengths and body Jacobian if ``same_pose``."""
        nothing = np.zeros(())
        if self._motors:
            self.system.drives.set_controls(self.model, state)
        force = self._inverse_dynamics.solve(state, udot).to_numpy().copy()
        self.model.realizeVelocity(state)
        constraint = np.zeros(len(G))
        if self._constrained:
            of_constraints = osim.Vector()
            self._matter.calcBiasForAccelerationConstraints(state, of_constraints)
            constraint_rows = G if same_pose else constraint_jacobian(self.model, state)
            constraint = constraint_rows @ a + of_constraints.to_numpy()
            if len(multipliers):
                force += constraint_rows.T @ multipliers
        lengths = nothing if same_pose else self._muscles.lengths(state)
        jacobian = bias = simbody_bias = nothing
        if self._carries_mass:
            at = self.system.inertial.kinematics.read(state, realized=True)
            bias, simbody_bias, jacobian = at.bias, at.simbody_bias, nothing if same_pose else at.jacobian
        return _Residual(force, constraint, lengths, jacobian, bias, simbody_bias)

    def _rates_over_coordinates(self, y: Array) -> Array:
        """Return d(qdot)/dq (nq, nq) at constant speeds."""

        def rates(q: Array) -> Array:
            self._override_state.setQ(osim.Vector.createFromMat(q))
            self.model.realizePosition(self._override_state)
            return np.asarray(self.system.coordinate_maps(self._override_state)[0] @ y[self._speeds])

        result = np.zeros((self.nq, self.nq))
        for j in self._slots.tolist():
            result[:, j] = central(rates, y[: self.nq], j, COORDINATE_STEP)
        return result

    def _over_controls(self, t: float, y: Array, toward: Array, inverse: ConstrainedInverse, a: Array) -> Array:
        """Return derivatives (ny, nc) of dy/dt with respect to controls."""
        B = np.zeros((self.ny, self.model.getNumControls()))
        muscles = self._muscles.over_controls(t, y, CONTROL_STEP)
        for i, (rows, control) in enumerate(zip(self._muscles.state_entries, self._muscles.controls, strict=True)):
            B[self._speeds, control] = toward[:, i] * muscles[i, 0]
            B[rows, control] = muscles[i, 1 : 1 + len(rows)]
        udot = osim.Vector.createFromMat(a)
        for control in self._motors:
            ends = []
            for sign in (1.0, -1.0):
                self._override_state.setY(osim.Vector.createFromMat(y))
                self.system.drives.set_controls(self.model, self._override_state, {control: sign * CONTROL_STEP})
                ends.append(self._inverse_dynamics.solve(self._override_state, udot).to_numpy().copy())
            B[self._speeds, control] = -inverse.forces @ (ends[0] - ends[1]) / (2 * CONTROL_STEP)
        return B


#: Errors of position constraints [m or rad] up to this are corrected by a constant matrix.
SMALL = 1e-9


class Projection:
    """Adjoint of ``System.project``, which projects coordinates and speeds onto constraints in the mass metric."""

    def __init__(self, system: System, add: Callable[[float, Array, Array, Array], None]) -> None:
        """``add(t, q, correction, cotangent)`` adds the mass matrix's effect to gradients by parameters."""
        self.system, self.model, self._add = system, system.model, add

    def vjp(self, t: float, y: Array, cotangent: Array) -> Array:
        """Return the cotangent (ny,) of y before projection, given the cotangent of y after projection."""
        if not self.system.is_constrained:
            return cotangent
        poses = self.system.poses_on_the_way(t, y)
        nq, nu = self.system.nq, self.system.nu
        result = cotangent.copy()
        speeds, onto, compliance = self._projected_speeds(t, poses[-1], y[nq : nq + nu])
        self._add(t, poses[-1], speeds - y[nq : nq + nu], compliance @ result[nq : nq + nu])
        over_pose = self._speeds_over_pose(t, poses[-1], y[nq : nq + nu])
        result[:nq] += over_pose.T @ result[nq : nq + nu]
        result[nq : nq + nu] = onto.T @ result[nq : nq + nu]
        for pose in reversed(poses):  # the last step corrects nothing, but follows the pose along the constraints
            error, inverse, rates, jacobian = self._correction(t, pose)
            force = inverse.forces @ (rates.T @ result[:nq])
            self._add(t, pose, -inverse.constraints @ error, force)
            change = np.eye(nq) - rates @ inverse.constraints @ jacobian
            if np.abs(error).max(initial=0.0) > SMALL:
                for i, h in enumerate(PROJECTION_STEP * (1 + np.abs(pose))):
                    change[:, i] -= central(partial(self._gain_times, error, t), pose, i, h)
            result[:nq] = change.T @ result[:nq]
        return result

    def _correction(self, t: float, q: Array) -> tuple[Array, ConstrainedInverse, Array, Array]:
        """Return constraint errors (m,), mass matrix's constrained inverse, N in qdot = N u, d(errors)/dq (m, nq)."""
        state = self.system.pose(t, q)
        error = state.getQErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        rates, speeds = self.system.coordinate_maps(state)
        return error, ConstrainedInverse(self.system.mass_matrix(state), rows), rates, rows @ speeds

    def _gain_times(self, error: Array, t: float, q: Array) -> Array:
        """Return the change (nq,) of pose q that a Newton step subtracts for constraint errors ``error`` (m,)."""
        _, inverse, rates, _ = self._correction(t, q)
        return rates @ inverse.constraints @ error

    def _speeds_over_pose(self, t: float, q: Array, u: Array) -> Array:
        """Return d(projected u)/dq (nu, nq) at a projected pose."""
        steps = enumerate(PROJECTION_STEP * (1 + np.abs(q)))
        return np.column_stack([central(lambda x: self._projected_speeds(t, x, u)[0], q, i, h) for i, h in steps])

    def _projected_speeds(self, t: float, q: Array, u: Array) -> tuple[Array, Array, Array]:
        """Return projected speeds (nu,), d(projected u)/du (nu, nu), and the mass matrix's constrained inverse."""
        state = self.system.pose(t, q, u)
        self.model.realizeVelocity(state)
        error = state.getUErr().to_numpy().copy()
        rows = constraint_jacobian(self.model, state)[: len(error)]
        inverse = ConstrainedInverse(self.system.mass_matrix(state), rows)
        return u - inverse.constraints @ error, np.eye(len(u)) - inverse.constraints @ rows, inverse.forces
