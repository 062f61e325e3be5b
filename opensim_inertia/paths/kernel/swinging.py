"""Bellies that swing across their paths, as the kernel sees them: what drives them, and what they exert."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._kernel import State, SwingInertia, Swinging
from ...muscles.material import ModeShape
from ...opensim_model.reading.kinematics import StateKinematics, SystemArrays
from .evaluation import Evaluation, _NamedErrors
from .remarks import MuscleRemarks


class BellyMotion(NamedTuple):
    """The motion of bellies that do not swing yet, in ground, (T, S, 3) each, with rates and accelerations."""

    moment: tuple[Array, Array, Array]  # the sum of m phi X [kg m], its rate and its acceleration
    chord: tuple[Array, Array, Array]  # from the belly's proximal to its distal end [m], its rate and its acceleration
    belly: Array  # the belly's length along the path [m], (T, S)


class SwingingBellies:
    """Modes (S,) of bellies of muscles, each swinging in the frame of a body, evaluated at states."""

    def __init__(
        self, evaluation: Evaluation, muscles: Sequence[int], shapes: Sequence[ModeShape], bodies: Sequence[int]
    ) -> None:
        self._evaluation, self._which, self.shapes = evaluation, list(muscles), tuple(shapes)
        self._bodies, count = list(bodies), len(self._which)
        self._frame(np.zeros((count, 2)), np.zeros((count, 3)), np.zeros((count, 3, 3)))

    def _frame(self, inertia: Array, chords: Array, axes: Array) -> None:
        constants = np.zeros((len(self.shapes), 6))
        constants[:, 0] = [shape.aponeurosis for shape in self.shapes]
        constants[:, 1:3] = inertia
        arrays = (constants, np.ascontiguousarray(chords), np.ascontiguousarray(axes))
        self._kernel = Swinging(self._evaluation._kernel, self._which, self._bodies, *arrays)

    def framed(self, inertia: Array, chords: Array, axes: Array) -> SwingingBellies:
        """Return bellies in frames of their swings: inertia (S, 2) [kg], chords (S, 3), axes (S, 3, 3)."""
        other = copy(self)
        other._frame(inertia, chords, axes)
        return other

    def motion(self, states: Sequence[StateKinematics], udot: Array) -> BellyMotion:
        """Return the quantities that drive the bellies at T states with accelerations ``udot`` (T, nu)."""
        udot = np.ascontiguousarray(udot)
        values, _ = self._evaluation._call_for_all(lambda batch: self._kernel.motion(batch, udot), states, self._which)
        moment, chord = ((x[..., :3], x[..., 3:6], x[..., 6:]) for x in (values[..., :9], values[..., 9:18]))
        return BellyMotion(moment, chord, values[..., 18])

    def equations(self, states: Sequence[StateKinematics], udot: Array) -> Array:
        """Return K, C (2, 2) and b (2,) of ``z'' = -(K + k) z - (C + c) z' + b`` at T states, (T, S, 5, 2)."""
        udot = np.ascontiguousarray(udot)
        values, _ = self._evaluation._call_for_all(
            lambda batch: self._kernel.equations(batch, udot), states, self._which
        )
        return values

    def answers(self, states: Sequence[StateKinematics], udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return forces of displacements and rates y (sets, T, S, 4), k and c (sets, T, S) along T states."""
        udot, y, k, c = (np.ascontiguousarray(x) for x in (udot, y, k, c))
        *found, _ = self._evaluation._call_for_all(
            lambda batch: self._kernel.answers(batch, udot, y, k, c), states, self._which
        )
        return SwingAnswers(*found)


class SwingAnswers(NamedTuple):
    """Forces of several sets of displacements along a motion of T states."""

    each: Array  # generalized forces that the motion needs for each one of the first set, (T, S, nu)
    summed: Array  # for all of them, (sets, T, nu)
    displacements: Array  # of the first set in ground [m], (T, S, 3)


class EliminatedEquations(NamedTuple):
    """Equations of motion from which displacements have been eliminated."""

    mass_matrix: Array  # M + dM, less M_qz / mu M_qz^T, (nu, nu)
    force: Array  # (nu,)
    at_rest: Array  # accelerations of the displacements' n coordinates where udot is zero, (n,)
    gain: Array  # what they fall by with udot, (n, nu)


class SwingEquations:
    """The equations of motion of muscles' mass with S masses that swing, at one state, by the kernel alone.

    Args:
        muscles: numbers of the muscle whose belly each mass is, -1 for masses on springs, (S,).
        bodies: numbers of the bodies in which they swing, (S,).
        constants: share of aponeurosis, mu [kg], s [kg], stiffness [N/m], stiffness by tension [1/m], damping, (S, 6).
        places: direction of a belly's chord at the reference pose, or where a mass on a spring rests, (S, 3).
        axes: rows span where they swing at the reference pose, (S, 3, 3).
    """

    def __init__(
        self,
        evaluation: Evaluation,
        muscles: Sequence[int],
        bodies: Sequence[int],
        constants: Array,
        places: Array,
        axes: Array,
    ) -> None:
        self._evaluation = evaluation
        arrays = (np.ascontiguousarray(x) for x in (constants, places, axes))
        self._kernel = SwingInertia(evaluation._kernel, list(muscles), list(bodies), *arrays)

    def at(
        self,
        system_arrays: SystemArrays,
        rigid: tuple[Array, Array],
        z: Array,
        tension: Array,
        time: float,
        seen: MuscleRemarks | None,
    ) -> EliminatedEquations:
        """Return the equations at a state, of M and udot without muscles' mass, z (2, n) and tension [N]."""
        with _NamedErrors():
            *found, remarks = self._kernel.equations(State.of_system(*system_arrays), *rigid, z, tension)
        self._evaluation.note_at(seen, remarks, [time])
        return EliminatedEquations(*found)
