"""Checks of arguments that several rooms share."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import OptionError, UnknownNameError, listed


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
