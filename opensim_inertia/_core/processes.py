"""Temporary folders and signals of the process."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from .checks import narrow_name

#: Age [s] of temporary folders that belong to killed processes.
FORGOTTEN = 30 * 86400.0
#: Attempts to remove a temporary folder.
MOST_TRIES = 20


@cache
def _forget(place: str) -> None:
    """Remove old temporary folders that killed processes left in ``place``; repeated calls do nothing."""
    for folder in Path(place).glob("opensim_inertia_" + "[0-9a-f]" * 16):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > FORGOTTEN:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a temporary folder; remove it after the block, even after interrupts."""
    _forget(place := narrow_name(tempfile.gettempdir()))
    folder = Path(place) / f"opensim_inertia_{os.urandom(8).hex()}"
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        with uninterrupted():
            for _ in range(MOST_TRIES):
                shutil.rmtree(folder, ignore_errors=True)
                if not folder.exists():
                    break
                time.sleep(0.1)  # Windows locks names until all processes have closed the files


@contextmanager
def _on_signals(handler: Callable[[int, object], None], over: Sequence[object] = ()) -> Iterator[None]:
    """Let ``handler`` handle SIGINT and SIGTERM in a block; a non-empty ``over`` lists the only handlers to replace."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        found = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        before = {number: now for number, now in found.items() if now is not None and now in (over or [now])}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, now in before.items():
            signal.signal(number, now)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay SIGINT and SIGTERM until a block ends."""
    received: list[int] = []
    try:
        with _on_signals(lambda number, _: received.append(number)):
            yield
    finally:
        for number in received:
            signal.raise_signal(number)


@contextmanager
def terminable() -> Iterator[list[int]]:
    """Raise ``KeyboardInterrupt`` on SIGINT and SIGTERM in a block; yield the list of received signals."""
    received: list[int] = []

    def interrupt(number: int, _: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    with _on_signals(interrupt, over=[signal.default_int_handler, signal.SIG_DFL]):
        yield received


@contextmanager
def cleaned_up() -> Iterator[None]:
    """On SIGTERM in a block, run all ``finally`` clauses, then end the process."""
    received: list[int] = []
    try:
        with terminable() as received:
            yield
    finally:
        if signal.SIGTERM in received:
            signal.raise_signal(signal.SIGTERM)
