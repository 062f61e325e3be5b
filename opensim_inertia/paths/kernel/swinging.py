"""Bellies that swing across their paths, as the kernel sees them: what drives them, and what they exert."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._kernel import State, SwingInertia, Swinging
from ...muscles.material.mode import ModeShape
from ...opensim_model.reading.kinematics import SystemArrays
from .evaluation import Evaluation, Seen, States, named


class SwingingBellies:
    """Modes (S,) of bellies of muscles, each swinging in the frame of a body, evaluated at states.

    Of each: inertia (S, 2) [kg], and the chord (S, 3) and axes (S, 3, 3) at the reference pose in the body's frame.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        muscles: Sequence[int],
        shapes: Sequence[ModeShape],
        bodies: Sequence[int],
        *at_reference: Array,
    ) -> None:
        self._evaluation, self._which, self.shapes = evaluation, list(muscles), tuple(shapes)
        inertia, chords, axes = (np.ascontiguousarray(array) for array in at_reference)
        constants = np.column_stack([[shape.aponeurosis for shape in shapes], inertia, np.zeros((len(inertia), 3))])
        self._kernel = Swinging(evaluation._kernel, self._which, list(bodies), constants, chords, axes)

    def _called(self, call: Callable[..., tuple[Any, ...]], states: States, *arrays: Array) -> list[Array]:
        """Return the kernel's answer at T states, without remarks."""
        contiguous = [np.ascontiguousarray(array) for array in arrays]
        return list(self._evaluation._call(lambda batch: call(batch, *contiguous), states, self._which)[:-1])

    def equations(self, states: States, udot: Array) -> Array:
        """Return K, C (2, 2) and b (2,) of ``z'' = -(K + k) z - (C + c) z' + b`` at T states, (T, S, 5, 2)."""
        return self._called(self._kernel.equations, states, udot)[0]

    def answers(self, states: States, udot: Array, y: Array, k: Array, c: Array) -> SwingAnswers:
        """Return forces of displacements and rates y (sets, T, S, 4), k and c (sets, T, S) along T states."""
        return SwingAnswers(*self._called(self._kernel.answers, states, udot, y, k, c))


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
        seen: Seen,
    ) -> EliminatedEquations:
        """Return the equations at a state, of M and udot without muscles' mass, z (2, n) and tension [N]."""
        *found, remarks = named(self._kernel.equations, State.of_system(*system_arrays), *rigid, z, tension)
        self._evaluation.note_at(seen, remarks, [time])
        return EliminatedEquations(*found)
