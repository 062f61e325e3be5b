"""Sections of options in TOML files: a study's file has all sections, a ``--config`` file only some sections."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .._core.checks import check_file
from .._core.errors import FileFormatError, OptionError, StudyError, UnknownNameError, listed, near_matches
from .._core.options import OptionField, Options, meant_by
from .masses import MassOptions
from .modelling import ModelOptions, StrainModel, Wrapping
from .recording import Answers, Recording, Wobble
from .recruitment import CRITERIA, Actuation, RecruitmentOutputs

#: Option classes of sections shared by studies and the command line.
SHARED: dict[str, tuple[type[Options], ...]] = {
    "masses": (MassOptions,),
    "options": (ModelOptions, StrainModel, Wrapping, Answers, Recording, Wobble),
    "recruitment": (*CRITERIA.values(), Actuation, RecruitmentOutputs),
}


def read_toml(path: str | os.PathLike[str], what: str) -> tuple[dict[str, Any], Path]:
    """Return the content of a TOML file, and the file's path."""
    file = check_file(path, what)
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")), file
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(file, f"is not a TOML file: {error}") from error
    except OSError as error:
        raise FileFormatError(file, f"cannot be read: {error.strerror}") from error


def read_section(given: Any, entries: Mapping[str, OptionField], place: str) -> dict[str, Any]:
    """Return checked option values of a TOML section; raise UnknownNameError for a key that is not in ``entries``."""
    if not isinstance(given, Mapping):
        raise StudyError(f"{place} is {given!r}; expected a table of options")
    for key in given:
        if key not in entries:
            raise UnknownNameError("key", str(key), entries, place, meant_by(str(key), entries))
    return {key: _checked(entries[key], value, f"{place}, {key}") for key, value in given.items()}


def _checked(entry: OptionField, value: Any, place: str) -> Any:
    """Return an option's checked value, or a list without repeats if the option allows several values."""
    several = entry.several is True and "Mapping" not in entry.kind
    values = value if several and isinstance(value, list | tuple) else [value]
    if not values:
        raise StudyError(f"{place} is empty; expected at least one value")
    checked: list[Any] = []
    for each in values:
        try:
            checked.append(entry.checked(each))
        except OptionError as error:
            near = near_matches(each, entry.choices) if isinstance(each, str) else []
            shown = str(error.value).lower() if isinstance(error.value, bool) else repr(error.value)
            hint = f"did you mean {listed(near)}?" if near else f"expected {error.expected}"
            raise StudyError(f"{place} is {shown}; {hint}") from error
        if checked[-1] in checked[:-1]:
            raise StudyError(f"{place} has {checked[-1]!r} twice")
    return checked if several else checked[0]
