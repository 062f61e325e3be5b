"""Checks of arguments that several rooms share."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from inspect import currentframe

from .errors import OptionError, UnknownNameError, listed

#: Former values of options, by option: they still work, and stand for the values that took their place.
RENAMED = {"wrapping": {"library": "opensim"}}


def check_choice(option: str, value: str, choices: Iterable[str]) -> str:
    """Return ``value`` if it is one of ``choices``; otherwise raise :class:`OptionError` that lists them.

    A former value of :data:`RENAMED` is replaced, with a ``DeprecationWarning`` at the line that called the package.
    """
    choices = list(choices)
    if value not in choices:
        now = RENAMED.get(option, {}).get(value)
        if now is None:
            raise OptionError(option, value, "one of " + listed(choices))
        warnings.warn(f"{option}='{value}' is now called {option}='{now}'", DeprecationWarning, stacklevel=_outside())
        return now
    return value


def check_names(kind: str, names: Iterable[str], valid: Iterable[str]) -> None:
    """Raise :class:`UnknownNameError` for the first of ``names`` that is not in ``valid``."""
    valid = list(valid)
    for name in names:
        if name not in valid:
            raise UnknownNameError(kind, name, valid)


def _outside() -> int:
    """Return the ``stacklevel`` at which a function that calls this one warns of the first line outside the package."""
    package, frame, level = __name__.partition(".")[0], currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame, level = frame.f_back, level + 1
    return level
