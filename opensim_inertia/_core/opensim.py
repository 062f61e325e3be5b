"""Import OpenSim without its log file and with only errors logged.

On Linux the libraries are loaded before the Python modules, which contain slower copies of Simbody's functions.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .processes import scratch_folder

#: The library that depends on all libraries of models and tools.
TOOLS_LIBRARY = "libosimTools.so"


def _import_opensim() -> Any:
    if "opensim" in sys.modules:
        return sys.modules["opensim"]
    working_directory, spec = os.getcwd(), importlib.util.find_spec("opensim")
    for folder in () if spec is None else spec.submodule_search_locations or ():
        library = Path(folder) / TOOLS_LIBRARY
        if sys.platform == "linux" and library.is_file():
            with suppress(OSError):  # the modules load any missing library
                ctypes.CDLL(str(library))
    with scratch_folder() as scratch:
        os.chdir(scratch)
        try:
            import opensim

            opensim.Logger.removeFileSink()
            with suppress(OSError):  # there is no output
                if sys.platform == "win32":  # where the log keeps a handle, here of a copy that is never closed
                    import msvcrt

                    set_output = ctypes.WinDLL("kernel32").SetStdHandle
                    set_output(-11, ctypes.c_void_p(msvcrt.get_osfhandle(os.dup(1))))
                    opensim.Logger.addFileSink("opensim.log")  # with its first sink it asks for the output
                    opensim.Logger.removeFileSink()
                    set_output(-11, ctypes.c_void_p(msvcrt.get_osfhandle(1)))
        finally:
            os.chdir(working_directory)
    opensim.Logger.setLevelString("error")
    return opensim


osim = _import_opensim()


#: Log levels before each open :func:`quiet` block, and a reentrant lock for signal handlers.
_LEVELS, _LOCK = list[str](), threading.RLock()


@contextmanager
def quiet() -> Iterator[None]:
    """Disable OpenSim's log in all threads, until all open :func:`quiet` blocks have ended."""
    with _LOCK:
        _LEVELS.append(osim.Logger.getLevelString())
        osim.Logger.setLevelString("off")
    try:
        yield
    finally:
        with _LOCK:
            osim.Logger.setLevelString(_LEVELS.pop())
