"""The files of results: checked before anything is computed, and written all together or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pandas as pd

from .._core.errors import OutputError
from .._core.scratch import scratch_folder
from ..files.atomic import writing

__all__ = ["check_writable", "staged", "write_csv", "write_text"]


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
    """Raise :class:`OutputError` for a path that cannot be written, or is an input; nothing is left on the disk."""
    taken = {os.path.realpath(path) for path in inputs if path is not None}
    for path in paths:
        if os.path.realpath(path) in taken:
            raise OutputError(path, "it is an input of this command")
        with suppress(_Probed), writing(path):
            raise _Probed


@contextmanager
def staged(folder: Path) -> Iterator[Path]:
    """Yield an empty folder to write files to; they all appear in ``folder`` if the block ends without an exception.

    After an exception, KeyboardInterrupt included, ``folder`` is as it was, or is not there if it was not.
    """
    with scratch_folder() as staging:
        try:
            yield staging
            with ExitStack() as together:
                for file in sorted(staging.iterdir()):
                    shutil.copyfile(file, together.enter_context(writing(folder / file.name)))
        except OutputError as error:
            if (named := Path(error.path)).is_relative_to(staging):
                raise OutputError(folder / named.relative_to(staging), error.reason) from error
            raise
