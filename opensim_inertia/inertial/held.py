"""A collection of the muscles whose fibres are held at their shortest length, and a warning for each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from threading import Lock

from ..checks import warn
from ..errors import InertiaWarning, Option
from ..material import HOLD_WIDTH, SHORTEST_FIBRE


class ShortBellyWarning(InertiaWarning):
    """Fibres between rigid tendons became so short that their length is held."""


class HeldBellies:
    """The muscles whose fibres were held at a state; each of them is warned of once.

    Args:
        muscles: names of all muscles with mass.
    """

    def __init__(self, muscles: Sequence[str]) -> None:
        self._muscles = tuple(muscles)
        self._warned: set[str] = set()
        self._held: set[str] = set()
        self._noting = Lock()
        self._always: frozenset[str] = frozenset()

    def note(self, muscles: Iterable[int]) -> None:
        """Note muscles, by number, whose fibres were held in a call."""
        names = {self._muscles[i] for i in muscles}
        if not names:
            return
        with self._noting:
            self._held |= names
            new = sorted(names - self._warned, key=self._muscles.index)
            self._warned |= names
        for name in new:
            warn(_about(name))

    def keep(self) -> None:
        """Let :meth:`forget` keep those noted so far."""
        self._always = frozenset(self._held)

    def forget(self) -> None:
        """Forget the muscles noted, but for those that are kept."""
        self._held = set(self._always)

    @property
    def notes(self) -> list[str]:
        """One sentence about each muscle noted."""
        return [str(_about(name)) for name in self._muscles if name in self._held]


def _about(muscle: str) -> ShortBellyWarning:
    return ShortBellyWarning(
        f"muscle '{muscle}': its fibres between rigid tendons became shorter than "
        f"{100 * (SHORTEST_FIBRE + HOLD_WIDTH):.0f} % of their optimal length; they are held there. "
        "Check its tendon slack length, or use ",
        Option("strain", "uniform"),
    )
