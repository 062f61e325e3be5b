"""Atomic writing: a temporary file in the same folder, then a rename."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .._core.errors import OutputError, system_reason
from .._core.processes import cleaned_up

#: Bytes of a name, without suffix, in a temporary name: file systems allow 255 bytes in total.
LONGEST_STEM = 200


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield the path of a temporary file, which replaces ``path`` after the block and is deleted after an exception.

    Follow links and keep permissions. OutputError: ``path`` cannot be written.
    """
    temporary, new_folders, in_block = Path(), list[Path](), False
    with cleaned_up():
        try:
            target = Path(os.path.realpath(path))
            if target.is_dir():
                raise OutputError(path, "it is a folder")
            if target.exists() and not target.is_file():
                raise OutputError(path, "it is not a regular file")
            if target.exists() and not os.access(target, os.W_OK):
                raise OutputError(path, "the file is read-only")
            if target.exists():
                os.replace(target, target)  # fails on Windows while another program has the file open
            stem = os.fsdecode(os.fsencode(target.stem)[:LONGEST_STEM])
            temporary = target.with_name(f".{stem}.{secrets.token_hex(6)}{target.suffix}")
            new_folders = [folder for folder in target.parents if not folder.exists()]  # innermost first
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary.touch(exist_ok=False)
            in_block = True
            yield temporary
            in_block = False
            if target.exists():
                shutil.copymode(target, temporary)
            os.replace(temporary, target)
        except BaseException as error:
            with suppress(OSError, ValueError):
                temporary.unlink(missing_ok=True)
            for folder in new_folders:
                with suppress(OSError):
                    folder.rmdir()
            # inside the block the error may concern another file of the caller
            is_own = not in_block or getattr(error, "filename", None) in (None, str(temporary), temporary)
            if is_own and isinstance(error, OSError if in_block else OSError | ValueError):
                raise OutputError(path, system_reason(error)) from error
            raise


def check_writable(paths: Iterable[Path], inputs: Iterable[Path | None] = ()) -> None:
    """Raise :class:`OutputError` if one of ``paths`` cannot be written or is among ``inputs``; create no files."""
    taken = {os.path.realpath(path) for path in inputs if path is not None}
    for path in paths:
        if os.path.realpath(path) in taken:
            raise OutputError(path, "it is an input of this command")
        with suppress(LookupError), writing(path):
            raise LookupError  # leaves the block without writing


def write_text(path: str | os.PathLike[str], text: str, errors: str = "strict") -> None:
    """Write a text as UTF-8 atomically, with unchanged line ends."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors=errors, newline="")
