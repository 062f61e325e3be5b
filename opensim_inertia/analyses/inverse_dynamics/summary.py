"""The table of changes by muscle inertia, and the parts of what slides.

Mass that slides has more kinetic energy than the same mass frozen to its donor segments, by T_s = u^T dM u / 2. Of it
T_a = sum m kappa L'^2 / 2 is that of the rates of the muscles' lengths alone, which a tendon armature stands for
(docs/theory/sliding.md). Its force, sum m kappa L_q^T L'', is the *armature*. The rest of T_s couples the lengths'
rates with the motion of the segments: its force is in accelerations the *coupling*, and in velocities the *velocity*.
The fourth is *gravity*. They add up to inertial - lumped; where bellies swing, to that less the wobble.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..._core.arrays import Array
from ..._core.errors import first_of
from ..._core.representation import TextTable

if TYPE_CHECKING:
    import pandas as pd

#: The parts of what slides, in the order of arrays.
PARTS = ("armature", "coupling", "velocity", "gravity")
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
) -> list[dict[str, Any]]:
    """Return the rows of the summary of changes by muscle inertia, one for each chosen coordinate.

    All differences are inertial - lumped and signed, in the coordinate's unit; those with ``[%]`` are shares of the
    size of the lumped peak. Forces on coupled coordinates are projected onto the coordinate that they follow.

    Columns:

    * ``coordinate``; ``unit``; ``lumped peak``, the lumped force where it is largest, and ``peak time`` [s];
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
        doubtful: (T, nu), True for forces to leave out; a coordinate without any other has name and unit only.
    """
    rows = []
    for i in places:
        known = slice(None) if doubtful is None or not doubtful[:, i].any() else ~doubtful[:, i]
        at_times, old, new = times[known], lumped[known, i], inertial[known, i]
        row: dict[str, Any] = {"coordinate": names[i], "unit": "N m" if rotational[i] else "N"}
        rows.append(row)
        if not len(at_times):
            continue
        swing = None if wobble is None else wobble[known, i]
        difference = new - old
        at, most = int(np.abs(old).argmax()), int(np.abs(difference).argmax())
        peak = float(old[at])
        percent = 100.0 / abs(peak) if peak != 0 else np.nan
        row |= {"lumped peak": peak, "peak time": float(at_times[at])}
        row |= {} if swing is None else {"wobble at peak": swing[at]}
        row["difference at peak"] = difference[at]
        row |= {} if ends is None else {"lower at peak": ends[0][i], "upper at peak": ends[1][i]}
        row |= {
            "difference at peak [%]": difference[at] * percent,
            "largest difference": difference[most],
            "time of largest": float(at_times[most]),
            "largest difference [%]": difference[most] * percent,
            **({} if swing is None else {"largest wobble": _largest(swing), "wobble RMS": _rms(swing)}),
            "inertial peak": _largest(new),
            "lumped RMS": _rms(old),
            "inertial RMS": _rms(new),
            "difference RMS": _rms(difference),
        }
        if parts is not None:
            sliding, of_sliding = difference if swing is None else difference - swing, parts[:, known, i]
            row["sliding RMS"] = _rms(sliding)
            row |= {f"{name} RMS": _rms(part) for name, part in zip(PARTS, of_sliding, strict=True)}
            row["armature explains"] = _explained(sliding, of_sliding[0])
    return rows


def _largest(values: Array) -> float:
    """Return the value that is largest in size."""
    return float(values[np.abs(values).argmax()])


def _rms(values: Array) -> float:
    largest = float(np.abs(values).max())
    return largest * float(np.sqrt(((values / largest) ** 2).mean())) if largest else 0.0  # squares could overflow


def _explained(sliding: Array, armature: Array) -> float:
    """Return 1 - RMS(sliding - armature) / RMS(sliding), NaN where nothing slides."""
    largest = float(np.abs(sliding).max(initial=0.0))
    if not largest > 0:
        return float("nan")
    left = np.sqrt((((sliding - armature) / largest) ** 2).mean())  # squares of small forces could vanish
    return float(1.0 - left / np.sqrt(((sliding / largest) ** 2).mean()))


def summary_table(rows: Sequence[Mapping[str, Any]], missing: Sequence[str]) -> pd.DataFrame:
    """Return rows of :func:`summarise` as a table that prints as :func:`summary_as_text`."""
    import pandas as pd

    from ..._core.representation import PrintedFrame

    return PrintedFrame(pd.DataFrame(rows).set_index("coordinate"), partial(_frame_as_text, missing=missing))


def _frame_as_text(table: pd.DataFrame, missing: Sequence[str]) -> TextTable:
    return summary_as_text(table.reset_index().to_dict("records"), missing)


def summary_as_text(summary: Sequence[Mapping[str, Any]], missing: Sequence[str] = ()) -> TextTable:
    """Return rows of :func:`summarise` to be read, without coordinates that do not change.

    ``missing`` are the coordinates that the motion lacks.
    """
    changes = {row["coordinate"]: abs(row.get("largest difference", np.nan)) for row in summary}
    changed = [row for row in summary if changes[row["coordinate"]] > NO_CHANGE]
    has_band, wobbles = (any(key in row for row in changed) for key in ("lower at peak", "wobble at peak"))
    head, rows, notes = [["", "", "lumped"], ["coordinate", "unit", "peak"]], [], []
    if len(changed):
        columns = [("wobble", "at peak")] if wobbles else []
        columns += [("change", "at peak"), *([("95 % band", "at peak")] if has_band else []), ("", "[%]")]
        for line, titles in zip(head, zip(*columns, ("largest", "change"), ("at", "[s]"), strict=True), strict=True):
            line.extend(titles)
        notes.append(
            "Changes are inertial - lumped, signed; at peak: where the lumped force is largest"
            + ("; wobble: the part of the change that swinging mass makes" if wobbles else "")
            + ("; band: 95 % of the changes with other masses and places of bellies" if has_band else "")
            + "; [%]: of the lumped peak; largest change: over the motion."
        )
        notes += filter(None, [_about_parts(changed)])
    for row in changed:
        cells = [row["coordinate"], row["unit"], _signed(row["lumped peak"])]
        cells += [_signed(row["wobble at peak"])] if wobbles else []
        cells.append(_signed(row["difference at peak"]))
        cells += [f"{_signed(row['lower at peak'])} to {_signed(row['upper at peak'])}"] if has_band else []
        share = row["difference at peak [%]"]
        if abs(row["lumped peak"]) > NO_CHANGE and np.isfinite(share):
            cells.append(f"{share:+.1f}" if abs(share) < 1000 else ">1000")
        else:
            cells.append("-")
        rows.append([*cells, _signed(row["largest difference"]), f"{row['time of largest']:.3f}"])
    listed = {
        "doubtful at all times, because of jumps": [name for name, change in changes.items() if np.isnan(change)],
        "no difference": [name for name, change in changes.items() if change <= NO_CHANGE],
        "not in the motion, at rest in their default value": list(missing),
    }
    notes += [f"{text}: {first_of(names)}" for text, names in listed.items() if names]
    return TextTable("Inverse dynamics: changes by muscle inertia", head, rows, (0, 1), notes)


def _about_parts(summary: Sequence[Mapping[str, Any]]) -> str:
    """Return a sentence about the coordinate at which most slides of its lumped peak; empty if there is none.

    Coordinates that change no muscle's length, as those of a pelvis in ground, are left out.
    """
    crossed = [row for row in summary if row.get("armature RMS", 0.0) > 1e-9 * row.get("sliding RMS", np.nan)]
    crossed = [row for row in crossed if row["lumped peak"]]
    if not crossed:
        return ""
    row = max(crossed, key=lambda row: row["sliding RMS"] / abs(row["lumped peak"]))
    parts = ", ".join(f"{part} {row[f'{part} RMS']:.2g}" for part in PARTS[1:])
    return (
        f"Of the sliding part at {row['coordinate']}, RMS {row['sliding RMS']:.2g} {row['unit']}, the muscles' length "
        f"rates alone (an armature) explain {100 * row['armature explains']:.2g} %; RMS of its parts: armature "
        f"{row['armature RMS']:.2g}, {parts}."
    )


def _signed(value: float) -> str:
    digits = 3 if abs(value) < 10 else 2 if abs(value) < 1000 else 1
    return f"{value:+.{digits}f}"
