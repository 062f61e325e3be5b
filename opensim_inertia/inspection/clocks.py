"""Loads whose clock is not the motion's: they would make the momentum that the motion has at another time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .._core.arrays import Array
from .._core.findings import Finding
from .._core.opensim import osim
from ..opensim_model.reading import Motion
from ..opensim_model.setups.loads import Loads
from .momentum import FLOOR, balance
from .moving_model import LoadedModel, MovingModel

__all__ = ["clock_findings"]

#: Loads are shifted by up to this much, in coarse and then, around the best of these, in fine steps [s]. Public
#: recordings are best without a shift, and a coarse step away from the best one already are worse by a third or more.
FURTHEST, COARSE, FINE = 0.8, 0.04, 0.02
#: Shifts below this [s] are rounding and filters.
LEAST = 0.05
#: A shift is told where it lets what is missing fall by this much, as the mean over axes of the logarithm: to 60 %.
BETTER = 0.5
#: The share of the motion's rows for which there must be loads where they are shifted.
OVERLAP = 0.5


def clock_findings(model: osim.Model, loads: Loads, motion: Motion) -> list[Finding]:
    """Return a finding where shifted loads fit the motion much better; nothing for models that are fixed to ground.

    Args:
        model: initialised (``initSystem``).
        loads: the loads; their bodies are in the model.
        motion: of all coordinates of the model.
    """
    moving = LoadedModel(model, loads).along(motion)
    if moving is None or not moving.moves_freely:
        return []
    now = _imbalance_sizes(loads, moving, 0.0)
    if now is None:
        return []
    sizes = {0.0: now}
    best = 0.0
    for shifts in (np.arange(-FURTHEST, FURTHEST + COARSE / 2, COARSE), np.array([-FINE, FINE])):
        for shift in (best + shifts).tolist():
            size = _imbalance_sizes(loads, moving, shift)
            if size is not None:
                sizes[shift] = size
        best = min(sizes, key=lambda shift: float(np.log(sizes[shift]).mean()))
    if abs(best) < LEAST or float(np.log(now / sizes[best]).mean()) < BETTER:
        return []
    share = 100 * float(np.exp(np.log(sizes[best] / now).mean()))
    text = (
        f"the loads fit the motion better if they act {abs(best):.2f} s {'earlier' if best > 0 else 'later'}: what "
        f"they do not make of the momentum falls to {share:.0f} %"
    )
    cure = ("see that loads and motion begin at the same moment of the same trial",)
    return [Finding("warning", "clocks", str(loads.data), text, cure)]


def _imbalance_sizes(loads: Loads, moving: MovingModel, shift: float) -> Array | None:
    """Return the RMS imbalance (A,) by axis if loads act earlier by a shift [s]; None where there are too few rows."""
    times = moving.times + shift
    rows = (times >= loads.times[0]) & (times <= loads.times[-1])
    if rows.sum() < OVERLAP * len(rows):
        return None
    sums = balance(loads, replace(moving.at(rows), times=times[rows]))
    return None if sums is None else np.maximum(sums.sizes, FLOOR)
