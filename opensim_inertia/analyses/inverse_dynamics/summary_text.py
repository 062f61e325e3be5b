"""The summary of inverse dynamics as a table to be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from ..._core.errors import first_of
from ..._core.representation import TextTable
from .sliding_parts import about_parts
from .summary import about_moved

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
        has_band = "lower at peak" in changed
        has_moved = bool((changed["largest moved"].abs() > NO_CHANGE).any())
        wobbles = "wobble at peak" in changed
        for title, unit in _columns(has_band, has_moved, wobbles):
            head[0].append(title)
            head[1].append(unit)
        cells = zip(map(str, changed.index), changed.to_dict("records"), strict=True)
        rows = [_row(name, row, has_band, has_moved) for name, row in cells]
        notes.append(_explanation(has_band, has_moved, wobbles))
        if "armature explains" in changed and (sentence := about_parts(changed)):
            notes.append(sentence)
    same = [str(name) for name in summary.index if name not in changed.index]
    if same:
        notes.append(f"no difference: {first_of(same)}")
    if missing:
        notes.append(f"not in the motion, at rest in their default value: {first_of(missing)}")
    title = "Inverse dynamics: what muscle inertia changes"
    return TextTable(title, head, rows, (0, 1), notes, about_moved(summary))


def _columns(has_band: bool, has_moved: bool, wobbles: bool) -> list[tuple[str, str]]:
    parts = ["sliding", *(["moved"] if has_moved else []), *(["wobble"] if wobbles else [])]
    at_peak = [(part, "at peak") for part in parts]
    at_peak += [("both" if len(parts) == 2 else "all", "at peak")] if len(parts) > 1 else []
    band = [("95 % band", "at peak")] if has_band else []
    return [*at_peak, *band, ("", "[%]"), ("largest", "difference"), ("at", "[s]")]


def _row(name: str, row: Mapping[str, Any], has_band: bool, has_moved: bool) -> list[str]:
    cells = [name, str(row["unit"]), _signed(row["lumped peak"]), _signed(row["sliding at peak"])]
    cells += [_signed(row["moved at peak"])] if has_moved else []
    wobbles = "wobble at peak" in row
    cells += [_signed(row["wobble at peak"])] if wobbles else []
    cells += [_signed(row["difference at peak"])] if has_moved or wobbles else []
    if has_band:
        cells.append(f"{_signed(row['lower at peak'])} to {_signed(row['upper at peak'])}")
    share = _percent(row["difference at peak [%]"], abs(row["lumped peak"]) > NO_CHANGE)
    return [*cells, share, _signed(row["largest difference"]), f"{row['time of largest']:.3f}"]


def _explanation(has_band: bool, has_moved: bool, wobbles: bool) -> str:
    text = (
        "All differences are inertial - lumped, signed. sliding at peak: what mass that slides along the paths changes "
        "where the lumped force is largest"
    )
    if has_moved:
        text += (
            "; moved at peak: what changes there because remainders and muscles together are not the segments as "
            "published"
        )
    if wobbles:
        text += "; wobble at peak: what mass changes there that swings across paths or on springs"
    if has_moved or wobbles:
        text += f"; {'all' if has_moved and wobbles else 'both'}: their sum"
    if has_band:
        text += "; band: 95 % of the answers with other masses and bellies, for what is not known of them"
    return text + "; [%]: of the lumped peak; largest difference: over the motion."


def _signed(value: float) -> str:
    digits = 3 if abs(value) < 10 else 2 if abs(value) < 1000 else 1
    return f"{value:+.{digits}f}"


def _percent(value: float, meaningful: bool) -> str:
    if not meaningful or not np.isfinite(value):
        return "-"
    return f"{value:+.1f}" if abs(value) < 1000 else ">1000"
