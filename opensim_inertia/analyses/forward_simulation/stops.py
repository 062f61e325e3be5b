"""Times at which a step must end: where drives jump, and where jumps come back through delays.

A jump at t makes the rates jump at t plus a delay, their derivatives at t plus two delays, and so on: each time one
order higher, until the integrators no longer notice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..._core.arrays import Array

#: How often a jump comes back before it is too smooth for an integrator to notice: as many times as its order, and
#: no less than this.
ECHOES = 5
#: How many times may be stepped on in all for that sake.
MOST = 1000
#: Times closer than this fraction of the time to simulate are one.
CLOSE = 1e-12


def stops(start: float, end: float, jumps: Iterable[float], delays: Sequence[float], echoes: int = ECHOES) -> Array:
    """Return the times after ``start`` at which a step must end, ``end`` the last of them [s].

    Jumps before the start count, whose echoes come after it.
    """
    close = CLOSE * (end - start)
    known = _apart(np.array([t for t in jumps if t <= end], dtype=float), close)
    echo, echo_times = known, np.zeros(0)
    for _ in range(echoes):
        echo = np.add.outer(echo, np.array(delays)).ravel()
        echo = _apart(echo[echo < end], close)
        if not len(echo) or len(echo_times) + len(echo) > MOST:
            break
        echo_times = np.concatenate([echo_times, echo])
    if len(known):  # of an echo and a jump at one time the jump stays, for its time is exact
        echo_times = echo_times[np.abs(echo_times[:, None] - known).min(axis=1) > close]
    every = np.concatenate([known, _apart(echo_times, close)])
    return np.append(np.sort(every[(every > start + close) & (every < end - close)]), end)


def _apart(times: Array, close: float) -> Array:
    """Return the times in ascending order, without those that are too close to the one before."""
    times = np.sort(times)
    return times[np.diff(times, prepend=-np.inf) > close] if len(times) else times
