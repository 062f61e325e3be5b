"""Warnings that name each thing once, and in one line all that come up within a block."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar

from ..._core.checks import warn

Thing = TypeVar("Thing", bound=Hashable)


class WarnOnce(Generic[Thing]):
    """Warns once of each thing; within a block of :meth:`gathered`, of all new things in one warning at its end.

    Several threads may use it at a time: the last one that leaves its block warns.

    Args:
        about: returns the warning of things, in the order in which they came up.
        known: things of which it never warns.
    """

    def __init__(self, about: Callable[[list[Thing]], Warning], known: Iterable[Thing] = ()) -> None:
        self._about = about
        self._warned: dict[Thing, None] = dict.fromkeys(known)
        self._waiting: dict[Thing, None] = {}
        self._blocks = 0
        self._lock = Lock()

    def note(self, things: Iterable[Thing]) -> None:
        """Note things; warn of the new ones, or let them wait for the end of the block."""
        with self._lock:
            self._waiting |= {thing: None for thing in things if thing not in self._warned}
            new_things = [] if self._blocks else self._take()
        self._warn(new_things)

    def leave_out(self, things: Iterable[Thing]) -> None:
        """Warn of some things no more."""
        with self._lock:
            self._warned |= dict.fromkeys(things)
            self._waiting = {thing: None for thing in self._waiting if thing not in self._warned}

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Wait with warnings until the end of a block."""
        with self._lock:
            self._blocks += 1
        try:
            yield
        finally:
            with self._lock:
                self._blocks -= 1
                new_things = [] if self._blocks else self._take()
            self._warn(new_things)

    def _take(self) -> list[Thing]:
        new_things = list(self._waiting)
        self._warned |= self._waiting
        self._waiting = {}
        return new_things

    def _warn(self, new_things: list[Thing]) -> None:
        if new_things:
            warn(self._about(new_things))
