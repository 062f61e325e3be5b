"""Write a file completely or not at all: into a hidden neighbour first, then renamed into place."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .._core.errors import OutputError, system_reason
from .._core.termination import cleaned_up

__all__ = ["writing"]

#: How many bytes of a name, without its suffix, a temporary name has: file systems allow 255 in all.
LONGEST_STEM = 200


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path to write to; it becomes ``path`` when the block ends without an exception.

    The temporary file lies in the folder of ``path`` (so that the rename is atomic), has the same suffix and a hidden
    name. On any exception, KeyboardInterrupt included, and where SIGTERM ends the process, it is removed, an older file
    at ``path`` stays as it was, and folders that were made for it are removed again if they are empty. A link is
    followed; an older file's permissions are kept.

    Args:
        path: where the file shall be; missing parent folders are made.

    Yields:
        the temporary path: an empty file to overwrite.

    Raises:
        OutputError: the file cannot be written there (the folder cannot be made or written to, ``path`` is a folder or
            a device, the older file is read-only, the disk is full); the message names ``path``.
    """
    with cleaned_up(), _writing(path) as temporary:
        yield temporary


@contextmanager
def _writing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Do the work of :func:`writing`, without ending the process after SIGTERM."""
    target = _checked_target(path)
    new_folders: list[Path] = []
    stem = os.fsdecode(os.fsencode(target.stem)[:LONGEST_STEM])
    temporary = target.with_name(f".{stem}.{secrets.token_hex(6)}{target.suffix}")
    try:
        with _as_output_error(path):
            _make_folders(target.parent, new_folders)
            temporary.touch(exist_ok=False)
        with _as_output_error(path, temporary):
            yield temporary
        with _as_output_error(path):
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
    except BaseException:
        _undo(lambda: _remove(temporary), lambda: _remove_folders(new_folders))
        raise


def _undo(*steps: Callable[[], object]) -> None:
    """Call every step, and call it again if an interrupt comes during it; raise the interrupt at the end."""
    interrupt: KeyboardInterrupt | None = None
    for step in steps:
        is_complete = False
        while not is_complete:
            try:
                step()
                is_complete = True
            except KeyboardInterrupt as error:
                interrupt = error
    if interrupt is not None:
        raise interrupt


def _remove(file: Path) -> None:
    with suppress(OSError):
        file.unlink(missing_ok=True)


def _checked_target(path: str | os.PathLike[str]) -> Path:
    """Return the path with links followed; raise an error unless it is free, or a file that may be replaced."""
    try:
        target = Path(os.path.realpath(path))
        if target.is_dir():
            raise OutputError(path, "it is a folder")
        if target.exists() and not target.is_file():
            raise OutputError(path, "it is not a regular file")
        if target.exists() and not os.access(target, os.W_OK):
            raise OutputError(path, "the file is read-only")
    except (OSError, ValueError) as error:
        raise OutputError(path, system_reason(error)) from error
    return target


def _make_folders(folder: Path, new_folders: list[Path]) -> None:
    """Make ``folder`` and its missing parents, outermost first, recording each in ``new_folders`` before it exists."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for missing_folder in reversed(missing):
        new_folders.append(missing_folder)
        missing_folder.mkdir(exist_ok=True)


def _remove_folders(new_folders: list[Path]) -> None:
    """Remove the folders that :func:`_make_folders` recorded, as far as they are there and empty."""
    for folder in reversed(new_folders):
        with suppress(OSError):
            folder.rmdir()


@contextmanager
def _as_output_error(path: object, only: Path | None = None) -> Iterator[None]:
    """Turn an OSError into OutputError; with ``only``, not one that concerns another file (a read, say)."""
    try:
        yield
    except OSError as error:
        if only is not None and error.filename is not None and os.fspath(error.filename) != str(only):
            raise
        raise OutputError(path, system_reason(error)) from error
