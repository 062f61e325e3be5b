"""Write a file completely or not at all: into a hidden neighbour first, then renamed into place."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .._core.errors import OutputError, system_reason
from .._core.processes import cleaned_up

#: How many bytes of a name, without its suffix, a temporary name has: file systems allow 255 in all.
LONGEST_STEM = 200


@contextmanager
def writing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path to write to; it becomes ``path`` when the block ends without an exception.

    On any exception the temporary file and folders made for it are removed; an older file stays as it was. A link is
    followed; permissions of an older file are kept. OutputError: the file cannot be written at ``path``.
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
                os.replace(target, target)  # which Windows refuses while another program has the file open
            stem = os.fsdecode(os.fsencode(target.stem)[:LONGEST_STEM])
            temporary = target.with_name(f".{stem}.{secrets.token_hex(6)}{target.suffix}")
            new_folders = [folder for folder in target.parents if not folder.exists()]  # the innermost first
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
            # within the block the error may be the caller's, as of another file that is read
            is_own = not in_block or getattr(error, "filename", None) in (None, str(temporary), temporary)
            if is_own and isinstance(error, OSError if in_block else OSError | ValueError):
                raise OutputError(path, system_reason(error)) from error
            raise


def check_writable(paths: Iterable[Path], inputs: Iterable[Path | None] = ()) -> None:
    """Raise :class:`OutputError` for a path that cannot be written, or is an input; nothing is left on the disk."""
    taken = {os.path.realpath(path) for path in inputs if path is not None}
    for path in paths:
        if os.path.realpath(path) in taken:
            raise OutputError(path, "it is an input of this command")
        with suppress(LookupError), writing(path):
            raise LookupError  # which leaves the block without writing


def write_text(path: str | os.PathLike[str], text: str, errors: str = "strict") -> None:
    """Write a text as UTF-8, with the line ends that it has, all of it or nothing."""
    with writing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors=errors, newline="")
