"""Swinging masses: bellies that swing across their paths, and masses on springs attached to segments.

A belly's displacement across its chord is ``d = R E z``: R maps its body frame to ground, and the columns of E (3, 2)
span the plane across the chord. Masses on springs have E = 1. With x = sum of m phi X, mu = sum of m phi^2, s = sum of
m phi, and w = xddot + mu dddot - s g (docs/theory/wobble.md) Lagrange's equations are

* of z: ``E^T w + k z + c zdot = 0``, a linear equation with coefficients from the motion;
* of q: ``(dx/dq)^T dddot + (dd/dq)^T w`` is added to the generalized forces of the motion.

A belly's mode is ``phi = sin(n pi c)`` with ``c = w chi + (1 - w) xi`` and the aponeurosis share w of its length B. A
tension F adds the stiffness ``pi^2 F / (2 B)``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.checks import check_names, warn
from .._core.diagnostics import raise_or_warn
from .._core.errors import MotionError, OptionError
from .._core.opensim import osim
from .._core.provenance import describe_source
from .._core.rotations import cross_matrices
from .._core.warnings import InputWarning
from .._kernel import State, SwingInertia, Swinging
from ..files.tables import check_unique, checked_numbers, load_table, without_repeats
from ..muscles.masses.donors import main_segment
from ..muscles.masses.table import DAMPING, FREQUENCY, swing_values
from ..opensim_model.reading.components import model_muscles
from ..opensim_model.reading.kinematics import StateKinematics, SystemArrays, stacked
from ..opensim_model.reading.recorded_table import check_spelling
from ..options.recording import Wobble, WobblingMass
from ..paths.kernel.evaluation import Evaluation, named
from ..paths.kernel.remarks import MuscleRemarks
from .model import InertialModel

if TYPE_CHECKING:
    import pandas as pd


class Values(NamedTuple):
    """Constants of S swinging masses, one array (S,) per constant."""

    modal_mass: Array  # mu, sum of m phi^2 [kg]
    moment: Array  # s, sum of m phi [kg]
    stiffness: Array  # k without tension [N/m]
    by_tension: Array  # increase of k with tension [1/m]
    damping: Array  # fraction of critical damping

    def oscillator(self, tension: Array | float = 0.0) -> tuple[Array, Array]:
        """Return each mass's stiffness [1/s^2] and damping [1/s], per modal mass, at muscle tensions (..., S) [N]."""
        k = (self.stiffness + self.by_tension * tension) / self.modal_mass
        return k, 2.0 * self.damping * np.sqrt(k)

    def frequency(self, tension: Array | float = 0.0) -> Array:
        """Return undamped natural frequencies [Hz] at muscle tensions (..., S) [N]."""
        return np.asarray(np.sqrt(self.oscillator(tension)[0]) / (2.0 * np.pi))


class SwingAnswers(NamedTuple):
    """Generalized forces of swinging masses for several sets of displacements at T states."""

    each: Array  # generalized forces by mass, first set (T, S, nu)
    summed: Array  # total generalized forces (sets, T, nu)
    displacements: Array  # first set, in ground [m] (T, S, 3)


@dataclass(frozen=True, eq=False)
class Swings:
    """S swinging masses; each has ``coordinates`` displacement coordinates in a body's frame."""

    names: tuple[str, ...]  # of muscles or masses on springs
    muscles: NDArray[np.intp]  # (S,), indices of muscles; -1 for masses on springs
    bodies: NDArray[np.intp]  # (S,), indices of bodies
    shares: Array  # (S,), aponeurosis share of belly length at the reference pose
    centres: Array  # (S, 3), chord directions at the reference pose, or rest positions [m]
    axes: Array  # (S, 3, 3), rows are axes: bellies use the first two, masses all three
    values: Values  # constants
    gravity: Array  # (3,) [m/s^2]
    coordinates: ClassVar[int]  # per displacement

    def coefficients(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return K, C, b (T, S, 2 n + 1, n): ``z'' = -(K + k) z - (C + c) z' + b``, offset z, spring k, damper c."""
        raise NotImplementedError

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return forces at y (sets, T, S, n displacements + n rates); k, c: stiffness, damping per modal mass."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class SwingingMuscles(Swings):
    """Bellies that swing across their paths, with two displacement coordinates each."""

    evaluation: Evaluation  # of the muscles
    coordinates: ClassVar[int] = 2

    @cached_property
    def _kernel(self) -> Swinging:
        constants = np.zeros((len(self.names), 6))
        constants[:, :3] = np.column_stack([self.shares, self.values.modal_mass, self.values.moment])
        numbers = self.muscles.tolist(), self.bodies.tolist()
        return Swinging(self.evaluation.kernel, *numbers, constants, self.centres, self.axes)

    def _call(self, name: str, states: Sequence[StateKinematics], *arrays: Array) -> list[Array]:
        """Return the arrays of the kernel's method ``name`` at states, without the kernel's remarks."""
        call, contiguous = getattr(self._kernel, name), [np.ascontiguousarray(array) for array in arrays]
        return list(self.evaluation.call(lambda at: call(at, *contiguous), states, self.muscles.tolist())[:-1])

    def coefficients(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return K, C and b of :meth:`Swings.coefficients` for n = 2 coordinates, (T, S, 5, 2), from the kernel."""
        return self._call("equations", states, udot)[0]

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return generalized forces of :meth:`Swings.answers`, from the kernel."""
        return SwingAnswers(*self._call("answers", states, udot, y, k, c))


@dataclass(frozen=True, eq=False)
class SwingingMasses(Swings):
    """Masses on springs; each moves along the three axes of a segment."""

    coordinates: ClassVar[int] = 3

    def coefficients(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return K, C and b of :meth:`Swings.coefficients` for n = 3 coordinates, (T, S, 7, 3)."""
        at = stacked(states)
        rows = at.jacobian.reshape(len(udot), -1, 6, udot.shape[1])[:, self.bodies]
        spatial = np.einsum("tsin,tn->tsi", rows, udot) + at.bias[:, self.bodies]
        inward = np.swapaxes(at.rotation[:, self.bodies], -1, -2)
        omega = _times(inward, np.einsum("tsin,tn->tsi", rows[:, :, :3], at.u))
        W, dW = cross_matrices(omega), cross_matrices(_times(inward, spatial[..., :3]))
        K = dW + W @ W
        falls = _times(inward, spatial[..., 3:] - self.gravity) + _times(K, self.centres)
        b = -(self.values.moment / self.values.modal_mass)[:, None] * falls
        return np.concatenate([K, 2.0 * W, b[..., None, :]], axis=-2)

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return the forces of :meth:`Swings.answers`, for n = 3 displacement coordinates, y (sets, T, S, 6)."""
        z, at = y[..., :3], stacked(states)
        pulled = k[..., None] * z + c[..., None] * y[..., 3:]
        accelerated = self.coefficients(states, udot)[..., 6, :] - pulled  # dddot in body axes
        force = self.values.moment[:, None] * accelerated
        moment = np.cross(self.centres, force) - np.cross(z, self.values.modal_mass[:, None] * pulled)
        rotation = at.rotation[:, self.bodies]
        wrench = np.concatenate([_times(rotation, moment), _times(rotation, force)], axis=-1)
        rows = at.jacobian.reshape(len(udot), -1, 6, udot.shape[1])[:, self.bodies]
        forces = np.einsum("tsin,...tsi->...tsn", rows, wrench)
        return SwingAnswers(forces[0], forces.sum(axis=2), _times(rotation, z[0]))


def _times(matrices: Array, vectors: Array) -> Array:
    """Return products (..., m) of matrices (..., m, n) and vectors (..., n)."""
    return np.asarray((matrices @ vectors[..., None])[..., 0])


def swings_of(inertial: InertialModel, wobble: Wobble, bodies: Sequence[str] = ()) -> tuple[Swings, ...]:
    """Return a model's swinging masses: bellies, then masses on segments."""
    groups: list[Swings] = []
    if wobble.bellies and inertial.muscle_names:
        groups.append(_muscles(inertial, wobble))
    if wobble.masses:
        groups.append(_masses(inertial, wobble.masses, bodies or inertial.evaluation.bodies))
    return tuple(groups)


#: Equations of motion without displacements: M + dM - M_qz / mu M_qz^T (nu, nu); force (nu,); accelerations of the n
#: displacement coordinates at udot = 0, and their decrease per udot (n, nu).
EliminatedEquations = tuple[Array, Array, Array, Array]


def swing_equations(
    inertial: InertialModel, groups: Sequence[Swings], bodies: Sequence[str]
) -> Callable[[SystemArrays, tuple[Array, Array], Array, Array, float, MuscleRemarks], EliminatedEquations]:
    """Return a function that computes, in the kernel, the equations of motion with swinging masses at a state.

    Its arguments: a state's arrays, M and udot without muscle mass, z (2, n), tensions [N], time [s], and a collector.
    """
    evaluation = inertial.evaluation
    if len(bodies) > len(evaluation.bodies):
        evaluation = replace(inertial.assembly, bodies=tuple(bodies), kinematics=None).evaluation
    muscles, bodies_in, constants, centres, axes = (
        np.concatenate(each)
        for each in zip(
            *((g.muscles, g.bodies, np.column_stack([g.shares, *g.values]), g.centres, g.axes) for g in groups),
            strict=True,
        )
    )
    kernel = SwingInertia(evaluation.kernel, muscles.tolist(), bodies_in.tolist(), constants, centres, axes)

    def equations(
        arrays: SystemArrays,
        rigid: tuple[Array, Array],
        z: Array,
        tension: Array,
        time: float,
        seen: MuscleRemarks,
    ) -> EliminatedEquations:
        mass, force, at_rest, gain, remarks = named(kernel.equations, State.of_system(*arrays), *rigid, z, tension)
        evaluation.note_at(seen, remarks, [time])
        return mass, force, at_rest, gain

    return equations


def described_wobble(inertial: InertialModel, wobble: Wobble) -> dict[str, Any]:
    """Return the options ``wobble`` and the mass table's frequencies and dampings by muscle, for provenance."""
    given = swing_values(inertial.mass_table)
    table = {name: given[name] for name in inertial.muscle_names if name in given}
    return {**wobble.described(describe_source), "by the mass table": table}


def _muscles(inertial: InertialModel, wobble: Wobble) -> SwingingMuscles:
    if not inertial.options.is_continuous:
        raise OptionError("distribution", inertial.options.distribution, "'continuous' where bellies swing")
    which = [n for n, name in enumerate(inertial.muscle_names) if name not in inertial.muscles.explicit]
    names = [inertial.muscle_names[n] for n in which]
    kinematics = inertial.dynamics.read(inertial.reference_state())._replace(u=np.zeros(len(inertial.coordinate_names)))
    lengths = inertial.evaluation.lengths(kinematics)[which]
    shares = 1.0 - lengths[:, 2] / lengths[:, 1]
    donors, paths = inertial.muscles.donors, inertial.muscles.paths
    segments = [main_segment(donors[name]) if donors[name] else paths[name].points[0].body for name in names]
    bodies = np.array([inertial.evaluation.bodies.index(segment) for segment in segments], dtype=np.intp)
    ends = [inertial.evaluation.material_points(kinematics, n, [(0.0, 0.0), (1.0, 1.0)], False)[0] for n in which]
    chord = np.einsum("sji,sj->si", kinematics.rotation[bodies], np.diff(np.reshape(ends, (-1, 2, 3)), axis=1)[:, 0])
    direction = chord / np.linalg.norm(chord, axis=1, keepdims=True)
    mass = np.array([inertial.muscles.masses[name] for name in names])
    modal_mass = mass * 0.5 * (1.0 + np.sinc(shares) * np.sinc(1.0 - shares))
    given = swing_values(inertial.mass_table)
    frequency = np.array([given.get(name, {}).get(FREQUENCY, wobble.frequency) for name in names])
    damping = np.array([given.get(name, {}).get(DAMPING, wobble.damping) for name in names])
    values = Values(
        modal_mass,
        mass * np.sinc(0.5 * shares) * np.sinc(0.5 * (1.0 - shares)),
        modal_mass * (2.0 * np.pi * frequency) ** 2,
        0.5 * np.pi**2 / lengths[:, 1],
        damping,
    )
    first = np.cross(direction, np.eye(3)[np.abs(direction).argmin(axis=-1)])
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    axes = np.stack([first, np.cross(direction, first), direction], axis=1)
    gravity = inertial.model.getGravity().to_numpy().copy()
    at = (np.array(which, dtype=np.intp), bodies, shares, direction, axes, values, gravity)
    return SwingingMuscles(tuple(names), *at, evaluation=inertial.evaluation)


def _masses(inertial: InertialModel, masses: Sequence[WobblingMass], read: Sequence[str]) -> SwingingMasses:
    segments = [body.getName() for body in inertial.model.getBodySet()]
    check_names("segment", [mass.body for mass in masses], segments, "the model (for a wobbling mass)")
    kilograms = np.array([mass.mass for mass in masses])
    stiffness = np.array([mass.stiffness for mass in masses])
    critical = 2.0 * np.sqrt(stiffness * kilograms)
    values = Values(
        kilograms, kilograms, stiffness, np.zeros(len(masses)), np.array([mass.damping for mass in masses]) / critical
    )
    bodies = np.array([list(read).index(mass.body) for mass in masses], dtype=np.intp)
    centres = np.array([mass.centre for mass in masses])
    names = tuple(mass.name or f"wobbling mass on {mass.body}" for mass in masses)
    for i, name in enumerate(names):
        if name in names[:i]:
            raise OptionError("masses", name, "names of wobbling masses that differ: give each a name of its own")
    count, gravity = len(names), inertial.model.getGravity().to_numpy().copy()
    frames = np.full(count, -1), bodies, np.zeros(count), centres, np.tile(np.eye(3), (count, 1, 1))
    return SwingingMasses(names, *frames, values, gravity)


#: Forces below this limit [N] push; negative forces above it are round-off.
PUSHES = -1e-6
#: Tolerance of a table's time range [s].
ROUNDING = 1e-9


class TensionTable:
    """Muscle tensions as functions of time, interpolated linearly between the rows of a table."""

    def __init__(self, inertial: InertialModel, source: str | os.PathLike[str] | pd.DataFrame | float) -> None:
        names = inertial.muscle_names
        self._is_constant = isinstance(source, int | float)
        if isinstance(source, int | float):
            self._what, self._times = "the tension", np.zeros(1)
            self._values = np.full((1, len(names)), float(source))
            return
        table = load_table(source, "the table of tensions")
        self._what, labels = table.origin, table.labels
        known = [name for name in names if name in labels]
        if not known:
            check_names("muscle with mass", labels, names)
        every = model_muscles(inertial.model)
        unused = {label: label for label in labels if label not in every}
        check_spelling([name for name in names if name not in known], unused, self._what, "muscle")
        check_unique(self._what, labels, known)
        table = without_repeats(table.columns([labels.index(name) for name in known]))
        raise_or_warn(table.findings, MotionError)
        self._times, forces = checked_numbers(table, lambda reason: MotionError(f"{self._what}: {reason}"))
        if not (forces >= PUSHES).all():
            pushes = known[int(np.argwhere(forces < PUSHES)[0, 1])]
            raise OptionError("wobble_tension", self._what, f"tensions of at least 0 N; that of '{pushes}' is negative")
        if 0 < forces.max() <= 1:
            text = f"its largest tension is {forces.max():.3g} N; are these activations, in place of forces in newtons?"
            warn(InputWarning(f"{self._what}: {text}"))
        self._values = np.zeros((len(table), len(names)))
        self._values[:, [names.index(name) for name in known]] = np.maximum(forces, 0.0)

    def check(self, first: float, last: float) -> None:
        """Raise :class:`MotionError` unless the table covers ``first`` to ``last`` [s]."""
        at = self._times
        if self._is_constant:
            return
        if not len(at) or first < at[0] - ROUNDING or last > at[-1] + ROUNDING:
            span = f"{at[0]:.6g} to {at[-1]:.6g} s" if len(at) else "no time"
            raise MotionError(f"{self._what} covers {span}, the motion {first:.6g} to {last:.6g} s")

    def over(self, times: Array) -> Array:
        """Return tensions (T, muscles) [N] at times (T,) [s]."""
        if self._is_constant:
            return np.repeat(self._values, len(times), axis=0)
        columns = [np.interp(times, self._times, column) for column in self._values.T]
        return np.column_stack([np.zeros((len(times), 0)), *columns])

    def at(self, state: osim.State) -> Array:
        """Return the tensions (muscles,) [N] at a state's time."""
        return np.asarray(self.over(np.array([state.getTime()]))[0])


def state_tensions(inertial: InertialModel, state: osim.State) -> Callable[[osim.State], Array]:
    """Return a function that maps a state realized to dynamics to OpenSim's muscle tensions (muscles,) [N]."""
    muscles = model_muscles(inertial.model)
    named_muscles = enumerate(map(muscles.get, inertial.muscle_names))
    acting = [(i, muscle) for i, muscle in named_muscles if muscle is not None and muscle.appliesForce(state)]

    def tensions(state: osim.State) -> Array:
        tension = np.zeros(len(inertial.muscle_names))
        for i, muscle in acting:
            tension[i] = max(0.0, muscle.getActuation(state))
        return tension

    return tensions
