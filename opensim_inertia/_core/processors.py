"""How many processors a program may use."""

from __future__ import annotations

import os

__all__ = ["processors"]


def processors() -> int:
    """Return how many processors the operating system gives to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
