"""Refraction: the exact string's motion as the limit of ever quicker smooth touches has it.

Where a taut string touches a surface, its mass changes its velocity at once, and with it the mass matrix jumps from M
to M'. In the limit nothing but the string's contact acts in that moment, along grad d, so momentum jumps only along it,
and energy stays:

    M' u' = M u + lambda grad d,    u'.M' u' = u.M u,    ddot' of the sign of ddot.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from ..finite_differences import Array
from .geometry import chord_distance, distance_gradient
from .machine import Machine


def refract(before: Array, after: Array, n: Array, u: Array) -> tuple[Array, bool]:
    """Speeds (2,) after the mass matrix jumps, momentum jumping along ``n`` = grad d only; False if thrown back."""
    p = before @ u
    inverse = np.linalg.inv(after)
    a, b, rate = n @ inverse @ n, n @ inverse @ p, n @ u
    square = b * b - a * (p @ inverse @ p - p @ u)  # of ddot afterwards
    if square < 0:
        back = np.linalg.inv(before) @ n
        return u - 2 * rate / (n @ back) * back, False
    return inverse @ (p + n * (np.copysign(np.sqrt(square), rate) - b) / a), True


@dataclass(frozen=True)
class Refracted:
    """The exact string's motion with refraction at every touch.

    Attributes:
        end: state (4,) at the end.
        times: of the touches and partings [s].
        rates: ddot there, before [m/s].
        jumps: relative change of the speeds there.
        drift: largest change of the energy, relative to the largest kinetic energy met at the touches.
    """

    end: Array
    times: Array
    rates: Array
    jumps: Array
    drift: float


def refracted_motion(straight: Machine, wrapped: Machine, end: float, rtol: float = 1e-11) -> Refracted:
    """The motion as the limit of smooth touches has it: one side's machine between touches, refraction at them."""
    g = straight.geometry
    t, y = 0.0, np.array(g.start)
    clear = bool(chord_distance(g, y[:2]) > g.radius)
    times: list[float] = []
    rates: list[float] = []
    jumps: list[float] = []
    totals: list[float] = []
    kinetics: list[float] = []

    def note(machine: Machine, state: Array) -> None:
        kinetic, potential = machine.energies(state[None])
        kinetics.append(kinetic[0])
        totals.append(kinetic[0] + potential[0])

    note(straight if clear else wrapped, y)
    while True:
        machine = straight if clear else wrapped
        sign = 1.0 if clear else -1.0

        def leaves(_: float, y: Array, sign: float = sign) -> float:
            return sign * (float(chord_distance(g, y[:2])) - g.radius)

        leaves.terminal, leaves.direction = True, -1.0  # type: ignore[attr-defined]
        done = solve_ivp(machine, (t, end), y, "DOP853", rtol=rtol, atol=1e-2 * rtol, max_step=0.01, events=leaves)
        t, y = float(done.t[-1]), done.y[:, -1]
        if done.status == 0:
            note(machine, y)
            total = np.array(totals)
            drift = float(np.abs(total - total[0]).max() / max(kinetics))
            return Refracted(y, np.array(times), np.array(rates), np.array(jumps), drift)
        n = distance_gradient(g, y[:2])
        into = -sign * n / (n @ n) * 1e-11  # a step past the touch, so that each side is taken on its own ground
        matrices = straight.mass_matrix(y[:2]), wrapped.mass_matrix(y[:2] - n / (n @ n) * 1e-11)
        u, passed = refract(*(matrices if clear else matrices[::-1]), n, y[2:])
        times.append(t)
        rates.append(float(n @ y[2:]))
        jumps.append(float(np.linalg.norm(u - y[2:]) / np.linalg.norm(y[2:])))
        clear ^= passed
        y = np.concatenate([y[:2] + (into if passed else -into), u])
        note(straight if clear else wrapped, y)
