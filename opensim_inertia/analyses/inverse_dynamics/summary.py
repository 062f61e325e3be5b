"""The table of changes by muscle inertia."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import first_of
from ..._core.representation import TextTable
from .sliding_parts import PARTS, about_parts, armature_explains

__all__ = ["summarise"]

#: Changes below this [N m or N] are not shown.
NO_CHANGE = 1e-6


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


def summary_as_text(summary: pd.DataFrame, missing: Sequence[str] = ()) -> TextTable:
    """Return the summary of inverse dynamics to be read, without coordinates whose force does not change.

    Args:
        summary: as :func:`~.summary.summarise` makes it.
        missing: coordinates that the motion lacks.
    """
    changes = summary["largest difference"].abs() > NO_CHANGE
    changed = summary[changes]
    head: list[list[str]] = [["", "", "lumped"], ["coordinate", "unit", "peak"]]
    rows, notes = [], []
    if len(changed):
        has_band, wobbles = "lower at peak" in changed, "wobble at peak" in changed
        for title, unit in _columns(has_band, wobbles):
            head[0].append(title)
            head[1].append(unit)
        cells = zip(map(str, changed.index), changed.to_dict("records"), strict=True)
        rows = [_row(name, row, has_band, wobbles) for name, row in cells]
        notes.append(_explanation(has_band, wobbles))
        if "armature explains" in changed and (sentence := about_parts(changed)):
            notes.append(sentence)
    unknown = [str(name) for name in summary.index[summary["largest difference"].isna()]]
    same = [str(name) for name in summary.index if name not in changed.index and name not in unknown]
    if unknown:
        notes.append(f"doubtful at all times, because of jumps: {first_of(unknown)}")
    if same:
        notes.append(f"no difference: {first_of(same)}")
    if missing:
        notes.append(f"not in the motion, at rest in their default value: {first_of(missing)}")
    title = "Inverse dynamics: changes by muscle inertia"
    return TextTable(title, head, rows, (0, 1), notes)


def _columns(has_band: bool, wobbles: bool) -> list[tuple[str, str]]:
    at_peak = [*([("wobble", "at peak")] if wobbles else []), ("change", "at peak")]
    band = [("95 % band", "at peak")] if has_band else []
    return [*at_peak, *band, ("", "[%]"), ("largest", "change"), ("at", "[s]")]


def _row(name: str, row: Mapping[str, Any], has_band: bool, wobbles: bool) -> list[str]:
    cells = [name, str(row["unit"]), _signed(row["lumped peak"])]
    cells += [_signed(row["wobble at peak"])] if wobbles else []
    cells.append(_signed(row["difference at peak"]))
    if has_band:
        cells.append(f"{_signed(row['lower at peak'])} to {_signed(row['upper at peak'])}")
    share = _percent(row["difference at peak [%]"], abs(row["lumped peak"]) > NO_CHANGE)
    return [*cells, share, _signed(row["largest difference"]), f"{row['time of largest']:.3f}"]


def _explanation(has_band: bool, wobbles: bool) -> str:
    text = "Changes are inertial - lumped, signed; at peak: where the lumped force is largest"
    if wobbles:
        text += "; wobble: the part of the change that swinging mass makes"
    if has_band:
        text += "; band: 95 % of the changes with other masses and places of bellies"
    return text + "; [%]: of the lumped peak; largest change: over the motion."


def _signed(value: float) -> str:
    digits = 3 if abs(value) < 10 else 2 if abs(value) < 1000 else 1
    return f"{value:+.{digits}f}"


def _percent(value: float, meaningful: bool) -> str:
    if not meaningful or not np.isfinite(value):
        return "-"
    return f"{value:+.1f}" if abs(value) < 1000 else ">1000"
