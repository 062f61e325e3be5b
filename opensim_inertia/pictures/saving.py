"""Pictures as files: the suffix says the format, and several are written together or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from matplotlib.figure import Figure

from ..errors import OptionError
from ..files import writing

__all__ = ["FORMATS", "check_picture", "save_pictures"]

FORMATS = ("png", "svg", "pdf")


def check_picture(path: str | os.PathLike[str]) -> Path:
    """The path of a picture.

    Raises:
        OptionError: it ends in none of :data:`FORMATS`.
    """
    if Path(path).suffix.lower().lstrip(".") not in FORMATS:
        raise OptionError("path", str(path), f"the name of a picture, which ends in .{', .'.join(FORMATS)}")
    return Path(path)


def save_pictures(figures: Mapping[Path, Figure]) -> None:
    """Write figures to files, in the formats that their suffixes say.

    Raises:
        OptionError: a suffix is not that of a picture.
        OutputError: one cannot be written; then none is.
    """
    for path in figures:
        check_picture(path)
    with ExitStack() as together:
        for path, figure in figures.items():
            temporary = together.enter_context(writing(path))
            figure.savefig(temporary, format=path.suffix.lower().lstrip("."), dpi=160)
