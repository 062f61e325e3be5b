"""The one place that imports OpenSim, quietly.

``import opensim`` opens ``opensim.log`` in the current directory and logs to the console at level *info*. Users'
folders and terminals stay clean: the import runs with a temporary directory as the working directory, the log file is
closed, and only errors are shown (a missing bone mesh is no news). Import OpenSim in this package with ``from
._opensim import osim``.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["osim", "quiet"]


def _import_opensim() -> Any:
    if "opensim" in sys.modules:
        return sys.modules["opensim"]
    here = os.getcwd()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        os.chdir(scratch)
        try:
            import opensim

            opensim.Logger.removeFileSink()
        finally:
            os.chdir(here)
    opensim.Logger.setLevelString("error")
    return opensim


osim = _import_opensim()


@contextmanager
def quiet() -> Iterator[None]:
    """Silence what OpenSim prints, the C++ console output that ignores the log level included."""
    level = osim.Logger.getLevelString()
    osim.Logger.setLevelString("off")
    sys.stdout.flush()
    sys.stderr.flush()
    saved = os.dup(1)
    sink = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(sink, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(saved, 1)
        os.close(saved)
        os.close(sink)
        osim.Logger.setLevelString(level)
