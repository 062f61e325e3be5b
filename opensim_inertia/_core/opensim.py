"""The one place that imports OpenSim, quietly.

``import opensim`` opens ``opensim.log`` in the current directory and logs to the console at level *info*. Users'
folders and terminals stay clean: the import runs with a temporary directory as the working directory, the log file is
closed, and only errors are shown (a missing bone mesh is no news). Import OpenSim in this package with ``from
._opensim import osim``.

OpenSim's libraries are loaded before its Python modules. On Linux these modules hold copies of Simbody's small
functions that are hardly optimised, and the dynamic linker gives them to libraries that a module brings. Libraries that
are there before have their own, and poses are found in half the time, with the same bits.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedIOBase, TextIOWrapper
from pathlib import Path
from typing import Any

from .scratch import scratch_folder

__all__ = ["load_libraries", "osim", "quiet"]


#: The library that needs all others which a model and OpenSim's tools are made of.
TOOLS_LIBRARY = "libosimTools.so"


def load_libraries() -> None:
    """Load OpenSim's libraries, if they lie beside its Python modules; these load whatever is missing."""
    spec = importlib.util.find_spec("opensim")
    for folder in () if spec is None else spec.submodule_search_locations or ():
        library = Path(folder) / TOOLS_LIBRARY
        if sys.platform == "linux" and library.is_file():
            with suppress(OSError):
                ctypes.CDLL(str(library))


def _import_opensim() -> Any:
    if "opensim" in sys.modules:
        return sys.modules["opensim"]
    working_directory = os.getcwd()
    load_libraries()
    with scratch_folder() as scratch:
        os.chdir(scratch)
        try:
            import opensim

            opensim.Logger.removeFileSink()
        finally:
            os.chdir(working_directory)
    opensim.Logger.setLevelString("error")
    return opensim


osim = _import_opensim()


class _Console:
    """The process' standard output, file descriptor 1, which OpenSim's libraries print to.

    Attributes:
        number: the descriptor at which standard output is to be had: 1, or while OpenSim is silenced what 1 was before.
        lock: held while that changes, and by who writes there.
    """

    NUMBER = 1

    def __init__(self) -> None:
        self.number = self.NUMBER
        self._depth = 0
        self._restoring = ExitStack()
        self._kept: int | None = None
        self._printing: Any = None  # sys.stdout as it was, and what takes its place
        self._instead: Any = None
        self.is_ours = self._claim()
        self._renew_lock()
        if hasattr(os, "register_at_fork"):  # another thread may hold it then, which the child has not
            os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self.lock = threading.RLock()  # a handler of signals may print at any time

    def _claim(self) -> bool:
        """Return whether descriptor 1 is the process' own: its standard output, or the null device if it was closed.

        Without standard output, as in a GUI, the next file to be opened would get the number, and what OpenSim prints.
        """
        try:
            os.fstat(self.NUMBER)
        except OSError:
            nothing = os.open(os.devnull, os.O_WRONLY)
            if nothing != self.NUMBER:
                os.dup2(nothing, self.NUMBER)
                os.close(nothing)
            return True
        return sys.__stdout__ is not None

    def silence(self) -> None:
        """Silence OpenSim, until :meth:`restore` has been called as often."""
        with self.lock:
            if self._depth == 0:
                with ExitStack() as stack:
                    self._silence(stack)
                    self._restoring = stack.pop_all()
            self._depth += 1

    def restore(self) -> None:
        """Undo one :meth:`silence`."""
        with self.lock:
            self._depth -= 1
            if self._depth == 0:
                self._restoring.close()

    def _silence(self, stack: ExitStack) -> None:
        """Send descriptor 1 to the null device and switch OpenSim's log off; ``stack`` undoes both."""
        level = osim.Logger.getLevelString()
        osim.Logger.setLevelString("off")
        if not self.is_ours:
            stack.callback(osim.Logger.setLevelString, level)
            return
        if self._kept is None:
            self._kept = os.dup(self.NUMBER)  # never closed: whoever got hold of it may print later
        else:
            os.dup2(self.NUMBER, self._kept, inheritable=False)
        self._let_python_print(stack)
        stack.callback(self._sound, self._kept)  # called first: then Python may print there again
        self.number = self._kept
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self.NUMBER)
        os.close(nothing)
        stack.callback(osim.Logger.setLevelString, level)  # called while nothing is printed: OpenSim would print it

    def _sound(self, kept: int) -> None:
        """Let descriptor 1 be what it was."""
        os.dup2(kept, self.NUMBER)
        self.number = self.NUMBER

    def _let_python_print(self, stack: ExitStack) -> None:
        """Let ``sys.stdout`` write where standard output is to be had, so that no output of other threads is lost."""
        if self._instead is None or sys.stdout is not self._instead:
            printing = sys.stdout
            try:
                if printing is None or printing.fileno() != self.NUMBER:
                    return
                printing.flush()
            except (AttributeError, OSError, ValueError):  # not a file, or closed
                return
            self._printing = printing
            self._instead = TextIOWrapper(_Output(self), printing.encoding, printing.errors, line_buffering=True)
            sys.stdout = self._instead
            printing.flush()  # waits for what another thread is just printing
        stack.callback(self._print_as_before)

    def _print_as_before(self) -> None:
        """Restore ``sys.stdout``, unless other threads run, which may be about to print to either."""
        assert self._instead is not None
        if sys.stdout is self._instead and threading.active_count() == 1:
            sys.stdout = self._printing
        self._instead.flush()


class _Output(BufferedIOBase):
    """Writes to standard output wherever it is to be had, so that ``sys.stdout`` may stay on it for good.

    It keeps nothing, hence needs no lock of its own, which a thread could hold while it waits for the console's.
    """

    name = "<stdout>"

    def __init__(self, console: _Console) -> None:
        self._console = console

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._console.number

    def isatty(self) -> bool:
        return os.isatty(self._console.number)

    def write(self, data: Any) -> int:
        with memoryview(data).cast("B") as rest, self._console.lock:
            size = rest.nbytes
            written = 0
            while written < size:
                written += os.write(self._console.number, rest[written:])
        return size


_console = _Console()


@contextmanager
def quiet() -> Iterator[None]:
    """Silence what OpenSim prints, the C++ console output that ignores the log level included.

    Blocks may lie within each other and overlap in several threads: the last one to end brings the output back.
    """
    _console.silence()
    try:
        yield
    finally:
        _console.restore()
