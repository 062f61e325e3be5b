"""Checks of arguments that several rooms share."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from .choices import FORMATS
from .errors import FileFormatError, ModelError, OptionError, UnknownNameError, listed


def check_choice(option: str, value: str, choices: Iterable[str]) -> str:
    """Return ``value`` if it is one of ``choices``; otherwise raise :class:`OptionError` that lists them."""
    choices = list(choices)
    if value not in choices:
        raise OptionError(option, value, "one of " + listed(choices))
    return value


def check_names(kind: str, names: Iterable[str], valid: Iterable[str]) -> None:
    """Raise :class:`UnknownNameError` for the first of ``names`` that is not in ``valid``."""
    valid = list(valid)
    for name in names:
        if name not in valid:
            raise UnknownNameError(kind, name, valid)


def check_picture(path: str | os.PathLike[str]) -> Path:
    """Return the path of a picture; raise :class:`OptionError` if it ends in none of the formats of pictures."""
    if Path(path).suffix.lower().lstrip(".") not in FORMATS:
        raise OptionError("path", str(path), f"the name of a picture, which ends in .{', .'.join(FORMATS)}")
    return Path(path)


def check_model_file(path: str | os.PathLike[str]) -> Path:
    """Return the path of a model; raise :class:`ModelError` if there is no such file."""
    file = Path(path)
    if not file.is_file():
        raise ModelError(f"model file '{path}' does not exist" if not file.exists() else f"'{path}' is not a file")
    return file


def check_file(path: str | os.PathLike[str], what: str) -> Path:
    """Return the path of a file; raise :class:`FileFormatError`, which calls it ``what``, if there is no such file."""
    file = Path(path)
    if not file.is_file():
        raise FileFormatError(path, f"{what} does not exist")
    return file
