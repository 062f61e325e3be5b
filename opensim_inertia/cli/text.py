"""Plain text for the console."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ..errors import Option
from ..findings import Finding
from ..inertial.mass_pictures import STRAINS_IN_WORDS, TRANSFERS_IN_WORDS
from .preparing import Prepared
from .typed import as_typed

__all__ = ["columns", "describe_model", "describe_notes", "describe_result", "file_list", "listed", "wrapped"]

#: Changes below this [N m or N] are not shown.
NO_CHANGE = 1e-6


def columns(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> str:
    """Return rows of cells as aligned columns; those in ``left`` are left-aligned, the others right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    to_left = set(left)
    lines = (
        "  ".join(c.ljust(w) if i in to_left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names with commas, the first ``most`` of them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def wrapped(text: str, indent: str = "  ") -> str:
    """Return a paragraph that fits the terminal, later lines indented."""
    width = min(max(shutil.get_terminal_size((100, 24)).columns, 40), 120)
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def file_list(files: dict[str, Path]) -> str:
    """Return what was written, one file per line, with what it is."""
    return columns([[f"  {path.name}", what] for what, path in files.items()], left=(0, 1))


def describe_model(prepared: Prepared) -> str:
    """Say how many muscles have mass, how much, and which have none."""
    inertial = prepared.inertial
    total = float(inertial.masses["mass"].sum())
    share = f" of {prepared.body_mass:.4g} kg" if prepared.body_mass > 0 else ""
    along = "continuous mass" if inertial.options.is_continuous else f"{inertial.options.points} mass points each"
    count = len(inertial.muscle_names)
    lines = [
        f"model '{inertial.model.getName()}': {count} {'muscle' if count == 1 else 'muscles'} with mass, "
        f"{total:.4g} kg{share}; {STRAINS_IN_WORDS[inertial.options.strain]}, {along}; "
        f"{TRANSFERS_IN_WORDS[inertial.options.transfer]}"
    ]
    if prepared.not_covered:
        lines.append(wrapped(f"massless, no mass is known for them: {listed(prepared.not_covered)}"))
    lines += [wrapped(sentence) for sentence in prepared.overdrawn]
    if prepared.unsupported:
        lines.append(wrapped(f"massless, their paths cannot carry mass: {listed(prepared.unsupported)}"))
    return "\n".join(lines)


def describe_notes(findings: Iterable[Finding]) -> str:
    """Return what is noted of inputs and not warned of, one paragraph each, after an empty line; empty for nothing."""
    notes = [finding.message for finding in findings if finding.severity == "note"]
    told = ("".join(as_typed(p.name, p.value) if isinstance(p, Option) else str(p) for p in note) for note in notes)
    return "\n".join(["", *(wrapped(f"note: {text}") for text in told)]) if notes else ""


def describe_result(summary: pd.DataFrame, missing: Sequence[str]) -> str:
    """Return the summary of inverse dynamics as text, without coordinates whose force does not change."""
    changes = summary["largest difference"].abs() > NO_CHANGE
    shown = summary[changes]
    lines = []
    if len(shown):
        has_band = "lower at peak" in shown
        has_moved = bool((shown["largest moved"].abs() > NO_CHANGE).any())
        head = [["", "", "lumped"], ["coordinate", "unit", "peak"]]
        for title, unit in _columns(has_band, has_moved):
            head[0].append(title)
            head[1].append(unit)
        rows = [_row(str(name), row, has_band, has_moved) for name, row in shown.iterrows()]
        lines += [columns([*head, *rows], left=(0, 1)), "", wrapped(_explanation(has_band, has_moved))]
    same = [str(name) for name in summary.index if name not in shown.index]
    if same:
        lines.append(wrapped(f"no difference: {listed(same)}"))
    if missing:
        lines.append(wrapped(f"not in the motion, at rest in their default value: {listed(missing)}"))
    return "\n".join(lines)


def _columns(has_band: bool, has_moved: bool) -> list[tuple[str, str]]:
    at_peak = [("sliding", "at peak")] + ([("moved", "at peak"), ("both", "at peak")] if has_moved else [])
    band = [("95 % band", "at peak")] if has_band else []
    return [*at_peak, *band, ("", "[%]"), ("largest", "difference"), ("at", "[s]")]


def _row(name: str, row: pd.Series, has_band: bool, has_moved: bool) -> list[str]:
    cells = [name, str(row["unit"]), _signed(row["lumped peak"]), _signed(row["sliding at peak"])]
    if has_moved:
        cells += [_signed(row["moved at peak"]), _signed(row["difference at peak"])]
    if has_band:
        cells.append(f"{_signed(row['lower at peak'])} to {_signed(row['upper at peak'])}")
    share = _percent(row["difference at peak [%]"], abs(row["lumped peak"]) > NO_CHANGE)
    return [*cells, share, _signed(row["largest difference"]), f"{row['time of largest']:.3f}"]


def _explanation(has_band: bool, has_moved: bool) -> str:
    text = (
        "All differences are inertial - lumped, signed. sliding at peak: what mass that slides along the paths changes "
        "where the lumped force is largest"
    )
    if has_moved:
        text += (
            "; moved at peak: what changes there because remainders and muscles together are not the segments as "
            "published; both: their sum"
        )
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
