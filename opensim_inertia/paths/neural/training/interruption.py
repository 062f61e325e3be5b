"""Ctrl-C or SIGTERM during a training: the step is finished and the state is saved."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...._core.termination import Termination, terminable

__all__ = ["TrainingInterrupted", "interrupts"]


class TrainingInterrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during a training, or SIGTERM sent; what was reached lies in a checkpoint.

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
    """Delay the first Ctrl-C, and yield a function that returns whether it was pressed; a second one acts at once.

    SIGTERM is treated alike. Nothing is held back outside the main thread, and where a program has handlers of its own.
    """
    pressed = False
    former_handlers: dict[int, Callable[..., Any]] = {}

    def note(number: int, frame: Any) -> None:
        nonlocal pressed
        pressed = True
        restore()
        with suppress(KeyboardInterrupt):
            former_handlers[number](number, frame)

    def restore() -> None:
        for number, handler in former_handlers.items():
            signal.signal(number, handler)

    with terminable():
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.getsignal(number)
                if handler is signal.default_int_handler or isinstance(handler, Termination):
                    former_handlers[number] = handler  # type: ignore[assignment]
                    signal.signal(number, note)
        try:
            yield lambda: pressed
        finally:
            restore()
