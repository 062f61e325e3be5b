"""SIGTERM, which batch queues and ``timeout`` send, treated as Ctrl-C, so that a program cleans up before it ends."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Termination", "cleaned_up", "terminable"]


class Termination:
    """A handler of SIGTERM that raises ``KeyboardInterrupt``.

    Attributes:
        received: whether the signal has come.
    """

    def __init__(self) -> None:
        self.received = False

    def __call__(self, *_: Any) -> None:
        """Note the signal, and raise."""
        self.received = True
        raise KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[Termination]:
    """Let SIGTERM raise ``KeyboardInterrupt`` within a block.

    Nothing is changed outside the main thread, and where a program has a handler of its own or ignores the signal.
    """
    handler = Termination()
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not in_main_thread or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield handler
        return
    signal.signal(signal.SIGTERM, handler)
    try:
        yield handler
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def cleaned_up() -> Iterator[None]:
    """Let a block clean up after SIGTERM; the process ends after the block."""
    handler = None
    try:
        with terminable() as handler:
            yield
    finally:
        if handler is not None and handler.received:
            signal.raise_signal(signal.SIGTERM)
