"""Bellies that swing across their paths, as the kernel sees them: what drives them, and what they exert."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..._core.arrays import Array
from ..._kernel import Swinging
from ...muscles.material import ModeShape
from ...opensim_model.reading import StateKinematics
from .evaluation import Evaluation

__all__ = ["BellyMotion", "SwingingBellies"]


class BellyMotion(NamedTuple):
    """The motion of bellies that do not swing yet, in ground, (T, S, 3) each, with rates and accelerations.

    Attributes:
        moment: the sum of m phi X [kg m], its rate and its acceleration.
        chord: from the belly's proximal to its distal end [m], its rate and its acceleration.
        belly: the belly's length along the path [m], (T, S).
    """

    moment: tuple[Array, Array, Array]
    chord: tuple[Array, Array, Array]
    belly: Array


class SwingingBellies:
    """Modes of bellies, evaluated at states. One muscle may have several.

    Args:
        evaluation: of the muscles.
        muscles: number of the muscle that each mode is of, (S,).
        shapes: the modes.
        bodies: number of the body in whose frame each swings.

    Attributes:
        shapes: the modes.
    """

    def __init__(
        self, evaluation: Evaluation, muscles: Sequence[int], shapes: Sequence[ModeShape], bodies: Sequence[int]
    ) -> None:
        self._evaluation, self._which, self.shapes = evaluation, list(muscles), tuple(shapes)
        orders, aponeuroses = [s.order for s in shapes], [s.aponeurosis for s in shapes]
        self._kernel = Swinging(evaluation._kernel, self._which, orders, aponeuroses, list(bodies))

    def motion(self, states: Sequence[StateKinematics], udot: Array) -> BellyMotion:
        """Return what drives the bellies at T states with accelerations ``udot`` (T, nu)."""
        udot = np.ascontiguousarray(udot)
        values, _ = self._evaluation._call_for_all(
            lambda batch: self._kernel.motion(batch, udot), states, self._which, note_fallbacks=False
        )
        moment, chord = ((x[..., :3], x[..., 3:6], x[..., 6:]) for x in (values[..., :9], values[..., 9:18]))
        return BellyMotion(moment, chord, values[..., 18])

    def forces(self, states: Sequence[StateKinematics], loads: Array) -> Array:
        """Return generalized forces (sets, T, S, nu) of loads.

        Args:
            states: T states.
            loads: (sets, T, S, 9) in ground: forces on the sum of m phi X and on the chord, and moments on the bodies.
        """
        loads = np.ascontiguousarray(loads)
        values, _ = self._evaluation._call_for_all(
            lambda batch: self._kernel.forces(batch, loads), states, self._which, note_fallbacks=False
        )
        return values
