"""The one place that imports OpenSim, quietly.

``import opensim`` opens ``opensim.log`` in the current directory and logs to the console at level *info*. Users'
folders and terminals stay clean: the import runs with a temporary directory as the working directory, the log file is
closed, and only errors are shown (a missing bone mesh is no news). Import OpenSim in this package with ``from
._opensim import osim``.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from .scratch import scratch_folder

__all__ = ["osim", "quiet"]


def _import_opensim() -> Any:
    if "opensim" in sys.modules:
        return sys.modules["opensim"]
    working_directory = os.getcwd()
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
    """The process' standard output, file descriptor 1, which OpenSim's libraries print to."""

    NUMBER = 1

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0
        self._restoring = ExitStack()
        self._kept: int | None = None
        self._printing: Any = None  # sys.stdout as it was, and what takes its place
        self._instead: Any = None
        self.is_ours = self._claim()

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
        with self._lock:
            if self._depth == 0:
                with ExitStack() as stack:
                    self._silence(stack)
                    self._restoring = stack.pop_all()
            self._depth += 1

    def restore(self) -> None:
        """Undo one :meth:`silence`."""
        with self._lock:
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
        self._let_python_print(self._kept, stack)
        stack.callback(os.dup2, self._kept, self.NUMBER)  # called first: then Python may print there again
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, self.NUMBER)
        os.close(nothing)
        stack.callback(osim.Logger.setLevelString, level)  # called while nothing is printed: OpenSim would print it

    def _let_python_print(self, number: int, stack: ExitStack) -> None:
        """Redirect ``sys.stdout`` to another descriptor, so that output of other threads is not lost meanwhile."""
        if self._instead is None or sys.stdout is not self._instead:
            printing = sys.stdout
            try:
                if printing is None or printing.fileno() != self.NUMBER:
                    return
                printing.flush()
            except (AttributeError, OSError, ValueError):  # not a file, or closed
                return
            self._printing = printing
            self._instead = open(number, "w", 1, printing.encoding, printing.errors, closefd=False)  # noqa: SIM115
            sys.stdout = self._instead
            printing.flush()  # waits for what another thread is just printing
        stack.callback(self._print_as_before)

    def _print_as_before(self) -> None:
        """Restore ``sys.stdout``, unless other threads run, which may be about to print to either."""
        assert self._instead is not None
        if sys.stdout is self._instead and threading.active_count() == 1:
            sys.stdout = self._printing
        self._instead.flush()


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
