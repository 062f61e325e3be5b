"""The process: its processors, its temporary folders, and SIGTERM, treated as Ctrl-C so that it cleans up first."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def processors() -> int:
    """Return how many processors the operating system gives to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a new temporary folder, which is removed with its files, whenever an interrupt comes."""
    folder = Path(tempfile.gettempdir()) / f"opensim_inertia_{secrets.token_hex(8)}"
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Termination:
    """A handler of SIGTERM that raises ``KeyboardInterrupt``, and knows whether the signal was ``received``."""

    def __init__(self) -> None:
        self.received = False

    def __call__(self, *_: Any) -> None:
        self.received = True
        raise KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[Termination]:
    """Let SIGTERM raise ``KeyboardInterrupt`` within a block, in the main thread of programs without a handler."""
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
