"""Checks of arguments that several rooms share."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

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


def check_positive(option: str, value: float | None, default: float) -> float:
    """Return ``value`` as a float if it is a finite positive number, or ``default`` for None.

    Raises:
        OptionError: it is anything else.
    """
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not 0 < value < np.inf:
        raise OptionError(option, value, "a positive number")
    return float(value)
