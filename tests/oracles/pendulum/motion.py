"""Motions of the pendulum, and what becomes of its energy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy.integrate import DOP853, OdeSolver

from ..finite_differences import Array
from .geometry import Geometry, chord_distance, keeps_its_side, random_geometry
from .live import LiveMachine
from .machine import Machine


@dataclass(frozen=True)
class Motion:
    """A motion at the integrator's own steps.

    Attributes:
        times: (T,) [s].
        states: (T, 4).
        kinetic, potential: energies (T,) [J].
        touches: how often the string came to touch the cylinder.
    """

    times: Array
    states: Array
    kinetic: Array
    potential: Array
    touches: int

    @property
    def drift(self) -> float:
        """Largest change of the total energy, relative to the largest kinetic energy."""
        total = self.kinetic + self.potential
        return float(np.abs(total - total[0]).max() / self.kinetic.max())


def simulate(
    machine: Machine | LiveMachine,
    end: float,
    touches: int | None = None,
    method: type[OdeSolver] = DOP853,
    rtol: float = 1e-10,
) -> Motion:
    """The motion from the geometry's start to ``end`` [s], or until the string has touched so many times and the last
    touch is well past, by a fifth of the radius.

    Steps are at most 10 ms, so that no touch is stepped over.
    """
    g = machine.geometry
    solver = method(machine, 0.0, np.array(g.start), end, rtol=rtol, atol=1e-2 * rtol, max_step=0.01)
    times, states, count = [0.0], [solver.y.copy()], 0
    level = chord_distance(g, solver.y[:2]) / g.radius
    while solver.status == "running" and (touches is None or count < touches or abs(level - 1) < 0.2):
        message = solver.step()
        assert solver.status != "failed", message
        times.append(solver.t)
        states.append(solver.y.copy())
        before, level = level, chord_distance(g, solver.y[:2]) / g.radius
        count += bool(before > 1 >= level)
    return Motion(np.array(times), np.array(states), *machine.energies(np.array(states)), count)


def touching_motions(
    machine: Callable[[Geometry], Machine], count: int, touches: int = 10, end: float = 20.0
) -> Iterator[tuple[int, Motion, Geometry]]:
    """Motions of random geometries through so many touches, with the seed of each: seeds 0, 1, ... are tried in turn.

    A geometry is passed over if its string does not touch often enough until ``end`` [s], or if an end comes near the
    cylinder or the string meets the seam of its held side, where its path has no meaning; energy plays no part.
    """
    seed = 0
    while count > 0:
        g = random_geometry(np.random.default_rng(seed))
        motion = simulate(machine(g), end, touches)
        if motion.touches >= touches and keeps_its_side(g, motion.states[:, :2]):
            yield seed, motion, g
            count -= 1
        seed += 1
