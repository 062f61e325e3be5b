"""Plain text for the console."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd

from .._core.choices import STRAINS_IN_WORDS
from .._core.diagnostics import Diagnostic
from .._core.errors import Option
from .._core.errors import first_of as listed
from .._core.representation import columns, wrapped
from .arguments import as_typed
from .preparing import Prepared

__all__ = ["columns", "describe_model", "describe_notes", "file_list", "listed", "two_line_table", "wrapped"]


def two_line_table(table: pd.DataFrame, heads: Mapping[str, tuple[str, str, str]]) -> str:
    """Return columns of a table as text, each with two lines of a head and a format."""
    cells = {
        (first, second): [format(value, style) if pd.notna(value) else "-" for value in table[name]]
        for name, (first, second, style) in heads.items()
    }
    return pd.DataFrame(cells, index=[str(name) for name in table.index]).to_string()


def file_list(files: dict[str, Path]) -> str:
    """Return the written files, one per line, with descriptions."""
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
        f"{total:.4g} kg{share}; {STRAINS_IN_WORDS[inertial.options.strain_model.kind]}, {along}"
    ]
    if prepared.not_covered:
        lines.append(wrapped(f"massless, no mass is known for them: {listed(prepared.not_covered)}"))
    if prepared.unsupported:
        lines.append(wrapped(f"massless, their paths cannot carry mass: {listed(prepared.unsupported)}"))
    return "\n".join(lines)


def describe_notes(findings: Iterable[Diagnostic]) -> str:
    """Return notes on inputs without warnings, one paragraph each, after an empty line; empty for nothing."""
    notes = [finding.message for finding in findings if finding.severity == "note"]
    texts = ("".join(as_typed(p.name, p.value) if isinstance(p, Option) else str(p) for p in note) for note in notes)
    return "\n".join(["", *(wrapped(f"note: {text}") for text in texts)]) if notes else ""
