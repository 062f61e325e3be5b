"""Columns of a motion that hardly move where others do: coordinates that nobody recorded, and damaged columns.

A column of zeros is no error of its own: locked joints have it, and whole sides or planes that nobody recorded. But
where the same coordinate of the other side moves, or all other coordinates of the trunk do, it is doubtful.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .._core.arrays import Array
from .._core.diagnostics import Diagnostic
from .._core.sides import other_side

__all__ = ["still_findings"]

STILL = 1e-3
"""Angles that move by less do not move [rad]."""
LESS = 20.0
"""A side that moves less than the other one by this factor hardly moves."""
MUCH = np.radians(10.0)
"""It is told where the other one moves by more than this [rad]."""
FEW = 2
"""Where more coordinates of a side stand still, the side was not recorded, or is meant to rest."""


def still_findings(
    origin: str, names: Sequence[str], spans: Array, angles: NDArray[np.bool_], on_base: NDArray[np.bool_]
) -> list[Diagnostic]:
    """Return findings of columns that stand still, or nearly so, where others move.

    Args:
        origin: what the motion is called.
        names: the coordinates of the columns that are neither locked nor prescribed nor follow others.
        spans: how far each moves in all (columns,) [rad, m].
        angles: (columns,), whether each is an angle.
        on_base: (columns,), whether each moves the whole model in ground.
    """
    by_name = dict(zip(names, spans.tolist(), strict=True))
    turning = [name for name, angle in zip(names, angles, strict=True) if angle]
    pairs = [(right, left) for right in turning if (left := other_side(right, turning)) is not None]
    findings = list(_sides(origin, pairs, by_name))
    if pairs and on_base.any():
        paired = {name for pair in pairs for name in pair}
        findings += _alone(origin, [name for name in turning if name not in paired], by_name)
    return findings


def _sides(origin: str, pairs: list[tuple[str, str]], spans: dict[str, float]) -> Iterator[Diagnostic]:
    """Yield a finding for each side of the body whose coordinates hardly move while those of the other side do."""
    for side in (0, 1):
        resting = [
            (pair[side], pair[1 - side])
            for pair in pairs
            if spans[pair[1 - side]] > MUCH and spans[pair[side]] * LESS < spans[pair[1 - side]]
        ]
        if not resting:
            continue
        resting_name, moving_name = max(resting, key=lambda pair: spans[pair[1]])
        more = f"; so do {len(resting) - 1} other coordinates of this side" if len(resting) > 1 else ""
        text = (
            f"it moves by {np.degrees(spans[resting_name]):.3g} degrees in all, where '{moving_name}' moves by "
            f"{np.degrees(spans[moving_name]):.3g} degrees{more}"
        )
        cure = ("see that the column was recorded, and in the unit that the header says",)
        severity = "note" if len(resting) > FEW else "warning"
        yield Diagnostic(severity, "still columns", f"{origin}: column '{resting_name}'", text, cure)


def _alone(origin: str, names: list[str], spans: dict[str, float]) -> Iterator[Diagnostic]:
    """Yield a finding of the only coordinate of pelvis and trunk that stands still.

    Where several do, the motion was recorded in a plane, or without the trunk.
    """
    resting = [name for name in names if spans[name] < STILL]
    if len(resting) == 1 and len(names) > 1:
        text = (
            f"it moves by {np.degrees(spans[resting[0]]):.2g} degrees in all, and is the only angle of pelvis and "
            "trunk that stands still"
        )
        cure = ("see that the column was recorded; lock the coordinate in the model if it is meant to rest",)
        yield Diagnostic("warning", "still columns", f"{origin}: column '{resting[0]}'", text, cure)
