"""Temporary storage of a run: folders, and arrays that are too large for memory.

A folder is removed even if an interrupt comes at any moment. The file of an array has no name, so that nothing is left
of it however the program ends.
"""

from __future__ import annotations

import math
import mmap
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .arrays import Array
from .errors import OutputError

__all__ = ["ScratchArrays", "scratch_folder"]

#: Arrays of more bytes lie in files.
IN_MEMORY = 2**26
#: What is left free on a disk [bytes].
SPARED = 2**30
#: Rows that are written at once.
ROWS_AT_ONCE = 4096


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


class ScratchArrays:
    """Makes arrays of zeros; large ones lie in files in the folder for temporary files, and hardly in memory.

    A file lasts as long as an array that lies in it.
    """

    def __init__(self) -> None:
        self._mappings: list[mmap.mmap] = []

    @staticmethod
    def has_room(size: int) -> bool:
        """Return whether arrays of so many bytes in all can be made."""
        return size <= IN_MEMORY or size + SPARED <= shutil.disk_usage(tempfile.gettempdir()).free

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """Return an array of zeros.

        Raises:
            OutputError: its file cannot be written.
        """
        size = 8 * math.prod(shape)
        if size <= IN_MEMORY:
            return np.zeros(shape)
        folder = tempfile.gettempdir()
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                if hasattr(os, "posix_fallocate"):  # a full disk would end the program when a number is written
                    os.posix_fallocate(file.fileno(), 0, size)
                else:
                    file.truncate(size)
                mapping = mmap.mmap(file.fileno(), size)
        except OSError as error:
            raise OutputError(folder, os.strerror(error.errno) if error.errno else str(error)) from None
        self._mappings.append(mapping)
        return np.frombuffer(mapping, dtype=np.float64).reshape(shape)

    def spread(self, values: Array, rows: NDArray[np.intp], count: int) -> Array:
        """Return an array (count, ...) of NaN, but for ``values`` (R, ...) at rows (R,), ascending."""
        wide = self.zeros((count, *values.shape[1:]))
        for start in range(0, count, ROWS_AT_ONCE):
            chunk = wide[start : start + ROWS_AT_ONCE]
            chunk[:] = np.nan
            first, last = np.searchsorted(rows, (start, start + len(chunk)))
            chunk[rows[first:last] - start] = values[first:last]
            self.release()
        return wide

    def release(self) -> None:
        """Let what has been written to files leave memory."""
        if hasattr(mmap, "MADV_DONTNEED"):
            for mapping in self._mappings:
                mapping.madvise(mmap.MADV_DONTNEED)
