"""Ctrl-C during a training: the step is finished and what was reached is kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["TrainingInterrupted", "interrupts"]


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during a training; what was reached lies in a checkpoint.

    Attributes:
        checkpoint: the file, or None where none was asked for.
        step: number of steps that it holds.
    """

    def __init__(self, checkpoint: Path | None, step: int) -> None:
        self.checkpoint = checkpoint
        self.step = step
        super().__init__(f"training interrupted after {step} steps")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.checkpoint, self.step)


@contextmanager
def interrupts() -> Iterator[Callable[[], bool]]:
    """Hold Ctrl-C back, and yield a function that tells whether it was pressed; pressed again, it is not held back.

    Nothing is held back outside the main thread, and where a program has a handler of its own.
    """
    pressed = False
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.getsignal(signal.SIGINT)
    if before != signal.default_int_handler:  # someone else's, or ignored
        yield lambda: False
        return

    def note(*_: Any) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
