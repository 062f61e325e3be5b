"""Left and right in names of bodies, muscles and coordinates: ``femur_r``, ``l_knee``, ``arm_right``."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["other_side", "stem_and_side"]

_SIDE = re.compile(r"(?:^|(?<=[_.-]))(r|l|right|left)(?=[_.-]|$)", re.IGNORECASE)
_LEFT = {"r": "l", "R": "L", "right": "left", "Right": "Left", "RIGHT": "LEFT"}


def stem_and_side(name: str) -> tuple[str, str]:
    """Return a name without its side, and the side: "r", "l", or "" for none; of several sides the last one counts."""
    matches = list(_SIDE.finditer(name))
    if not matches:
        return name, ""
    start, end = matches[-1].span()
    return (name[:start] + name[end:]).strip("_.-"), matches[-1][0][0].lower()


def other_side(name: str, names: Iterable[str]) -> str | None:
    """Return the left counterpart of a right part among names, as ``femur_l`` of ``femur_r``; None if there is none."""
    name_set = set(names)
    for match in reversed(list(_SIDE.finditer(name))):
        left = name[: match.start()] + _LEFT.get(match[0], "") + name[match.end() :]
        if match[0] in _LEFT and left in name_set:
            return left
    return None
