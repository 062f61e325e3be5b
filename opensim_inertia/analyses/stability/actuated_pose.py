"""Muscles and other actuators in one pose at rest: tensions, missing moments, and costs of activations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._core.choices import COSTS
from ..._core.errors import ModelError, OptionError
from ..._core.opensim import osim
from ...dynamics.equations.muscle_derivatives import AtRest, MuscleDerivatives, MuscleRest
from ...dynamics.equations.system import System
from ...opensim_model.reading.coordinates import base_coordinates
from .linearize import tangent_at

#: Share of the largest curvature that each activation has at least, so that the optimum is one.
LEAST_CURVATURE = 1e-9


@dataclass(frozen=True)
class Cost:
    """Half a sum of squares of controls, with 1/2 F^T Q F + c^T F of the muscles' tensions F [N] in place of theirs."""

    Q: Array | None  # (with c) (m, m) and (m,); None: the activations' own squares
    c: Array
    centre: Array  # controls (n,) from which squares are taken

    def near(self, x: Array, tensions: Array, slopes: Array) -> tuple[Array, Array]:
        """Return curvature and gradient, of activations x, where tensions (m,) have slopes (m,) at ``x``."""
        n, m = len(x), len(tensions)
        curvature, gradient = np.ones(n), -self.centre
        if self.Q is None:
            return curvature, gradient
        matrix = np.eye(n)
        matrix[:m, :m] = slopes[:, None] * self.Q * slopes
        gradient = np.r_[slopes * (self.Q @ (tensions - slopes * x[:m]) + self.c), gradient[m:]]
        size = float(np.abs(np.diag(matrix)).max(initial=1e-300))
        return matrix + LEAST_CURVATURE * size * np.eye(n), gradient


def cost_of(cost: Any, strengths: Array, n: int) -> Cost:
    """Return the cost of n controls: one of ``COSTS``, or (Q, c), of muscles of some strengths (m,) [N]."""
    m = len(strengths)
    none, centre = np.zeros(m), np.zeros(n)
    if isinstance(cost, str) and cost in COSTS:
        Q = {"activation": None, "stress": np.diag(strengths**-2.0), "force": np.eye(m)}[cost]
        return Cost(Q, none, centre)
    expected = (
        f"'activation', 'stress', 'force', or (Q, c): a symmetric, positive semidefinite Q ({m}, {m}) and c ({m},)"
    )
    if isinstance(cost, str) or not isinstance(cost, Sequence) or len(cost) != 2:
        raise OptionError("cost", cost, expected)
    try:
        Q, c = (np.asarray(part, dtype=float) for part in cost)
    except (TypeError, ValueError):
        raise OptionError("cost", cost, expected) from None
    right = Q.shape == (m, m) and c.shape == (m,) and np.isfinite(Q).all() and np.isfinite(c).all()
    if (
        not right
        or not np.allclose(Q, Q.T)
        or np.linalg.eigvalsh(Q).min(initial=0.0) < -1e-12 * np.abs(Q).max(initial=0.0)
    ):
        raise OptionError("cost", cost, expected)
    return Cost(Q, c, centre)


#: Step of activations for the slope of tensions.
STEP = 1e-5
#: How much of its weight may act on a base that floats, besides gravity.
NOTHING = 1e-6


class Balance(NamedTuple):
    """Actuators at rest."""

    at: AtRest  # the state, and the controls that keep it
    tensions: Array  # of the muscles (m,) [N]
    missing: Array  # generalized forces on the independent coordinates that would hold the pose (d,) [N m or N]
    udot: Array  # accelerations (nu,)


class ActuatedPose:
    """A pose with all that can hold it.

    Attributes:
        muscles: names of the muscles that act; ``others``: of the other actuators' controls.
        lower, upper: least and largest activations of muscles, then controls of others (n,).
        strengths: largest isometric forces of the muscles (m,) [N].
        coordinates: names of the independent coordinates (d).
    """

    def __init__(self, system: System, t: float, y: Array) -> None:
        self.system, self.t, self._y = system, t, y
        self._derivatives = MuscleDerivatives(system)
        self._rest = MuscleRest(system, self._derivatives)
        muscles = self._derivatives.muscles
        self.muscles = tuple(m.getName() for m in muscles)
        controls = system.drives.control_names
        self._others = [i for i in range(len(controls)) if i not in self._derivatives.controls]
        scalars = filter(None, map(osim.ScalarActuator.safeDownCast, list(system.model.getActuatorList())))
        acting = [scalar for scalar in scalars if scalar.appliesForce(system.state)]
        bounds = {scalar.getName(): (scalar.getMinControl(), scalar.getMaxControl()) for scalar in acting}
        self._others = [i for i in self._others if controls[i] in bounds]
        self.others = tuple(controls[i] for i in self._others)
        every = np.vstack([self._rest.bounds, np.array([bounds[name] for name in self.others]).reshape(-1, 2)])
        self.lower, self.upper = every.T.copy()
        self.strengths = np.array([m.getMaxIsometricForce() for m in muscles])
        for name, low, high in zip(self.names, self.lower, self.upper, strict=True):
            if not low <= high:
                raise ModelError(
                    f"actuator '{name}' has a least activation or control {low:g} above its largest {high:g}"
                )
        tangent = tangent_at(system, t, y)
        free = [k for k, i in enumerate(tangent.independent.tolist()) if system.nq <= i < system.nq + system.nu]
        self._along = tangent.basis[system.speeds][:, free]
        self.coordinates = tuple(system.layout.coordinate_names[tangent.independent[k] - system.nq] for k in free)
        state = system.realize(t, y)
        self._mass = system.mass_matrix(state) + system.added_terms(state)[0]
        self._toward = self._derivatives.moment_arms(state) @ self._along
        self._of_others: Array | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all n actuators, muscles first."""
        return self.muscles + self.others

    def balance(self, x: Array) -> Balance:
        """Return what activations and controls x (n,) do; errors are those of :meth:`MuscleRest.at`."""
        m = len(self.muscles)
        return self._evaluated(
            self._rest.at(self.t, self._y, x[:m], dict(zip(self._others, x[m:].tolist(), strict=True)))
        )

    def _evaluated(self, at: AtRest) -> Balance:
        system = self.system
        state = system.realize(self.t, at.y, at.changes)
        udot0 = state.getYDot().to_numpy()[system.speeds]
        udot = system.accelerations(state, udot0, system.drives.forces(state))
        return Balance(at, self._derivatives.tensions(state), -self._along.T @ (self._mass @ udot), udot)

    def floating_base(self) -> tuple[str, ...]:
        """Return the coordinates of the joint by which the whole model moves, if nothing but gravity acts on it.

        They are six, or three in a plane. There are none where an actuator, a contact, a constraint or a lock acts on
        them, or where there is no gravity.
        """
        system, table = self.system, self.system.inertial.coordinates
        on_base = zip(table.names, base_coordinates(system.model, table), strict=True)
        names = tuple(name for name, is_base in on_base if is_base)
        if len(names) not in (3, 6) or not set(names) <= set(self.coordinates):
            return ()
        places = [self.coordinates.index(name) for name in names]
        shifts = [k for k, name in zip(places, names, strict=True) if table.translational[table.index(name)]]
        carried = float(np.diag(self._along.T @ self._mass @ self._along)[shifts].max(initial=0.0))  # [kg]
        weight = carried * float(np.linalg.norm(system.model.getGravity().to_numpy()))
        x = np.clip(np.zeros(len(self.names)), self.lower, self.upper)
        there = self.balance(x)
        acting = np.abs(self.slopes(x, there)[1][places]).max(initial=0.0)
        other = abs(float(np.linalg.norm(there.missing[shifts])) - weight)
        alone = np.count_nonzero(self._along[:, places]) == len(places)
        return names if alone and max(acting, other) < NOTHING * weight else ()

    def fibre_lengths(self) -> Array:
        """Return fibre lengths (m,) [m] in the state that was balanced last."""
        return np.array([m.getFiberLength(self.system.state) for m in self._derivatives.muscles])

    def slopes(self, x: Array, there: Balance) -> tuple[Array, Array]:
        """Return the tensions' slopes over activations (m,), and what changes the missing moments, negated (d, n)."""
        m = len(self.muscles)
        step = np.where(x[:m] + STEP <= self.upper[:m], STEP, -STEP)
        moved = x.copy()
        moved[:m] += step
        slopes = (self.balance(moved).tensions - there.tensions) / step
        return slopes, np.hstack([(slopes[:, None] * self._toward).T, self._effect_of_others(there)])

    def _effect_of_others(self, there: Balance) -> Array:
        """Return generalized forces on independent coordinates per unit of control (d, others): they are linear."""
        if self._of_others is None:
            at, of = there.at, there.at.changes
            raised = [self._evaluated(at._replace(changes={**of, i: of[i] + 1.0})) for i in self._others]
            columns = [there.missing - each.missing for each in raised]
            self._of_others = np.array(columns).reshape(-1, len(self.coordinates)).T
        return self._of_others
