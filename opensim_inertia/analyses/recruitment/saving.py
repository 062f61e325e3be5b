"""The files of a result: tables as OpenSim writes them, pictures, and what tells how they were made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from ..._core.provenance import run_record
from ...files import write_table
from ...files.atomic import writing
from ...muscles.masses import write_masses

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["result_files", "write_files"]


def result_files(kind: str, kinds: tuple[str, ...], has_reactions: bool, picture: str | None) -> dict[str, str]:
    """Return the names of a result's files without their prefix, by content.

    Args:
        kind: the answer whose files have OpenSim's names.
        kinds: all answers.
        has_reactions: whether there are joint reactions.
        picture: suffix of pictures; None for no pictures.
    """
    files = {}
    for each in kinds:
        prefix = "" if each == kind else f"{each} "
        for content in ("activation", "force"):
            files[f"{prefix}{content}"] = f"StaticOptimization_{prefix.replace(' ', '_')}{content}.sto"
    if has_reactions:
        files["reactions"] = "JointReaction_ReactionLoads.sto"
    if picture is not None:
        files |= {"reaction plot": f"reactions.{picture}"} if has_reactions else {}
        files |= {"plot": f"plot.{picture}", "bounds": f"bounds.{picture}"}
    return files | {"summary": "summary.csv", "status": "status.csv", "masses": "masses.csv", "run": "run.json"}


def write_files(
    tables: Mapping[Path, tuple[str, pd.DataFrame, Mapping[str, Any]]],
    summaries: Mapping[Path, pd.DataFrame],
    figures: Mapping[Path, Figure],
    masses: Path,
    record: Path,
    provenance: Mapping[str, Any],
) -> None:
    """Write the files of a result, and create their folders.

    Args:
        tables: by file (``.sto``), name, contents, and notes for the header.
        summaries: by file (``.csv``).
        figures: by file.
        masses, record: files of the mass table and of the provenance.
        provenance: what is written there.

    Raises:
        OutputError: a file cannot be written.
    """
    from ...plotting.drawing import save_pictures

    for path, (name, table, notes) in tables.items():
        write_table(table, path, in_degrees=False, name=name, notes=notes, gaps=True)
    for path, table in summaries.items():
        with writing(path) as temporary:
            table.to_csv(temporary)
    save_pictures(figures)
    if "masses" in provenance:
        write_masses(provenance["masses"], masses)
    with writing(record) as temporary:
        text = run_record(provenance)
        temporary.write_text(text, encoding="utf-8")
