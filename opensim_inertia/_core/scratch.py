"""Temporary storage of a run: folders, and arrays that are too large for memory.

A folder is removed even if an interrupt comes at any moment.
"""

from __future__ import annotations

import math
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .arrays import Array

__all__ = ["has_room", "large_zeros", "scratch_folder"]

#: Arrays of more bytes lie in files.
IN_MEMORY = 2**26
#: What is left free on a disk [bytes].
SPARED = 2**30


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Yield a new temporary folder, which is removed with what is in it.

    Its name is chosen before it is made: ``tempfile.TemporaryDirectory`` leaves a folder behind where an interrupt
    comes just after it was made.
    """
    folder = Path(tempfile.gettempdir()) / f"opensim_inertia_{secrets.token_hex(8)}"
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def has_room(size: int) -> bool:
    """Return whether arrays of so many bytes in all can be made by :func:`large_zeros`."""
    return size <= IN_MEMORY or size + SPARED <= shutil.disk_usage(tempfile.gettempdir()).free


def large_zeros(shape: tuple[int, ...]) -> Array:
    """Return an array of zeros, which lies in a temporary file if it is large; the file lasts as long as the array.

    A full disk ends the program when a number is written: ask :func:`has_room` before.
    """
    if 8 * math.prod(shape) <= IN_MEMORY:
        return np.zeros(shape)
    with tempfile.TemporaryFile() as file:
        return np.asarray(np.memmap(file, np.float64, "w+", shape=shape))
