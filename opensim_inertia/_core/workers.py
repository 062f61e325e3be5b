"""Processes that work for this one: how many, and what they inherit."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .processes import uninterrupted

#: Processes at a time: Windows waits for no more at once.
MOST_WORKERS = 61 if sys.platform == "win32" else 1024


def processors() -> int:
    """Return how many processors the operating system gives to this process, at most :data:`MOST_WORKERS`."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, MOST_WORKERS)


@contextmanager
def starting_workers(temporary: Path) -> Iterator[None]:
    """Let processes that start in a short block ignore Ctrl-C, and keep temporary files in a folder.

    This process, which ends them, ignores Ctrl-C meanwhile, and SIGTERM waits for the end of the block.
    """
    before = os.environ.get("TMPDIR")
    with uninterrupted(), ExitStack() as block:
        if threading.current_thread() is threading.main_thread():
            block.callback(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN))
        if sys.platform == "win32":  # where processes inherit this, and no SIG_IGN
            ctypes.windll.kernel32.SetConsoleCtrlHandler(None, True)
            block.callback(ctypes.windll.kernel32.SetConsoleCtrlHandler, None, False)
        block.callback(os.environ.pop, "TMPDIR") if before is None else block.callback(os.environ.update, TMPDIR=before)
        os.environ["TMPDIR"] = str(temporary)
        yield
