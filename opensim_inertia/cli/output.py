"""Output on the console and in files; a command writes all of its files or none."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .._core.errors import OutputError
from .._core.processes import scratch_folder
from .._core.representation import columns as columns
from .._core.representation import wrapped as wrapped
from ..files.atomic import check_writable as check_writable
from ..files.atomic import writing

if TYPE_CHECKING:
    import pandas as pd

#: Arguments with input files.
INPUTS = ("model", "setup", "motion", "external_loads", "masses", "reference", "states", "markers", "events")


def inputs_of(args: argparse.Namespace, *more: Path | None) -> list[Path | None]:
    """Return the input files among a command's arguments, and ``more``; None for arguments that are not given."""
    return [*(getattr(args, name, None) for name in INPUTS), *more]


class Results:
    """Output files of a command in one folder: file name and description by key."""

    def __init__(self, folder: Path, files: Mapping[str, tuple[str, str]], inputs: Iterable[Path | None]) -> None:
        self.folder, self.files = folder, dict(files)
        check_writable([folder / name for name, _ in files.values()], inputs)

    @contextmanager
    def staged(self) -> Iterator[dict[str, Path]]:
        """Yield temporary paths by key; copy all written files to the folder at the end of the block."""
        with scratch_folder() as staging:
            try:
                yield {key: staging / name for key, (name, _) in self.files.items()}
                with ExitStack() as together:
                    for file in sorted(staging.iterdir()):
                        shutil.copyfile(file, together.enter_context(writing(self.folder / file.name)))
            except OutputError as error:
                if (named := Path(error.path)).is_relative_to(staging):
                    raise OutputError(self.folder / named.relative_to(staging), error.reason) from error
                raise

    def announce(self, until: str = "") -> None:
        """Print the folder, then the text ``until``, then names and descriptions of the written files."""
        print(f"\nwritten to {self.folder}{until}:")
        print(file_list({what: Path(name) for name, what in self.files.values()}))


def chosen(files: Mapping[Path | None, str], inputs: Iterable[Path | None]) -> dict[Path, str]:
    """Return the output files that are not None, after checking that they can be written."""
    named = {path: what for path, what in files.items() if path is not None}
    check_writable(named, inputs)
    return named


def announce(files: Mapping[Path, str]) -> None:
    """Print paths and descriptions of written files."""
    if files:
        print("".join(f"\nwritten to {path}: {what}" for path, what in files.items()))


def two_line_table(table: pd.DataFrame, heads: Mapping[str, tuple[str, str, str]]) -> str:
    """Return a table as text; ``heads`` gives two header lines and the format of each column."""
    above, below, styles = zip(*heads.values(), strict=True)
    firsts = [text if text != before else "" for before, text in zip(("", *above), above, strict=False)]
    rows = [
        [str(name), *(format(cell, style) if cell == cell else "-" for cell, style in zip(row, styles, strict=True))]
        for name, *row in table[list(heads)].itertuples(name=None)
    ]
    return columns([["", *firsts], ["", *below], *rows])


def file_list(files: Mapping[str, Path]) -> str:
    """Return text with one line per file: name and description."""
    return columns([[f"  {path.name}", what] for what, path in files.items()], left=(0, 1))
