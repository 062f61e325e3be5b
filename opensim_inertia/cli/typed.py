"""Options as they are typed on a command line."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

__all__ = ["as_typed"]


def as_typed(name: str, value: object) -> str:
    """Return an option and its value as they are typed on a command line."""
    words = name.replace("_", "-")
    if value is False:
        return f"--no-{words}"
    if value is None or value is True:
        return f"--{words}"
    if isinstance(value, Mapping):
        value = [f"{key}={number}" for key, number in value.items()]
    values = value if isinstance(value, list | tuple) else [value]
    return f"--{words} {shlex.join(map(str, values))}"
