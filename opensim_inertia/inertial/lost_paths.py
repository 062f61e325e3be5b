"""A collection of the states at which a muscle has no smooth path, and a warning of these muscles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager
from threading import Lock

from ..errors import InertiaWarning, listed
from .once import WarnOnce

#: Times that are told of each muscle.
MOST_TIMES = 5


class LostPathWarning(InertiaWarning):
    """A muscle has no smooth path at a state, and OpenSim's own path was taken there."""


class LostPaths:
    """The states at which muscles had no smooth path, by muscle; each muscle is warned of once."""

    def __init__(self) -> None:
        self._times: dict[str, list[float]] = {}
        self._noting = Lock()
        self._once = WarnOnce[str](self._warning)

    def note(self, muscle: str, time: float) -> None:
        """Note that OpenSim's path was taken for a muscle at a state of this time [s]."""
        with self._noting:
            times = self._times.setdefault(muscle, [])
            if not times or times[-1] != time:
                times.append(time)
        self._once.note([muscle])

    def gathered(self) -> AbstractContextManager[None]:
        """Return a block at whose end one warning names all muscles that were noted in it."""
        return self._once.gathered()

    def forget(self) -> None:
        """Forget the states noted."""
        self._times.clear()

    @property
    def counts(self) -> dict[str, int]:
        """At how many states each muscle had no smooth path."""
        return {muscle: len(times) for muscle, times in list(self._times.items())}

    def _warning(self, muscles: Sequence[str]) -> LostPathWarning:
        one = len(muscles) == 1
        first = min(self._times.get(name, [math.nan])[0] for name in muscles)
        return LostPathWarning(
            f"{'muscle' if one else f'{len(muscles)} muscles'} {listed(muscles)}: no smooth path over "
            f"{'its' if one else 'their'} wrap objects was found at time {first:.6g} s{'' if one else ' or later'}; "
            "OpenSim's own path is used there. Results count these states"
        )

    @property
    def notes(self) -> list[str]:
        """One sentence about each muscle noted."""
        return [_about(muscle, times) for muscle, times in list(self._times.items())]


def _about(muscle: str, times: list[float]) -> str:
    told = ", ".join(f"{time:.6g}" for time in times[:MOST_TIMES]) + (", ..." if len(times) > MOST_TIMES else "")
    states = "state" if len(times) == 1 else "states"
    return (
        f"muscle '{muscle}': no smooth path over its wrap objects was found at {len(times)} {states} (time {told} s); "
        "OpenSim's own path was used for it there"
    )
