"""The table that says what muscle inertia changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ..arrays import Array

if TYPE_CHECKING:
    from .result import InverseDynamicsResult


def summarise(result: InverseDynamicsResult) -> pd.DataFrame:
    """One row per coordinate that follows no other one, joints before those that move the whole model.

    All differences are inertial - lumped and signed, in the coordinate's unit; those with ``[%]`` are shares of the
    size of the lumped peak. Coordinates that follow a coordinate by a coupler are folded into it.

    Columns:

    * ``unit``; ``lumped peak``, the lumped force where it is largest, and ``peak time`` [s];
    * there: ``sliding at peak`` and ``moved at peak``, the two parts of ``difference at peak``; ``lower at peak`` and
      ``upper at peak``, the ends of its band (absent without one); ``difference at peak [%]``;
    * ``largest difference`` over the motion, its ``time of largest`` [s], and ``largest difference [%]``;
      ``largest sliding`` and ``largest moved``, the largest parts, each at its own time;
    * ``inertial peak``, ``lumped RMS``, ``inertial RMS``, ``difference RMS``.
    """
    lumped, moved, inertial = (
        result.folded(forces) for forces in (result.lumped_forces, result.moved_forces, result.inertial_forces)
    )
    difference, sliding, shifted = inertial - lumped, inertial - moved, moved - lumped
    peaks = result.peak_rows
    ends = None if result.uncertainty is None else result.band_at(peaks)
    rows = []
    for i in result.independent:
        at, most = int(peaks[i]), int(np.abs(difference[:, i]).argmax())
        peak = float(lumped[at, i])
        percent = 100.0 / abs(peak) if peak != 0 else np.nan
        row = {
            "coordinate": result.coordinate_names[i],
            "unit": "N m" if result.rotational[i] else "N",
            "lumped peak": peak,
            "peak time": float(result.times[at]),
            "sliding at peak": sliding[at, i],
            "moved at peak": shifted[at, i],
            "difference at peak": difference[at, i],
        }
        if ends is not None:
            row |= {"lower at peak": ends[0][i], "upper at peak": ends[1][i]}
        row |= {
            "difference at peak [%]": difference[at, i] * percent,
            "largest difference": difference[most, i],
            "time of largest": float(result.times[most]),
            "largest difference [%]": difference[most, i] * percent,
            "largest sliding": _largest(sliding[:, i]),
            "largest moved": _largest(shifted[:, i]),
            "inertial peak": _largest(inertial[:, i]),
            "lumped RMS": _rms(lumped[:, i]),
            "inertial RMS": _rms(inertial[:, i]),
            "difference RMS": _rms(difference[:, i]),
        }
        rows.append(row)
    return pd.DataFrame(rows).set_index("coordinate")


def _largest(values: Array) -> float:
    """The value that is largest in size."""
    return float(values[np.abs(values).argmax()])


def _rms(values: Array) -> float:
    return float(np.sqrt((values**2).mean()))
