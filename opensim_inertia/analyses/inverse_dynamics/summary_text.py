"""The summary of inverse dynamics as a table to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..._core.errors import first_of
from ..._core.representation import TextTable
from .sliding_parts import about_parts

__all__ = ["NO_CHANGE", "summary_as_text"]

#: Changes below this [N m or N] are not shown.
NO_CHANGE = 1e-6


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
