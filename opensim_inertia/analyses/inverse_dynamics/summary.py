"""The table of changes by muscle inertia."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from .sliding_parts import PARTS, armature_explains

__all__ = ["summarise"]


def summarise(
    times: Array,
    names: Sequence[str],
    rotational: Sequence[bool],
    places: Sequence[int],
    lumped: Array,
    inertial: Array,
    ends: tuple[Array, Array] | None,
    wobble: Array | None = None,
    parts: Array | None = None,
    doubtful: NDArray[np.bool_] | None = None,
) -> pd.DataFrame:
    """Return the summary table of changes by muscle inertia, one row for each chosen coordinate.

    All differences are inertial - lumped and signed, in the coordinate's unit; those with ``[%]`` are shares of the
    size of the lumped peak. Forces on coupled coordinates are projected onto the coordinate that they follow.

    Columns:

    * ``unit``; ``lumped peak``, the lumped force where it is largest, and ``peak time`` [s];
    * there: ``difference at peak``; ``lower at peak`` and ``upper at peak``, the ends of its band (absent without one);
      ``difference at peak [%]``;
    * ``largest difference`` over the motion, its ``time of largest`` [s], and ``largest difference [%]``;
    * ``wobble at peak``, ``largest wobble`` and ``wobble RMS``, the part of the difference that swinging makes (absent
      where nothing swings); the rest is sliding;
    * ``inertial peak``, ``lumped RMS``, ``inertial RMS``, ``difference RMS``;
    * where the parts of sliding are known, ``sliding RMS``, the RMS of each part (``armature RMS``, ``coupling RMS``,
      ``velocity RMS``, ``gravity RMS``), and ``armature explains``, 1 - RMS(sliding - armature) / RMS(sliding).

    Args:
        times: (T,) [s].
        names, rotational: name of each of the nu coordinates, and whether its force is a moment.
        places: numbers of the coordinates, in the order of the rows.
        lumped, inertial: forces (T, nu) [N m or N] of independent coordinates, see :func:`~.coordinates.fold`.
        ends: ends (nu,) of the band around inertial - lumped at the lumped peaks; None for no band.
        wobble: the part (T, nu) of the inertial forces that swinging adds; None where nothing swings.
        parts: of sliding, (4, T, nu), folded; None where they are unknown.
        doubtful: (T, nu), True for forces to leave out; a coordinate without any other has NaN.
    """
    every, rows = (times, lumped, inertial, wobble, parts), []
    for i in places:
        times, lumped, inertial, wobble, parts = every
        if doubtful is not None and doubtful[:, i].any():
            known = ~doubtful[:, i]
            if not known.any():
                rows.append({"coordinate": names[i], "unit": "N m" if rotational[i] else "N"})
                continue
            times, lumped, inertial = times[known], lumped[known], inertial[known]
            wobble, parts = (None if x is None else x[..., known, :] for x in (wobble, parts))
        difference = inertial - lumped
        at, most = int(np.abs(lumped[:, i]).argmax()), int(np.abs(difference[:, i]).argmax())
        peak = float(lumped[at, i])
        percent = 100.0 / abs(peak) if peak != 0 else np.nan
        row = {
            "coordinate": names[i],
            "unit": "N m" if rotational[i] else "N",
            "lumped peak": peak,
            "peak time": float(times[at]),
            **({} if wobble is None else {"wobble at peak": wobble[at, i]}),
            "difference at peak": difference[at, i],
        }
        if ends is not None:
            row |= {"lower at peak": ends[0][i], "upper at peak": ends[1][i]}
        row |= {
            "difference at peak [%]": difference[at, i] * percent,
            "largest difference": difference[most, i],
            "time of largest": float(times[most]),
            "largest difference [%]": difference[most, i] * percent,
            **({} if wobble is None else {"largest wobble": _largest(wobble[:, i]), "wobble RMS": _rms(wobble[:, i])}),
            "inertial peak": _largest(inertial[:, i]),
            "lumped RMS": _rms(lumped[:, i]),
            "inertial RMS": _rms(inertial[:, i]),
            "difference RMS": _rms(difference[:, i]),
        }
        if parts is not None:
            sliding = difference[:, i] if wobble is None else difference[:, i] - wobble[:, i]
            row["sliding RMS"] = _rms(sliding)
            row |= {f"{name} RMS": _rms(part) for name, part in zip(PARTS, parts[..., i], strict=True)}
            row["armature explains"] = armature_explains(sliding, parts[0][:, i])
        rows.append(row)
    return pd.DataFrame(rows).set_index("coordinate")


def _largest(values: Array) -> float:
    """Return the value that is largest in size."""
    return float(values[np.abs(values).argmax()])


def _rms(values: Array) -> float:
    largest = float(np.abs(values).max())
    return largest * float(np.sqrt(((values / largest) ** 2).mean())) if largest else 0.0  # squares could overflow
