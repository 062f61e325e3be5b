"""Number of worker processes, and their signals and temporary folders."""

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

#: Largest number of worker processes; 61 is the limit of Windows.
MOST_WORKERS = 61 if sys.platform == "win32" else 1024


def processors() -> int:
    """Return the number of available processors, at most :data:`MOST_WORKERS`."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(count, MOST_WORKERS)


@contextmanager
def starting_workers(temporary: Path) -> Iterator[None]:
    """Within a block, make newly started processes ignore Ctrl-C and use the folder ``temporary``.

    This process ends its workers. In the block it ignores Ctrl-C, and delays SIGTERM.
    """
    before = os.environ.get("TMPDIR")
    with uninterrupted(), ExitStack() as block:
        if threading.current_thread() is threading.main_thread():
            block.callback(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN))
        if sys.platform == "win32":  # processes inherit this, and not SIG_IGN
            ctypes.windll.kernel32.SetConsoleCtrlHandler(None, True)
            block.callback(ctypes.windll.kernel32.SetConsoleCtrlHandler, None, False)
        block.callback(os.environ.pop, "TMPDIR") if before is None else block.callback(os.environ.update, TMPDIR=before)
        os.environ["TMPDIR"] = str(temporary)
        yield
