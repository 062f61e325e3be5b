"""Parsers of texts of the command line as values of options."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError

__all__ = ["positive", "read_cutoff", "read_reserve"]


def positive(text: str) -> float:
    """Return the number that a text says; it must be above zero."""
    value = _number(text)
    if not (math.isfinite(value) and value > 0):
        raise ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def read_cutoff(text: str) -> float | None:
    """Return a frequency [Hz], or None for "none" and, as in OpenSim's setups, for a negative number."""
    if text.lower() == "none":
        return None
    value = _number(text)
    if not (math.isfinite(value) and value != 0):
        raise ArgumentTypeError(f"'{text}' is not a frequency in Hz, or 'none'")
    return None if value < 0 else value


def read_reserve(text: str) -> tuple[str | None, float]:
    """Return the coordinate, None for every one, and the strength that a text says."""
    name, _, number = text.rpartition("=")
    if not (value := _number(number)) > 0 or math.isinf(value):
        raise ArgumentTypeError(f"'{text}' is not a number above 0, nor COORDINATE=X")
    return name or None, value


def _number(text: str) -> float:
    """Return the number that a text says, NaN where it says none."""
    try:
        return float(text)
    except ValueError:
        return math.nan
