"""A temporary folder that is removed even if an interrupt comes at any moment."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["scratch_folder"]


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
