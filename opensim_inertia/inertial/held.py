"""A collection of the muscles whose fibres are held at their shortest length, and a warning of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from threading import Lock

from ..errors import InertiaWarning, Option, listed
from ..material import HOLD_WIDTH, SHORTEST_FIBRE
from .once import WarnOnce


class ShortBellyWarning(InertiaWarning):
    """Fibres between rigid tendons became so short that their length is held."""


class HeldBellies:
    """The muscles whose fibres were held at a state; each of them is warned of once.

    Args:
        muscles: names of all muscles with mass.
    """

    def __init__(self, muscles: Sequence[str]) -> None:
        self._muscles = tuple(muscles)
        self._held: set[str] = set()
        self._noting = Lock()
        self._always: frozenset[str] = frozenset()
        self._once = WarnOnce[str](self._about)

    def note(self, muscles: Iterable[int]) -> None:
        """Note muscles, by number, whose fibres were held in a call."""
        names = {self._muscles[i] for i in muscles}
        if names:
            with self._noting:
                self._held |= names
            self._once.note(names)

    def gathered(self) -> AbstractContextManager[None]:
        """Return a block at whose end one warning names all muscles that were noted in it."""
        return self._once.gathered()

    def keep(self) -> None:
        """Let :meth:`forget` keep those noted so far."""
        self._always = frozenset(self._held)

    def forget(self) -> None:
        """Forget the muscles noted, but for those that are kept."""
        self._held = set(self._always)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the muscles noted, in the model's order."""
        return tuple(name for name in self._muscles if name in self._held)

    @property
    def notes(self) -> list[str]:
        """One sentence about all muscles noted, if there are any."""
        return [str(self._about(self.names))] if self._held else []

    def _about(self, muscles: Sequence[str]) -> ShortBellyWarning:
        ordered = [name for name in self._muscles if name in muscles]
        one = len(ordered) == 1
        whose = f"muscle {listed(ordered)}" if one else f"{len(ordered)} muscles ({listed(ordered)})"
        return ShortBellyWarning(
            f"{whose}: {'its' if one else 'their'} fibres between rigid tendons became shorter than "
            f"{100 * (SHORTEST_FIBRE + HOLD_WIDTH):.0f} % of their optimal length; they are held there. "
            f"Check {'its tendon slack length' if one else 'their tendon slack lengths'}, or use ",
            Option("strain", "uniform"),
        )
