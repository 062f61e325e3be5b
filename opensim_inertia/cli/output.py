"""The files of results: checked before anything is computed, and written all together or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pandas as pd

from .._core.errors import OutputError
from ..files.atomic import make_folders, remove_folders, undo, writing

__all__ = ["check_writable", "staged", "write_csv", "write_text"]

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

#: How the names of folders begin in which files lie until all of them are complete.
STAGING = ".opensim-inertia-"


def write_csv(table: pd.DataFrame, path: Path) -> None:
    """Write a table, all of it or nothing."""
    with writing(path) as temporary:
        table.to_csv(temporary)


def write_text(text: str, path: Path) -> None:
    """Write a text, all of it or nothing."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


class _Probed(Exception):
    """Leaves a ``writing`` block without writing."""


def check_writable(paths: Iterable[Path], inputs: Iterable[Path | None] = ()) -> None:
    """Check that every one of ``paths`` can be written; nothing is left on the disk.

    Args:
        paths: files to be written.
        inputs: files that must not be overwritten; None entries do not matter.

    Raises:
        OutputError: one cannot, or is one of the inputs.
    """
    taken = {os.path.realpath(path) for path in inputs if path is not None}
    for path in paths:
        if os.path.realpath(path) in taken:
            raise OutputError(path, "it is an input of this command")
        with suppress(_Probed), writing(path):
            raise _Probed


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to write files to; they all move into ``folder`` when the block ends without an exception.

    After an exception, KeyboardInterrupt included, ``folder`` is as it was, or is not there if it was not. What a
    process that was killed has left in ``folder`` is removed; folders of processes that still run stay.

    Raises:
        OutputError: ``folder``, or a file in it, cannot be made or written; the message names the file in ``folder``.
    """
    made: list[Path] = []
    staging: Path | None = None
    owner = ExitStack()
    try:
        try:
            make_folders(folder, made)
            _remove_abandoned(folder)
            while True:
                staging = folder / f"{STAGING}{secrets.token_hex(6)}"  # known before it exists
                staging.mkdir(mode=0o700)
                if owner.enter_context(_owned(staging)):
                    break
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise OutputError(folder, reason) from error
        yield staging
        with ExitStack() as together:
            for file in sorted(staging.iterdir()):
                os.replace(file, together.enter_context(writing(folder / file.name)))
        staging.rmdir()
    except BaseException as error:
        if staging is not None:
            undo(partial(shutil.rmtree, staging, ignore_errors=True))
        undo(lambda: remove_folders(made))
        if isinstance(error, OutputError) and staging is not None:
            named, hidden = Path(os.path.abspath(error.path)), Path(os.path.abspath(staging))
            if named.is_relative_to(hidden):
                raise OutputError(folder / named.relative_to(hidden), error.reason) from error
        raise
    finally:
        owner.close()


@contextmanager
def _owned(staging: Path) -> Iterator[bool]:
    """Hold the lock that tells that a living process writes into a folder; yield whether the folder is still there.

    The system releases the lock however the process ends. Where it has no such locks nobody removes the folder.
    """
    if fcntl is None:
        yield True
        return
    try:
        number = os.open(staging, os.O_RDONLY)
    except FileNotFoundError:
        yield False
        return
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(number, fcntl.LOCK_EX)
        yield staging.exists()  # another process may have taken it for abandoned before it was locked
    finally:
        os.close(number)


def _remove_abandoned(folder: Path) -> None:
    """Remove what processes that were killed while they wrote into a folder have left there."""
    if fcntl is None:
        return
    for staging in folder.glob(f"{STAGING}*"):
        try:
            number = os.open(staging, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(staging, ignore_errors=True)
        except OSError:  # somebody writes into it, or the file system has no locks
            continue
        finally:
            os.close(number)
