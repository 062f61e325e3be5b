"""Equations of motion in which mass swings: y is the plain system's, with displacements and their rates after it.

Displacements' own equations are eliminated from those of the coordinates at each state (``SwingTerms.reduced``), and
their accelerations follow from the coordinates'. (docs/theory/wobble.md)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import SimulationError, UnknownNameError
from ..._core.opensim import osim
from ...model.constraints import ConstrainedInverse, constraint_jacobian, solve_accelerations
from ...model.wobble.equations import SwingTerms
from ...model.wobble.swings import Displacement
from ...opensim_model.setups.driven_model import SWINGS
from ...options.wobble import Wobble
from ...paths.kernel.remarks import MuscleRemarks
from ...paths.kernel.terms import AddedTerms
from .problem import Problem
from .swinging import Swinging
from .system import System

__all__ = ["SwingingSystem"]

#: The rest at the start is sought in so many steps, until it changes by less than this [m].
STEPS, SETTLED = 50, 1e-14
#: Displacements [m] and their rates [m/s] are moved by this in derivatives.
STEP = 1e-2


class SwingingSystem(System):
    """A system's right-hand side with mass that swings: y has displacements and their rates at its end.

    Args:
        problem: as of :class:`~.system.System`.
        wobble: how mass swings.
        seen: as of the system.

    Attributes:
        swings: what swings.

    Raises:
        UnknownNameError, OptionError, MassError: see :func:`~opensim_inertia.model.wobble.swings_of`. MotionError,
            OptionError: tensions do not cover the time, or push.
    """

    swings: Swinging

    def __init__(self, problem: Problem, wobble: Wobble, seen: MuscleRemarks | None = None) -> None:
        super().__init__(problem, seen)
        self.swings = Swinging(self.inertial, self.state, wobble)
        self._plain = self.layout.size
        self.layout = self.layout.extended(self.swings.paths)
        self._terms: list[SwingTerms] = []
        self._following = np.zeros(0), np.zeros((0, self.nu))  # zddot at udot = 0, and what it falls by with udot
        for name in wobble.start or {}:
            if name not in self.swings.names:
                raise UnknownNameError("mass that swings", name, self.swings.names, "wobble_start")

    def driven(self, problem: Problem) -> SwingingSystem:
        """Return the equations of a problem that differs from this one's in drives only."""
        system = super().driven(problem)
        assert isinstance(system, SwingingSystem)
        system.swings = self.swings.again(system.inertial, system.state)
        return system

    def started(self, t: float, y: Array, known: Mapping[str, float]) -> Array:
        """Return a state at the start, with displacements: given ones, else known ones, else those at rest.

        Args:
            t: the time [s].
            y: the state; its displacements do not count.
            known: values by path, as another simulation ended with them.

        Raises:
            SimulationError: they find no rest. UnknownNameError: a displacement that is known is not one of these.
        """
        y = y.copy()
        parts = y[self._plain :].reshape(2, -1)
        self._settle(t, y, parts)
        for path, value in known.items():
            if path.startswith(SWINGS):
                if path not in self.swings.paths:
                    raise UnknownNameError("displacement", path, self.swings.paths, "the state at the start")
                y[self._plain + self.swings.paths.index(path)] = value
        if given := self.swings.wobble.start:
            state = self.realize(t, y)
            z, rate = (self.swings.split(part) for part in parts)
            for i, group in enumerate(self.swings.at(state)):
                drive = group.swings.drive([group.kinematics], np.zeros((1, self.nu)))
                basis = drive.body.rotation[0] @ drive.frame.basis[0]
                turning = drive.body.rotation[0] @ drive.frame.rate[0]
                for s, name in enumerate(group.swings.names):
                    if name in given:
                        d, speed = given[name]
                        z[i][s] = basis[s].T @ d
                        rate[i][s] = basis[s].T @ (speed - turning[s] @ z[i][s])
        return y

    def _settle(self, t: float, y: Array, parts: Array) -> None:
        """Put the displacements of a state where their forces balance, at rest in their frames."""
        parts[:] = 0.0
        for _ in range(STEPS):
            state = self.realize(t, y)
            mass, force = super().added_terms(state)
            groups = self.swings.at(state)
            for terms in self.swings.terms(state):
                mass, force = mass + terms.mass_matrix, force + terms.force
            udot0 = state.getUDot().to_numpy()
            udot = super().accelerations(state, udot0, self.drives.forces(state), (mass, force))
            before = parts[0].copy()
            for z, group in zip(self.swings.split(parts[0]), groups, strict=True):
                values, n = group.swings.values, group.swings.coordinates
                drive = group.swings.drive([group.kinematics], udot[None])
                coefficients = drive.coefficients(values.modal_mass)[0]
                held = coefficients[:, :n] + values.oscillator(group.tension)[0][:, None, None] * np.eye(n)
                z[:] = np.linalg.solve(held, coefficients[:, 2 * n, :, None])[..., 0]
            if np.abs(parts[0] - before).max(initial=0.0) <= SETTLED:
                return
        raise SimulationError("the wobbling masses find no rest: their forces balance nowhere near", t)

    def set_state(self, t: float, y: Array) -> osim.State:
        """Return the state at t [s] and y (ny,); the same object at every call."""
        self.swings.values = y[self._plain :].copy()
        return super().set_state(t, y[: self._plain])

    def _set_state_at_pose(self, y: Array) -> osim.State:
        self.swings.values = y[self._plain :].copy()
        return super()._set_state_at_pose(y[: self._plain])

    def added_terms(self, state: osim.State) -> AddedTerms:
        """Return additions to M (nu, nu) and to the forces (nu,) by muscles' mass and swinging masses.

        Displacements have been eliminated. The state is realized to acceleration.
        """
        mass, force = super().added_terms(state)
        self._terms = self.swings.terms(state)
        for more_mass, more_force in (terms.reduced() for terms in self._terms):
            mass, force = mass + more_mass, force + more_force
        at_rest, gain = zip(*(terms.following() for terms in self._terms), strict=True)
        self._following = np.concatenate(at_rest), np.concatenate(gain)
        return mass, force

    def _accelerations(self, state: osim.State, udot0: Array, forces: Array | None, added: AddedTerms | None) -> Array:
        if added is None:
            rigid = self.mass_matrix(state)
            if (found := self.swings.equations(state, (rigid, udot0), self.seen)) is not None:
                self._following = found.at_rest, found.gain
                force = found.force if forces is None else found.force + forces
                udot = solve_accelerations(self.model, state, found.mass_matrix, force, udot0)
                if np.isfinite(udot).all():
                    return udot
            added = self.added_terms(state)
        return super()._accelerations(state, udot0, forces, added)

    def jacobian(self, t: float, y: Array) -> Array:
        """Return df/dy (ny, ny): over displacements and their rates by their equations, else by forward differences."""
        result = super().jacobian(t, y)
        rates = self.rhs(t, y)
        if np.isfinite(rates).all() and np.isfinite(result).all():
            added, udot = self.added_terms(self.state), rates[self.speeds]
            G = constraint_jacobian(self.model, self.state)
            inverse = ConstrainedInverse(self.mass_matrix(self.state) + added[0], G)
            force, own, gain = self._over_displacements(udot)
            columns, n = slice(self._plain, None), self.swings.count
            result[self.speeds, columns] = moved = -inverse.forces @ force
            result[self._plain : self._plain + n, self._plain + n :] = np.eye(n)
            result[self.rows, columns] = own - gain.T @ moved
        return result

    def _over_displacements(self, udot: Array) -> tuple[Array, Array, Array]:
        """Return derivatives over displacements, then over their rates, with accelerations ``udot`` (nu,) held.

        They are those of generalized forces (nu, 2 n), displacements being eliminated, and of zddot (n, 2 n); and
        M_qz / mu (nu, n). Forces are quadratic in displacements, and differenced exactly.
        """
        n, at = self.swings.count, 0
        tau, own, gain = np.zeros((self.nu, 2 * n)), np.zeros((n, 2 * n)), np.zeros((self.nu, n))
        for group, terms in zip(self.swings.at(self.state), self._terms, strict=True):
            S, size = group.z.shape
            part, mu = slice(at, at + group.z.size), terms.modal_mass
            gain[:, part] = (terms.coupling / mu[:, None]).reshape(self.nu, -1)
            drive = group.swings.drive([group.kinematics], udot[None])
            moves = np.kron(np.array([[STEP], [-STEP]]), np.eye(2 * size)).reshape(2, 2 * size, 1, 1, 2, size)
            held = (group.z, group.rate, terms.accelerations(udot))
            ends = [np.broadcast_to(x, (2, 2 * size, 1, S, size)) for x in held]
            moved = Displacement(ends[0] + moves[..., 0, :], ends[1] + moves[..., 1, :], ends[2])
            flat = Displacement(*(np.ascontiguousarray(x.reshape(-1, 1, S, size)) for x in moved))
            forces = group.swings.forces([group.kinematics], drive, flat)[:, 0].reshape(2, 2, size, S, self.nu)
            slopes = (forces[0] - forces[1]) / (2 * STEP)  # by z or rate, coordinate, mass, speed
            coefficients = drive.coefficients(mu)[0]
            for which, added in enumerate(group.swings.values.oscillator(group.tension)):
                per = coefficients[:, which * size : (which + 1) * size] + added[:, None, None] * np.eye(size)
                for s in range(S):
                    rows = slice(at + s * size, at + (s + 1) * size)
                    columns = slice(which * n + rows.start, which * n + rows.stop)
                    own[rows, columns] = -per[s]
                    tau[:, columns] = slopes[which, :, s].T - mu[s] * gain[:, rows] @ per[s]
            at = part.stop
        return tau, own, gain

    @property
    def rows(self) -> slice:
        """The entries of y that are rates of displacements."""
        return slice(self._plain + self.swings.count, self.layout.size)

    def _rates(self, state: osim.State, added: AddedTerms | None = None) -> Array:
        return self._with_swings(super()._rates(state))

    def _with_swings(self, ydot: Array) -> Array:
        """Return rates with those of displacements, of the state whose terms were found last."""
        if not np.isfinite(ydot[self.speeds]).all():
            return np.full(self.layout.size, np.nan)
        at_rest, gain = self._following
        return np.concatenate([ydot, self.swings.values[self.swings.count :], at_rest - gain @ ydot[self.speeds]])
