"""How many rows OpenSim's filter keeps of a long recording."""

from __future__ import annotations

import numpy as np

from ..._core.arrays import Array
from ..._core.errors import MotionError
from ..._core.findings import Finding
from ..._core.opensim import osim

__all__ = ["MOST_RESAMPLED_ROWS", "resampled"]

MOST_RESAMPLED_ROWS = osim.Storage.MAX_RESAMPLE_SIZE
"""Where ``Storage::resample`` widens the step."""
RESAMPLED = 1.01
"""A note is given of steps that are wider than the recording's by more than this factor."""


def resampled(recorded: Array, times: Array, cutoff: float, origin: str) -> list[Finding]:
    """Return a note if the filtered motion, as that of a long recording, has fewer rows a second than the recording.

    Args:
        recorded: times of the recording [s].
        times: times of the filtered motion [s].
        cutoff: cut-off frequency of the filter [Hz].
    """
    original, step = float(np.median(np.diff(recorded))), float(np.median(np.diff(times)))
    if step < RESAMPLED * original:
        return []
    text = (
        "its times are not even to the last bit, and of such motions OpenSim's filter keeps "
        f"{MOST_RESAMPLED_ROWS} rows at most, with those that it adds before and after: here {1 / step:.4g} rows a "
        f"second of {1 / original:.4g}"
    )
    cure = ("split the recording into shorter ones",)
    if cutoff >= 0.5 / step:
        raise MotionError(f"{origin}: {text}; that is too few for a cut-off of {cutoff:.6g} Hz; {cure[0]}")
    return [Finding("note", "resampling", origin, text, cure)]
