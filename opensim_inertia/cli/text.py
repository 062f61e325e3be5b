"""Plain text for the console."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from .options import Prepared

__all__ = ["columns", "describe_model", "describe_result", "file_list", "listed", "wrapped"]

#: Changes below this [N m or N] are not shown.
NO_CHANGE = 1e-6
#: What stretches, in words.
STRAIN_NAMES = {
    "aponeurosis": "fibres between aponeuroses",
    "rigid_tendon": "rigid tendons",
    "uniform": "uniform strain",
}


def columns(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> str:
    """Rows of cells as aligned columns; those in ``left`` are left-aligned, the others right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    to_left = set(left)
    lines = (
        "  ".join(c.ljust(w) if i in to_left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names with commas, the first ``most`` of them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def wrapped(text: str, indent: str = "  ") -> str:
    """A paragraph that fits the terminal, later lines indented."""
    width = min(max(shutil.get_terminal_size((100, 24)).columns, 40), 120)
    return textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def file_list(files: dict[str, Path]) -> str:
    """What was written, one file per line, with what it is."""
    return columns([[f"  {path.name}", what] for what, path in files.items()], left=(0, 1))


def describe_model(prepared: Prepared) -> str:
    """How many muscles have mass, how much, and who has none."""
    inertial = prepared.inertial
    total = float(inertial.masses["mass"].sum())
    share = f" of {prepared.body_mass:.4g} kg" if prepared.body_mass > 0 else ""
    how = STRAIN_NAMES[inertial.strain.strain]
    along = "continuous mass" if inertial.distribution == "continuous" else f"{inertial.points} mass points each"
    count = len(inertial.muscle_names)
    lines = [
        f"model '{inertial.model.getName()}': {count} {'muscle' if count == 1 else 'muscles'} with mass, "
        f"{total:.4g} kg{share}; {how}, {along}"
    ]
    if prepared.not_covered:
        lines.append(wrapped(f"massless, no mass is known for them: {listed(prepared.not_covered)}"))
    if prepared.unsupported:
        lines.append(wrapped(f"massless, their paths cannot carry mass: {listed(prepared.unsupported)}"))
    return "\n".join(lines)


def describe_result(summary: pd.DataFrame, missing: Sequence[str]) -> str:
    """The summary of inverse dynamics, without coordinates whose force does not change."""
    shown = summary[summary["difference"] > NO_CHANGE]
    rows = [
        ["", "", "peak", "peak", "RMS", "RMS", "differ.", "moved", "sliding"],
        ["coordinate", "unit", "lumped", "inertial", "lumped", "inertial", "[%]", "[%]", "[%]"],
    ]
    for name, row in shown.iterrows():
        sizes = [_size(row[key]) for key in ("lumped peak", "inertial peak", "lumped RMS", "inertial RMS")]
        shares = [
            _percent(row[f"{key} [%]"], row["lumped peak"] > NO_CHANGE) for key in ("difference", "moved", "sliding")
        ]
        rows.append([str(name), str(row["unit"]), *sizes, *shares])
    lines = []
    if len(shown):
        lines += [
            columns(rows, left=(0, 1)),
            "",
            wrapped(
                "differ.: largest difference inertial - lumped over the motion, in percent of the lumped peak; "
                "moved: its part from mass at the muscles' place but fixed to the segments; "
                "sliding: its part from mass that slides along the paths.",
            ),
        ]
    same = [str(name) for name in summary.index if name not in shown.index]
    if same:
        lines.append(wrapped(f"no difference: {listed(same)}"))
    if missing:
        lines.append(wrapped(f"not in the motion, at rest in their default value: {listed(missing)}"))
    return "\n".join(lines)


def _size(value: float) -> str:
    digits = 3 if abs(value) < 10 else 2 if abs(value) < 1000 else 1
    return f"{value:.{digits}f}"


def _percent(value: float, meaningful: bool) -> str:
    if not meaningful or not np.isfinite(value):
        return "-"
    return f"{value:.1f}" if value < 1000 else ">1000"
